"""What a verification found, as data, as text and as JSON.

The verdicts are of one symbol, case, mode and device each; a table has one word for each symbol and mode, the worst of its
cases, and the evidence stands below it.
"""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tfmigrate.exits import Exit
from tfmigrate.verify.compare import Comparison, Status
from tfmigrate.verify.model import Case, Mode, Precision, Strategy
from tfmigrate.verify.observe import Costs
from tfmigrate.verify.table import Place, cells, overall, place_of, said, table
from tfmigrate.verify.verdict import Verdict, VerdictStatus

_WORST_FIRST = (
    VerdictStatus.DIFFERENT,
    VerdictStatus.INCONCLUSIVE,
    VerdictStatus.INERT,
    VerdictStatus.FIXED,
    VerdictStatus.SAME,
)
_PROVED = frozenset({VerdictStatus.SAME, VerdictStatus.FIXED})
_DECADES = (-6, 6)
_SHOWN = 3
"""Differences that are printed for one verdict."""


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One case of one symbol, run."""

    case: Case
    verdicts: tuple[Verdict, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class SymbolReport:
    """One class or function. Without a case that could be run, ``reason`` says why and ``hint`` what to write."""

    symbol: str
    path: str
    """Its file, as printed."""
    cases: tuple[CaseReport, ...] = ()
    reason: str = ""
    hint: str = ""
    problems: tuple[str, ...] = ()
    """What was wrong with cases that could not be used."""
    known: bool = False
    """It comes from an earlier run: nothing that decides it has changed."""

    @property
    def status(self) -> VerdictStatus:
        """The worst verdict that counts (``table.overall``)."""
        return overall([verdict for report in self.cases for verdict in report.verdicts])


@dataclass(frozen=True, slots=True)
class TakenOut:
    """A place that was rewritten, came out DIFFERENT, and stays as it was."""

    path: str
    line: int
    column: int
    code: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Report:
    """A whole verification."""

    symbols: tuple[SymbolReport, ...]
    keras: str
    command: tuple[str, ...] = ()
    """The command that repeats it, without symbol, case and mode."""
    taken_out: tuple[TakenOut, ...] = ()
    notes: tuple[str, ...] = ()
    """What was not compared, and why."""
    seconds: float = 0.0
    skipped: tuple[str, ...] = ()
    """What was asked for and is not here: a GPU, a Keras flavour. Sentences."""

    @property
    def counts(self) -> Mapping[VerdictStatus, int]:
        """How many symbols came out how."""
        return Counter(symbol.status for symbol in self.symbols)

    @property
    def exit(self) -> Exit:
        """DIFFERENCE for a difference (also one that was taken out), UNVERIFIED if a symbol is not proved."""
        statuses = {symbol.status for symbol in self.symbols}
        if self.taken_out or VerdictStatus.DIFFERENT in statuses:
            return Exit.DIFFERENCE
        return Exit.DONE if statuses <= _PROVED else Exit.UNVERIFIED

    def again(self, symbol: str, case: str, verdict: Verdict) -> str:
        """The command that repeats just this run."""
        place = place_of(verdict)
        parts = [*self.command, "--only", symbol, "--case", case]
        parts += ["--modes", verdict.mode.value, "--keras", place.keras or self.keras]
        if place.device != "CPU":
            parts += ["--device", place.device.lower()]
        if verdict.precision is not Precision.FLOAT32:
            parts += ["--precision", place.precision]
        if verdict.strategy is not Strategy.NONE:
            parts += ["--strategy", place.strategy]
        return shlex.join(parts)


# -- text ----------------------------------------------------------------------------------------------------


def render(report: Report, verbose: bool = False) -> str:
    """The table, the evidence, and one line of counts.

    ``verbose``: and the properties that were not checked.
    """
    lines = [*table(report), ""] if report.symbols else []
    for symbol in report.symbols:
        lines += [*_evidence(report, symbol, verbose), ""]
    for place in report.taken_out:
        where = f"{place.path}:{place.line}:{place.column}"
        lines.append(f"{where}: {place.code} is left as it was: {place.evidence}")
    lines += [f"note: {note}" for note in report.notes]
    lines.append(summary(report))
    return "\n".join(lines) + "\n"


def evidence(report: Report, mode: Mode) -> str:
    """What was found in one mode, without the table."""
    lines: list[str] = []
    for symbol in report.symbols:
        cases = [
            replace(case, verdicts=tuple(verdict for verdict in case.verdicts if verdict.mode is mode))
            for case in symbol.cases
        ]
        lines += _evidence(report, replace(symbol, cases=tuple(cases)), verbose=False)
    return "\n".join(lines)


def summary(report: Report) -> str:
    """One line: ``3 symbols verified with Keras 3 in 12 s: 2 FIXED, 1 INCONCLUSIVE``."""
    counts = report.counts
    words = ", ".join(
        f"{counts[status]} {status.value}" for status in reversed(_WORST_FIRST) if counts[status]
    )
    many = f"{len(report.symbols)} symbol{'' if len(report.symbols) == 1 else 's'}"
    left = f"; {len(report.taken_out)} rewritten places taken out" if report.taken_out else ""
    keras = report.keras.replace(", ", " and ")
    known = sum(symbol.known for symbol in report.symbols)
    again = f" ({known} unchanged since an earlier run)" if known else ""
    told = words or "nothing to compare"
    return f"{many} verified with Keras {keras} in {report.seconds:.0f} s{again}: {told}{left}"


def _evidence(report: Report, symbol: SymbolReport, verbose: bool) -> Iterator[str]:
    yield f"{symbol.symbol} ({symbol.path}): {symbol.status.value}"
    for problem in symbol.problems:
        yield f"  {problem}"
    if symbol.reason:
        yield f"  {symbol.reason}"
    if symbol.hint:
        yield from (f"  {line}".rstrip() for line in symbol.hint.splitlines())
    places = {place_of(verdict) for s in report.symbols for c in s.cases for verdict in c.verdicts}
    for found in symbol.cases:
        through = "" if found.case.symbol == symbol.symbol else f" through {found.case.symbol}"
        yield f"  case {found.case.name or 'unnamed'}{through}, {found.case.origin}"
        for verdicts in _alike([v for v in found.verdicts if not v.skipped], verbose):
            first = verdicts[0]
            modes = "; ".join(_modes(verdicts, places))
            yield f"    {modes}: {first.status.value}: {first.reason}"
            yield from (f"      {line}" for line in first.evidence if line != first.reason)
            yield from (f"      {note}" for note in first.notes if verbose)
            differences = first.differences if first.status is VerdictStatus.DIFFERENT else ()
            yield from (f"      {describe(item)}" for item in differences[:_SHOWN])
            if first.status not in _PROVED:
                yield f"      again: {report.again(symbol.symbol, found.case.name, first)}"


def _alike(verdicts: Sequence[Verdict], verbose: bool) -> list[list[Verdict]]:
    """Verdicts that say the same, together; differences stand alone, for their numbers."""
    groups: dict[object, list[Verdict]] = {}
    for number, verdict in enumerate(verdicts):
        alone = number if verdict.status is VerdictStatus.DIFFERENT else None
        groups.setdefault(
            (verdict.status, verdict.reason, verdict.evidence, verdict.notes if verbose else (), alone), []
        ).append(verdict)
    return list(groups.values())


def _modes(verdicts: Sequence[Verdict], places: set[Place]) -> Iterator[str]:
    """``eager, graph`` or, where there are several places, ``eager, graph with Keras 2, cpu``."""
    found: dict[Place, list[str]] = {}
    for verdict in verdicts:
        found.setdefault(place_of(verdict), []).append(verdict.mode.value)
    for place, modes in found.items():
        where = said(place, places) if len(places) > 1 else ""
        yield ", ".join(modes) + (f" with {where}" if where else "")


def describe(item: Comparison) -> str:
    """One difference: where, what, the largest with its index and both values, and what would have passed."""
    place = ": ".join(part for part in (item.stage, item.item) if part)
    if not item.total:
        return f"{place}: {item.message}"
    text = f"{place}: {item.mismatched} of {item.total} values differ"
    at = f" at {list(item.index)}" if item.index else ""
    text += f"; worst{at}: {item.expected} became {item.actual}"
    text += f" (absolute {item.worst_abs:.3g}, relative {item.worst_rel:.3g})"
    would_pass = item.rtol * item.needed
    return text + (f"; rtol {would_pass:.3g} would pass" if 0 < would_pass < float("inf") else "")


# -- JSON ----------------------------------------------------------------------------------------------------


def as_json(report: Report) -> dict[str, Any]:
    """Everything that the text says, as dicts, lists, strings and finite numbers."""
    return {
        "keras": report.keras,
        "exit_code": int(report.exit),
        "seconds": round(report.seconds, 3),
        "counts": {status.value: report.counts[status] for status in VerdictStatus},
        "symbols": [_symbol_json(report, symbol) for symbol in report.symbols],
        "taken_out": [
            {"path": t.path, "line": t.line, "column": t.column, "code": t.code, "evidence": t.evidence}
            for t in report.taken_out
        ],
        "notes": list(report.notes),
        "skipped": list(report.skipped),
    }


def _symbol_json(report: Report, symbol: SymbolReport) -> dict[str, Any]:
    return {
        "symbol": symbol.symbol,
        "path": symbol.path,
        "status": symbol.status.value,
        "known": symbol.known,
        "reason": symbol.reason or None,
        "hint": symbol.hint or None,
        "problems": list(symbol.problems),
        "cells": [
            {
                "mode": cell.mode.value,
                **_place_json(cell.place),
                "status": cell.status.value if cell.status is not None else None,
                "reason": cell.reason,
            }
            for cell in cells(symbol)
        ],
        "cases": [
            {
                "name": found.case.name,
                "symbol": found.case.symbol,
                "origin": found.case.origin,
                "guessed": found.case.guessed,
                "seconds": round(found.seconds, 3),
                "verdicts": [_verdict_json(report, symbol, found.case, v) for v in found.verdicts],
            }
            for found in symbol.cases
        ],
    }


def _verdict_json(report: Report, symbol: SymbolReport, case: Case, verdict: Verdict) -> dict[str, Any]:
    return {
        "status": verdict.status.value,
        "mode": verdict.mode.value,
        **_place_json(place_of(verdict)),
        "skipped": verdict.skipped,
        "reason": verdict.reason,
        "how": verdict.how or None,
        "evidence": list(verdict.evidence),
        "not_checked": list(verdict.notes),
        "compared": len(verdict.comparisons),
        "differences": [_comparison_json(item) for item in verdict.differences],
        "errors": _errors(verdict),
        "costs": {"before": _costs_json(verdict.costs_before), "after": _costs_json(verdict.costs_after)},
        "again": report.again(symbol.symbol, case.name, verdict),
    }


def _place_json(place: Place) -> dict[str, Any]:
    return {
        "keras": place.keras,
        "device": place.device,
        "precision": place.precision,
        "strategy": place.strategy,
    }


def _errors(verdict: Verdict) -> dict[str, int]:
    """How many compared arrays are how far apart: the largest error of each as a share of what is allowed.

    ``exact``, or a power of ten (``-2``: from 0.01 to below 0.1), at most ``_DECADES``. From ``0`` on it is too much.
    """
    counts = Counter[str]()
    for item in verdict.comparisons:
        if item.numeric:
            near = item.status is Status.EQUAL and not item.needed
            counts["exact" if near else str(_decade(item.needed))] += 1
    return dict(counts)


def _decade(needed: float) -> int:
    if not 0 < needed < float("inf"):
        return _DECADES[1]
    low, high = _DECADES
    return min(high, max(low, math.floor(math.log10(needed))))


def _costs_json(costs: Costs | None) -> dict[str, Any] | None:
    if costs is None:
        return None
    return {
        "traces": costs.traces,
        "nodes": costs.nodes,
        "trace_seconds": round(costs.trace_s, 6),
        "call_seconds": None if costs.call_s is None else round(costs.call_s, 6),
        "step_seconds": None if costs.step_s is None else round(costs.step_s, 6),
    }


def _comparison_json(item: Comparison) -> dict[str, Any]:
    return {
        "stage": item.stage,
        "item": item.item,
        "kind": item.how,
        "message": item.message,
        "mismatched": item.mismatched,
        "total": item.total,
        "worst_absolute": _finite(item.worst_abs),
        "worst_relative": _finite(item.worst_rel),
        "index": list(item.index),
        "expected": item.expected,
        "actual": item.actual,
        "rtol": _finite(item.rtol),
        "needed_factor": _finite(item.needed),
    }


def _finite(number: float) -> float | None:
    """JSON has no infinities."""
    return float(number) if abs(number) < float("inf") else None
