"""Verify, take out what differs, and verify the rest again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tfmigrate.engine import SiteKey
from tfmigrate.results import Patch
from tfmigrate.verify.cases import Symbol
from tfmigrate.verify.patchset import PatchSet, site_key, sites_of
from tfmigrate.verify.prover import Target
from tfmigrate.verify.proving import Proving, prove_all
from tfmigrate.verify.reduce import find_culprits
from tfmigrate.verify.report import SymbolReport
from tfmigrate.verify.verdict import VerdictStatus

ROUNDS = 4
"""After these, all of a symbol's places are taken out."""

Progress = Callable[[int, int, SymbolReport], None]
"""Called when a symbol is verified, with the number of those that are, of all, and its report."""


class Rounds:
    """Verifies, takes out what differs, and verifies the rest again."""

    def __init__(
        self,
        work: PatchSet,
        prover: Proving,
        is_wanted: Callable[[Symbol], bool],
        progress: Progress | None,
    ) -> None:
        self._work = work
        self._prover = prover
        self._is_wanted = is_wanted
        self._progress = progress

    def run(self) -> dict[Symbol, SymbolReport]:
        """The last report of each symbol; of one that was taken out whole, the report that shows why."""
        reports: dict[Symbol, SymbolReport] = {}
        due: set[str] | None = None
        for number in range(ROUNDS):
            current = tuple(self._work.current.values())
            wanted = [
                (symbol, patch)
                for symbol, patch in self._work.owners(current)
                if self._is_wanted(symbol) and (due is None or patch.source.path in due)
            ]
            targets = [self._work.target(symbol, patch, current) for symbol, patch in wanted]
            reports.update(zip([s for s, _ in wanted], self._proved(targets), strict=True))
            bad = [(s, p) for s, p in wanted if reports[s].status is VerdictStatus.DIFFERENT]
            if not bad:
                break
            due = {patch.source.path for _, patch in bad}
            self._reduce(bad, reports, is_last=number >= ROUNDS - 2)
        return reports

    def _proved(self, targets: Sequence[Target]) -> list[SymbolReport]:
        return prove_all(self._prover, targets, self._progress)

    def _reduce(
        self, bad: list[tuple[Symbol, Patch]], reports: Mapping[Symbol, SymbolReport], is_last: bool
    ) -> None:
        """Take the culprits of every symbol in ``bad`` out; all of their places if none can be named."""
        found = {}
        for symbol, patch in bad:
            sites = sites_of(patch, symbol.qualname)
            found[symbol] = frozenset[SiteKey]() if is_last else self._culprits(symbol, patch, sorted(sites))
        nobody = not any(found.values())
        for symbol, patch in bad:
            sites = found[symbol] or (sites_of(patch, symbol.qualname) if nobody else frozenset())
            if sites:
                self._work.take_out(patch.source.path, sites, evidence_of(reports[symbol]))

    def _culprits(self, symbol: Symbol, patch: Patch, sites: Sequence[SiteKey]) -> frozenset[SiteKey]:
        first = self._work.first(patch.source.path)
        every = frozenset(site_key(finding) for finding in first.findings if finding.refused is None)

        def trial(kept: frozenset[SiteKey]) -> SymbolReport | None:
            part = self._work.without(first, every - kept)
            if not part.changed:
                return None
            return self._prover.submit(self._work.target(symbol, part, [part])).result()

        return find_culprits(sites, trial)


def evidence_of(report: SymbolReport) -> str:
    """The first difference of a report, in one sentence."""
    for case in report.cases:
        for verdict in case.verdicts:
            if verdict.status is VerdictStatus.DIFFERENT:
                return f"{report.symbol}, {verdict.mode.value}: {verdict.reason}"
    return report.reason
