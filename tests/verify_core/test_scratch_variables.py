"""Variables that a call makes, assigns and forgets: the rewritten code has tensors in their place."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest

from tfmigrate.claim import Claim
from tfmigrate.verify.arms import Proof, prove
from tfmigrate.verify.model import Case, Check, CodeTree, Mode, Settings
from tfmigrate.verify.recipes import CallSpec, DeclaredRecipe, Tensor
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.verdict import VerdictStatus

pytestmark = pytest.mark.tf

HEAD = "import tensorflow as tf\nfrom tensorflow.keras import layers\n\n"
BEFORE = """
    class Net(layers.Layer):
        def __init__(self):
            super().__init__()
            self.dense = layers.Dense(3)
        def call(self, x):
            total = tf.Variable(1.0)
            total.assign_add(tf.reduce_sum(self.dense(x)))
            return x * total
"""
RIGHT = BEFORE.replace("tf.Variable(1.0)", "tf.constant(1.0)").replace(
    "total.assign_add(tf.reduce_sum(self.dense(x)))", "total = total + tf.reduce_sum(self.dense(x))"
)
READ = BEFORE.replace("            total.assign_add(tf.reduce_sum(self.dense(x)))\n", "")


def proved(zygote: Zygote, keras: str, folder: Path, before: str, after: str) -> Proof:
    path = os.path.join(os.path.realpath(folder), "net.py")
    trees = [CodeTree((str(folder),), {path: (HEAD + textwrap.dedent(t)).encode()}) for t in (before, after)]
    calls = tuple(CallSpec((Tensor((batch, 4)),)) for batch in (2, 3, 2))
    case = Case("net:Net", "", "test", False, DeclaredRecipe(calls=calls))
    claim = Claim(first_call_only=True, may_track_more=True, may_fix_graph=True, constant_weight_count=True)
    settings = Settings(keras=keras, modes=(Mode.EAGER, Mode.GRAPH))
    return prove(zygote, Check(case, trees[0], trees[1], claim), settings)


@pytest.mark.parametrize("keras", ["3", "2"])
def test_a_tensor_in_its_place_is_the_same(zygotes: dict[str, Zygote], keras: str, tmp_path: Path) -> None:
    eager, graph = proved(zygotes[keras], keras, tmp_path, BEFORE, RIGHT).verdicts
    assert eager.status is VerdictStatus.SAME, (eager.reason, eager.differences[:3])
    assert "Net/total is scratch space of the original" in eager.reason
    assert graph.status is VerdictStatus.FIXED, (graph.reason, graph.differences[:3])


def test_another_number_in_its_place_is_different(zygotes: dict[str, Zygote], tmp_path: Path) -> None:
    wrong = RIGHT.replace("tf.constant(1.0)", "tf.constant(1.01)")
    for verdict in proved(zygotes["3"], "3", tmp_path, BEFORE, wrong).verdicts:
        assert verdict.status is VerdictStatus.DIFFERENT
        assert verdict.reason.startswith("call 1: output 0")


def test_a_variable_that_is_only_read_is_no_scratch_space(zygotes: dict[str, Zygote], tmp_path: Path) -> None:
    constant = READ.replace("tf.Variable(1.0)", "tf.constant(1.0)")
    for verdict in proved(zygotes["3"], "3", tmp_path, READ, constant).verdicts:
        assert verdict.status is VerdictStatus.DIFFERENT
