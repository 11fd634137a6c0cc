"""Who calls a function: every call site in the project that can mean it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from tfmigrate.project import records as r
from tfmigrate.project.classes import Place
from tfmigrate.project.resolve import Resolver, View
from tfmigrate.project.targets import Targets


@dataclass(frozen=True, slots=True, order=True)
class Caller:
    """One place that calls a function, or hands it on."""

    function: str
    """Qualified name of the function that holds the call; the module's name for its own body."""
    path: str
    line: int
    column: int
    in_loop: bool
    is_call: bool = True
    """False: it is passed as an argument, kept in an alias, or decorates."""
    is_certain: bool = True
    """False: a method of that name is called on an object of which nothing is known."""


@dataclass(frozen=True, slots=True)
class _Mention:
    view: View
    function: r.FunctionRecord
    text: str
    line: int
    column: int
    in_loop: bool
    is_call: bool


@dataclass(frozen=True, slots=True)
class _Mentions:
    """One file's, by the last part of the name; and under which other names a thing goes there."""

    by_name: dict[str, list[_Mention]]
    renamed: dict[str, set[str]]


@dataclass(slots=True)
class CallerTable:
    """Indexes by the last part of the name; only mentions of the asked name are resolved."""

    resolver: Resolver
    targets: Targets
    paths: dict[str, str]
    mentions: dict[str, _Mentions] = field(default_factory=dict)
    """By module; made when first asked for."""

    def of(self, place: Place) -> tuple[Caller, ...]:
        """All callers, in order of place."""
        found: set[Caller] = set()
        for mention in self.named(place[1].rpartition(".")[2]):
            caller = self.caller(mention, place)
            if caller is not None:
                found.add(caller)
        return tuple(sorted(found, key=lambda c: (c.path, c.line, c.column, c.is_call)))

    def caller(self, mention: _Mention, place: Place) -> Caller | None:
        targets = self.targets.of(mention.view, mention.function, mention.text)
        is_certain = place in targets
        if not is_certain and (targets or not self.could_be(mention, place)):
            return None
        name = ".".join(filter(None, (mention.view.name, mention.function.qualname)))
        path = self.paths[mention.view.name]
        return Caller(name, path, mention.line, mention.column, mention.in_loop, mention.is_call, is_certain)

    def could_be(self, mention: _Mention, place: Place) -> bool:
        """``something.method`` where nothing is known of ``something`` and ``place`` is a method."""
        view = self.resolver.view(place[0])
        is_method = view is not None and view.functions[place[1]][-1].parent in view.classes
        receiver, _, name = mention.text.rpartition(".")
        if not is_method or not receiver or name != place[1].rpartition(".")[2] or name.startswith("__"):
            return False
        if receiver == mention.function.self_name or receiver.startswith("super()"):
            return False
        return (
            self.resolver.resolve_in(mention.view, receiver.replace("()", ""), mention.function.qualname)
            is None
        )

    def named(self, name: str) -> Iterator[_Mention]:
        for module in self.paths:
            view = self.resolver.view(module)
            if module not in self.mentions and view is not None:
                self.mentions[module] = self.collect(view)
        names = {name}
        waiting = [name]
        while waiting:
            old = waiting.pop()
            for mentions in self.mentions.values():
                for new in mentions.renamed.get(old, ()):
                    if new not in names:
                        names.add(new)
                        waiting.append(new)
        for mentions in self.mentions.values():
            for one in names:
                yield from mentions.by_name.get(one, ())

    def collect(self, view: View) -> _Mentions:
        found: dict[str, list[_Mention]] = defaultdict(list)
        renamed: dict[str, set[str]] = defaultdict(set)
        for functions in view.functions.values():
            for function in functions:
                self.collect_function(view, function, found)
                rename(function.bindings, renamed)
        rename(view.record.bindings, renamed)
        for owner in view.classes.values():
            rename(owner.bindings, renamed)
            for attribute, values in owner.self_values.items():
                for kind, text, _ in values:
                    if kind in (r.ALIAS, r.PARTIAL):
                        renamed[text.rpartition(".")[2]].add(attribute)
        return _Mentions(dict(found), dict(renamed))

    @staticmethod
    def collect_function(view: View, function: r.FunctionRecord, found: dict[str, list[_Mention]]) -> None:
        for call in function.calls:
            place = (call.line, call.column, call.in_loop)
            if call.callee:
                last = call.callee.rpartition(".")[2]
                found[last].append(_Mention(view, function, call.callee, *place, True))
            for _, text in call.references:
                found[text.rpartition(".")[2]].append(_Mention(view, function, text, *place, False))
        for bindings in function.bindings.values():
            for kind, text, _ in bindings:
                if kind in (r.ALIAS, r.PARTIAL):
                    mention = _Mention(view, function, text, function.line, function.column, False, False)
                    found[text.rpartition(".")[2]].append(mention)


def rename(bindings: r.Bindings, renamed: dict[str, set[str]]) -> None:
    """Note under which other names a function can be called."""
    for name, found in bindings.items():
        for kind, payload, _ in found:
            old = (
                payload[2]
                if kind == r.FROM
                else payload.rpartition(".")[2] if kind in (r.ALIAS, r.PARTIAL) else name
            )
            if old != name:
                renamed[old].add(name)
