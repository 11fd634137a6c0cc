"""Finds the places whose rewriting makes a symbol DIFFERENT, by trying them apart. Pure: the trials are the caller's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tfmigrate.engine import SiteKey
from tfmigrate.verify.report import SymbolReport
from tfmigrate.verify.table import place_of
from tfmigrate.verify.verdict import VerdictStatus

Trial = Callable[[frozenset[SiteKey]], "SymbolReport | None"]
"""Verify with only these places rewritten; None if that changes nothing."""

_PROVED = frozenset({VerdictStatus.SAME, VerdictStatus.FIXED})
FEW = 8
"""Up to so many places each is left out in turn, before they are halved."""


def find_culprits(sites: Sequence[SiteKey], trial: Trial) -> frozenset[SiteKey]:
    """The places to leave as they are. None: rewritten alone, the symbol does not differ, so others are to blame.

    All of them, where no part can be shown to be at fault: a difference is never written because it was not understood.
    """
    every = frozenset(sites)
    whole = trial(every)
    if whole is None or not _differs(whole):
        return frozenset()
    if len(every) == 1:
        return every
    if len(every) <= FEW:
        for site in sites:
            rest = trial(every - {site})
            if rest is not None and _mends(rest, whole):
                return frozenset({site})
    found = _halved(tuple(sites), trial)
    if found and found != every:
        rest = trial(every - found)
        if rest is None or not _differs(rest):
            return found
    return every


def _halved(sites: tuple[SiteKey, ...], trial: Trial) -> frozenset[SiteKey]:
    """Places that differ when they alone are rewritten, in halves of halves."""
    if len(sites) == 1:
        return frozenset(sites)
    middle = len(sites) // 2
    found = frozenset[SiteKey]()
    for half in (sites[:middle], sites[middle:]):
        report = trial(frozenset(half))
        if report is not None and _differs(report):
            found |= _halved(half, trial)
    return found


def _differs(report: SymbolReport) -> bool:
    return any(v.status is VerdictStatus.DIFFERENT for case in report.cases for v in case.verdicts)


def _mends(report: SymbolReport, whole: SymbolReport) -> bool:
    """Whether nothing differs any more, and something that differed is proved.

    Nothing differing alone says little: with one place left out the code may no longer run in a graph at all.
    """
    differed = {
        (case.case.symbol, case.case.name, v.mode, place_of(v))
        for case in whole.cases
        for v in case.verdicts
        if v.status is VerdictStatus.DIFFERENT
    }
    proved = {
        (case.case.symbol, case.case.name, v.mode, place_of(v))
        for case in report.cases
        for v in case.verdicts
        if v.status in _PROVED
    }
    return not _differs(report) and bool(differed & proved)
