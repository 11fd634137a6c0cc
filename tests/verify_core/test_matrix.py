"""Everywhere a model runs: Keras's training, an exported model, other precisions, replicas."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_arms import IN_INIT, LAZY, LOCAL, Prover, found, reasons

from tfmigrate.claim import Claim
from tfmigrate.verify.model import Mode, Precision, Strategy
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.verdict import VerdictStatus

pytestmark = pytest.mark.tf

SAME, FIXED, DIFFERENT, INERT, INCONCLUSIVE = VerdictStatus
FIT, EXPORT = (Mode.FIT,), (Mode.EXPORT,)

MODEL = """
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.norm = layers.BatchNormalization()
            self.dense = layers.Dense(3)
            self.dropout = layers.Dropout(0.3)
        def call(self, x, training=False):
            return self.dropout(self.dense(self.norm(x, training=training)), training=training)
"""


@pytest.fixture()
def proved(zygotes: dict[str, Zygote], tmp_path: Path) -> Prover:
    return Prover(zygotes, tmp_path)


@pytest.mark.parametrize("keras", ["3", "2"])
class TestFit:
    def test_the_same_training(self, proved: Prover, keras: str) -> None:
        proof = proved(keras, MODEL, MODEL + "\n", claim=Claim(), modes=FIT)
        assert found(proof) == [SAME], reasons(proof)
        observation = proof.after[Mode.FIT].observation
        assert observation is not None
        assert [stage.name for stage in observation.stages] == ["fit 1", "fit 2", "fit 3", "call after fit"]
        losses = [float(stage.leaves[0].array) for stage in observation.stages[:3]]
        assert losses[0] > losses[1] > losses[2] > 0.0

    def test_layers_made_in_the_call_are_not_trained(self, proved: Prover, keras: str) -> None:
        proof = proved(keras, LOCAL, IN_INIT, modes=FIT)
        assert found(proof) == [FIXED], reasons(proof)

    def test_lazy_layer(self, proved: Prover, keras: str) -> None:
        proof = proved(keras, LAZY, IN_INIT, modes=FIT)
        assert found(proof) == [FIXED if keras == "3" else SAME], reasons(proof)

    def test_a_weight_that_does_not_train_any_more(self, proved: Prover, keras: str) -> None:
        wrong = MODEL.replace("layers.Dense(3)", "layers.Dense(3)\n            self.dense.trainable = False")
        proof = proved(keras, MODEL, wrong, claim=Claim(), modes=FIT)
        assert found(proof) == [DIFFERENT], reasons(proof)

    def test_a_train_step_of_its_own(self, proved: Prover, keras: str) -> None:
        own = """
            def train_step(self, data):
                x, y = data
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
                    loss = loss * FACTOR
                gradients = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
                return {"loss": loss}
        """
        text = MODEL + own.replace("\n    ", "\n").rstrip() + "\n"
        one, two = text.replace("FACTOR", "1.0"), text.replace("FACTOR", "2.0")
        assert found(proved(keras, one, one + "\n", claim=Claim(), modes=FIT)) == [SAME]
        proof = proved(keras, one, two, claim=Claim(), modes=FIT)
        assert found(proof) == [DIFFERENT], reasons(proof)
        assert "fit 1: " in proof.verdicts[0].reason

    def test_what_cannot_be_trained_is_skipped_with_the_reason(self, proved: Prover, keras: str) -> None:
        function = "def net(x):\n    return x * 2.0\n"
        proof = proved(keras, function, function + "\n", symbol="net", claim=Claim(), modes=FIT)
        (verdict,) = proof.verdicts
        assert (verdict.status, verdict.skipped) == (INCONCLUSIVE, True)
        assert verdict.reason == "it is not a layer or a model that is called as a whole"


@pytest.mark.parametrize("keras", ["3", "2"])
class TestExport:
    def test_what_is_loaded_gives_the_same(self, proved: Prover, keras: str) -> None:
        proof = proved(keras, MODEL, MODEL + "\n", claim=Claim(), modes=EXPORT)
        assert found(proof) == [SAME], reasons(proof)
        observation = proof.after[Mode.EXPORT].observation
        assert observation is not None and [stage.name for stage in observation.stages] == [
            "call 1",
            "call 2",
            "call 3",
            "call 4",
        ]

    def test_layers_made_in_the_call_cannot_be_saved(self, proved: Prover, keras: str) -> None:
        proof = proved(keras, LOCAL, IN_INIT, modes=EXPORT)
        assert found(proof) == [FIXED], reasons(proof)

    def test_a_variable_that_nothing_tracks_cannot_be_saved(self, proved: Prover, keras: str) -> None:
        hidden = """
            class Hidden:
                def __init__(self):
                    self.scale = tf.Variable(2.0)
            class Net(tf.keras.Model):
                def __init__(self):
                    super().__init__()
                    self.dense = layers.Dense(3)
                    self.hidden = Hidden()
                def call(self, x, training=False):
                    return self.dense(x) * self.hidden.scale
        """
        shown = hidden.replace("class Hidden:", "class Hidden(tf.Module):")
        proof = proved(keras, shown, hidden, claim=Claim(), modes=EXPORT)
        assert found(proof) == [DIFFERENT], reasons(proof)
        assert "a SavedModel cannot hold Variable, which a call uses" in proof.verdicts[0].reason

    def test_state_goes_on_from_call_to_call(self, proved: Prover, keras: str) -> None:
        text = """
            class Net(tf.Module):
                def __init__(self):
                    self.calls = tf.Variable(1.0)
                def __call__(self, x):
                    self.calls.assign_add(1.0)
                    return {"scaled": x * self.calls, "pair": (x, [x + 1.0])}
        """
        proof = proved(keras, text, text + "\n", claim=Claim(), modes=EXPORT)
        assert found(proof) == [SAME], reasons(proof)
        wrong = text.replace("x * self.calls,", "x * tf.round(self.calls),")
        assert found(proved(keras, text, wrong, claim=Claim(), modes=EXPORT)) == [DIFFERENT]

    def test_a_function_takes_its_variables_along(self, proved: Prover, keras: str) -> None:
        function = "dense = layers.Dense(3)\n@tf.function\ndef step(x):\n    return tf.nn.relu(dense(x))\n"
        proof = proved(keras, function, function + "\n", symbol="step", claim=Claim(), modes=EXPORT)
        assert found(proof) == [SAME], reasons(proof)


@pytest.mark.parametrize("keras", ["3", "2"])
@pytest.mark.parametrize("precision", [p for p in Precision if p is not Precision.FLOAT32])
class TestPrecision:
    def test_all_modes(self, proved: Prover, keras: str, precision: Precision) -> None:
        proof = proved(keras, MODEL, MODEL + "\n", claim=Claim(), modes=tuple(Mode), precision=precision)
        assert found(proof) == [SAME] * 5, reasons(proof)
        assert {verdict.precision for verdict in proof.verdicts} == {precision}
        observation = proof.after[Mode.GRAPH].observation
        assert observation is not None
        expected = precision.value.removeprefix("mixed_")
        assert observation.stages[0].leaves[0].dtype == expected

    def test_an_error_beyond_rounding_shows(self, proved: Prover, keras: str, precision: Precision) -> None:
        wrong = MODEL.replace("training=training)), training", "training=training)) * 1.25, training")
        proof = proved(keras, MODEL, wrong, claim=Claim(), precision=precision)
        assert set(found(proof)) == {DIFFERENT}, reasons(proof)


def test_precision_says_nothing_to_code_without_keras(proved: Prover) -> None:
    function = "def net(x):\n    return x * 2.0\n"
    proof = proved("3", function, function + "\n", symbol="net", claim=Claim(), precision=Precision.FLOAT64)
    assert [(v.status, v.skipped) for v in proof.verdicts] == [(INCONCLUSIVE, True)] * 2
    assert "dtype policy" in proof.verdicts[0].reason


@pytest.mark.parametrize("keras", ["3", "2"])
class TestMirrored:
    def test_two_replicas(self, proved: Prover, keras: str) -> None:
        modes = tuple(Mode)
        proof = proved(keras, MODEL, MODEL + "\n", claim=Claim(), modes=modes, strategy=Strategy.MIRRORED)
        by_mode = {verdict.mode: verdict for verdict in proof.verdicts}
        assert [by_mode[m].status for m in (Mode.EAGER, Mode.GRAPH, Mode.FIT)] == [SAME] * 3, reasons(proof)
        assert [by_mode[m].skipped for m in Mode] == [False, False, True, False, True]

    def test_layers_made_in_the_call(self, proved: Prover, keras: str) -> None:
        modes = (Mode.EAGER, Mode.GRAPH, Mode.FIT)
        proof = proved(keras, LOCAL, IN_INIT, modes=modes, strategy=Strategy.MIRRORED)
        assert set(found(proof)) == {FIXED}, reasons(proof)

    def test_another_result_for_one_replica(self, proved: Prover, keras: str) -> None:
        wrong = MODEL.replace(
            "return self.dropout(",
            "x = x + tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, x.dtype)\n"
            "            return self.dropout(",
        )
        proof = proved(keras, MODEL, wrong, claim=Claim(), modes=(Mode.GRAPH,), strategy=Strategy.MIRRORED)
        assert found(proof) == [DIFFERENT], reasons(proof)
        assert "replica 1 gives another result" in proof.verdicts[0].reason
