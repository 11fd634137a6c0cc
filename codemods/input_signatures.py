"""Keep ``tf.function``s from being traced again and again: input signatures, relaxed shapes, tensors for numbers.

A ``tf.function`` is traced once for each shape, dtype and Python value that it gets. With ``input_signature`` it is traced
once, and takes what fits. The signature is folded over all that is known of the calls: the file that ``tfmigrate record``
writes (in the project's folder, or ``--recording FILE``), and calls in the project whose arguments are written out
(``tf.zeros([n, 3])``, literals, conversions). Ragged and sparse tensors of a recording get a ``RaggedTensorSpec`` or
``SparseTensorSpec``. Rank and dtype must agree, and what makes a tensor ragged; sizes that differ become None, and
so does the first of several axes, where nothing reads its size. ``x.shape[0]`` becomes ``tf.shape(x)[0]`` where it only goes
into shapes or is computed with float32. The decorator's other arguments stay. A ``TensorSpec`` that the file has a name
for is called by it; one of several axes that two functions get in the same run is named once, above the first of them
(``IMAGES``, as their parameters are called; ``BATCH`` where they differ). What is seen to be traced once or twice is left
alone, and so is what nothing is known of.

A signature is a contract: tensors of another dtype or rank raise a TypeError from then on. So where others may call the
function (it is public and its module no script, and no recording is given; it is part of a SavedModel; a callee is out of
sight; calls in other files may pass what would be pinned to its default) it is only given with ``--unsafe``.

- TFM502: where Python decides by an argument (``mode="train"``, ``training=False``) there can be no signature. Shapes are
  relaxed there with ``reduce_retracing=True``, if nothing that the function calls reads a size or the number of axes; and
  in functions of which no call is in sight that read sizes (what is read rather than written down is meant to vary), if
  the graph can be asked for them.
- TFM503: Python numbers that follow from a loop's counter (``train_step(x, 0.1 / (1 + step))``) become tensors at the
  caller where the function only computes with them, and meets them with float32 alone. A function that first checks its
  numbers (``if lower > upper: raise``) is split: Python keeps the checks, a ``tf.function`` gets tensors.
- TFM504, TFM505: a ``tf.function`` that is made anew in each turn of a loop, or in each call of a function that a loop
  calls or of which many were recorded, is made once: before the loop, at the top of the module with the tensors that it
  closes over handed over, or as a method. What it reads must not change.
- TFM506: lists and dicts whose content is another in each turn become tensors at the caller, where the function does
  nothing else than make them tensors of one dtype. Texts are refused.
- TFM507: tensors of several dtypes: the callers are named, and cast where all that the function does is to cast.
- TFM508: ``f(1)``, ``f(1.0)`` and ``f(True)`` share a trace, whose dtype is that of the first.

The proof is the same stream of calls on both versions: equal values, and fewer traces.

https://www.tensorflow.org/guide/function#controlling_retracing
https://www.tensorflow.org/api_docs/python/tf/function
"""

from __future__ import annotations

from collections.abc import Iterator

from tfmigrate.blocked import Blocked, refusal
from tfmigrate.claim import Claim
from tfmigrate.codemod import Codemod, Edit, Example, Refusal, Safety, Site
from tfmigrate.project.index import ProjectIndex
from tfmigrate.signatures.findings import Work, findings
from tfmigrate.signatures.found import Found
from tfmigrate.signatures.reasons import REASONS
from tfmigrate.signatures.shared import shared_specs
from tfmigrate.unit import Unit

codemod = Codemod(
    __name__,
    summary="give tf.functions that retrace an input signature, or what else keeps them from it",
    codes={
        "TFM501": "tf-function-without-signature",
        "TFM502": "tf-function-retraces-for-shapes",
        "TFM503": "python-number-retraces",
        "TFM504": "tf-function-made-in-loop",
        "TFM505": "tf-function-made-per-call",
        "TFM506": "python-container-retraces",
        "TFM507": "tf-function-retraces-for-dtypes",
        "TFM508": "equal-numbers-share-a-trace",
    },
    refusals={reason: why for reason, (why, _) in REASONS.items()},
    safety=Safety.SAFE,
    marker=(b"function",),
    order=50,
    claim=Claim(fewer_traces=True),
    examples=[
        Example(
            before="""\
import tensorflow as tf


@tf.function
def _norm(x):
    return tf.sqrt(tf.reduce_sum(tf.square(x), axis=1))


for n in range(1, 9):
    print(_norm(tf.ones([n, 3])))
""",
            after="""\
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
def _norm(x):
    return tf.sqrt(tf.reduce_sum(tf.square(x), axis=1))


for n in range(1, 9):
    print(_norm(tf.ones([n, 3])))
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def loss_of(error, weights, mode="train"):
    if mode == "train":
        error = error + 0.01 * tf.reduce_sum(tf.square(weights))
    return tf.reduce_mean(error)
""",
            after="""\
import tensorflow as tf


@tf.function(reduce_retracing=True)
def loss_of(error, weights, mode="train"):
    if mode == "train":
        error = error + 0.01 * tf.reduce_sum(tf.square(weights))
    return tf.reduce_mean(error)
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def decayed(step):
    return tf.exp(-tf.cast(step, tf.float32) / 10.0)


def run():
    return [decayed(i) for i in range(100)]
""",
            after="""\
import tensorflow as tf


@tf.function
def decayed(step):
    return tf.exp(-tf.cast(step, tf.float32) / 10.0)


def run():
    return [decayed(tf.constant(i)) for i in range(100)]
""",
        ),
        Example(
            before="""\
import tensorflow as tf


def run(weights):
    found = []
    for n in range(10):

        @tf.function
        def weighted(x):
            return tf.reduce_sum(x * weights)

        found.append(weighted(tf.fill([3], float(n))))
    return found
""",
            after="""\
import tensorflow as tf


def run(weights):
    found = []

    @tf.function
    def weighted(x):
        return tf.reduce_sum(x * weights)

    for n in range(10):
        found.append(weighted(tf.fill([3], float(n))))
    return found
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def total(values):
    return tf.reduce_sum(tf.convert_to_tensor(values, tf.float32))


def run(rows):
    return [total(row) for row in rows]
""",
            after="""\
import tensorflow as tf


@tf.function
def total(values):
    return tf.reduce_sum(tf.convert_to_tensor(values, tf.float32))


def run(rows):
    return [total(tf.convert_to_tensor(row, tf.float32)) for row in rows]
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def _halves(x):
    return tf.split(x, x.shape[0] // 2)


for n in range(2, 20, 2):
    print(_halves(tf.zeros([n])))
""",
            refused="static-shape",
        ),
    ],
    sabotage=[
        Example(
            before="""\
import tensorflow as tf


@tf.function
def total(x: tf.Tensor):
    return tf.reduce_sum(x, axis=0)
""",
            after="""\
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([2, None], tf.float32)])
def total(x: tf.Tensor):
    return tf.reduce_sum(x, axis=0)
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def mean(x: tf.Tensor):
    return tf.reduce_mean(x, axis=0)
""",
            after="""\
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
def mean(x: tf.Tensor):
    return tf.reduce_mean(x, axis=0)
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function
def doubled(x: tf.Tensor, training=False):
    return x + x if training else x
""",
            after="""\
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
def doubled(x: tf.Tensor, training=False):
    return x + x if training else x
""",
        ),
    ],
)


@codemod.candidates
def candidates(index: ProjectIndex, path: str) -> bool:
    """A function of the file is decorated with ``tf.function`` or given to it."""
    module = index.module_at(path)
    for symbol, trace in index.traced(path).items():
        if module is None or len(trace.chain) > 1:
            continue
        if trace.root == "tf.function" or module.functions[symbol].record.decorators:
            return True
    return False


@codemod.plan
def plan(unit: Unit) -> Iterator[Edit | Refusal]:
    """One finding after the other; specs that several of them need are named along with the first that does."""
    work = Work(unit)
    wanted = [found for found in findings(work) if unit.is_wanted(found.code, found.node)]
    done = [
        found
        for found in wanted
        if not isinstance(found.outcome, Blocked) and (found.safety is Safety.SAFE or unit.unsafe)
    ]
    shared = shared_specs(unit, done)
    work.named.update(shared.named)
    for found in wanted:
        site = _site(unit, found)
        if isinstance(found.outcome, Blocked):
            yield refusal(site, found.outcome, REASONS)
            continue
        changes = tuple(found.outcome(unit))
        if found is shared.first:
            changes = (*shared.changes(unit), *changes)
        yield Edit(changes, (site,), found.safety)


def _site(unit: Unit, found: Found) -> Site:
    proof = found.owner or found.symbol.split(".<locals>")[0]
    return unit.site(found.node, found.code, found.message, found.symbol, proof)
