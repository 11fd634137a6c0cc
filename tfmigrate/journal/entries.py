"""One apply in the journal: ``entry.json`` and, beside it, the contents of its files before and after.

    {"format": 1, "tool": "0.1.0", "time": "2026-11-30T08:20:47Z", "command": ["tfmigrate", "apply", "src"],
     "commit": "4b82…" or null, "finished": true,
     "files": [{"path": "src/net.py", "before": SHA-256, "after": SHA-256, "mode": 420}]}

``path`` is POSIX, from the project's folder. A content is in the file that is called by its SHA-256. ``finished`` is false
from before the first file is replaced until all are: what became of each is told by its own content.
"""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from tfmigrate import __version__
from tfmigrate.exits import UsageError

FORMAT = 1
NAME = "entry.json"


class JournalError(UsageError):
    """The journal cannot be read or kept; the message says why and what to do."""


class State(enum.Enum):
    """What a file of an entry holds now."""

    APPLIED = "as rewritten"
    BACK = "as it was before"
    EDITED = "edited since"
    GONE = "deleted since"
    TORN = "half written"
    """A write in place (a file with hard links) was killed; nobody edited it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One file of an entry."""

    path: str
    """POSIX, from the project's folder; the real file where it was reached through a link."""
    before: str
    """SHA-256 of its content, as are the next."""
    after: str
    mode: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One apply. ``number`` counts up from 1, and is the name of its folder."""

    number: int
    time: str
    """UTC, as in RFC 3339."""
    command: tuple[str, ...]
    commit: str | None
    """What git had checked out."""
    files: tuple[Kept, ...]
    finished: bool

    @property
    def folder(self) -> str:
        return f"{self.number:06d}"

    def as_json(self) -> bytes:
        """The content of ``entry.json``."""
        document = {
            "format": FORMAT,
            "tool": __version__,
            "time": self.time,
            "command": list(self.command),
            "commit": self.commit,
            "finished": self.finished,
            "files": [asdict(kept) for kept in self.files],
        }
        # Names that are not UTF-8 are written as escaped surrogates.
        return json.dumps(document, indent=1).encode("ascii") + b"\n"


def digest(data: bytes) -> str:
    """The name of a content."""
    return hashlib.sha256(data).hexdigest()


def read_entry(folder: Path) -> Entry | None:
    """The entry that ``folder`` holds; None where none was finished being kept.

    Raises:
        JournalError: it is not one of ours, or written by a newer tfmigrate.
    """
    file = folder / NAME
    try:
        document = json.loads(file.read_bytes())
        if document.get("format") != FORMAT:
            raise JournalError(
                f"{file}: written by tfmigrate {document.get('tool')}; use that version, or remove the folder"
            )
        return _entry(int(folder.name), document)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(f"{file}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise JournalError(f"{file}: is damaged ({error}); restore it, or remove its folder") from error


def _entry(number: int, document: Mapping[str, Any]) -> Entry:
    files = tuple(
        Kept(_inside(item["path"]), _hex(item["before"]), _hex(item["after"]), int(item["mode"]) & 0o7777)
        for item in document["files"]
    )
    commit = document["commit"]
    return Entry(
        number,
        str(document["time"]),
        tuple(map(str, document["command"])),
        None if commit is None else str(commit),
        files,
        bool(document["finished"]),
    )


def _inside(path: object) -> str:
    """A path that leads out of the project would let somebody else's journal overwrite files of the user's."""
    if not isinstance(path, str) or not path or "\0" in path:
        raise ValueError(f"no path: {path!r}")
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts:
        raise ValueError(f"{path!r} is outside of the project")
    return path


def _hex(name: object) -> str:
    if not isinstance(name, str) or len(name) != 64 or not set(name) <= set("0123456789abcdef"):
        raise ValueError(f"no digest: {name!r}")
    return name


def is_torn(content: bytes, before: bytes, after: bytes) -> bool:
    """``after`` was being written over ``before`` in place: it begins as one and goes on as the other."""
    pairs = zip(content, after, strict=False)
    written = next(
        (at for at, (one, other) in enumerate(pairs) if one != other), min(len(content), len(after))
    )
    if len(content) != max(len(before), written):
        return False
    return written > 0 and content[written:] == before[written:]
