"""Forms of original and rewritten code, and what the verifier makes of them."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tfmigrate.claim import Claim
from tfmigrate.verify.arms import Proof, prove
from tfmigrate.verify.model import RUNNING, Case, Check, CodeTree, Mode, Settings
from tfmigrate.verify.observe import load, save
from tfmigrate.verify.recipes import CallSpec, DeclaredRecipe, FunctionRecipe, Tensor
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.verdict import Verdict, VerdictStatus

pytestmark = pytest.mark.tf

CLAIM = Claim(
    first_call_only=True,
    may_track_more=True,
    may_fix_graph=True,
    may_fix_eager=True,
    constant_weight_count=True,
)
HEAD = "import tensorflow as tf\nfrom tensorflow.keras import layers\nimport os\n\n"


class Prover:
    def __init__(self, zygotes: dict[str, Zygote], folder: Path) -> None:
        self.zygotes = zygotes
        self.folder = folder

    def __call__(
        self,
        keras: str,
        before: str,
        after: str,
        *,
        claim: Claim = CLAIM,
        shape: tuple[int, ...] = (4,),
        symbol: str = "Net",
        modes: tuple[Mode, ...] = (Mode.EAGER, Mode.GRAPH),
        changed: frozenset[int] = frozenset(),
        batches: tuple[int, ...] = (2, 3, 2),
        method: str = "",
        dtype: str = "float32",
        **settings: Any,
    ) -> Proof:
        path = os.path.join(os.path.realpath(self.folder), "net.py")
        trees = [
            CodeTree((str(self.folder),), {path: (HEAD + textwrap.dedent(t)).encode()})
            for t in (before, after)
        ]
        calls = tuple(CallSpec((Tensor((batch, *shape), dtype),)) for batch in batches)
        case = Case(f"net:{symbol}", "", "test", False, DeclaredRecipe(calls=calls, method=method))
        check = Check(case, trees[0], trees[1], claim, {}, {path: changed} if changed else {})
        return prove(self.zygotes[keras], check, Settings(keras=keras, modes=modes, **settings))


@pytest.fixture()
def proved(zygotes: dict[str, Zygote], tmp_path: Path) -> Prover:
    return Prover(zygotes, tmp_path)


def found(proof: Proof) -> list[VerdictStatus]:
    return [verdict.status for verdict in proof.verdicts]


def reasons(proof: Proof) -> list[tuple[str, list[str]]]:
    return [
        (verdict.reason, [item.message for item in verdict.differences[:4]]) for verdict in proof.verdicts
    ]


FIXED = VerdictStatus.FIXED
SAME = VerdictStatus.SAME

LOCAL = """
    class Net(layers.Layer):
        def call(self, x, training=False):
            return layers.Dense(3)(x)
"""
IN_INIT = """
    class Net(layers.Layer):
        def __init__(self):
            super().__init__()
            self.dense = layers.Dense(3)
        def call(self, x, training=False):
            return self.dense(x)
"""
IN_BUILD = """
    class Net(layers.Layer):
        def build(self, input_shape):
            self.dense = layers.Dense(3)
            self.dense.build(input_shape)
            super().build(input_shape)
        def call(self, x, training=False):
            return self.dense(x)
"""
LAZY = """
    class Net(layers.Layer):
        def __init__(self):
            super().__init__()
            self.dense = None
        def call(self, x, training=False):
            if self.dense is None:
                self.dense = layers.Dense(3)
            return self.dense(x)
"""


@pytest.mark.parametrize("keras", ["3", "2"])
def test_all_modes(proved: Prover, keras: str, tmp_path: Path) -> None:
    proof = proved(keras, LOCAL, IN_INIT, modes=RUNNING)
    assert found(proof) == [FIXED, FIXED, FIXED], reasons(proof)
    assert proof.verdicts[0].how == "bitwise"
    assert "singleton tf.Variables" in proof.verdicts[1].reason
    observation = proof.after[Mode.GRAPH].observation
    assert observation is not None
    save(observation, tmp_path / "saved.npz")
    again = load(tmp_path / "saved.npz")
    assert [stage.name for stage in again.stages] == [stage.name for stage in observation.stages]
    assert again.variables == observation.variables and again.paths == observation.paths
    for one, two in zip(again.stages, observation.stages, strict=True):
        assert [leaf.array.tobytes() for leaf in one.leaves] == [leaf.array.tobytes() for leaf in two.leaves]
        assert one.structure == two.structure and one.gradients.keys() == two.gradients.keys()


@pytest.mark.parametrize("keras", ["3", "2"])
def test_layer_made_in_build(proved: Prover, keras: str) -> None:
    """Its variables are made inside the first trace, before the layer has its name."""
    proof = proved(keras, LOCAL, IN_BUILD)
    assert found(proof) == [FIXED, FIXED], reasons(proof)


@pytest.mark.parametrize("keras", ["3", "2"])
def test_lazy_layer(proved: Prover, keras: str) -> None:
    """Keras 3 locks the layer: the reference is run with the lock lifted, and the verdict says what really happens."""
    proof = proved(keras, LAZY, IN_INIT)
    assert found(proof) == ([FIXED, FIXED] if keras == "3" else [SAME, SAME]), reasons(proof)
    assert proof.before[Mode.EAGER].lock_lifted == (keras == "3")
    if keras == "3":
        assert "You cannot add new elements of state" in proof.verdicts[0].reason


NESTED = """
    class Block(layers.Layer):
        def __init__(self, units):
            super().__init__()
            self.one = layers.Dense(units, activation="tanh")
            self.two = layers.Dense(units)
        def call(self, x):
            return self.two(self.one(x))

    class Net(layers.Layer):
"""


@pytest.mark.parametrize("keras", ["3", "2"])
@pytest.mark.parametrize(
    ("make", "shape"),
    [
        ("Block(4)", (4,)),
        ("layers.LSTM(3)", (5, 4)),
        ("layers.Bidirectional(layers.GRU(3, return_sequences=True))", (5, 4)),
        ("layers.TimeDistributed(layers.Dense(3))", (5, 4)),
        ("layers.BatchNormalization()", (4,)),
        ("layers.SeparableConv1D(3, 2)", (5, 4)),
        ("layers.GaussianNoise(0.5)", (4,)),
        ("tf.keras.Sequential([layers.Dense(4), layers.Dropout(0.3), layers.Dense(4)])", (4,)),
        ("layers.RNN([layers.LSTMCell(3), layers.GRUCell(2)])", (5, 4)),
        ("layers.PReLU()", (4,)),
    ],
    ids=["composite", "lstm", "bidirectional", "time", "norm", "conv", "noise", "sequential", "rnn", "prelu"],
)
def test_kinds_of_layers(proved: Prover, keras: str, make: str, shape: tuple[int, ...]) -> None:
    call = "        def call(self, x, training=False):\n            return {}(x, training=training) + 0.0\n"
    if make.startswith(("Block", "layers.TimeD", "layers.Sep", "layers.PReLU")):
        call = call.replace(", training=training)", ")")
    init = f"        def __init__(self):\n            super().__init__()\n            self.made = {make}\n"
    proof = proved(keras, NESTED + call.format(make), NESTED + init + call.format("self.made"), shape=shape)
    allowed = {FIXED} if "Noise" not in make else {FIXED, SAME}
    assert set(found(proof)) <= allowed, reasons(proof)


@pytest.mark.parametrize("keras", ["3", "2"])
def test_attention_with_two_inputs(proved: Prover, keras: str) -> None:
    before = """
        class Net(tf.keras.Model):
            def call(self, x, training=False):
                y = layers.MultiHeadAttention(2, 3)(x, x, training=training)
                y = layers.Dropout(0.5)(y, training=training)
                return layers.LayerNormalization()(x + y)
    """
    after = """
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.norm = layers.LayerNormalization()
                self.dropout = layers.Dropout(0.5)
                self.attention = layers.MultiHeadAttention(2, 3)
            def call(self, x, training=False):
                y = self.attention(x, x, training=training)
                y = self.dropout(y, training=training)
                return self.norm(x + y)
    """
    proof = proved(keras, before, after, shape=(5, 4))
    assert found(proof) == [FIXED, FIXED], reasons(proof)


@pytest.mark.parametrize("keras", ["2", "3"])
def test_draws_of_a_size_that_only_the_eager_run_knows(proved: Prover, keras: str) -> None:
    body = """
        class Net(layers.Layer):
            def __init__(self):
                super().__init__()
                self.dense, self.dropout = layers.Dense(4), layers.Dropout(0.4)
            def call(self, x, training=False):
                x = self.dense(x)
                x = tf.boolean_mask(x, x[:, 0] > -100.0)
                x = tf.nn.dropout(x, 0.5)
                picked = tf.random.categorical(x[:1], 3)
                return DROP(x, training=True), picked, tf.random.shuffle(x[:2, 0])
    """
    before = body.replace("DROP", "layers.Dropout(0.4)")
    proof = proved(keras, before, body.replace("DROP", "self.dropout"))
    assert found(proof) == [SAME, SAME if keras == "2" else FIXED], reasons(proof)


@pytest.mark.parametrize("keras", ["2", "3"])
def test_variable_that_becomes_a_weight(proved: Prover, keras: str) -> None:
    """It is one weight, whether TensorFlow or Keras makes it."""
    body = """
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = layers.Dense(4)
                SINGLE
                SEVERAL
            def call(self, x, training=False):
                return self.dense(x) * self.scale + self.b[0] - 2.0 * self.b[1]
    """
    single = "self.scale = tf.Variable(tf.ones(4))"
    several = "self.b = [tf.Variable(tf.zeros(1)) for _ in range(2)]"
    made = "self.scale = self.add_weight(name='scale', shape=(4,), initializer='ones')"
    others = "self.b = [self.add_weight(shape=(1,), initializer='zeros') for _ in range(2)]"
    before = body.replace("SINGLE", single).replace("SEVERAL", several)
    proof = proved(keras, before, body.replace("SINGLE", made).replace("SEVERAL", others))
    assert found(proof) == ([SAME, SAME] if keras == "2" else [FIXED, FIXED]), reasons(proof)


@pytest.mark.parametrize("keras", ["2", "3"])
def test_counter_goes_on_in_calls_that_xla_leaves_out(proved: Prover, keras: str) -> None:
    """Another batch size is not compiled, but what a call leaves behind counts in the next."""
    text = """
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = layers.Dense(3)
                self.calls = tf.Variable(0.0, trainable=False)
            def call(self, x, training=False):
                self.calls.assign_add(1.0)
                return self.dense(x) * self.calls
    """
    modes = (Mode.EAGER, Mode.XLA)
    proof = proved(keras, text, text + "\n", claim=Claim(), modes=modes)
    assert found(proof) == [SAME, SAME], reasons(proof)
    wrong = text.replace("assign_add(1.0)", "assign_add(tf.cast(tf.shape(x)[0], tf.float32) - 1.0)")
    proof = proved(keras, text, wrong, claim=Claim(), modes=modes)
    assert found(proof) == [VerdictStatus.DIFFERENT] * 2, reasons(proof)


def test_tensor_given_twice(zygotes: dict[str, Zygote], tmp_path: Path) -> None:
    """Its gradients are two in a tf.function: they are not summed in the eager run either."""
    cases = tmp_path / "tfmigrate_cases.py"
    cases.write_text(
        "import tensorflow as tf\n\n\ndef twice(module):\n    x = tf.random.normal([2, 4])\n"
        "    return module.Net(), [([x, x],), ([x + 1.0, x],)]\n"
    )
    net = """
        class Net(layers.Layer):
            def __init__(self):
                super().__init__()
                self.dense = layers.Dense(4)
            def call(self, inputs):
                return self.dense(inputs[0]) * inputs[1]
    """
    path = os.path.join(os.path.realpath(tmp_path), "net.py")
    tree = CodeTree((str(tmp_path),), {path: (HEAD + textwrap.dedent(net)).encode()})
    case = Case("net:Net", "twice", "test", False, FunctionRecipe(str(cases), "twice", "net"))
    settings = Settings(keras="3", modes=(Mode.EAGER, Mode.GRAPH))
    proof = prove(zygotes["3"], Check(case, tree, tree, CLAIM, {}), settings)
    assert found(proof) == [SAME, SAME], reasons(proof)


def test_function_and_module(proved: Prover) -> None:
    """What is not a layer: a function over module-level layers, and a tf.Module."""
    function = "dense = layers.Dense(3)\n@tf.function\ndef step(x):\n"
    function += "    return tf.nn.relu(dense(x)) + tf.random.normal([3])\n"
    proof = proved("3", function, function + "\n", symbol="step", claim=Claim())
    assert found(proof) == [SAME, SAME], reasons(proof)
    module = """
        class Net(tf.Module):
            def __init__(self):
                self.w = tf.Variable(tf.random.normal([4, 2]))
                self.b = tf.Variable(tf.zeros([2]))
            def run(self, x):
                return x @ self.w + self.b
    """
    proof = proved("3", module, module.replace(" + self.b", ""), method="run", claim=Claim())
    assert found(proof) == [VerdictStatus.DIFFERENT] * 2
    proof = proved("3", module, module, method="run", claim=Claim())
    assert found(proof) == [SAME, SAME], reasons(proof)


def test_lines_that_never_ran(proved: Prover) -> None:
    text = IN_INIT.replace(
        "return self.dense(x)",
        "if x.shape[0] == 17:\n                x = x + 1\n            return self.dense(x)",
    )
    line = (HEAD + textwrap.dedent(text)).splitlines().index("            x = x + 1") + 1
    assert set(found(proved("3", LOCAL, text, changed=frozenset({line})))) == {VerdictStatus.INERT}
    assert set(found(proved("3", LOCAL, text, changed=frozenset({line, line + 1})))) == {FIXED}


def test_constant_output_proves_nothing(proved: Prover) -> None:
    text = "class Net(layers.Layer):\n    def call(self, x):\n        return tf.zeros_like(x)\n"
    proof = proved("3", text, text + "\n")
    assert set(found(proof)) == {VerdictStatus.INCONCLUSIVE}
    assert "constant" in proof.verdicts[0].reason


def test_original_that_differs_from_itself(proved: Prover) -> None:
    text = "class Net(layers.Layer):\n    def call(self, x):\n        return x + float(os.urandom(1)[0])\n"
    proof = proved("3", text, text + "\n")
    assert found(proof)[0] is VerdictStatus.INCONCLUSIVE
    assert "not deterministic" in proof.verdicts[0].reason


def test_constructor_that_raises(proved: Prover) -> None:
    wrong = IN_INIT.replace("super().__init__()", "super().__init__()\n            raise OSError('full')")
    proof = proved("3", LOCAL, wrong)
    assert set(found(proof)) == {VerdictStatus.DIFFERENT}
    assert "raised OSError: full" in proof.verdicts[0].reason
    proof = proved("3", wrong, wrong)
    assert set(found(proof)) == {VerdictStatus.INCONCLUSIVE}


def test_verdict_has_no_truth_value() -> None:
    with pytest.raises(TypeError):
        bool(Verdict(SAME, Mode.EAGER, "CPU", ""))
