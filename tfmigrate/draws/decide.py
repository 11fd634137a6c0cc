"""Decide over all draws of one traced function together: each can go, with its new text, or the reason why it stays."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tfmigrate.draws import ops
from tfmigrate.draws.blocked import Blocked
from tfmigrate.draws.branches import Branch, Branches
from tfmigrate.draws.build import Bound, Builder
from tfmigrate.draws.conds import Writer
from tfmigrate.draws.entries import Entries
from tfmigrate.draws.generators import Keeper
from tfmigrate.draws.picks import Pick, Picker
from tfmigrate.draws.shapes import Dimensions
from tfmigrate.draws.sources import Draw
from tfmigrate.draws.table import PICKS, SEEDS, Result, Row, picked
from tfmigrate.draws.text import Rewriting, is_loose
from tfmigrate.draws.uses import Condition, Entry, Follower, Needs
from tfmigrate.draws.values import Kind, Reader, Reading, Value, number, tensor
from tfmigrate.syntax import FunctionNode, bound_names, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Decision:
    """What to write, or why nothing is written."""

    blocked: dict[int, Blocked]
    """Draws that stay, by the id of their call."""
    expressions: tuple[tuple[ast.expr, str], ...] = ()
    statements: tuple[tuple[ast.If, str, tuple[ast.stmt, ...]], ...] = ()
    """An ``if``, the lines in its place, and the statements after it that these lines hold too."""
    removed: tuple[ast.stmt, ...] = ()
    """Statements that only made a generator which is not used any more."""


@dataclass(slots=True)
class _One:
    """One draw while it is decided on."""

    draw: Draw
    row: Row
    bound: Bound
    needs: Needs
    dtype: str = ""
    """A dtype's name, or the symbol of an input's."""
    pick: Pick | None = None


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
    ones: dict[int, _One] = field(default_factory=dict)
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
        if any(draw.method in PICKS and draw.row is None for draw in self.draws):
            picker = Picker(first, self.builder(first).dimensions, self.tf)
            picks = {key: picker.pick(d) for key, d in by_call.items() if d.method in PICKS and d.row is None}
            self.blocked.update({key: pick for key, pick in picks.items() if isinstance(pick, Blocked)})
            self.picks = {key: pick for key, pick in picks.items() if isinstance(pick, Pick)}
            drawn.update({key: pick.value for key, pick in self.picks.items()})
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
        branches = Branches(self.unit, self.function, first)
        read = self.branches(branches)
        if not self.blocked:
            self.give_dtypes(first)
        if self.blocked:
            return Decision(self.blocked)
        second = self.read({key: tensor(one.dtype) for key, one in self.ones.items()})
        typed = Branches(self.unit, self.function, second)
        for branch, keys in read:
            if not typed.is_typed(branch):
                self.block_all(keys, Blocked("branch-types", f"if {ast.unparse(branch.node.test)}"))
        if self.blocked:
            return Decision(self.blocked)
        return self.written(first, second, [branch for branch, _ in read])

    def read(self, drawn: dict[int, Value]) -> Reading:
        reader = Reader(self.unit, drawn, self.entries.tensor_parameters)
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
    ) -> _One | Blocked:
        if draw.method in SEEDS:
            return Blocked("seed")
        pick = self.picks.get(id(draw.call))
        row = draw.row if pick is None else pick.row
        if row is None:
            return Blocked("no-equivalent", ast.unparse(draw.call.func))
        if draw.holder is not None and draw.holder.seed is not None:
            if not row.generator or pick is not None or not self.keeper.can_become_tensorflows(draw.holder):
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
            return _One(draw, row, bound, Needs(), pick.own, pick)
        follower = Follower(self.unit, reading, draw.call, id(draw.call), row, self.entry, by_call, is_array)
        needs = follower.run(self.function)
        if isinstance(needs, Blocked):
            return needs
        if needs.in_test and shape not in ("[]", "[1]"):
            return Blocked("branch", ast.unparse(draw.call))
        return _One(draw, row, bound, needs, "", pick)

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
            elif any(_are_numbers(pair) for pair in pairs) and id(self.function) not in self.entries.returning:
                self.block_all(keys, Blocked("returned"))
            found.append((branch, keys))
        inside = [id(part) for branch, _ in found for part in walk(branch.node)]
        for branch, keys in found:
            if inside.count(id(branch.node)) > 1 or any(id(part) in inside for part in branch.rest):
                self.block_all(keys, Blocked("branch", f"if {ast.unparse(branch.node.test)}"))
        return found

    def follow_numbers(
        self, condition: Condition, pairs: list[tuple[Value, Value]], keys: set[int], reading: Reading
    ) -> None:
        """A choice by a draw between two numbers becomes a tensor too: see what becomes of it."""
        numbers = [pair for pair in pairs if _are_numbers(pair)]
        if not numbers:
            return
        about = Blocked("branch-types", ast.unparse(condition.test))
        if any(value.dtype != "float" for pair in numbers for value in pair):
            self.block_all(keys, about)
            return
        node = condition if isinstance(condition, ast.IfExp) else condition.test
        row = picked(Result.FLOAT)
        draws = {key: one.draw for key, one in self.ones.items()}
        needs = Follower(self.unit, reading, node, id(condition), row, self.entry, draws, False).run(self.function)
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

    # -- dtypes ----------------------------------------------------------------------------------------------------

    def give_dtypes(self, reading: Reading) -> None:
        for group in self.groups():
            wanted = frozenset[str]().union(*(one.needs.dtypes for one in group))
            for one in group:
                if one.pick is not None and one.pick.value.is_tensor:
                    continue
                dtype = _dtype_of(one, wanted)
                if isinstance(dtype, Blocked):
                    self.blocked[id(one.draw.call)] = dtype
                    continue
                one.dtype = dtype
                if dtype.endswith(".dtype") and not self.dtype_text(one, reading):
                    self.blocked[id(one.draw.call)] = Blocked("dtypes-differ", ast.unparse(one.draw.call))

    def groups(self) -> Iterator[list[_One]]:
        """Draws that are combined with each other get one dtype."""
        todo = dict(self.ones)
        while todo:
            key, one = todo.popitem()
            group, waiting = [one], [key]
            while waiting:
                here = waiting.pop()
                linked = [
                    k for k, o in todo.items() if here in o.needs.meets or k in self.ones[here].needs.meets
                ]
                for other in linked:
                    group.append(todo.pop(other))
                    waiting.append(other)
            yield group

    def dtype_text(self, one: _One, reading: Reading) -> str:
        """Code for the dtype at the place of the draw: its own name, or ``x.dtype`` for a tensor ``x`` known there."""
        if not one.dtype.endswith(".dtype"):
            return one.dtype
        known = reading.at.get(id(one.draw.call), {})
        names = [name for name, value in known.items() if value.is_tensor and value.dtype == one.dtype]
        origin = one.dtype.partition("@")[0]
        best = origin if origin in names else names[0] if names else ""
        return f"{best}.dtype" if best else ""

    # -- writing ---------------------------------------------------------------------------------------------------

    def written(self, first: Reading, second: Reading, branches: list[Branch]) -> Decision:
        builder = self.builder(first)
        rewriting = builder.rewriting
        for one in sorted(self.ones.values(), key=lambda one: _size(one.draw.call)):
            text = self.draw_text(one, first, builder)
            if isinstance(text, Blocked):
                self.blocked[id(one.draw.call)] = text
            else:
                rewriting.replace(one.draw.call, text)
        if self.blocked:
            return Decision(self.blocked)
        self.convert(rewriting)
        self.adapt(rewriting)
        statements = []
        taken = bound_names(walk(self.unit.tree)) | {arg.arg for arg in parameters(self.function)}
        writer = Writer(self.unit, rewriting, second, first, self.function, self.tf, taken)
        for condition, keys in self.conditions().values():
            if isinstance(condition, ast.IfExp):
                text = writer.expression(condition)
                if isinstance(text, Blocked):
                    self.block_all(keys, text)
                else:
                    rewriting.replace(condition, text)
        for branch in sorted(branches, key=lambda branch: branch.node.lineno):
            lines = self.branch_text(branch, writer)
            if isinstance(lines, Blocked):
                self.block_all(self.conditions()[id(branch.node)][1], lines)
            elif lines:
                statements.append((branch.node, lines, branch.rest))
        if self.blocked:
            return Decision(self.blocked)
        made, removed = self.keeper.changes(self.tf)
        covered = {
            id(part) for node, _, rest in statements for top in (node, *rest) for part in walk(top)
        }
        outermost = [pair for pair in rewriting.outermost(self.function) if id(pair[0]) not in covered]
        return Decision({}, (*outermost, *made), tuple(statements), removed)

    def branch_text(self, branch: Branch, writer: Writer) -> str | Blocked:
        """Lines for an ``if`` that has to be written as ``tf.cond``; empty where AutoGraph does it."""
        if not self.entries.has_autograph(self.symbol):
            return writer.statements(branch, bool(branch.rest))
        test = branch.node.test
        value = writer.reading.of(test)
        if value.is_tensor and value.dtype != "bool":
            text = writer.tensor(test)
            if text is not None:
                writer.rewriting.replace(test, text)
        return ""

    def draw_text(self, one: _One, reading: Reading, builder: Builder) -> str | Blocked:
        shape = builder.shape(one.draw, one.bound, one.needs.in_test)
        if isinstance(shape, Blocked):
            return shape
        dtype = self.dtype_text(one, reading)
        if one.pick is not None:
            return self.pick_text(one.pick, one.dtype, dtype)
        random = self.keeper.random(one.draw, self.tf)
        text = builder.expression(one.draw, one.row, one.bound, shape, dtype, random)
        parent = self.unit.names.parent(one.draw.call)
        stands_alone = isinstance(parent, ast.Assign | ast.Return | ast.keyword | ast.Tuple | ast.List)
        if isinstance(text, str) and is_loose(text) and not stands_alone:
            return f"({text})"
        return text

    def pick_text(self, pick: Pick, dtype: str, text: str) -> str:
        if pick.value.is_tensor or pick.own in (dtype, "bool"):
            return pick.text
        wanted = text if "." in text else f"{self.tf}.{text}"
        return f"{self.tf}.cast({pick.text}, {wanted})"

    def convert(self, rewriting: Rewriting) -> None:
        """Calls around drawn values: dropped, or written with TensorFlow."""
        calls = {key: pair for one in self.ones.values() for key, pair in one.needs.conversions.items()}
        for call, how in sorted(calls.values(), key=lambda pair: _size(pair[0])):
            if isinstance(call, ast.UnaryOp):
                rewriting.replace(call, f"{self.tf}.logical_not({rewriting.text(call.operand)})")
                continue
            is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "astype"
            inner = (
                call.func.value
                if is_method and isinstance(call.func, ast.Attribute)
                else _first_argument(call)
            )
            text = rewriting.text(inner)
            dtype = self.converted_dtype(call, is_method)
            if how == "cast":
                text = f"{self.tf}.cast({text}, {self.tf}.{dtype})"
            elif how == "convert":
                text = f"{self.tf}.cast({text}, {dtype})" if dtype else f"{self.tf}.convert_to_tensor({text})"
                is_same = id(inner) in self.ones and dtype == f"{self.tf}.{self.ones[id(inner)].dtype}"
                text = rewriting.text(inner) if is_same else text
            elif is_loose(text):
                text = f"({text})"
            rewriting.replace(call, text)

    def adapt(self, rewriting: Rewriting) -> None:
        """Where draws of float32 meet a tensor of an input's type: cast to that."""
        meetings = {
            id(node): (node, name)
            for one in self.ones.values()
            for node, name, symbol in one.needs.meetings
            if name and symbol != one.dtype and one.row.result is Result.FLOAT
        } | {id(node): (node, name) for needs in self.chosen for node, name, _ in needs.meetings if name}
        for node, name in sorted(meetings.values(), key=lambda pair: _size(pair[0])):
            text = rewriting.text(node)
            rewriting.replace(node, f"{self.tf}.cast({text}, {name})")

    def converted_dtype(self, call: ast.Call, is_method: bool) -> str:
        node = next((keyword.value for keyword in call.keywords if keyword.arg == "dtype"), None)
        if node is None:
            position = 0 if is_method else 1
            node = call.args[position] if len(call.args) > position else None
        if node is None:
            return ""
        if not is_method:
            return ast.unparse(node)
        if isinstance(node, ast.Constant):
            return str(node.value)
        last = ast.unparse(node).rpartition(".")[2]
        return {"float": "float32", "int": "int32"}.get(last, last)


def _drawn(draw: Draw) -> Value:
    row = draw.row
    kind = "int" if row is not None and row.result is Result.INT else "float"
    if row is None:
        return Value(Kind.UNKNOWN, "", frozenset((id(draw.call),)))
    return Value(Kind.NUMBER, number(kind).dtype, frozenset((id(draw.call),)))


def _are_numbers(pair: tuple[Value, Value]) -> bool:
    return all(value.is_number and not value.draws for value in pair)


def _dtype_of(one: _One, wanted: frozenset[str]) -> str | Blocked:
    """The dtype for a draw from what its places of use want."""
    needs, about = one.needs, ast.unparse(one.draw.call)
    concrete = {dtype for dtype in wanted if not dtype.endswith(".dtype")}
    if one.row.result is Result.FLOAT:
        if len(wanted) == 1 and (not concrete or ops.is_float(next(iter(concrete)))):
            return next(iter(wanted))
        return "float32" if concrete <= {"float32"} else Blocked("dtypes-differ", about)
    if needs.fraction and (needs.whole or concrete & ops.INTEGERS):
        return Blocked("whole-or-fraction", about)
    if len(wanted) > 1:
        return Blocked("dtypes-differ", about)
    if wanted and needs.whole and not concrete <= ops.INTEGERS:
        return Blocked("whole-or-fraction", about)
    if wanted:
        return next(iter(wanted))
    return "float32" if needs.fraction else "int32"


def _first_argument(call: ast.Call) -> ast.expr:
    return call.args[0] if call.args else call.keywords[0].value


def _size(node: ast.expr) -> tuple[int, int]:
    lines = (node.end_lineno or node.lineno) - node.lineno
    return lines, (node.end_col_offset or 0) - node.col_offset if not lines else 0
