"""From source files to the facts of all modules that matter.

Files that mention neither TensorFlow nor Keras are read only if the others import them or they import the others. Files
that are imported but were not handed in are read from disk: a base class beside the one file that the user names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.project import cache
from tfmigrate.project import records as r
from tfmigrate.project.canonical import LIBRARY_ROOTS
from tfmigrate.project.disk import Disk
from tfmigrate.project.modules import ModuleFile, ModuleTable, add_module, name_modules
from tfmigrate.project.store import FactStore, mentions_tensorflow, without_collector

if TYPE_CHECKING:
    from tfmigrate.source import SourceFile

__all__ = ["Gathered", "gather", "mentions_tensorflow", "without_collector"]

_MOST_FROM_DISK = 5_000


@dataclass(frozen=True, slots=True)
class Gathered:
    """The project's modules and their facts."""

    table: ModuleTable
    records: dict[str, r.ModuleRecord]
    texts: dict[str, int]
    """Module -> hash of the text that its facts are from; means nothing in another process."""


@dataclass(slots=True)
class Gatherer:
    """Loads facts in waves: what matters by itself, what that imports, and what imports that."""

    store: FactStore
    table: ModuleTable
    roots: list[str]
    names: dict[str, str]
    """Path as printed -> module."""
    disk: Disk
    records: dict[str, r.ModuleRecord] = field(default_factory=dict)
    loaded: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    foreign: set[tuple[str, str]] = field(default_factory=set)
    """(folder, first part) of imports that no place on disk can answer."""
    on_disk: dict[str, bool] = field(default_factory=dict)
    from_disk: int = 0

    def run(self) -> None:
        """Fill ``records`` until nothing new is reached."""
        wave = [self.names[path] for path in self.store.seeds]
        while wave:
            self.load(wave)
            wave = list(dict.fromkeys(self.imported_by(wave)))
            if not wave:
                wave = self.importers()

    def load(self, wave: list[str]) -> None:
        self.loaded.update(wave)
        for path, record in self.store.records(self.table.by_name[name].path for name in wave):
            self.records[self.names[path]] = record

    def imported_by(self, wave: list[str]) -> Iterator[str]:
        for name in wave:
            record = self.records.get(name)
            for level, module in record.imports if record is not None else ():
                found = self.module(self.table.by_name[name], level, module)
                if found is not None and found not in self.loaded:
                    yield found

    def importers(self) -> list[str]:
        """Files set aside that import one of those that were read."""
        found = []
        for path, imports in self.store.imports.items():
            name = self.names[path]
            file = self.table.by_name[name]
            if name not in self.loaded and any(self.means_loaded(file, *imported) for imported in imports):
                found.append(name)
        return found

    def means_loaded(self, file: ModuleFile, level: int, module: str) -> bool:
        relative = self.table.relative(file.name, level, module) if level else None
        return (relative if level else self.table.find(module, file.folder)) in self.loaded

    def module(self, importer: ModuleFile, level: int, dotted: str) -> str | None:
        if level:
            found = self.table.relative(importer.name, level, dotted)
            return found if found is not None else self.relative_from_disk(importer, level, dotted)
        head = dotted.partition(".")[0]
        if head in LIBRARY_ROOTS:
            return None
        found = self.table.find(dotted, importer.folder)
        if found is not None or (importer.folder, head) in self.foreign:
            return found
        return self.absolute_from_disk(importer.folder, dotted)

    # Files that were not handed in

    def relative_from_disk(self, importer: ModuleFile, level: int, dotted: str) -> str | None:
        folder = importer.folder
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        return self.take(f"{folder}/{dotted.replace('.', '/')}" if dotted else folder)

    def absolute_from_disk(self, importing: str, dotted: str) -> str | None:
        """Looks in the folder above the importing file's packages, and in the roots."""
        folder = importing
        while folder in self.table.packages:
            folder = os.path.dirname(folder)
        head = dotted.partition(".")[0]
        places = [place for place in dict.fromkeys((folder, *self.roots)) if self.may_hold(place, head)]
        if not places:
            self.foreign.add((importing, head))
        taken = (self.take(f"{place}/{dotted.replace('.', '/')}") for place in places)
        return next((name for name in taken if name is not None), None)

    def may_hold(self, place: str, head: str) -> bool:
        """Whether there is a module or a folder of that name on disk."""
        start = f"{place}/{head}"
        if start not in self.on_disk:
            self.on_disk[start] = self.disk.is_folder(start) or self.disk.exists(f"{start}.py")
        return self.on_disk[start]

    def take(self, stem: str) -> str | None:
        """Read ``stem.py`` or ``stem/__init__.py`` into the project."""
        if stem in self.missing or self.from_disk >= _MOST_FROM_DISK:
            return None
        self.missing.add(stem)
        for path in (f"{stem}.py", f"{stem}/__init__.py"):
            if self.disk.is_file(path):
                from tfmigrate.source import SourceFile, read_source

                source = read_source(Path(path))
                self.disk.note_content(path, source.data if isinstance(source, SourceFile) else None)
                if isinstance(source, SourceFile) and source.path not in self.names:
                    self.from_disk += 1
                    self.store.take(source)
                    name = add_module(self.table, source.path, self.roots)
                    self.names[source.path] = name
                    return name
        return None


def gather(
    sources: Iterable[SourceFile], roots: Sequence[Path], cache_dir: Path | None, jobs: int, disk: Disk
) -> Gathered:
    """Name the modules and load the facts of all files that matter. ``disk`` notes what else was asked."""
    folders = [os.path.abspath(root) for root in roots] or [os.getcwd()]
    folders = [os.path.dirname(f) if f.endswith(".py") else f for f in folders]
    place = cache.cache_file(cache_dir, roots) if cache_dir is not None else None
    kept = cache.load(place) if place is not None else {}
    store = FactStore(kept, jobs)
    try:
        with without_collector():
            store.take_all(sources)
            store.flush()
            table = name_modules(store.paths, folders)
            names = {file.path: name for name, file in table.by_name.items()}
            gatherer = Gatherer(store, table, folders, names, disk)
            gatherer.run()
            disk.note_packages(table.checked.items())
    finally:
        store.close()
    if place is not None and store.has_news:
        entries = store.used if len(kept) > 2 * len(store.used) + 1000 else {**kept, **store.used}
        cache.save(place, entries)
    texts = {names[path]: key for path, key in store.texts.items()}
    return Gathered(table, gatherer.records, texts)
