"""Facts kept between runs, by content: one file for each set of roots, ``{hash of the content: marshal of the facts}``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache as once
from pathlib import Path

from tfmigrate import kept
from tfmigrate.kept import content_key

__all__ = ["UNREADABLE", "cache_file", "content_key", "header", "load", "save"]

UNREADABLE = b""
"""Kept for a file that does not parse."""


@once
def header() -> bytes:
    """Facts depend on the code that takes them and on Python's grammar and ``marshal`` format."""
    return kept.header("facts", sorted(Path(__file__).parent.glob("*.py")))


def cache_file(cache_dir: Path, roots: Sequence[Path]) -> Path:
    """Where the facts for these roots are kept."""
    return kept.file_for(cache_dir, "facts", sorted(os.path.abspath(root) for root in roots))


def load(path: Path) -> dict[bytes, bytes]:
    """The facts kept in ``path``; empty if there are none, or if the file is broken or of another version."""
    found = kept.load(path, header())
    if not isinstance(found, dict):
        return {}
    is_sound = all(isinstance(k, bytes) and isinstance(v, bytes) for k, v in found.items())
    return found if is_sound else {}


def save(path: Path, entries: dict[bytes, bytes]) -> bool:
    """Write atomically. False if the place cannot be written."""
    return kept.save(path, header(), entries)
