"""Give back the files of the last apply. What was edited since is somebody's work, and stays unless forced."""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tfmigrate.diff import diff_of
from tfmigrate.journal.entries import Entry, Kept, State
from tfmigrate.journal.store import Journal
from tfmigrate.source import printed_path
from tfmigrate.writing import WriteStatus, replace_content, sync_folder, temporaries


class Undo(enum.Enum):
    """What became of one file."""

    GIVEN_BACK = "given back"
    ALREADY = "was given back already"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Undone:
    """``message`` says why a file was not given back, or where its edited version is."""

    path: str
    """As printed."""
    status: Undo
    message: str = ""


def last_of(journal: Journal, wanted: Callable[[Path], bool]) -> tuple[Entry, tuple[Kept, ...]] | None:
    """The last apply that changed wanted files, and these."""
    for entry in reversed(journal.entries()):
        files = tuple(kept for kept in entry.files if wanted(journal.path(kept)))
        if files:
            return entry, files
    return None


def undo(journal: Journal, entry: Entry, files: Sequence[Kept], is_forced: bool) -> list[Undone]:
    """Give ``files`` of ``entry`` back, within the journal's lock.

    Raises:
        JournalError: a copy in the journal is missing or damaged; nothing was given back.
    """
    states = {kept: journal.state(entry, kept) for kept in files}
    before = {kept: journal.content(entry, kept.before) for kept in files}
    done = {kept: _give_back(journal, entry, kept, states[kept], before[kept], is_forced) for kept in files}
    back = [kept.path for kept in files if done[kept].status in (Undo.GIVEN_BACK, Undo.ALREADY)]
    journal.forget(entry, back)
    return list(done.values())


def diff(journal: Journal, entry: Entry, files: Sequence[Kept]) -> bytes:
    """What :func:`undo` would change without force.

    Raises:
        JournalError: a copy in the journal is missing or damaged.
    """
    shown = []
    for kept in files:
        if journal.state(entry, kept) in (State.APPLIED, State.TORN):
            path = journal.path(kept)
            shown.append(diff_of(printed_path(path), path.read_bytes(), journal.content(entry, kept.before)))
    return b"".join(shown)


def refusal(state: State) -> str:
    """Why a file in this state is not given back without force, or nothing."""
    if state is State.EDITED:
        return "edited since it was rewritten; --force gives it back and keeps the edited file in .tfmigrate/edited"
    if state is State.GONE:
        return "deleted since it was rewritten; --force makes it again"
    return ""


def _give_back(
    journal: Journal, entry: Entry, kept: Kept, state: State, before: bytes, is_forced: bool
) -> Undone:
    path = journal.path(kept)
    printed = printed_path(path)
    if state is State.BACK:
        return Undone(printed, Undo.ALREADY)
    if refusal(state) and not is_forced:
        return Undone(printed, Undo.REFUSED, refusal(state))
    if os.path.realpath(path) != str(path):
        return Undone(printed, Undo.FAILED, "a link stands in its place; remove the link and run again")
    try:
        if state is State.GONE:
            _make_again(path, before, kept.mode)
            return Undone(printed, Undo.GIVEN_BACK)
        aside = journal.set_aside(entry, kept) if state is State.EDITED else None
        outcome = replace_content(path, printed, path.read_bytes(), before)
    except OSError as error:
        return Undone(printed, Undo.FAILED, f"cannot be written: {error.strerror or error}")
    if outcome.status is not WriteStatus.WRITTEN:
        return Undone(printed, Undo.FAILED, outcome.message)
    for leftover in temporaries(str(path)) if state is State.TORN else ():
        os.unlink(leftover)
    return Undone(
        printed, Undo.GIVEN_BACK, f"the edited file is kept as {printed_path(aside)}" if aside else ""
    )


def _make_again(path: Path, data: bytes, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as file:
        os.fchmod(handle, mode)
        file.write(data)
        file.flush()
        os.fsync(handle)
    sync_folder(str(path.parent))
