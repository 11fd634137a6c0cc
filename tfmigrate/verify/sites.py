"""Gives the draws of two versions of a file numbers, so that a draw and what became of it have the same. Pure, with ``ast``.

``random.uniform(0, 1)`` becomes ``__tfmigrate_site__(random.uniform, 3)(0, 1)`` in the text that is run, on the same line;
``tfmigrate.verify.worker.drawing`` then knows which numbers to draw, whoever draws them. Changing the text, rather than
looking at the calling frame, works inside of lambdas and of code that AutoGraph has converted.

Only functions in which draws of Python or NumPy were changed are numbered. Within a function draws are paired in the order
in which they run: a local function counts where it is first used, because a rewritten ``if`` comes after its two arms.
"""

from __future__ import annotations

import ast
import difflib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tfmigrate.draws.table import GENERATOR, NUMPY, OTHERS, PICKS, PYTHON
from tfmigrate.verify.model import CodeTree
from tfmigrate.verify.worker.overlay import read_through

MARK = "__tfmigrate_site__"
"""The function's name in the text; the worker puts it among the built-in functions."""

_OURS = frozenset({"uniform", "normal", "shuffle", "categorical", "gamma", "poisson", "truncated_normal"})
_NAMES = _OURS | PYTHON.keys() | NUMPY.keys() | GENERATOR.keys() | PICKS | OTHERS
_DRAWING = ("random.", "numpy.random.", "tensorflow.random.")
_LIBRARIES = frozenset(
    {"tensorflow", "keras", "tf_keras", "numpy", "math", "scipy", "torch", "jax", "random"}
)
_NORMAL = frozenset(
    {"gauss", "normalvariate", "lognormvariate", "normal", "standard_normal", "randn", "lognormal"}
)
_GAMMA = frozenset({"gamma", "gammavariate", "standard_gamma", "chisquare", "dirichlet"})
_SEVERAL = {"laplace": "UU", "triangular": "UU", "beta": "GGUU", "betavariate": "GGUU"}


@dataclass(frozen=True, slots=True)
class Numbered:
    """Both versions with their draws numbered."""

    before: CodeTree
    after: CodeTree
    numbers: tuple[int, ...] = ()
    """All numbers that are used; empty: no draw was rewritten, and the trees are as they were."""


@dataclass(frozen=True, slots=True)
class _Draw:
    call: ast.Call
    kinds: str
    """For each number of TensorFlow's that it is made of: uniform, normal, shuffled, categorical, gamma or Poisson."""
    is_tensorflow: bool


@dataclass(frozen=True, slots=True)
class _Base:
    """One of the numbers that a draw is made of."""

    draw: _Draw
    place: int

    @property
    def kind(self) -> str:
        return self.draw.kinds[self.place]


def numbered(before: CodeTree, after: CodeTree) -> Numbered:
    """Number the draws of all files that differ. A file that cannot be parsed is left as it is."""
    old, new = dict(before.overlay), dict(after.overlay)
    used: list[int] = []
    start = 0
    for path in sorted({*before.overlay, *after.overlay}):
        texts = [_text(read_through(tree, path)) for tree in (before, after)]
        if texts[0] is None or texts[1] is None or texts[0] == texts[1]:
            continue
        try:
            modules = [_functions(ast.parse(text)) for text in texts if text is not None]
        except (SyntaxError, ValueError, RecursionError):
            continue
        first, second, count = _paired(modules[0], modules[1], start)
        if first:
            old[path], new[path] = _marked(texts[0], first), _marked(texts[1], second)
            used += [number for numbers in (*first.values(), *second.values()) for number in numbers]
        start += count
    if not used:
        return Numbered(before, after)
    return Numbered(replace(before, overlay=old), replace(after, overlay=new), tuple(sorted(set(used))))


def marked(tree: CodeTree, path: str) -> CodeTree:
    """``tree`` with the draws in one file marked, all with the number 0."""
    text = _text(read_through(tree, path))
    if text is None:
        return tree
    try:
        functions = _functions(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return tree
    found = {draw: [0] for draws in functions.values() for draw in draws}
    return replace(tree, overlay={**tree.overlay, path: _marked(text, found)}) if found else tree


def _text(data: bytes | None) -> str | None:
    if data is None:
        return None
    try:
        text = importlib.util.decode_source(data)
        return None if text.encode() != data.replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf") else text
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return None


# -- finding ------------------------------------------------------------------------------------------------------


def _functions(tree: ast.Module) -> dict[str, list[_Draw]]:
    """Outermost functions by qualified name, and what is outside of all, with their draws in the order of running."""
    names = _imported(tree)
    found: dict[str, list[_Draw]] = {}
    for name, nodes in _parts(tree.body, ""):
        calls = _Order().calls(nodes)
        found.setdefault(name, []).extend(draw for call in calls if (draw := _draw(call, names)) is not None)
    return found


def _parts(body: Iterable[ast.stmt], prefix: str) -> Iterator[tuple[str, list[ast.AST]]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _parts(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{node.name}", [*node.decorator_list, node.args, *node.body]
        elif isinstance(node, ast.If | ast.Try | ast.With):
            inner = [
                *getattr(node, "body", ()),
                *getattr(node, "orelse", ()),
                *getattr(node, "finalbody", ()),
            ]
            yield from _parts([*inner, *(s for h in getattr(node, "handlers", ()) for s in h.body)], prefix)
        else:
            yield prefix, [node]


class _Order:
    """Calls in the order in which they run."""

    def __init__(self) -> None:
        self._local: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}

    def calls(self, nodes: Iterable[ast.AST]) -> list[ast.Call]:
        found = [call for node in nodes for call in self._in(node)]
        while self._local:  # never used, or used in a way that is not seen
            found += self._body(next(iter(self._local)))
        return found

    def _body(self, name: str) -> list[ast.Call]:
        return [call for node in self._local.pop(name).body for call in self._in(node)]

    def _in(self, node: ast.AST) -> Iterator[ast.Call]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from self._in(node.args)
            if node.name in self._local:  # defined anew
                yield from self._body(node.name)
            self._local[node.name] = node
            return
        if isinstance(node, ast.Name) and node.id in self._local:
            yield from self._body(node.id)
            return
        for child in self._children(node):
            yield from self._in(child)
        if isinstance(node, ast.Call):
            yield node

    def _children(self, node: ast.AST) -> Iterable[ast.AST]:
        if isinstance(node, ast.JoinedStr):
            return ()  # before Python 3.12 nothing inside has its place
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            return (*node.generators, node.elt)
        if isinstance(node, ast.DictComp):
            return (*node.generators, node.key, node.value)
        if isinstance(node, ast.IfExp):
            # `arm() if training else tf.cond(drawn, arm, other)` was `if training or drawn:`.
            call = node.body
            is_arm = (
                isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in self._local
            )
            return (node.test, node.orelse, node.body) if is_arm else (node.test, node.body, node.orelse)
        return ast.iter_child_nodes(node)


def _imported(tree: ast.Module) -> dict[str, str]:
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                names[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def _draw(call: ast.Call, names: Mapping[str, str]) -> _Draw | None:
    full = _called(call.func, names)
    name = full.rpartition(".")[2]
    known = full.startswith(_DRAWING)
    if name not in _NAMES or (not known and full.partition(".")[0] in _LIBRARIES):
        return None
    if not known and isinstance(call.func, ast.Name):
        return None
    return _Draw(call, _kinds(full, name, call), full.startswith("tensorflow."))


def _called(func: ast.expr, names: Mapping[str, str]) -> str:
    """The dotted name, with imported names in full; what is not a name at its root is ``?``."""
    parts: list[str] = []
    while isinstance(func, ast.Attribute):
        parts.append(func.attr)
        func = func.value
    root = names.get(func.id, f"?{func.id}") if isinstance(func, ast.Name) else "?"
    full = ".".join([root, *reversed(parts)])
    return full.replace("tensorflow.compat.v1.", "tensorflow.").replace(
        "tensorflow.compat.v2.", "tensorflow."
    )


def _kinds(full: str, name: str, call: ast.Call) -> str:
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if full.startswith("tensorflow."):
        letters = {"normal": "N", "truncated_normal": "N", "shuffle": "S", "categorical": "C", "gamma": "G"}
        return "P" if name == "poisson" else letters.get(name, "U")
    if name == "multinomial" or (name == "choices" and keywords.keys() & {"weights", "cum_weights"}):
        return "C"
    if name == "choice" and "p" in keywords:
        return "C"
    once = keywords.get("replace")
    if name == "choice" and isinstance(once, ast.Constant) and once.value is False:
        return "S"
    if name in ("shuffle", "permutation", "permuted") or full == "random.sample":
        return "S"
    if name == "sample" and len(call.args) > 1:
        return "S"
    if name in _NORMAL:
        return "N"
    return "G" if name in _GAMMA else "P" if name == "poisson" else _SEVERAL.get(name, "U")


# -- pairing ------------------------------------------------------------------------------------------------------

_Numbers = dict[_Draw, list[int]]


def _paired(
    before: Mapping[str, list[_Draw]], after: Mapping[str, list[_Draw]], start: int
) -> tuple[_Numbers, _Numbers, int]:
    """Numbers of the draws of both versions, and how many numbers the file has."""
    number = start
    first: _Numbers = {}
    second: _Numbers = {}
    left_before: list[tuple[_Base, int]] = []
    left_after: list[_Base] = []
    for name, draws in before.items():
        bases = [(base, number + place) for place, base in enumerate(_bases(draws))]
        number += len(bases)
        others = after.get(name, [])
        if all(draw.is_tensorflow for draw in draws) or _dumps(draws) == _dumps(others):
            continue
        for base, own in bases:
            first.setdefault(base.draw, []).append(own)
        matched = _match(bases, list(_bases(others)))
        for base in _bases(others):
            second.setdefault(base.draw, []).append(matched.get(base, -1))
        taken = set(matched.values())
        left_before += [(base, own) for base, own in bases if own not in taken]
        left_after += [base for base in _bases(others) if base not in matched]
    if left_before:  # Moved from one function to another?
        for name in after.keys() - before.keys() | {name for name in before if not before[name]}:
            left_after += _bases(after.get(name, []))
            second.update({draw: [-1] * len(draw.kinds) for draw in after.get(name, [])})
    matched = _match(left_before, left_after)
    for base in left_after:
        if base not in matched:
            matched[base] = number
            number += 1
    for base, own in matched.items():
        second[base.draw][base.place] = own
    return first, second, number - start


def _bases(draws: Iterable[_Draw]) -> Iterator[_Base]:
    return (_Base(draw, place) for draw in draws for place in range(len(draw.kinds)))


def _dumps(draws: Iterable[_Draw]) -> list[str]:
    return [ast.dump(draw.call) for draw in draws]


def _match(before: list[tuple[_Base, int]], after: list[_Base]) -> dict[_Base, int]:
    """Draws after -> the numbers of the draws before that they came from: in order, and of one kind."""
    kinds = "".join(base.kind for base, _ in before), "".join(base.kind for base in after)
    matcher = difflib.SequenceMatcher(None, *kinds, autojunk=False)
    return {
        after[block.b + step]: before[block.a + step][1]
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }


# -- marking ------------------------------------------------------------------------------------------------------


def _marked(text: str | None, draws: Mapping[_Draw, list[int]]) -> bytes:
    """The text with its draws marked."""
    assert text is not None
    lines = [line.encode() for line in text.split("\n")]
    inserted: dict[int, list[tuple[int, int, bytes]]] = {}
    for draw, numbers in draws.items():
        func = draw.call.func
        assert func.end_lineno is not None and func.end_col_offset is not None
        size = func.end_col_offset if func.end_lineno == func.lineno else 1 << 30
        end = ", ".join(("", *map(str, numbers))) + ")"
        inserted.setdefault(func.lineno, []).append((func.col_offset, -size, f"{MARK}(".encode()))
        inserted.setdefault(func.end_lineno, []).append((func.end_col_offset, func.col_offset, end.encode()))
    for number, items in inserted.items():
        line = lines[number - 1]
        for column, _, part in sorted(items, reverse=True):
            line = line[:column] + part + line[column:]
        lines[number - 1] = line
    return b"\n".join(lines)
