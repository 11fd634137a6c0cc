"""Where no signature is possible, and shapes may still vary: ``reduce_retracing=True``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tfmigrate.blocked import Blocked
from tfmigrate.signatures.bodies import Body
from tfmigrate.signatures.functions import GraphFunction, is_keras_method
from tfmigrate.signatures.sizes import Asked
from tfmigrate.signatures.values import Seen, TensorOf, leaves
from tfmigrate.syntax import own_nodes
from tfmigrate.unit import Unit

MENDABLE = ("python-value", "keyword-only", "pinned-by-default")
"""Why there is no signature, and shapes can be relaxed nevertheless."""


_COMPILED = frozenset(("jit_compile", "experimental_compile"))
"""For XLA all sizes are known."""


def is_relaxable(unit: Unit, function: GraphFunction, why: Blocked, calls: Sequence[Seen]) -> bool:
    """Whether the tensors of ``calls`` vary in their sizes alone, and the body reads none of them."""
    if function.is_relaxed or why.reason not in MENDABLE or is_keras_method(unit, function):
        return False
    shapes: dict[tuple[str, int], set[TensorOf]] = {}
    for call in calls:
        for name, value in call.given:
            for number, leaf in enumerate(leaves(value)):
                if isinstance(leaf, TensorOf) and leaf.kind == "Tensor":
                    shapes.setdefault((name, number), set()).add(leaf)
    is_one_rank = all(len({(len(one.shape), one.dtype) for one in seen}) == 1 for seen in shapes.values())
    varies = any(len(seen) > 1 or any(None in one.shape for one in seen) for seen in shapes.values())
    return is_one_rank and varies and _reads_no_sizes(unit, function)


def switches(unit: Unit, function: GraphFunction) -> list[str]:
    """The parameters that only decide what is computed, by Python, in a function that reads no sizes of the others.

    Such a parameter has a default that is a string or a bool. Empty, if another thing than that stands against it.
    """
    args = function.node.args
    if function.is_relaxed or args.vararg or args.kwarg or args.kwonlyargs or is_keras_method(unit, function):
        return []
    found = [
        name
        for name, default in function.defaults.items()
        if isinstance(default, ast.Constant) and isinstance(default.value, str | bool)
    ]
    is_all = len(found) == len(function.defaults) < len(function.parameters)
    if not found or not is_all or not all(_only_decides(unit, function, name) for name in found):
        return []
    return found if _reads_no_sizes(unit, function) else []


def sizes_to_ask(unit: Unit, function: GraphFunction) -> tuple[Asked, ...]:
    """The sizes of parameters that the body reads, if it may ask the graph for each of them, and nothing is out of sight.

    What is read rather than written down is meant to vary.
    """
    args = function.node.args
    is_plain = not (args.vararg or args.kwarg or args.kwonlyargs or function.keywords.keys() & _COMPILED)
    if function.is_relaxed or is_keras_method(unit, function) or not is_plain:
        return ()
    body = _open(unit, function)
    if body is None or not all(_is_dense(unit, function, read.of) for read in body.asked if read.of):
        return ()
    return tuple(body.asked)


def _is_dense(unit: Unit, function: GraphFunction, name: str) -> bool:
    """Whether a parameter is certainly a plain tensor: a function of TensorFlow takes it as it is."""
    if any(word in unit.text.lower() for word in ("sparse", "ragged")):
        return False
    return any(
        isinstance(node, ast.Call)
        and any(isinstance(one, ast.Name) and one.id == name for one in node.args)
        and (unit.names.qualified(node.func) or "").startswith("tensorflow.")
        for node in own_nodes(function.node)
    )


def _reads_no_sizes(unit: Unit, function: GraphFunction) -> bool:
    body = _open(unit, function)
    return body is not None and not body.asked


def _open(unit: Unit, function: GraphFunction) -> Body | None:
    """The body, read with no size known, if nothing stands against that."""
    names = {arg.arg: frozenset[int]() for arg in function.parameters}
    body = Body(unit, function, names, {}, any_rank=True)
    return body if body.blocked() is None and not body.opaque else None


def _only_decides(unit: Unit, function: GraphFunction, name: str) -> bool:
    """Whether every use is ``if name:`` or ``name == "..."`` in such a place."""
    uses = [node for node in own_nodes(function.node) if isinstance(node, ast.Name) and node.id == name]
    inner = sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function.node))
    return bool(uses) and len(uses) == inner and all(_is_test(unit, node) for node in uses)


def _is_test(unit: Unit, node: ast.expr) -> bool:
    parent = unit.names.parent(node)
    if isinstance(parent, ast.Compare):
        if not all(isinstance(one, ast.Constant | ast.Tuple) for one in parent.comparators):
            return False
        return _is_test(unit, parent)
    if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        return _is_test(unit, parent)
    return isinstance(parent, ast.If | ast.IfExp) and parent.test is node
