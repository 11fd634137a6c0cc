"""Replace lists that grow in loops of a graph by ``tf.TensorArray``.

A loop over a tensor (``tf.range(n)``, ``range(tf.shape(x)[0])``, the rows of ``x``, ``while`` on a tensor, a dataset) is
part of the graph and traced once. A Python list that it adds to holds one dead symbolic tensor afterwards
(``InaccessibleTensorError``), or one Python number for all turns, which raises nothing and is wrong; so does a list that a
branch on a tensor adds to. In code that AutoGraph converts (a ``tf.function``, what it calls, ``Dataset.map``) the list
becomes a ``tf.TensorArray`` and the loop stays: sized where the number of turns is known before, else of growing size, which
XLA does not compile. Keras 3 runs ``call`` and ``train_step`` without AutoGraph, where such a loop fails with or without a
list: ``tf.map_fn`` takes its place where no turn needs the one before, Python's ``range`` where the number of turns is
static.

Understood are ``append``, ``extend``, ``insert(0, ...)``, ``+=``, ``xs + [...]`` and tuples; several lists and several
additions each turn; additions before and after the loop, in branches, with ``break`` and ``continue``; lists in lists;
lists on ``self`` that serve one call; functions that add to a list they are given; comprehensions, ``enumerate`` and ``zip``
over tensors. Afterwards: ``tf.stack`` and ``tf.concat`` along any axis whose place is certain, ``tf.add_n``, ``sum``,
``len``, ``tf.reduce_*`` and others that take a list for a tensor, ``xs[-1]`` and ``xs[::-1]``. All lists of a function go,
or none does. A list that is returned, zipped or passed on stays, and is reported.

Loops that Python unrolls (``range(3)``, ``range(x.shape[1])``, layers, lists, names of features) are right as they are and
are left alone. Measured with an RNN cell on CPUs (``tests/benchmarks/list_or_array.py``): for 128 (512, 2048) turns an array
is traced 15 (40, 150) times faster than an unrolled list, XLA compiles it 75 (300) times faster, and its graph has 39 nodes
however long the loop, not 7 for each turn; but each step is 2 to 4 times slower, if not with XLA. After some 200
to 900 steps the unrolled list has caught up: an array pays where a list fails, where lengths vary, or where tracing
takes too long. ``--unrolled N`` asks for it: loops of N turns or more over ``range`` of written-out numbers, of which
nothing needs Python, become loops of the graph (in code that AutoGraph converts).

What differs: where a loop makes no turn, ``tf.stack([])`` is a float32 of shape (0,) and ``tf.add_n([])`` raises; an array
gives its own dtype, and the shape of the elements where that is certain. ``len(xs)`` becomes a tensor.

https://www.tensorflow.org/guide/function#accumulating_values_in_a_loop
https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/limitations.md
"""

from __future__ import annotations

from collections.abc import Iterator

from tfmigrate.arrays.outcome import Place
from tfmigrate.arrays.plan import Group, Planner
from tfmigrate.arrays.reasons import REASONS
from tfmigrate.blocked import refusal
from tfmigrate.claim import Claim
from tfmigrate.codemod import Codemod, Edit, Example, Refusal, Safety, Site
from tfmigrate.draws.entries import Entries
from tfmigrate.project.index import ProjectIndex
from tfmigrate.unit import Unit

codemod = Codemod(
    __name__,
    summary="replace lists that grow in loops of a graph by tf.TensorArray",
    codes={
        "TFM301": "list-append-in-graph-loop",
        "TFM302": "list-append-in-graph-branch",
        "TFM303": "comprehension-over-tensor",
        "TFM304": "list-argument-grown-in-graph",
        "TFM305": "list-on-self-in-graph",
        "TFM306": "tensorarray-write-dropped",
        "TFM307": "list-item-set-in-graph-loop",
        "TFM308": "unrolled-list-loop",
        "TFM309": "tensor-range-over-static-size",
    },
    refusals={reason: why for reason, (why, _) in REASONS.items()},
    safety=Safety.SAFE,
    marker=(b"append", b"+=", b".write(", b" for ", b"extend", b"insert"),
    order=30,
    claim=Claim(may_fix_graph=True),
    examples=[
        Example(
            before="""\
import tensorflow as tf


@tf.function
def step_losses(weights, inputs, targets):
    losses = []
    for t in tf.range(tf.shape(inputs)[0]):
        losses.append(tf.reduce_sum(tf.square(tf.matmul(inputs[t], weights) - targets[t])))
    return tf.stack(losses)
""",
            after="""\
import tensorflow as tf


@tf.function
def step_losses(weights, inputs, targets):
    losses = tf.TensorArray(inputs.dtype, size=tf.shape(inputs)[0], element_shape=[])
    for t in tf.range(tf.shape(inputs)[0]):
        losses = losses.write(t, tf.reduce_sum(tf.square(tf.matmul(inputs[t], weights) - targets[t])))
    return losses.stack()
""",
        ),
        Example(
            before="""\
import tensorflow as tf


class Outer(tf.keras.layers.Layer):
    def call(self, x):
        products = []
        for b in tf.range(tf.shape(x)[0]):
            products.append(tf.reshape(x[b][:, tf.newaxis] * x[b], [-1]))
        return tf.stack(products)
""",
            after="""\
import tensorflow as tf


class Outer(tf.keras.layers.Layer):
    def call(self, x):
        def one(row):
            return tf.reshape(row[:, tf.newaxis] * row, [-1])

        return tf.map_fn(one, x)
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def unrolled(x: tf.Tensor):
    outputs = []
    for t in range(x.shape[1]):
        outputs.append(tf.tanh(x[:, t]))
    return tf.stack(outputs, axis=1)
""",
            kept=True,
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def rows(x: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        found.append(x[i])
    return found
""",
            refused="returned-as-list",
        ),
    ],
    sabotage=[
        Example(
            before="""\
import tensorflow as tf


@tf.function
def second_axis(x: tf.Tensor):
    outputs = []
    for t in tf.range(tf.shape(x)[1]):
        outputs.append(tf.tanh(x[:, t]))
    return tf.stack(outputs, axis=1)
""",
            after="""\
import tensorflow as tf


@tf.function
def second_axis(x: tf.Tensor):
    outputs = tf.TensorArray(x.dtype, size=tf.shape(x)[1])
    for t in tf.range(tf.shape(x)[1]):
        outputs = outputs.write(t, tf.tanh(x[:, t]))
    return outputs.stack()
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def one_fewer(x: tf.Tensor):
    sums = [tf.zeros_like(x[0])]
    for i in tf.range(tf.shape(x)[0]):
        sums.append(sums[-1] + x[i])
    return tf.stack(sums)
""",
            after="""\
import tensorflow as tf


@tf.function
def one_fewer(x: tf.Tensor):
    sums = tf.TensorArray(x.dtype, size=tf.shape(x)[0], clear_after_read=False)
    sums = sums.write(0, tf.zeros_like(x[0]))
    for i in tf.range(tf.shape(x)[0] - 1):
        sums = sums.write(i + 1, sums.read(i) + x[i])
    return sums.stack()
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def forgets(x: tf.Tensor):
    found = []
    total = tf.zeros_like(x[0])
    for i in tf.range(tf.shape(x)[0]):
        total = total + x[i]
        found.append(total)
    return tf.stack(found)
""",
            after="""\
import tensorflow as tf


@tf.function
def forgets(x: tf.Tensor):
    return tf.map_fn(lambda row: tf.zeros_like(row) + row, x)
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def grows(x: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        found.append(x[i] * 2.0)
    return tf.stack(found)
""",
            after="""\
import tensorflow as tf


@tf.function
def grows(x: tf.Tensor):
    found = tf.TensorArray(x.dtype, size=0, dynamic_size=True)
    for i in tf.range(tf.shape(x)[0]):
        found = found.write(found.size(), x[i] * 2.0)
    return found.stack()
""",
        ),
    ],
)


@codemod.candidates
def candidates(index: ProjectIndex, path: str) -> bool:
    """A function of the file is traced."""
    return bool(index.traced(path))


@codemod.plan
def plan(unit: Unit) -> Iterator[Edit | Refusal]:
    """One traced function after the other."""
    for group in Planner(unit, Entries(unit)).groups():
        wanted = [place for place in group.places if unit.is_wanted(place.code, place.node)]
        if not wanted:
            continue
        if group.draft is not None:
            yield Edit(tuple(group.draft.changes(unit)), tuple(_site(unit, group, place) for place in wanted))
            continue
        for place in wanted:
            assert place.blocked is not None
            yield refusal(_site(unit, group, place), place.blocked, REASONS)


def _site(unit: Unit, group: Group, place: Place) -> Site:
    owner = unit.names.enclosing_class(unit.functions[group.symbol])
    proof = unit.names.qualname(owner) if owner is not None else group.symbol.split(".<locals>")[0]
    return unit.site(place.node, place.code, place.message, group.symbol, proof)
