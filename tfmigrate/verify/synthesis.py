"""Guesses: plausible constructor arguments and inputs, in the order of trying. Pure, without TensorFlow.

Nothing here decides that a guess is right; worker/probe.py runs them and takes the first that says something.
"""

from __future__ import annotations

import ast
import itertools
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tfmigrate.verify.plausible import IDS, IMAGES, LAYERS, LISTS, MASKS, SEQUENCES, SHAPES, UNITS, VALUES
from tfmigrate.verify.recipes import CallSpec, KerasLayer, Literal, Structure, Tensor


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a constructor or of ``call``, without ``self``."""

    name: str
    annotation: str = ""
    """The annotation's source text."""
    required: bool = True
    keyword_only: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """What the source of ``call`` says about its parameters."""

    unpacked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Parameter -> names of the targets in ``a, b = parameter``."""
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Parameter -> string keys that are read of it."""
    indexed: Mapping[str, int] = field(default_factory=dict)
    """Parameter -> how many items ``parameter[0]``, ``parameter[1]`` ... ask for."""
    numbers: tuple[int, ...] = ()
    """Integers in the source, which may be sizes of axes."""
    words: frozenset[str] = frozenset()
    """Names and attributes in the source: Conv2D, Embedding, LSTM ..."""


def read_shape(source: str) -> Shape:
    """Read the (dedented) source of a function or class. Source that does not parse says nothing."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError):
        return Shape()
    unpacked: dict[str, tuple[str, ...]] = {}
    keys: dict[str, dict[str, None]] = {}
    indexed: dict[str, set[int]] = {}
    numbers, words = dict[int, None](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            for target in node.targets:
                if isinstance(target, (ast.Tuple, ast.List)):
                    names = tuple(getattr(item, "id", "") for item in target.elts)
                    unpacked.setdefault(node.value.id, names)
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                keys.setdefault(node.value.id, {})[node.slice.value] = None
            elif (
                isinstance(node.slice, ast.Constant)
                and type(node.slice.value) is int
                and node.slice.value >= 0
            ):
                indexed.setdefault(node.value.id, set()).add(node.slice.value)
        elif isinstance(node, ast.Constant) and type(node.value) is int and 1 <= node.value <= 512:
            numbers[node.value] = None
        elif isinstance(node, ast.Attribute):
            words.add(node.attr)
        elif isinstance(node, ast.Name):
            words.add(node.id)
    counts = {name: max(found) + 1 for name, found in indexed.items() if len(found) > 1}
    return Shape(
        unpacked,
        {name: tuple(found) for name, found in keys.items()},
        counts,
        tuple(numbers),
        frozenset(words),
    )


# -- constructor ---------------------------------------------------------------------------------------------


def init_candidates(parameters: Sequence[Parameter]) -> Iterator[dict[str, Structure]]:
    """Keyword arguments for the required parameters, the most plausible first. At most 24."""
    choices = [(p.name, _values(p)) for p in parameters if p.required]
    if any(not values for _, values in choices):
        return
    combinations = itertools.islice(itertools.product(*(range(len(values)) for _, values in choices)), 5000)
    for chosen in sorted(combinations, key=sum)[:24]:
        yield {name: values[pick] for (name, values), pick in zip(choices, chosen, strict=True)}


def _values(parameter: Parameter) -> tuple[Structure, ...]:
    """Plausible values of one required parameter; none: it cannot be guessed."""
    name, annotation = parameter.name.lower().strip("_"), parameter.annotation.replace(" ", "")
    if name in LAYERS or "Layer" in annotation or "Model" in annotation:
        return (KerasLayer("Dense", (UNITS,)), KerasLayer("SimpleRNNCell", (UNITS,)))
    if name in SHAPES:
        return tuple(Literal(shape) for shape in ((UNITS,), (5, UNITS), (UNITS, UNITS, 3)))
    if _is_sequence(annotation) or name in LISTS:
        return (Literal([UNITS, UNITS]), Literal([UNITS]), Literal([2, 2]), Literal([(UNITS, 3), (UNITS, 3)]))
    known = VALUES.get(name, VALUES.get(_stem(name)))
    if annotation in ("bool", "Optional[bool]", "bool|None"):
        return (Literal(True), Literal(False))
    if annotation in ("float", "Optional[float]", "float|None"):
        return (Literal(float(known) if isinstance(known, (int, float)) else 0.5),)
    if annotation in ("int", "Optional[int]", "int|None"):
        return (Literal(known if isinstance(known, int) else UNITS), Literal(2))
    if annotation in ("str", "Optional[str]", "str|None"):
        return (Literal(known),) if isinstance(known, str) else ()
    if known is None:
        return (Literal(UNITS), Literal(0.5), Literal([UNITS, UNITS])) if not annotation else ()
    if isinstance(known, int) and not isinstance(known, bool):
        return (Literal(known), Literal([known, known]))
    return (Literal(known),)


def _is_sequence(annotation: str) -> bool:
    head = annotation.partition("[")[0].rpartition(".")[2].lower()
    return head in ("list", "tuple", "sequence", "iterable")


def _stem(name: str) -> str:
    """``conv1_filters`` -> ``filters``; ``units_2`` -> ``units``; ``embed_dim_out`` stays."""
    parts = [part for part in name.rstrip("0123456789").strip("_").split("_") if part]
    for start in range(1, len(parts)):
        if "_".join(parts[start:]) in VALUES:
            return "_".join(parts[start:])
    return "_".join(parts)


# -- inputs --------------------------------------------------------------------------------------------------

_NOT_FED = frozenset({"training", "name"})
_NOT_FIRST = _NOT_FED | MASKS
_RANKS: Mapping[str, tuple[int | str, ...]] = {
    "matrix": ("b",),
    "sequence": ("b", "t"),
    "image": ("b", UNITS, UNITS),
    "frames": ("b", 4, UNITS, UNITS),
}


def input_candidates(
    parameters: Sequence[Parameter], shape: Shape, sizes: Sequence[int] = ()
) -> Iterator[CallSpec]:
    """Templates of one call, with ``b`` and ``t`` as names of sizes, the most plausible first.

    ``sizes`` are last-axis sizes that the constructor's arguments suggest.
    """
    fed = [p for p in parameters if p.required and p.name not in _NOT_FED]
    if not fed and parameters and parameters[0].name not in _NOT_FIRST:
        fed = [parameters[0]]
    extra = {p.name: Literal(False) for p in parameters if p.required and p.name == "training"}
    if not fed:
        return
    last = [*dict.fromkeys((*sizes, UNITS, 3, 1, *shape.numbers, 4, 16, 2))][:8]
    seen: set[str] = set()
    for width in last:
        for kind in _kinds(shape):
            for structures in _arguments(fed, shape, kind, width):
                positional = tuple(s for p, s in zip(fed, structures, strict=True) if not p.keyword_only)
                keywords = {p.name: s for p, s in zip(fed, structures, strict=True) if p.keyword_only}
                call = CallSpec(positional, {**keywords, **extra})
                if repr(call) not in seen:
                    seen.add(repr(call))
                    yield call


def _kinds(shape: Shape) -> tuple[str, ...]:
    """The kinds of the main input, ordered by what the source uses."""
    words = " ".join(shape.words)
    order = ["matrix", "sequence", "image", "ids", "vector", "frames", "scalar"]
    hints = (
        ("ids", ("Embedding", "embedding_lookup")),
        ("sequence", ("LSTM", "GRU", "RNN", "Conv1D", "Attention", "Pooling1D", "TimeDistributed")),
        ("image", ("Conv2D", "Pooling2D", "UpSampling2D", "conv2d", "resize", "depth_to_space")),
    )
    for kind, marks in hints:
        if any(mark in words for mark in marks):
            order.remove(kind)
            order.insert(0, kind)
    return tuple(order)


def _arguments(
    fed: Sequence[Parameter], shape: Shape, kind: str, width: int
) -> Iterator[tuple[Structure, ...]]:
    """Arguments of ``kind`` where the name says nothing else; first structured as the source unpacks them."""
    forms = [tuple(_forms(p.name, shape, kind, width)) for p in fed]
    yield tuple(options[0] for options in forms)
    yield from itertools.islice(itertools.product(*forms), 1, 6)
    if len(fed) == 2 and kind in ("sequence", "image"):
        yield _tensor("", kind, width), _tensor("", "matrix", width)
    if len(fed) > 1:
        yield tuple(_tensor("", kind, width) for _ in fed)


def _forms(name: str, shape: Shape, kind: str, width: int) -> Iterator[Structure]:
    if keys := shape.keys.get(name):
        yield {key: _tensor(key, _kind_in(keys, kind), width) for key in keys}
    if names := shape.unpacked.get(name):
        yield [_tensor(part, _kind_in(names, kind), width) for part in names]
        yield tuple(_tensor(part, _kind_in(names, kind), width) for part in names)
    yield _tensor(name, kind, width)
    if count := shape.indexed.get(name):
        yield [_tensor("", kind, width) for _ in range(count)]


def _kind_in(names: Sequence[str], kind: str) -> str:
    """Where one of several parts is called ids, the others are not."""
    return "matrix" if kind == "ids" and any(map(_is_ids, names)) else kind


def _is_ids(name: str) -> bool:
    word = name.lower()
    return word in IDS or word.rpartition("_")[2] in ("ids", "tokens", "indices")


def _tensor(name: str, kind: str, width: int) -> Tensor:
    """A tensor for the parameter ``name``; what its name says goes before ``kind``."""
    word = name.lower()
    stem = word.rpartition("_")[2]
    if word in MASKS:
        return Tensor(("b", "t"), "bool")
    if kind == "ids" or _is_ids(word):
        return Tensor(("b", "t") if kind != "vector" else ("b",), "int32", 0, 9)
    if kind in ("matrix", "ids") and (word in IMAGES or stem in ("image", "images")):
        return Tensor(("b", UNITS, UNITS, 3), "float32")
    if kind == "matrix" and word in SEQUENCES:
        return Tensor(("b", "t", width), "float32")
    if kind == "vector":
        return Tensor(("b",), "float32")
    if kind == "scalar":
        return Tensor((), "float32")
    return Tensor((*_RANKS[kind], width), "float32")


def size_hints(arguments: Mapping[str, Structure]) -> tuple[int, ...]:
    """Sizes of the last axis that constructor arguments name: ``input_dim=4``."""
    named = ("input_dim", "in_dim", "input_size", "in_features", "in_channels", "features", "num_features")
    values = [arguments[name] for name in named if name in arguments]
    every = [*values, *arguments.values()]
    return tuple(
        dict.fromkeys(
            v.value for v in every if isinstance(v, Literal) and type(v.value) is int and 1 <= v.value <= 512
        )
    )
