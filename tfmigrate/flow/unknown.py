"""Axes that are unknown when a function is traced, by what the file itself says: ``keras.Input((None, 3))``, an
``input_signature`` with None in it.

Python reads None for the size of such an axis: ``range`` and shapes of new tensors raise TypeError for it.
https://www.tensorflow.org/api_docs/python/tf/shape
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.project.index import Kind
from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.signatures.sizes import Asked, Sizes, integer, shape_around
from tfmigrate.syntax import bound_names, defaults, own_nodes, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_INPUTS = ("keras.Input", "keras.layers.Input")
_SPEC = "tensorflow.TensorSpec"


@dataclass(frozen=True, slots=True)
class Unknown:
    """``axes`` (counted from 0, of ``rank``) of the parameter ``name`` are unknown in a trace."""

    symbol: str
    function: ast.FunctionDef
    name: str
    axes: frozenset[int]
    rank: int
    said: str
    """Where it is said, as the end of a sentence."""


def unknown_axes(unit: Unit) -> Iterator[Unknown]:
    """What the file says of the parameters of its traced functions."""
    for symbol in unit.traced:
        function = unit.functions.get(symbol)
        if isinstance(function, ast.FunctionDef) and symbol not in unit.redefined:
            yield from _by_signature(unit, symbol, function)
    yield from _by_inputs(unit)


def _by_signature(unit: Unit, symbol: str, function: ast.FunctionDef) -> Iterator[Unknown]:
    """``@tf.function(input_signature=[tf.TensorSpec([None, 3])])``."""
    for decorator in function.decorator_list:
        if (
            not isinstance(decorator, ast.Call)
            or unit.names.qualified(decorator.func) != "tensorflow.function"
        ):
            continue
        given = {keyword.arg: keyword.value for keyword in decorator.keywords}
        specs = given.get("input_signature")
        if not isinstance(specs, ast.List | ast.Tuple):
            continue
        is_method = unit.names.enclosing_class(function) is unit.names.parent(function)
        for arg, spec in zip(parameters(function)[is_method:], specs.elts, strict=False):
            if isinstance(spec, ast.Call) and unit.names.qualified(spec.func) == _SPEC:
                axes = _axes(_first(spec, "shape"), frozenset())
                if axes is not None:
                    said = "its input_signature says None"
                    yield Unknown(symbol, function, arg.arg, axes[0], axes[1], said)


def _by_inputs(unit: Unit) -> Iterator[Unknown]:
    """``Net(...)(inputs)`` of a layer of this file on ``inputs = keras.Input((None, 3))``."""
    for call in walk(unit.tree):
        if not isinstance(call, ast.Call) or len(call.args) != 1 or not isinstance(call.args[0], ast.Name):
            continue
        scope = unit.names.enclosing_function(call)
        made = _made_once(unit, scope, call.args[0].id)
        owner = _layer_called(unit, scope, call.func)
        if not isinstance(made, ast.Call) or unit.names.qualified(made.func) not in _INPUTS or not owner:
            continue
        optional = _may_be_none(scope) if isinstance(scope, ast.FunctionDef) else frozenset[str]()
        shape = _first(made, "shape")
        axes = _axes(shape, optional)
        symbol = f"{owner}.call"
        function = unit.functions.get(symbol)
        given = {keyword.arg for keyword in made.keywords}
        if axes is None or not isinstance(function, ast.FunctionDef) or given - {"shape", "dtype", "name"}:
            continue
        plain = function.args.args[1:]
        if plain:
            found = frozenset({0, *(axis + 1 for axis in axes[0])})
            where = unit.names.qualname(scope) if isinstance(scope, ast.FunctionDef) else "the module"
            said = f"`{where}` calls it on a keras.Input with None"
            if axes[0]:
                yield Unknown(symbol, function, plain[0].arg, found, axes[1] + 1, said)


def _layer_called(unit: Unit, scope: ast.AST | None, node: ast.expr) -> str:
    """The class of this file whose instance ``node`` is: ``Net(3)``, or a name bound to it."""
    made = _made_once(unit, scope, node.id) if isinstance(node, ast.Name) else node
    if not isinstance(made, ast.Call):
        return ""
    name = unit.names.qualified(made.func) or ""
    local = unit.local(name)
    is_keras = local in unit.classes and unit.index.kind(name) in (Kind.LAYER, Kind.MODEL)
    return local if is_keras else ""


def _made_once(unit: Unit, scope: ast.AST | None, name: str) -> ast.expr | None:
    """What the only assignment to ``name`` in the scope assigns."""
    nodes = own_nodes(scope) if isinstance(scope, ast.FunctionDef) else iter(unit.tree.body)
    stores = [
        node
        for node in nodes
        if isinstance(node, ast.Assign)
        and any(isinstance(part, ast.Name) and part.id == name for one in node.targets for part in walk(one))
    ]
    is_plain = len(stores) == 1 and isinstance(stores[0].targets[0], ast.Name)
    return stores[0].value if is_plain else None


def _may_be_none(scope: ast.FunctionDef) -> frozenset[str]:
    """Parameters whose default is None."""
    given = defaults(scope).items()
    return frozenset(name for name, value in given if isinstance(value, ast.Constant) and value.value is None)


def _first(call: ast.Call, keyword: str) -> ast.expr | None:
    named = next((one.value for one in call.keywords if one.arg == keyword), None)
    return call.args[0] if call.args else named


def _axes(shape: ast.expr | None, optional: frozenset[str]) -> tuple[frozenset[int], int] | None:
    """The axes that are None or may be, and the rank."""
    if not isinstance(shape, ast.List | ast.Tuple) or any(isinstance(one, ast.Starred) for one in shape.elts):
        return None
    unknown = frozenset(
        axis
        for axis, one in enumerate(shape.elts)
        if (isinstance(one, ast.Constant) and one.value is None)
        or (isinstance(one, ast.Name) and one.id in optional)
    )
    return unknown, len(shape.elts)


@dataclass(frozen=True, slots=True)
class Reads:
    """The reads of sizes that are None, and what is written in their place."""

    asked: tuple[Asked, ...]
    loops: tuple[ast.For, ...]
    """Loops over ``range`` of such a size."""


def reads_of(unit: Unit, unknown: Unknown) -> Reads | None:
    """All of them; None: one is used for what only a Python number will do, or the function asks for None itself."""
    function = unknown.function
    if unknown.name in bound_names(own_nodes(function)):
        return None
    sizes = Sizes(unit, GraphFunction(unknown.symbol, function, ast.Constant(None), ""), {})
    asked: list[Asked] = []
    loops: list[ast.For] = []
    for node in walk(function):
        if not isinstance(node, ast.Attribute) or node.attr not in ("shape", "get_shape"):
            continue
        if not isinstance(node.value, ast.Name) or node.value.id != unknown.name:
            continue
        whole = shape_around(unit, node)
        loop = _loop_over(unit, whole)
        if loop is not None:
            read = unit.names.parent(whole)
            assert isinstance(read, ast.Subscript)
            axis = integer(read.slice)
            if axis is None or not -unknown.rank <= axis < unknown.rank:
                return None
            if axis % unknown.rank in unknown.axes:
                asked.append(Asked(read, f"{{tf}}.shape({unknown.name})[{axis}]", unknown.name))
                loops.append(loop)
            continue
        found = sizes.asked(whole, unknown.name, unknown.rank, unknown.axes)
        if found is None:
            return None
        asked += found
    return Reads(tuple(asked), tuple(loops))


def _loop_over(unit: Unit, whole: ast.expr) -> ast.For | None:
    """``for t in range(x.shape[1])``, where ``whole`` is ``x.shape``."""
    read = unit.names.parent(whole)
    call = unit.names.parent(read) if isinstance(read, ast.Subscript) else None
    loop = unit.names.parent(call) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or unit.names.qualified(call.func) != "builtins.range":
        return None
    return loop if isinstance(loop, ast.For) and loop.iter is call and call.args[-1] is read else None
