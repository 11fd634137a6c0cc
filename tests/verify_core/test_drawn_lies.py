"""Draws are pinned by their place: wrong rewrites of them come out DIFFERENT, and their right twins do not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest
from drawn_lies import HEAD, LIES, DrawnLie

from tfmigrate.claim import Claim
from tfmigrate.verify.arms import Proof, prove
from tfmigrate.verify.model import RUNNING, Case, Check, CodeTree, Mode, Settings
from tfmigrate.verify.prover import Remembering, Session
from tfmigrate.verify.recipes import CallSpec, DeclaredRecipe, Tensor
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.verdict import PINNED, Verdict, VerdictStatus

pytestmark = pytest.mark.tf

CLAIM = Claim(may_fix_graph=True, redraws=True)
FLAVOURED = [(lie, keras) for lie in LIES for keras in ("3", "2")]
IDS = [f"{lie.name}-{keras}" for lie, keras in FLAVOURED]
Key = tuple[str, str, bool]


def check(folder: Path, symbol: str, before: str, after: str, method: str = "") -> Check:
    path = os.path.join(os.path.realpath(folder), "net.py")
    calls = tuple(CallSpec((Tensor((batch, 4), "float32"),)) for batch in (2, 3, 2))
    case = Case(symbol, "test", "test", False, DeclaredRecipe(calls=calls, method=method))
    trees = [CodeTree((str(folder),), {path: text.encode()}) for text in (before, after)]
    return Check(case, trees[0], trees[1], CLAIM)


@pytest.fixture(scope="module")
def proofs(
    zygotes: dict[str, Zygote], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[Key, Future[Proof]]]:
    """All runs, started at once: two at a time. The twins of a lie share the runs of its original."""
    folder = tmp_path_factory.mktemp("drawn")
    remembering = {keras: Remembering(zygote) for keras, zygote in zygotes.items()}
    with ThreadPoolExecutor(2) as pool:
        found = {}
        for lie, keras in FLAVOURED:
            modes = RUNNING if lie.xla and keras == "3" else (Mode.EAGER, Mode.GRAPH)
            settings = Settings(keras=keras, modes=modes)
            for wrong, text in ((False, lie.right), (True, lie.wrong)):
                zygote = cast(Zygote, Session(remembering[keras]))  # prove() only submits.
                job = check(folder, lie.symbol, lie.before, text, lie.method)
                found[lie.name, keras, wrong] = pool.submit(prove, zygote, job, settings)
        yield found


def by_mode(proof: Proof) -> dict[Mode, Verdict]:
    return {verdict.mode: verdict for verdict in proof.verdicts}


@pytest.mark.parametrize(("lie", "keras"), FLAVOURED, ids=IDS)
def test_wrong_draw_is_different(lie: DrawnLie, keras: str, proofs: dict[Key, Future[Proof]]) -> None:
    found = by_mode(proofs[lie.name, keras, True].result())
    statuses = {mode: verdict.status for mode, verdict in found.items()}
    if lie.name == "drawn by Python still":
        assert statuses.pop(Mode.EAGER) is VerdictStatus.SAME
    assert set(statuses.values()) == {VerdictStatus.DIFFERENT}, found


@pytest.mark.parametrize(("lie", "keras"), FLAVOURED, ids=IDS)
def test_right_draw_is_proved(lie: DrawnLie, keras: str, proofs: dict[Key, Future[Proof]]) -> None:
    found = by_mode(proofs[lie.name, keras, False].result())
    eager = found.pop(Mode.EAGER)
    assert eager.status is VerdictStatus.SAME and PINNED in eager.reason, (eager.reason, eager.differences)
    for verdict in found.values():
        assert verdict.status is VerdictStatus.FIXED, (verdict.reason, verdict.differences[:3])
        assert PINNED in verdict.evidence


@pytest.mark.parametrize("keras", ["3", "2"])
def test_original_is_shown_to_be_frozen(keras: str, proofs: dict[Key, Future[Proof]]) -> None:
    verdict = by_mode(proofs["exclusive bound", keras, False].result())[Mode.GRAPH]
    assert verdict.reason.startswith("the original draws when it is traced, and never again: call ")


def test_draw_without_a_counterpart_proves_nothing(zygotes: dict[str, Zygote], tmp_path: Path) -> None:
    frame = HEAD + "@tf.function\ndef step(x):\n    return x + "
    job = check(
        tmp_path, "net:step", f"{frame}random.vonmisesvariate(0.0, 4.0)\n", f"{frame}tf.random.normal([])\n"
    )
    verdict = prove(zygotes["3"], job, Settings(modes=(Mode.EAGER,))).verdicts[0]
    assert verdict.status is VerdictStatus.INCONCLUSIVE
    assert "other numbers than random.vonmisesvariate" in verdict.reason
