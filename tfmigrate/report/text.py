"""Findings and the summary for people: ``path:line:col: CODE message``, which editors and terminals make
clickable.
"""

from __future__ import annotations

from collections.abc import Iterator

from tfmigrate import __version__
from tfmigrate.report.outcome import Counts, Report
from tfmigrate.results import Crash, Finding, Patch, Skipped, Unparsable
from tfmigrate.runs import Outcome


def finding_lines(path: str, finding: Finding) -> Iterator[str]:
    """One finding; a refused one with its reason and what the owner would have to change."""
    site = finding.site
    yield f"{path}:{site.line}:{site.column}: {site.code} {site.message}"
    if finding.refused is not None:
        yield f"    left alone ({finding.refused.reason}): {finding.refused.why}"
        if finding.refused.hint:
            yield f"    to change: {finding.refused.hint}"


def failure_lines(outcome: Outcome, report: Report, verbose: bool) -> Iterator[str]:
    """Why a file was not rewritten as it should have been."""
    result, reason = outcome.result, report.failure(outcome)
    if isinstance(result, Unparsable):
        yield f"{result.path}:{result.line}:{result.column}: error: {reason}"
    elif isinstance(result, Crash):
        yield f"{result.path}: error: {reason}; the file is left alone"
        yield f"    This is a bug in tfmigrate {__version__}. Please report the file and what this prints:"
        yield f"    tfmigrate diff -v --isolated --jobs 1 --select {result.codemod} {quoted(result.path)}"
        if verbose:
            yield from (f"    {line}" for line in result.traceback.splitlines())
    elif reason:
        yield f"{_path(outcome)}: error: {reason}"


def note_lines(outcome: Outcome) -> Iterator[str]:
    """What was found in one file."""
    result = outcome.result
    if isinstance(result, Skipped):
        yield f"{result.path}: skipped, {result.reason}"
    elif isinstance(result, Patch):
        for finding in result.findings:
            yield from finding_lines(result.source.path, finding)


def comment_lines(outcome: Outcome) -> Iterator[str]:
    """Skip comments that do nothing."""
    for problem in outcome.comments:
        yield f"{_path(outcome)}:{problem.line}:{problem.column}: warning: {problem.message}"


def summary(command: str, counts: Counts) -> str:
    """One line with every count, also those that are 0 where they say what was not done."""
    verb = "rewritten" if command == "apply" else "would be rewritten"
    parts = [
        f"{_number(counts.rewritten, 'file')} {verb} ({_number(counts.places, 'place')})",
        f"{_number(counts.refused, 'place')} refused",
        *([f"{_number(counts.suppressed, 'place')} suppressed"] if counts.suppressed else []),
        *([f"{_number(counts.baselined, 'place')} in the baseline"] if counts.baselined else []),
        f"{counts.skipped} skipped",
        f"{counts.failed} failed",
    ]
    return f"{_number(counts.checked, 'file')} checked: {', '.join(parts)}"


def quoted(path: str) -> str:
    """``path`` for a shell."""
    import shlex

    return shlex.quote(path)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _path(outcome: Outcome) -> str:
    result = outcome.result
    return result.source.path if isinstance(result, Patch) else result.path
