"""Read TOML files, on Python 3.10 too."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of the file at ``path``.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not TOML, or not UTF-8.
    """
    # Not an import statement: type checkers cannot follow one name to two libraries.
    library = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    with open(path, "rb") as file:
        tables: dict[str, Any] = library.load(file)
    return tables


def nearest_pyproject(start: Path) -> Path | None:
    """The ``pyproject.toml`` in ``start`` (a file or a folder, which need not exist) or in the first folder
    above it.
    """
    path = Path(os.path.abspath(start))
    for folder in (path, *path.parents):
        candidate = folder / "pyproject.toml"
        if candidate.is_file():
            return candidate
    return None
