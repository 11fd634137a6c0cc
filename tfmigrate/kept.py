"""Plain data kept in a file between runs: a header, a digest, and ``marshal``.

Nothing in such a file is ever run: it holds numbers, strings and containers only. A file whose header or digest is not the
expected one is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_DIGEST = 32


def content_key(data: bytes) -> bytes:
    """Stands for ``data``; 16 bytes."""
    return hashlib.blake2b(data, digest_size=16).digest()


def header(what: str, code: Iterable[Path]) -> bytes:
    """The first line of a file of ``what``: it holds for these very files of ours and this very Python."""
    digest = hashlib.blake2b(digest_size=16)
    for path in code:
        digest.update(content_key(path.read_bytes()))
    python = f"{sys.implementation.name} {'.'.join(map(str, sys.version_info[:3]))} {marshal.version}"
    return f"tfmigrate {what} {digest.hexdigest()} {python}\n".encode()


def file_for(folder: Path, kind: str, names: Iterable[str]) -> Path:
    """Where ``kind`` of data about ``names`` is kept."""
    digest = hashlib.blake2b("\n".join(names).encode("utf-8", "surrogateescape"), digest_size=8)
    return folder / f"{kind}-{digest.hexdigest()}.bin"


def load(path: Path, start: bytes) -> object:
    """What :func:`save` wrote to ``path`` under the header ``start``; None if that is not what is there."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    body = memoryview(data)[len(start) + _DIGEST :]
    if not data.startswith(start) or data[len(start) : len(start) + _DIGEST] != _digest(body):
        return None
    try:
        return marshal.loads(body)
    except (ValueError, EOFError, TypeError):
        return None


def save(path: Path, start: bytes, value: Any) -> bool:
    """Write atomically. False if the place cannot be written: a cache is never worth failing for."""
    body = marshal.dumps(value)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", dir=path.parent)
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(start + _digest(body) + body)
        os.replace(name, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name)
        return False
    return True


def _digest(body: bytes | memoryview) -> bytes:
    return hashlib.blake2b(body, digest_size=_DIGEST).digest()
