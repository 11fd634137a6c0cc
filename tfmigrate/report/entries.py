"""What a run has to say, as one flat list for formats that know places, levels and messages and nothing else."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tfmigrate import __version__
from tfmigrate.exits import Exit
from tfmigrate.fingerprints import digest, fingerprints
from tfmigrate.report.outcome import Report
from tfmigrate.results import Crash, Finding, Patch, Unparsable
from tfmigrate.runs import Outcome
from tfmigrate.source import SourceFile, read_source

PROVED = frozenset({"SAME", "FIXED"})
VERDICT_CODES: Mapping[str, str] = {
    "SAME": "verified-same",
    "FIXED": "verified-fixed",
    "DIFFERENT": "verified-different",
    "INERT": "verified-inert",
    "INCONCLUSIVE": "verified-inconclusive",
}
FAILED = "not-processed"
"""The code of a file that cannot be read, parsed or written, or on which tfmigrate itself failed."""
AXES = ("mode", "device", "precision", "strategy", "keras", "python")
"""What tells the verdicts of one case apart, as far as a verdict says it."""


_PLAIN = frozenset({"", "none", "float32"})


class Level(enum.IntEnum):
    """How much it matters; sorts the worst last."""

    NOTE = 0
    """A place that is left alone, with the reason."""
    WARNING = 1
    """A place that can be rewritten; a rewrite of which nothing is proved."""
    ERROR = 2
    """Other behaviour was shown, or a file could not be processed."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where. Lines and columns count from 1; ``end_column`` is the one after the last."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def point(cls, path: str, line: int = 1, column: int = 1) -> Place:
        """One character."""
        return cls(path, line, column, line, column + 1)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to tell."""

    level: Level
    code: str
    name: str
    """The code in words (``layer-in-call``)."""
    place: Place
    message: str
    hint: str = ""
    symbol: str = ""
    fingerprint: str = ""
    patch: Patch | None = None
    """The rewrite of the file, if it mends this."""

    @property
    def text(self) -> str:
        """Message and hint."""
        return f"{self.message}\n{self.hint}" if self.hint else self.message


@dataclass(frozen=True, slots=True)
class Change:
    """One file in two versions; None where it is absent."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Told:
    """All that a command found. ``verification`` is what :func:`tfmigrate.verify.report.as_json` makes."""

    report: Report
    exit_code: Exit
    verification: Mapping[str, Any] | None = None
    changes: tuple[Change, ...] = ()
    """What differs between the versions that ``verify`` compared."""

    @property
    def command(self) -> str:
        return self.report.command

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Code -> its name, for all codes that there are."""
        return {code: name for codemod in self.report.run.codemods for code, name in codemod.codes.items()}

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """By file and line; what was rewritten in place or proved is not among them."""
        found = [*self._of_files(), *self._of_places_taken_out(), *self._of_symbols()]
        return tuple(sorted(found, key=lambda entry: entry.place))

    @cached_property
    def verdicts(self) -> tuple[tuple[Entry, Mapping[str, Any]], ...]:
        """One entry for each verdict, and for each symbol without one; with the verdict's own data."""
        return tuple(_verdicts(self))

    def _of_files(self) -> Iterator[Entry]:
        for outcome in self.report.run.outcomes:
            if reason := self.report.failure(outcome):
                yield _failure(outcome, reason)
            elif isinstance(outcome.result, Patch) and self.command != "verify":
                patch = outcome.result
                for finding, mark in zip(
                    patch.findings, fingerprints(patch.source.text, patch.findings), strict=True
                ):
                    if finding.refused is not None or self.command == "diff":
                        yield _finding(patch, finding, mark, self.names)

    def _of_places_taken_out(self) -> Iterator[Entry]:
        """In ``diff`` and ``apply`` they are findings with a reason."""
        if self.verification is None or self.command != "verify":
            return
        for place in self.verification["taken_out"]:
            message = f"the rewrite changes behaviour, and was taken out: {place['evidence']}"
            yield Entry(
                Level.ERROR,
                place["code"],
                self.names.get(place["code"], ""),
                Place.point(place["path"], place["line"], place["column"]),
                message,
                fingerprint=digest("taken out", place["code"], place["evidence"]),
            )

    def _of_symbols(self) -> Iterator[Entry]:
        return (
            entry
            for entry, data in self.verdicts
            if data["status"] not in PROVED
            and not data.get("skipped")  # Skipped: that makes no sense for it.
        )


def _failure(outcome: Outcome, reason: str) -> Entry:
    result = outcome.result
    is_bug = isinstance(result, Crash)
    place = Place.point(result.source.path if isinstance(result, Patch) else result.path)
    if isinstance(result, Unparsable):
        place = Place.point(result.path, result.line, result.column)
    hint = f"This is a bug in tfmigrate {__version__}; the file is left alone." if is_bug else ""
    return Entry(Level.ERROR, FAILED, FAILED, place, reason, hint, fingerprint=digest(FAILED, reason))


def _finding(patch: Patch, finding: Finding, mark: str, names: Mapping[str, str]) -> Entry:
    site, refused = finding.site, finding.refused
    message, hint, level = site.message, "", Level.WARNING
    if refused is not None:
        message += f"\nleft alone ({refused.reason}): {refused.why}"
        hint = f"to change: {refused.hint}" if refused.hint else ""
        level = Level.ERROR if refused.reason == VERDICT_CODES["DIFFERENT"] else Level.NOTE
    end = site.end_column if site.end_line > site.line else max(site.end_column, site.column + 1)
    return Entry(
        level,
        site.code,
        names.get(site.code, ""),
        Place(patch.source.path, site.line, site.column, max(site.end_line, site.line), end),
        message,
        hint,
        site.symbol,
        mark,
        patch if refused is None and patch.changed else None,
    )


def _verdicts(told: Told) -> Iterator[tuple[Entry, Mapping[str, Any]]]:
    if told.verification is None:
        return
    lines = _Definitions()
    for symbol in told.verification["symbols"]:
        line = lines.line_of(symbol["path"], symbol["symbol"].partition(":")[2])
        if not symbol["cases"]:
            yield _verdict(told, symbol, line, {"status": symbol["status"], "reason": symbol["reason"]}, "")
        for case in symbol["cases"]:
            for verdict in case["verdicts"]:
                yield _verdict(told, symbol, line, verdict, case["name"] or "unnamed")


def _verdict(
    told: Told, symbol: Mapping[str, Any], line: int, verdict: Mapping[str, Any], case: str
) -> tuple[Entry, Mapping[str, Any]]:
    status, where = verdict["status"], label(verdict)
    how = ", ".join(part for part in (f"case {case}" if case else "", where) if part)
    message = f"{symbol['symbol']} is {status}{f' ({how})' if how else ''}: {verdict['reason']}"
    again = verdict.get("again")
    code = VERDICT_CODES[status]
    entry = Entry(
        Level.NOTE if verdict.get("skipped") else _level(told, symbol, status),
        code,
        code,
        Place.point(symbol["path"], line),
        message,
        f"again: {again}" if again else symbol["hint"] or "",
        symbol["symbol"],
        digest(code, symbol["symbol"], case, where),
    )
    return entry, {**verdict, "case": case, "symbol": symbol["symbol"]}


def label(verdict: Mapping[str, Any]) -> str:
    """How it was run: ``graph, CPU, Keras 3``."""
    return ", ".join(filter(None, (axis_word(verdict, axis) for axis in AXES)))


def axis_word(verdict: Mapping[str, Any], axis: str) -> str:
    """What a verdict says of one axis; nothing if that goes without saying."""
    word = str(verdict.get(axis) or "")
    if word in _PLAIN:
        return ""
    return f"Keras {word}" if axis == "keras" else word


def _level(told: Told, symbol: Mapping[str, Any], status: str) -> Level:
    """What could not be shown is a warning only where it keeps a whole symbol from being proved."""
    if status == "DIFFERENT":
        return Level.ERROR
    if status in PROVED or symbol["status"] in PROVED or told.command != "verify":
        return Level.NOTE
    return Level.WARNING


class _Definitions:
    """Where classes and functions of files on disk begin."""

    def __init__(self) -> None:
        self._known: dict[str, Mapping[str, int]] = {}

    def line_of(self, path: str, qualname: str) -> int:
        """The line of a definition; 1 if it cannot be found."""
        if path not in self._known:
            self._known[path] = dict(_definitions(path))
        return self._known[path].get(qualname, 1)


def _definitions(path: str) -> Iterator[tuple[str, int]]:
    source = read_source(Path(path))
    if not isinstance(source, SourceFile):
        return
    try:
        todo: list[tuple[str, ast.AST]] = [("", ast.parse(source.text))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while todo:
        outer, node = todo.pop()
        for child in ast.iter_child_nodes(node):
            name = outer
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                name = f"{outer}.{child.name}" if outer else child.name
                yield name, child.lineno
            todo.append((name, child))
