"""What the engine hands on: frozen, picklable, without syntax trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tfmigrate.codemod import Safety, Site
from tfmigrate.source import SourceFile


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a place was left alone, and what its owner would have to change."""

    reason: str
    why: str
    hint: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The printable form of an edit's or a refusal's site."""

    codemod: str
    site: Site
    safety: Safety
    refused: Refused | None = None


@dataclass(frozen=True, slots=True)
class Patch:
    """A file that was read to the end. ``after`` equals ``source.text`` where nothing changes."""

    source: SourceFile
    after: str
    findings: tuple[Finding, ...]

    @property
    def changed(self) -> bool:
        return self.after != self.source.text


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not looked at: too large, binary, not a Python file, a notebook ..."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unparsable:
    """A file that cannot be read or parsed. It is never written."""

    path: str
    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class Crash:
    """A bug of ours: the file is left alone, ``traceback`` goes into the report."""

    path: str
    codemod: str
    traceback: str


FileResult: TypeAlias = Patch | Skipped | Unparsable | Crash
