"""The project's files that one module imports, directly and through others, in one version. Nothing is executed.

Imports are read with ``ast`` wherever they stand, and looked for in the version's own roots only: what is installed is
known by its version.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tfmigrate.verify.model import CodeTree


class Reader:
    """Reads files of versions; each content is parsed once."""

    def __init__(self) -> None:
        self._disk: dict[str, bytes | None] = {}
        self._imports: dict[bytes, tuple[tuple[int, str, tuple[str, ...]], ...]] = {}

    def read(self, tree: CodeTree, path: str) -> bytes | None:
        """The content of ``path`` in this version; None: there is none."""
        if path in tree.overlay:
            return tree.overlay[path]
        if path not in self._disk:
            try:
                self._disk[path] = Path(path).read_bytes()
            except OSError:
                self._disk[path] = None
        return self._disk[path]

    def closure(self, tree: CodeTree, starts: Iterable[str]) -> dict[str, bytes]:
        """Absolute path -> content, of the files ``starts`` and of all that they import from the version's roots."""
        found: dict[str, bytes] = {}
        due = [os.path.realpath(path) for path in starts]
        while due:
            path = due.pop()
            data = self.read(tree, path) if path not in found else None
            if data is not None:
                found[path] = data
                due += self._imported(tree, path, data)
        return found

    def _imported(self, tree: CodeTree, path: str, data: bytes) -> Iterator[str]:
        for root in tree.roots:
            base = os.path.realpath(root)
            inside = os.path.relpath(path, base)
            package = [] if inside.startswith("..") else inside.split(os.sep)[:-1]
            for number in range(1, len(package) + 1):  # Importing a module runs the packages above it.
                yield os.path.join(base, *package[:number], "__init__.py")
            for level, module, names in self._read_imports(data):
                if level and (inside.startswith("..") or level > len(package) + 1):
                    continue
                above = package[: len(package) + 1 - level] if level else []
                yield from self._files(tree, base, [*above, *filter(None, module.split("."))], names)

    def _files(self, tree: CodeTree, base: str, parts: Sequence[str], names: Sequence[str]) -> Iterator[str]:
        """Files that are run by ``from parts import names``."""
        folders = [os.path.join(base, *parts[:number]) for number in range(1, len(parts) + 1)]
        folders += [os.path.join(base, *parts, name) for name in names]
        for folder in folders:
            for file in (os.path.join(folder, "__init__.py"), f"{folder}.py"):
                if self.read(tree, file) is not None:
                    yield file

    def _read_imports(self, data: bytes) -> tuple[tuple[int, str, tuple[str, ...]], ...]:
        if data not in self._imports:
            self._imports[data] = tuple(_imports(data))
        return self._imports[data]


def _imports(data: bytes) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Level, module and names of each import statement."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names if alias.name != "*")
            yield node.level, node.module or "", names
