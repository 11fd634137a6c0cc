"""Where each element of a list goes in an array, and how large the array is."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from tfmigrate.arrays.arithmetic import Sum, summed
from tfmigrate.arrays.bindings import Bindings
from tfmigrate.arrays.lists import Grown, Growth
from tfmigrate.arrays.loops import Loop, LoopNode, Loops, Over, is_rebound, leaves_early, skips
from tfmigrate.draws.text import Rewriting
from tfmigrate.syntax import names_in
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Layout:
    """An array's size and indices. Without a size it grows."""

    level: tuple[ast.stmt, ...]
    """The statements at the level of the list's creation that add to it; the last is where it is complete."""
    causes: tuple[ast.stmt, ...]
    """Loops and branches of the graph that the additions stand in."""
    size: str = ""
    indices: dict[int, str] = field(default_factory=dict)
    """Index of each added element, by the id of its expression."""
    is_reversed: bool = False
    """Written in the order of time, to be turned round in the end."""
    loop: Loop | None = None
    """The loop that counts the elements."""
    counter: str = ""
    """The name of that loop's number."""
    needs: frozenset[str] = frozenset()
    """Names in ``size``."""

    @property
    def grows(self) -> bool:
        return not self.size


_COUNTERS = ("i", "j", "k", "index", "step", "position", "turn", "number")


@dataclass(frozen=True, slots=True)
class Layouts:
    """Lays out the lists of one function."""

    loops: Loops
    bindings: Bindings
    rewriting: Rewriting
    tf: str
    counters: dict[int, str] = field(default_factory=dict)
    """Fresh names that were given to loops, by the id of their node."""

    def paths(self, grown: Grown) -> dict[int, list[ast.stmt]]:
        """For each addition what holds it below the level of the list's creation, from the outside."""
        life = {id(statement) for statement in grown.life}
        found: dict[int, list[ast.stmt]] = {}
        for growth in grown.growths:
            path: list[ast.stmt] = []
            here: ast.stmt = growth.statement
            while id(here) not in life:
                above = self.loops.unit.names.statement_of(self.loops.unit.names.parent(here) or here)
                if not isinstance(above, ast.With):
                    path.insert(0, above)
                here = above
            found[id(growth.statement)] = path
        return found

    def causes(self, grown: Grown) -> list[ast.stmt]:
        """The outermost loops and branches of the graph around the additions."""
        found: list[ast.stmt] = []
        for path in self.paths(grown).values():
            for statement in path:
                if self.is_of_graph(statement):
                    if not any(statement is one for one in found):
                        found.append(statement)
                    break
        return found

    def is_cause(self, loop: ast.stmt, grown: Grown) -> bool:
        """Whether the list grows in this loop."""
        return any(statement is loop for path in self.paths(grown).values() for statement in path)

    def is_of_graph(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.If):
            return self.loops.tensors.is_tensor(statement.test)
        return isinstance(statement, ast.For | ast.While) and self.loops.of(statement) is not None

    def lay_out(self, grown: Grown) -> Layout:
        paths = self.paths(grown)
        level = _unique([path[0] if path else self.top(grown, key) for key, path in paths.items()])
        growing = Layout(tuple(level), tuple(self.causes(grown)), is_reversed=grown.growths[0].at_front)
        outer = _unique([path[0] for path in paths.values() if path])
        is_helped = any(not growth.values for growth in grown.growths)
        if is_helped or len(outer) != 1 or not isinstance(outer[0], ast.For):
            return growing
        loop = self.loops.of(outer[0])
        if loop is None or not loop.is_certain or loop.over in (Over.DATASET, Over.TEST):
            return growing
        if leaves_early(outer[0]) or skips(outer[0].body):
            return growing
        return self.counted(grown, growing, loop, paths) or growing

    def top(self, grown: Grown, key: int) -> ast.stmt:
        return next(growth.statement for growth in grown.growths if id(growth.statement) == key)

    def counted(
        self, grown: Grown, growing: Layout, loop: Loop, paths: dict[int, list[ast.stmt]]
    ) -> Layout | None:
        """The layout of an array whose size is known before the loop."""
        offsets: dict[int, int] = {}
        inside = [growth for growth in grown.growths if paths[id(growth.statement)]]
        count = _numbered(loop.node.body, 0, {id(growth.statement): growth for growth in inside}, offsets)
        if not count or len(offsets) != sum(len(growth.values) for growth in inside):
            return None
        counter = self.counter(loop)
        before = [
            g for g in grown.growths if not paths[id(g.statement)] and _is_before(g.statement, loop.node)
        ]
        after = [
            g for g in grown.growths if not paths[id(g.statement)] and not _is_before(g.statement, loop.node)
        ]
        seeds = [*grown.seeds, *(value for growth in before for value in growth.values)]
        at_front = grown.growths[0].at_front
        if not counter or (at_front and (seeds or after or count > 1)):
            return None
        span = self.span(loop, counter)
        if span is None:
            return None
        length, place, last_place = span
        indices = {
            key: self.index(place * count + (offset + len(seeds)), loop) for key, offset in offsets.items()
        }
        if at_front:
            indices = {key: self.index(last_place, loop) for key in offsets}
        indices.update({id(value): str(number) for number, value in enumerate(seeds)})
        size = length * count + len(seeds)
        for value in (value for growth in after for value in growth.values):
            indices[id(value)] = self.whole(size, loop)
            size = size + 1
        needs = frozenset[str]().union(*(names_in(ast.parse(term)) for term in size.terms))
        if any(is_rebound(name, loop.node.body) for name in needs & _free(indices)):
            return None
        return Layout(
            growing.level, growing.causes, self.whole(size, loop), indices, False, loop, counter, needs
        )

    def span(self, loop: Loop, counter: str) -> tuple[Sum, Sum, Sum] | None:
        """How often the loop runs, the number of a turn, and that number from the end."""
        number = Sum({counter: 1})
        if loop.over is not Over.RANGE:
            length = self.rows(loop)
            return length, number, length - number - 1
        assert loop.stop is not None
        start = summed(loop.start, self.rewriting.text) if loop.start is not None else Sum({})
        stop = summed(loop.stop, self.rewriting.text)
        step = summed(loop.step, self.rewriting.text) if loop.step is not None else Sum({}, 1)
        if step.terms or step.constant not in (1, -1):
            return None
        if step.constant == 1:
            return stop - start, number - start, stop - number - 1
        return start - stop, start - number, number - stop - 1

    def rows(self, loop: Loop) -> Sum:
        lengths = [f"{self.tf}.shape({self.source(source)})[0]" for source in loop.sources]
        text = lengths[0]
        for other in lengths[1:]:
            text = f"{self.tf}.minimum({text}, {other})"
        return Sum({text: 1})

    def source(self, node: ast.expr) -> str:
        return self.rewriting.text(node)

    def counter(self, loop: Loop) -> str:
        """The name of the loop's number: its own, or a fresh one."""
        node = loop.node
        assert isinstance(node, ast.For)
        target = node.target
        if loop.over is Over.ENUMERATED and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            target = target.elts[0]
            return "" if not isinstance(target, ast.Name) else self.own(target.id, node)
        if loop.over is Over.RANGE:
            return self.own(target.id, node) if isinstance(target, ast.Name) else ""
        if loop.over is Over.ENUMERATED or any(not isinstance(s, ast.Name) for s in loop.sources):
            return ""
        if any(is_rebound(name, node.body) for source in loop.sources for name in names_in(source)):
            return ""
        return self.fresh(node)

    def own(self, name: str, node: LoopNode) -> str:
        if is_rebound(name, node.body):
            return ""
        return self.fresh(node) if name.strip("_") == "" else name

    def fresh(self, node: LoopNode) -> str:
        if id(node) not in self.counters:
            names = [name for name in _COUNTERS if name not in self.counters.values()]
            self.counters[id(node)] = fresh_name(self.bindings, names)
        return self.counters[id(node)]

    def index(self, place: Sum, loop: Loop) -> str:
        text = place.text
        if loop.over is not Over.RANGE or loop.index_dtype == "int32" or not place.terms:
            return text
        return f"{self.tf}.cast({text}, {self.tf}.int32)"

    def whole(self, size: Sum, loop: Loop) -> str:
        return self.index(size, loop)


def fresh_name(bindings: Bindings, names: Sequence[str]) -> str:
    taken = names_in(bindings.function) | set(bindings.parameters)
    free = [name for name in names if name not in taken]
    return free[0] if free else ""


def _numbered(
    block: list[ast.stmt], number: int, growths: dict[int, Growth], offsets: dict[int, int]
) -> int | None:
    """Number the elements that each turn adds, in order; None where their count is not fixed."""
    for statement in block:
        growth = growths.get(id(statement))
        if growth is not None:
            for value in growth.values:
                offsets[id(value)] = number
                number += 1
        elif any(id(part) in growths for part in walk(statement)):
            after: int | None = None
            if isinstance(statement, ast.With):
                after = _numbered(statement.body, number, growths, offsets)
            elif isinstance(statement, ast.If):
                after = _numbered(statement.body, number, growths, offsets)
                if after != _numbered(statement.orelse, number, growths, offsets):
                    return None
            if after is None:
                return None
            number = after
    return number


def _is_before(statement: ast.stmt, loop: ast.stmt) -> bool:
    return statement.lineno < loop.lineno


def _free(indices: dict[int, str]) -> set[str]:
    return {name for text in indices.values() for name in names_in(ast.parse(text))}


def _unique(statements: list[ast.stmt]) -> list[ast.stmt]:
    found = {id(statement): statement for statement in statements}
    return sorted(found.values(), key=lambda statement: statement.lineno)
