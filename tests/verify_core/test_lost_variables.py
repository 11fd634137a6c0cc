"""Variables with names that a call makes and loses, of an optimizer that it makes, and of a module's other functions."""

from __future__ import annotations

import os
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tfmigrate.claim import Claim
from tfmigrate.verify.arms import prove
from tfmigrate.verify.model import Case, Check, CodeTree, Mode, Settings
from tfmigrate.verify.recipes import CallSpec, DeclaredRecipe, Tensor
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.verdict import VerdictStatus

pytestmark = pytest.mark.tf

HEAD = "import tensorflow as tf\nfrom tensorflow.keras import layers, metrics, optimizers\n\n"
CLAIM = Claim(first_call_only=True, may_track_more=True, may_fix_graph=True, constant_weight_count=True)


@dataclass(frozen=True)
class Rewrite:
    """``wrong`` is what to replace in ``after`` for a lie."""

    symbol: str
    before: str
    after: str
    wrong: tuple[str, str]
    found: str
    """In the reason for the lie."""


LOST = Rewrite(
    "net:Net",
    """
    class Net(layers.Layer):
        def call(self, x):
            scale = tf.Variable(tf.ones([4]), name="scale")
            shift = tf.Variable(tf.zeros([4]), name="shift")
            return scale * x + shift
    """,
    """
    class Net(layers.Layer):
        def build(self, shape):
            self.scale = self.add_weight(name="scale", shape=(4,), initializer="ones")
            self.shift = self.add_weight(name="shift", shape=(4,), initializer="zeros")
            super().build(shape)
        def call(self, x):
            return self.scale * x + self.shift
    """,
    ("self.scale * x + self.shift", "self.shift * x + self.scale"),
    "call 1: output 0",
)
WITHOUT_NAMES = replace(LOST, before=LOST.before.replace(', name="scale"', "").replace(', name="shift"', ""))
STARTS = Rewrite(
    "net:Net",
    """
    class Net(layers.Layer):
        def __init__(self):
            super().__init__()
            self.mean = tf.Variable(tf.zeros([4]), trainable=False, name="mean")
        def call(self, x):
            return x - self.mean
    """,
    """
    class Net(layers.Layer):
        def __init__(self):
            super().__init__()
            self.mean = self.add_weight(name="mean", shape=[4], initializer="zeros", trainable=False)
        def call(self, x):
            return x - self.mean
    """,
    ('"zeros"', '"ones"'),
    "call 1: output 0",
)
RATE = Rewrite(
    "net:Net",
    """
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(tf.ones([4]))
        @tf.function
        def __call__(self, x):
            sgd = optimizers.SGD(0.05)
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(self.w * x)
            sgd.apply_gradients([(tape.gradient(loss, self.w), self.w)])
            return loss
    """,
    """
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(tf.ones([4]))
        @tf.function
        def __call__(self, x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(self.w * x)
            self.w.assign_sub(0.05 * tape.gradient(loss, self.w))
            return loss
    """,
    ("0.05", "0.06"),
    "value of Net",
)
OTHERS = Rewrite(
    "net:double",
    """
    @tf.function
    def double(x):
        return 2.0 * x

    @tf.function
    def error(x):
        mse = metrics.MeanSquaredError()
        mse.update_state(x, 0.0 * x)
        return mse.result()
    """,
    """
    offset = tf.Variable(0.0)
    mse = metrics.MeanSquaredError()

    @tf.function
    def double(x):
        return 2.0 * x

    @tf.function
    def error(x):
        mse.reset_state()
        mse.update_state(x, 0.0 * x)
        return mse.result() + offset
    """,
    ("2.0 * x", "2.0 * x + offset"),
    "call 1: output 0",
)


def verdicts(
    zygote: Zygote, folder: Path, rewrite: Rewrite, after: str
) -> dict[Mode, tuple[VerdictStatus, str]]:
    path = os.path.join(os.path.realpath(folder), "net.py")
    texts = [HEAD + textwrap.dedent(text) for text in (rewrite.before, after)]
    trees = [CodeTree((str(folder),), {path: text.encode()}) for text in texts]
    calls = tuple(CallSpec((Tensor((batch, 4)),)) for batch in (2, 3, 2))
    case = Case(rewrite.symbol, "", "test", False, DeclaredRecipe(calls=calls))
    settings = Settings(keras="3", modes=(Mode.EAGER, Mode.GRAPH))
    proof = prove(zygote, Check(case, trees[0], trees[1], CLAIM), settings)
    return {verdict.mode: (verdict.status, verdict.reason) for verdict in proof.verdicts}


@pytest.mark.parametrize(
    "rewrite",
    [LOST, WITHOUT_NAMES, STARTS, RATE, OTHERS],
    ids=["lost", "without names", "starts", "rate", "others"],
)
def test_the_right_rewrite_is_proved_and_the_lie_is_found(
    zygotes: dict[str, Zygote], tmp_path: Path, rewrite: Rewrite
) -> None:
    proved = {VerdictStatus.SAME, VerdictStatus.FIXED}
    right = verdicts(zygotes["3"], tmp_path, rewrite, rewrite.after)
    assert {status for status, _ in right.values()} <= proved, right
    assert rewrite.wrong[0] in rewrite.after
    wrong = verdicts(zygotes["3"], tmp_path, rewrite, rewrite.after.replace(*rewrite.wrong))
    assert {status for status, _ in wrong.values()} == {VerdictStatus.DIFFERENT}, wrong
    assert rewrite.found in wrong[Mode.EAGER][1]


def test_what_the_original_does_not_track_either_is_not_the_rewrites_fault(
    zygotes: dict[str, Zygote], tmp_path: Path
) -> None:
    kept = STARTS.before.replace("tf.zeros([4]), trainable=False", "tf.zeros([4])")
    moved = kept.replace("return x - self.mean", "return -(self.mean - x)")
    rewrite = Rewrite(STARTS.symbol, kept, moved, ("", ""), "")
    assert {s for s, _ in verdicts(zygotes["3"], tmp_path, rewrite, moved).values()} == {VerdictStatus.SAME}
