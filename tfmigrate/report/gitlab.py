"""``--format gitlab``: a code quality report. https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tfmigrate.fingerprints import digest
from tfmigrate.report.entries import Entry, Level, Told
from tfmigrate.report.json import dumped

_SEVERITIES: Mapping[Level, str] = {Level.NOTE: "info", Level.WARNING: "minor", Level.ERROR: "critical"}


def document(told: Told) -> bytes:
    """A list of findings. Their fingerprints differ from each other, which GitLab asks for."""
    seen = Counter[str]()
    issues = []
    for entry in told.entries:
        mark = digest(entry.place.path, entry.fingerprint)
        seen[mark] += 1
        issues.append(_issue(entry, mark if seen[mark] == 1 else digest(mark, str(seen[mark]))))
    return dumped(issues)


def _issue(entry: Entry, fingerprint: str) -> dict[str, Any]:
    return {
        "description": entry.text,
        "check_name": entry.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[entry.level],
        "location": {
            "path": entry.place.path,
            "lines": {"begin": entry.place.line, "end": max(entry.place.line, entry.place.end_line)},
        },
    }
