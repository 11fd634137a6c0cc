"""Against what: a git revision, a patch, two folders, or what the last apply found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tfmigrate.discovery import Excludes
from tfmigrate.exits import UsageError
from tfmigrate.verify.journaled import changed_by_apply
from tfmigrate.verify.model import Version
from tfmigrate.verify.patchfile import changed_by_patch
from tfmigrate.verify.trees import ChangedFile, changed_between, changed_since


@dataclass(frozen=True, slots=True)
class Versions:
    """Two versions of a code base, one of them on disk."""

    changed: tuple[ChangedFile, ...]
    """All files that differ."""
    paths: tuple[Path, ...]
    """What is below these is compared."""
    on_disk: Version = Version.AFTER
    notes: tuple[str, ...] = ()


def find_versions(
    paths: Sequence[Path],
    base: str | None,
    patch: Path | None,
    excludes: Excludes = Excludes(),  # noqa: B008 - frozen
) -> Versions | None:
    """What was asked for, or None for code that is to be rewritten first: paths that name one version only.

    Args:
        paths: files and folders; none for the working directory, or for what the journal says.
        base: a git revision.
        patch: a file.

    Raises:
        UsageError: the other version cannot be had.
    """
    if base is not None and patch is not None:
        raise UsageError("--base and --patch both name the other version; give one of them")
    below = tuple(paths) or (Path("."),)
    if base is not None:
        return Versions(changed_since(base, below), below)
    if patch is not None:
        folder = below[0] if below[0].is_dir() else below[0].parent
        changed, on_disk = changed_by_patch(patch, folder if paths else Path("."))
        return Versions(changed, below, on_disk)
    if not paths:
        applied = changed_by_apply(Path("."))
        return Versions(applied.changed, (applied.project,), notes=applied.notes)
    if len(paths) == 2 and all(path.is_dir() for path in paths):
        return Versions(changed_between(paths[0], paths[1], excludes), (paths[1],))
    return None
