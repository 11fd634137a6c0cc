"""``--format json``: one document on standard output. ``schema.json`` beside this module describes every field; what is
there stays, and more may come.

``status`` of a file is one of ``rewritten`` (``diff``: would be), ``unchanged``, ``skipped``, ``unparsable``,
``crashed`` and ``not-written``; ``reason`` says why for the last four. A file in which nothing was found is
not listed. ``verification`` is what :mod:`tfmigrate.verify.report` makes of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tfmigrate import __version__
from tfmigrate.codemod import Codemod
from tfmigrate.diff import unified_diff
from tfmigrate.fingerprints import fingerprints
from tfmigrate.report.outcome import Report
from tfmigrate.results import Crash, Finding, Patch, Skipped, Unparsable
from tfmigrate.runs import Outcome

if TYPE_CHECKING:
    from tfmigrate.report.entries import Told

SCHEMA = 1


def document(told: Told) -> bytes:
    """The whole report."""
    return dumped(
        {
            **header(told.command),
            "exit_code": int(told.exit_code),
            "summary": asdict(told.report.counts),
            "files": [_file(outcome, told) for outcome in told.report.run.outcomes],
            "verification": told.verification,
        }
    )


def header(command: str) -> dict[str, Any]:
    """The fields with which every document begins."""
    return {"schema": SCHEMA, "tool": {"name": "tfmigrate", "version": __version__}, "command": command}


def dumped(value: object) -> bytes:
    # ASCII only: a lone surrogate from a file's name must not stop the report.
    return json.dumps(value, indent=2).encode("ascii") + b"\n"


def codemod_entries(codemods: Sequence[Codemod]) -> list[dict[str, Any]]:
    """What there is to select, one entry a code."""
    return [
        {
            "code": code,
            "name": name,
            "codemod": codemod.name,
            "summary": codemod.summary,
            "safety": codemod.safety.value,
            "on_by_default": code not in codemod.off_by_default,
            "refusals": dict(codemod.refusals),
        }
        for codemod in codemods
        for code, name in codemod.codes.items()
    ]


def _file(outcome: Outcome, told: Told) -> dict[str, Any]:
    result, report = outcome.result, told.report
    place: tuple[int | None, int | None] = (None, None)
    if isinstance(result, Unparsable):
        place = (result.line, result.column)
    reason = result.reason if isinstance(result, Skipped) else report.failure(outcome)
    patch = result if isinstance(result, Patch) else None
    return {
        "path": patch.source.path if patch else result.path,  # type: ignore[union-attr]
        "status": _status(outcome, report),
        "reason": reason or None,
        "line": place[0],
        "column": place[1],
        "diff": unified_diff(patch).decode("utf-8", "replace") if patch and patch.changed else None,
        "findings": list(_findings(patch, told.names)) if patch else [],
        "suppressed": outcome.suppressed,
        "baselined": len(outcome.baselined),
        "comments": [asdict(problem) for problem in outcome.comments],
    }


def _status(outcome: Outcome, report: Report) -> str:
    result = outcome.result
    if isinstance(result, Skipped):
        return "skipped"
    if isinstance(result, Unparsable):
        return "unparsable"
    if isinstance(result, Crash):
        return "crashed"
    if report.failure(outcome):
        return "not-written"
    return "rewritten" if result.changed else "unchanged"


def _findings(patch: Patch, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    marks = fingerprints(patch.source.text, patch.findings)
    for finding, mark in zip(patch.findings, marks, strict=True):
        yield {**_finding(finding, names), "fingerprint": mark}


def _finding(finding: Finding, names: Mapping[str, str]) -> dict[str, Any]:
    site = finding.site
    return {
        "code": site.code,
        "name": names.get(site.code, ""),
        "codemod": finding.codemod,
        "line": site.line,
        "column": site.column,
        "end_line": site.end_line,
        "end_column": site.end_column,
        "symbol": site.symbol,
        "owner": site.owner,
        "message": site.message,
        "safety": finding.safety.value,
        "fixed": finding.refused is None,
        "refused": asdict(finding.refused) if finding.refused else None,
    }
