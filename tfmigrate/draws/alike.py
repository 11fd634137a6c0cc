"""Whether functions, layers or tensors do in place of one another: the same shapes come out, and nothing else happens."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfmigrate import tables
from tfmigrate.draws import ops
from tfmigrate.draws.classes import assignments, is_layer, method_named, method_of, receiver_of
from tfmigrate.syntax import FunctionNode, own_nodes, parameters, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_COSMETIC = frozenset(
    (
        *("name", "activation", "use_bias", "rate", "trainable"),
        *("kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer"),
    )
)
"""Arguments of layers that leave the output's shape as it is."""


def layers_of(unit: Unit, elements: Sequence[ast.expr]) -> list[ast.Call]:
    """The calls that make the elements, if all are layers; else an empty list."""
    made: list[ast.Call] = []
    for element in elements:
        call = _maker(unit, element)
        if call is None or not is_layer(unit, call):
            return []
        made.append(call)
    return made


def _maker(unit: Unit, element: ast.expr) -> ast.Call | None:
    if isinstance(element, ast.Call):
        return element
    if isinstance(element, ast.Attribute):
        method = method_of(unit, element)
        attribute = self_attribute(element, receiver_of(method)) if method is not None else ""
        made = list(assignments(unit, element, attribute)) if attribute else []
        if len(made) == 1 and isinstance(made[0][1].value, ast.Call):
            return made[0][1].value
    return None


def are_alike_layers(unit: Unit, made: Sequence[ast.Call]) -> bool:
    """Whether each of the layers gives the same shape, and does nothing else that a branch cannot."""
    if any(
        keyword.arg in (None, "activity_regularizer", "dtype") for call in made for keyword in call.keywords
    ):
        return False
    if any(_leaves_something(unit, call) for call in made):
        return False
    names = [unit.names.qualified(call.func) or "" for call in made]
    if all(name.startswith("keras.layers.") and name[13:] in ops.KEEPING_LAYERS for name in names):
        return True
    return len({_signature(call, name) for call, name in zip(made, names, strict=True)}) == 1


def _signature(call: ast.Call, name: str) -> str:
    given = [ast.unparse(argument) for argument in call.args]
    given += sorted(f"{k.arg}={ast.unparse(k.value)}" for k in call.keywords if k.arg not in _COSMETIC)
    return f"{name}({', '.join(given)})"


def _leaves_something(unit: Unit, call: ast.Call) -> bool:
    """Whether the class is the project's, and its methods keep something or add losses while they run."""
    name = unit.names.qualified(call.func) or ""
    facts = unit.index.class_facts(name)
    if facts is None:
        return False
    function = unit.functions.get(f"{unit.local(name)}.call")
    return function is None or not is_pure(unit, function)


def is_pure(unit: Unit, function: FunctionNode) -> bool:
    """Whether calling it leaves nothing behind and draws nothing by itself."""
    for part in walk(function):
        if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
            return False
        if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load):
            return False
        if isinstance(
            part, ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr
        ):
            return False
        if isinstance(part, ast.Call) and not _is_pure_call(unit, part):
            return False
    return True


def _is_pure_call(unit: Unit, call: ast.Call) -> bool:
    name = unit.names.qualified(call.func) or ""
    if name.startswith(("random.", "numpy.random.")) or name in ("builtins.print", "tensorflow.print"):
        return False
    last = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    is_changing = last in tables.MUTATORS or last.startswith(("assign", "add_", "apply_gradients"))
    return not is_changing or name.startswith("tensorflow.")


@dataclass(frozen=True, slots=True)
class Shapes:
    """Which value's shape an expression of a function has, as far as that is certain."""

    unit: Unit
    function: FunctionNode

    def returned(self) -> list[str] | None:
        """The parameters (by position) whose shapes the results have; None if that is not certain."""
        ends = [self.function.body] if isinstance(self.function, ast.Lambda) else list(self.ends())
        if len(ends) != 1:
            return None
        results = ends[0].elts if isinstance(ends[0], ast.Tuple) else [ends[0]]
        names = [arg.arg for arg in parameters(self.function)]
        origins = [self.origin(result) for result in results]
        return [str(names.index(origin)) if origin in names else "" for origin in origins] + [
            type(ends[0]).__name__ if isinstance(ends[0], ast.Tuple) else ""
        ]

    def ends(self) -> Iterator[ast.expr]:
        for node in own_nodes(self.function):
            if isinstance(node, ast.Return) and node.value is not None:
                yield node.value

    def origin(self, node: ast.expr, assumed: frozenset[str] = frozenset(), is_here: bool = False) -> str:
        """The parameter or local name whose shape ``node`` certainly has.

        ``assumed``: names taken to keep their shape. ``is_here``: a name that is bound more than once stands for what it
        holds at the place of ``node``.
        """
        match node:
            case ast.Name():
                return self.of_name(node.id, assumed) or (node.id if is_here else "")
            case ast.BinOp() if not isinstance(node.op, ast.MatMult):
                parts = [
                    "#" if _is_number(part) else self.origin(part, assumed, is_here)
                    for part in (node.left, node.right)
                ]
                return parts[0] if parts[1] in (parts[0], "#") else parts[1] if parts[0] == "#" else ""
            case ast.UnaryOp() if isinstance(node.op, ast.USub):
                return self.origin(node.operand, assumed, is_here)
            case ast.Call() if node.args:
                name = self.unit.names.qualified(node.func) or ""
                return self.origin(node.args[0], assumed, is_here) if name in ops.KEEPS_SHAPE else ""
        return ""

    def of_name(self, name: str, assumed: frozenset[str]) -> str:
        stores = self.stores(name)
        if not stores or name in assumed:
            return name
        origins = [self.origin(value, assumed | {name}) for value in stores]
        if name in {arg.arg for arg in parameters(self.function)}:
            return name if all(origin == name for origin in origins) else ""
        return (origins[0] or name) if len(stores) == 1 else ""

    def stores(self, name: str) -> list[ast.expr]:
        """What is assigned to a name; a placeholder for each binding that is no plain assignment."""
        found: list[ast.expr] = []
        for node in own_nodes(self.function):
            if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
                parent = self.unit.names.parent(node)
                is_plain = isinstance(parent, ast.Assign) and parent.targets == [node]
                found.append(
                    parent.value if is_plain and isinstance(parent, ast.Assign) else ast.Constant(None)
                )
        return found


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def function_of(unit: Unit, element: ast.expr) -> tuple[FunctionNode, bool] | None:
    """The function of this file that ``element`` means, and whether it is a method."""
    if isinstance(element, ast.Lambda):
        return element, False
    method = method_named(unit, element)
    local = method if method is not None else unit.local(unit.names.qualified(element) or "")
    function = unit.functions.get(local)
    is_plain = isinstance(function, ast.FunctionDef) and not function.decorator_list
    return (function, method is not None) if is_plain and function is not None else None


def are_alike_functions(unit: Unit, elements: Sequence[ast.expr]) -> bool:
    """Whether each of the functions leaves nothing behind and gives the same shapes."""
    shapes: list[tuple[str, ...]] = []
    for element in elements:
        found = function_of(unit, element)
        if found is None:
            if (unit.names.qualified(element) or "") not in ops.KEEPS_SHAPE:
                return False
            shapes.append(("0", ""))
            continue
        function, is_method = found
        returned = Shapes(unit, function).returned()
        if returned is None or "" in returned[:-1] or not is_pure(unit, function):
            return False
        shapes.append((*(str(int(place) - is_method) for place in returned[:-1]), returned[-1]))
    return len(set(shapes)) == 1


def are_alike_tensors(unit: Unit, elements: Sequence[ast.expr]) -> bool:
    """Whether the elements, tensors of one function, have one shape."""
    functions = {id(f): f for f in (unit.names.enclosing_function(element) for element in elements) if f}
    if len(functions) != 1:
        return False
    shapes = Shapes(unit, next(iter(functions.values())))
    origins = {shapes.origin(element, is_here=True) for element in elements}
    return len(origins) == 1 and "" not in origins
