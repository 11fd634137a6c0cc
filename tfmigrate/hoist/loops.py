"""How the loops around moved constructions reach the elements of the lists that take their place.

Three ways, whichever reads best: ``for dense in self.dense_layers`` where the loop's own variable has no other use,
``self.dense_layers[i]`` where the loop counts, and ``for units, dense in zip(self.units, self.dense_layers)``.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable
from dataclasses import dataclass, field

from tfmigrate.hoist.context import Loop
from tfmigrate.syntax import FunctionNode, bound_names
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


class Style(enum.Enum):
    ELEMENT = "element"
    INDEX = "index"
    ZIP = "zip"


@dataclass(slots=True)
class LoopPlan:
    """What becomes of one loop's header. ``added``: (new variable, what it runs over)."""

    loop: Loop
    style: Style
    index: str = ""
    added: list[tuple[str, str]] = field(default_factory=list)

    def header(self, target: str, iterable: str) -> tuple[str, str]:
        """The new target and iterable, given the text of the old ones."""
        names = [name for name, _ in self.added]
        lists = [text for _, text in self.added]
        if self.style is Style.ZIP:
            names.insert(0, f"({target})" if isinstance(self.loop.target, ast.Tuple) else target)
            lists.insert(0, iterable)
        return ", ".join(names), lists[0] if len(lists) == 1 else f"zip({', '.join(lists)})"


def loop_plan(unit: Unit, function: FunctionNode, loop: Loop, gone: Iterable[ast.AST]) -> LoopPlan:
    """The plan for ``loop``, when the nodes in ``gone`` will not be in the function any more."""
    names = bound_names(walk(loop.target))
    is_plain = all(
        isinstance(node, ast.Name | ast.Tuple | ast.List | ast.Starred) for node in walk(loop.target)
    )
    if is_plain and not _is_used(unit, function, loop, names, gone):
        return LoopPlan(loop, Style.ELEMENT)
    index = _index(unit, loop)
    return LoopPlan(loop, Style.INDEX, index) if index else LoopPlan(loop, Style.ZIP)


def _is_used(
    unit: Unit, function: FunctionNode, loop: Loop, names: set[str], gone: Iterable[ast.AST]
) -> bool:
    missing = {id(node) for root in gone for node in walk(root)}
    missing |= {id(node) for node in walk(loop.iter)}
    for node in walk(function):
        if not isinstance(node, ast.Name) or node.id not in names or id(node) in missing:
            continue
        if isinstance(node.ctx, ast.Load) and not _rebound_elsewhere(unit, node, loop, function):
            return True
    return False


def _rebound_elsewhere(unit: Unit, name: ast.Name, loop: Loop, function: FunctionNode) -> bool:
    """Whether ``name`` belongs to another loop's variable of the same name."""
    parent = unit.names.parent(name)
    while parent is not None and parent is not function and parent is not loop.node:
        targets: list[ast.expr] = []
        if isinstance(parent, ast.For):
            targets = [parent.target]
        elif isinstance(parent, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            targets = [generator.target for generator in parent.generators]
        if any(name.id in bound_names(walk(target)) for target in targets):
            return True
        parent = unit.names.parent(parent)
    return False


def _index(unit: Unit, loop: Loop) -> str:
    """The variable that counts the steps from 0, if the loop has one and does not assign it."""
    call = loop.iter
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return ""
    counter: ast.expr = loop.target
    match unit.names.qualified(call.func):
        case "builtins.range":
            pass
        case "builtins.enumerate" if isinstance(counter, ast.Tuple):
            counter = counter.elts[0]
        case _:
            return ""
    if not isinstance(counter, ast.Name):
        return ""
    body = loop.node.body if isinstance(loop.node, ast.For) else []
    rebound = bound_names(node for statement in body for node in walk(statement))
    return "" if counter.id in rebound else counter.id
