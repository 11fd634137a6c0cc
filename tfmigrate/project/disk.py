"""What was asked of the disk beyond the files that were handed in, and what it said.

An index depends on these answers too: a file that is missing today may be there tomorrow.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from tfmigrate.kept import content_key

Answers = list[tuple[str, str, bool | bytes]]
"""(question, path, answer) as plain data."""


@dataclass(slots=True)
class Disk:
    """Asks, and notes every answer."""

    exist: dict[str, bool] = field(default_factory=dict)
    files: dict[str, bool] = field(default_factory=dict)
    folders: dict[str, bool] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    """Path -> key of the content that was read; empty for what is no Python file."""

    def exists(self, path: str) -> bool:
        found = self.exist[path] = os.path.exists(path)
        return found

    def is_file(self, path: str) -> bool:
        found = self.files[path] = os.path.isfile(path)
        return found

    def is_folder(self, path: str) -> bool:
        found = self.folders[path] = os.path.isdir(path)
        return found

    def note_packages(self, packages: Iterable[tuple[str, bool]]) -> None:
        """(folder, whether it has an ``__init__.py``), found elsewhere."""
        self.exist.update((f"{folder}/__init__.py", is_package) for folder, is_package in packages)

    def note_content(self, path: str, data: bytes | None) -> None:
        """``data`` was read from ``path``; None: nothing that can be used."""
        self.contents[path] = b"" if data is None else content_key(data)

    @property
    def answers(self) -> Answers:
        """Everything that was noted."""
        asked = [("exists", self.exist), ("file", self.files), ("folder", self.folders)]
        known: Answers = [(question, path, a) for question, found in asked for path, a in found.items()]
        return [*known, *(("content", path, key) for path, key in self.contents.items())]


def still_answers(answers: Answers) -> bool:
    """Whether the disk would say the same again."""
    return all(_asked(question, path) == answer for question, path, answer in answers)


def _asked(question: str, path: str) -> bool | bytes | None:
    if question == "content":
        try:
            with open(path, "rb") as file:
                return content_key(file.read())
        except OSError:
            return None
    asks = {"exists": os.path.exists, "file": os.path.isfile, "folder": os.path.isdir}
    return asks[question](path) if question in asks else None
