"""Facts kept between runs, by content: one file for each set of roots.

The file is a header, a digest, and ``marshal`` of ``{hash of the content: marshal of the facts}``. Nothing in it is
ever run: it holds numbers, strings and containers only. Whatever does not match byte for byte is ignored and written anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tfmigrate.project.records import FACTS_VERSION

_DIGEST = 32
UNREADABLE = b""
"""Kept for a file that does not parse."""


def header() -> bytes:
    """Facts depend on our own version and on Python's grammar and ``marshal`` format."""
    version = ".".join(map(str, sys.version_info[:3]))
    return f"tfmigrate facts {FACTS_VERSION} {sys.implementation.name} {version} {marshal.version}\n".encode()


def content_key(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def cache_file(cache_dir: Path, roots: Sequence[Path]) -> Path:
    """Where the facts for these roots are kept."""
    names = "\n".join(sorted(os.path.abspath(root) for root in roots))
    return cache_dir / f"facts-{hashlib.blake2b(names.encode(), digest_size=8).hexdigest()}.bin"


def load(path: Path) -> dict[bytes, bytes]:
    """The facts kept in ``path``; empty if there are none, or if the file is broken or of another version."""
    try:
        data = path.read_bytes()
    except OSError:
        return {}
    start = header()
    body = data[len(start) + _DIGEST :]
    if not data.startswith(start) or data[len(start) : len(start) + _DIGEST] != _digest(body):
        return {}
    try:
        found = marshal.loads(body)
    except (ValueError, EOFError, TypeError):
        return {}
    is_sound = isinstance(found, dict) and all(
        isinstance(k, bytes) and isinstance(v, bytes) for k, v in found.items()
    )
    return found if is_sound else {}


def save(path: Path, entries: dict[bytes, bytes]) -> bool:
    """Write atomically. False if the place cannot be written: a cache is never worth failing for."""
    body = marshal.dumps(entries)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".facts-", dir=path.parent)
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(header() + _digest(body) + body)
        os.replace(name, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name)
        return False
    return True


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_DIGEST).digest()
