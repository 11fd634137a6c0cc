"""``--format github``: workflow commands that become annotations, and a step summary.

GitHub shows ten annotations of a kind for a step and drops the others without a word. So there are ten in all, the
worst first, and a last line says how many are not among them.
https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tfmigrate.report.entries import VERDICT_CODES, Entry, Level, Told
from tfmigrate.report.matrix import Labels, rows
from tfmigrate.report.text import summary

ANNOTATIONS = 10
_ROWS = 200
"""Rows of a table in the step summary, which must stay below 1 MiB."""
_CELL = 400
"""Characters of a message in such a row."""
_COMMANDS: Mapping[Level, str] = {Level.NOTE: "notice", Level.WARNING: "warning", Level.ERROR: "error"}
_VERDICTS = frozenset(VERDICT_CODES.values())
_SYMBOLS: Mapping[str, str] = {
    "SAME": "✅",
    "FIXED": "🔧",
    "DIFFERENT": "❌",
    "INERT": "💤",
    "INCONCLUSIVE": "❔",
}


def document(told: Told) -> bytes:
    """The annotations and a line that says what came out."""
    entries = _worst_first(told)
    lines = [_annotation(entry) for entry in entries[:ANNOTATIONS]]
    counts = summary(told.command, told.report.counts) if told.report.run.checked else ""
    left = len(entries) - ANNOTATIONS
    more = f"{ANNOTATIONS} of {len(entries)} annotated, {left} more are not shown here" if left > 0 else ""
    lines.append("tfmigrate: " + "; ".join(filter(None, [counts, _verdicts_line(told), more])))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _worst_first(told: Told) -> list[Entry]:
    """Of the verdicts on one symbol only the worst: one model in all modes and precisions is one thing to look at."""
    entries: list[Entry] = []
    others: dict[tuple[str, str], int] = {}
    for entry in sorted(told.entries, key=lambda entry: -entry.level):
        symbol = (entry.place.path, entry.symbol)
        if entry.code in _VERDICTS:
            others[symbol] = others.get(symbol, -1) + 1
            if others[symbol]:
                continue
        entries.append(entry)
    return [_with_others(entry, others.get((entry.place.path, entry.symbol), 0)) for entry in entries]


def _with_others(entry: Entry, others: int) -> Entry:
    if entry.code not in _VERDICTS or not others:
        return entry
    return replace(entry, hint=f"{entry.hint}\n{others} more of its runs are not proved".lstrip("\n"))


def _annotation(entry: Entry) -> str:
    place = entry.place
    properties = {
        "file": place.path,
        "line": str(place.line),
        "endLine": str(place.end_line),
        "col": str(place.column),
        "endColumn": str(place.end_column),
        "title": f"{entry.code} {entry.name}" if entry.name not in ("", entry.code) else entry.code,
    }
    if place.end_line != place.line:  # GitHub takes columns within one line only.
        del properties["col"], properties["endColumn"]
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[entry.level]} {told}::{_data(entry.text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _verdicts_line(told: Told) -> str:
    if told.verification is None:
        return ""
    counts = told.verification["counts"]
    words = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    return f"verified with Keras {told.verification['keras']}: {words or 'nothing to compare'}"


# -- the step summary ----------------------------------------------------------------------------------------


def step_summary(told: Told) -> str:
    """Markdown for ``$GITHUB_STEP_SUMMARY``."""
    lines = [f"### tfmigrate {told.command}", ""]
    if told.report.run.checked:
        lines += [_markdown(summary(told.command, told.report.counts)), ""]
    if told.verification is not None:
        lines += [_markdown(_verdicts_line(told)), "", *_matrix(told), ""]
    entries = _worst_first(told)
    if entries:
        lines += ["| | where | code | what |", "|---|---|---|---|"]
        lines += [_row(entry) for entry in entries[:_ROWS]]
        lines += [f"\n{len(entries) - _ROWS} more are not shown here."] if len(entries) > _ROWS else []
        lines.append("")
    return "\n".join(lines) + "\n"


def _matrix(told: Told) -> Iterator[str]:
    labels = Labels(told)
    lines = rows(told, labels)
    if not lines:
        return
    yield _cells(["model", "case", *(labels.modes or ["verdict"])])
    yield "|---" * (2 + max(1, len(labels.modes))) + "|"
    for row in lines[:_ROWS]:
        cells = [_cell(row.cells.get(mode)) for mode in labels.modes]
        if not row.cells:
            cells = [_word(row.status), *[""] * (len(cells) - 1)]
        yield _cells([f"`{row.symbol}`", ", ".join(filter(None, (row.case or "none", row.place))), *cells])
    if len(lines) > _ROWS:
        yield f"\n{len(lines) - _ROWS} more rows are not shown here."
    if labels.common:
        yield f"\nAll runs: {_markdown(labels.common)}."


def _cell(one: Mapping[str, Any] | None) -> str:
    if one is None:
        return "-"
    return "skipped" if one.get("skipped") else _word(one["status"])


def _word(status: str) -> str:
    return f"{_SYMBOLS.get(status, '')} {status}".strip()


def _row(entry: Entry) -> str:
    where = f"{entry.place.path}:{entry.place.line}"
    text = entry.text if len(entry.text) <= _CELL else entry.text[:_CELL] + " ..."
    return _cells([_COMMANDS[entry.level], where, entry.code, text])


def _cells(cells: Sequence[Any]) -> str:
    return "| " + " | ".join(_markdown(str(cell)) for cell in cells) + " |"


def _markdown(text: str) -> str:
    """One cell of a table: nothing in it ends the cell or is taken for HTML."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
    return "<br>".join(text.splitlines())
