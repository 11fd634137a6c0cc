"""Ask the graph for sizes that are None when a function is traced.

``x.shape[1]`` is None inside a graph where the axis is unknown: in a layer that is called on ``keras.Input((None, 3))``, in
a ``tf.function`` whose ``input_signature`` says None, and for the batch in both. ``range(x.shape[1])`` and
``tf.zeros((x.shape[0], n))`` raise TypeError there, and run eagerly. ``tf.shape(x)[1]`` is the size when the graph runs.

A list that the loop fills becomes a ``tf.TensorArray`` with it (TFM301), and the loop one of the graph; where that cannot
be, the size stays. Only what the file itself says counts: a size that nothing shows to be unknown is static, and faster.

https://www.tensorflow.org/api_docs/python/tf/shape
https://keras.io/api/layers/core_layers/input/
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tfmigrate.arrays.plan import Planner
from tfmigrate.blocked import Blocked, refusal
from tfmigrate.claim import Claim
from tfmigrate.codemod import Change, Codemod, Edit, Example, Refusal, Safety, Site
from tfmigrate.draws.entries import Entries
from tfmigrate.draws.text import Rewriting
from tfmigrate.flow.unknown import Reads, Unknown, reads_of, unknown_axes
from tfmigrate.imports import tensorflow_name
from tfmigrate.lazy import libcst as cst
from tfmigrate.project.index import ProjectIndex
from tfmigrate.unit import Unit

REASONS = {
    "size-in-python": (
        "a size that is None in the graph is used for what only a Python number will do",
        "ask for it with tf.shape, or give the layer an input whose size is known",
    ),
    "loop-stays": (
        "a loop over a size that is None in the graph cannot be written as one of the graph",
        "gather what the loop makes with tf.TensorArray or tf.map_fn, or give the layer an input whose size is known",
    ),
}

codemod = Codemod(
    __name__,
    summary="ask the graph for sizes that are None when a function is traced",
    codes={"TFM409": "unknown-size-in-graph"},
    refusals={reason: why for reason, (why, _) in REASONS.items()},
    safety=Safety.SAFE,
    marker=(b"None",),
    order=25,
    claim=Claim(may_fix_graph=True),
    examples=[
        Example(
            before="""\
import tensorflow as tf
from tensorflow import keras


class WithState(keras.layers.Layer):
    def call(self, x):
        return tf.concat([x, tf.zeros((x.shape[0], x.shape[1], 2))], axis=-1)


def make_model():
    inputs = keras.Input((None, 3))
    return keras.Model(inputs, WithState()(inputs))
""",
            after="""\
import tensorflow as tf
from tensorflow import keras


class WithState(keras.layers.Layer):
    def call(self, x):
        return tf.concat([x, tf.zeros((tf.shape(x)[0], tf.shape(x)[1], 2))], axis=-1)


def make_model():
    inputs = keras.Input((None, 3))
    return keras.Model(inputs, WithState()(inputs))
""",
        ),
        Example(
            before="""\
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def named(x):
    return {str(x.shape[0]): x}
""",
            refused="size-in-python",
        ),
    ],
    sabotage=[
        Example(
            before="""\
import tensorflow as tf
from tensorflow import keras


class Padded(keras.layers.Layer):
    def call(self, x):
        return tf.concat([x, tf.ones((x.shape[0], 2))], axis=-1)


def make_model():
    inputs = keras.Input((None,))
    return keras.Model(inputs, Padded()(inputs))
""",
            after="""\
import tensorflow as tf
from tensorflow import keras


class Padded(keras.layers.Layer):
    def call(self, x):
        return tf.concat([x, tf.ones((tf.shape(x)[1], 2))], axis=-1)


def make_model():
    inputs = keras.Input((None,))
    return keras.Model(inputs, Padded()(inputs))
""",
        ),
    ],
)


@codemod.candidates
def candidates(index: ProjectIndex, path: str) -> bool:
    """A traced function of the file may be called on what has an unknown axis: the file makes inputs or specs."""
    module = index.module_at(path)
    if module is None or not index.traced(path):
        return False
    calls = (call for function in module.functions.values() for call in function.calls)
    return any(call.callee.rpartition(".")[2] in ("Input", "TensorSpec") for call in calls)


@codemod.plan
def plan(unit: Unit) -> Iterator[Edit | Refusal]:
    """One traced function after the other."""
    by_symbol: dict[str, list[Unknown]] = {}
    for unknown in unknown_axes(unit):
        same = by_symbol.setdefault(unknown.symbol, [])
        if all(one.name != unknown.name for one in same):
            same.append(unknown)
    for symbol, found in by_symbol.items():
        for unknown in found:
            if not unit.is_wanted("TFM409", unknown.function) or _asks_for_none(unit, unknown):
                continue
            yield from _planned(unit, symbol, unknown)


def _asks_for_none(unit: Unit, unknown: Unknown) -> bool:
    """Whether the function knows that sizes may be None."""
    return any(
        isinstance(node, ast.Compare)
        and any(isinstance(one, ast.Constant) and one.value is None for one in node.comparators)
        and any(isinstance(part, ast.Attribute) and part.attr == "shape" for part in ast.walk(node.left))
        for node in ast.walk(unknown.function)
    )


def _planned(unit: Unit, symbol: str, unknown: Unknown) -> Iterator[Edit | Refusal]:
    name = tensorflow_name(unit, symbol)
    reads = reads_of(unit, unknown)
    what = f"the size of `{unknown.name}` is None in `{symbol}` ({unknown.said})"
    if reads is None:
        where = _first_read(unknown)
        if where is not None:
            yield refusal(_site(unit, where, symbol, what), Blocked("size-in-python"), REASONS)
        return
    if not reads.asked or name is None or name.after is not None:
        return
    site = _site(unit, reads.asked[0].node, symbol, what)
    if reads.loops and not _becomes_a_loop_of_the_graph(unit, symbol, reads, name.name):
        yield refusal(site, Blocked("loop-stays", ast.unparse(reads.loops[0].iter)), REASONS)
        return
    changes = tuple(
        Change(unit.cst_expression(one.node), cst.parse_expression(one.text.replace("{tf}", name.name)))
        for one in reads.asked
    )
    yield Edit(changes, (replace(site, message=f"{what}: asked of the graph"),))


def _site(unit: Unit, node: ast.expr, symbol: str, message: str) -> Site:
    return unit.site(node, "TFM409", message, symbol, symbol.rpartition(".")[0] or symbol)


def _first_read(unknown: Unknown) -> ast.expr | None:
    reads = (
        node
        for node in ast.walk(unknown.function)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape"
        and isinstance(node.value.value, ast.Name)
        and node.value.value.id == unknown.name
    )
    return next(iter(sorted(reads, key=lambda node: (node.lineno, node.col_offset))), None)


def _becomes_a_loop_of_the_graph(unit: Unit, symbol: str, reads: Reads, tf: str) -> bool:
    """Whether the lists that the loops fill can become arrays when the sizes are tensors; tried on the changed text."""
    if not all(any(_grows(part) for part in ast.walk(loop)) for loop in reads.loops):
        return False
    writing = Rewriting(unit)
    for one in reads.asked:
        writing.replace(one.node, one.text.replace("{tf}", tf))
    last = unit.tree.body[-1]
    text = writing.span(unit.tree, 1, last.end_lineno or 1, 0, last.end_col_offset or 0) + "\n"
    changed = unit.with_text(text)
    groups = [group for group in Planner(changed, Entries(changed)).groups() if group.symbol == symbol]
    places = [place for group in groups for place in group.places]
    return bool(places) and all(
        place.blocked is None and unit.is_wanted(place.code, place.node) for place in places
    )


def _grows(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("append", "extend", "insert")
