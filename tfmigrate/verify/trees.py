"""Two versions of a code base as :class:`CodeTree`: one on disk, the other an overlay of files that differ.

Of two given versions the one after is on disk (before, for a patch that is not applied): paths, data files and case files
are then the same for both.
Case files are never part of an overlay: a case has to run unchanged on both versions.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from tfmigrate.discovery import Excludes, discover
from tfmigrate.exits import UsageError
from tfmigrate.git import git_names, git_output
from tfmigrate.results import Patch
from tfmigrate.verify.casefiles import CASE_FILE
from tfmigrate.verify.model import CodeTree, Version


class TreeError(UsageError):
    """The two versions cannot be had; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One Python file that differs. ``path`` is absolute, on the side that is on disk; None: absent there."""

    path: str
    before: bytes | None
    after: bytes | None


def path_of(source_path: str) -> str:
    """The absolute real path of a :class:`SourceFile`'s printed path."""
    return os.path.realpath(source_path)


def patched_trees(patches: Iterable[Patch], roots: Sequence[str]) -> tuple[CodeTree, CodeTree]:
    """The code that the patches were made from, and the code with all of them applied."""
    before: dict[str, bytes | None] = {}
    after: dict[str, bytes | None] = {}
    for patch in patches:
        if patch.changed:
            path = path_of(patch.source.path)
            after[path] = patch.source.encode(patch.after)
            if _on_disk(path) != patch.source.data:  # It came from standard input.
                before[path] = patch.source.data
    return CodeTree(tuple(roots), before), CodeTree(tuple(roots), after)


def compared_trees(
    changed: Iterable[ChangedFile], roots: Sequence[str], on_disk: Version = Version.AFTER
) -> tuple[CodeTree, CodeTree]:
    """The versions before and after: the one that is not ``on_disk`` is an overlay over the other."""
    is_after = on_disk is Version.AFTER
    overlay = {
        os.path.realpath(file.path): file.before if is_after else file.after
        for file in changed
        if os.path.basename(file.path) != CASE_FILE
    }
    disk, other = CodeTree(tuple(roots)), CodeTree(tuple(roots), overlay)
    return (other, disk) if is_after else (disk, other)


def import_root(path: str, module: str = "") -> str:
    """The ``sys.path`` entry to import ``path`` from as ``module``; without a name: above its packages."""
    if module:
        parts = module.split(".")
        stem = Path(path).parent if os.path.basename(path) == "__init__.py" else Path(path).with_suffix("")
        if list(stem.parts[-len(parts) :]) == parts:
            return str(Path(*stem.parts[: -len(parts)]))
    folder = Path(path).parent
    while (folder / "__init__.py").is_file() and folder != folder.parent:
        folder = folder.parent
    return str(folder)


# -- a git revision ------------------------------------------------------------------------------------------


def changed_since(revision: str, paths: Sequence[Path]) -> tuple[ChangedFile, ...]:
    """Python files of the repository around ``paths`` that differ between ``revision`` and the working tree.

    Files outside of ``paths`` are among them: they are part of the version before.

    Raises:
        TreeError: no git repository, no such revision, or paths of several repositories.
    """
    top = _repository(paths)
    if git_output(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}") is None:
        raise TreeError(f"{revision!r} is no commit of {top}; try HEAD, a branch, or `git log --oneline`")
    known = git_names(top, "diff", "--name-only", "-z", "--no-renames", revision, "--", "*.py") or []
    new = git_names(top, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.py") or []
    found = []
    for name in sorted({*known, *new}):
        path = top / name
        before = git_output(top, "show", f"{revision}:{name}")
        after = path.read_bytes() if path.is_file() else None
        if before != after:
            found.append(ChangedFile(str(path), before, after))
    return tuple(found)


def _repository(paths: Sequence[Path]) -> Path:
    tops: set[Path] = set()
    for path in paths:
        folder = path if path.is_dir() else path.parent
        output = git_output(folder, "rev-parse", "--show-toplevel")
        if output is None:
            raise TreeError(
                f"{path} is in no git repository (or git is missing); give two folders instead of --base"
            )
        tops.add(Path(os.fsdecode(output.rstrip(b"\n"))))
    if len(tops) != 1:
        raise TreeError("the paths are in several git repositories; verify them one at a time")
    return tops.pop()


# -- two folders ---------------------------------------------------------------------------------------------


def changed_between(
    before: Path, after: Path, excludes: Excludes = Excludes()  # noqa: B008 - frozen
) -> tuple[ChangedFile, ...]:
    """Python files that differ between two folders, or two files.

    Raises:
        TreeError: one of them does not exist, or one is a folder and the other a file.
    """
    for path in (before, after):
        if not path.exists():
            raise TreeError(f"{path} does not exist")
    if before.is_file() and after.is_file():
        old, new = before.read_bytes(), after.read_bytes()
        return (ChangedFile(str(after.absolute()), old, new),) if old != new else ()
    if before.is_file() or after.is_file():
        raise TreeError(f"{before} and {after}: give two folders or two files")
    names = _names(before, excludes) | _names(after, excludes)
    found = []
    for name in sorted(names):
        old_file, new_file = before / name, after / name
        old_data = old_file.read_bytes() if old_file.is_file() else None
        new_data = new_file.read_bytes() if new_file.is_file() else None
        if old_data != new_data:
            found.append(ChangedFile(str(new_file.absolute()), old_data, new_data))
    return tuple(found)


def _names(folder: Path, excludes: Excludes) -> set[str]:
    top = os.path.abspath(folder)
    return {os.path.relpath(os.path.abspath(file), top) for file in discover([folder], excludes).files}


def changed_lines(before: bytes | None, after: bytes | None) -> tuple[frozenset[int], frozenset[int]]:
    """Lines (from 1) of the old text that are replaced or removed, and lines of the new text that are new.

    Of both only those that can run: not a blank one, a comment or a closing parenthesis."""
    import difflib

    old, new = (before or b"").splitlines(), (after or b"").splitlines()
    removed: set[int] = set()
    added: set[int] = set()
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed.update(range(i1 + 1, i2 + 1))
            added.update(range(j1 + 1, j2 + 1))
    return _runnable(before, removed), _runnable(after, added)


def _runnable(text: bytes | None, lines: set[int]) -> frozenset[int]:
    """Those of the lines to which Python's compiler gave an instruction; all if it cannot read the text."""
    try:
        todo = [compile(text or b"", "<text>", "exec", dont_inherit=True)]
    except (SyntaxError, ValueError):
        return frozenset(lines)
    found: set[int] = set()
    while todo:
        code = todo.pop()
        found.update(line for _, _, line in code.co_lines() if line is not None)
        todo.extend(constant for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset(lines & found)


def _on_disk(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except OSError:
        return None
