"""From source files to facts: which files matter, and the facts of each, from the cache or from a pass over its syntax tree.

Files that mention neither TensorFlow nor Keras are read only if the others import them or they import the others. Files
that are imported but were not handed in are read from disk: a base class beside the one file that the user names.
"""

from __future__ import annotations

import gc
import marshal
import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.project import cache
from tfmigrate.project import records as r
from tfmigrate.project.canonical import LIBRARY_ROOTS
from tfmigrate.project.extract import extract_plain
from tfmigrate.project.modules import ModuleFile, ModuleTable, add_module, name_modules
from tfmigrate.project.roots import is_test_file

if TYPE_CHECKING:
    from tfmigrate.source import SourceFile

_REEXPORT = re.compile(rb"import[^\n]*\b(?:tf|keras)\b")
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]*(\.*)[ \t]*([\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)|import[ \t]+([\w., \t]+))",
    re.MULTILINE,
)
_NAME = re.compile(rb"(\w+)(?:[ \t]+as[ \t]+\w+)?")
_WORTH_A_POOL = 2_000_000
_MOST_FROM_DISK = 5_000


def mentions_tensorflow(data: bytes) -> bool:
    """Whether a file's bytes can matter by themselves."""
    return b"tensorflow" in data or b"keras" in data or _REEXPORT.search(data) is not None


def facts_blob(text: str) -> bytes:
    """The facts of a file as the cache keeps them; empty if it does not parse."""
    plain = extract_plain(text)
    return cache.UNREADABLE if plain is None else marshal.dumps(plain)


def _facts_blobs(texts: list[str]) -> list[bytes]:
    with without_collector():
        return [facts_blob(text) for text in texts]


@contextmanager
def without_collector() -> Iterator[None]:
    """Syntax trees have no cycles; looking for some costs as much as parsing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.freeze()  # what was built lives as long as the index; the next collection need not walk all of it
            gc.enable()


@dataclass(slots=True)
class Gathered:
    """The project's modules and their facts."""

    table: ModuleTable
    records: dict[str, r.ModuleRecord]


@dataclass(slots=True)
class Gatherer:
    """Loads facts in waves: what matters by itself, what that imports, and what imports that."""

    sources: dict[str, SourceFile]
    """By path as printed."""
    table: ModuleTable
    roots: list[str]
    kept: dict[bytes, bytes]
    jobs: int
    used: dict[bytes, bytes] = field(default_factory=dict)
    records: dict[str, r.ModuleRecord] = field(default_factory=dict)
    loaded: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    foreign: set[tuple[str, str]] = field(default_factory=set)
    """(folder, first part) of imports that no place on disk can answer."""
    from_disk: int = 0
    has_news: bool = False

    def run(self) -> None:
        """Fill ``records`` until nothing new is reached."""
        names = {file.path: name for name, file in self.table.by_name.items()}
        wave = [
            names[path]
            for path, source in self.sources.items()
            if not is_test_file(path) and mentions_tensorflow(source.data)
        ]
        while wave:
            self.load(wave)
            wave = list(dict.fromkeys(self.imported_by(wave)))
            if not wave:
                wave = self.importers()

    def load(self, wave: list[str]) -> None:
        self.loaded.update(wave)
        keys = [cache.content_key(self.sources[self.table.by_name[name].path].data) for name in wave]
        fresh = [(n, k) for n, k in zip(wave, keys, strict=True) if k not in self.kept and k not in self.used]
        if fresh:
            self.has_news = True
            texts = [self.sources[self.table.by_name[name].path].text for name, _ in fresh]
            for (_, key), blob in zip(fresh, self.extracted(texts), strict=True):
                self.used[key] = blob
        for name, key in zip(wave, keys, strict=True):
            blob = self.used[key] if key in self.used else self.kept[key]
            self.used[key] = blob
            if blob != cache.UNREADABLE:
                self.records[name] = r.from_plain(marshal.loads(blob))

    def extracted(self, texts: list[str]) -> list[bytes]:
        if self.jobs < 2 or sum(map(len, texts)) < _WORTH_A_POOL:
            return _facts_blobs(texts)
        size = max(1, len(texts) // (self.jobs * 8))
        chunks = [texts[start : start + size] for start in range(0, len(texts), size)]
        with ProcessPoolExecutor(self.jobs) as pool:
            return [blob for blobs in pool.map(_facts_blobs, chunks) for blob in blobs]

    def imported_by(self, wave: list[str]) -> Iterator[str]:
        for name in wave:
            record = self.records.get(name)
            for level, module in record.imports if record is not None else ():
                found = self.module(self.table.by_name[name], level, module)
                if found is not None and found not in self.loaded:
                    yield found

    def importers(self) -> list[str]:
        """Files not looked at so far that import one of those that were."""
        found = []
        for name, file in list(self.table.by_name.items()):
            source = self.sources.get(file.path)
            if name in self.loaded or source is None or is_test_file(file.path):
                continue
            if any(self.means_loaded(file, *imported) for imported in _imports(source.data)):
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
        places = [
            place
            for place in dict.fromkeys((folder, *self.roots))
            if os.path.isdir(f"{place}/{head}") or os.path.exists(f"{place}/{head}.py")
        ]
        if not places:
            self.foreign.add((importing, head))
        taken = (self.take(f"{place}/{dotted.replace('.', '/')}") for place in places)
        return next((name for name in taken if name is not None), None)

    def take(self, stem: str) -> str | None:
        """Read ``stem.py`` or ``stem/__init__.py`` into the project."""
        if stem in self.missing or self.from_disk >= _MOST_FROM_DISK:
            return None
        self.missing.add(stem)
        for path in (f"{stem}.py", f"{stem}/__init__.py"):
            if os.path.isfile(path):
                from tfmigrate.source import SourceFile, read_source

                source = read_source(Path(path))
                if isinstance(source, SourceFile) and source.path not in self.sources:
                    self.from_disk += 1
                    self.sources[source.path] = source
                    return add_module(self.table, source.path, self.roots)
        return None


def _imports(data: bytes) -> Iterator[tuple[int, str]]:
    """(level, module, or module and name) of a file's imports, found without parsing; comments may add some."""
    for dots, origin, names, plain in _IMPORT.findall(data):
        for part in plain.decode("ascii", "ignore").split(","):
            if part.strip():
                yield 0, part.split(" as ")[0].strip()
        if names:
            module = origin.decode("ascii", "ignore")
            if module:
                yield len(dots), module
            for name in _NAME.findall(names):
                text = name.decode("ascii", "ignore")
                yield len(dots), f"{module}.{text}" if module else text


def gather(
    sources: Sequence[SourceFile], roots: Sequence[Path], cache_dir: Path | None, jobs: int
) -> Gathered:
    """Name the modules and load the facts of all files that matter."""
    by_path = {source.path: source for source in sources}
    folders = [os.path.abspath(root) for root in roots] or [os.getcwd()]
    folders = [os.path.dirname(f) if f.endswith(".py") else f for f in folders]
    place = cache.cache_file(cache_dir, roots) if cache_dir is not None else None
    kept = cache.load(place) if place is not None else {}
    with without_collector():
        gatherer = Gatherer(by_path, name_modules(by_path, folders), folders, kept, jobs)
        gatherer.run()
    if place is not None and gatherer.has_news:
        entries = gatherer.used if len(kept) > 2 * len(gatherer.used) + 1000 else {**kept, **gatherer.used}
        cache.save(place, entries)
    return Gathered(gatherer.table, gatherer.records)
