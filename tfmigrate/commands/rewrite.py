"""``diff`` and ``apply``: one run of the engine, and the mode decides at the last step what becomes of it."""

from __future__ import annotations

import enum
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.commands.baselines import without_old, write_baseline
from tfmigrate.commands.output import check_output, emit
from tfmigrate.commands.request import Checks, Format, Output, Scope, checked_paths, read_stdin, settings
from tfmigrate.commands.undo import Waiting
from tfmigrate.exits import Exit, UsageError
from tfmigrate.pipeline import dry_run, migrate_paths, migrate_text
from tfmigrate.report.entries import Told
from tfmigrate.report.outcome import Report
from tfmigrate.runs import Run
from tfmigrate.writing import WriteOutcome

if TYPE_CHECKING:
    from tfmigrate.commands.verification import Verified
    from tfmigrate.console import Console


class WriteBack(enum.Enum):
    """What becomes of the rewritten files."""

    DIFF = "diff"
    APPLY = "apply"


def rewrite(
    scope: Scope, write_back: WriteBack, checks: Checks | None, output: Output, console: Console
) -> Exit:
    """Run the engine over ``scope``, verify if asked to, then show or write.

    Raises:
        UsageError: nothing was done, because the request makes no sense.
        CannotVerify: nothing was done, because there is no TensorFlow to verify with.
    """
    check_output(output)
    if output.file is not None and output.format is Format.TEXT and write_back is WriteBack.APPLY:
        raise UsageError("--output-file: apply prints no result as text; add --format json or another format")
    if output.baseline is not None and checks is not None:
        raise UsageError("--write-baseline writes what diff finds; leave --verify out")
    config = settings(scope, console)
    data = b""
    if scope.is_stdin:
        data = read_stdin()
        run = migrate_text(data, scope.stdin_filename or "-", config)
    else:
        paths = checked_paths(scope)
        is_dry = write_back is WriteBack.DIFF and checks is None
        with console.progress("Rewriting") as progress:
            run = (dry_run if is_dry else migrate_paths)(paths, config, progress)
        for pattern in run.plan.index.undefined if run.plan is not None else ():
            console.note(f"traced: no function is named {pattern!r}; write NAME, Class.name or module:name")
        if not run.checked:
            console.note(f"no Python files found in {', '.join(scope.paths)}")
    if output.baseline is not None:
        return write_baseline(run, output.baseline, scope, config, console)
    run = without_old(run, scope, config, console, lambda: migrate_paths(checked_paths(scope), config))
    verified: Verified | None = None
    if checks is not None and run.patches:
        from tfmigrate.commands.verification import verify_run

        run, verified = verify_run(run, scope, checks, console)
    written = _write(run, scope, console) if write_back is WriteBack.APPLY and not scope.is_stdin else {}
    report = Report(write_back.value, run, written)
    told = Told(report, _exit(report, verified), verified.as_json() if verified else None)

    def text() -> Iterator[bytes]:
        if write_back is WriteBack.DIFF:
            yield from _diff(run, console.color_out and output.file is None)
        elif scope.is_stdin:
            yield _rewritten(run, data)

    code = emit(told, text, output, console)
    is_shown = output.format is Format.TEXT or output.file is not None
    _print_messages(report, verified, console, is_shown)
    return code


def _exit(report: Report, verified: Verified | None) -> Exit:
    if verified is None or report.exit is Exit.FAILED:
        return report.exit
    code = verified.exit_of_rewrite
    return code if code is not Exit.DONE else report.exit


def _write(run: Run, scope: Scope, console: Console) -> Mapping[Path, WriteOutcome]:
    from tfmigrate.git import uncommitted
    from tfmigrate.journal.applying import write_patches, write_without_journal
    from tfmigrate.source import printed_path

    changed = dict(run.patched)
    for file in uncommitted(changed):
        console.note(
            f"{printed_path(file)}: warning: has uncommitted changes; git cannot undo this rewrite alone"
        )
    if scope.no_journal:
        return write_without_journal(changed)
    command = (
        ("tfmigrate", *sys.argv[1:]) if sys.argv[1:2] == ["apply"] else ("tfmigrate", "apply", *scope.paths)
    )
    named = [Path(path) for path in scope.paths]
    return write_patches(changed, command, named, Waiting(console))


def _diff(run: Run, in_colour: bool) -> Iterator[bytes]:
    from tfmigrate.diff import coloured, unified_diff

    for patch in run.patches:
        diff = unified_diff(patch)
        yield coloured(diff) if in_colour else diff


def _rewritten(run: Run, data: bytes) -> bytes:
    """Standard input comes back whole even when it cannot be rewritten: an editor replaces its buffer with
    this.
    """
    patches = run.patches
    return patches[0].source.encode(patches[0].after) if patches else data


def _print_messages(report: Report, verified: Verified | None, console: Console, as_text: bool) -> None:
    """Findings unless they are in the result, failures, and the summary."""
    from tfmigrate.report import text

    for outcome in report.run.outcomes:
        for line in text.failure_lines(outcome, report, verbose=console.loudness > 0):
            console.error(line)
        if as_text:
            for line in text.note_lines(outcome):
                console.note(line)
        for line in text.comment_lines(outcome):
            console.detail(line)
    if verified is not None and as_text:
        console.note(verified.text(console.loudness > 0).rstrip("\n"))
    console.note(console.styled(text.summary(report.command, report.counts), "bold"))
