"""A source file as bytes and as text: decoding that loses nothing, and the reasons for not looking at a file.

Encoding follows Python itself (PEP 263: a BOM, then a cookie on one of the first two lines, then UTF-8).
Newlines are never translated. Whatever is decoded here encodes back to the same bytes; a file for which that
does not hold is not looked at.
"""

from __future__ import annotations

import io
import os
import stat
import tokenize
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfmigrate.results import Skipped, Unparsable

MAX_BYTES = 2_000_000
"""Larger files are skipped: they are data written as Python, and their syntax trees take gigabytes."""

PYTHON_SUFFIXES = frozenset({".py", ".pyw"})
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file, decoded. ``path`` is as printed: POSIX, relative to the working directory when below it."""

    path: str
    data: bytes
    text: str
    """Decoded, without the BOM, newlines as they are."""
    encoding: str
    """Name of the Python codec."""
    bom: bool

    def encode(self, after: str) -> bytes:
        """The bytes to write for ``after``, with this file's BOM and encoding.

        Raises:
            UnicodeEncodeError: ``after`` holds characters that the file's encoding lacks.
        """
        return (_BOM if self.bom else b"") + after.encode(self.encoding)


def printed_path(path: Path) -> str:
    """``path`` as printed: POSIX, relative to the working directory when below it, else absolute."""
    absolute, here = os.path.abspath(path), os.getcwd()
    if absolute == here:
        return "."
    below = here if here.endswith(os.sep) else here + os.sep
    return absolute.removeprefix(below).replace(os.sep, "/")


def split_lines(text: str) -> list[str]:
    """Lines with their ends, at Python's own line ends only (LF, CRLF, CR); joined they are ``text``.

    ``str.splitlines`` also splits at form feeds, U+2028 and others, which end no line of a Python file.
    """
    return io.StringIO(text, newline="").readlines()


def text_at(printed: str) -> str | None:
    """The text of the file that is printed as ``printed``; None where there is none to be read."""
    source = read_source(Path(printed), printed)
    return source.text if isinstance(source, SourceFile) else None


def read_source(path: Path, printed: str | None = None) -> SourceFile | Skipped | Unparsable:
    """Read and decode the file at ``path``. Never raises for anything that a disk can hold."""
    shown = printed_path(path) if printed is None else printed
    data = read_data(path, shown)
    return from_bytes(data, shown) if isinstance(data, bytes) else data


def read_data(path: Path, printed: str) -> bytes | Skipped | Unparsable:
    """The bytes of the file at ``path``, or why they are not looked at."""
    from tfmigrate.results import Skipped, Unparsable

    try:
        with open(path, "rb", buffering=0, opener=_open_without_blocking) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return Skipped(printed, "unsupported: not a regular file")
            if status.st_size > MAX_BYTES:
                return Skipped(printed, too_large(status.st_size))
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return Skipped(printed, "the file is gone: it was removed after it had been listed")
    except IsADirectoryError:
        return Skipped(printed, "unsupported: not a regular file")
    except OSError as error:
        return Unparsable(printed, 1, 1, f"cannot be read: {error.strerror or error}")


def from_bytes(data: bytes, printed: str) -> SourceFile | Skipped | Unparsable:
    """Decode the content of a Python file (from disk, standard input or ``git show``)."""
    from tfmigrate.results import Skipped, Unparsable

    reason = _unsupported(printed, data)
    if reason:
        return Skipped(printed, reason)
    bom = data.startswith(_BOM)
    encoding = _encoding(data)
    if isinstance(encoding, SyntaxError):
        return Unparsable(printed, 1, 1, f"cannot be decoded: {encoding.msg}")
    body = data[len(_BOM) :] if bom else data
    try:
        text = body.decode(encoding)
        same = encoding == "utf-8" or text.encode(encoding) == body
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        column = error.start - (body.rfind(b"\n", 0, error.start) + 1) + 1
        hint = "; declare its encoding in the first line (# coding: latin-1)" if encoding == "utf-8" else ""
        return Unparsable(printed, line, column, f"cannot be decoded as {encoding}: {error.reason}{hint}")
    except (LookupError, ValueError) as error:
        return Unparsable(printed, 1, 1, f"cannot be decoded as {encoding}: {error}")
    if not same:
        return Skipped(printed, f"unsupported: its {encoding} text does not encode back to the same bytes")
    return SourceFile(printed, data, text, encoding, bom)


def _encoding(data: bytes) -> str | SyntaxError:
    """The codec that Python would read ``data`` with."""
    if not any(b"coding" in line for line in data.split(b"\n", 2)[:2]):
        return "utf-8"
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        return "utf-8" if error.msg.startswith("invalid or missing encoding") else error
    return "utf-8" if encoding == "utf-8-sig" else encoding


def too_large(size: int) -> str:
    """The reason for skipping a file of ``size`` bytes."""
    return f"too large: {size:,} bytes, the limit is {MAX_BYTES:,}"


def _unsupported(printed: str, data: bytes) -> str:
    """Why this is no Python file that can be rewritten, or nothing."""
    suffix = os.path.splitext(printed)[1].lower()
    if suffix == ".ipynb":
        return "unsupported: a notebook; export it to a .py file"
    if suffix == ".pyi":
        return "unsupported: a stub file holds no code that runs"
    if suffix not in PYTHON_SUFFIXES and not _has_python_shebang(data) and printed not in ("-", "<stdin>"):
        return "unsupported: not a Python file (.py, .pyw or a Python #! line)"
    if len(data) > MAX_BYTES:
        return too_large(len(data))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "unsupported: UTF-16, which Python does not read as source"
    if b"\0" in data:
        return "unsupported: binary (holds null bytes)"
    return ""


def _has_python_shebang(data: bytes) -> bool:
    return data.startswith(b"#!") and b"python" in data[:128].split(b"\n", 1)[0]


def _open_without_blocking(name: str, flags: int) -> int:
    # A FIFO opened for reading would wait for a writer for ever.
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
