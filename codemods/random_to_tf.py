"""Replace Python's and NumPy's random draws in traced code by TensorFlow's.

``random.random()`` or ``np.random.normal(...)`` inside ``call``, ``train_step``, a ``tf.function`` or a function given to
``Dataset.map`` runs once, while the graph is traced; every later call uses that number again: the same augmentation for
each example, the same noise at each step, the same branch for ever. ``tf.random`` draws each time the graph runs.

The same distribution is drawn: bounds as the original's (``random.randint`` includes the upper one, NumPy's does not),
``float32`` or the type of the tensor that the draw meets, sizes read from ``x.shape`` as ``tf.shape(x)``. An ``if`` on a
draw stays an ``if`` where AutoGraph converts it and becomes ``tf.cond`` where Keras 3 runs the code as it stands. All
draws of a function go, or none does. Draws outside of traced code are left alone.

From ``random``: random, uniform, randint, randrange, getrandbits, gauss, normalvariate, lognormvariate, expovariate,
weibullvariate, paretovariate, betavariate, gammavariate and triangular (without a mode); choice, choices and sample among
positions, written-out numbers, rows of a tensor, and functions or layers that give the same types and shapes. From
``numpy.random``, ``RandomState`` and ``Generator``: rand, randn, random, random_sample, sample, ranf, uniform, normal,
standard_normal, lognormal, randint, integers, binomial (of one trial), poisson, exponential, standard_exponential,
standard_gamma, gamma, beta, chisquare, dirichlet, laplace, rayleigh, weibull, pareto, power and multinomial; choice with
``size``, ``replace`` and ``p``, permutation. Shuffling in place stays, and so does a draw that decides over structure: a
loop's length, a shape, a layer's argument.

XLA compiles no gamma draws (and nothing made of them: beta, chisquare, dirichlet) and no Poisson draws. In a file that asks
for ``jit_compile`` they stay (``not-in-xla``); in other Keras code, which Keras compiles where there is a GPU, they are
rewritten with ``--unsafe`` only.

The numbers themselves change: no seed gives Python's or NumPy's numbers with TensorFlow. A program that seeds them at
the top of the module gets ``tf.random.set_seed`` beside it.

https://www.tensorflow.org/guide/function#executing_python_side_effects
https://www.tensorflow.org/guide/random_numbers
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmigrate.blocked import Blocked, refusal
from tfmigrate.claim import Claim
from tfmigrate.codemod import Change, Codemod, Edit, Example, Insertion, Refusal, Safety, Site
from tfmigrate.draws.changes import changes_of
from tfmigrate.draws.decide import Decider
from tfmigrate.draws.entries import Entries
from tfmigrate.draws.groups import Group, groups
from tfmigrate.draws.listing import listing
from tfmigrate.draws.outcome import Decision
from tfmigrate.draws.public import has_public, public_functions
from tfmigrate.draws.reasons import REASONS
from tfmigrate.draws.seeds import module_changes
from tfmigrate.draws.sources import Draw, is_draw
from tfmigrate.draws.table import PICKS, SEEDS
from tfmigrate.imports import tensorflow_name
from tfmigrate.project.index import ProjectIndex
from tfmigrate.unit import Unit

codemod = Codemod(
    __name__,
    summary="replace Python and NumPy random in traced code by tf.random",
    codes={
        "TFM201": "python-random-in-graph",
        "TFM202": "numpy-random-in-graph",
        "TFM203": "random-branch-in-graph",
        "TFM204": "random-choice-in-graph",
        "TFM205": "random-shuffle-in-graph",
        "TFM206": "random-generator-in-graph",
        "TFM207": "random-seed-in-graph",
    },
    refusals={reason: why for reason, (why, _) in REASONS.items()},
    safety=Safety.SAFE,
    marker=(b"random", b"rng"),
    order=20,
    reference=listing,
    claim=Claim(may_fix_graph=True, redraws=True),
    examples=[
        Example(
            before="""\
import random

import tensorflow as tf


@tf.function
def augment(image):
    if random.random() < 0.5:
        image = tf.image.flip_left_right(image)
    return tf.image.adjust_brightness(image, random.uniform(-0.2, 0.2))
""",
            after="""\
import tensorflow as tf


@tf.function
def augment(image):
    if tf.random.uniform([]) < 0.5:
        image = tf.image.flip_left_right(image)
    return tf.image.adjust_brightness(image, tf.random.uniform([], -0.2, 0.2))
""",
        ),
        Example(
            before="""\
import random

import tensorflow as tf
from tensorflow import keras


class Stack(keras.Model):
    def call(self, x):
        for _ in range(random.randint(1, 3)):
            x = tf.nn.relu(x)
        return x
""",
            refused="structure",
        ),
    ],
    sabotage=[
        Example(
            before="""\
import random

import tensorflow as tf


class Shift(tf.keras.layers.Layer):
    def call(self, x):
        return x + random.randint(0, 1)
""",
            after="""\
import tensorflow as tf


class Shift(tf.keras.layers.Layer):
    def call(self, x):
        return x + tf.cast(tf.random.uniform([], 0, 1, dtype=tf.int32), x.dtype)
""",
        ),
    ],
)


_LIBRARIES = ("random", "numpy.random", "numpy.random.Generator")


@codemod.candidates
def candidates(index: ProjectIndex, path: str) -> bool:
    """A traced function of the file calls something that is named like a draw."""
    module = index.module_at(path)
    if module is None:
        return False
    for qualname in index.traced(path):
        function = module.functions.get(qualname)
        for call in function.calls if function else ():
            name = index.resolve(module.name, call.callee, qualname)
            method = call.callee.rpartition(".")[2]
            if name is not None and name.startswith(("random.", "numpy.random.")):
                return True
            if name is None and any(is_draw(library, method) for library in _LIBRARIES):
                return True  # Perhaps a generator's.
    return has_public(index, path)


@codemod.plan
def plan(unit: Unit) -> Iterator[Edit | Refusal]:
    """One traced function after the other; what the whole file needs goes along with the first edit."""
    unit = unit.tracing_too(public_functions(unit))
    entries = Entries(unit)
    edits: list[tuple[list[Change | Insertion], tuple[Site, ...], Safety]] = []
    gone: list[ast.AST] = []
    for group in groups(unit):
        wanted = [draw for draw in group.draws if unit.is_wanted(_code(unit, draw), draw.call)]
        if not wanted:
            continue
        decision = _decided(unit, entries, group, wanted)
        if decision.blocked:
            yield from _refusals(unit, group, wanted, decision.blocked)
            continue
        is_unsafe = decision.raises_in_xla and entries.may_be_compiled(group.symbol)
        sites = tuple(_site(unit, group, draw, _went(draw)) for draw in wanted)
        edits.append((list(changes_of(unit, decision)), sites, Safety.UNSAFE if is_unsafe else Safety.SAFE))
        if is_unsafe and not unit.unsafe:
            continue
        gone.extend([*decision.removed, *(node for node, _ in decision.expressions)])
        gone.extend(draw.call for draw in wanted)
    made = [changes for changes, _, safety in edits if safety is Safety.SAFE or unit.unsafe]
    if made:
        made[0].extend(module_changes(unit, gone, entries))
    for changes, sites, safety in edits:
        yield Edit(tuple(changes), sites, safety)


def _decided(unit: Unit, entries: Entries, group: Group, wanted: list[Draw]) -> Decision:
    blocked = entries.blocked(group.symbol)
    name = tensorflow_name(unit, group.symbol)
    if blocked is None and name is None:
        blocked = Blocked("no-tensorflow-name")
    if blocked is not None or name is None:
        return Decision({id(draw.call): blocked or Blocked("no-tensorflow-name") for draw in wanted})
    return Decider(unit, group.function, group.symbol, wanted, name.name, entries).run()


def _refusals(unit: Unit, group: Group, draws: list[Draw], blocked: dict[int, Blocked]) -> Iterator[Refusal]:
    for draw in draws:
        why = blocked.get(id(draw.call), Blocked("function-stays-whole"))
        message = f"`{ast.unparse(draw.call.func)}` in `{draw.symbol}` draws once, when the graph is traced"
        yield refusal(_site(unit, group, draw, message), why, REASONS)


def _code(unit: Unit, draw: Draw) -> str:
    if draw.method in SEEDS:
        return "TFM207"
    if _is_test(unit, draw.call):
        return "TFM203"
    if draw.holder is not None:
        return "TFM206"
    if draw.method in PICKS and draw.row is None:
        return "TFM205" if draw.method in ("shuffle", "permutation", "permuted") else "TFM204"
    return "TFM202" if draw.is_numpy else "TFM201"


def _is_test(unit: Unit, node: ast.expr) -> bool:
    """Whether the draw stands in the condition of an ``if``."""
    child: ast.AST = node
    parent = unit.names.parent(node)
    while isinstance(parent, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.BinOp):
        child, parent = parent, unit.names.parent(parent)
    return isinstance(parent, ast.If | ast.IfExp) and parent.test is child


def _site(unit: Unit, group: Group, draw: Draw, message: str) -> Site:
    owner = unit.names.enclosing_class(group.function)
    proof = unit.names.qualname(owner) if owner is not None else group.symbol.split(".<locals>")[0]
    return unit.site(draw.call, _code(unit, draw), message, draw.symbol, proof)


def _went(draw: Draw) -> str:
    return f"`{ast.unparse(draw.call.func)}` in `{draw.symbol}` draws once, when the graph is traced: drawn by TensorFlow"
