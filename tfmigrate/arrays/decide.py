"""Decide over the lists of one function that AutoGraph converts, and write the arrays."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tfmigrate.arrays.arithmetic import summed
from tfmigrate.arrays.dtypes import Elements
from tfmigrate.arrays.function import Function
from tfmigrate.arrays.helpers import Helper, Helpers
from tfmigrate.arrays.layout import Layout
from tfmigrate.arrays.lists import Grown, made_by
from tfmigrate.arrays.loops import Over, is_used
from tfmigrate.arrays.outcome import Draft
from tfmigrate.arrays.scratch import kept
from tfmigrate.arrays.uses import Use, Uses, Wants
from tfmigrate.blocked import Blocked
from tfmigrate.draws.values import Value
from tfmigrate.syntax import dotted, names_in, own_nodes


@dataclass(slots=True)
class Array:
    """A list, and the array in its place."""

    grown: Grown
    layout: Layout
    dtype: str
    dtype_text: str
    rank: int | None
    shape: str
    place: ast.stmt
    """Made in the place of the list's creation, or before this statement."""
    uses: list[Use] = field(default_factory=list)
    reads: dict[int, ast.expr] = field(default_factory=dict)

    @property
    def is_moved(self) -> bool:
        return self.place is not self.grown.creation

    @property
    def turned(self) -> tuple[int, ...]:
        return next((use.turned for use in self.uses if use.turned), ())

    @property
    def is_bound(self) -> bool:
        """Whether the stacked elements get the name, for they are used more than once."""
        stacked = [use for use in self.uses if use.wants is Wants.STACK]
        return len(stacked) > 1 or any(use.more_than_once for use in stacked)


@dataclass(slots=True)
class Decider:
    """Decides over lists of one function."""

    function: Function
    draft: Draft
    is_compiled: bool

    # -- one list --------------------------------------------------------------------------------------------------

    def array(self, grown: Grown) -> Array | Blocked:
        if grown.blocked is not None:
            return grown.blocked
        if "." in grown.key:
            out = kept(self.function, grown.key)
            if out is not None:
                return out
        layout = self.function.layouts.lay_out(grown)
        blocked = self.refused(grown, layout)
        if blocked is not None:
            return blocked
        values = [*grown.seeds, *(value for growth in grown.growths for value in growth.values)]
        helped = self.helped(grown)
        if isinstance(helped, Blocked):
            return helped
        elements = Elements(self.function, values, layout.causes[0], helped)
        dtype = elements.dtype()
        if isinstance(dtype, Blocked):
            return self.leaves(grown, layout) or dtype
        found = self.placed(grown, layout, dtype)
        if found is None and not layout.grows:
            layout = Layout(layout.level, layout.causes, is_reversed=grown.growths[0].at_front)
            found = self.placed(grown, layout, dtype)
        if found is None:
            return Blocked("dtype-unknown", ", ".join(map(ast.unparse, values)))
        if layout.grows and self.is_compiled:
            return Blocked("not-in-xla", grown.key)
        place, text = found
        shape, source = elements.shape()
        if source and not self.is_kept({source}, place, layout.level[-1], is_through=True):
            shape = ""
        rank = elements.rank()
        array = Array(grown, layout, dtype, text, rank, shape, place)
        uses = Uses(self.function, grown.key, grown.name, dtype, elements.carried_rank(), layout.is_reversed)
        for node in grown.uses:
            use = self.use(node, array, uses)
            if isinstance(use, Blocked):
                return use
            array.uses.append(use)
        if array.turned and len(array.uses) > 1:
            return Blocked("axis-of-unknown-rank", ast.unparse(array.uses[-1].node))
        if any(use.wants is Wants.CONCAT for use in array.uses):
            array.shape = ""
        return array

    def helped(self, grown: Grown) -> list[tuple[ast.expr, Value]] | Blocked:
        """What functions add that get the list as an argument."""
        helpers, found = Helpers(self.function.unit), list[tuple[ast.expr, Value]]()
        reached = helpers.reached(iter(own_nodes(self.function.node)))
        callers = {self.function.unit.qualified(symbol) for symbol in (self.function.symbol, *reached)}
        for growth in grown.growths:
            if growth.values:
                continue
            assert isinstance(growth.statement, ast.Expr) and isinstance(growth.statement.value, ast.Call)
            call = growth.statement.value
            helper = helpers.called(call)
            assert helper is not None
            blocked = helpers.refused(helper, callers)
            if blocked is not None:
                return blocked
            name = helper.grown[helper.given(call).index(grown.key)]
            tensors = self.function.entries.tensor_parameters
            found += helpers.added(helper, name, call, self.function.reading, tensors)
        return found

    def leaves(self, grown: Grown, layout: Layout) -> Blocked | None:
        """Whether the list itself is what the function is about: no dtype would help."""
        for node in grown.uses:
            use = None if self.is_complete(node, grown, layout) else self.read_in_loop(node, grown, layout)
            if isinstance(use, Blocked):
                return use
        uses = Uses(self.function, grown.key, grown.name, "", None, False)
        read = [uses.read(node) for node in grown.uses]
        found = [one for one in read if isinstance(one, Blocked)]
        return next((one for one in found if one.reason in ("returned-as-list", "kept-on-self")), None)

    def refused(self, grown: Grown, layout: Layout) -> Blocked | None:
        if len({growth.at_front for growth in grown.growths}) > 1:
            return Blocked("used-as-list", f"{grown.key}.insert")
        for path in self.function.layouts.paths(grown).values():
            for statement in path:
                loop = (
                    self.function.loops.of(statement) if isinstance(statement, ast.For | ast.While) else None
                )
                is_counted = layout.loop is not None and layout.loop.node is statement
                if loop is not None and loop.over in (Over.ENUMERATED, Over.ZIPPED) and not is_counted:
                    return Blocked("loop-not-understood", _header(statement))
        return None

    def placed(self, grown: Grown, layout: Layout, dtype: str) -> tuple[ast.stmt, str] | None:
        """Where to make the array, and the text of its dtype there; None where its size or dtype is not known in time."""
        first = min(
            (self.level(node, grown) for node in self.occurrences(grown)),
            key=lambda s: (s.lineno, s.col_offset),
        )
        for place in (grown.creation, first):
            text = self.function.dtype_text(dtype, place)
            needs = layout.needs | names_in(ast.parse(text))
            until = layout.loop.node if layout.loop is not None else first
            if text and self.are_known(needs, place) and self.is_kept(needs, place, until):
                return place, text
        return None

    def occurrences(self, grown: Grown) -> list[ast.AST]:
        return [growth.statement for growth in grown.growths] + list(grown.uses)

    def level(self, node: ast.AST, grown: Grown) -> ast.stmt:
        """The statement at the level of the list's creation that holds ``node``."""
        life = {id(statement) for statement in grown.life}
        here = self.function.unit.names.statement_of(node)
        while id(here) not in life:
            above = self.function.unit.names.parent(here)
            assert above is not None
            here = self.function.unit.names.statement_of(above)
        return here

    def are_known(self, names: frozenset[str] | set[str], place: ast.stmt) -> bool:
        known = self.function.reading.before.get(id(place), {})
        return all(name in known or name not in self.function.bindings.locals for name in names)

    def is_kept(
        self, names: frozenset[str] | set[str], since: ast.stmt, until: ast.stmt, is_through: bool = False
    ) -> bool:
        """Whether none of the names gets another value from one statement to the other (or to its end)."""
        first = since.lineno
        last = (until.end_lineno or until.lineno) if is_through else until.lineno - 1
        return not any(
            first <= binding.statement.lineno <= last
            for name in names
            for binding in self.function.bindings.of(name)
        )

    # -- uses ------------------------------------------------------------------------------------------------------

    def use(self, node: ast.expr, array: Array, uses: Uses) -> Use | Blocked:
        if self.is_complete(node, array.grown, array.layout):
            return uses.read(node)
        return self.read_in_loop(node, array.grown, array.layout)

    def is_complete(self, node: ast.expr, grown: Grown, layout: Layout) -> bool:
        """Whether all was added when the list is read there."""
        last = layout.level[-1]
        return self.level(node, grown).lineno > (last.end_lineno or last.lineno)

    def read_in_loop(self, node: ast.expr, grown: Grown, layout: Layout) -> Use | Blocked:
        """``xs[-1]`` of a list that began with an element, and ``len(xs)`` of one that grows."""
        parent = self.function.unit.names.parent(node)
        blocked = Blocked("read-in-loop", ast.unparse(parent) if isinstance(parent, ast.expr) else grown.key)
        if layout.is_reversed or not any(self.is_within(node, cause) for cause in layout.causes):
            return blocked
        if isinstance(parent, ast.Subscript) and parent.value is node and ast.unparse(parent.slice) == "-1":
            is_plain = isinstance(parent.ctx, ast.Load)
            if not is_plain or not grown.seeds or (not layout.grows and len(grown.growths) > 1):
                return blocked
            place = f"{grown.name}.size() - 1"
            if not layout.grows:
                growth = grown.growths[0]
                if len(growth.values) != 1 or self.is_later(node, growth.statement):
                    return blocked
                place = _less_one(layout.indices[id(growth.values[0])])
            return Use(parent, Wants.READ, lambda _: f"{grown.name}.read({place})")
        return blocked

    def is_later(self, node: ast.expr, statement: ast.stmt) -> bool:
        return node.lineno > (statement.end_lineno or statement.lineno)

    def is_within(self, node: ast.AST, statement: ast.stmt) -> bool:
        return any(
            above is statement for above in self.function.unit.names.ancestors(node, self.function.node)
        )

    # -- writing ---------------------------------------------------------------------------------------------------

    def write(self, arrays: Sequence[Array], keeps_loops: bool = False) -> Blocked | None:
        """Put all arrays into the draft; with ``keeps_loops`` somebody else writes the loops."""
        known = dict(use.known for array in arrays for use in array.uses)
        second = self.function.read(known) if known else self.function.reading
        for array in arrays:
            blocked = self.write_uses(array, second.of)
            if blocked is not None:
                return blocked
        if not keeps_loops:
            self.write_loops(arrays)
        blocked = self.write_calls(arrays)
        if blocked is not None:
            return blocked
        for array in arrays:
            self.write_growths(array)
        self.write_creations(arrays)
        return None

    def write_uses(self, array: Array, second: Callable[[ast.expr], Value]) -> Blocked | None:
        grown, tf = array.grown, self.function.tf
        uses = Uses(self.function, grown.key, grown.name, array.dtype, array.rank, array.layout.is_reversed)
        name = grown.name
        for use in array.uses:
            match use.wants:
                case Wants.STACK:
                    text = use.write(name if array.is_bound else f"{name}.stack()")
                case Wants.CONCAT:
                    text = use.write(f"{name}.concat()")
                case Wants.READ:
                    text = use.write(name)
                case Wants.SIZE:
                    size = f"{name}.size()"
                    if array.is_bound:
                        size = f"{tf}.size({name})" if array.rank == 0 else f"{tf}.shape({name})[0]"
                    written = uses.length_text(use, size, second)
                    if isinstance(written, Blocked):
                        return written
                    text = written
            self.draft.rewriting.replace(use.node, text)
        if array.is_bound:
            if any(use.wants is Wants.CONCAT for use in array.uses):
                return Blocked("used-as-list", grown.key)
            self.draft.put_after(array.layout.level[-1], f"{name} = {name}.stack()")
        return None

    def write_loops(self, arrays: Sequence[Array]) -> None:
        """Loops over rows become loops over their numbers."""
        done: set[int] = set()
        for array in arrays:
            loop, counter, tf = array.layout.loop, array.layout.counter, self.function.tf
            if loop is None or id(loop.node) in done or not isinstance(loop.node, ast.For):
                continue
            done.add(id(loop.node))
            node, replace = loop.node, self.draft.rewriting.replace
            if loop.over is Over.RANGE:
                if isinstance(node.target, ast.Name) and node.target.id != counter:
                    replace(node.target, counter)
                continue
            length = self.function.layouts.rows(loop).text
            targets = [node.target]
            if loop.over is Over.ENUMERATED:
                assert isinstance(node.target, ast.Tuple)
                targets = [node.target.elts[1]]
            elif loop.over is Over.ZIPPED and isinstance(node.target, ast.Tuple):
                targets = node.target.elts
            rows = [
                f"{ast.unparse(target)} = {ast.unparse(source)}[{counter}]"
                for target, source in zip(targets, loop.sources, strict=True)
                if any(is_used(name, node.body) for name in names_in(target))
            ]
            replace(node.target, counter)
            replace(node.iter, f"{tf}.range({length})")
            if rows:
                self.draft.put_before(node.body[0], *rows)

    def write_growths(self, array: Array) -> None:
        name, layout = array.grown.name, array.layout
        for growth in array.grown.growths:
            if not growth.values:
                continue
            values = reversed(growth.values) if layout.is_reversed else growth.values
            texts = []
            for value in values:
                index = layout.indices.get(id(value), f"{name}.size()")
                texts.append(f"{name} = {name}.write({index}, {self.element(value, array)})")
            self.draft.put(growth.statement, *texts)

    def write_calls(self, arrays: Sequence[Array]) -> Blocked | None:
        """Calls of functions that return the arrays which they add to."""
        names = {array.grown.name for array in arrays}
        calls = {id(g.statement): g.statement for a in arrays for g in a.grown.growths if not g.values}
        helpers, changed = Helpers(self.function.unit), dict[str, Helper]()
        for statement in calls.values():
            assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            helper = helpers.called(statement.value)
            assert helper is not None
            given = helper.given(statement.value)
            if not set(given) <= names:
                return Blocked("unknown-list", ast.unparse(statement))
            self.draft.put(statement, f"{', '.join(given)} = {self.draft.rewriting.text(statement.value)}")
            changed[helper.symbol] = helper
        while changed:
            _, helper = changed.popitem()
            self.write_helper(helper)
            changed.update({inner.symbol: inner for _, inner in helper.calls})
        return None

    def write_helper(self, helper: Helper) -> None:
        text, last = self.draft.rewriting.text, helper.node.body[-1]
        for name, growth in helper.growths:
            texts = [f"{name}.write({name}.size(), {text(value)})" for value in growth.values]
            is_all = helper.grown == (name,) and growth.statement is last and len(texts) == 1
            self.draft.put(
                growth.statement, *((f"return {one}" if is_all else f"{name} = {one}") for one in texts)
            )
            if is_all:
                return
        for statement, inner in helper.calls:
            assert isinstance(statement.value, ast.Call)
            self.draft.put(statement, f"{', '.join(inner.given(statement.value))} = {text(statement.value)}")
        self.draft.put_after(last, f"return {', '.join(helper.grown)}")

    def element(self, value: ast.expr, array: Array) -> str:
        text = self.draft.rewriting.text(value)
        if array.turned:
            order = "" if len(array.turned) == 2 else f", {list(array.turned)}"
            return f"{self.function.tf}.transpose({text}{order})"
        return text

    def write_creations(self, arrays: Sequence[Array]) -> None:
        by_creation: dict[int, list[Array]] = {}
        for array in arrays:
            by_creation.setdefault(id(array.grown.creation), []).append(array)
        for group in by_creation.values():
            creation = group[0].grown.creation
            stay = {array.grown.key: array for array in group if not array.is_moved}
            gone = {array.grown.key for array in group if array.is_moved}
            texts: list[str] = []
            for key, text in self.made(creation):
                if key in stay:
                    texts += self.creation(stay[key])
                elif key not in gone:
                    texts.append(text)
            self.draft.put(creation, *texts)
        for array in arrays:
            if array.is_moved:
                self.draft.put_before(array.place, *self.creation(array))

    def made(self, creation: ast.stmt) -> list[tuple[str, str]]:
        """The assignments of a creation one by one."""
        if isinstance(creation, ast.Assign) and isinstance(creation.targets[0], ast.Tuple):
            assert isinstance(creation.value, ast.Tuple)
            pairs = zip(creation.targets[0].elts, creation.value.elts, strict=True)
            return [
                (dotted(target), f"{ast.unparse(target)} = {self.draft.rewriting.text(value)}")
                for target, value in pairs
            ]
        return [(key, "") for key in made_by(self.function.unit, creation)]

    def creation(self, array: Array) -> list[str]:
        tf, name = self.function.tf, array.grown.name
        parts = [array.dtype_text]
        parts += [f"size={array.layout.size}"] if array.layout.size else ["size=0", "dynamic_size=True"]
        if array.shape:
            parts.append(f"element_shape={array.shape}")
        if any(use.wants is Wants.READ for use in array.uses):
            parts.append("clear_after_read=False")
        if any(use.wants is Wants.CONCAT for use in array.uses):
            parts.append("infer_shape=False")
        texts = [f"{name} = {tf}.TensorArray({', '.join(parts)})"]
        seeds = list(array.grown.seeds)
        if array.layout.is_reversed:
            seeds.reverse()
        for number, seed in enumerate(seeds):
            texts.append(f"{name} = {name}.write({number}, {self.element(seed, array)})")
        return texts


def _header(statement: ast.stmt) -> str:
    return ast.unparse(statement).splitlines()[0].removesuffix(":")


def _less_one(index: str) -> str:
    node = ast.parse(index, mode="eval").body
    return (summed(node, ast.unparse) - 1).text
