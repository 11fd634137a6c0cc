"""Decide over all draws of one traced function together: each can go, with its new text, or the reason why it stays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from tfmigrate.blocked import Blocked
from tfmigrate.draws.author import Author
from tfmigrate.draws.branches import Branch, Branches
from tfmigrate.draws.build import Bound, Builder
from tfmigrate.draws.dtypes import give_dtypes
from tfmigrate.draws.entries import Entries
from tfmigrate.draws.generators import Keeper
from tfmigrate.draws.needs import Condition, Entry, Needs
from tfmigrate.draws.outcome import Decision, One
from tfmigrate.draws.picks import Pick, Picker
from tfmigrate.draws.reading import Reader, Reading
from tfmigrate.draws.shapes import Dimensions
from tfmigrate.draws.sources import Draw
from tfmigrate.draws.table import PICKS, SEEDS, Result, picked
from tfmigrate.draws.text import Rewriting
from tfmigrate.draws.uses import Follower
from tfmigrate.draws.values import Kind, Value, number, tensor
from tfmigrate.syntax import FunctionNode
from tfmigrate.unit import Unit


@dataclass(slots=True)
class Decider:
    """Decides for ``function``, the outermost traced one; ``draws`` are those in it and in functions inside it."""

    unit: Unit
    function: FunctionNode
    symbol: str
    draws: Sequence[Draw]
    tf: str
    entries: Entries
    blocked: dict[int, Blocked] = field(default_factory=dict)
    ones: dict[int, One] = field(default_factory=dict)
    picks: dict[int, Pick] = field(default_factory=dict)
    chosen: list[Needs] = field(default_factory=list)
    """What places of use ask of numbers between which a draw decides."""

    @property
    def entry(self) -> Entry:
        return Entry(self.entries.returning)

    @property
    def keeper(self) -> Keeper:
        return Keeper(self.unit, self.draws)

    def run(self) -> Decision:
        by_call = {id(draw.call): draw for draw in self.draws}
        drawn = {key: _drawn(draw) for key, draw in by_call.items()}
        first = self.read(drawn)
        while more := self.more_picks(first, by_call):
            found = {key: pick for key, pick in more.items() if isinstance(pick, Pick)}
            self.blocked = {key: pick for key, pick in more.items() if isinstance(pick, Blocked)}
            if not found:
                break
            self.picks.update(found)
            drawn.update({key: pick.value for key, pick in found.items()})
            first = self.read(drawn)
        builder = self.builder(first)
        for draw in self.draws:
            if id(draw.call) in self.blocked:
                continue
            one = self.considered(draw, first, builder, by_call)
            if isinstance(one, Blocked):
                self.blocked[id(draw.call)] = one
            else:
                self.ones[id(draw.call)] = one
        for key, one in list(self.ones.items()):
            for place in one.needs.gathers.values():
                value = first.of(place)
                self.follow_numbers(place, [(value, value)], {key}, first)
        branches = Branches(self.unit, self.function, first)
        read = self.branches(branches)
        if not self.blocked:
            self.blocked.update(give_dtypes(self.ones, first))
        if self.blocked:
            return Decision(self.blocked)
        second = self.read({key: tensor(one.dtype) for key, one in self.ones.items()})
        typed = Branches(self.unit, self.function, second)
        for branch, keys in read:
            if not typed.is_typed(branch):
                self.block_all(keys, Blocked("branch-types", f"if {ast.unparse(branch.node.test)}"))
        for condition, keys in self.conditions().values():
            if isinstance(condition, ast.IfExp) and not typed.is_typed_expression(condition):
                self.block_all(keys, Blocked("branch-types", ast.unparse(condition)))
        if self.blocked:
            return Decision(self.blocked)
        keeper, has_autograph = self.keeper, self.entries.has_autograph(self.symbol)
        builder, conditions = self.builder(first), self.conditions()
        is_compiled = not self.entries.is_never_compiled(self.symbol)
        return Author(
            self.unit, self.function, self.ones, self.chosen, conditions, builder, first, second, keeper, self.tf,
            has_autograph, is_compiled,
        ).written([branch for branch, _ in read])  # fmt: skip

    def more_picks(self, reading: Reading, by_call: dict[int, Draw]) -> dict[int, Pick | Blocked]:
        """Picks not read so far. What one picks from may hold what another has picked."""
        picker = Picker(reading, self.builder(reading).dimensions, self.tf)
        return {
            key: picker.pick(draw)
            for key, draw in by_call.items()
            if draw.method in PICKS and draw.row is None and key not in self.picks
        }

    def read(self, drawn: dict[int, Value]) -> Reading:
        reader = Reader(self.unit, drawn, self.entries.tensor_parameters, knows_counts=True)
        reader.function(self.function, {})
        return reader.reading

    def builder(self, reading: Reading) -> Builder:
        rewriting = Rewriting(self.unit)
        dimensions = Dimensions(self.unit, rewriting, reading, self.function, self.tf)
        return Builder(rewriting, reading, dimensions, self.tf)

    def block_all(self, keys: set[int], blocked: Blocked) -> None:
        for key in keys:
            self.blocked.setdefault(key, blocked)

    # -- one draw --------------------------------------------------------------------------------------------------

    def considered(
        self, draw: Draw, reading: Reading, builder: Builder, by_call: dict[int, Draw]
    ) -> One | Blocked:
        if draw.method in SEEDS:
            return Blocked("seed")
        pick = self.picks.get(id(draw.call))
        row = draw.row if pick is None else pick.row
        if row is None:
            return Blocked("no-equivalent", ast.unparse(draw.call.func))
        is_seeded = draw.holder is not None and draw.holder.seed is not None
        if is_seeded and (
            not row.generator or pick is not None or not self.keeper.can_become_tensorflows(draw)
        ):
            return Blocked("generator", ast.unparse(draw.call.func))
        if not row.xla and self.entries.is_compiled(self.symbol):
            return Blocked("not-in-xla", ast.unparse(draw.call.func))
        bound = builder.bound(draw, row) if pick is None else Bound({}, None, None)
        if isinstance(bound, Blocked):
            return bound
        shape = builder.shape(draw, bound, False)
        if isinstance(shape, Blocked):
            return shape
        is_array = shape != "[]" or row.vector or (pick is not None and pick.is_array)
        if pick is not None and pick.value.is_tensor:
            return One(draw, row, bound, Needs(), pick.own, pick)
        follower = Follower(self.unit, reading, draw.call, id(draw.call), row, self.entry, by_call, is_array)
        needs = follower.run(self.function)
        if isinstance(needs, Blocked):
            return needs
        if needs.in_test and shape not in ("[]", "[1]"):
            return Blocked("branch", ast.unparse(draw.call))
        return One(draw, row, bound, needs, "", pick)

    def branches(self, branches: Branches) -> list[tuple[Branch, set[int]]]:
        """All ``if`` statements on draws; what they join asks for dtypes."""
        found: list[tuple[Branch, set[int]]] = []
        for condition, keys in self.conditions().values():
            if not isinstance(condition, ast.If):
                pairs = [(branches.reading.of(condition.body), branches.reading.of(condition.orelse))]
                self.join(*pairs[0])
                self.follow_numbers(condition, pairs, keys, branches.reading)
                continue
            branch = branches.read(condition)
            if isinstance(branch, Blocked):
                self.block_all(keys, branch)
                continue
            pairs = list(branches.pairs(branch))
            for pair in pairs:
                self.join(*pair)
            if not branch.returns:
                self.follow_numbers(condition, pairs, keys, branches.reading)
            elif (
                any(_are_numbers(pair) for pair in pairs) and id(self.function) not in self.entries.returning
            ):
                self.block_all(keys, Blocked("returned"))
            found.append((branch, keys))
        return found

    def follow_numbers(
        self,
        condition: Condition | ast.Subscript,
        pairs: list[tuple[Value, Value]],
        keys: set[int],
        reading: Reading,
    ) -> None:
        """A choice by a draw between two numbers becomes a tensor too: see what becomes of it."""
        is_place = isinstance(condition, ast.Subscript)
        numbers = [pair for pair in pairs if _are_numbers(pair) or (is_place and pair[0].is_number)]
        if not numbers:
            return
        test = condition if isinstance(condition, ast.Subscript) else condition.test
        about = Blocked("branch-types", ast.unparse(test))
        if any(value.dtype != "float" for pair in numbers for value in pair):
            self.block_all(keys, about)
            return
        node = condition if isinstance(condition, ast.IfExp | ast.Subscript) else condition.test
        row = picked(Result.FLOAT)
        draws = {key: one.draw for key, one in self.ones.items()}
        needs = Follower(self.unit, reading, node, id(condition), row, self.entry, draws, False).run(
            self.function
        )
        if isinstance(needs, Blocked):
            self.block_all(keys, needs)
            return
        concrete = {dtype for dtype in needs.dtypes if not dtype.endswith(".dtype")}
        named = {symbol for _, name, symbol in needs.meetings if name}
        if concrete - {"float32"} or needs.conversions or needs.dtypes - concrete - named:
            self.block_all(keys, about)
        self.chosen.append(needs)

    def join(self, one: Value, other: Value) -> None:
        for here, there in ((one, other), (other, one)):
            if there.is_tensor and there.dtype:
                for key in here.draws & self.ones.keys():
                    self.ones[key].needs.dtypes.add(there.dtype)
            if there.is_number and there.dtype == "float" and not there.draws:
                for key in here.draws & self.ones.keys():
                    self.ones[key].needs.dtypes.add("float32")

    def conditions(self) -> dict[int, tuple[Condition, set[int]]]:
        found: dict[int, tuple[Condition, set[int]]] = {}
        for key, one in self.ones.items():
            for place, condition in one.needs.conditions.items():
                found.setdefault(place, (condition, set()))[1].add(key)
        return found


def _drawn(draw: Draw) -> Value:
    row = draw.row
    kind = "int" if row is not None and row.result is Result.INT else "float"
    if row is None:
        return Value(Kind.UNKNOWN, "", frozenset((id(draw.call),)))
    return Value(Kind.NUMBER, number(kind).dtype, frozenset((id(draw.call),)))


def _are_numbers(pair: tuple[Value, Value]) -> bool:
    return all(value.is_number and not value.draws for value in pair)
