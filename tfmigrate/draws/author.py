"""Write what was decided: new expressions for the draws and what stands around them, ``tf.cond`` for branches."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tfmigrate.blocked import Blocked
from tfmigrate.draws.branches import Branch
from tfmigrate.draws.build import Builder
from tfmigrate.draws.conds import Writer
from tfmigrate.draws.generators import Keeper
from tfmigrate.draws.needs import Condition, Needs
from tfmigrate.draws.outcome import Decision, One
from tfmigrate.draws.picks import Pick
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.switches import Switcher
from tfmigrate.draws.table import Result
from tfmigrate.draws.text import Rewriting, is_loose
from tfmigrate.syntax import FunctionNode, bound_names, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(slots=True)
class Author:
    """Writes for one function. ``builder`` and ``drawn`` read draws as Python numbers, ``second`` as tensors."""

    unit: Unit
    function: FunctionNode
    ones: Mapping[int, One]
    chosen: list[Needs]
    conditions: Mapping[int, tuple[Condition, set[int]]]
    builder: Builder
    drawn: Reading
    second: Reading
    keeper: Keeper
    tf: str
    has_autograph: bool
    is_compiled: bool
    """XLA may compile the function."""
    blocked: dict[int, Blocked] = field(default_factory=dict)

    def block_all(self, keys: set[int], blocked: Blocked) -> None:
        for key in keys:
            self.blocked.setdefault(key, blocked)

    def written(self, branches: list[Branch]) -> Decision:
        """The texts, or why there are none after all."""
        rewriting = self.builder.rewriting
        for one in sorted(self.ones.values(), key=lambda one: _size(one.draw.call)):
            text = self.draw_text(one)
            if isinstance(text, Blocked):
                self.blocked[id(one.draw.call)] = text
            else:
                rewriting.replace(one.draw.call, text)
        if self.blocked:
            return Decision(self.blocked)
        self.convert(rewriting)
        self.gather(rewriting)
        self.adapt(rewriting)
        statements = []
        taken = bound_names(walk(self.unit.tree)) | {arg.arg for arg in parameters(self.function)}
        switcher = Switcher(self.unit, rewriting, self.drawn, self.tf, self.is_compiled, taken)
        for key, one in self.ones.items():
            if not switcher.write(one.needs, one.draw):
                self.blocked[key] = Blocked("choice", ast.unparse(one.draw.call))
        writer = Writer(self.unit, rewriting, self.second, self.drawn, self.function, self.tf, taken)
        for condition, keys in self.conditions.values():
            if isinstance(condition, ast.IfExp):
                text = writer.expression(condition)
                if isinstance(text, Blocked):
                    self.block_all(keys, text)
                else:
                    rewriting.replace(condition, text)
        if not self.has_autograph:
            for branch in sorted(branches, key=lambda branch: branch.node.lineno):
                writer.names_of(branch.node)
        for branch, is_nested in _inner_first(branches):
            lines = self.branch_text(branch, writer)
            if isinstance(lines, Blocked):
                self.block_all(self.conditions[id(branch.node)][1], lines)
            elif lines and is_nested:
                writer.written[id(branch.node)] = lines
            elif lines:
                statements.append((branch.node, lines, branch.rest))
        if self.blocked:
            return Decision(self.blocked)
        made, removed = self.keeper.changes(self.tf)
        covered = {id(part) for node, _, rest in statements for top in (node, *rest) for part in walk(top)}
        for key, statement in switcher.moved.items():
            if id(statement) in covered:
                self.blocked[key] = Blocked("branch", ast.unparse(self.ones[key].draw.call))
        if self.blocked:
            return Decision(self.blocked)
        outermost = [pair for pair in rewriting.outermost(self.function) if id(pair[0]) not in covered]
        raises_in_xla = any(not one.row.xla for one in self.ones.values())
        return Decision(
            {}, (*outermost, *made), tuple(statements), removed, tuple(switcher.added), raises_in_xla
        )

    def branch_text(self, branch: Branch, writer: Writer) -> str | Blocked:
        """Lines for an ``if`` that has to be written as ``tf.cond``; empty where AutoGraph does it."""
        if not self.has_autograph:
            return writer.statements(branch)
        test = branch.node.test
        value = writer.reading.of(test)
        if value.is_tensor and value.dtype != "bool":
            text = writer.tensor(test)
            if text is not None:
                writer.rewriting.replace(test, text)
        return ""

    def draw_text(self, one: One) -> str | Blocked:
        shape = self.builder.shape(one.draw, one.bound, one.needs.in_test)
        if isinstance(shape, Blocked):
            return shape
        dtype = one.dtype_text(self.drawn)
        if one.pick is not None:
            return self.pick_text(one.pick, one.dtype, dtype)
        random = self.keeper.random(one.draw, self.tf)
        text = self.builder.expression(one.draw, one.row, one.bound, shape, dtype, random)
        parent = self.unit.names.parent(one.draw.call)
        stands_alone = isinstance(parent, ast.Assign | ast.Return | ast.keyword | ast.Tuple | ast.List)
        if isinstance(text, str) and is_loose(text) and not stands_alone:
            return f"({text})"
        return text

    def pick_text(self, pick: Pick, dtype: str, text: str) -> str:
        if pick.value.is_tensor or pick.own == dtype:
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

    def gather(self, rewriting: Rewriting) -> None:
        """Numbers and tensors that are picked by an index."""
        places = [place for one in self.ones.values() for place in one.needs.gathers.values()]
        for place in places:
            base, index = rewriting.text(place.value), rewriting.text(place.slice)
            rewriting.replace(place, f"{self.tf}.gather({base}, {index})")

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


def _inner_first(branches: Sequence[Branch]) -> Iterator[tuple[Branch, bool]]:
    """All branches, those inside of another before it, and whether a branch is inside of another."""
    todo = sorted(branches, key=lambda branch: branch.node.lineno)
    inside = {
        id(branch.node): {id(part) for top in (*branch.body, *branch.other) for part in walk(top)}
        for branch in todo
    }

    def of(branch: Branch) -> Iterator[Branch]:
        for other in todo:
            if id(other.node) in inside[id(branch.node)] and other not in done:
                yield from of(other)
        done.append(branch)
        yield branch

    done: list[Branch] = []
    for top in todo:
        if top not in done:
            for branch in of(top):
                yield branch, branch is not top


def _first_argument(call: ast.Call) -> ast.expr:
    return call.args[0] if call.args else call.keywords[0].value


def _size(node: ast.expr) -> tuple[int, int]:
    lines = (node.end_lineno or node.lineno) - node.lineno
    return lines, (node.end_col_offset or 0) - node.col_offset if not lines else 0
