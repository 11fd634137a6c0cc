"""Write with TensorFlow what a tensor decides in code that Keras runs as it stands.

``if``, ``while``, ``for`` and ``and`` on a tensor work eagerly and in a plain ``tf.function``, where AutoGraph converts
them. Keras 3 does not convert ``call``, ``train_step``, losses and metrics: under ``fit`` and ``tf.function(model)``
they raise OperatorNotAllowedInGraphError there, in code that ran for years with Keras 2. ``assert`` on a tensor fails in
every graph, and ``raise`` under a tensor's condition is done while the graph is traced, whatever the tensor is.

An ``if`` becomes ``tf.cond`` with the values that later code needs as its result, also with an early ``return``; ``while``
and ``for`` become ``tf.while_loop``, with ``maximum_iterations`` where the number of turns is known, which XLA needs for
gradients; ``a if t else b`` becomes ``tf.cond``, or ``tf.where`` between two numbers; ``and``, ``or``, ``not``, ``max`` and
``min`` become operations; ``assert`` and ``if t: raise`` become ``tf.debugging.assert_equal``, which raises
InvalidArgumentError in place of the original's exception and which XLA leaves out.

In code that AutoGraph converts, the branches of an ``if`` have to agree: a name that one of them binds for a later ``if`` on
the same condition begins with zeros, ``2`` beside ``0.5`` becomes ``2.0``, ``x[1]`` that is there only if the condition says
so becomes ``tf.gather(x, 1)``.

A condition on ``tf.rank(x)`` asks ``len(x.shape)``, which keeps the static shape (and raises where no rank is known).

What is decided by a Python value (``training``, ``mask is None``, a static shape) stays Python. Only what is certainly a
tensor counts: results of operations and layers, variables, the arguments that Keras passes. A function is rewritten whole
or not at all. What a graph cannot join is left: a value on one way only, None, a list that grows, an attribute that changes.

https://www.tensorflow.org/guide/function#conditionals
https://www.tensorflow.org/api_docs/python/tf/cond
https://www.tensorflow.org/api_docs/python/tf/while_loop
"""

from __future__ import annotations

from collections.abc import Iterator

from tfmigrate.blocked import refusal
from tfmigrate.claim import Claim
from tfmigrate.codemod import Codemod, Edit, Example, Refusal, Safety, Site
from tfmigrate.draws.entries import Entries
from tfmigrate.flow.agreement import disagreements
from tfmigrate.flow.decide import Found, Lowered, decided
from tfmigrate.flow.reasons import REASONS
from tfmigrate.flow.sifting import sieve as sieve_of
from tfmigrate.project.index import ProjectIndex
from tfmigrate.unit import Unit

codemod = Codemod(
    __name__,
    summary="write tf.cond, tf.while_loop and tf.debugging for what a tensor decides where AutoGraph does not",
    codes={
        "TFM401": "tensor-if-in-keras",
        "TFM402": "tensor-while-in-keras",
        "TFM403": "tensor-loop-in-keras",
        "TFM404": "assert-on-tensor",
        "TFM405": "tensor-conditional-expression",
        "TFM406": "tensor-and-or-not",
        "TFM407": "raise-on-tensor",
        "TFM408": "rank-of-tensor-in-condition",
        "TFM410": "branches-disagree",
    },
    refusals={reason: why for reason, (why, _) in REASONS.items()},
    safety=Safety.SAFE,
    marker=(b"if ", b"while ", b"assert", b"for ", b" and ", b" or ", b"not ", b"max(", b"min("),
    order=40,
    claim=Claim(may_fix_graph=True, decides_in_graph=True),
    examples=[
        Example(
            before="""\
import tensorflow as tf
from tensorflow import keras


class Clipped(keras.layers.Layer):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def call(self, x):
        norm = tf.norm(x)
        if norm > self.limit:
            x = x / norm
        return x
""",
            after="""\
import tensorflow as tf
from tensorflow import keras


class Clipped(keras.layers.Layer):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def call(self, x):
        norm = tf.norm(x)
        x = tf.cond(norm > self.limit, lambda: x / norm, lambda: x)
        return x
""",
        ),
        Example(
            before="""\
import tensorflow as tf
from tensorflow import keras


class Watched(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_max(x) > 1.0:
            self.saturated = True
        return x
""",
            refused="changes-attribute",
        ),
    ],
    sabotage=[
        Example(
            before="""\
import tensorflow as tf
from tensorflow import keras


class Clipped(keras.layers.Layer):
    def call(self, x):
        norm = tf.norm(x)
        if norm > 1.0:
            x = x / norm
        return x
""",
            after="""\
import tensorflow as tf
from tensorflow import keras


class Clipped(keras.layers.Layer):
    def call(self, x):
        norm = tf.norm(x)
        x = tf.cond(norm > 1.0, lambda: x, lambda: x / norm)
        return x
""",
        ),
        Example(
            before="""\
import tensorflow as tf
from tensorflow import keras


class Halved(keras.layers.Layer):
    def call(self, x):
        turns = tf.constant(0)
        while tf.reduce_max(tf.abs(x)) > 0.25:
            x = x / 2.0
            turns += 1
        return x * tf.cast(turns, x.dtype)
""",
            after="""\
import tensorflow as tf
from tensorflow import keras


class Halved(keras.layers.Layer):
    def call(self, x):
        turns = tf.constant(0)
        (x,) = tf.while_loop(lambda x: tf.reduce_max(tf.abs(x)) > 0.25, lambda x: (x / 2.0,), (x,))
        return x * tf.cast(turns, x.dtype)
""",
        ),
    ],
)

_WHAT = {
    "TFM401": "`if` on a tensor",
    "TFM402": "`while` on a tensor",
    "TFM403": "a loop over a tensor",
    "TFM404": "`assert` on a tensor",
    "TFM405": "a conditional expression on a tensor",
    "TFM406": "Python's own operation on tensors",
    "TFM407": "an exception raised on a tensor's word",
    "TFM408": "a condition on tf.rank",
}
_DONE = {
    "TFM401": "written as tf.cond",
    "TFM402": "written as tf.while_loop",
    "TFM403": "written as tf.while_loop",
    "TFM404": "checked by tf.debugging",
    "TFM405": "chosen by TensorFlow",
    "TFM406": "done by TensorFlow",
    "TFM407": "checked by tf.debugging",
    "TFM408": "asked of the static shape",
}


@codemod.candidates
def candidates(index: ProjectIndex, path: str) -> bool:
    """Something in the file runs inside a graph."""
    return bool(index.traced(path))


@codemod.plan
def plan(unit: Unit) -> Iterator[Edit | Refusal]:
    """One traced function after the other."""
    entries, sieve = Entries(unit), sieve_of(unit)
    for symbol in unit.traced:
        if symbol not in unit.functions:
            continue
        yield from _agreeing(unit, symbol, entries)
        result = decided(unit, symbol, entries, sieve)
        if result is None:
            continue
        if isinstance(result, Lowered):
            sites = tuple(_site(unit, symbol, one, f": {_DONE[one.code]}") for one in result.found)
            yield Edit(result.changes, sites)
            continue
        for one, blocked in result:
            yield refusal(_site(unit, symbol, one, ""), blocked, REASONS)


def _agreeing(unit: Unit, symbol: str, entries: Entries) -> Iterator[Edit]:
    """Branches that AutoGraph could not join."""
    owner = unit.names.enclosing_class(unit.functions[symbol])
    proof = unit.names.qualname(owner) if owner is not None else symbol.split(".<locals>")[0]
    found = [one for one in disagreements(unit, symbol, entries) if unit.is_wanted("TFM410", one.node)]
    if found:
        what = f"the branches of an `if` on a tensor in `{symbol}` do not agree"
        sites = tuple(
            unit.site(one.node.test, "TFM410", f"{what}: {one.said}", symbol, proof) for one in found
        )
        yield Edit(tuple(change for one in found for change in one.changes), sites)


def _site(unit: Unit, symbol: str, found: Found, done: str) -> Site:
    function = unit.functions[symbol]
    owner = unit.names.enclosing_class(function)
    proof = unit.names.qualname(owner) if owner is not None else symbol.split(".<locals>")[0]
    message = f"{_WHAT[found.code]} in `{symbol}`, which runs inside a graph{done}"
    return unit.site(found.node, found.code, message, symbol, proof)
