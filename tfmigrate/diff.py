"""Unified diffs that ``git apply`` takes: made of bytes, so that any encoding and any newline comes
through.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator

from tfmigrate.results import Patch

_NO_NEWLINE = b"\n\\ No newline at end of file\n"
_COLOURS = {b"-": b"\x1b[31m", b"+": b"\x1b[32m", b"@": b"\x1b[36m"}
_BOLD, _RESET = b"\x1b[1m", b"\x1b[0m"


def unified_diff(patch: Patch) -> bytes:
    """The diff of one file, labelled ``a/PATH`` and ``b/PATH``; empty when nothing changes.

    Raises:
        UnicodeEncodeError: the new text holds characters that the file's encoding lacks.
    """
    if not patch.changed:
        return b""
    return diff_of(patch.source.path, patch.source.data, patch.source.encode(patch.after))


def diff_of(path: str, before: bytes, after: bytes) -> bytes:
    """The diff between two contents of one file; empty when they are equal."""
    old, new = _label("a", path), _label("b", path)
    lines = difflib.diff_bytes(difflib.unified_diff, _lines(before), _lines(after), old, new)
    return b"".join(line if line.endswith(b"\n") else line + _NO_NEWLINE for line in lines)


def coloured(diff: bytes) -> bytes:
    """``diff`` with terminal colours."""
    return b"".join(_coloured(line) for line in _lines(diff))


def _coloured(line: bytes) -> bytes:
    body = line.rstrip(b"\r\n")
    if line.startswith((b"--- ", b"+++ ")):
        return _BOLD + body + _RESET + line[len(body) :]
    colour = _COLOURS.get(line[:1])
    return colour + body + _RESET + line[len(body) :] if colour else line


def _lines(data: bytes) -> list[bytes]:
    """Lines as git counts them: only LF ends one, so that a lone CR is part of a line."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def _label(side: str, path: str) -> bytes:
    """The file's name as git writes it: quoted if need be, with a tab after a name that holds a space."""
    name = f"{side}/{path.lstrip('/')}"
    raw = os.fsencode(name)
    if any(byte < 0x20 or byte >= 0x7F or byte in b'"\\' for byte in raw):
        return b'"' + b"".join(_quoted(raw)) + b'"'
    return raw + b"\t" if b" " in raw else raw


def _quoted(raw: bytes) -> Iterator[bytes]:
    for byte in raw:
        if byte in b'"\\':
            yield b"\\" + bytes([byte])
        elif 0x20 <= byte < 0x7F:
            yield bytes([byte])
        else:
            yield b"\\%03o" % byte
