"""Imports one version of the user's code: files of a :class:`CodeTree`'s overlay in place of the disk's.

Nothing is written and nothing is copied, so ``__file__``, line numbers, data files beside the modules and
relative imports are as in the user's own runs. ``linecache`` is filled with the overlay's text, because it
would read the file on disk: AutoGraph, ``inspect.getsource`` and tracebacks must see the lines that run.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import io
import linecache
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

from tfmigrate.verify.model import CodeTree


class OverlayLoader(SourceFileLoader):
    """Loads a module from bytes; ``.pyc`` files belong to the file on disk, and are not touched."""

    def __init__(self, name: str, path: str, data: bytes) -> None:
        super().__init__(name, path)
        self._data = data

    def get_data(self, path: str) -> bytes:
        return self._data if path == self.path else super().get_data(path)

    def get_code(self, fullname: str) -> object:  # type: ignore[override]
        path = self.get_filename(fullname)
        return self.source_to_code(self._data, path)

    def exec_module(self, module: ModuleType) -> None:
        remember_lines(self.get_filename(self.name), self._data)
        super().exec_module(module)


class _UpdateCache:
    """Takes the place of ``linecache.updatecache``, which AutoGraph calls to read the disk again."""

    def __init__(self) -> None:
        self._read_disk = linecache.updatecache
        self.entries: dict[str, tuple[int, None, list[str], str]] = {}

    def __call__(self, filename: str, module_globals: dict[str, object] | None = None) -> list[str]:
        entry = self.entries.get(filename)
        if entry is None:
            return self._read_disk(filename, module_globals)
        linecache.cache[filename] = entry
        return entry[2]


def remember_lines(path: str, data: bytes) -> None:
    """Let ``linecache`` answer for ``path`` with ``data``, whatever the disk holds."""
    try:
        text = importlib.util.decode_source(data)
    except (SyntaxError, UnicodeDecodeError):
        return
    if not isinstance(linecache.updatecache, _UpdateCache):
        linecache.updatecache = _UpdateCache()
    linecache.updatecache.entries[path] = (len(data), None, [line + "\n" for line in text.split("\n")], path)
    linecache.updatecache(path)


class OverlayFinder:
    """Meta path finder for modules that the overlay replaces, adds or hides; all others go the usual way."""

    def __init__(self, roots: Sequence[str], overlay: Mapping[str, bytes | None]) -> None:
        self._roots = tuple(roots)
        self._overlay = dict(overlay)
        self._folders = _parents(self._overlay)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        tail = fullname.rpartition(".")[2]
        locations = [os.fspath(entry) for entry in (self._roots if path is None else path)]
        if not any(self._touches(location, tail) for location in locations):
            return None
        namespace: list[str] = []
        for location in locations:
            spec = self._find_in(fullname, location, tail)
            if spec is not None and (spec.loader is not None and spec.origin is not None):
                return spec
            if spec is not None and spec.submodule_search_locations:
                namespace += spec.submodule_search_locations
        if namespace:
            spec = ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = namespace
            return spec
        return self._find_elsewhere(fullname, path)

    def _find_elsewhere(self, fullname: str, path: Sequence[str] | None) -> ModuleSpec | None:
        """What this version does not have may be another's: of the standard library, or installed."""
        if path is None:
            rest = [entry for entry in sys.path if entry not in self._roots]
            for finder in sys.meta_path:
                if finder is self:
                    continue
                found = (
                    PathFinder.find_spec(fullname, rest)
                    if finder is PathFinder
                    else finder.find_spec(fullname, None)
                )
                if found is not None:
                    return found
        raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)

    def _touches(self, location: str, tail: str) -> bool:
        base = os.path.join(location, tail)
        return _real(base + ".py") in self._overlay or _real(base) in self._folders

    def _find_in(self, fullname: str, location: str, tail: str) -> ModuleSpec | None:
        base = os.path.join(location, tail)
        package, module = os.path.join(base, "__init__.py"), base + ".py"
        for file, is_package in ((package, True), (module, False)):
            if (data := self._overlay.get(_real(file))) is not None:
                return importlib.util.spec_from_file_location(
                    fullname,
                    file,
                    loader=OverlayLoader(fullname, file, data),
                    submodule_search_locations=[base] if is_package else None,
                )
            if _real(file) not in self._overlay and os.path.isfile(file):
                return PathFinder.find_spec(fullname, [location])
        if self._has_content(base):
            spec = ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [base]
            return spec
        hidden = any(_real(file) in self._overlay for file in (package, module))
        return None if hidden else PathFinder.find_spec(fullname, [location])

    def _has_content(self, folder: str) -> bool:
        """Whether ``folder`` is a package without ``__init__.py``: it holds something that is not hidden."""
        real = _real(folder)
        if any(data is not None and path.startswith(real + os.sep) for path, data in self._overlay.items()):
            return True
        if not os.path.isdir(folder):
            return False
        names = (name for name in os.listdir(folder) if name != "__pycache__")
        return any(_real(os.path.join(folder, name)) not in self._overlay for name in names)


def install_tree(tree: CodeTree) -> None:
    """Make imports of this process take ``tree``: its roots first on ``sys.path``, its overlay before the
    disk."""
    sys.dont_write_bytecode = True
    roots = [os.path.abspath(root) for root in tree.roots]
    sys.path[:] = roots + [entry for entry in sys.path if entry not in roots]
    for path, data in tree.overlay.items():
        if data is not None:
            remember_lines(path, data)
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, OverlayFinder)]
    sys.meta_path.insert(0, OverlayFinder(roots, tree.overlay))
    importlib.invalidate_caches()


def read_through(tree: CodeTree, path: str) -> bytes | None:
    """The bytes of ``path`` in this version of the code; None if it is absent there."""
    real = _real(path)
    if real in tree.overlay:
        return tree.overlay[real]
    try:
        with io.open_code(path) as file:
            return file.read()
    except OSError:
        return None


def find_module_file(tree: CodeTree, name: str) -> tuple[str, bytes] | None:
    """Path and bytes of the module ``name`` below the tree's roots."""
    relative = os.path.join(*name.split("."))
    for root in tree.roots:
        for file in (os.path.join(root, relative, "__init__.py"), os.path.join(root, relative + ".py")):
            if (data := read_through(tree, file)) is not None:
                return file, data
    return None


def load_file(tree: CodeTree, path: str, name: str) -> ModuleType:
    """Import the file at ``path`` under ``name``, whatever ``sys.path`` says.

    Raises:
        FileNotFoundError: the file does not exist in this version of the code.
    """
    data = read_through(tree, path)
    if data is None:
        raise FileNotFoundError(path)
    package = [os.path.dirname(path)] if os.path.basename(path) == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(
        name, path, loader=OverlayLoader(name, path, data), submodule_search_locations=package
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _real(path: str) -> str:
    return os.path.realpath(path)


def _parents(overlay: Mapping[str, bytes | None]) -> frozenset[str]:
    """Folders that hold a file of the overlay (hidden ones too), at any depth."""
    found: set[str] = set()
    for path in overlay:
        folder = os.path.dirname(path)
        while folder not in found and folder != os.path.dirname(folder):
            found.add(folder)
            folder = os.path.dirname(folder)
    return frozenset(found)
