"""``--format json``: one document on standard output, with a schema that only grows.

::

    {
      "schema": 1, "tool": {"name": "tfmigrate", "version": "0.1.0"}, "command": "diff", "exit_code": 1,
      "summary": {"checked": 9, "rewritten": 1, "places": 2, "refused": 1, "suppressed": 0, "skipped": 0,
      "failed": 0}, "files": [
        {
          "path": "shop/net.py",
          "status": "rewritten",
          "reason": null, "line": null, "column": null,
          "diff": "--- a/shop/net.py ...",
          "findings": [
            {
              "code": "TFM101", "name": "layer-in-call", "codemod": "layers_to_init",
              "line": 12, "column": 13, "end_line": 12, "end_column": 36,
              "symbol": "Net.call", "owner": "Net", "message": "...",
              "safety": "safe", "fixed": true, "refused": null
            }
          ],
          "suppressed": 0,
          "comments": []
        }
      ],
      "verification": null
    }

``status`` is one of ``rewritten`` (``diff``: would be), ``unchanged``, ``skipped``, ``unparsable``,
``crashed`` and ``not-written``; ``reason`` says why for the last four. A file in which nothing was found is
not listed. ``refused`` is ``{"reason", "why", "hint"}``. ``verification`` is what
:mod:`tfmigrate.verify.report` makes of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from tfmigrate import __version__
from tfmigrate.codemod import Codemod
from tfmigrate.diff import unified_diff
from tfmigrate.report.outcome import Report
from tfmigrate.results import Crash, Finding, Patch, Skipped, Unparsable
from tfmigrate.runs import Outcome

SCHEMA = 1


def document(report: Report, exit_code: int, verification: object = None) -> bytes:
    """The whole report. ``verification`` is anything that JSON can hold."""
    names = {code: name for codemod in report.run.codemods for code, name in codemod.codes.items()}
    return dumped(
        {
            **header(report.command),
            "exit_code": int(exit_code),
            "summary": asdict(report.counts),
            "files": [_file(outcome, report, names) for outcome in report.run.outcomes],
            "verification": verification,
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


def _file(outcome: Outcome, report: Report, names: Mapping[str, str]) -> dict[str, Any]:
    result = outcome.result
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
        "findings": [_finding(finding, names) for finding in patch.findings] if patch else [],
        "suppressed": outcome.suppressed,
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
