"""Who calls a function: every call site in the project that can mean it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
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


@dataclass(frozen=True, slots=True)
class Mentions:
    """One file's, by the last part of the name; and under which other names a thing goes there."""

    by_name: dict[str, list[Mention]]
    renamed: dict[str, set[str]]


@dataclass(slots=True)
class CallerTable:
    """Indexes by the last part of the name; only mentions of the asked name are resolved."""

    resolver: Resolver
    targets: Targets
    paths: dict[str, str]
    mentions: dict[str, Mentions] = field(default_factory=dict)
    """By module; made when first asked for."""
    everywhere: dict[str, list[list[Mention]]] = field(default_factory=dict)
    """All of them by name."""
    renamed: dict[str, set[str]] = field(default_factory=dict)

    def of(self, place: Place) -> tuple[Caller, ...]:
        """All callers, in order of place."""
        found: set[Caller] = set()
        for mention in self.named(place[1].rpartition(".")[2]):
            caller = self.caller(mention, place)
            if caller is not None:
                found.add(caller)
        return tuple(sorted(found, key=lambda c: (c.path, c.line, c.column, c.is_call)))

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
        for module in self.paths:
            view = self.resolver.view(module)
            assert view is not None
            if module not in self.mentions:
                self.mentions[module] = self.collect(view)
            for name, found in self.mentions[module].by_name.items():
                self.everywhere.setdefault(name, []).append(found)
            for name, others in self.mentions[module].renamed.items():
                self.renamed.setdefault(name, set()).update(others)

    def collect(self, view: View) -> Mentions:
        found: dict[str, list[Mention]] = defaultdict(list)
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
        return Mentions(dict(found), dict(renamed))

    @staticmethod
    def collect_function(view: View, function: r.FunctionRecord, found: dict[str, list[Mention]]) -> None:
        for callee, line, column, in_loop, references, _ in function.calls:
            if callee:
                mention = Mention(view, function, callee, line, column, in_loop, True)
                found[callee.rpartition(".")[2]].append(mention)
            for _, text in references:
                mention = Mention(view, function, text, line, column, in_loop, False)
                found[text.rpartition(".")[2]].append(mention)
        for bindings in function.bindings.values():
            for kind, text, _ in bindings:
                if kind in (r.ALIAS, r.PARTIAL):
                    mention = Mention(view, function, text, function.line, function.column, False, False)
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
