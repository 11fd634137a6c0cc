"""The verifier is tested on lies: each wrong rewrite comes out DIFFERENT, its right twin does not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest
from verifier_lies import LIES, Lie

from tfmigrate.claim import Claim
from tfmigrate.verify.arms import Proof, prove
from tfmigrate.verify.model import Case, Check, CodeTree, Mode, Settings
from tfmigrate.verify.prover import Remembering, Session
from tfmigrate.verify.recipes import CallSpec, DeclaredRecipe, Tensor
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.verdict import VerdictStatus

pytestmark = pytest.mark.tf

CLAIM = Claim(
    first_call_only=True,
    may_track_more=True,
    may_fix_graph=True,
    may_fix_eager=True,
    constant_weight_count=True,
)
FLAVOURED = [(lie, keras) for lie in LIES for keras in lie.flavours]
IDS = [f"{lie.name}-{keras}" for lie, keras in FLAVOURED]


def check(folder: Path, lie: Lie, after: str) -> Check:
    path = os.path.join(os.path.realpath(folder), "net.py")
    calls = []
    for batch in (2, 3, 2):
        tensors = [Tensor((batch, *shape), lie.dtype) for shape in lie.shapes]
        calls.append(CallSpec((tensors[0] if len(tensors) == 1 else tensors,)))
    case = Case("net:Net", lie.name, "test", False, DeclaredRecipe(calls=tuple(calls)))
    trees = [CodeTree((str(folder),), {path: text.encode()}) for text in (lie.before, after)]
    return Check(case, trees[0], trees[1], CLAIM)


@pytest.fixture(scope="module")
def proofs(
    zygotes: dict[str, Zygote], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[tuple[str, str, bool], Future[Proof]]]:
    """All runs, started at once: two at a time. The twins of a lie share the runs of its original."""
    folder = tmp_path_factory.mktemp("lies")
    remembering = {keras: Remembering(zygote) for keras, zygote in zygotes.items()}
    with ThreadPoolExecutor(2) as pool:
        found = {}
        for lie, keras in FLAVOURED:
            modes = (Mode.EAGER, Mode.GRAPH, Mode.XLA)[: 3 if lie.xla else 2]
            settings = Settings(keras=keras, modes=modes)
            for wrong, text in ((False, lie.right), (True, lie.wrong)):
                zygote = cast(Zygote, Session(remembering[keras]))  # prove() only submits.
                found[lie.name, keras, wrong] = pool.submit(prove, zygote, check(folder, lie, text), settings)
        yield found


@pytest.mark.parametrize(("lie", "keras"), FLAVOURED, ids=IDS)
def test_wrong_rewrite_is_different(
    lie: Lie, keras: str, proofs: dict[tuple[str, str, bool], Future[Proof]]
) -> None:
    proof = proofs[lie.name, keras, True].result()
    if lie.xla:
        (verdict,) = (verdict for verdict in proof.verdicts if verdict.mode is Mode.XLA)
        assert "the rewritten code raises" in verdict.reason, verdict
        assert verdict.status in {VerdictStatus.DIFFERENT, VerdictStatus.INCONCLUSIVE}
        return
    assert VerdictStatus.DIFFERENT in {verdict.status for verdict in proof.verdicts}, proof.verdicts


@pytest.mark.parametrize(("lie", "keras"), FLAVOURED, ids=IDS)
def test_right_twin_is_fixed_or_same(
    lie: Lie, keras: str, proofs: dict[tuple[str, str, bool], Future[Proof]]
) -> None:
    proof = proofs[lie.name, keras, False].result()
    good = {VerdictStatus.FIXED, VerdictStatus.SAME}
    for verdict in proof.verdicts:
        assert verdict.status in good, (verdict.reason, verdict.differences[:3])


def test_there_are_enough() -> None:
    assert len({lie.name for lie in LIES}) == len(LIES) >= 25
