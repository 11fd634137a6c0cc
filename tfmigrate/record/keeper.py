"""Keeps what was seen, in bounded memory. Pure: what it is given is described already."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from tfmigrate.record.fold import joined, structure
from tfmigrate.record.model import (
    Call,
    Constructor,
    RecordedClass,
    RecordedFunction,
    Recording,
)
from tfmigrate.record.places import Definition

MOST_ENTRIES = 32
"""Constructor arguments that are told apart of one class."""
MOST_CALLS = 24
"""Structures of calls that are kept for one entry; those that raised count apart."""
DESCRIBED = 5000
"""Calls of one entry that are looked at; later ones are only counted."""
RANGED = 8
"""Calls of one structure whose values are looked at."""


@dataclass(slots=True)
class Kept:
    """The calls of one structure."""

    call: Call
    last: Call

    def add(self, call: Call) -> None:
        if call.arguments == self.last.arguments:
            self.call = replace(
                self.call, count=self.call.count + call.count, traces=self.call.traces + call.traces
            )
            return
        self.call = joined(self.call, call)
        self.last = call


@dataclass(slots=True)
class Entry:
    """What is kept of one symbol, or of the instances of one class that were made alike."""

    definition: Definition
    constructor: Constructor | None = None
    instances: int = 0
    nested_only: bool = True
    looked_at: int = 0
    kept: dict[Hashable, Kept] = field(default_factory=dict)
    samples: int = 0

    @property
    def is_full(self) -> bool:
        return self.looked_at >= DESCRIBED

    def is_ranged(self, call: Call) -> bool:
        """Whether the values of a call like this one were looked at often enough."""
        known = self.kept.get(structure(call))
        return known is not None and known.call.count >= RANGED

    def is_new(self, call: Call) -> bool:
        return structure(call) not in self.kept

    def add(self, call: Call, nested: bool) -> None:
        """Keep ``call``."""
        self.looked_at += 1
        self.nested_only = self.nested_only and nested
        key = structure(call)
        known = self.kept.get(key)
        if known is not None:
            known.add(call)
            return
        alike = sum(1 for kept in self.kept.values() if bool(kept.call.raised) == bool(call.raised))
        if alike < MOST_CALLS:
            self.kept[key] = Kept(call, call)

    def calls(self) -> tuple[Call, ...]:
        return tuple(kept.call for kept in self.kept.values())


@dataclass(slots=True)
class FunctionEntry(Entry):
    """A ``tf.function``."""

    jit_compile: bool | None = None
    has_signature: bool = False
    traces: int = 0
    wrappers: int = 0


class Keeper:
    """All entries of one process. May be used from several threads."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._classes: dict[Definition, dict[str, Entry]] = {}
        self._functions: dict[Definition, FunctionEntry] = {}

    def made(self, definition: Definition, constructor: Constructor) -> Entry:
        """The entry of an instance that was made with these arguments; further kinds share the last entry."""
        with self.lock:
            entries = self._classes.setdefault(definition, {})
            key = repr(constructor)  # 1, 1.0 and True are equal, and not the same
            if key not in entries and len(entries) >= MOST_ENTRIES:
                return Entry(definition, constructor)  # Seen, and not kept.
            entry = entries.setdefault(key, Entry(definition, constructor))
            entry.instances += 1
            return entry

    def unmade(self, entry: Entry) -> None:
        """The instance was made with other arguments than was said."""
        with self.lock:
            entry.instances -= 1
            if entry.instances <= 0:
                self._classes.get(entry.definition, {}).pop(repr(entry.constructor), None)

    def function(self, definition: Definition) -> FunctionEntry:
        """The entry of a tf.function."""
        with self.lock:
            return self._functions.setdefault(definition, FunctionEntry(definition))

    def forget_calls(self) -> None:
        """In a forked process: what the parent saw is the parent's."""
        self.lock = threading.RLock()
        for entry in self._functions.values():
            entry.traces = entry.wrappers = 0
            entry.kept.clear()
        for entries in self._classes.values():
            for one in entries.values():
                one.instances = 0
                one.kept.clear()

    def recording(self, versions: dict[str, str]) -> Recording:
        """What was seen so far."""
        with self.lock:
            classes = [entry for entries in self._classes.values() for entry in entries.values()]
            return Recording(
                tuple(_class(entry) for entry in classes),
                tuple(_function(entry) for entry in self._functions.values()),
                versions,
            )


def _class(entry: Entry) -> RecordedClass:
    where = entry.definition
    nested = entry.nested_only and bool(entry.kept)
    constructor = entry.constructor or Constructor()
    return RecordedClass(
        where.name, where.file, where.line, constructor, entry.calls(), entry.instances, nested
    )


def _function(entry: FunctionEntry) -> RecordedFunction:
    where = entry.definition
    return RecordedFunction(
        where.name,
        where.file,
        where.line,
        entry.jit_compile,
        entry.has_signature,
        entry.traces,
        entry.calls(),
        entry.constructor,
        max(1, entry.wrappers),
    )
