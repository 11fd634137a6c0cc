"""A patch as two versions of the code: what ``tfmigrate diff`` or ``git diff`` printed, and the files on disk.

The patch may be applied already or not. Its lines decide: all files have to hold its new side, or all its old side.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tfmigrate.git import git_output
from tfmigrate.verify.model import Version
from tfmigrate.verify.trees import ChangedFile, TreeError

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_NOWHERE = "/dev/null"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines with their ends. ``old_at`` and ``new_at`` count from 0."""

    old_at: int
    old: tuple[bytes, ...]
    new_at: int
    new: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file; a side is None where the file is absent."""

    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...]


def changed_by_patch(file: Path, folder: Path) -> tuple[tuple[ChangedFile, ...], Version]:
    """The Python files that a patch changes, and which of its versions is on disk.

    Args:
        folder: paths in the patch are from here, or from the top of the git work tree around it.

    Raises:
        TreeError: the patch cannot be read, or fits the files in neither direction.
    """
    try:
        patches = [patch for patch in read_patch(file.read_bytes()) if _is_python(patch)]
    except OSError as error:
        raise TreeError(f"--patch {file}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise TreeError(f"--patch {file}: {error}") from error
    if not patches:
        raise TreeError(f"--patch {file}: holds no unified diff of a Python file")
    problems = []
    for top, strip in _places(folder):
        for version in (Version.AFTER, Version.BEFORE):
            found = _fitted(patches, top, strip, version)
            if not isinstance(found, str):
                return found, version
            problems.append((found, version))
    # The place with the fewest files missing explains most.
    best = next((text for text, _ in problems if "does not exist" not in text), problems[0][0])
    raise TreeError(
        f"--patch {file}: is neither applied nor can it be: {best}; check out the version that it was made for"
    )


def read_patch(data: bytes) -> list[FilePatch]:
    """The files of a unified diff; what stands around them is passed over, as ``patch`` and git do.

    Raises:
        ValueError: a hunk ends too early, or the diff is binary.
    """
    lines = re.findall(rb"[^\n]*\n|[^\n]+", data)
    found: list[FilePatch] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        is_next = at + 1 < len(lines) and lines[at + 1].startswith(b"+++ ")
        if line.startswith(b"--- ") and is_next:
            old, new = _name(line[4:]), _name(lines[at + 1][4:])
            hunks, at = _hunks(lines, at + 2)
            found.append(FilePatch(old, new, hunks))
            continue
        if line.startswith((b"GIT binary patch", b"Binary files ")) and b".py" in line:
            raise ValueError(f"holds a binary diff: {line.decode(errors='replace').strip()}")
        at += 1
    return found


def patched(data: bytes, hunks: Sequence[Hunk], version: Version) -> bytes | str:
    """``data``, which is ``version`` of the file, as the other version; or which hunk does not fit."""
    lines = re.findall(rb"[^\n]*\n|[^\n]+", data)
    result: list[bytes] = []
    done = offset = 0
    for number, hunk in enumerate(hunks, 1):
        is_new = version is Version.AFTER
        start, here, other = (
            (hunk.new_at, hunk.new, hunk.old) if is_new else (hunk.old_at, hunk.old, hunk.new)
        )
        at = _find(lines, here, start + offset, done)
        if at is None:
            side = "new" if is_new else "old"
            return f"the {side} lines of hunk {number} (line {start + 1}) are not there"
        result += lines[done:at]
        result += other
        done, offset = at + len(here), at - start
    return b"".join([*result, *lines[done:]])


def _find(lines: list[bytes], wanted: Sequence[bytes], start: int, least: int) -> int | None:
    """Where ``wanted`` stands, as near to ``start`` as possible and not before ``least``."""
    last = len(lines) - len(wanted)
    if least <= start <= last and lines[start : start + len(wanted)] == list(wanted):
        return start
    for at in sorted(range(least, last + 1), key=lambda place: abs(place - start)):
        if lines[at : at + len(wanted)] == list(wanted):
            return at
    return None


def _fitted(
    patches: Sequence[FilePatch], top: Path, strip: int, version: Version
) -> tuple[ChangedFile, ...] | str:
    """All files with ``version`` on disk, or why that cannot be."""
    found = []
    for patch in patches:
        name, other = (patch.new, patch.old) if version is Version.AFTER else (patch.old, patch.new)
        here, there = _path(top, name, strip), _path(top, other, strip)
        path = here or there
        if path is None:
            return f"{name or other} has no folder to strip"
        data = _content(path)
        if here is None:  # On this side the file is absent.
            if data is not None:
                return f"{path} exists"
            result: bytes | str = patched(b"", patch.hunks, version)
        elif data is None:
            return f"{path} does not exist"
        else:
            result = patched(data, patch.hunks, version)
        if isinstance(result, str):
            return f"{path}: {result}"
        changed = result if there is not None else None
        moved = here is not None and there is not None and here != there
        before, after = (changed, data) if version is Version.AFTER else (data, changed)
        if moved:  # A renamed file: each name has one version only.
            old, new = (there, here) if version is Version.AFTER else (here, there)
            found += [ChangedFile(str(old), before, None), ChangedFile(str(new), None, after)]
        else:
            found.append(ChangedFile(str(path), before, after))
    return tuple(sorted(found, key=lambda file: file.path))


def _places(folder: Path) -> Iterator[tuple[Path, int]]:
    """Where the paths of a patch may start, and how many of their folders are only labels (``a/``, ``b/``)."""
    tops = [Path(os.path.abspath(folder))]
    output = git_output(folder, "rev-parse", "--show-toplevel")
    if output is not None:
        tops.append(Path(os.fsdecode(output.rstrip(b"\n"))))
    tops.append(Path("/"))  # `tfmigrate diff` names files outside of the working directory so.
    for top in dict.fromkeys(tops):
        for strip in (1, 0):
            yield top, strip


def _path(top: Path, name: str | None, strip: int) -> Path | None:
    if name is None:
        return None
    parts = name.split("/")[strip:]
    # A patch that leads out of the tree is not one of this tree.
    return top.joinpath(*parts) if parts and ".." not in parts and parts[0] else None


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def _is_python(patch: FilePatch) -> bool:
    return any(name is not None and name.endswith((".py", ".pyw")) for name in (patch.old, patch.new))


def _name(text: bytes) -> str | None:
    """The file's name behind ``---`` or ``+++``: perhaps quoted as git does, perhaps with a time behind a tab."""
    text = text.rstrip(b"\r\n")
    if text.startswith(b'"'):
        text = _ESCAPE.sub(_unescaped, text[1 : text.rindex(b'"')])
    else:
        text = text.partition(b"\t")[0]
    name = os.fsdecode(text)
    return None if name == _NOWHERE else name


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8)]) if code.isdigit() else _LETTERS.get(code, code)


def _hunks(lines: list[bytes], at: int) -> tuple[tuple[Hunk, ...], int]:
    found = []
    while at < len(lines) and (match := _HUNK.match(lines[at])):
        old_count, new_count = (int(match[n]) if match[n] is not None else 1 for n in (2, 4))
        old, new, at = _sides(lines, at + 1, old_count, new_count)
        # "-0,0" and "-5,0" name the line before; others the first one.
        old_at = int(match[1]) - (old_count > 0)
        new_at = int(match[3]) - (new_count > 0)
        found.append(Hunk(old_at, old, new_at, new))
    return tuple(found), at


def _sides(
    lines: list[bytes], at: int, old_count: int, new_count: int
) -> tuple[tuple[bytes, ...], tuple[bytes, ...], int]:
    old: list[bytes] = []
    new: list[bytes] = []
    while at < len(lines) and (len(old) < old_count or len(new) < new_count or lines[at][:1] == b"\\"):
        line = lines[at]
        sign, body = line[:1], line[1:]
        if sign == b"\\":  # No newline at the end of the file, of the line above.
            above = lines[at - 1][:1]
            for side in [old] * (above in b"- ") + [new] * (above in b"+ "):
                side[-1] = side[-1].removesuffix(b"\n")
        elif sign in (b" ", b"\n", b"\r"):  # Some tools drop the space of an empty line.
            old.append(body if sign == b" " else line)
            new.append(body if sign == b" " else line)
        elif sign == b"-":
            old.append(body)
        elif sign == b"+":
            new.append(body)
        else:
            break
        at += 1
    if len(old) != old_count or len(new) != new_count:
        raise ValueError(f"a hunk ends too early, or is damaged, at line {at + 1} of the patch")
    return tuple(old), tuple(new), at
