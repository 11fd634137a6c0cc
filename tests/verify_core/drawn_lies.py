"""Draws rewritten wrongly, each beside the right rewrite: the verifier must tell them apart.

Each is a whole module with ``Net`` or ``step`` in it; the original draws with Python or NumPy. ``wrong`` is the right text
with one thing replaced, and ``reason`` is what shows it.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD = "import random\n\nimport numpy as np\nimport tensorflow as tf\n\n\n"


@dataclass(frozen=True)
class DrawnLie:
    name: str
    symbol: str
    before: str
    right: str
    wrong: str
    method: str = ""
    xla: bool = False


def lie(
    name: str,
    frame: str,
    before: str,
    after: str,
    mistake: tuple[str, str],
    symbol: str = "net:Net",
    method: str = "",
    xla: bool = False,
) -> DrawnLie:
    """``frame`` holds the text around both bodies, with ``BODY`` where they go."""
    texts = [HEAD + frame.replace("BODY", body) for body in (before, after)]
    wrong = texts[1].replace(*mistake)
    assert wrong != texts[1], name
    return DrawnLie(name, symbol, texts[0], texts[1], wrong, method, xla)


LAYER = """\
class Net(tf.keras.layers.Layer):
    def call(self, x, training=None):
        BODY
"""
FUNCTION = """\
@tf.function
def step(x):
    BODY
"""
TRAINED = """\
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)

    def call(self, x):
        return self.dense(x)

    def train_step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(x + BODY) ** 2)
        for variable, gradient in zip(
            self.trainable_variables, tape.gradient(loss, self.trainable_variables)
        ):
            variable.assign_sub(0.1 * gradient)
        return {"value": loss}
"""
HELD = """\
class Net(tf.keras.layers.Layer):
    def __init__(self, seed=3):
        super().__init__()
        BODY
"""
INTEGER = (
    "return x + random.randint(0, 1)",
    "return x + tf.cast(tf.random.uniform([], 0, 2, dtype=tf.int32), x.dtype)",
)
SCALE = (
    "return x * np.random.uniform(0.5, 1.5, size=x.shape)",
    "return x * tf.random.uniform(tf.shape(x), 0.5, 1.5)",
)
PAIR = (
    "if training:\n            x = x * random.random() + random.random()\n        return x",
    "if training:\n            x = x * tf.random.uniform([]) + tf.random.uniform([])\n        return x",
)
NOISE = ("return x + random.gauss(0.0, 0.5)", "return x + tf.random.normal([], 0.0, 0.5)")
ARMS = (
    "if random.random() < 0.3:\n            return -x\n        return x * random.uniform(2, 3)",
    "def arm():\n            return -x\n\n"
    "        def other():\n            return x * tf.random.uniform([], 2.0, 3.0)\n\n"
    "        return tf.cond(tf.random.uniform([]) < 0.3, arm, other)",
)
LOOP = (
    "for _ in tf.range(3):\n        x = x * 0.5 + np.random.normal(0.0, 1.0)\n    return x",
    "for _ in tf.range(3):\n        x = x * 0.5 + tf.random.normal([], 0.0, 1.0)\n    return x",
)
WEIGHTED = (
    "return x * float(np.random.choice([1.0, 2.0, 4.0], p=[0.2, 0.2, 0.6]))",
    "return x * tf.gather([1.0, 2.0, 4.0], tf.random.categorical(tf.math.log([[0.2, 0.2, 0.6]]), 1)[0, 0])",
)
ORDER = (
    "return tf.gather(x, np.random.permutation(4), axis=1)",
    "return tf.gather(x, tf.random.shuffle(tf.range(4)), axis=1)",
)

KEPT = (
    "self.rng = np.random.default_rng(seed)\n\n    def call(self, x):\n"
    "        return x + self.rng.normal(1.0, 0.5, size=x.shape)",
    "self.rng = tf.random.Generator.from_seed(seed)\n\n    def call(self, x):\n"
    "        return x + self.rng.normal(tf.shape(x), 1.0, 0.5)",
)
ONCE = (
    "self.scale = 2.0\n\n    def call(self, x):\n        return x * self.scale + np.random.rand()",
    "self.scale = 2.0\n\n    def call(self, x):\n        return x * self.scale + tf.random.uniform([])",
)

LIES = (
    lie("exclusive bound", LAYER, *INTEGER, ("0, 2, dtype", "0, 1, dtype"), xla=True),
    lie("wrong scale", FUNCTION, *SCALE, ("0.5, 1.5)", "0.5, 2.5)"), symbol="net:step"),
    lie("one draw for two places", LAYER, *PAIR,
        ("x = x * tf.random.uniform([]) + tf.random.uniform([])",
         "drawn = tf.random.uniform([])\n            x = x * drawn + drawn")),
    lie("drawn once, in the constructor", HELD, *ONCE,
        ("self.scale = 2.0\n\n    def call(self, x):\n        return x * self.scale + tf.random.uniform([])",
         "self.drawn = tf.random.uniform([])\n\n    def call(self, x):\n        return x * 2.0 + self.drawn")),
    lie("drawn by Python still", LAYER, *NOISE, ("tf.random.normal([], 0.0, 0.5)", "np.random.normal(0.0, 0.5)")),
    lie("wrong deviation in a step", TRAINED, "random.gauss(0, 0.5)", "tf.random.normal([], 0, 0.5)",
        ("0, 0.5", "0, 0.25"), method="train_step"),
    lie("arms exchanged", LAYER, *ARMS, ("0.3, arm, other", "0.3, other, arm")),
    lie("one draw for all rounds", FUNCTION, *LOOP,
        ("for _ in", "drawn = tf.random.normal([], 0.0, 1.0)\n    for _ in"), symbol="net:step", xla=True),
    lie("weights in another order", FUNCTION, *WEIGHTED, ("0.2, 0.2, 0.6]]", "0.6, 0.2, 0.2]]"), symbol="net:step"),
    lie("not shuffled", LAYER, *ORDER, ("tf.random.shuffle(tf.range(4))", "tf.range(4)")),
    lie("a generator's mean lost", HELD, *KEPT, ("tf.shape(x), 1.0", "tf.shape(x), 0.0")),
)  # fmt: skip
