"""``--baseline`` and ``--write-baseline``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.commands.request import Scope
from tfmigrate.exits import Exit
from tfmigrate.runs import Run

if TYPE_CHECKING:
    from tfmigrate.baseline import Sought
    from tfmigrate.config import Config
    from tfmigrate.console import Console

_SHOWN = 5
"""Old findings that are gone, of which each is named."""


def without_old(run: Run, scope: Scope, config: Config, console: Console, whole: Callable[[], Run]) -> Run:
    """``run`` without the findings of the baseline, if there is one. Old ones that are gone are told.

    Raises:
        UsageError: the baseline cannot be read.
    """
    if config.baseline is None:
        return run
    from tfmigrate import baseline as baselines

    baseline = baselines.load(config.baseline)
    gone = baselines.stale(baseline, run, _sought(run, scope, config))
    for known in gone[:_SHOWN]:
        where = f" in {known.symbol}" if known.symbol else ""
        console.note(
            f"{config.baseline}: {known.path}: {known.code}{where} is not found any more: {known.message}"
        )
    if gone:
        more = f"{len(gone) - _SHOWN} more are not found any more; " if len(gone) > _SHOWN else ""
        console.note(f"{config.baseline}: {more}tfmigrate diff --write-baseline writes it anew")
    return baselines.without(run, baseline, whole)


def write_baseline(run: Run, file: Path, scope: Scope, config: Config, console: Console) -> Exit:
    """Write the findings of ``run`` into ``file``. What that file has of other files and codes stays.

    Raises:
        UsageError: ``file`` is there and is no baseline.
    """
    from tfmigrate import baseline as baselines
    from tfmigrate.report import text
    from tfmigrate.report.outcome import Report

    new = baselines.of_run(run, file)
    if file.exists():
        new = baselines.renewed(baselines.load(file), new, _sought(run, scope, config), run.outcomes)
    report = Report("diff", run, {})
    for outcome in run.outcomes:
        for line in text.failure_lines(outcome, report, verbose=console.loudness > 0):
            console.error(line)
    try:
        baselines.dump(new)
    except OSError as error:
        console.error(f"error: {file}: cannot be written: {error.strerror or error}")
        return Exit.FAILED
    count = len(set(new.findings))
    console.note(
        f"{file}: {count} finding{'' if count == 1 else 's'} written; --baseline {file} leaves them alone"
    )
    return Exit.FAILED if report.counts.failed else Exit.DONE


def _sought(run: Run, scope: Scope, config: Config) -> Sought:
    from tfmigrate.baseline import Sought
    from tfmigrate.selection import enabled_codes

    named = (scope.stdin_filename or "-",) if scope.is_stdin else scope.paths
    return Sought(tuple(os.path.abspath(path) for path in named), enabled_codes(config, run.codemods))
