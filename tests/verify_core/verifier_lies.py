"""Wrong rewrites, each beside the right one: (name, original, right, wrong). The verifier must tell them apart.

Written as bodies of ``class Net(layers.Layer)``; ``wrong`` is the right text with one thing replaced.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

HEAD = """import tensorflow as tf
from tensorflow.keras import layers


class Net(layers.Layer):
"""


@dataclass(frozen=True)
class Lie:
    name: str
    before: str
    right: str
    wrong: str
    shapes: tuple[tuple[int, ...], ...] = ((4,),)
    """Of each input, without the batch dimension."""
    dtype: str = "float32"
    flavours: tuple[str, ...] = ("3", "2")
    xla: bool = False
    """Wrong under XLA alone, where it cannot be compiled."""


def lie(
    name: str,
    init: str,
    before: str,
    attributes: str,
    after: str,
    mistake: tuple[str, str],
    *,
    shapes: tuple[tuple[int, ...], ...] = ((4,),),
    signature: str = "x, training=False",
    dtype: str = "float32",
    flavours: tuple[str, ...] = ("3", "2"),
    xla: bool = False,
) -> Lie:
    """``init`` is in both versions' ``__init__``, ``attributes`` in the rewritten one's.

    ``mistake``: (text of the right version, text of the wrong one).
    """
    old = _module(init, before, signature)
    new = _module("\n".join(filter(None, (init, textwrap.dedent(attributes)))), after, signature)
    wrong = new.replace(*mistake)
    assert wrong != new, name
    return Lie(name, old, new, wrong, shapes, dtype, flavours, xla)


def _module(init: str, call: str, signature: str) -> str:
    lines = ["def __init__(self):", "    super().__init__()"]
    lines += ["    " + line for line in textwrap.dedent(init).strip().splitlines()]
    lines += ["", f"def call(self, {signature}):"]
    lines += ["    " + line for line in textwrap.dedent(call).strip().splitlines()]
    return HEAD + textwrap.indent("\n".join(lines), "    ") + "\n"


TWO = (
    "",
    'x = layers.Dense(4, activation="tanh")(x)\nreturn layers.Dense(4, activation="tanh")(x)',
    'self.first = layers.Dense(4, activation="tanh")\nself.second = layers.Dense(4, activation="tanh")',
    "x = self.first(x)\nreturn self.second(x)",
)
ONE = (
    "",
    'return x + layers.Dense(4, activation="relu")(x)',
    'self.dense = layers.Dense(4, activation="relu")',
    "return x + self.dense(x)",
)
DROP = (
    "",
    "x = layers.Dense(8)(x)\nreturn layers.Dropout(0.5)(x, training=training)",
    "self.dense = layers.Dense(8)\nself.dropout = layers.Dropout(0.5)",
    "x = self.dense(x)\nreturn self.dropout(x, training=training)",
)
BOTH = (
    "self.a = layers.Dense(4)\nself.b = layers.Dense(4)",
    "x = self.a(x)\nx = tf.nn.tanh(self.b(x))\nreturn layers.Dense(3)(x)",
    "self.c = layers.Dense(3)",
    "x = self.a(x)\nx = tf.nn.tanh(self.b(x))\nreturn self.c(x)",
)
PAIR = (
    "",
    "return layers.Dense(4)(x), layers.Dense(4)(x)",
    "self.one = layers.Dense(4)\nself.two = layers.Dense(4)",
    "a = self.one(x)\nb = self.two(x)\nreturn a, b",
)
NAMED = (
    "",
    'return {"logits": layers.Dense(4)(x)}',
    "self.dense = layers.Dense(4)",
    'return {"logits": self.dense(x)}',
)
NORM = (
    "",
    "x = layers.Dense(8)(x)\nreturn layers.BatchNormalization()(x, training=training)",
    "self.dense = layers.Dense(8)\nself.norm = layers.BatchNormalization()",
    "x = self.dense(x)\nreturn self.norm(x, training=training)",
)
LOOP = (
    "",
    "for _ in range(3):\n    x = layers.Dense(4, activation='tanh')(x)\nreturn x",
    "self.denses = [layers.Dense(4, activation='tanh') for _ in range(3)]",
    "for i in range(3):\n    x = self.denses[i](x)\nreturn x",
)
SCALED = (
    "self.scale = self.add_weight(name='scale', shape=(4,), initializer=tf.keras.initializers.Constant(0.5))",
    "return layers.Dense(4)(x * self.scale)",
    "self.dense = layers.Dense(4)",
    "return self.dense(x * self.scale)",
)
COUNTED = (
    "self.calls = self.add_weight(name='calls', shape=(), dtype='int32', initializer='zeros', trainable=False)",
    "self.calls.assign_add(1)\nreturn layers.Dense(4)(x)",
    "self.dense = layers.Dense(4)",
    "self.calls.assign_add(1)\nreturn self.dense(x)",
)
REGULARISED = (
    "self.a = layers.Dense(4, kernel_regularizer='l2')",
    "return layers.Dense(4)(self.a(x))",
    "self.dense = layers.Dense(4)",
    "return self.dense(self.a(x))",
)
NORMED = (
    "",
    "return layers.LayerNormalization(epsilon=1e-3)(x)",
    "self.norm = layers.LayerNormalization(epsilon=1e-3)",
    "return self.norm(x)",
)
PRINTING = (
    "",
    "print('rows', x.shape[-1])\nreturn layers.Dense(4)(x)",
    "self.dense = layers.Dense(4)",
    "print('rows', x.shape[-1])\nreturn self.dense(x)",
)
TF_PRINTING = (
    "",
    "y = layers.Dense(4)(x)\ntf.print('mean', tf.reduce_mean(y))\nreturn y",
    "self.dense = layers.Dense(4)",
    "y = self.dense(x)\ntf.print('mean', tf.reduce_mean(y))\nreturn y",
)
CONV = (
    "",
    "return layers.Conv1D(4, 3, padding='same')(x)",
    "self.conv = layers.Conv1D(4, 3, padding='same')",
    "return self.conv(x)",
)
MASKED = (
    "",
    "x = tf.concat([x, tf.zeros_like(x)], 1)\nx = layers.Masking()(x)\nreturn layers.GRU(3)(x)",
    "self.masking = layers.Masking()\nself.gru = layers.GRU(3)",
    "x = tf.concat([x, tf.zeros_like(x)], 1)\nx = self.masking(x)\nreturn self.gru(x)",
)
MASK_OUT = (
    "",
    "x = tf.concat([x, tf.zeros_like(x)], 1)\nreturn layers.Masking()(x)",
    "self.masking = layers.Masking()",
    "x = tf.concat([x, tf.zeros_like(x)], 1)\nreturn self.masking(x)",
)
SUM = (
    "",
    "a, b = inputs\nreturn layers.Add()([layers.Dense(4)(a), b])",
    "self.add = layers.Add()\nself.dense = layers.Dense(4)",
    "a, b = inputs\nreturn self.add([self.dense(a), b])",
)
IDS = (
    "",
    "return layers.Embedding(12, 3)(x)",
    "self.embedding = layers.Embedding(12, 3)",
    "return self.embedding(x)",
)
RAISING = (
    "",
    "if x.shape[0] == 3:\n    raise KeyError('three rows')\nreturn layers.Dense(4)(x)",
    "self.dense = layers.Dense(4)",
    "if x.shape[0] == 3:\n    raise KeyError('three rows')\nreturn self.dense(x)",
)
AXES = (
    "",
    "x = layers.Dense(4)(x)\nreturn layers.Softmax(axis=1)(x)",
    "self.dense = layers.Dense(4)\nself.softmax = layers.Softmax(axis=1)",
    "x = self.dense(x)\nreturn self.softmax(x)",
)
KINDS = (
    "",
    "x = layers.Dense(4, activation='tanh')(x)\nreturn layers.LayerNormalization()(x)",
    "self.dense = layers.Dense(4, activation='tanh')\nself.norm = layers.LayerNormalization()",
    "x = self.dense(x)\nreturn self.norm(x)",
)
STACK = (
    "",
    "net = tf.keras.Sequential([layers.Dense(5, activation='tanh'), layers.Dense(5), layers.Dense(2)])\nreturn net(x)",
    "self.net = tf.keras.Sequential([layers.Dense(5, activation='tanh'), layers.Dense(5), layers.Dense(2)])",
    "return self.net(x)",
)

TENSOR_BRANCH = (
    "",
    "norm = tf.norm(x)\nif norm > 1.0:\n    x = x / norm\nreturn x * 2.0",
    "",
    "norm = tf.norm(x)\nx = tf.cond(norm > 1.0, lambda: x / norm, lambda: x)\nreturn x * 2.0",
)
TENSOR_LOOP = (
    "",
    """
    total = tf.zeros_like(x[0])
    for i in tf.range(tf.shape(x)[0]):
        total = 0.5 * total + x[i]
    return x + total
    """,
    "",
    """
    steps = tf.shape(x)[0]

    def step(i, total):
        total = 0.5 * total + x[i]
        return i + 1, total

    _, total = tf.while_loop(lambda i, *_: i < steps, step, (0, tf.zeros_like(x[0])), maximum_iterations=steps)
    return x + total
    """,
)
GATHERED = (
    "",
    """
    outputs = []
    total = tf.zeros_like(x[0])
    for i in tf.range(tf.shape(x)[0]):
        total = 0.5 * total + x[i]
        outputs.append(total)
    return tf.stack(outputs, axis=1)
    """,
    "",
    """
    steps = tf.shape(x)[0]

    def step(i, total, outputs):
        total = 0.5 * total + x[i]
        outputs = outputs.write(i, total)
        return i + 1, total, outputs

    outputs = tf.TensorArray(x.dtype, size=steps, element_shape=x.shape[1:])
    state = (0, tf.zeros_like(x[0]), outputs)
    _, _, outputs = tf.while_loop(lambda i, *_: i < steps, step, state, maximum_iterations=steps)
    return tf.transpose(outputs.stack(), [1, 0])
    """,
)
PRETRAINED = (
    "",
    """
    dense = layers.Dense(4)
    dense.build((None, 4))
    dense.set_weights([tf.reshape(tf.range(16.0), (4, 4)).numpy(), tf.range(4.0).numpy()])
    return dense(x)
    """,
    """
    self.dense = layers.Dense(4)
    self.dense.build((None, 4))
    self.dense.set_weights([tf.reshape(tf.range(16.0), (4, 4)).numpy(), tf.range(4.0).numpy()])
    """,
    "return self.dense(x)",
)
LIES = (
    lie("one layer shared instead of two", *TWO, ("self.second(x)", "self.first(x)")),
    lie(
        "two unlike layers in the wrong order",
        *KINDS,
        (
            "x = self.dense(x)\n        return self.norm(x)",
            "x = self.norm(x)\n        return self.dense(x)",
        ),
    ),
    lie(
        "attributes of both versions swapped",
        *BOTH,
        (
            "x = self.a(x)\n        x = tf.nn.tanh(self.b(x))",
            "x = self.b(x)\n        x = tf.nn.tanh(self.a(x))",
        ),
    ),
    lie("activation dropped", *ONE, ('(4, activation="relu")', "(4)")),
    lie("training flag lost", *DROP, ("(x, training=training)", "(x, training=False)")),
    lie("layer computes in another type", *ONE, ('"relu")', '"relu", dtype="float64")')),
    lie("bias dropped", *ONE, ('"relu")', '"relu", use_bias=False)')),
    lie("gradient cut", *TWO, ("self.second(x)", "self.second(tf.stop_gradient(x))")),
    lie("gradient cut before the first weight", *TWO, ("self.first(x)", "self.first(tf.stop_gradient(x))")),
    lie("wrong axis", *AXES, ("axis=1", "axis=-1"), shapes=((4, 4),)),
    lie("weights frozen by tf.function", *ONE, ("def call", "@tf.function\n    def call"), flavours=("3",)),
    lie("outputs reordered", *PAIR, ("return a, b", "return b, a")),
    lie("list instead of tuple", *PAIR, ("return a, b", "return [a, b]")),
    lie("key renamed", *NAMED, ('"logits"', '"logit"')),
    lie("residual lost", *ONE, ("x + self.dense(x)", "self.dense(x)")),
    lie("dropout rate changed", *DROP, ("Dropout(0.5)", "Dropout(0.4)")),
    lie("dropout removed", *DROP, ("self.dropout(x, training=training)", "x")),
    lie("batch normalisation for inference only", *NORM, ("(x, training=training)", "(x, training=False)")),
    lie("epsilon changed", *NORMED, ("1e-3", "1e-5")),
    lie("weights still made in each call", *ONE, ("self.dense(x)", 'layers.Dense(4, activation="relu")(x)')),
    lie("output cast", *ONE, ("return x + self.dense(x)", "return tf.cast(x + self.dense(x), tf.float16)")),
    lie(
        "a variable that nothing uses",
        *ONE,
        ("self.dense =", "self.extra = self.add_weight(name='e', shape=(2,))\n        self.dense ="),
    ),
    lie("mask not made", *MASKED, ("x = self.masking(x)", "x = x"), shapes=((3, 2),)),
    lie(
        "mask not passed on",
        *MASK_OUT,
        ("return self.masking(x)", "return tf.identity(self.masking(x))"),
        shapes=((3, 2),),
    ),
    lie("loop one short", *LOOP, ("for i in range(3)", "for i in range(2)")),
    lie("loop over one layer", *LOOP, ("self.denses[i]", "self.denses[0]")),
    lie("initial constant changed", *SCALED, ("Constant(0.5)", "Constant(0.7)")),
    lie(
        "weight frozen",
        *SCALED,
        ("self.dense =", "self.scale.trainable = False\n        self.dense ="),
        flavours=("3",),
    ),
    lie("regularisation lost", *REGULARISED, ("(4, kernel_regularizer='l2')", "(4)")),
    lie(
        "second input ignored",
        *SUM,
        ("self.add([self.dense(a), b])", "self.dense(a)"),
        shapes=((4,), (4,)),
        signature="inputs, training=False",
    ),
    lie(
        "a layer for each batch size",
        "self.by_size = {}",
        'return x + layers.Dense(4, activation="relu")(x)',
        'self.dense = layers.Dense(4, activation="relu")',
        "return x + self.dense(x)",
        (
            "return x + self.dense(x)",
            'made = self.by_size.setdefault(x.shape[0], layers.Dense(4, activation="relu"))\n'
            "        return x + made(x)",
        ),
    ),
    lie("print lost", *PRINTING, ("print('rows', x.shape[-1])", "pass")),
    lie("tf.print lost", *TF_PRINTING, ("tf.print('mean', tf.reduce_mean(y))", "pass")),
    lie("another number printed", *TF_PRINTING, ("tf.reduce_mean(y)", "tf.reduce_sum(y)")),
    lie("other padding", *CONV, ("'same'", "'causal'"), shapes=((5, 4),)),
    lie("scaled a little", *TWO, ("self.second(x)", "self.second(x) * 1.001")),
    lie("other initialiser", *ONE, ('"relu")', '"relu", kernel_initializer="he_normal")')),
    lie("counter forgotten", *COUNTED, ("self.calls.assign_add(1)", "pass")),
    lie("exception swallowed", *RAISING, ("raise KeyError('three rows')", "pass")),
    lie("another exception", *RAISING, ("KeyError", "IndexError")),
    lie(
        "wrong row looked up",
        *IDS,
        ("self.embedding(x)", "self.embedding(x + 1)"),
        shapes=((3,),),
        dtype="int32",
    ),
    lie(
        "order inside a Sequential",
        *STACK,
        (
            "layers.Dense(5, activation='tanh'), layers.Dense(5)",
            "layers.Dense(5), layers.Dense(5, activation='tanh')",
        ),
    ),
    lie("branches swapped", *TENSOR_BRANCH, ("lambda: x / norm, lambda: x", "lambda: x, lambda: x / norm")),
    lie("branch taken the other way", *TENSOR_BRANCH, ("norm > 1.0", "norm < 1.0")),
    lie("state not carried", *TENSOR_LOOP, ("return i + 1, total", "return i + 1, x[i]")),
    lie("one turn too few", *TENSOR_LOOP, ("maximum_iterations=steps", "maximum_iterations=steps - 1")),
    lie("counted from one", *TENSOR_LOOP, ("(0, tf.zeros_like", "(1, tf.zeros_like")),
    lie("write dropped", *GATHERED, ("outputs = outputs.write", "outputs.write")),
    lie(
        "stacked along the wrong axis",
        *GATHERED,
        ("tf.transpose(outputs.stack(), [1, 0])", "outputs.stack()"),
    ),
    lie("array one too long", *GATHERED, ("size=steps", "size=steps + 1")),
    lie("array of growing size", *GATHERED, ("size=steps", "size=0, dynamic_size=True"), xla=True),
    lie("other weights loaded", *PRETRAINED, ("tf.range(16.0)", "tf.range(1.0, 17.0)")),
)
