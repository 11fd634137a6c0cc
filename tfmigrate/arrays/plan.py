"""All that is found in the traced functions of a file, and what becomes of it: one group for each function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tfmigrate.arrays.comprehensions import Comprehensions
from tfmigrate.arrays.decide import Array, Decider
from tfmigrate.arrays.function import Function
from tfmigrate.arrays.helpers import Helpers
from tfmigrate.arrays.items import Items
from tfmigrate.arrays.lists import Grown, Growth, Lists
from tfmigrate.arrays.lowered import lower
from tfmigrate.arrays.mapped import Mapper
from tfmigrate.arrays.outcome import Draft, Place
from tfmigrate.arrays.scratch import records, strangers
from tfmigrate.arrays.signs import has_signs
from tfmigrate.arrays.static import is_static_range, is_unrollable
from tfmigrate.arrays.unrolled import Unrolled
from tfmigrate.arrays.writes import write_back
from tfmigrate.blocked import Blocked
from tfmigrate.draws.entries import Entries
from tfmigrate.draws.text import Rewriting
from tfmigrate.imports import tensorflow_name
from tfmigrate.syntax import own_nodes
from tfmigrate.unit import Unit


@dataclass(slots=True)
class Group:
    """What was found in one function: all of it goes, or nothing does."""

    symbol: str
    places: list[Place] = field(default_factory=list)
    draft: Draft | None = None

    def joined(self, places: list[Place]) -> Group:
        return Group(self.symbol, [*self.places, *places], self.draft)


@dataclass(slots=True)
class Planner:
    """Plans for one file."""

    unit: Unit
    entries: Entries

    def groups(self) -> Iterator[Group]:
        symbols = [symbol for symbol in self.unit.traced if symbol in self.unit.functions]
        for symbol in sorted(symbols, key=lambda s: self.unit.functions[s].lineno):
            yield from (group for group in self.planned(symbol) if group.places)

    def planned(self, symbol: str) -> Iterator[Group]:
        node = self.unit.functions[symbol]
        if isinstance(node, ast.Lambda) or not has_signs(self.unit, node):
            return
        name = tensorflow_name(self.unit, symbol)
        tf = name.name if name is not None and name.after is None else ""
        function = Function(self.unit, self.entries, symbol, tf or "tf")
        writes = Group(symbol)
        writes.draft = Draft(Rewriting(self.unit))
        writes.places += write_back(function, writes.draft)
        lists = self.lists(function)
        others = Group(symbol, [*records(function), *strangers(function)])
        if not (writes.places or lists.places or others.places):
            return
        blocked = self.blocked(symbol)
        if blocked is None and not tf:
            blocked = Blocked("no-tensorflow-name")
        if blocked is not None:
            places = [*writes.places, *lists.places]
            yield Group(symbol, [replace(place, blocked=place.blocked or blocked) for place in places])
            return
        if lists.draft is not None and not any(place.blocked for place in writes.places):
            writes = lists.joined(list(write_back(function, lists.draft)))
            lists = Group(symbol)
        if any(place.blocked for place in writes.places):
            writes.draft = None
        yield from (writes, lists, others)

    def lists(self, function: Function) -> Group:
        """The lists of a function, and the comprehensions."""
        group = Group(function.symbol)
        unrolled = self.unrolled(function)
        grown = list(self.grown(function))
        draft = Draft(function.rewriting)
        others = [*Comprehensions(function, draft).places(), *Items(function, draft).places()]
        if not grown:
            pass  # Whether AutoGraph converts a function takes long to find out.
        elif function.has_autograph:
            self.arrays(function, grown, group, draft)
        else:
            self.without_autograph(function, grown, group, draft)
        group.places += others
        for loop in unrolled:
            if any(function.layouts.is_cause(loop, one) for one in grown):
                assert isinstance(loop.iter, ast.Call)
                draft.rewriting.replace(loop.iter.func, f"{function.tf}.range")
        failed = [place for place in group.places if place.blocked is not None]
        if not failed:
            group.draft = draft if group.places else None
        elif len(failed) < len(group.places):
            whole = Blocked("function-stays-whole")
            group.places = [replace(place, blocked=place.blocked or whole) for place in group.places]
        return group

    def unrolled(self, function: Function) -> list[ast.For]:
        """Long loops that Python runs, if they are to become loops of the graph."""
        if self.unit.unrolled is None or not function.has_autograph:
            return []
        found = list(Unrolled(function, self.unit.unrolled).loops())
        function.loops = replace(function.loops, unrolled=frozenset(map(id, found)))
        return found

    def without_autograph(self, function: Function, grown: list[Grown], group: Group, draft: Draft) -> None:
        """Where Keras runs the code as it stands: a loop that Python can run, ``tf.map_fn`` or ``tf.while_loop``."""
        unrolled: dict[int, ast.For] = {}
        left: list[tuple[Grown, Blocked]] = []
        for one in grown:
            loops = self.static_loops(function, one)
            if not loops:
                blocked = Mapper(function, draft).write(one)
                if blocked is not None:
                    left.append((one, blocked))
                    continue
            unrolled.update({id(loop): loop for loop in loops})
            done = "over Python numbers, and stays a list" if loops else "written with tf.map_fn"
            place = self.place(function, one, None)
            code = "TFM309" if loops else place.code
            group.places.append(replace(place, code=code, message=f"{place.message}: the loop is {done}"))
        for loop in unrolled.values():
            assert isinstance(loop.iter, ast.Call)
            draft.rewriting.replace(loop.iter.func, "range")
        left = [(one, blocked) for one, blocked in left if self.is_certain(function, one)]
        if left:
            self.with_while_loops(function, left, group, draft)

    def with_while_loops(
        self, function: Function, left: list[tuple[Grown, Blocked]], group: Group, draft: Draft
    ) -> None:
        """What needs a loop with state."""
        decider = Decider(function, draft, is_compiled=True)
        arrays, failed = self.decided(function, decider, [one for one, _ in left])
        blocked = None if failed else lower(function, decider, arrays, draft)
        for one, why in left:
            array = next((array for array in arrays if array.grown is one), None)
            reason = failed.get(id(one)) or blocked or (Blocked("function-stays-whole") if failed else None)
            if reason is not None and reason.reason == "not-in-xla":
                reason = why  # No array would do here, and what is missing for tf.map_fn can be told.
            place = self.place(function, one, reason, array if reason is None else None)
            message = place.message if reason is not None else f"{place.message}, the loop is a tf.while_loop"
            group.places.append(replace(place, message=message))

    def static_loops(self, function: Function, grown: Grown) -> list[ast.For]:
        """The loops around the additions, if Python can run each of them."""
        found: list[ast.For] = []
        for path in function.layouts.paths(grown).values():
            for statement in path:
                if not function.layouts.is_of_graph(statement):
                    continue
                is_static = isinstance(statement, ast.For) and is_static_range(function, statement.iter)
                if (
                    not is_static
                    or not isinstance(statement, ast.For)
                    or not is_unrollable(function, statement)
                ):
                    return []
                found.append(statement)
        return found

    def arrays(self, function: Function, grown: list[Grown], group: Group, draft: Draft) -> None:
        """Where AutoGraph converts the code: the loops stay, and the lists become arrays."""
        decider = Decider(function, draft, self.entries.is_compiled(function.symbol))
        arrays, failed = self.decided(function, decider, grown)
        if not failed and arrays:
            blocked = decider.write(arrays)
            shared = draft.is_shared(self.unit) if blocked is None else None
            if shared is not None:
                blocked = Blocked("line-shared", ast.unparse(shared).splitlines()[0])
            if blocked is not None:
                failed = {id(one): blocked for one in grown}
        if not failed:
            group.places += [self.place(function, array.grown, None, array) for array in arrays]
            return
        if not any(self.is_certain(function, one) for one in grown):
            return  # Perhaps no loop of a graph at all.
        for one in grown:
            why = failed.get(id(one), Blocked("function-stays-whole"))
            group.places.append(self.place(function, one, why))

    def decided(
        self, function: Function, decider: Decider, grown: list[Grown]
    ) -> tuple[list[Array], dict[int, Blocked]]:
        """The arrays, and why other lists stay (by the id of the list)."""
        arrays: list[Array] = []
        failed: dict[int, Blocked] = {}
        todo = grown
        while todo:
            found = [(one, decider.array(one)) for one in todo]
            new = [array for _, array in found if isinstance(array, Array)]
            failed = {id(one): array for one, array in found if isinstance(array, Blocked)}
            arrays += new
            if not failed or not new:
                break
            # What is known of the one may tell of what type the elements of the other are.
            function.learn(dict(use.known for array in arrays for use in array.uses))
            todo = [one for one, array in found if isinstance(array, Blocked)]
        arrays.sort(key=lambda array: array.grown.creation.lineno)
        return arrays, failed

    def grown(self, function: Function) -> Iterator[Grown]:
        """The lists that grow in loops or branches of the graph."""
        lists = Lists(self.unit, function.bindings)
        found = lists.growths()
        for key, helped in Helpers(self.unit).growths(iter(own_nodes(function.node))).items():
            if lists.creations(key):
                found.setdefault(key, []).extend(growth for growth, _ in helped)
        for key, growths in found.items():
            for one in lists.find(key, growths):
                if function.layouts.causes(one):
                    yield one

    def is_certain(self, function: Function, grown: Grown) -> bool:
        """Whether one of the loops or branches is certainly of the graph."""
        for cause in function.layouts.causes(grown):
            loop = function.loops.of(cause) if isinstance(cause, ast.For | ast.While) else None
            if loop is None or loop.is_certain:
                return True
        return False

    def blocked(self, symbol: str) -> Blocked | None:
        blocked = self.entries.blocked(symbol)
        return blocked if blocked is not None and blocked.reason != "also-runs-untraced" else None

    def place(
        self, function: Function, grown: Grown, blocked: Blocked | None, array: Array | None = None
    ) -> Place:
        cause = function.layouts.causes(grown)[0]
        paths = function.layouts.paths(grown)
        inside = [growth for growth in grown.growths if paths[id(growth.statement)]]
        statement = (inside or list(grown.growths))[0].statement
        is_loop = isinstance(cause, ast.For | ast.While)
        where = "a loop" if is_loop else "a branch"
        message = f"the list `{grown.key}` grows in {where} of the graph in `{function.symbol}`"
        if array is not None:
            message += ": kept in a tf.TensorArray"
            message += " of growing size, which XLA does not compile" if array.layout.grows else ""
        code = "TFM301" if is_loop else "TFM302"
        if id(cause) in function.loops.unrolled:
            code = "TFM308"
            message = message.replace("a loop of the graph", "a long loop that Python unrolls")
        code = "TFM304" if not inside_values(inside or list(grown.growths)) else code
        return Place(statement, "TFM305" if "." in grown.key else code, message, blocked)


def inside_values(growths: list[Growth]) -> bool:
    """Whether the first of the additions says itself what is added."""
    return bool(growths[0].values)
