"""Properties of the rewritten version by itself: rewrites that break one come out DIFFERENT, their right twins do not."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from tfmigrate.claim import Claim
from tfmigrate.verify.arms import Proof, prove
from tfmigrate.verify.model import Case, Check, CodeTree, Mode, Settings
from tfmigrate.verify.observe import PropertyStatus, load, save
from tfmigrate.verify.properties import NO_REFERENCE
from tfmigrate.verify.prover import Remembering, Session
from tfmigrate.verify.recipes import CallSpec, DeclaredRecipe, Literal, Tensor
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.verdict import VerdictStatus

pytestmark = pytest.mark.tf

CLAIM = Claim(
    first_call_only=True,
    may_track_more=True,
    may_fix_graph=True,
    may_fix_eager=True,
    constant_weight_count=True,
    trains_and_saves=True,
)
HEAD = "import tensorflow as tf\nfrom tensorflow.keras import layers\n\n\nclass Box:\n    pass\n\n\n"
BOTH = ("3", "2")


@dataclass(frozen=True)
class Broken:
    name: str
    before: str
    right: str
    mistakes: tuple[tuple[str, str], ...]
    says: str
    """Part of the verdict's reason."""
    flavours: tuple[str, ...] = BOTH

    @property
    def wrong(self) -> str:
        text = self.right
        for old, new in self.mistakes:
            assert old in text, (self.name, old)
            text = text.replace(old, new)
        return text


LOCAL = """
class Net(layers.Layer):
    def call(self, x, training=False):
        return x + layers.Dense(4, activation="tanh")(x)
"""
IN_INIT = """
class Net(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(4, activation="tanh")
        self.steps = 0

    def call(self, x, training=False):
        return x + self.dense(x)
"""
MODEL = """
class Net(tf.keras.Model):
    def call(self, x, training=False):
        return x + layers.Dense(4, activation="tanh")(x)
"""
STEP = """
class Net(tf.keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(4, activation="tanh")

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(data[0], training=True) - data[1]) ** 2)
        moved = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, moved), moved))
        return {"error": loss}

    def call(self, x, training=False):
        return x + self.dense(x)
"""
SCALED = """
class Net(layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(4,), initializer="ones")
        super().build(shape)

    def call(self, x, training=False):
        return layers.Dense(4)(x) * self.scale
"""
SCALED_RIGHT = """
class Net(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(4)

    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(4,), initializer="ones")
        super().build(shape)

    def call(self, x, training=False):
        return self.dense(x) * self.scale
"""
COUNTING = (
    "return x + self.dense(x)",
    "self.steps += 1 if training else 0\n"
    "        return x + self.dense(x) * (1.0 + 0.1 * max(0, self.steps - 2))",
)
BOXED = (
    ("self.dense = ", "self.box = Box()\n        self.box.dense = "),
    ("self.dense(x)", "self.box.dense(x)"),
)
BROKEN = (
    Broken("fit differs as a graph", LOCAL, IN_INIT, (COUNTING,), "eagerly and"),
    Broken(
        "a layer is frozen",
        LOCAL,
        IN_INIT,
        (("self.steps = 0", "self.dense.trainable = False"),),
        "is False, in the original True",
    ),
    Broken(
        "a weight is left out of training",
        MODEL,
        STEP,
        (("moved = self.trainable_variables", "moved = self.trainable_variables[:1]"),),
        "and fit does not move it",
    ),
    Broken("a layer is hidden", LOCAL, IN_INIT, BOXED, "is used and not tracked"),
    Broken(
        "a layer is where Keras does not save",
        LOCAL,
        IN_INIT,
        (("self.dense", "self.supports_jit"),),
        "does not come back by save_weights",
        ("3",),
    ),
    Broken(
        "its configuration does not make it",
        LOCAL,
        IN_INIT,
        (("self, **kwargs", "self"), ("__init__(**kwargs)", "__init__()")),
        "from_config: from_config(get_config()) raises",
        ("3",),
    ),
    Broken(
        "its configuration makes another",
        MODEL,
        STEP,
        (
            ("**kwargs):", "units=4, **kwargs):"),
            ("Dense(4,", "Dense(units,"),
            (
                "    def train_step",
                "    def get_config(self):\n        return {'units': 1}\n\n    def train_step",
            ),
        ),
        "the weights have the shapes",
    ),
    Broken(
        "a weight is renamed",
        SCALED,
        SCALED_RIGHT,
        (("self.scale", "self.factor"),),
        "the original's weight scale is lost or renamed",
    ),
)
FLAVOURED = [(item, keras) for item in BROKEN for keras in item.flavours]
IDS = [f"{item.name}-{keras}" for item, keras in FLAVOURED]
NO_ATTRIBUTE = """
class Net(layers.Layer):
    def call(self, x, training=False):
        if self.dense is None:
            self.dense = layers.Dense(4, activation="tanh")
        return x + self.dense(x)
"""
CUT = IN_INIT.replace("self.dense(x)", "tf.stop_gradient(self.dense(x))")


def check(folder: Path, before: str, after: str, claim: Claim = CLAIM) -> Check:
    path = os.path.join(os.path.realpath(folder), "net.py")
    calls = tuple(CallSpec((Tensor((batch, 4)),)) for batch in (2, 3, 2))
    case = Case("net:Net", "", "test", False, DeclaredRecipe(calls=calls))
    trees = [
        CodeTree((str(folder),), {path: (HEAD + textwrap.dedent(text)).encode()}) for text in (before, after)
    ]
    return Check(case, trees[0], trees[1], claim)


class Proofs:
    """Two at a time, in one zygote for each flavour."""

    def __init__(self, zygotes: dict[str, Zygote], pool: ThreadPoolExecutor, folder: Path) -> None:
        self.zygotes, self._pool, self._folder = zygotes, pool, folder
        self._remembering = {keras: Remembering(zygote) for keras, zygote in zygotes.items()}
        self.started: dict[tuple[str, str, bool], Future[Proof]] = {}

    def start(self, keras: str, before: str, after: str, claim: Claim = CLAIM) -> Future[Proof]:
        """The runs of an original are shared by all its rewrites."""
        settings = Settings(keras=keras, modes=(Mode.EAGER, Mode.GRAPH))
        zygote = cast(Zygote, Session(self._remembering[keras]))  # prove() only submits.
        return self._pool.submit(prove, zygote, check(self._folder, before, after, claim), settings)


@pytest.fixture(scope="module")
def proofs(zygotes: dict[str, Zygote], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proofs]:
    with ThreadPoolExecutor(2) as pool:
        found = Proofs(zygotes, pool, tmp_path_factory.mktemp("properties"))
        for item, keras in FLAVOURED:
            for wrong, text in ((False, item.right), (True, item.wrong)):
                found.started[item.name, keras, wrong] = found.start(keras, item.before, text)
        yield found


@pytest.mark.parametrize(("item", "keras"), FLAVOURED, ids=IDS)
def test_broken_property_is_different(item: Broken, keras: str, proofs: Proofs) -> None:
    eager = proofs.started[item.name, keras, True].result().verdicts[0]
    assert (eager.status, eager.mode) == (VerdictStatus.DIFFERENT, Mode.EAGER), eager.reason
    told = (eager.reason, *(d.message for d in eager.differences))
    assert any(item.says in line for line in told), told


@pytest.mark.parametrize(("item", "keras"), FLAVOURED, ids=IDS)
def test_right_twin_is_fixed(item: Broken, keras: str, proofs: Proofs) -> None:
    proof = proofs.started[item.name, keras, False].result()
    for verdict in proof.verdicts:
        assert verdict.status is VerdictStatus.FIXED, (verdict.reason, verdict.differences[:3])
        assert verdict.notes == ()
    observation = proof.after[Mode.EAGER].observation
    assert observation is not None
    held = {(prop.name, prop.status) for prop in observation.properties}
    assert held == {(name, PropertyStatus.HELD) for name in ("fit", "save_weights", "from_config")}


def test_observation_with_properties_is_saved(proofs: Proofs, tmp_path: Path) -> None:
    observation = proofs.started["a weight is renamed", "3", False].result().after[Mode.EAGER].observation
    assert observation is not None
    save(observation, tmp_path / "saved.npz")
    again = load(tmp_path / "saved.npz")
    assert (again.properties, again.weight_paths) == (observation.properties, observation.weight_paths)
    assert again.weight_paths["scale"] == "float32 (4,)"


@pytest.mark.parametrize("keras", BOTH)
def test_original_that_never_runs(keras: str, proofs: Proofs) -> None:
    """Its exception is about an attribute that the rewritten version has: FIXED, by its properties alone."""
    started = [proofs.start(keras, NO_ATTRIBUTE, text) for text in (IN_INIT, CUT, BROKEN[0].wrong)]
    fixed, cut, diverges = (future.result().verdicts for future in started)
    for verdict in fixed:
        assert verdict.status is VerdictStatus.FIXED, (verdict.reason, verdict.evidence)
        assert "object has no attribute 'dense'" in verdict.reason
        assert NO_REFERENCE in verdict.evidence
    assert {verdict.status for verdict in cut} == {VerdictStatus.INCONCLUSIVE}
    assert "no gradient reaches" in cut[0].evidence[0]
    assert diverges[0].status is VerdictStatus.DIFFERENT


def test_original_that_fails_for_other_reasons(proofs: Proofs) -> None:
    other = NO_ATTRIBUTE.replace("if self.dense is None", "if self.no_such_thing is None")
    verdicts = proofs.start("3", other, IN_INIT).result().verdicts
    assert {verdict.status for verdict in verdicts} == {VerdictStatus.INCONCLUSIVE}
    assert "there is no reference" in verdicts[0].reason


UNUSUAL = """
class Net(layers.Layer):
    def call(self, inputs, scale=1.0, mask=None, training=False):
        x, ids = inputs["x"], inputs["ids"]
        return {"y": MAKE(x) * scale, "ids": ids + 1, "pair": (x, None)}
"""


@pytest.mark.parametrize("keras", BOTH)
def test_nested_inputs_and_outputs(keras: str, proofs: Proofs, tmp_path: Path) -> None:
    """What a model cannot be given goes into the wrapper; integers take no part."""
    init = "    def __init__(self, **kwargs):\n        super().__init__(**kwargs)\n        self.dense = layers.Dense(4)\n\n"
    before = UNUSUAL.replace("MAKE", "layers.Dense(4)")
    after = UNUSUAL.replace("MAKE", "self.dense").replace("    def call", init + "    def call")
    made = check(tmp_path, before, after)
    calls = tuple(
        CallSpec(({"x": Tensor((n, 4)), "ids": Tensor((3,), "int32")},), {"scale": Literal(0.5)})
        for n in (2, 3, 2)
    )
    case = Case("net:Net", "", "test", False, DeclaredRecipe(calls=calls))
    checked = Check(case, made.before, made.after, CLAIM)
    settings = Settings(keras=keras, modes=(Mode.EAGER,))
    proof = prove(proofs.zygotes[keras], checked, settings)
    assert [verdict.status for verdict in proof.verdicts] == [VerdictStatus.FIXED], proof.verdicts
    observation = proof.after[Mode.EAGER].observation
    assert observation is not None
    assert [prop.status for prop in observation.properties] == [
        PropertyStatus.HELD
    ] * 3, observation.properties
