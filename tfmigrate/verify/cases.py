"""Where a model and its inputs come from. First match wins, and each case says its origin:

1. ``tfmigrate_cases.py`` beside the code, or in a folder above it (casefiles.py);
2. ``[[tool.tfmigrate.case]]`` in pyproject.toml (declared.py);
3. the class's own ``get_example_inputs()``;
4. a recording, ``tfmigrate-recording.json`` in one of these folders or the one that was named (recorded.py);
5. guessing from constructor defaults, names and shapes (synthesis.py), always said to be guessed.

Nothing of the user's is executed here: case files are read with ``ast``.
"""

from __future__ import annotations

import ast
import difflib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.verify.casefiles import CASE_FILE, CaseFile, read_case_file
from tfmigrate.verify.declared import Declared, read_declared
from tfmigrate.verify.model import Case
from tfmigrate.verify.recipes import (
    DeclaredRecipe,
    ExampleInputsRecipe,
    FunctionRecipe,
    GuessRecipe,
    Recipe,
)
from tfmigrate.verify.recorded import Recordings, recorded_cases

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex

__all__ = [
    "CaseFinder",
    "DeclaredRecipe",
    "ExampleInputsRecipe",
    "Found",
    "FunctionRecipe",
    "GuessRecipe",
    "Recipe",
    "Symbol",
    "template",
]

GUESSED = "guessed from constructor arguments and shape probing"


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A class or function that has to be run."""

    module: str
    """Import name, ``shop.model``."""
    qualname: str
    path: str
    """Absolute path of its file."""
    root: str
    """The ``sys.path`` entry from which ``module`` is imported."""

    def __str__(self) -> str:
        return f"{self.module}:{self.qualname}"


@dataclass(frozen=True, slots=True)
class Found:
    """The cases of one symbol, and what was wrong with those that could not be used (sentences)."""

    cases: tuple[Case, ...]
    problems: tuple[str, ...] = ()


class CaseFinder:
    """Looks cases up; each case file and each pyproject.toml is read once."""

    def __init__(self, index: ProjectIndex | None = None, recording: Path | None = None) -> None:
        self._index = index
        self._recordings = Recordings(recording)
        self._files: dict[str, CaseFile | None] = {}
        self._tables: dict[str, tuple[tuple[Declared, ...], tuple[str, ...]] | None] = {}
        self._definitions: dict[str, dict[str, set[str]]] = {}

    def find(self, symbol: Symbol) -> Found:
        """The cases of ``symbol``. There is always one: the guess."""
        problems: list[str] = []
        folders = _folders_above(symbol)
        cases = self._from_case_files(symbol, folders, problems)
        if not cases:
            cases = self._from_tables(symbol, folders, problems)
        if not cases and self._has_example_inputs(symbol):
            recipe: Recipe = ExampleInputsRecipe()
            cases = (Case(str(symbol), "example", "get_example_inputs()", False, recipe),)
        if not cases:
            cases = self._from_recording(symbol, folders, problems)
        if not cases:
            cases = (Case(str(symbol), "guess", GUESSED, True, GuessRecipe()),)
        return Found(cases, tuple(problems))

    def _from_case_files(self, symbol: Symbol, folders: list[Path], problems: list[str]) -> tuple[Case, ...]:
        for folder in folders:
            file = self._case_file(folder / CASE_FILE)
            if file is None:
                continue
            problems += file.problems
            cases = []
            for marked in file.functions:
                if self._names(marked.symbol, symbol, folder, problems, f"{file.path}:{marked.line}"):
                    recipe = FunctionRecipe(str(folder / CASE_FILE), marked.function, symbol.module)
                    origin = f"{file.path}:{marked.line}"
                    cases.append(Case(str(symbol), marked.name, origin, False, recipe))
            if cases:
                return tuple(cases)
            problems += self._misspelt(symbol, [(f.symbol, f"{file.path}:{f.line}") for f in file.functions])
        return ()

    def _names(self, written: str, symbol: Symbol, folder: Path, problems: list[str], where: str) -> bool:
        """Whether ``written`` in a case file of ``folder`` names ``symbol``."""
        if ":" in written:
            return written == str(symbol)
        if written != symbol.qualname or os.path.dirname(symbol.path) != str(folder):
            return False
        holders = self._defining(str(folder)).get(written.partition(".")[0], set())
        if len(holders) > 1:
            problems.append(
                f"{where}: {written!r} is defined in {' and '.join(sorted(holders))}; "
                f'write the module too: @tfmigrate.case("{symbol}")'
            )
            return False
        return True

    def _defining(self, folder: str) -> dict[str, set[str]]:
        """Top-level classes and functions of the folder's modules -> names of the files that define them."""
        if folder not in self._definitions:
            found: dict[str, set[str]] = {}
            for path in sorted(Path(folder).glob("*.py")):
                if path.name == CASE_FILE:
                    continue
                try:
                    body = ast.parse(path.read_bytes()).body
                except (SyntaxError, ValueError, OSError):
                    continue
                for node in body:
                    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                        found.setdefault(node.name, set()).add(path.name)
            self._definitions[folder] = found
        return self._definitions[folder]

    def _from_tables(self, symbol: Symbol, folders: list[Path], problems: list[str]) -> tuple[Case, ...]:
        for folder in folders:
            tables = self._declared(folder / "pyproject.toml")
            if tables is None:
                continue
            problems += tables[1]
            cases = tuple(
                Case(
                    str(symbol),
                    table.name or str(table.number),
                    f"{_printed(folder / 'pyproject.toml')} [[tool.tfmigrate.case]] {table.number}",
                    False,
                    table.recipe,
                )
                for table in tables[0]
                if table.symbol == str(symbol)
            )
            if cases:
                return cases
            where = _printed(folder / "pyproject.toml")
            problems += self._misspelt(symbol, [(t.symbol, f"{where} case {t.number}") for t in tables[0]])
        return ()

    def _from_recording(self, symbol: Symbol, folders: list[Path], problems: list[str]) -> tuple[Case, ...]:
        recording = self._recordings.find(folders)
        if isinstance(recording, str):
            problems.append(recording)
        if recording is None or isinstance(recording, str):
            return ()
        found, more = recorded_cases(recording, str(symbol), symbol.path)
        problems += more
        return tuple(
            Case(str(symbol), f"recorded-{number}", origin, False, recipe)
            for number, (origin, recipe) in enumerate(found, start=1)
        )

    def _misspelt(self, symbol: Symbol, written: list[tuple[str, str]]) -> list[str]:
        """Cases that name no class or function of their module, and probably mean ``symbol``."""
        known = self._defining(os.path.dirname(symbol.path))
        return [
            f"{where}: there is no {text!r}; did you mean {str(symbol)!r}?"
            for text, where in written
            if text.rpartition(":")[2].partition(".")[0] not in known
            and _alike(text if ":" in text else f"{symbol.module}:{text}", str(symbol))
        ]

    def _case_file(self, path: Path) -> CaseFile | None:
        key = str(path)
        if key not in self._files:
            self._files[key] = read_case_file(_printed(path), path.read_bytes()) if path.is_file() else None
        return self._files[key]

    def _declared(self, path: Path) -> tuple[tuple[Declared, ...], tuple[str, ...]] | None:
        key = str(path)
        if key not in self._tables:
            self._tables[key] = read_declared(path, _printed(path)) if path.is_file() else None
        return self._tables[key]

    def _has_example_inputs(self, symbol: Symbol) -> bool:
        if self._index is None:
            return False
        qualified = f"{symbol.module}.{symbol.qualname}"
        for base in (qualified, *self._index.mro(qualified)):
            facts = self._index.class_facts(base)
            if facts is not None and "get_example_inputs" in facts.methods:
                return True
        return False


def _alike(left: str, right: str) -> bool:
    return difflib.SequenceMatcher(None, left, right).ratio() > 0.8


def template(symbol: str, is_class: bool) -> str:
    """The lines to put into ``tfmigrate_cases.py`` for ``symbol``."""
    qualname = symbol.partition(":")[2]
    name = re.sub(r"\W+", "_", qualname.rpartition(".")[2]).strip("_").lower() or "this"
    made = f"module.{qualname}(...)" if is_class else f"module.{qualname}"
    return (
        "import tensorflow as tf\n"
        "import tfmigrate\n\n"
        f'@tfmigrate.case("{symbol}")\n'
        f"def {name}_case(module):\n"
        f"    return {made}, [tf.random.normal([2, 8]), tf.random.normal([3, 8])]\n"
    )


def _folders_above(symbol: Symbol) -> list[Path]:
    """The module's folder and those above it, up to the import root or the project's folder."""
    start = Path(symbol.path).parent
    folders = [start, *start.parents]
    last = folders.index(Path(symbol.root)) if Path(symbol.root) in folders else 0
    for number, folder in enumerate(folders):
        if (folder / ".git").exists() or (folder / "pyproject.toml").is_file():
            last = max(last, number)
            break
    return folders[: last + 1]


def _printed(path: Path) -> str:
    from tfmigrate.source import printed_path

    return printed_path(path)
