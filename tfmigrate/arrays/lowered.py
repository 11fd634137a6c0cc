"""Loops that gather in a list where AutoGraph does not convert them: ``tf.while_loop`` with the array among what it carries.

Only arrays whose size is known before the loop: Keras compiles its functions with XLA where there is a GPU.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from tfmigrate.arrays.decide import Array, Decider
from tfmigrate.arrays.function import Function
from tfmigrate.arrays.layout import Layout
from tfmigrate.arrays.outcome import Draft
from tfmigrate.blocked import Blocked
from tfmigrate.flow.conditions import CannotLower
from tfmigrate.flow.decide import lowering_of
from tfmigrate.flow.lowering import Lowering
from tfmigrate.syntax import bound_names
from tfmigrate.walk import walk


def lower(function: Function, decider: Decider, arrays: Sequence[Array], draft: Draft) -> Blocked | None:
    """Write the arrays into the draft, and their loops as ``tf.while_loop``."""
    blocked = decider.write(arrays, keeps_loops=True)
    if blocked is not None:
        return blocked
    causes = {id(cause): cause for array in arrays for cause in array.layout.causes}
    lowering = _lowering(function, arrays, draft)
    try:
        for cause in sorted(causes.values(), key=lambda cause: cause.lineno):
            _lower(replace(lowering), cause, draft)  # Each loop may use the names of the others.
    except CannotLower as cannot:
        return Blocked("no-while-loop", f"{cannot.blocked.reason}: {cannot.blocked.about}")
    return None


def _lowering(function: Function, arrays: Sequence[Array], draft: Draft) -> Lowering:
    lowering = lowering_of(function.unit, function.symbol, function.node, function.entries)
    lowering.rewriting = draft.rewriting
    lowering.arrays = frozenset(array.grown.name for array in arrays)
    lowering.written = {
        key: (tuple(texts), frozenset(_assigned(texts))) for key, (_, texts) in draft.statements.items()
    }
    layouts: list[Layout] = [array.layout for array in arrays]
    lowering.counters = {id(one.loop.node): one.counter for one in layouts if one.loop and one.counter}
    return lowering


def _assigned(texts: Sequence[str]) -> set[str]:
    return bound_names(node for text in texts for node in walk(ast.parse(text)))


def _lower(lowering: Lowering, cause: ast.stmt, draft: Draft) -> None:
    """``cause``, a loop or branch of the graph, in terms of TensorFlow.

    Raises:
        CannotLower: it cannot be.
    """
    lines, took_rest = lowering.statement(cause, (), None)
    if took_rest:
        raise CannotLower("loop-form", cause)
    lines = lowering.source.with_all_comments(lines, (cause,))
    own = [texts for statement, texts in draft.before if statement is cause]
    draft.before = [pair for pair in draft.before if pair[0] is not cause]
    inside = {id(part) for part in walk(cause)}
    draft.statements = {key: pair for key, pair in draft.statements.items() if key not in inside}
    draft.put_block(cause, "\n".join([line for texts in own for line in texts] + lines).rstrip("\n"))
