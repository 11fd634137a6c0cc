"""The facts of each file: from the cache, or from a pass over its syntax tree. Texts are let go as soon as they were read.

Files that mention neither TensorFlow nor Keras, and tests, are set aside until something reaches them.
"""

from __future__ import annotations

import gc
import marshal
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfmigrate.project import cache
from tfmigrate.project import records as r
from tfmigrate.project.extract import extract_plain
from tfmigrate.project.roots import is_test_file

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from tfmigrate.source import SourceFile

_REEXPORT = re.compile(rb"import[^\n]*\b(?:tf|keras)\b")
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]*(\.*)[ \t]*([\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)|import[ \t]+([\w., \t]+))",
    re.MULTILINE,
)
_NAME = re.compile(rb"(\w+)(?:[ \t]+as[ \t]+\w+)?")
_BATCH = 4_000_000
"""Characters that are parsed at once; fewer are not worth starting processes."""
_MOST_ASIDE = 16_000_000
"""Bytes that are kept of files set aside; further ones are read again if they are reached."""


def mentions_tensorflow(data: bytes) -> bool:
    """Whether a file's bytes can matter by themselves."""
    return b"tensorflow" in data or b"keras" in data or _REEXPORT.search(data) is not None


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
class FactStore:
    """Facts by path as printed."""

    kept: dict[bytes, bytes]
    """What the cache had: hash of the content -> facts."""
    jobs: int
    paths: list[str] = field(default_factory=list)
    seeds: list[str] = field(default_factory=list)
    """Files that can matter by themselves."""
    imports: dict[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    """Imports of the files set aside, tests left out: (level, module, or module and name)."""
    texts: dict[str, int] = field(default_factory=dict)
    """Hashes of the texts whose facts were wanted."""
    used: dict[bytes, bytes] = field(default_factory=dict)
    has_news: bool = False
    _keys: dict[str, bytes] = field(default_factory=dict)
    _fresh: dict[bytes, tuple[Any, ...]] = field(default_factory=dict)
    """Facts that this process has just taken, by key: not worth reading from their blobs again."""
    _aside: dict[str, SourceFile] = field(default_factory=dict)
    _aside_size: int = 0
    _batch: dict[bytes, str] = field(default_factory=dict)
    _batch_size: int = 0
    _pool: ProcessPoolExecutor | None = None

    def take_all(self, sources: Iterable[SourceFile]) -> None:
        """Sort the project's files into those that matter and those to set aside."""
        for source in sources:
            if source.path in self._keys or source.path in self._aside:
                continue
            self.paths.append(source.path)
            is_test = is_test_file(source.path)
            if not is_test and mentions_tensorflow(source.data):
                self.seeds.append(source.path)
                self.take(source)
                continue
            if not is_test:
                self.imports[source.path] = tuple(_imports(source.data))
            self._aside_size += len(source.data)
            if self._aside_size < _MOST_ASIDE:
                self._aside[source.path] = source

    def take(self, source: SourceFile) -> None:
        """Note a file whose facts are wanted."""
        key = cache.content_key(source.data)
        self._keys[source.path] = key
        self.texts[source.path] = hash(source.text)
        if key in self.kept:
            self.used[key] = self.kept[key]
        elif key not in self.used and key not in self._batch:
            self._batch[key] = source.text
            self._batch_size += len(source.text)
            if self._batch_size > _BATCH:
                self.flush()

    def flush(self) -> None:
        """Extract what is waiting."""
        if self._batch:
            self.has_news = True
            keys, texts = list(self._batch), list(self._batch.values())
            if self.jobs < 2 or (self._batch_size <= _BATCH and self._pool is None):
                found = facts(texts)
                self._fresh.update((key, plain) for key, plain in zip(keys, found, strict=True) if plain)
                blobs = list(map(facts_blob, found))
            else:
                blobs = self._extracted(texts)
            self.used.update(zip(keys, blobs, strict=True))
            self._batch.clear()
            self._batch_size = 0

    def _extracted(self, texts: list[str]) -> list[bytes]:
        if self._pool is None:
            from concurrent.futures import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(self.jobs)
        size = max(1, len(texts) // (self.jobs * 8))
        chunks = [texts[start : start + size] for start in range(0, len(texts), size)]
        return [blob for blobs in self._pool.map(facts_blobs, chunks) for blob in blobs]

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def records(self, paths: Iterable[str]) -> Iterator[tuple[str, r.ModuleRecord]]:
        """The facts of these files; those that do not parse, or are gone, are left out."""
        wanted = list(paths)
        for path in wanted:
            if path not in self._keys:
                source = self._aside.pop(path, None) or _read(path)
                if source is not None:
                    self.take(source)
        self.flush()
        for path in wanted:
            key = self._keys.get(path)
            blob = cache.UNREADABLE if key is None else self.used[key]
            if key is not None and blob != cache.UNREADABLE:
                yield path, r.from_plain(self._fresh.pop(key, ()) or marshal.loads(blob))


def facts(texts: list[str]) -> list[tuple[Any, ...] | None]:
    """The facts of files; None for one that does not parse."""
    with without_collector():
        return list(map(extract_plain, texts))


def facts_blob(plain: tuple[Any, ...] | None) -> bytes:
    """Facts as the cache keeps them; empty for a file that does not parse."""
    return cache.UNREADABLE if plain is None else marshal.dumps(plain)


def facts_blobs(texts: list[str]) -> list[bytes]:
    """Of many files, in another process."""
    return list(map(facts_blob, facts(texts)))


def _read(path: str) -> SourceFile | None:
    from tfmigrate.source import SourceFile, read_source

    source = read_source(Path(path), path)
    return source if isinstance(source, SourceFile) else None


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
