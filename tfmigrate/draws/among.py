"""Lists of functions, layers or tensors that a draw picks from: where they are written, whether any element does in place
of any other.

A pick becomes a branch of the graph for each element, so that what the branches return must have one type and one shape.
https://www.tensorflow.org/api_docs/python/tf/switch_case
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from tfmigrate.draws.classes import assignments, method_of, receiver_of
from tfmigrate.syntax import bound_names, own_nodes, parameters, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_READERS = ("builtins.len", "builtins.enumerate", "builtins.zip", "builtins.reversed")


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
    for function in unit.names.functions_around(node):
        if node.id in {arg.arg for arg in parameters(function)}:
            return None
        if node.id in bound_names(own_nodes(function)):
            return _only_value(unit, node.id, function, list(own_nodes(function)))
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
