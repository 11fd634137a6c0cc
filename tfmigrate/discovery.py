"""From the paths that a user names to the Python files to read.

A file that is named is always taken (unless ``force-exclude``). Folders are walked as git sees them: inside a
work tree git lists the files itself, elsewhere ``.gitignore`` files are read. Folders that hold no code of
the user's (virtual environments, build output, caches) are left out, and no symlink to a folder is followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.git import git_names, git_output
from tfmigrate.source import PYTHON_SUFFIXES

if TYPE_CHECKING:
    import pathspec

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tfmigrate",
    ".tfmigrate_cache",
    ".tox",
    ".venv",
    "__pycache__",
    "__pypackages__",
    "_build",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)
"""Names that are left out below a named folder; ``exclude`` replaces them, ``extend-exclude`` adds to them.
"""


@dataclass(frozen=True, slots=True)
class Excludes:
    """What to leave out: patterns as in ``.gitignore``, relative to ``root`` (the configuration's folder)."""

    patterns: tuple[str, ...] = DEFAULT_EXCLUDE
    root: Path = Path(".")
    force: bool = False
    """Files named by the user can be left out too."""


@dataclass(frozen=True, slots=True)
class Discovered:
    """The files to read, sorted by path, each once; and what was named but does not exist."""

    files: tuple[Path, ...]
    missing: tuple[Path, ...]


class RealPaths:
    """``os.path.realpath`` of many files; each folder's is looked up once."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, file: Path) -> str:
        folder, name = os.path.split(file)
        if name in ("", ".", "..") or os.path.islink(file):
            return os.path.realpath(file)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], name)


def discover(paths: Sequence[Path], excludes: Excludes = Excludes()) -> Discovered:
    """Expand ``paths``. A file that is named comes through whatever its suffix, to be said to be skipped."""
    matcher, real = _Matcher(excludes), RealPaths()
    found: dict[str, Path] = {}
    missing: list[Path] = []
    for path in paths:
        if path.is_dir():
            for file in _walk(path, matcher):
                found.setdefault(real.of(file), file)
        elif os.path.lexists(path):
            if not (excludes.force and matcher.excludes(path, is_folder=False)):
                found[real.of(path)] = path
        else:
            missing.append(path)
    return Discovered(tuple(sorted(found.values(), key=lambda file: file.as_posix())), tuple(missing))


def _walk(folder: Path, matcher: _Matcher) -> Iterator[Path]:
    """The Python files below ``folder``."""
    listed = _git_files(folder)
    if listed is None:
        yield from _walk_without_git(folder, matcher)
        return
    environments: dict[Path, bool] = {}
    for file in listed:
        if (
            file.suffix.lower() in PYTHON_SUFFIXES
            and not matcher.excludes_below(file, folder)
            and not _in_environment(file.parent, folder, environments)
            and file.is_file()
        ):
            yield file


def _git_files(folder: Path) -> list[Path] | None:
    """What git tracks or would track below ``folder``, submodules included; None outside a work tree."""
    tracked = git_names(folder, "ls-files", "-z", "--cached", "--recurse-submodules")
    untracked = git_names(folder, "ls-files", "-z", "--others", "--exclude-standard")
    if tracked is None or untracked is None:
        return None
    if not tracked and not untracked and _is_ignored(folder):
        return None  # A folder that git ignores but the user names is meant.
    files: list[Path] = []
    for name in dict.fromkeys(tracked + untracked):
        file = folder / name
        if name.endswith("/"):  # An untracked git repository inside this one.
            files.extend(_git_files(file) or [])
        elif not _below_symlink(file.parent, folder):
            files.append(file)
    return files


def _is_ignored(folder: Path) -> bool:
    return git_output(folder, "check-ignore", "-q", ".") is not None


def _below_symlink(folder: Path, top: Path) -> bool:
    while folder != top and folder != folder.parent:
        if folder.is_symlink():
            return True
        folder = folder.parent
    return False


def _in_environment(folder: Path, top: Path, known: dict[Path, bool]) -> bool:
    """Whether ``folder`` or a folder above it, below ``top``, is a virtual environment."""
    if folder == top or folder == folder.parent:
        return False
    answer = known.get(folder)
    if answer is None:
        answer = (folder / "pyvenv.cfg").is_file() or _in_environment(folder.parent, top, known)
        known[folder] = answer
    return answer


def _walk_without_git(top: Path, matcher: _Matcher) -> Iterator[Path]:
    ignores: dict[str, list[tuple[str, pathspec.GitIgnoreSpec]]] = {}
    for folder, folders, files in os.walk(top):
        above = ignores.get(os.path.dirname(folder), []) if folder != str(top) else []
        here = [*above, *_gitignore(folder)]
        ignores[folder] = here
        if os.path.exists(os.path.join(folder, ".git")) and folder != str(top):
            folders[:] = []
            yield from _walk(Path(folder), matcher)
            continue
        folders[:] = sorted(
            name
            for name in folders
            if _is_walked(Path(folder, name), matcher, top) and not _ignored(folder, name + "/", here)
        )
        for name in files:
            file = Path(folder, name)
            if (
                file.suffix.lower() in PYTHON_SUFFIXES
                and not _ignored(folder, name, here)
                and not matcher.excludes_below(file, top)
            ):
                yield file


def _is_walked(folder: Path, matcher: _Matcher, top: Path) -> bool:
    return (
        not folder.is_symlink()
        and not (folder / "pyvenv.cfg").is_file()
        and not matcher.excludes_below(folder, top, is_folder=True)
    )


def _gitignore(folder: str) -> list[tuple[str, pathspec.GitIgnoreSpec]]:
    try:
        with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    import pathspec

    return [(folder, pathspec.GitIgnoreSpec.from_lines(lines))]


def _ignored(folder: str, name: str, specs: list[tuple[str, pathspec.GitIgnoreSpec]]) -> bool:
    """The deepest ``.gitignore`` with an opinion decides."""
    for base, spec in reversed(specs):
        relative = os.path.relpath(os.path.join(folder, name.rstrip("/")), base)
        result = spec.check_file(relative.replace(os.sep, "/") + ("/" if name.endswith("/") else ""))
        if result.include is not None:
            return result.include
    return False


class _Matcher:
    """``exclude`` patterns, asked of paths."""

    def __init__(self, excludes: Excludes) -> None:
        self._root = os.path.abspath(excludes.root)
        self._names = frozenset(
            pattern for pattern in excludes.patterns if not set(pattern) & set("*?[]!/\\")
        )
        others = [pattern for pattern in excludes.patterns if pattern not in self._names]
        self._spec: pathspec.GitIgnoreSpec | None = None
        if others:
            import pathspec

            self._spec = pathspec.GitIgnoreSpec.from_lines(others)

    def excludes_below(self, path: Path, top: Path, is_folder: bool = False) -> bool:
        """As :meth:`excludes`; the names of ``top`` and above do not count, because the user named them."""
        below = path.parts[len(top.parts) :] if path.parts[: len(top.parts)] == top.parts else path.parts
        return not self._names.isdisjoint(below) or self._matches(path, is_folder)

    def excludes(self, path: Path, is_folder: bool) -> bool:
        """Whether a pattern matches ``path`` or a folder above it, up to the patterns' own folder."""
        relative = os.path.relpath(os.path.abspath(path), self._root)
        return not self._names.isdisjoint(relative.split(os.sep)) or self._matches(path, is_folder)

    def _matches(self, path: Path, is_folder: bool) -> bool:
        if self._spec is None:
            return False
        relative = os.path.relpath(os.path.abspath(path), self._root).replace(os.sep, "/")
        if relative.startswith("../"):
            relative = os.path.abspath(path).replace(os.sep, "/").lstrip("/")
        return self._spec.match_file(relative + ("/" if is_folder else ""))
