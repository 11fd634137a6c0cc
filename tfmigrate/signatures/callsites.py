"""What the calls of a function that stand in its own file hand over."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from functools import cached_property

from tfmigrate.project.callers import Caller
from tfmigrate.signatures.expressions import Expressions, is_in_loop
from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.signatures.values import Seen, TensorOf, Unknown, Value, leaves
from tfmigrate.syntax import dotted, snake_case
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class CallSites:
    """All calls that are seen."""

    calls: tuple[tuple[ast.Call, Seen], ...] = ()
    """Empty, unless ``is_whole``."""
    sure: tuple[tuple[ast.Call, Seen], ...] = ()
    """Those that certainly call it, whoever else may."""
    elsewhere: tuple[Seen, ...] = ()
    """What the calls in other files hand over. Empty, unless ``is_whole``."""
    is_whole: bool = True
    """No others are known of, and the function is not handed on."""
    is_traced: bool = False
    """One of them runs inside of a graph itself."""

    @property
    def seen(self) -> tuple[Seen, ...]:
        """What all calls hand over; empty unless ``is_whole``."""
        return (*(seen for _, seen in self.calls), *self.elsewhere)


@dataclass
class Sites:
    """Looks for the calls in one file."""

    unit: Unit
    expressions: Expressions = field(init=False)
    _known: dict[str, CallSites] = field(default_factory=dict)
    _others: dict[str, Sites] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.expressions = Expressions(self.unit)

    @cached_property
    def _calls(self) -> dict[tuple[int, int], list[ast.Call]]:
        found: dict[tuple[int, int], list[ast.Call]] = {}
        for node in walk(self.unit.tree):
            if isinstance(node, ast.Call):
                place = node.lineno, self.unit.column(node.lineno, node.col_offset)
                found.setdefault(place, []).append(node)
        return found

    def of(self, function: GraphFunction) -> CallSites:
        """The calls of ``function``."""
        if function.symbol not in self._known:
            self._known[function.symbol] = self._found(function)
        return self._known[function.symbol]

    def _found(self, function: GraphFunction) -> CallSites:
        calls: list[tuple[ast.Call, Seen]] = []
        elsewhere: list[Seen] = []
        is_traced, is_whole = False, True
        for caller in self.unit.index.callers(self.unit.qualified(function.symbol)):
            place = caller.line, caller.column
            if caller.path != self.unit.path:
                seen = self._elsewhere(function, caller)
                is_whole &= seen is not None
                if seen is not None:
                    elsewhere.append(seen)
                    other = self.unit.other(caller.path)
                    is_traced |= other is not None and other.local(caller.function) in other.traced
                continue
            nodes = self._calls.get(place, []) if caller.is_call else []
            found = [call for call in nodes if _last(call.func) == function.node.name]
            if len(found) != 1 or not (caller.is_certain or self._is_own(function, found[0])):
                is_whole = False
                continue
            is_traced |= self.unit.local(caller.function) in self.unit.traced
            calls.append((found[0], self.seen(function, found[0])))
        whole = (tuple(calls), tuple(elsewhere)) if is_whole else ((), ())
        return CallSites(whole[0], tuple(calls), whole[1], is_whole, is_traced)

    def _elsewhere(self, function: GraphFunction, caller: Caller) -> Seen | None:
        """What a call in another file hands over; None if that is no plain call of it, or not in sight."""
        unit = self.unit.other(caller.path) if caller.is_call and caller.is_certain else None
        if unit is None:
            return None
        sites = self._others.setdefault(caller.path, Sites(unit))
        nodes = sites._calls.get((caller.line, caller.column), [])
        found = [call for call in nodes if _last(call.func) == function.node.name]
        if len(found) != 1:
            return None
        return replace(sites.seen(function, found[0]), where=f"{caller.path}:{caller.line}")

    def likely(self, function: GraphFunction) -> list[ast.Call]:
        """Calls of a method on something whose class is not known, and that can hardly be another's.

        The object is called as the class is (``executor.policy`` of ``Executor``), no other class of the project has a
        method of that name, and each of its parameters is handed over.
        """
        if not function.owner or self._homonyms(function.node.name) != 1:
            return []
        wanted = snake_case(function.owner.rpartition(".")[2])
        found: list[ast.Call] = []
        for caller in self.unit.index.callers(self.unit.qualified(function.symbol)):
            if caller.is_certain or not caller.is_call or caller.path != self.unit.path:
                continue
            for call in self._calls.get((caller.line, caller.column), []):
                receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
                is_named = receiver is not None and dotted(receiver).rpartition(".")[2].lstrip("_") == wanted
                is_whole = len(call.args) + len(call.keywords) == len(function.parameters)
                if is_named and is_whole and _last(call.func) == function.node.name:
                    found.append(call)
        return found

    def _homonyms(self, name: str) -> int:
        """How many functions of the project have this name."""
        resolver = self.unit.index.resolver()
        views = [view for view in map(resolver.view, self.unit.index.modules) if view is not None]
        return sum(qualname.rpartition(".")[2] == name for view in views for qualname in view.functions)

    def _is_own(self, function: GraphFunction, call: ast.Call) -> bool:
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        return receiver is not None and self.expressions.is_instance(receiver, function.owner)

    def seen(self, function: GraphFunction, call: ast.Call) -> Seen:
        """What one call hands over."""
        names = [arg.arg for arg in function.parameters]
        given: dict[str, ast.expr] = dict(zip(names, call.args, strict=False))
        where = f"line {call.lineno}"
        is_plain = len(call.args) <= len(names) and not any(isinstance(one, ast.Starred) for one in call.args)
        for keyword in call.keywords:
            is_plain &= keyword.arg is not None
            given[keyword.arg or ""] = keyword.value
        if not is_plain or not given.keys() <= set(names):
            return Seen(tuple((name, Unknown()) for name in names), where)
        values = {name: self.expressions.value(node) for name, node in given.items()}
        is_many = any(self._varies(given[name], value) for name, value in values.items())
        return Seen(tuple(values.items()), where, is_many)

    def _varies(self, node: ast.expr, value: Value) -> bool:
        """Whether the call hands over other sizes in each turn of a loop."""
        turning = set(is_in_loop(self.unit, node))
        used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        is_open = any(isinstance(leaf, TensorOf) and None in leaf.shape for leaf in leaves(value))
        return is_open and bool(turning & used)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def keys(calls: CallSites) -> int:
    """How many traces the calls make at least: different shapes, dtypes and Python values."""
    known = [one for one in calls.seen if not any(isinstance(value, Unknown) for _, value in one.given)]
    many = sum(2 for one in known if one.is_many)
    return len({one.given for one in known}) + many
