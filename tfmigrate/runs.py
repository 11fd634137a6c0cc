"""What one run is made of: the plan that every file is rewritten by, the outcome for each file, and one file's migration."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.codemod import Codemod
from tfmigrate.config import Config
from tfmigrate.engine import Options, SiteKey, migrate
from tfmigrate.results import FileResult, Patch
from tfmigrate.selection import ignored_in
from tfmigrate.source import SourceFile
from tfmigrate.suppression import CommentProblem, read_suppressions

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file."""

    file: Path
    result: FileResult
    suppressed: int = 0
    """Places that were left alone for a skip comment."""
    comments: tuple[CommentProblem, ...] = ()
    """Skip comments that do nothing."""
    baselined: frozenset[SiteKey] = frozenset()
    """Places that were left alone because a baseline has them."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a worker needs: everything but the file."""

    index: ProjectIndex
    codemods: tuple[Codemod, ...]
    options: Options
    config: Config
    roots: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """All files of one run. ``outcomes`` leaves out the files with nothing to tell; ``checked`` counts them
    too.
    """

    outcomes: tuple[Outcome, ...]
    codemods: tuple[Codemod, ...]
    checked: int
    missing: tuple[Path, ...] = ()
    """Paths that were named but do not exist."""
    plan: Plan | None = None
    """None where nothing was run: no file could be read, or the outcomes are remembered."""

    @property
    def results(self) -> tuple[FileResult, ...]:
        return tuple(outcome.result for outcome in self.outcomes)

    @property
    def patched(self) -> tuple[tuple[Path, Patch], ...]:
        """The files that would be written, each with its patch."""
        found = [(outcome.file, outcome.result) for outcome in self.outcomes]
        return tuple((file, result) for file, result in found if isinstance(result, Patch) and result.changed)

    @property
    def patches(self) -> tuple[Patch, ...]:
        """The patches of the files that would be written."""
        return tuple(patch for _, patch in self.patched)

    def with_patches(self, patches: Iterable[Patch]) -> Run:
        """This run with other patches of some of its files."""
        by_path = {patch.source.path: patch for patch in patches}
        outcomes = [
            (
                replace(outcome, result=by_path.get(outcome.result.source.path, outcome.result))
                if isinstance(outcome.result, Patch)
                else outcome
            )
            for outcome in self.outcomes
        ]
        return replace(self, outcomes=tuple(outcomes))


def migrate_file(
    file: Path, source: SourceFile, plan: Plan, left_out: frozenset[SiteKey] = frozenset()
) -> Outcome:
    """One file through the engine, with its skip comments and ``per-file-ignores``; without a second run."""
    ignored = ignored_in(file, plan.config, plan.codemods)
    options = replace(plan.options, codes=plan.options.codes - ignored)
    suppressions = read_suppressions(source.text, plan.codemods)
    result = migrate(source, plan.index, plan.codemods, options, left_out, suppressions.suppressed)
    return Outcome(file, result, suppressions.count, suppressions.unused(options.codes))


def worker_count(config: Config) -> int:
    """Processes to use: as many as were asked for, or one per processor that this process may use."""
    if config.jobs:
        return config.jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
