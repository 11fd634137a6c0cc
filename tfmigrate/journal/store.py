"""The journal of one project on disk: ``.tfmigrate/journal/`` with a folder for each apply.

All of an entry is on disk before the first of its files is replaced, and nothing has to be noted afterwards: whatever
ends the process, a file's own content says whether it is the old or the new one. ``.tfmigrate/`` ignores itself in git.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from tfmigrate.git import git_output
from tfmigrate.journal.entries import (
    NAME,
    Entry,
    JournalError,
    Kept,
    State,
    digest,
    is_torn,
    read_entry,
)
from tfmigrate.writing import sync_folder, temporaries

FOLDER = ".tfmigrate"
KEPT = 100
"""Applies; the oldest are forgotten."""
PATIENCE_S = 60.0
"""Longest wait for another tfmigrate that writes in the same project."""
_IGNORE = b"# Made by tfmigrate: what `tfmigrate undo` and `tfmigrate verify` need on this machine.\n*\n"


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A file that is about to be replaced."""

    real: str
    """Absolute path without links, below the project's folder."""
    before: bytes
    after: bytes


def project_of(folder: Path, named: Sequence[Path] = ()) -> Path:
    """The project that ``folder`` belongs to: the git work tree, else the nearest folder with a pyproject.toml or setup.py,
    else the working directory or one of the folders ``named`` if that is above it.
    """
    real = Path(os.path.realpath(folder))
    above = (real, *real.parents)
    for marks in ((".git",), ("pyproject.toml", "setup.py")):
        for candidate in above:
            if any((candidate / mark).exists() for mark in marks):
                return candidate
    tops = (Path(os.path.realpath(top)) for top in (Path("."), *named))
    return next((top for top in tops if top in above), real)


class Journal:
    """The applies of one project. Reading needs no lock; what changes it takes one (:meth:`locked`)."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self._top = project / FOLDER / "journal"

    def entries(self) -> list[Entry]:
        """All applies that were not undone, the oldest first.

        Raises:
            JournalError: one cannot be read.
        """
        found = [read_entry(folder) for folder in self._folders()]
        return [entry for entry in found if entry is not None]

    def path(self, kept: Kept) -> Path:
        """Where the file is."""
        return self.project / kept.path

    def content(self, entry: Entry, name: str) -> bytes:
        """What a file held before or after.

        Raises:
            JournalError: the copy is missing or damaged.
        """
        file = self._top / entry.folder / name
        try:
            data = file.read_bytes()
        except OSError as error:
            raise JournalError(f"{file}: cannot be read: {error.strerror or error}") from error
        if digest(data) != name:
            raise JournalError(f"{file}: is damaged: it is no longer what was kept")
        return data

    def state(self, entry: Entry, kept: Kept) -> State:
        """What the file holds now.

        Raises:
            JournalError: it cannot be read.
        """
        path = self.path(kept)
        if os.path.realpath(path) != str(path):
            return State.EDITED  # A link stands where the file or a folder was.
        try:
            data = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return State.GONE
        except IsADirectoryError:
            return State.EDITED
        except OSError as error:
            raise JournalError(f"{path}: cannot be read: {error.strerror or error}") from error
        name = digest(data)
        if name == kept.after:
            return State.APPLIED
        if name == kept.before:
            return State.BACK
        if not entry.finished or temporaries(str(path)):
            with contextlib.suppress(JournalError):
                before, after = self.content(entry, kept.before), self.content(entry, kept.after)
                return State.TORN if is_torn(data, before, after) else State.EDITED
        return State.EDITED

    @contextlib.contextmanager
    def locked(self, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Keep other processes of tfmigrate from writing; and settle what a killed one left.

        Raises:
            JournalError: there is no room or no permission for a journal, or another process does not end.
        """
        with self._kept("the journal cannot be kept"):
            self._make()
            handle = os.open(self._top / "lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            self._wait(handle, waiting)
            self._settle()
            yield
        finally:
            os.close(handle)

    def begin(self, files: Sequence[Rewritten], command: Sequence[str]) -> Entry:
        """Put all that is needed to give ``files`` back on disk. Only then may they be replaced.

        Raises:
            JournalError: there is no room or no permission for it; nothing of it stays.
        """
        with self._kept("the journal cannot be kept"):
            numbers = [int(folder.name) for folder in self._folders()]
            entry = self._entry(max(numbers, default=0) + 1, files, command)
            folder = self._top / entry.folder
            try:
                folder.mkdir()
                for file in files:
                    _write(folder / digest(file.before), file.before)
                    # Only to tell half of it from somebody's edits: not worth waiting for the disk.
                    (folder / digest(file.after)).write_bytes(file.after)
                self._write_entry(entry)
                sync_folder(str(self._top))
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        for old in self._folders()[:-KEPT]:
            self._drop(old)
        return entry

    def finish(self, entry: Entry, written: Collection[str]) -> None:
        """All files were tried; those with other paths (:attr:`Kept.path`) than ``written`` are as they were."""
        self._keep_only(entry, [kept for kept in entry.files if kept.path in written])

    def forget(self, entry: Entry, paths: Collection[str]) -> None:
        """The files with these paths were given back."""
        self._keep_only(entry, [kept for kept in entry.files if kept.path not in paths])

    def set_aside(self, entry: Entry, kept: Kept) -> Path:
        """Copy the file as it is now to where it stays, before it is overwritten against advice.

        Raises:
            JournalError: there is no room or no permission for it.
        """
        target = self.project / FOLDER / "edited" / entry.folder / kept.path
        with self._kept("the edited file cannot be kept"):
            target.parent.mkdir(parents=True, exist_ok=True)
            number = 1
            while target.exists():
                target, number = target.with_name(f"{Path(kept.path).name}.{number}"), number + 1
            _write(target, self.path(kept).read_bytes())
        return target

    # -- within the lock -------------------------------------------------------------------------------------

    def _entry(self, number: int, files: Sequence[Rewritten], command: Sequence[str]) -> Entry:
        commit = git_output(self.project, "rev-parse", "--verify", "--quiet", "HEAD")
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        kept = tuple(
            Kept(
                Path(file.real).relative_to(self.project).as_posix(),
                digest(file.before),
                digest(file.after),
                stat.S_IMODE(os.stat(file.real).st_mode),
            )
            for file in files
        )
        name = None if commit is None else commit.decode().strip()
        return Entry(number, now, tuple(command), name, kept, finished=False)

    def _settle(self) -> None:
        """Finish what a killed process began: its unfinished copies go, files that it did not reach are forgotten."""
        for folder in self._folders():
            entry = read_entry(folder)
            if entry is None:
                self._drop(folder)
            elif not entry.finished:
                states = {kept: self.state(entry, kept) for kept in entry.files}
                if State.TORN in states.values():
                    continue  # Only an unfinished entry explains what that file holds.
                for leftover in (name for kept in entry.files for name in temporaries(str(self.path(kept)))):
                    with contextlib.suppress(OSError):
                        os.unlink(leftover)
                self._keep_only(entry, [kept for kept, state in states.items() if state is not State.BACK])

    def _keep_only(self, entry: Entry, files: Sequence[Kept]) -> None:
        """A full disk here costs nothing: the entry still holds, and contents tell what was given back."""
        with contextlib.suppress(OSError):
            if files:
                self._write_entry(replace(entry, files=tuple(files), finished=True))
            else:
                self._drop(self._top / entry.folder)

    def _write_entry(self, entry: Entry) -> None:
        folder = self._top / entry.folder
        _write(folder / f".{NAME}", entry.as_json())
        os.replace(folder / f".{NAME}", folder / NAME)
        sync_folder(str(folder))

    def _drop(self, folder: Path) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(folder / NAME)  # Without it the rest is nothing, if this is where the process ends.
        shutil.rmtree(folder, ignore_errors=True)

    def _folders(self) -> list[Path]:
        """Those of the entries, in their order."""
        try:
            names = sorted(name for name in os.listdir(self._top) if name.isdecimal())
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise JournalError(f"{self._top}: cannot be read: {error.strerror or error}") from error
        return [self._top / name for name in names]

    def _make(self) -> None:
        self._top.mkdir(parents=True, exist_ok=True)
        ignore = self.project / FOLDER / ".gitignore"
        if not ignore.exists():
            _write(ignore, _IGNORE)

    def _wait(self, handle: int, waiting: Callable[[], None]) -> None:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
                    return  # A file system without locks.
            if time.monotonic() > end:
                raise JournalError(
                    f"another tfmigrate is writing in {self.project}; wait for it to end, and run again"
                )
            waiting()
            time.sleep(0.05)

    @contextlib.contextmanager
    def _kept(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise JournalError(
                f"{what} in {self.project / FOLDER}: {error.strerror or error}; make room or make it writable"
            ) from error


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
