"""Which folders Python would import a code base from, and which files beside the named ones belong to it.

``tfmigrate diff pkg/net.py`` must know the base class in ``pkg/base.py``, and that ``pkg/train.py`` calls it
inside a graph. So the index holds all of the packages that the named files are part of, and their neighbours.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tfmigrate.discovery import Excludes, RealPaths, discover

_INSTALLED = frozenset({"site-packages", "dist-packages"})


def import_roots(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Folders that Python would import the named files from: above the outermost package of each."""
    folders = [Path(os.path.abspath(path if path.is_dir() else path.parent)) for path in paths]
    return tuple(sorted({_above_packages(folder) for folder in folders}))


def neighbours(paths: Sequence[Path], files: Sequence[Path], excludes: Excludes) -> list[Path]:
    """The other files that the named ones can import or be imported by: what stands at the same import roots.

    Below a named folder everything was found already. Above it, and beside a named file, these are the
    modules and the packages at its import root; where packages are installed side by side, only the file's
    own package.
    """
    wanted: dict[Path, None] = {}
    for path in paths:
        folder = Path(os.path.abspath(path if path.is_dir() else path.parent))
        root = _above_packages(folder)
        if root == folder and path.is_dir():
            continue
        if root.name in _INSTALLED and root != folder:
            wanted[root / folder.relative_to(root).parts[0]] = None
        else:
            wanted.update(dict.fromkeys(_importable(root)))
    if not wanted:
        return []
    real = RealPaths()
    known = {real.of(file) for file in files}
    return [file for file in discover(list(wanted), excludes).files if real.of(file) not in known]


def _above_packages(folder: Path) -> Path:
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        folder = folder.parent
    return folder


def _importable(root: Path) -> list[Path]:
    """Modules and packages directly in ``root``."""
    try:
        entries = sorted(os.scandir(root), key=lambda entry: entry.name)
    except OSError:
        return []
    return [
        Path(entry.path)
        for entry in entries
        if (entry.name.endswith(".py") and entry.is_file())
        or (entry.is_dir(follow_symlinks=False) and os.path.isfile(os.path.join(entry.path, "__init__.py")))
    ]
