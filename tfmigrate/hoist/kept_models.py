"""Models that a function of a graph builds anew in each call: built once for each set of arguments, outside of the graph.

A loss that loads VGG and compares its features is the common one. Its weights cannot be made inside ``fit``'s graph
("numpy() is only available when eager execution is enabled"), and eagerly they are loaded again for each batch. The
statements that build the model move to a function of their own, kept by ``functools.cache`` and run under
``tf.init_scope``, which lifts them out of the graph. The cache holds the model: a graph refers to its variables weakly.
https://www.tensorflow.org/api_docs/python/tf/init_scope
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tfmigrate import tables
from tfmigrate.codemod import AnyChange, Change, Insertion
from tfmigrate.draws.text import Rewriting, indented, long_string, unused
from tfmigrate.hoist.rewrite import parsed_statements
from tfmigrate.imports import all_names, tensorflow_name
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import bound_names, names_in, own_nodes, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_OF_A_MODEL = frozenset(
    {
        "load_weights",
        "set_weights",
        "build",
        "get_layer",
        "get_weights",
        "output",
        "input",
        "outputs",
        "inputs",
        "layers",
    }
)
"""Methods and attributes of a model that say or set what it is, and need no tensor of the call."""


@dataclass(slots=True)
class KeptModel:
    """The statements ``run`` of ``function`` build ``model`` from constants, globals and ``arguments`` alone."""

    symbol: str
    function: ast.FunctionDef
    run: list[ast.stmt]
    model: str
    """The local name that is used after the statements."""
    makes: ast.Call
    """What makes the first model: where the finding is shown."""
    arguments: list[tuple[str, ast.expr]] = field(default_factory=list)
    """Parameter and expression of what is read from static shapes."""
    builders: set[str] = field(default_factory=set)
    """Functions of this file that the statements call to build it."""


def kept_models(unit: Unit) -> Iterator[KeptModel]:
    """One for each traced function of the module that builds a model before it does anything else with it."""
    for symbol in unit.traced:
        function = unit.functions.get(symbol)
        if (
            isinstance(function, ast.FunctionDef)
            and function in unit.tree.body
            and symbol not in unit.redefined
        ):
            found = _Reader(unit, symbol, function).read()
            if found is not None and tensorflow_name(unit, symbol) is not None:
                yield found


def covered(unit: Unit, kept: Sequence[KeptModel]) -> dict[int, KeptModel]:
    """The ids of the calls inside of what moves; those of the builders too, where nothing else that is traced calls them."""
    found: dict[int, KeptModel] = {}
    for one in kept:
        found.update(
            {id(node): one for statement in one.run for node in walk(statement) if isinstance(node, ast.Call)}
        )
    lines = {
        (one.symbol, line) for one in kept for part in one.run for line in range(part.lineno, _end(part) + 1)
    }
    for one in kept:
        for builder in one.builders:
            callers = unit.index.callers(unit.qualified(builder))
            here = [(unit.local(caller.function), caller.line) for caller in callers]
            if all(place in lines or place[0] not in unit.traced for place in here):
                nodes = walk(unit.functions[builder])
                found.update({id(node): one for node in nodes if isinstance(node, ast.Call)})
    return found


def is_lifted(unit: Unit, node: ast.AST) -> bool:
    """Whether ``node`` stands under ``with tf.init_scope():``, outside of the graph."""
    return any(
        isinstance(above, ast.With)
        and any(
            isinstance(item.context_expr, ast.Call)
            and (unit.names.qualified(item.context_expr.func) or "").endswith("init_scope")
            for item in above.items
        )
        for above in unit.names.ancestors(node)
    )


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


class _Reader:
    """Finds the statements of one function that build a model."""

    def __init__(self, unit: Unit, symbol: str, function: ast.FunctionDef) -> None:
        self.unit = unit
        self.symbol = symbol
        self.function = function
        self.locals = {one.arg for one in parameters(function)} | bound_names(own_nodes(function))
        self.made: set[str] = set()
        self.arguments: list[tuple[str, ast.expr]] = []
        self.builders: set[str] = set()
        self.makes: ast.Call | None = None

    def read(self) -> KeptModel | None:
        body = self.function.body
        for start, statement in enumerate(body):
            if not (isinstance(statement, ast.Assign) and self.builds(statement)):
                continue
            run: list[ast.stmt] = [statement]
            for following in body[start + 1 :]:
                if not self.builds(following):
                    break
                run.append(following)
            if self.makes is not None:
                return self.finished(run, body[start + len(run) :])
            self.made, self.arguments, self.builders = set(), [], set()
        return None

    def finished(self, run: list[ast.stmt], rest: list[ast.stmt]) -> KeptModel | None:
        assert self.makes is not None
        after = {node.id for statement in rest for node in walk(statement) if isinstance(node, ast.Name)}
        used = sorted(self.made & after)
        rebound = bound_names(node for statement in rest for node in walk(statement)) & self.made
        if len(used) != 1 or rebound or any(long_string(part) is not None for part in run):
            return None
        if not all(self.unit.has_own_line(part) for part in run if isinstance(part, ast.Assign | ast.Expr)):
            return None
        return KeptModel(self.symbol, self.function, run, used[0], self.makes, self.arguments, self.builders)

    def builds(self, statement: ast.stmt) -> bool:
        """Whether the statement makes or sets part of the model, from nothing that only the call knows."""
        before = len(self.arguments)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                done = name not in {one.arg for one in parameters(self.function)} and self.constructs(value)
                if done:
                    self.made.add(name)
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))], value=value):
                done = name in self.made and self.is_fixed(value)
            case ast.Expr(value=ast.Call() as call):
                done = self.of_made(call.func) and self.are_fixed(call)
            case ast.For(target=ast.Name(id=name), iter=over, body=inner, orelse=[]) if name not in self.made:
                self.made.add(name)
                done = self.of_made(over) and all(self.builds(part) for part in inner)
                self.made.discard(name)
            case _:
                done = False
        if not done:
            del self.arguments[before:]
        return done

    def of_made(self, node: ast.expr) -> bool:
        """``vgg.layers``, ``vgg.layers[:4]``, ``vgg.load_weights``."""
        while isinstance(node, ast.Subscript) and self.is_fixed(node.slice):
            node = node.value
        return (
            isinstance(node, ast.Attribute)
            and node.attr in _OF_A_MODEL
            and isinstance(node.value, ast.Name)
            and node.value.id in self.made
        )

    def constructs(self, node: ast.expr) -> bool:
        """A model, a layer, a tensor of a functional model; or a list of what such a one has."""
        if isinstance(node, ast.Call):
            name = self.unit.names.qualified(node.func) or ""
            builder = self.builder(name)
            if _makes_model(name) or builder:
                if not self.are_fixed(node, builder):
                    return False
                self.makes = self.makes or node
                self.builders.update([builder] if builder else [])
                return True
            if name.startswith(("keras.layers.", "keras.Input", "keras.Sequential")):
                return self.are_fixed(node)
            if isinstance(node.func, ast.Name):  # net(x), where both belong to the model
                return node.func.id in self.made and self.are_fixed(node)
            called = isinstance(node.func, ast.Call) and self.constructs(node.func)  # Dense(3)(x)
            return (called or self.of_made(node.func)) and self.are_fixed(node)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):  # vgg.get_layer("x").output
            return node.attr in _OF_A_MODEL and self.constructs(node.value)
        if isinstance(node, ast.ListComp) and len(node.generators) == 1:
            one = node.generators[0]
            name = one.target.id if isinstance(one.target, ast.Name) else ""
            if one.ifs or not name or name in self.made or not self.is_fixed(one.iter):
                return False
            self.made.add(name)
            done = self.constructs(node.elt)
            self.made.discard(name)
            return done
        return self.of_made(node)

    def are_fixed(self, call: ast.Call, builder: str = "") -> bool:
        """Whether all arguments are the same in each call, or become the model's own."""
        if any(isinstance(one, ast.Starred) for one in call.args) or any(
            one.arg is None for one in call.keywords
        ):
            return False
        names = [one.arg for one in parameters(self.unit.functions[builder])] if builder else []
        given = [(names[at] if at < len(names) else "size", one) for at, one in enumerate(call.args)]
        given += [(one.arg or "size", one.value) for one in call.keywords]
        return all(self.is_argument(name, one) for name, one in given)

    def is_argument(self, name: str, node: ast.expr) -> bool:
        if self.is_fixed(node) or self.constructs(node):
            return True
        if isinstance(node, ast.List | ast.Tuple):
            return all(self.is_argument(name, one) for one in node.elts)
        if self.is_static(node):
            same = [one for one, other in self.arguments if ast.dump(other) == ast.dump(node)]
            taken = {one for one, _ in self.arguments} | self.made | {"tf", "functools"} | names_in(node)
            self.arguments.append((same[0] if same else unused(name, taken), node))
            return True
        return False

    def is_fixed(self, node: ast.expr) -> bool:
        """Made of constants, the model's own names and globals of the module that are bound once."""
        for part in walk(node):
            if isinstance(part, ast.Call) and not tables.is_pure_call(
                self.unit.names.qualified(part.func) or ""
            ):
                return False
            if isinstance(part, ast.Name) and part.id not in self.made and not self.is_global(part.id):
                return False
            if isinstance(part, ast.Lambda | ast.NamedExpr | ast.Await | ast.Yield):
                return False
        return True

    def is_global(self, name: str) -> bool:
        if name in self.locals:
            return False
        set_here = [one for one in walk(self.unit.tree) if isinstance(one, ast.Global) and name in one.names]
        return not set_here and (hasattr(builtins, name) or name in bound_names(walk(self.unit.tree)))

    def is_static(self, node: ast.expr) -> bool:
        """``x.shape[1]``, ``x.shape[1:]``, ``x.shape[1] // 2``: known to the trace, and a key of a cache."""
        match node:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(), attr="shape"), slice=ast.Slice() | ast.Constant()
            ):
                return True
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(), attr="shape"), slice=ast.UnaryOp(operand=ast.Constant())
            ):
                return True
            case ast.BinOp(left=left, right=right):
                sides = (left, right)
                return all(isinstance(one, ast.Constant) or self.is_static(one) for one in sides)
        return False

    def builder(self, name: str) -> str:
        """The function of this file that builds and returns a model, if ``name`` is one's."""
        local = self.unit.local(name)
        function = self.unit.functions.get(local) if name != local or not self.unit.module else None
        if (
            not isinstance(function, ast.FunctionDef)
            or function not in self.unit.tree.body
            or local in self.unit.redefined
        ):
            return ""
        models = {
            node.targets[0].id
            for node in own_nodes(function)
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and self.is_model(node.value)
        }
        returned = [node.value for node in own_nodes(function) if isinstance(node, ast.Return)]
        whole = all(
            self.is_model(one) or (isinstance(one, ast.Name) and one.id in models) for one in returned
        )
        return local if returned and whole and not function.decorator_list else ""

    def is_model(self, node: ast.expr | None) -> bool:
        name = self.unit.names.qualified(node.func) if isinstance(node, ast.Call) else ""
        return _makes_model(name or "") or name == "keras.Sequential"


def _makes_model(name: str) -> bool:
    return name == "keras.Model" or (name.startswith(tables.MODEL_MODULES) and tables.is_class_name(name))


def kept_model_changes(unit: Unit, kept: KeptModel, taken: set[str]) -> tuple[str, list[AnyChange]]:
    """The name of the new function, and the changes. ``taken`` collects names that are given out in this file."""
    tensorflow = tensorflow_name(unit, kept.symbol)
    assert tensorflow is not None
    name = unused(f"_{kept.symbol.lstrip('_')}_{kept.model.lstrip('_')}", taken | all_names(unit.tree))
    imported, cache = _functools(unit, taken)
    taken |= {name, "functools"}
    writing = Rewriting(unit)
    for parameter, node in kept.arguments:
        writing.replace(node, parameter)
    parameters_of_it = dict(reversed(kept.arguments))
    inner = [line for statement in kept.run for line in writing.lines(statement)]
    text = [
        f"@{cache}",
        f"def {name}({', '.join(reversed(parameters_of_it))}):",
        f"    with {tensorflow.name}.init_scope():",
        *indented(inner, " " * 8),
        f"    return {kept.model}",
    ]
    plain = Rewriting(unit)
    given = ", ".join(plain.text(node) for node in reversed(parameters_of_it.values()))
    function = parsed_statements(unit, "\n".join(text) + "\n")
    call = cst.parse_statement(f"{kept.model} = {name}({given})")
    first, *others = (unit.cst_statement(statement) for statement in kept.run)
    leading = [line for line in getattr(first, "leading_lines", ()) if line.comment is None]
    changes: list[AnyChange] = [
        *imported,
        Insertion(unit.cst_statement(kept.function), tuple(function), after=False, blank_lines=2),
        Change(first, call.with_changes(leading_lines=leading)),
        *(Change(other, None) for other in others),
    ]
    return name, changes


def _functools(unit: Unit, given: set[str]) -> tuple[list[AnyChange], str]:
    """How the file writes ``functools.cache``, and the import that it needs for that, once."""
    for name in ("functools", "cache"):
        if unit.index.resolve(unit.module, name, "") in ("functools", "functools.cache"):
            return [], "functools.cache" if name == "functools" else "cache"
    if "functools" in given:
        return [], "functools.cache"
    first = next(
        one for one in unit.tree.body if isinstance(one, ast.Import | ast.ImportFrom) and not _is_future(one)
    )
    head = first.names[0].name if isinstance(first, ast.Import) else first.module or ""
    is_standard = head.partition(".")[0] in sys.stdlib_module_names
    new = parsed_statements(unit, "import functools\n")
    return [
        Insertion(unit.cst_statement(first), tuple(new), after=False, blank_lines=0 if is_standard else 1)
    ], ("functools.cache")


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
