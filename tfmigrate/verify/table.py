"""The matrix of verdicts: a row for each symbol and each way in which it was run, a column for each mode.

What was skipped has a number, and the reason stands below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfmigrate.verify.model import Case, Mode, Precision, Strategy
from tfmigrate.verify.verdict import Verdict, VerdictStatus

if TYPE_CHECKING:
    from tfmigrate.verify.report import Report, SymbolReport

_WORST_FIRST = (
    VerdictStatus.DIFFERENT,
    VerdictStatus.INCONCLUSIVE,
    VerdictStatus.INERT,
    VerdictStatus.FIXED,
    VerdictStatus.SAME,
)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """What an arm runs in, beside its mode."""

    keras: str
    device: str
    precision: str
    strategy: str

    @property
    def is_plain(self) -> bool:
        """As the code itself is written: no other precision, no replicas."""
        return self.precision == Precision.FLOAT32.value and self.strategy == Strategy.NONE.value


@dataclass(frozen=True, slots=True)
class Cell:
    """What all cases of a symbol come to in one mode and place."""

    mode: Mode
    place: Place
    status: VerdictStatus | None
    """None: it was skipped in all of them."""
    reason: str
    """Why it was skipped, or the sentence of the worst verdict."""


def place_of(verdict: Verdict) -> Place:
    """Where the verdict's arms were run."""
    return Place(verdict.keras, verdict.device, verdict.precision.value, verdict.strategy.value)


def worst(verdicts: Sequence[Verdict]) -> VerdictStatus:
    """The status that counts; INCONCLUSIVE for no verdicts."""
    statuses = {verdict.status for verdict in verdicts}
    return next((s for s in _WORST_FIRST if s in statuses), VerdictStatus.INCONCLUSIVE)


def overall(verdicts: Sequence[Verdict]) -> VerdictStatus:
    """The status of a symbol: its worst verdict. What was skipped does not count; and not everything can be compiled,
    trained, exported or computed in half: INCONCLUSIVE there does not outweigh what was proved."""
    ran = [verdict for verdict in verdicts if not verdict.skipped]
    counted = [v for v in ran if v.status is not VerdictStatus.INCONCLUSIVE or _is_expected(v)]
    return worst(counted or ran)


def _is_expected(verdict: Verdict) -> bool:
    return verdict.mode in (Mode.EAGER, Mode.GRAPH) and place_of(verdict).is_plain


def cells(symbol: SymbolReport) -> tuple[Cell, ...]:
    """All cells of one symbol, place by place in the order of the modes."""
    found: dict[tuple[Place, Mode], list[Verdict]] = {}
    for report in symbol.cases:
        for verdict in report.verdicts:
            found.setdefault((place_of(verdict), verdict.mode), []).append(verdict)
    return tuple(
        _cell(mode, place, verdicts)
        for (place, mode), verdicts in sorted(found.items(), key=lambda item: _order(*item[0]))
    )


def _cell(mode: Mode, place: Place, verdicts: list[Verdict]) -> Cell:
    ran = [verdict for verdict in verdicts if not verdict.skipped]
    if not ran:
        return Cell(mode, place, None, verdicts[0].reason)
    status = worst(ran)
    return Cell(mode, place, status, next(v.reason for v in ran if v.status is status))


def _order(place: Place, mode: Mode) -> tuple[object, ...]:
    precisions, strategies = ([item.value for item in kind] for kind in (Precision, Strategy))
    return (
        place.keras,
        place.device,
        strategies.index(place.strategy),
        precisions.index(place.precision),
        list(Mode).index(mode),
    )


def table(report: Report) -> Iterator[str]:
    """The lines of the table, and the reasons of what was skipped."""
    found = {symbol.symbol: cells(symbol) for symbol in report.symbols}
    every = [cell for row in found.values() for cell in row]
    modes = [mode for mode in Mode if any(cell.mode is mode for cell in every)]
    places = {cell.place for cell in every}
    reasons: dict[str, int] = {}
    head = ["symbol", *(["run with"] if len(places) > 1 else []), *(mode.value for mode in modes), "case"]
    rows = [head]
    for symbol in report.symbols:
        names = ", ".join(dict.fromkeys(label(report.case) for report in symbol.cases)) or "none"
        first = symbol.symbol
        for place in dict.fromkeys(cell.place for cell in found[symbol.symbol]) or [None]:
            at = {cell.mode: cell for cell in found[symbol.symbol] if cell.place == place}
            words = [_word(at.get(mode), reasons) for mode in modes]
            where = [said(place, places) if place is not None else ""] if len(places) > 1 else []
            rows.append([first, *where, *words, names])
            first = names = ""
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for row in rows:
        yield "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()
    yield from (f"[{number}] skipped: {reason}" for reason, number in reasons.items())
    yield from (f"skipped: {reason}" for reason in report.skipped)


def _word(cell: Cell | None, reasons: dict[str, int]) -> str:
    if cell is None:
        return "-"
    if cell.status is None:
        return f"- [{reasons.setdefault(cell.reason, len(reasons) + 1)}]"
    return cell.status.value


def said(place: Place, among: set[Place]) -> str:
    """What tells ``place`` from the others."""
    parts = []
    if len({other.keras for other in among}) > 1:
        parts.append(f"Keras {place.keras}")
    if len({other.device for other in among}) > 1:
        parts.append(place.device.lower())
    if len({other.precision for other in among}) > 1:
        parts.append(place.precision)
    if place.strategy != Strategy.NONE.value:
        parts.append(place.strategy)
    return ", ".join(parts)


def label(case: Case) -> str:
    """A case as it is printed in the table."""
    return f"{case.name or 'unnamed'}{' (guessed)' if case.guessed else ''}"
