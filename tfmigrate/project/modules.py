"""Names of modules, and which file an import means.

A file is named after its chain of packages; a loose script after its place below the root. Imports are looked up as
Python would (folders above the importing file that are no packages stand for ``sys.path``), then by the only file whose
path ends so.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from tfmigrate.project.canonical import LIBRARY_ROOTS

_SOURCE_FOLDERS = ("src", "lib", "python")
_INIT = "__init__"


@dataclass(frozen=True, slots=True)
class ModuleFile:
    name: str
    path: str
    """As in ``SourceFile.path``."""
    absolute: str
    folder: str
    """Absolute."""
    is_package: bool


@dataclass(slots=True)
class ModuleTable:
    """All files of the project by name and by place. Filled by :func:`name_modules`, then only read."""

    by_name: dict[str, ModuleFile] = field(default_factory=dict)
    by_stem: dict[str, str] = field(default_factory=dict)
    """Absolute path without ``.py`` (of a package: its folder) -> module name."""
    by_suffix: dict[str, list[str]] = field(default_factory=dict)
    """Last part of the path -> stems."""
    packages: set[str] = field(default_factory=set)
    """Folders with an ``__init__.py``."""
    tops: set[str] = field(default_factory=set)
    """All parts of all paths: any other first part of an import is foreign."""
    checked: dict[str, bool] = field(default_factory=dict)
    """Folder -> whether it is a package."""
    found: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def find(self, dotted: str, folder: str) -> str | None:
        """The project module that the absolute import ``dotted`` means in a file of ``folder``; None if there is none."""
        key = (folder, dotted)
        if key not in self.found:
            self.found[key] = self._find(dotted, folder)
        return self.found[key]

    def _find(self, dotted: str, folder: str) -> str | None:
        head = dotted.partition(".")[0]
        if head in LIBRARY_ROOTS or head not in self.tops:
            return None
        tail = dotted.replace(".", "/")
        is_standard = head in sys.stdlib_module_names
        for place in (folder,) if is_standard else ancestors(folder):
            if place not in self.packages:
                found = self.by_stem.get(f"{place}/{tail}")
                if found is not None:
                    return found
        if is_standard:
            return None
        if dotted in self.by_name:
            return dotted
        if "." not in dotted:
            return None
        ending = "/" + tail
        stems = [s for s in self.by_suffix.get(dotted.rpartition(".")[2], ()) if s.endswith(ending)]
        return self.by_stem[stems[0]] if len(stems) == 1 else None

    def relative(self, module: str, level: int, target: str) -> str | None:
        """The name of the module that ``from ..target import`` means in ``module``; None above the top."""
        file = self.by_name.get(module)
        if file is None:
            return None
        folder = file.folder
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        stem = f"{folder}/{target.replace('.', '/')}" if target else folder
        return self.by_stem.get(stem)


@lru_cache(maxsize=50_000)
def ancestors(folder: str) -> tuple[str, ...]:
    """The folder and all above it, nearest first."""
    found = [folder]
    while folder not in ("", "/"):
        folder = os.path.dirname(folder)
        found.append(folder)
    return tuple(found)


def name_modules(paths: Iterable[str], roots: Iterable[str]) -> ModuleTable:
    """Name the files of a project. ``roots`` are absolute folders; only names of loose scripts depend on them."""
    table = ModuleTable()
    folders = list(roots)
    files = [(path, os.path.abspath(path)) for path in paths]
    table.checked = {os.path.dirname(a): True for _, a in files if os.path.basename(a) == "__init__.py"}
    chosen: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for path, absolute in files:
        chosen[_chain_name(absolute, folders, table.checked)].append((path, absolute))
    for name, candidates in chosen.items():
        for path, absolute in candidates:
            _add(table, path, absolute, name if len(candidates) == 1 else _place_name(absolute, folders))
    table.packages = {folder for folder, is_package in table.checked.items() if is_package}
    return table


def add_module(table: ModuleTable, path: str, roots: list[str]) -> str:
    """Take in one more file; its name is returned. What could not be found before is looked for again."""
    absolute = os.path.abspath(path)
    name = _chain_name(absolute, roots, table.checked)
    name = _add(table, path, absolute, name if name not in table.by_name else _place_name(absolute, roots))
    table.packages = {folder for folder, is_package in table.checked.items() if is_package}
    table.found.clear()
    return name


def _add(table: ModuleTable, path: str, absolute: str, name: str) -> str:
    while name in table.by_name:
        name += "_"
    file = ModuleFile(
        name, path, absolute, os.path.dirname(absolute), os.path.basename(absolute) == "__init__.py"
    )
    stem = file.folder if file.is_package else os.path.splitext(file.absolute)[0]
    table.by_name[file.name] = file
    table.by_stem.setdefault(stem, file.name)
    table.by_suffix.setdefault(stem.rpartition("/")[2], []).append(stem)
    table.tops.update(stem.split("/"))
    return name


def _is_package(folder: str, checked: dict[str, bool]) -> bool:
    if folder not in checked:
        checked[folder] = os.path.exists(f"{folder}/__init__.py")
    return checked[folder]


def _chain_name(absolute: str, folders: list[str], checked: dict[str, bool]) -> str:
    folder = os.path.dirname(absolute)
    if not _is_package(folder, checked):
        return _place_name(absolute, folders)
    while _is_package(folder, checked):
        folder = os.path.dirname(folder)
    return _dotted(absolute, folder)


def _place_name(absolute: str, folders: list[str]) -> str:
    below = [root for root in folders if absolute.startswith(root + "/")]
    name = _dotted(absolute, max(below, key=len) if below else os.path.dirname(absolute))
    head, _, rest = name.partition(".")
    return rest if head in _SOURCE_FOLDERS and rest else name


def _dotted(absolute: str, folder: str) -> str:
    parts = os.path.splitext(absolute)[0][len(folder) :].strip("/").split("/")
    if parts[-1] == _INIT and len(parts) > 1:
        parts.pop()
    return ".".join(part.replace(".", "_") for part in parts)
