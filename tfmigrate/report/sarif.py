"""``--format sarif``: SARIF 2.1.0, with the rewrites as ``fixes``.

Findings, and verdicts that something is wrong or not proved, are results. Verdicts of models that are proved, and
files that could not be processed, are notifications of the run: services that read SARIF take every result for a problem.
Each result that can be mended carries the rewrite of its whole file, as ``tfmigrate diff`` shows it; one of them is to
be applied. https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tfmigrate import __version__
from tfmigrate.codemod import Codemod
from tfmigrate.exits import Exit
from tfmigrate.report.entries import FAILED, PROVED, Entry, Level, Place, Told
from tfmigrate.report.json import dumped
from tfmigrate.results import Patch
from tfmigrate.source import split_lines

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS: Mapping[Level, str] = {Level.NOTE: "note", Level.WARNING: "warning", Level.ERROR: "error"}
_VERDICTS: Mapping[str, str] = {
    "verified-same": "The code agrees with the original, run eagerly.",
    "verified-fixed": "The original fails or is wrong in this mode, and the new code is not.",
    "verified-different": "An output, gradient, weight, dtype, shape, exception or printed number differs.",
    "verified-inert": "The rewritten lines never ran, which proves nothing.",
    "verified-inconclusive": "It could not be built, fed or run.",
    FAILED: "A file that cannot be read, parsed or written, or on which tfmigrate itself failed.",
}


def document(told: Told) -> bytes:
    """The whole log."""
    rules = [*_rules(told), *({"id": code, "shortDescription": _text(t)} for code, t in _VERDICTS.items())]
    places = {rule["id"]: number for number, rule in enumerate(rules)}
    fixes: dict[str, list[dict[str, Any]]] = {}
    run = {
        "tool": {
            "driver": {
                "name": "tfmigrate",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": rules,
            }
        },
        "invocations": [_invocation(told)],
        "originalUriBaseIds": {_ROOT: {"uri": Path(os.getcwd()).as_uri().rstrip("/") + "/"}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [_result(e, places[e.code], fixes) for e in told.entries if e.code != FAILED],
    }
    return dumped({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rules(told: Told) -> Iterator[dict[str, Any]]:
    for codemod in told.report.run.codemods:
        for code, name in codemod.codes.items():
            yield {
                "id": code,
                "name": name,
                "shortDescription": _text(codemod.summary),
                "fullDescription": _text(_documentation(codemod)),
                "defaultConfiguration": {"enabled": code not in codemod.off_by_default, "level": "warning"},
                "properties": {"codemod": codemod.name, "safety": codemod.safety.value},
            }


def _documentation(codemod: Codemod) -> str:
    from tfmigrate.registry import documentation

    return documentation(codemod).strip()


def _invocation(told: Told) -> dict[str, Any]:
    failed = [_notification(entry) for entry in told.entries if entry.code == FAILED]
    proved = [_notification(entry) for entry, verdict in told.verdicts if verdict["status"] in PROVED]
    return {
        "executionSuccessful": told.exit_code is not Exit.FAILED,
        "exitCode": int(told.exit_code),
        "toolExecutionNotifications": failed + proved,
    }


def _notification(entry: Entry) -> dict[str, Any]:
    return {
        "descriptor": {"id": entry.code},
        "level": _LEVELS[entry.level],
        "message": _text(entry.text if entry.code == FAILED else entry.message),
        "locations": [{"physicalLocation": _location(entry.place)}],
    }


def _result(entry: Entry, rule: int, fixes: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """``fixes``: those that were made already, by file."""
    location: dict[str, Any] = {"physicalLocation": _location(entry.place)}
    if entry.symbol:
        location["logicalLocations"] = [{"fullyQualifiedName": entry.symbol}]
    result = {
        "ruleId": entry.code,
        "ruleIndex": rule,
        "level": _LEVELS[entry.level],
        "message": _text(entry.text),
        "locations": [location],
        "partialFingerprints": {"tfmigrate/v1": entry.fingerprint},
    }
    if entry.patch is not None:
        path = entry.place.path
        if path not in fixes:
            fixes[path] = [_fix(entry.patch)]
        result["fixes"] = fixes[path]
    return result


def _fix(patch: Patch) -> dict[str, Any]:
    count = sum(finding.refused is None for finding in patch.findings)
    what = "this place" if count == 1 else f"all {count} places of the file that can be rewritten"
    return {
        "description": _text(f"Rewrite {what}, as tfmigrate apply does."),
        "artifactChanges": [
            {"artifactLocation": _artifact(patch.source.path), "replacements": list(_replacements(patch))}
        ],
    }


def _replacements(patch: Patch) -> Iterator[dict[str, Any]]:
    """Whole lines: those that go, and the text in their place."""
    before, after = split_lines(patch.source.text), split_lines(patch.after)
    for kind, start, stop, first, last in SequenceMatcher(None, before, after, False).get_opcodes():
        if kind != "equal":
            yield {
                "deletedRegion": _lines(before, start, stop),
                "insertedContent": {"text": "".join(after[first:last])},
            }


def _lines(before: list[str], start: int, stop: int) -> dict[str, int]:
    """The region of the lines [start, stop), counted from 0; at the end of the file it has no next line to end at."""
    if stop < len(before) or not before:
        return {"startLine": start + 1, "startColumn": 1, "endLine": stop + 1, "endColumn": 1}
    last = before[-1]
    if last.endswith(("\n", "\r")):
        return {"startLine": start + 1, "startColumn": 1, "endLine": len(before) + 1, "endColumn": 1}
    begin = (start + 1, 1) if start < len(before) else (len(before), len(last) + 1)
    return {
        "startLine": begin[0],
        "startColumn": begin[1],
        "endLine": len(before),
        "endColumn": len(last) + 1,
    }


def _location(place: Place) -> dict[str, Any]:
    return {
        "artifactLocation": _artifact(place.path),
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        },
    }


def _artifact(path: str) -> dict[str, str]:
    if os.path.isabs(path):
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(os.fsencode(path)), "uriBaseId": _ROOT}


def _text(text: str) -> dict[str, str]:
    return {"text": text}
