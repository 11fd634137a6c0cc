"""Write rewritten files, with a journal entry on disk before the first of them changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tfmigrate.journal.entries import JournalError
from tfmigrate.journal.store import Journal, Rewritten, project_of
from tfmigrate.results import Patch
from tfmigrate.writing import (
    WriteOutcome,
    WriteStatus,
    encoded,
    replace_content,
    still_holds,
    write_source,
)


def write_patches(
    changed: Mapping[Path, Patch],
    command: Sequence[str],
    named: Sequence[Path] = (),
    waiting: Callable[[], None] = lambda: None,
) -> dict[Path, WriteOutcome]:
    """Write the patches and keep what they replace, each file in the journal of its own project.

    Args:
        command: what the user typed, for ``tfmigrate undo --list``.
        named: the paths that the user gave.
        waiting: called again and again while another process writes in the same project.
    """
    projects: dict[Path, dict[Path, Patch]] = {}
    for file, patch in changed.items():
        project = project_of(Path(os.path.realpath(file)).parent, named)
        projects.setdefault(project, {})[file] = patch
    written: dict[Path, WriteOutcome] = {}
    for project, patches in projects.items():
        try:
            written |= _write_project(Journal(project), patches, command, waiting)
        except JournalError as error:
            message = f"not written: {error}, or apply with --no-journal"
            written |= {
                file: WriteOutcome(patch.source.path, WriteStatus.FAILED, message)
                for file, patch in patches.items()
                if file not in written
            }
    return {file: written[file] for file in changed}


def write_without_journal(changed: Mapping[Path, Patch]) -> dict[Path, WriteOutcome]:
    """Write the patches; only version control can give back what they replace."""
    return {file: write_source(file, patch.source, patch.after) for file, patch in changed.items()}


def _write_project(
    journal: Journal, patches: Mapping[Path, Patch], command: Sequence[str], waiting: Callable[[], None]
) -> dict[Path, WriteOutcome]:
    written: dict[Path, WriteOutcome] = {}
    ready: dict[Path, Rewritten] = {}
    with journal.locked(waiting):
        for file, patch in patches.items():
            printed, before = patch.source.path, patch.source.data
            data = encoded(patch.source, patch.after)
            # Another apply may have been here since the file was read.
            failed = data if isinstance(data, WriteOutcome) else still_holds(file, printed, before)
            if failed is not None:
                written[file] = failed
            elif isinstance(data, bytes):
                ready[file] = Rewritten(os.path.realpath(file), before, data)
        if not ready:
            return written
        entry = journal.begin(list(ready.values()), command)
        names = {file: kept.path for file, kept in zip(ready, entry.files, strict=True)}
        for file, new in ready.items():
            written[file] = replace_content(file, patches[file].source.path, new.before, new.after)
        journal.finish(entry, [names[f] for f in ready if written[f].status is WriteStatus.WRITTEN])
    return written
