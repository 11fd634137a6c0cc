"""``verify``, and ``--verify`` of the other commands: from the request to a verification session, and back
to an exit code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tfmigrate.commands.baselines import without_old
from tfmigrate.commands.matrix import request as verify_request
from tfmigrate.commands.output import check_output, emit
from tfmigrate.commands.request import Checks, Format, Output, Scope, checked_paths, settings
from tfmigrate.exits import CannotVerify, Exit
from tfmigrate.pipeline import migrate_paths, planned
from tfmigrate.report.entries import Change, Told
from tfmigrate.report.outcome import Report as RunReport
from tfmigrate.runs import Run, migrate_file
from tfmigrate.source import SourceFile, from_bytes, printed_path

if TYPE_CHECKING:
    from tfmigrate.config import Config
    from tfmigrate.console import Console
    from tfmigrate.engine import SiteKey
    from tfmigrate.results import FileResult, Patch
    from tfmigrate.verify.against import Versions
    from tfmigrate.verify.report import Report, SymbolReport
    from tfmigrate.verify.rounds import Progress
    from tfmigrate.verify.session import Request
    from tfmigrate.verify.trees import ChangedFile

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verified:
    """A finished verification, as the other commands print it."""

    report: Report

    @property
    def exit(self) -> Exit:
        """For ``verify``: DONE only when everything was proved."""
        return self.report.exit

    @property
    def exit_of_rewrite(self) -> Exit:
        """For ``diff`` and ``apply``: DONE also when some rewrites were proved and nothing differs."""
        from tfmigrate.verify.verdict import VerdictStatus

        counts = self.report.counts
        proved = counts[VerdictStatus.SAME] + counts[VerdictStatus.FIXED]
        return Exit.DONE if self.report.exit is Exit.UNVERIFIED and proved else self.report.exit

    def as_json(self) -> dict[str, Any]:
        from tfmigrate.verify.report import as_json

        return as_json(self.report)

    def text(self, verbose: bool = False) -> str:
        """The report as text; ``verbose``: with what was not checked."""
        from tfmigrate.verify.report import render

        return render(self.report, verbose)


def verify_run(run: Run, scope: Scope, checks: Checks, console: Console) -> tuple[Run, Verified]:
    """Verify what ``run`` rewrote. The run that comes back does not have the places that came out DIFFERENT.

    Raises:
        UsageError: a mode, symbol or case does not exist.
        CannotVerify: there is no TensorFlow to verify with.
    """
    from tfmigrate.verify.session import verify_patches

    files, plan = {patch.source.path: file for file, patch in run.patched}, run.plan
    baselined = {outcome.file: outcome.baselined for outcome in run.outcomes}
    assert plan is not None, "only what the engine has just made can be verified"

    def remigrate(patch: Patch, left_out: frozenset[SiteKey]) -> FileResult:
        file = files[patch.source.path]
        return migrate_file(file, patch.source, plan, left_out | baselined[file]).result

    request = verify_request(scope, checks, plan.config)
    progress = _announcer(console)
    done = _with_tensorflow(
        lambda: verify_patches(run.patches, plan.index, plan.codemods, remigrate, request, progress)
    )
    return run.with_patches(done.patches), Verified(done.report)


def verify_command(scope: Scope, checks: Checks, output: Output, console: Console) -> Exit:
    """Compare two folders, a git revision or a patch and the working tree, the code and what tfmigrate would make of it, or,
    with no path at all, what the last apply found and what it made of it.

    Raises:
        UsageError: the request makes no sense.
        CannotVerify: there is no TensorFlow to verify with.
    """
    from tfmigrate.registry import codemods
    from tfmigrate.verify.against import find_versions

    check_output(output)
    typed, scope = scope, scope if scope.paths else replace(scope, paths=(".",))
    config = settings(scope, console)
    paths = checked_paths(scope)
    versions = find_versions(paths if typed.paths else (), checks.base, checks.patch, config.excludes)
    if versions is None:
        return _verify_rewrites(paths, scope, checks, config, output, console)
    report = _compared(versions, verify_request(typed, checks, config), config, console)
    verified = Verified(report)
    if not report.symbols:
        console.note("no layer, model or traced function differs: there was nothing to verify")
    nothing_rewritten = RunReport("verify", Run((), codemods(), 0), {})
    return _print(nothing_rewritten, verified, verified.exit, output, console, versions.changed)


def _verify_rewrites(
    paths: list[Path], scope: Scope, checks: Checks, config: Config, output: Output, console: Console
) -> Exit:
    from tfmigrate.report import text

    with console.progress("Rewriting") as progress:
        run = migrate_paths(paths, config, progress)
    run = without_old(run, scope, config, console, lambda: run)
    verified = None
    if run.patches:
        run, verified = verify_run(run, scope, checks, console)
    else:
        console.note(
            "nothing would be rewritten: to compare with the last apply, run `tfmigrate verify` alone; with a git"
            " revision, give --base REV"
        )
    failed = RunReport("verify", run, {})
    code = verified.exit if verified else Exit.DONE
    code = Exit.FAILED if failed.exit is Exit.FAILED else code
    for outcome in run.outcomes:
        for line in text.failure_lines(outcome, failed, verbose=console.loudness > 0):
            console.error(line)
    return _print(failed, verified, code, output, console)


def _compared(versions: Versions, request: Request, config: Config, console: Console) -> Report:
    from tfmigrate.verify.session import verify_trees

    plan = planned(versions.paths, config)
    progress = _announcer(console)
    report = _with_tensorflow(
        lambda: verify_trees(
            versions.changed,
            versions.paths,
            plan.index,
            plan.codemods,
            request,
            progress,
            on_disk=versions.on_disk,
        )
    )
    return replace(report, notes=(*versions.notes, *report.notes))


def _announcer(console: Console) -> Progress:
    """Says what came out for each symbol as soon as it is known: a verification takes minutes."""

    def announce(done: int, total: int, report: SymbolReport) -> None:
        console.note(f"verified {done} of {total}: {report.symbol} {report.status.value}")

    return announce


def _with_tensorflow(work: Callable[[], T]) -> T:
    from tfmigrate.verify.run import ZygoteFailed

    try:
        return work()
    except ZygoteFailed as error:
        raise CannotVerify(str(error)) from error


def _print(
    report: RunReport,
    verified: Verified | None,
    code: Exit,
    output: Output,
    console: Console,
    changed: Sequence[ChangedFile] = (),
) -> Exit:
    """
    Returns:
        ``code``, or FAILED if the result cannot be written.
    """
    changes = tuple(map(_change, changed)) if output.report is not None else ()
    told = Told(report, code, verified.as_json() if verified else None, changes)

    text = verified.text(console.loudness > 0) if verified else ""
    if output.file is not None and output.format is not Format.TEXT:
        console.note(text.rstrip("\n"))
    return emit(told, lambda: [text.encode()], output, console)


def _change(file: ChangedFile) -> Change:
    texts = [None if data is None else _text_of(file.path, data) for data in (file.before, file.after)]
    return Change(printed_path(Path(file.path)), *texts)


def _text_of(path: str, data: bytes) -> str:
    source = from_bytes(data, path)
    return source.text if isinstance(source, SourceFile) else data.decode("utf-8", "backslashreplace")
