"""Branches on a tensor that AutoGraph cannot join: a name that one of them binds, whole numbers beside fractions, an index
that only the condition makes valid.

AutoGraph traces both branches, whatever the condition turns out to be, and asks for the same names, types and valid static
indices in both ("must also be initialized in the else branch", "must have the same dtype", "slice index 1 of dimension 0 out
of bounds"). Eagerly only the branch that is taken runs, and all of it works.
https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/control_flow.md
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.codemod import AnyChange, Change, Insertion
from tfmigrate.draws.entries import Entries
from tfmigrate.flow.conditions import is_safe
from tfmigrate.flow.decide import lowering_of
from tfmigrate.flow.kinds import Kinds
from tfmigrate.hoist.rewrite import code_of, parsed_statements
from tfmigrate.imports import tensorflow_name
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import bound_names, names_in, own_nodes, parameters, single_target
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_SIZES = ("tensorflow.size", "tensorflow.shape")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One thing that the branches of ``node`` do not agree about, and what is done."""

    node: ast.If
    said: str
    changes: tuple[AnyChange, ...]


def disagreements(unit: Unit, symbol: str, entries: Entries) -> list[Disagreement]:
    """Those in a function that AutoGraph converts, as far as they can be mended."""
    function = unit.functions[symbol]
    name = tensorflow_name(unit, symbol)
    if not isinstance(function, ast.FunctionDef) or symbol in unit.redefined:
        return []
    if name is None or name.after is not None:
        return []
    reader = _Reader(unit, function, name.name)
    suspects = [node for node in own_nodes(function) if isinstance(node, ast.If) and reader.is_suspect(node)]
    if not suspects or not entries.has_autograph(symbol):
        return []
    kinds = lowering_of(unit, symbol, function, entries).kinds
    decided = [node for node in suspects if kinds.is_tensor(node.test)]
    return [
        one for node in sorted(decided, key=lambda node: node.lineno) for one in reader.found(node, kinds)
    ]


@dataclass(frozen=True, slots=True)
class _Reader:
    unit: Unit
    function: ast.FunctionDef
    tf: str

    def is_suspect(self, node: ast.If) -> bool:
        return bool(self.bound_once(node) or self.mixed(node) or self.guarded(node))

    def found(self, node: ast.If, kinds: Kinds) -> Iterator[Disagreement]:
        for store in self.bound_once(node):
            if kinds.of(store.value).is_tensor and is_safe(store.value):
                name = single_target(store)
                text = f"{name} = {self.tf}.zeros_like({code_of(self.unit.cst_expression(store.value))})\n"
                new = tuple(parsed_statements(self.unit, text))
                begun = Insertion(self.unit.cst_statement(node), new, after=False)
                yield Disagreement(node, f"`{name}` is bound in one branch: begun with zeros", (begun,))
        for number in self.mixed(node):
            whole = ast.unparse(number)
            said = f"`{whole}` and a fraction come out of the branches: made `{whole}.0`"
            yield Disagreement(
                node, said, (Change(self.unit.cst_expression(number), cst.Float(f"{whole}.0")),)
            )
        for read in self.guarded(node):
            text = f"{self.tf}.gather({ast.unparse(read.value)}, {ast.unparse(read.slice)})"
            said = f"`{ast.unparse(read)}` is there only if the condition holds: read when the graph runs"
            change = Change(self.unit.cst_expression(read), cst.parse_expression(text))
            yield Disagreement(node, said, (change,))

    # -- a name that one branch binds ------------------------------------------------------------------------------

    def bound_once(self, node: ast.If) -> list[ast.Assign]:
        """Assignments of one branch to names that are read later, under the same condition only."""
        if self.is_in_loop(node):
            return []
        stores = [one for one in node.body if isinstance(one, ast.Assign) and single_target(one)]
        elsewhere = bound_names(part for one in node.orelse for part in walk(one))
        inside = bound_names(part for one in node.body for part in walk(one))
        before = self.bound_before(node)
        known = before | bound_names(self.unit.tree.body)
        first: dict[str, ast.Assign] = {}
        for store in stores:
            first.setdefault(single_target(store), store)
        return [
            store
            for name, store in first.items()
            if name not in elsewhere | before and self.is_read_under(node, name)
            # Computed before the branch as well: from what is bound by then, and still the same.
            and names_in(store.value) <= known and not names_in(store.value) & inside
        ]

    def is_in_loop(self, node: ast.AST) -> bool:
        above = self.unit.names.ancestors(node, self.function)
        return any(isinstance(one, ast.For | ast.While | ast.FunctionDef | ast.Lambda) for one in above)

    def bound_before(self, node: ast.If) -> set[str]:
        stores = [
            part
            for part in own_nodes(self.function)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.lineno < node.lineno
        ]
        return {one.arg for one in parameters(self.function)} | {one.id for one in stores}

    def is_read_under(self, node: ast.If, name: str) -> bool:
        """Whether all later reads stand under the condition of ``node``, and nothing of that changes in between."""
        end = node.end_lineno or node.lineno
        later = [
            part
            for part in own_nodes(self.function)
            if isinstance(part, ast.Name) and part.lineno > end and part.id in {name} | names_in(node.test)
        ]
        reads = [part for part in later if part.id == name and isinstance(part.ctx, ast.Load)]
        if any(isinstance(part.ctx, ast.Store) for part in later) or not reads:
            return False
        return all(any(self.is_under(part, one, node.test) for one in self.later_ifs(end)) for part in reads)

    def later_ifs(self, end: int) -> list[ast.If]:
        return [one for one in own_nodes(self.function) if isinstance(one, ast.If) and one.lineno > end]

    def is_under(self, part: ast.AST, holder: ast.If, test: ast.expr) -> bool:
        same = ast.dump(holder.test) == ast.dump(test)
        return same and any(node is part for one in holder.body for node in walk(one))

    # -- a whole number and a fraction -----------------------------------------------------------------------------

    def mixed(self, node: ast.If) -> list[ast.Constant]:
        """Whole numbers to which the other branch has a fraction, where all that follows computes with them."""
        found = []
        ends = [_constants(node.body), _constants(node.orelse)]
        for mine, other in (ends, ends[::-1]):
            for name, constant in mine.items():
                against = other.get(name)
                is_mixed = (
                    type(constant.value) is int and against is not None and type(against.value) is float
                )
                if is_mixed and self.is_computed_with(node, name):
                    found.append(constant)
        return found

    def is_computed_with(self, node: ast.If, name: str) -> bool:
        end = node.end_lineno or node.lineno
        reads = [
            part
            for part in own_nodes(self.function)
            if isinstance(part, ast.Name)
            and part.id == name
            and isinstance(part.ctx, ast.Load)
            and (part.lineno > end or node.lineno <= part.lineno)
        ]
        above = [self.unit.names.parent(part) for part in reads]
        return bool(above) and all(isinstance(one, ast.BinOp | ast.AugAssign) for one in above)

    # -- an index that the condition makes valid -------------------------------------------------------------------

    def guarded(self, node: ast.If) -> list[ast.Subscript]:
        """Reads ``x[1]`` in a branch whose condition asks for the size of ``x``."""
        asked = {
            part.args[0].id
            for part in walk(node.test)
            if isinstance(part, ast.Call)
            and self.unit.names.qualified(part.func) in _SIZES
            and len(part.args) == 1
            and isinstance(part.args[0], ast.Name)
        }
        return [
            part
            for one in (*node.body, *node.orelse)
            for part in walk(one)
            if isinstance(part, ast.Subscript)
            and isinstance(part.ctx, ast.Load)
            and isinstance(part.value, ast.Name)
            and part.value.id in asked
            and isinstance(part.slice, ast.Constant)
            and type(part.slice.value) is int
            and part.slice.value >= 1
        ]


def _constants(block: list[ast.stmt]) -> dict[str, ast.Constant]:
    """What the block's names are at its end, where that is a number that is written out."""
    found: dict[str, ast.Constant] = {}
    for statement in block:
        for name in bound_names(walk(statement)):
            found.pop(name, None)
        if (
            isinstance(statement, ast.Assign)
            and single_target(statement)
            and isinstance(statement.value, ast.Constant)
        ):
            found[single_target(statement)] = statement.value
    return found
