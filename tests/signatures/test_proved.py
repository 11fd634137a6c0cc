"""The claim of fewer traces, proved by running: what keeps it, what does not show it, and signatures that are wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tfmigrate.claim import Claim
from tfmigrate.verify.arms import prove
from tfmigrate.verify.model import Case, Check, CodeTree, Mode, Settings
from tfmigrate.verify.recipes import CallSpec, DeclaredRecipe, Tensor
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.verdict import Verdict, VerdictStatus

pytestmark = pytest.mark.tf

ORIGINAL = """
import tensorflow as tf


@tf.function
def step(x):
    return tf.reduce_sum(tf.square(x), axis=0)
"""
MADE_PER_CALL = """
import tensorflow as tf


def step(x):
    @tf.function
    def inner(x):
        return tf.reduce_sum(tf.square(x), axis=0)

    return inner(x)
"""
EQUAL_NUMBERS = """
import tensorflow as tf


@tf.function
def filled(n):
    return tf.fill([2], n)


def step(x):
    return tf.cast(filled(3), tf.float32) * x, filled({last})
"""


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote("3") as found:
        yield found


@pytest.fixture()
def proved(zygote: Zygote, tmp_path: Path) -> Prover:
    return Prover(zygote, tmp_path)


class Prover:
    """Proves a rewrite of ``step`` by calls with 2, 3, 4, 5 and again 2 rows."""

    def __init__(self, zygote: Zygote, folder: Path) -> None:
        self.zygote = zygote
        self.folder = folder

    def __call__(self, before: str, after: str, columns: tuple[int, ...] = (3,)) -> Verdict:
        path = os.path.join(os.path.realpath(self.folder), "net.py")
        trees = [CodeTree((str(self.folder),), {path: text.encode()}) for text in (before, after)]
        calls = tuple(CallSpec((Tensor((rows, *columns)),)) for rows in (2, 3, 4, 5, 2))
        case = Case("net:step", "", "test", False, DeclaredRecipe(calls=calls))
        check = Check(case, trees[0], trees[1], Claim(fewer_traces=True))
        (verdict,) = prove(self.zygote, check, Settings(modes=(Mode.EAGER,))).verdicts
        return verdict


def with_argument(argument: str) -> str:
    return ORIGINAL.replace("@tf.function", f"@tf.function({argument})")


def with_signature(spec: str) -> str:
    return with_argument(f"input_signature=[tf.TensorSpec({spec})]")


@pytest.mark.parametrize(
    ("after", "count"),
    [(with_signature("[None, 3], tf.float32"), "once"), (with_argument("reduce_retracing=True"), "2 times")],
)
def test_equal_values_and_fewer_traces(proved: Prover, after: str, count: str) -> None:
    verdict = proved(ORIGINAL, after)
    assert verdict.status is VerdictStatus.SAME, verdict.reason
    assert f"traced {count} by these calls, before 4 times" in verdict.reason


@pytest.mark.parametrize(
    "spec",
    ["[None, 3], tf.int32", "[None, 3], tf.float64", "[None], tf.float32", "[2, 3], tf.float32"],
    ids=["integers", "other floats", "rank", "too narrow"],
)
def test_wrong_signatures_differ(proved: Prover, spec: str) -> None:
    verdict = proved(ORIGINAL, with_signature(spec))
    assert verdict.status is VerdictStatus.DIFFERENT, verdict.reason
    assert "the rewritten code raises TypeError" in verdict.reason


def test_a_size_that_means_something_else_when_unknown_differs(proved: Prover) -> None:
    """Nothing raises: ``x.shape[0]`` is None, and Python goes the other way."""
    reads = ORIGINAL.replace("tf.square(x)", "tf.square(x[: -1 if x.shape[0] else None])")
    verdict = proved(
        reads, reads.replace("@tf.function", with_signature("[None, 3], tf.float32").split("\n")[4])
    )
    assert verdict.status is VerdictStatus.DIFFERENT, verdict.reason


def test_more_traces_differ(proved: Prover) -> None:
    verdict = proved(ORIGINAL, MADE_PER_CALL)
    assert verdict.status is VerdictStatus.DIFFERENT
    assert verdict.reason == "its tf.functions are traced 8 times by these calls, the original's 4 times"


def test_as_many_traces_prove_nothing(proved: Prover) -> None:
    verdict = proved(ORIGINAL, ORIGINAL.replace("tf.square(x)", "x * x"))
    assert verdict.status is VerdictStatus.INCONCLUSIVE
    assert "traced 4 times in both versions, which shows no fewer traces" in verdict.reason


def test_numbers_that_share_a_trace_are_a_fault_of_the_original(proved: Prover) -> None:
    before = EQUAL_NUMBERS.format(last="3.0")
    after = EQUAL_NUMBERS.format(last="tf.constant(3.0)").replace("filled(3)", "filled(tf.constant(3))")
    verdict = proved(before, after, columns=(2,))
    assert verdict.status is VerdictStatus.FIXED, verdict.reason
    assert verdict.reason.startswith(
        "the original's tf.functions give something else than its eager run: call 1"
    )
