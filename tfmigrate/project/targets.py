"""Which project functions a call, or a function passed as an argument, can run."""

from __future__ import annotations

from dataclasses import dataclass

from tfmigrate.project import records as r
from tfmigrate.project.classes import ClassTable, Place
from tfmigrate.project.keras import Kind
from tfmigrate.project.resolve import Resolver, View

_DEEPEST = 5
"""Aliases of aliases are followed this far."""


@dataclass(frozen=True, slots=True)
class Targets:
    resolver: Resolver
    classes: ClassTable

    def of(self, view: View, function: r.FunctionRecord, dotted: str, depth: int = 0) -> tuple[Place, ...]:
        """The functions that ``dotted`` means inside ``function``; none where that is unknown or no project code."""
        if "<lambda:" in dotted:
            return ((view.name, dotted),)
        head, _, rest = dotted.partition(".")
        if not head or depth > _DEEPEST:
            return ()
        if function.owner and rest and head == function.self_name:
            return self.on_instance(f"{view.name}.{function.owner}", rest, depth)
        if head == "super()" and function.owner and rest and "." not in rest:
            owner = f"{view.name}.{function.owner}"
            found = self.classes.inherited(owner, rest, after=owner)
            return (found,) if found is not None else ()
        if "(" in dotted:
            return self.on_result(view, function, dotted)
        qualified = self.resolver.resolve_in(view, dotted, function.qualname)
        if qualified is not None:
            return self.named(qualified)
        return self.through_local(view, function, head, rest, depth)

    def named(self, qualified: str) -> tuple[Place, ...]:
        """A function by its canonical name; methods also by inheritance."""
        place = self.resolver.split(qualified)
        view = self.resolver.view(place[0]) if place is not None else None
        if place is None or view is None or not place[1]:
            return ()
        if place[1] in view.functions:
            return (place,)
        owner, _, name = place[1].rpartition(".")
        found = self.classes.inherited(f"{place[0]}.{owner}", name) if owner in view.classes else None
        return (found,) if found is not None else ()

    def on_result(self, view: View, function: r.FunctionRecord, dotted: str) -> tuple[Place, ...]:
        """``Class().method``."""
        made, _, method = dotted.rpartition("().")
        if not made or "(" in made or "." in method:
            return ()
        qualified = self.resolver.resolve_in(view, made, function.qualname)
        found = self.classes.inherited(qualified, method) if qualified is not None else None
        return (found,) if found is not None else ()

    def through_local(
        self, view: View, function: r.FunctionRecord, head: str, rest: str, depth: int
    ) -> tuple[Place, ...]:
        """``step = self.helper; step()``, ``net = Net(); net.helper()``, ``f = partial(g); f()``."""
        holder = self.holder(view, function, head)
        if holder is None:
            return ()
        found: list[Place] = []
        for kind, text, _ in holder.bindings[head]:
            if kind in (r.ALIAS, r.PARTIAL):
                if text.partition(".")[0] != head:
                    found += self.of(view, holder, f"{text}.{rest}" if rest else text, depth + 1)
            elif kind == r.RESULT:
                found += self.on_type(view, holder, text, rest)
        return tuple(dict.fromkeys(found))

    def holder(self, view: View, function: r.FunctionRecord, name: str) -> r.FunctionRecord | None:
        """The enclosing function that binds a local name to something that can be followed."""
        while True:
            if name in function.hidden:
                return None
            if name in function.bindings:
                return function
            parent = view.functions.get(function.parent)
            if not function.parent or parent is None:
                return None
            function = parent[-1]

    def on_type(self, view: View, function: r.FunctionRecord, made_by: str, rest: str) -> tuple[Place, ...]:
        """A method (or the call) of an instance made by ``made_by()``."""
        qualified = self.class_named(view, function, made_by)
        if qualified is None or "." in rest:
            return ()
        if not rest and self.classes.kind(qualified) not in (Kind.NONE, Kind.MODULE):
            return ()  # a Keras object: its own `call` is a root
        found = self.classes.inherited(qualified, rest or "__call__")
        return (found,) if found is not None else ()

    def class_named(self, view: View, function: r.FunctionRecord, dotted: str) -> str | None:
        qualified = self.resolver.resolve_in(view, dotted, function.qualname)
        return qualified if qualified is not None and self.classes.record(qualified) is not None else None

    def on_instance(self, owner: str, rest: str, depth: int) -> tuple[Place, ...]:
        """``self.method``, ``self.attribute`` that holds a function, ``self.attribute.method``."""
        name, _, more = rest.partition(".")
        if "." in more or "(" in rest:
            return ()
        if not more:
            found = self.classes.reachable(owner, name)
            if found:
                return found
        values: list[Place] = []
        for base in self.classes.mro(owner):
            values += self.attribute(base, name, more, depth)
        return tuple(dict.fromkeys(values))

    def attribute(self, owner: str, name: str, more: str, depth: int) -> list[Place]:
        """What ``self.name`` (``.more``) was set to in the methods or the body of one class."""
        record = self.classes.record(owner)
        place = self.resolver.split(owner)
        view = self.resolver.view(place[0]) if place is not None else None
        if record is None or view is None:
            return []
        found: list[Place] = []
        for kind, text, where in record.self_values.get(name, ()):
            function = view.functions[where][-1]
            if kind == r.RESULT:
                found += self.on_type(view, function, text, more)
            elif kind == r.FUNCTION and not more:
                found.append((view.name, text))
            elif kind in (r.ALIAS, r.PARTIAL):
                found += self.of(view, function, f"{text}.{more}" if more else text, depth + 1)
        for kind, text, _ in record.bindings.get(name, ()):
            if kind in (r.ALIAS, r.PARTIAL) and not more:
                qualified = self.resolver.resolve_in(view, text, record.qualname)
                found += self.named(qualified) if qualified is not None else ()
        return found
