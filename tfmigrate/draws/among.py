"""Lists of functions, layers or tensors that a draw picks from: where they are written, whether any element does in place
of any other.

A pick becomes a branch of the graph for each element, so that what the branches return must have one type and one shape.
https://www.tensorflow.org/api_docs/python/tf/switch_case
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfmigrate import tables
from tfmigrate.draws import ops
from tfmigrate.draws.classes import assignments, is_layer, method_named, method_of, receiver_of
from tfmigrate.syntax import FunctionNode, bound_names, own_nodes, parameters, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_READERS = ("builtins.len", "builtins.enumerate", "builtins.zip", "builtins.reversed")
_COSMETIC = frozenset(
    (
        *("name", "activation", "use_bias", "rate", "trainable"),
        *("kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer"),
    )
)
"""Arguments of layers that leave the output's shape as it is."""


@dataclass(frozen=True, slots=True)
class Among:
    """A list that is written out once and never changed."""

    node: ast.expr
    """What the code at the draw calls it: a name, an attribute of self, or the list itself."""
    elements: tuple[ast.expr, ...]
    is_open: bool = False
    """A comprehension: how many elements there are is not written."""

    @property
    def is_literal(self) -> bool:
        return isinstance(self.node, ast.List | ast.Tuple)

    @property
    def count(self) -> str:
        """Code for the number of elements."""
        return str(len(self.elements)) if self.is_literal else f"len({ast.unparse(self.node)})"


def among(unit: Unit, node: ast.expr) -> Among | None:
    """The list that ``node`` means, if it can be seen whole."""
    written: ast.expr | None = node
    if isinstance(node, ast.Name):
        written = _named(unit, node)
    elif isinstance(node, ast.Attribute):
        written = _kept(unit, node)
    if isinstance(written, ast.ListComp) and isinstance(written.elt, ast.Call):
        return Among(node, (written.elt,), True)
    if not isinstance(written, ast.List | ast.Tuple) or not written.elts:
        return None
    is_plain = not any(isinstance(element, ast.Starred) for element in written.elts)
    return Among(node, tuple(written.elts)) if is_plain else None


def _named(unit: Unit, node: ast.Name) -> ast.expr | None:
    function = unit.names.enclosing_function(node)
    while function is not None:
        if node.id in {arg.arg for arg in parameters(function)}:
            return None
        if node.id in bound_names(own_nodes(function)):
            return _only_value(unit, node.id, function, list(own_nodes(function)))
        function = unit.names.enclosing_function(function)
    return _only_value(unit, node.id, unit.tree, list(unit.tree.body))


def _only_value(unit: Unit, name: str, scope: ast.AST, nodes: Sequence[ast.AST]) -> ast.expr | None:
    uses = [part for part in walk(scope) if isinstance(part, ast.Name) and part.id == name]
    stores = [part for part in uses if not isinstance(part.ctx, ast.Load)]
    made = [
        part
        for part in nodes
        if isinstance(part, ast.Assign) and len(part.targets) == 1 and part.targets[0] in stores
    ]
    is_read_only = len(stores) == 1 and all(_is_read(unit, part) for part in uses if part not in stores)
    is_read_only = is_read_only and not any(
        isinstance(part, ast.Global | ast.Nonlocal) and name in part.names for part in walk(scope)
    )
    return made[0].value if len(made) == 1 and is_read_only else None


def _kept(unit: Unit, node: ast.Attribute) -> ast.expr | None:
    method, owner = method_of(unit, node), unit.names.enclosing_class(node)
    attribute = self_attribute(node, receiver_of(method)) if method is not None else ""
    if not attribute or owner is None or unit.index.subclasses(unit.qualified(unit.names.qualname(owner))):
        return None
    made = [
        statement for holder, statement in assignments(unit, node, attribute) if holder.name == "__init__"
    ]
    uses = [part for part in walk(unit.tree) if isinstance(part, ast.Attribute) and part.attr == attribute]
    stores = [part for part in uses if not isinstance(part.ctx, ast.Load)]
    is_read_only = len(stores) == 1 and all(_is_read(unit, part) for part in uses if part not in stores)
    return made[0].value if len(made) == 1 and is_read_only and len(made[0].targets) == 1 else None


def _is_read(unit: Unit, node: ast.expr) -> bool:
    """Whether the place only looks into the list."""
    parent = unit.names.parent(node)
    if isinstance(parent, ast.Subscript):
        return node is parent.value and isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.For | ast.comprehension):
        return node is parent.iter
    if not isinstance(parent, ast.Call) or node is parent.func:
        return False
    name = unit.names.qualified(parent.func) or ""
    is_pick = name.startswith(("random.", "numpy.random.")) and not name.endswith(("shuffle", "permuted"))
    is_pick = is_pick or (isinstance(parent.func, ast.Attribute) and parent.func.attr == "choice")
    return name in _READERS or is_pick


# -- whether the elements are alike ------------------------------------------------------------------------------------


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
    prefix = f"{unit.module}." if unit.module else ""
    function = unit.functions.get(f"{name.removeprefix(prefix)}.call")
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
    name = method or unit.names.qualified(element) or ""
    prefix = f"{unit.module}." if unit.module else ""
    if method is None and not name.startswith(prefix):
        return None
    function = unit.functions.get(name.removeprefix(prefix))
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


def is_within(call: ast.Call, is_inclusive: bool, found: Among) -> bool:
    """Whether all positions that the draw gives are in the list: ``random.randint(0, 2)``, ``np.random.randint(len(xs))``.

    ``is_inclusive``: the upper bound is one of them.
    """
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    if method not in ("randint", "randrange", "integers", "choice") or call.keywords or len(call.args) > 2:
        return False
    *low, high = call.args or [ast.Constant(None)]
    if method == "choice" and low:
        return False
    if low and not (isinstance(low[0], ast.Constant) and type(low[0].value) is int and low[0].value >= 0):
        return False
    text = f"len({ast.unparse(found.node)})"
    if ast.unparse(high) == f"{text} - 1" or (ast.unparse(high) == text and not is_inclusive):
        return True
    limit = high.value if isinstance(high, ast.Constant) and type(high.value) is int else None
    return limit is not None and not found.is_open and limit + is_inclusive <= len(found.elements)
