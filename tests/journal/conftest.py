"""A project with files that tfmigrate rewrites."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from journal_samples import NET


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """``pyproject.toml`` and a package of three files to rewrite and one to leave."""
    folder = tmp_path / "template"
    (folder / "pkg").mkdir(parents=True)
    (folder / "pyproject.toml").touch()
    (folder / "pkg" / "left.py").write_text("import tensorflow as tf\n")
    for name in ("first", "linked", "second"):
        (folder / "pkg" / f"{name}.py").write_text(NET.format(name.title()))
    return folder


@pytest.fixture
def in_memory(tmp_path: Path) -> Iterator[Path]:
    """A folder that is synced to nothing where there is one: hundreds of runs need not wait for a disk."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)
