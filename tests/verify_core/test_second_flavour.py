"""An original that does not run in one Keras flavour, and does in the other: there it is the reference."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest

from tfmigrate.claim import Claim
from tfmigrate.verify.arms import Proof, prove
from tfmigrate.verify.model import Case, Check, CodeTree, Mode, Settings
from tfmigrate.verify.prover import PRELOAD
from tfmigrate.verify.recipes import CallSpec, DeclaredRecipe, Tensor
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.second import OTHER, second_flavour
from tfmigrate.verify.verdict import VerdictStatus

pytestmark = pytest.mark.tf

CLAIM = Claim(
    first_call_only=True,
    may_track_more=True,
    may_fix_graph=True,
    may_fix_eager=True,
    constant_weight_count=True,
)
HEAD = "import tensorflow as tf\nfrom tensorflow.keras import layers\n\n"

IN_CALL = """
    class Net(layers.Layer):
        def call(self, x, training=False):
            w = self.add_weight("w", (4, 4))
            x = layers.LSTM(4, return_sequences=True)(tf.matmul(x, w))
            x = layers.Dense(3, activation="tanh")(layers.Dense(3)(x))
            return layers.BatchNormalization()(layers.Dropout(0.5)(x, training=training), training=training)
"""
RIGHT = """
    class Net(layers.Layer):
        def __init__(self):
            super().__init__()
            self.w = self.add_weight(name="w", shape=(4, 4))
            self.lstm = layers.LSTM(4, return_sequences=True)
            self.dense = layers.Dense(3)
            self.dense_1 = layers.Dense(3, activation="tanh")
            self.dropout = layers.Dropout(0.5)
            self.norm = layers.BatchNormalization()
        def call(self, x, training=False):
            x = self.lstm(tf.matmul(x, self.w))
            x = self.dense_1(self.dense(x))
            return self.norm(self.dropout(x, training=training), training=training)
"""
WRONG = RIGHT.replace('activation="tanh"', 'activation="relu"')
EARLY = """
    class Net(tf.keras.Model):
        def __init__(self):
            self.dense = layers.Dense(3)
            super().__init__()
        def call(self, x):
            return self.dense(x)
"""
FIRST = EARLY.replace("            super().__init__()\n", "").replace(
    "            self.dense =", "            super().__init__()\n            self.dense ="
)
FLAVOUR = """
    class Net(layers.Layer):
        def call(self, x):
            w = self.add_weight("w", (4, 4))
            return tf.matmul(x, w) + (0.0 if hasattr(tf.keras, "Variable") else 1.0)
"""
FLAVOUR_AFTER = """
    class Net(layers.Layer):
        def __init__(self):
            super().__init__()
            self.w = self.add_weight(name="w", shape=(4, 4))
        def call(self, x):
            return tf.matmul(x, self.w) + (0.0 if hasattr(tf.keras, "Variable") else 1.0)
"""


def proved(zygotes: dict[str, Zygote], keras: str, folder: Path, before: str, after: str) -> Proof:
    path = os.path.join(os.path.realpath(folder), "net.py")
    trees = [CodeTree((str(folder),), {path: (HEAD + textwrap.dedent(t)).encode()}) for t in (before, after)]
    calls = tuple(CallSpec((Tensor((batch, 5, 4)),)) for batch in (2, 3, 2))
    case = Case("net:Net", "", "test", False, DeclaredRecipe(calls=calls))
    settings = Settings(keras=keras, modes=(Mode.EAGER, Mode.GRAPH))
    with second_flavour(settings, PRELOAD, zygotes[OTHER[keras]]) as second:
        return prove(zygotes[keras], Check(case, trees[0], trees[1], CLAIM), settings, second)


def test_keras_2_is_the_reference_for_keras_3(zygotes: dict[str, Zygote], tmp_path: Path) -> None:
    for verdict in proved(zygotes, "3", tmp_path, IN_CALL, RIGHT).verdicts:
        assert verdict.status is VerdictStatus.FIXED, (verdict.reason, verdict.differences[:3])
        assert "raises ValueError eagerly: `name` must be passed as a keyword argument" in verdict.reason
        assert "agrees with the original's eager run with Keras 2 (tf_keras)" in verdict.evidence[1]
        assert {"output 0", "gradient of Net/w"} <= {item.item for item in verdict.comparisons}


def test_a_wrong_rewrite_is_different_from_the_other_flavour(
    zygotes: dict[str, Zygote], tmp_path: Path
) -> None:
    for verdict in proved(zygotes, "3", tmp_path, IN_CALL, WRONG).verdicts:
        assert verdict.status is VerdictStatus.DIFFERENT
        assert (
            "differs from the original's eager run with Keras 2 (tf_keras): call 1: output 0"
            in verdict.reason
        )


def test_keras_3_is_the_reference_for_keras_2(zygotes: dict[str, Zygote], tmp_path: Path) -> None:
    for verdict in proved(zygotes, "2", tmp_path, EARLY, FIRST).verdicts:
        assert verdict.status is VerdictStatus.FIXED, (verdict.reason, verdict.differences[:3])
        assert "the original's eager run raised RuntimeError" in verdict.reason
        assert "agrees with the original's eager run with Keras 3 (bitwise)" in verdict.evidence[1]


def test_what_the_flavours_do_differently_is_no_difference(
    zygotes: dict[str, Zygote], tmp_path: Path
) -> None:
    for verdict in proved(zygotes, "3", tmp_path, FLAVOUR, FLAVOUR_AFTER).verdicts:
        assert verdict.status is VerdictStatus.INCONCLUSIVE
        assert "there is no reference" in verdict.reason
        assert "the Keras flavours differ" in verdict.evidence[-1]


def test_a_flavour_that_cannot_be_started_is_said(zygotes: dict[str, Zygote], tmp_path: Path) -> None:
    settings = Settings(keras="3", modes=(Mode.EAGER,))
    path = os.path.join(os.path.realpath(tmp_path), "net.py")
    before = RIGHT.replace("            self.dense = layers.Dense(3)\n", "")
    trees = [
        CodeTree((str(tmp_path),), {path: (HEAD + textwrap.dedent(t)).encode()}) for t in (before, RIGHT)
    ]
    case = Case("net:Net", "", "test", False, DeclaredRecipe(calls=(CallSpec((Tensor((2, 5, 4)),)),)))
    with second_flavour(settings, ("no_such_module",)) as second:
        proof = prove(zygotes["3"], Check(case, trees[0], trees[1], CLAIM), settings, second)
    (verdict,) = proof.verdicts
    assert verdict.status is VerdictStatus.FIXED
    assert (
        "no reference: only properties were checked; Keras 2 (tf_keras) is not there to run it"
        in verdict.evidence[1]
    )
