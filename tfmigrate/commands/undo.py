"""``undo``: the files of the last apply as they were, from the journal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.exits import Exit, UsageError

if TYPE_CHECKING:
    from tfmigrate.console import Console
    from tfmigrate.journal.entries import Entry, Kept
    from tfmigrate.journal.store import Journal
    from tfmigrate.journal.undoing import Undone


class Waiting:
    """Says once that another process writes in the same project."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._is_said = False

    def __call__(self) -> None:
        if not self._is_said:
            self._console.note("waiting for another tfmigrate that writes in the same project")
        self._is_said = True


def undo_command(paths: Sequence[str], is_forced: bool, console: Console) -> Exit:
    """Give back the files of the last apply, or those of them that ``paths`` name.

    Raises:
        UsageError: there is nothing to undo.
    """
    from tfmigrate.journal.entries import JournalError
    from tfmigrate.journal.undoing import undo

    journal = _journal(paths)
    _last(journal, paths)
    try:
        with journal.locked(Waiting(console)):
            entry, files = _last(journal, paths)
            done = undo(journal, entry, files, is_forced)
    except JournalError as error:
        console.error(f"error: nothing was given back: {error}")
        return Exit.FAILED
    _say(done, entry, journal, console)
    from tfmigrate.journal.undoing import Undo

    return Exit.FAILED if any(u.status in (Undo.REFUSED, Undo.FAILED) for u in done) else Exit.DONE


def undo_diff(paths: Sequence[str], console: Console) -> Exit:
    """Show what ``undo`` would change, as a diff that git apply takes; and what it would not give back.

    Raises:
        UsageError: there is nothing to undo.
    """
    from tfmigrate.diff import coloured
    from tfmigrate.journal.undoing import diff, refusal
    from tfmigrate.source import printed_path

    journal = _journal(paths)
    entry, files = _last(journal, paths)
    shown = diff(journal, entry, files)
    console.result(coloured(shown) if console.color_out else shown)
    for kept in files:
        reason = refusal(journal.state(entry, kept))
        if reason:
            console.error(f"{printed_path(journal.path(kept))}: would be refused: {reason}")
    return Exit.DIFFERENCE if shown else Exit.DONE


def undo_list(paths: Sequence[str], console: Console) -> Exit:
    """Print the applies that can be undone, the next first, with what their files are now."""
    journal = _journal(paths)
    entries = journal.entries()
    if not entries:
        console.note(_nothing(journal))
    for entry in reversed(entries):
        console.result("".join(f"{line}\n" for line in _entry_lines(journal, entry)).encode())
    return Exit.DONE


def _journal(paths: Sequence[str]) -> Journal:
    from tfmigrate.journal.store import Journal, project_of

    first = Path(paths[0]) if paths else Path(".")
    return Journal(project_of(first if first.is_dir() else first.parent, [Path(path) for path in paths]))


def _last(journal: Journal, paths: Sequence[str]) -> tuple[Entry, Sequence[Kept]]:
    from tfmigrate.journal.undoing import last_of

    found = last_of(journal, _below(paths))
    if found is None:
        raise UsageError(_nothing(journal, paths))
    return found


def _below(paths: Sequence[str]) -> Callable[[Path], bool]:
    tops = [Path(os.path.realpath(path)) for path in paths]
    return lambda file: not tops or any(file == top or top in file.parents for top in tops)


def _nothing(journal: Journal, paths: Sequence[str] = ()) -> str:
    of = f" of {', '.join(paths)}" if paths else ""
    return f"there is no apply{of} to undo in {journal.project} (its .tfmigrate/journal holds none)"


def _say(done: Sequence[Undone], entry: Entry, journal: Journal, console: Console) -> None:
    from tfmigrate.journal.undoing import Undo

    for undone in done:
        if undone.status in (Undo.REFUSED, Undo.FAILED):
            word = "left alone" if undone.status is Undo.REFUSED else "error"
            console.error(f"{undone.path}: {word}: {undone.message}")
        else:
            console.note(
                f"{undone.path}: {undone.status.value}" + (f"; {undone.message}" if undone.message else "")
            )
    counts = {status: sum(u.status is status for u in done) for status in Undo}
    back = counts[Undo.GIVEN_BACK] + counts[Undo.ALREADY]
    summary = (
        f"undo of the apply of {entry.time}: {back} file{'' if back == 1 else 's'} as before,"
        f" {counts[Undo.REFUSED]} left alone, {counts[Undo.FAILED]} failed"
    )
    console.note(console.styled(summary, "bold"))
    left = [other for other in journal.entries() if other.number < entry.number]
    if left:
        console.note(f"the apply before it, of {left[-1].time}, can be undone next")


def _entry_lines(journal: Journal, entry: Entry) -> Iterator[str]:
    import shlex

    from tfmigrate.source import printed_path

    yield f"{entry.number}  {entry.time}  {shlex.join(entry.command)}"
    for kept in entry.files:
        yield f"    {printed_path(journal.path(kept))}: {journal.state(entry, kept).value}"
