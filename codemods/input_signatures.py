"""Give ``tf.function``s an input signature, where it is known what they are called with and they are traced again and again.

A ``tf.function`` is traced once for each shape, dtype and Python value that it gets. With ``input_signature`` it is traced
once, and takes what fits. The signature is folded over all that is known of the calls: the file that ``tfmigrate record``
writes (``--recording FILE``), and calls in the function's own file whose arguments are written out (``tf.zeros([n, 3])``,
literals, conversions). Rank and dtype must agree; sizes that differ become None, and so does the first of several axes,
where nothing reads its size. Functions that are seen to be called with one or two shapes are left alone: they are traced
once or twice. The other arguments of the decorator stay. A ``TensorSpec`` that the file has a name for is called by it.

A signature is a contract: tensors of another dtype or rank raise a TypeError from then on, NumPy arrays and Python numbers
are converted. So functions that others may call too (public ones of a module that is no script; where a recording is given,
those that are exported) are rewritten with ``--unsafe`` only. It does not go where Python values vary, where keyword-only
parameters or ``*args`` are in the way, where Keras calls with arguments of its own, and where the body reads a size that
would be None.

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
from tfmigrate.unit import Unit

codemod = Codemod(
    __name__,
    summary="give tf.functions that retrace an input signature",
    codes={
        "TFM501": "tf-function-without-signature",
        "TFM502": "tf-function-retraces-for-shapes",
        "TFM503": "python-number-retraces",
        "TFM504": "tf-function-made-in-loop",
    },
    refusals={reason: why for reason, (why, _) in REASONS.items()},
    safety=Safety.SAFE,
    marker=(b"function",),
    order=50,
    claim=Claim(),
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
def _halves(x):
    return tf.reshape(x, [x.shape[0] // 2, 2])


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
def shifted(x: tf.Tensor, by: float = 0.5):
    return x + by


def both(x: tf.Tensor):
    return shifted(x, 0.25) + shifted(x, 0.75)
""",
            after="""\
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
def shifted(x: tf.Tensor, by: float = 0.5):
    return x + by


def both(x: tf.Tensor):
    return shifted(x) + shifted(x)
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
    """One finding after the other."""
    for found in findings(Work(unit)):
        if not unit.is_wanted(found.code, found.node):
            continue
        site = _site(unit, found)
        if isinstance(found.outcome, Blocked):
            yield refusal(site, found.outcome, REASONS)
        else:
            yield Edit(tuple(found.outcome(unit)), (site,), found.safety)


def _site(unit: Unit, found: Found) -> Site:
    proof = found.owner or found.symbol.split(".<locals>")[0]
    return unit.site(found.node, found.code, found.message, found.symbol, proof)
