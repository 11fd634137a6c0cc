"""The version before, from the journal of ``apply``: what plain ``tfmigrate verify`` compares the working tree with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tfmigrate.journal.entries import Entry, Kept, State
from tfmigrate.journal.store import Journal, project_of
from tfmigrate.source import printed_path
from tfmigrate.verify.trees import ChangedFile, TreeError


@dataclass(frozen=True, slots=True)
class Applied:
    """What the last applies changed."""

    project: Path
    changed: tuple[ChangedFile, ...]
    notes: tuple[str, ...]
    """Files that hold more than what was applied."""


def changed_by_apply(folder: Path) -> Applied:
    """The files that the last apply in the project around ``folder`` rewrote, as they were and as they are now.

    Applies that were made on the same commit belong together: the oldest contents are the version before.

    Raises:
        TreeError: nothing was applied.
        JournalError: the journal cannot be read.
    """
    project = project_of(folder)
    journal = Journal(project)
    oldest: dict[str, tuple[Entry, Kept]] = {}
    latest: dict[str, State] = {}
    for entry in _together(journal.entries()):
        for kept in entry.files:
            oldest.setdefault(kept.path, (entry, kept))
            latest[kept.path] = journal.state(entry, kept)
    if not oldest:
        raise TreeError(
            f"{project} has no journal of an apply to compare with; give --base REV, --patch FILE, two folders,"
            " or the PATH of code to rewrite and compare"
        )
    changed, notes = [], []
    for name, (entry, kept) in sorted(oldest.items()):
        path = journal.path(kept)
        before = journal.content(entry, kept.before)
        after = path.read_bytes() if path.is_file() else None
        if before != after:
            changed.append(ChangedFile(str(path), before, after))
        if latest[name] is State.EDITED:
            notes.append(f"{printed_path(path)} was edited since the apply: that is compared, too")
    return Applied(project, tuple(changed), tuple(notes))


def _together(entries: list[Entry]) -> list[Entry]:
    """The last apply and those before it that were made on the same commit."""
    start = len(entries)
    while start and entries[start - 1].commit == entries[-1].commit:
        start -= 1
    return entries[start:]
