"""Classes across files: bases, linearisation, subclasses, kinds, and which definition a method call can reach."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from tfmigrate.project import records as r
from tfmigrate.project.keras import Kind, is_unimportant_base, library_kind
from tfmigrate.project.resolve import Resolver

Place = tuple[str, str]
"""(module, qualname) of something that a project file defines."""


@dataclass(slots=True)
class ClassTable:
    """Answers about classes, computed when asked for."""

    resolver: Resolver
    bases_of: dict[str, tuple[str, ...]] = field(default_factory=dict)
    mro_of: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kind_of: dict[str, Kind] = field(default_factory=dict)
    children: dict[str, list[str]] | None = None
    below: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reached: dict[tuple[str, str], tuple[Place, ...]] = field(default_factory=dict)

    def record(self, qualified: str) -> r.ClassRecord | None:
        place = self.resolver.split(qualified)
        if place is None or not place[1]:
            return None
        view = self.resolver.view(place[0])
        return view.classes.get(place[1]) if view is not None else None

    def bases(self, qualified: str) -> tuple[str, ...]:
        """Resolved direct bases; ``?`` and the text where a base cannot be resolved."""
        if qualified not in self.bases_of:
            self.bases_of[qualified] = self._bases(qualified)
        return self.bases_of[qualified]

    def _bases(self, qualified: str) -> tuple[str, ...]:
        record = self.record(qualified)
        place = self.resolver.split(qualified)
        if record is None or place is None:
            return ()
        found = []
        for text in record.bases:
            base = None if text == "?" else self.resolver.resolve(place[0], text, record.parent)
            if base is None and text.endswith("()"):
                maker = self.resolver.resolve(place[0], text.removesuffix("()"), record.parent)
                text = f"{maker or text.removesuffix('()')}()"
            if base is None or (self.resolver.is_project(base) and self.record(base) is None):
                base = text if text.startswith("?") else f"?{text}"
            found.append(base)
        return tuple(found)

    def mro(self, qualified: str) -> tuple[str, ...]:
        """The visible linearisation, the class itself first; library bases by canonical name."""
        if qualified not in self.mro_of:
            self.mro_of[qualified] = (qualified,)  # cuts cycles
            lines = [list(self.mro(base)) for base in self.bases(qualified)]
            merged = _merge([*lines, list(self.bases(qualified))])
            self.mro_of[qualified] = (qualified, *(name for name in merged if name != qualified))
        return self.mro_of[qualified]

    def kind(self, qualified: str) -> Kind:
        """Model before layer before unknown before ``tf.Module``."""
        if qualified not in self.kind_of:
            self.kind_of[qualified] = self._kind(qualified)
        return self.kind_of[qualified]

    def _kind(self, qualified: str) -> Kind:
        if self.record(qualified) is None:
            return Kind.NONE if self.resolver.is_project(qualified) else library_kind(qualified)
        kinds = {
            library_kind(base)
            for base in self.mro(qualified)[1:]
            if not is_unimportant_base(base) and self.record(base) is None
        }
        for kind in (Kind.MODEL, Kind.LAYER, Kind.UNKNOWN, Kind.MODULE):
            if kind in kinds:
                return kind
        return Kind.NONE

    def inherits(self, qualified: str, bases: Iterable[str]) -> bool:
        mro = self.mro(qualified)
        return any(base in mro for base in bases)

    def subclasses(self, qualified: str) -> tuple[str, ...]:
        """All project classes below, nearest first."""
        if qualified not in self.below:
            children = self.direct_children()
            found: dict[str, None] = {}
            waiting = list(children.get(qualified, ()))
            while waiting:
                name = waiting.pop(0)
                if name not in found and name != qualified:
                    found[name] = None
                    waiting.extend(children.get(name, ()))
            self.below[qualified] = tuple(found)
        return self.below[qualified]

    def direct_children(self) -> dict[str, list[str]]:
        if self.children is None:
            children: dict[str, list[str]] = defaultdict(list)
            for name in self.all_classes():
                for base in self.bases(name):
                    children[base].append(name)
            self.children = dict(children)
        return self.children

    def all_classes(self) -> Iterable[str]:
        for module, record in self.resolver.records.items():
            for found in record.classes:
                yield f"{module}.{found.qualname}"

    def defined(self, owner: str, method: str) -> Place | None:
        """Where ``owner`` itself defines the method."""
        record = self.record(owner)
        place = self.resolver.split(owner)
        if record is None or place is None or method not in record.methods:
            return None
        return place[0], record.methods[method]

    def inherited(self, owner: str, method: str, after: str = "") -> Place | None:
        """The first definition in the linearisation of ``owner``; with ``after``, of what comes behind that class."""
        mro = self.mro(owner)
        start = mro.index(after) + 1 if after in mro else 0
        for name in mro[start:]:
            found = self.defined(name, method)
            if found is not None:
                return found
        return None

    def reachable(self, owner: str, method: str) -> tuple[Place, ...]:
        """Every definition that ``self.method()`` in ``owner`` can run: its own, inherited, or a subclass's."""
        key = (owner, method)
        if key not in self.reached:
            found = [self.inherited(owner, method)]
            found += [self.inherited(name, method) for name in self.subclasses(owner)]
            self.reached[key] = tuple(dict.fromkeys(place for place in found if place is not None))
        return self.reached[key]


def _merge(lines: list[list[str]]) -> list[str]:
    """C3; where Python would refuse the order, the first candidate goes."""
    found: list[str] = []
    lines = [line for line in lines if line]
    while lines:
        head = next(
            (line[0] for line in lines if not any(line[0] in other[1:] for other in lines)), lines[0][0]
        )
        found.append(head)
        lines = [[name for name in line if name != head] for line in lines]
        lines = [line for line in lines if line]
    return found
