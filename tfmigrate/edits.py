"""Apply planned edits by node identity, and prove that each of them landed.

LibCST drops a planned replacement without a word when it replaces one of the node's parents too, so overlaps are counted:
what was planned and what landed must be the same set.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.codemod import Change, Edit, Insertion, Update

if TYPE_CHECKING:
    from tfmigrate.unit import Place

_Replacement = cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]


class EditConflict(Exception):
    """Two edits want the same place, or one lies inside another, or a planned node is not in the tree: a codemod's bug."""


class _Applier(cst.CSTTransformer):
    def __init__(
        self,
        changes: dict[int, Change],
        updates: dict[int, Update],
        insertions: dict[int, list[Insertion]],
        places: Mapping[int, Place],
    ) -> None:
        super().__init__()
        self._places = places
        planned = (places.get(key) for key in (*changes, *updates, *insertions))
        self._starts = sorted(place[:2] for place in planned if place is not None)
        self._changes = changes
        self._updates = updates
        self._insertions = insertions
        self.landed: set[int] = set()
        self._replaced_above = 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        if id(node) in self._changes:
            self._replaced_above += 1
        return not isinstance(node, (cst.BaseExpression, cst.SimpleStatementLine)) or self._reaches(node)

    def _reaches(self, node: cst.CSTNode) -> bool:
        """Whether anything is planned inside ``node``. Of other nodes the place does not cover all that they hold."""
        place = self._places.get(id(node))
        if place is None:
            return True
        next_planned = bisect.bisect_left(self._starts, place[:2])
        return next_planned < len(self._starts) and self._starts[next_planned] <= place[2:]

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> _Replacement:
        key = id(original_node)
        change = self._changes.get(key)
        insertions = self._insertions.get(key, [])
        if isinstance(original_node, cst.SimpleStatementLine | cst.SimpleStatementSuite):
            assert isinstance(updated_node, cst.SimpleStatementLine | cst.SimpleStatementSuite)
            if len(updated_node.body) < len(original_node.body):
                updated_node = _without_loose_semicolon(updated_node)
        update = self._updates.get(key)
        if update is not None and not self._replaced_above:
            updated_node = update.updated(updated_node)
            self.landed.add(key)
        if change is None and not insertions:
            return cst.RemoveFromParent() if _is_empty(updated_node) else updated_node
        if change is not None:
            self._replaced_above -= 1
        if self._replaced_above:
            return updated_node  # A replaced parent would drop it: not landed.
        self.landed.add(key)
        if change is not None:
            if not insertions:
                return cst.RemoveFromParent() if change.new is None else change.new
            if change.new is not None:
                raise EditConflict(f"an insertion beside a replaced {type(original_node).__name__}")
            return cst.FlattenSentinel([new for one in insertions for new in one.statements])
        if isinstance(updated_node, cst.SimpleStatementSuite):
            return cst.IndentedBlock(_with_insertions(_as_line(updated_node), insertions))  # type: ignore[arg-type]
        return cst.FlattenSentinel(_with_insertions(updated_node, insertions))


def _is_empty(node: cst.CSTNode) -> bool:
    """A line of which every statement was taken out."""
    return isinstance(node, cst.SimpleStatementLine) and not node.body


def _without_loose_semicolon(
    line: cst.SimpleStatementLine | cst.SimpleStatementSuite,
) -> cst.SimpleStatementLine | cst.SimpleStatementSuite:
    """``a;`` was ``a; b``, if ``b`` is gone."""
    if not line.body or not isinstance(line.body[-1].semicolon, cst.Semicolon):
        return line
    last = line.body[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
    return line.with_changes(body=[*line.body[:-1], last])


def _as_line(suite: cst.SimpleStatementSuite) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine(suite.body, trailing_whitespace=suite.trailing_whitespace)


def _with_insertions(anchor: cst.CSTNode, insertions: Iterable[Insertion]) -> list[cst.CSTNode]:
    before: list[cst.CSTNode] = []
    after: list[cst.CSTNode] = []
    for insertion in insertions:
        statements: list[cst.CSTNode] = list(insertion.statements)
        if insertion.blank_lines and before and not insertion.after:
            statements[0] = _led_by_blank_lines(statements[0], insertion.blank_lines)
        (after if insertion.after else before).extend(statements)
        if insertion.blank_lines and not insertion.after:
            anchor = _led_by_blank_lines(anchor, insertion.blank_lines)
    return [*before, *([] if _is_empty(anchor) else [anchor]), *after]


def _led_by_blank_lines(statement: cst.CSTNode, count: int) -> cst.CSTNode:
    leading = list(getattr(statement, "leading_lines", ()))
    missing = count - sum(line.comment is None for line in leading)
    blank = [cst.EmptyLine(indent=False)] * max(missing, 0)
    return statement.with_changes(leading_lines=[*blank, *leading])


def inserted_before(module: cst.Module, edits: Iterable[Edit]) -> int:
    """How many statements ``edits`` put before the first one of ``module``."""
    first = module.body[0] if module.body else None
    return sum(
        len(change.statements)
        for edit in edits
        for change in edit.changes
        if isinstance(change, Insertion) and not change.after and change.anchor is first
    )


def apply_edits(module: cst.Module, edits: Iterable[Edit], places: Mapping[int, Place]) -> cst.Module:
    """The module with those changes of ``edits`` whose nodes are in it (``places``: ids of its nodes, and where they stand).

    Raises:
        EditConflict: a planned change did not land, or two want one node.
    """
    changes: dict[int, Change] = {}
    updates: dict[int, Update] = {}
    insertions: dict[int, list[Insertion]] = {}
    for edit in edits:
        for change in edit.changes:
            key = id(change.anchor if isinstance(change, Insertion) else change.node)
            if key not in places:
                continue
            if isinstance(change, Insertion):
                insertions.setdefault(key, []).append(change)
            elif isinstance(change, Update) and key not in updates:
                updates[key] = change
            elif isinstance(change, Update) or key in changes:
                raise EditConflict(f"two edits replace one {type(change.node).__name__}")
            else:
                changes[key] = change
    planned = changes.keys() | updates.keys() | insertions.keys()
    if not planned:
        return module
    applier = _Applier(changes, updates, insertions, places)
    edited = module.visit(applier)
    lost = planned - applier.landed
    if lost:
        raise EditConflict(
            f"{len(lost)} of {len(planned)} planned changes lie inside another and did not land"
        )
    return edited
