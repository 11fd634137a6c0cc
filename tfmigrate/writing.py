"""Write a rewritten file so that nothing can be lost.

The new content goes to a temporary file in the same folder and takes the old one's place in one step, so that
a reader, a crash or ``kill -9`` sees the old file or the new one and never half of it. Mode, owner, extended
attributes, symlinks and hard links stay. What changed since it was read is not written.
"""

from __future__ import annotations

import contextlib
import enum
import errno
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tfmigrate.source import SourceFile

_TEMPORARY = ".tfmigrate"
_BACKUP = ".tfmigrate-backup"


class WriteStatus(enum.Enum):
    """What became of a file that was to be written."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"
    CHANGED_MEANWHILE = "changed meanwhile"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """``message`` says why the file was not written, and what to do; it is empty otherwise."""

    path: str
    status: WriteStatus
    message: str = ""


class _CannotReplace(Exception):
    """The file must be written in place: its folder, owner or file system does not allow a replacement."""


def write_source(path: Path, source: SourceFile, after: str) -> WriteOutcome:
    """Make ``after`` the content of the file that ``source`` was read from. What fails is an outcome."""
    if after == source.text:
        return WriteOutcome(source.path, WriteStatus.UNCHANGED)
    data = encoded(source, after)
    return data if isinstance(data, WriteOutcome) else replace_content(path, source.path, source.data, data)


def encoded(source: SourceFile, after: str) -> bytes | WriteOutcome:
    """The bytes to write for ``after``, or why there are none."""
    try:
        return source.encode(after)
    except UnicodeEncodeError as error:
        return _failed(source.path, f"the new text cannot be written as {source.encoding}: {error.reason}")


def replace_content(path: Path, printed: str, before: bytes, data: bytes) -> WriteOutcome:
    """Make ``data`` the content of the file, which holds ``before``. What fails is an outcome."""
    try:
        return _write(os.path.realpath(path), printed, before, data)
    except OSError as error:
        return _failed(printed, f"cannot be written: {error.strerror or error}")


def still_holds(path: Path, printed: str, before: bytes) -> WriteOutcome | None:
    """What to say of a file whose content is no longer ``before``; None if it is."""
    try:
        is_same = _still_holds(os.path.realpath(path), before)
    except OSError as error:
        return _failed(printed, f"cannot be written: {error.strerror or error}")
    return None if is_same else _changed(printed, "since it was read")


def temporaries(real: str) -> list[str]:
    """What a killed process left beside the file: unfinished new contents, and copies of the old one."""
    folder, name = os.path.split(real)
    try:
        found = [entry.path for entry in os.scandir(folder) if entry.name.startswith(f".{name[:100]}.")]
    except OSError:
        return []
    return [path for path in found if path.endswith((_TEMPORARY, _BACKUP))]


def _write(real: str, printed: str, before: bytes, data: bytes) -> WriteOutcome:
    status = os.lstat(real)
    if not _still_holds(real, before):
        return _changed(printed, "since it was read")
    if not os.access(real, os.W_OK):
        return _failed(printed, "the file is read-only; make it writable (chmod u+w) and run tfmigrate again")
    if status.st_nlink > 1:
        _write_in_place(real, before, data)
        return WriteOutcome(printed, WriteStatus.WRITTEN)
    try:
        replaced = _replace(real, status, before, data)
    except _CannotReplace:
        _write_in_place(real, before, data)
        replaced = True
    return (
        WriteOutcome(printed, WriteStatus.WRITTEN) if replaced else _changed(printed, "while it was written")
    )


def _changed(printed: str, when: str) -> WriteOutcome:
    message = f"the file was changed {when}; run tfmigrate again"
    return WriteOutcome(printed, WriteStatus.CHANGED_MEANWHILE, message)


def _failed(printed: str, message: str) -> WriteOutcome:
    return WriteOutcome(printed, WriteStatus.FAILED, message)


def _still_holds(real: str, data: bytes) -> bool:
    with open(real, "rb") as file:
        return file.read(len(data) + 1) == data


def _replace(real: str, status: os.stat_result, before: bytes, data: bytes) -> bool:
    """Put a new file in the place of ``real``; False when it changed in the meantime.

    Raises:
        _CannotReplace: no file can be made in the folder, or the new one cannot get the old one's owner or
        attributes.
    """
    folder, name = os.path.split(real)
    try:
        # The suffix is not ".py": what a power cut leaves behind must not be imported or rewritten.
        handle, temporary = tempfile.mkstemp(prefix=f".{name[:100]}.", suffix=_TEMPORARY, dir=folder)
    except OSError as error:
        raise _CannotReplace from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            _copy_metadata(real, status, file.fileno())
            os.fsync(file.fileno())
        if not _still_holds(real, before):
            return False
        try:
            os.replace(temporary, real)
        except OSError as error:
            if error.errno in (errno.EBUSY, errno.EXDEV, errno.EPERM, errno.EACCES):
                raise _CannotReplace from error  # A mount point, a sticky folder.
            raise
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
    sync_folder(folder)
    return True


def _copy_metadata(real: str, status: os.stat_result, handle: int) -> None:
    """Owner, extended attributes (access control lists among them) and mode. The owner first: it resets the
    mode.
    """
    new = os.fstat(handle)
    try:
        if (new.st_uid, new.st_gid) != (status.st_uid, status.st_gid):
            os.fchown(handle, status.st_uid, status.st_gid)
        _copy_attributes(real, handle)
    except OSError as error:
        raise _CannotReplace from error
    os.fchmod(handle, stat.S_IMODE(status.st_mode))


def _copy_attributes(real: str, handle: int) -> None:
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(real)
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.ENODATA, errno.EINVAL):
            return
        raise
    for name in names:
        value = os.getxattr(real, name)
        try:
            same = os.getxattr(handle, name) == value
        except OSError:
            same = False
        if not same:
            os.setxattr(handle, name, value)


def _write_in_place(real: str, before: bytes, data: bytes) -> None:
    """Overwrite the file itself, which keeps its hard links; a copy of it stays on disk until all is
    written.
    """
    backup = _back_up(real, before)
    try:
        _overwrite(real, data)
    except BaseException:
        _overwrite(real, before)
        os.unlink(backup)
        raise
    os.unlink(backup)


def _back_up(real: str, before: bytes) -> str:
    folder, name = os.path.split(real)
    for place in (folder, tempfile.gettempdir()):
        try:
            handle, backup = tempfile.mkstemp(prefix=f".{name[:100]}.", suffix=_BACKUP, dir=place)
        except OSError:
            continue
        with os.fdopen(handle, "wb") as file:
            file.write(before)
            file.flush()
            os.fsync(file.fileno())
        return backup
    raise OSError(errno.EACCES, "no folder for a backup copy can be written")


def _overwrite(real: str, data: bytes) -> None:
    with open(real, "r+b") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: str) -> None:
    """Make what was created, renamed or removed in ``folder`` survive a power cut."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
