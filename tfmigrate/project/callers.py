"""Who calls a function: every call site in the project that can mean it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

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


class Mention(NamedTuple):
    """One place where a name is called or handed on. There are as many as there are calls: cheap to make."""

    view: View
    function: r.FunctionRecord
    text: str
    line: int
    column: int
    in_loop: bool
    is_call: bool


@dataclass(slots=True)
class CallerTable:
    """Indexes by the last part of the name; only mentions of the asked name are resolved."""

    resolver: Resolver
    targets: Targets
    paths: dict[str, str]
    mentions: dict[str, dict[str, list[Mention]]] = field(default_factory=dict)
    """Module -> last part of a name -> its mentions; made when first asked for."""
    renames: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    everywhere: dict[str, list[list[Mention]]] = field(default_factory=dict)
    """All of them by name."""
    renamed: dict[str, set[str]] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    """Last parts of the names that a project function can go by; other calls are not worth noting."""
    known: dict[Place, tuple[Caller, ...]] = field(default_factory=dict)

    def of(self, place: Place) -> tuple[Caller, ...]:
        """All callers, in order of place."""
        if place not in self.known:
            self.known[place] = self.found(place)
        return self.known[place]

    def found(self, place: Place) -> tuple[Caller, ...]:
        found: set[Caller] = set()
        for mention in self.named(place[1].rpartition(".")[2]):
            caller = self.caller(mention, place)
            if caller is not None:
                found.add(caller)
        return tuple(
            sorted(found, key=lambda c: (c.path, c.line, c.column, c.is_call, c.function, c.is_certain))
        )

    def caller(self, mention: Mention, place: Place) -> Caller | None:
        targets = self.targets.of(mention.view, mention.function, mention.text)
        is_certain = place in targets
        if not is_certain and (targets or not self.could_be(mention, place)):
            return None
        name = ".".join(filter(None, (mention.view.name, mention.function.qualname)))
        path = self.paths[mention.view.name]
        return Caller(name, path, mention.line, mention.column, mention.in_loop, mention.is_call, is_certain)

    def could_be(self, mention: Mention, place: Place) -> bool:
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

    def named(self, name: str) -> Iterator[Mention]:
        if not self.everywhere:
            self.gather()
        names = {name}
        waiting = [name]
        while waiting:
            for new in self.renamed.get(waiting.pop(), ()):
                if new not in names:
                    names.add(new)
                    waiting.append(new)
        for one in names:
            for mentions in self.everywhere.get(one, ()):
                yield from mentions

    def gather(self) -> None:
        """Collect what is not collected yet, and sort all of it by name."""
        views = [view for view in map(self.resolver.view, self.paths) if view is not None]
        for view in views:
            if view.name not in self.renames:
                self.renames[view.name] = renames(view)
            for name, others in self.renames[view.name].items():
                self.renamed.setdefault(name, set()).update(others)
        wanted = {qualname.rpartition(".")[2] for view in views for qualname in view.functions}
        wanted.update(*self.renamed.values())
        wanted.discard("")
        if not wanted <= self.wanted:
            self.mentions.clear()
            self.wanted = wanted
        for view in views:
            if view.name not in self.mentions:
                self.mentions[view.name] = self.collect(view)
            for name, found in self.mentions[view.name].items():
                self.everywhere.setdefault(name, []).append(found)

    def take_over(self, other: CallerTable, but: Collection[str]) -> None:
        """What ``other`` has collected in files that are the same here: all ``but`` these."""
        self.wanted = set(other.wanted)
        self.renames.update((name, found) for name, found in other.renames.items() if name not in but)
        self.mentions.update((name, found) for name, found in other.mentions.items() if name not in but)

    def collect(self, view: View) -> dict[str, list[Mention]]:
        found: dict[str, list[Mention]] = {}
        for functions in view.functions.values():
            for function in functions:
                for mention in self.mentioned_in(view, function):
                    found.setdefault(mention.text.rpartition(".")[2], []).append(mention)
        return found

    def mentioned_in(self, view: View, function: r.FunctionRecord) -> Iterator[Mention]:
        wanted = self.wanted
        for callee, line, column, in_loop, references, _ in function.calls:
            if callee.rpartition(".")[2] in wanted:
                yield Mention(view, function, callee, line, column, in_loop, True)
            for _, text in references:
                if text.rpartition(".")[2] in wanted:
                    yield Mention(view, function, text, line, column, in_loop, False)
        for bindings in function.bindings.values():
            for kind, text, _ in bindings:
                if kind in (r.ALIAS, r.PARTIAL) and text.rpartition(".")[2] in wanted:
                    yield Mention(view, function, text, function.line, function.column, False, False)


def renames(view: View) -> dict[str, set[str]]:
    """Name -> under which others a thing goes in this file."""
    renamed: dict[str, set[str]] = defaultdict(set)
    for functions in view.functions.values():
        for function in functions:
            rename(function.bindings, renamed)
    rename(view.record.bindings, renamed)
    for owner in view.classes.values():
        rename(owner.bindings, renamed)
        for attribute, values in owner.self_values.items():
            for kind, text, _ in values:
                if kind in (r.ALIAS, r.PARTIAL):
                    renamed[text.rpartition(".")[2]].add(attribute)
    return dict(renamed)


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
