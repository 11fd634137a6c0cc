"""The files of one run, read one after the other and let go: what is noted of each, and which cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.engine import parsed
from tfmigrate.project.roots import is_test_file
from tfmigrate.project.store import mentions_tensorflow
from tfmigrate.remembered import Seen
from tfmigrate.results import Unparsable
from tfmigrate.runs import Outcome
from tfmigrate.source import SourceFile, from_bytes, printed_path, read_data

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex

_OWN_NAME = b"tfmigrate"
"""A file with our name in it may hold a skip comment that does nothing, which is to be said."""


@dataclass(frozen=True, slots=True)
class Note:
    """What is remembered of a file whose text was let go."""

    printed: str
    is_marked: bool
    """It holds a codemod's marker."""
    names_us: bool
    mentions_tensorflow: bool
    """And is no test."""


class Reader:
    """Notes which files hold one of ``markers`` (the codemods'); the few that matter are read once more."""

    def __init__(self, markers: Sequence[bytes]) -> None:
        self._markers = markers
        self.seen = Seen()
        self.notes: dict[Path, Note] = {}
        self.unread: dict[Path, Outcome] = {}

    def read(self, files: Iterable[Path], beside: Iterable[Path]) -> Iterator[SourceFile]:
        """All files that can be read; those ``beside`` are only context."""
        for file in files:
            source = self._read(file, printed_path(file))
            if isinstance(source, SourceFile):
                self.notes[file] = self._note(source)
                yield source
        for file in beside:
            source = self._read(file, printed_path(file))
            if isinstance(source, SourceFile):
                yield source

    def _read(self, file: Path, printed: str) -> SourceFile | None:
        data = read_data(file, printed)
        self.seen.add(file, data)
        source = from_bytes(data, printed) if isinstance(data, bytes) else data
        if isinstance(source, SourceFile):
            return source
        self.unread[file] = Outcome(file, source)
        return None

    def _note(self, source: SourceFile) -> Note:
        data = source.data
        is_marked = any(marker in data for marker in self._markers)
        mentions = mentions_tensorflow(data) and not is_test_file(source.path)
        return Note(source.path, is_marked, _OWN_NAME in data, mentions)

    def again(self, files: Iterable[Path]) -> Iterator[tuple[Path, SourceFile]]:
        """The sources of ``files``; one that became unreadable meanwhile goes to ``unread``."""
        for file in files:
            source = self._read(file, self.notes[file].printed)
            if source is not None:
                yield file, source

    def left_out(self, named: set[Path], index: ProjectIndex) -> dict[Path, Outcome]:
        """The files that the index left out because they do not parse.

        It also leaves out files that do not mention TensorFlow, and tests; these are only parsed when ``named``.
        """
        missing = [file for file, note in self.notes.items() if index.module_at(note.printed) is None]
        wanted = [file for file in missing if self.notes[file].mentions_tensorflow or file in named]
        found = {
            file: _unreadable(source, self.notes[file].mentions_tensorflow)
            for file, source in self.again(wanted)
        }
        return {file: Outcome(file, result) for file, result in found.items() if result is not None}


def _unreadable(source: SourceFile, is_wanted: bool) -> Unparsable | None:
    """Why the index has not read this file; None if it only saw no use in it."""
    result = parsed(source)
    if isinstance(result, Unparsable):
        return result
    return Unparsable(source.path, 1, 1, "its code is nested too deeply to be read") if is_wanted else None
