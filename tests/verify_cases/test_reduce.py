"""Which places are taken out, for given outcomes of the trials."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tfmigrate.engine import SiteKey
from tfmigrate.verify.model import Case, Mode
from tfmigrate.verify.recipes import GuessRecipe
from tfmigrate.verify.reduce import find_culprits
from tfmigrate.verify.report import CaseReport, SymbolReport
from tfmigrate.verify.verdict import Verdict, VerdictStatus

SITES: tuple[SiteKey, ...] = tuple(("TFM101", line, 1) for line in range(1, 13))
CASE = Case("m:Net", "", "", False, GuessRecipe())


def report(eager: VerdictStatus, graph: VerdictStatus) -> SymbolReport:
    verdicts = (Verdict(eager, Mode.EAGER, "CPU", ""), Verdict(graph, Mode.GRAPH, "CPU", ""))
    return SymbolReport("m:Net", "m.py", (CaseReport(CASE, verdicts, 0.0),))


def trial(
    sites: tuple[SiteKey, ...], wrong: Callable[[frozenset[SiteKey]], bool]
) -> tuple[object, list[int]]:
    """Trials of a code that only runs in a graph when all of ``sites`` are rewritten."""
    counted: list[int] = []

    def run(kept: frozenset[SiteKey]) -> SymbolReport | None:
        counted.append(len(kept))
        if not kept:
            return None
        status = VerdictStatus.DIFFERENT if wrong(kept) else VerdictStatus.SAME
        graph = VerdictStatus.INCONCLUSIVE if len(kept) < len(sites) else status
        return report(status, graph)

    return run, counted


@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_one_culprit_is_found(count: int) -> None:
    sites = SITES[:count]
    run, _ = trial(sites, lambda kept: SITES[0] in kept)
    assert find_culprits(sites, run) == {SITES[0]}  # type: ignore[arg-type]


def test_two_culprits_are_found() -> None:
    bad = {SITES[1], SITES[4]}
    run, _ = trial(SITES[:6], lambda kept: bool(kept & bad))
    assert find_culprits(SITES[:6], run) == bad  # type: ignore[arg-type]


def test_places_that_are_wrong_only_together_leave_one_out() -> None:
    run, _ = trial(SITES[:3], lambda kept: {SITES[0], SITES[2]} <= kept)
    assert find_culprits(SITES[:3], run) == {SITES[0]}  # type: ignore[arg-type]
    run, _ = trial(SITES, lambda kept: {SITES[0], SITES[11]} <= kept)
    assert find_culprits(SITES, run) == set(SITES)  # type: ignore[arg-type]


def test_without_a_difference_others_are_to_blame() -> None:
    run, counted = trial(SITES[:3], lambda kept: False)
    assert find_culprits(SITES[:3], run) == frozenset()  # type: ignore[arg-type]
    assert counted == [3]


def test_a_difference_in_the_graph_only_is_not_blamed_on_the_place_that_hides_it() -> None:
    def run(kept: frozenset[SiteKey]) -> SymbolReport | None:
        whole = len(kept) == 3
        return report(VerdictStatus.SAME, VerdictStatus.DIFFERENT if whole else VerdictStatus.INCONCLUSIVE)

    assert find_culprits(SITES[:3], run) == set(SITES[:3])
