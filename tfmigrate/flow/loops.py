"""``for`` and ``while`` that a tensor decides, as ``tf.while_loop``: what changes from turn to turn is carried by name.

``maximum_iterations`` is given wherever the number of turns is known before the loop: XLA needs it for gradients (measured
in both flavours of Keras). https://www.tensorflow.org/api_docs/python/tf/while_loop
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfmigrate.draws.text import indented
from tfmigrate.draws.values import Environment, Kind
from tfmigrate.flow.conditions import CannotLower
from tfmigrate.flow.effects import refuse_effects
from tfmigrate.flow.kinds import mentions
from tfmigrate.flow.liveness import Names
from tfmigrate.syntax import bound_names
from tfmigrate.walk import walk

if TYPE_CHECKING:
    from tfmigrate.flow.lowering import Lowering


@dataclass(frozen=True, slots=True)
class Count:
    """How a loop counts."""

    index: str
    start: str
    more: str
    """The condition to go on."""
    following: str
    """The next index."""
    turns: str
    """The number of turns."""
    before: tuple[str, ...] = ()
    """Lines above the loop."""
    first: tuple[str, ...] = ()
    """Lines that the body begins with."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A name whose value goes from turn to turn, and its value before the first."""

    name: str
    initial: str


def for_loop(lowering: Lowering, node: ast.For) -> list[str]:
    """Lines in the place of a ``for``.

    Raises:
        CannotLower: it has another form, or carries something that a graph cannot.
    """
    if node.orelse or mentions(node, ast.Return):
        raise CannotLower("return-in-loop" if mentions(node, ast.Return) else "loop-form", node.iter)
    targets = {part.id for part in walk(node.target) if isinstance(part, ast.Name) and part.id != "_"}
    if targets & lowering.live.after[id(node)]:
        raise CannotLower("index-used-later", node.target)
    if targets & lowering.assigned(node.body):
        raise CannotLower("loop-form", node.target)
    count = counted(lowering, node)
    return _loop(lowering, node, node.body, count, None, targets)


def while_loop(lowering: Lowering, node: ast.While) -> list[str]:
    """Lines in the place of a ``while``.

    Raises:
        CannotLower: it has another form, or carries something that a graph cannot.
    """
    if node.orelse or mentions(node, ast.Return):
        raise CannotLower("return-in-loop" if mentions(node, ast.Return) else "loop-form", node.test)
    return _loop(lowering, node, node.body, None, node.test, set())


def _loop(
    lowering: Lowering,
    node: ast.For | ast.While,
    body: Sequence[ast.stmt],
    count: Count | None,
    test: ast.expr | None,
    targets: set[str],
) -> list[str]:
    from tfmigrate.flow.lowering import TensorLoop, leaves_loop

    refuse_effects(lowering, body)
    needed = lowering.live.before[id(body[0])] | lowering.live.after[id(node)]
    stops = any(leaves_loop(statement) and mentions(statement, ast.Break) for statement in body)
    stop = lowering.fresh("done") if stops else ""
    carried = carried_names(lowering, node, body, needed, targets)
    inside = TensorLoop(needed | lowering.live.after[id(body[-1])], stop)
    step = lowering.fresh("step")
    names = [one.name for one in carried] + ([stop] if stop else [])
    lines = [*(count.before if count else ()), *lowering.source.comments(node)[0]]
    parameters = ([count.index] if count else []) + names
    if not parameters:
        raise CannotLower("loop-form", node)
    next_values = ([count.following] if count else []) + names
    inner = [*(count.first if count else ()), *lowering.block(body, inside)]
    inner.append(f"return {_tuple(next_values)}")
    lines += [
        *([""] if lines else []),
        f"def {step}({', '.join(parameters)}):",
        *indented(inner, lowering.source.indent),
        "",
    ]
    condition = count.more if count else lowering.conditions.truth(test) if test is not None else ""
    if stop:
        # The loop is left before its condition is looked at again.
        no_more = f"{lowering.tf}.logical_not({stop})"
        condition = f"{lowering.tf}.logical_and({no_more}, {condition})"
    rest = "*_" if count and not stop else ", ".join(names)
    head = f"{count.index}, {rest}" if count else rest
    start = ([count.start] if count else []) + [one.initial for one in carried] + (["False"] if stop else [])
    read = lowering.live.after[id(node)]
    left = [one.name if one.name in read or one.name in lowering.arrays else "_" for one in carried]
    results = (["_"] if count else []) + left + (["_"] if stop else [])
    limit = f", maximum_iterations={count.turns}" if count else ""
    call = f"{lowering.tf}.while_loop(lambda {head}: {condition}, {step}, ({_tuple(start)}){limit})"
    if set(results) <= {"_"}:
        return [*lines, call]
    return [*lines, f"{_tuple(results)} = {call}"]


def _tuple(values: Sequence[str]) -> str:
    return f"{values[0]}," if len(values) == 1 else ", ".join(values)


def carried_names(
    lowering: Lowering,
    node: ast.For | ast.While,
    body: Sequence[ast.stmt],
    needed: Names,
    targets: set[str],
) -> list[Carried]:
    """Names that the body assigns and that the next turn, or the code after the loop, reads.

    Raises:
        CannotLower: one has no value before the loop, or values that a graph cannot carry.
    """
    before = lowering.kinds.reading.before.get(id(node), {})
    after = lowering.kinds.reading.after.get(id(body[-1]), {})
    names = sorted(
        (name for name in lowering.assigned(body) - targets if name in needed or name in lowering.arrays),
        key=lambda name: (name in lowering.arrays, _first_store(body, name)),
    )
    return [_carried(lowering, name, before, after) for name in names]


def _carried(lowering: Lowering, name: str, before: Environment, after: Environment) -> Carried:
    if name in lowering.arrays:
        return Carried(name, name)
    if name not in before:
        raise CannotLower("unbound-before-loop", name)
    values = [before[name], after.get(name, before[name])]
    if values[0].kind is Kind.TUPLE and not _same_brackets(lowering, name):
        raise CannotLower("types-differ", name)
    cast, at_end = lowering.joiner.casts(name, values, before, set())
    if at_end and not values[1].is_number:
        raise CannotLower("types-differ", name)
    return Carried(name, f"{lowering.tf}.cast({name}, {cast})" if cast else name)


def _same_brackets(lowering: Lowering, name: str) -> bool:
    """Whether all values that the function gives the name are tuples, or all are lists."""
    kinds = {
        type(node.value)
        for node in walk(lowering.function)
        if isinstance(node, ast.Assign) and name in bound_names(walk(node.targets[0]))
    }
    return kinds in ({ast.Tuple}, {ast.List})


def _first_store(body: Sequence[ast.stmt], name: str) -> tuple[int, int]:
    places = [
        (part.lineno, part.col_offset)
        for statement in body
        for part in walk(statement)
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
    ]
    return min(places, default=(0, 0))


def counted(lowering: Lowering, node: ast.For) -> Count:
    """How a ``for`` counts its turns.

    Raises:
        CannotLower: what it goes over has another form.
    """
    iterated = node.iter
    if isinstance(iterated, ast.Call):
        name = lowering.unit.names.qualified(iterated.func) or ""
        if name in ("tensorflow.range", "builtins.range"):
            return _range(lowering, node, iterated)
        if name == "builtins.enumerate":
            return _enumerated(lowering, node, iterated)
        if name == "builtins.zip":
            return _zipped(lowering, node, iterated)
    return _rows(lowering, node, [(node.target, iterated)], "")


def _range(lowering: Lowering, node: ast.For, call: ast.Call) -> Count:
    if not isinstance(node.target, ast.Name) or call.keywords or not 1 <= len(call.args) <= 3:
        raise CannotLower("loop-form", node.iter)
    texts = [lowering.rewriting.text(argument) for argument in call.args]
    limit_node = call.args[0] if len(call.args) == 1 else call.args[1]
    start, limit = ("0", texts[0]) if len(texts) == 1 else (texts[0], texts[1])
    step = _literal(call.args[2]) if len(call.args) == 3 else 1
    if not step:
        raise CannotLower("loop-form", node.iter)
    before: list[str] = []
    if not _is_simple(limit_node):
        name = lowering.fresh("steps" if start == "0" and step == 1 else "limit")
        before, limit = [f"{name} = {limit}"], name
    if start != "0" and not _is_simple(call.args[0]):
        name = lowering.fresh("start")
        before, start = [*before, f"{name} = {start}"], name
    index = lowering.counters.get(id(node), node.target.id)
    if index == "_":
        index = lowering.fresh("i")
    return Count(
        index,
        _typed_start(lowering, call, start, limit),
        f"{index} < {limit}" if step > 0 else f"{index} > {limit}",
        f"{index} + {step}" if step > 0 else f"{index} - {-step}",
        _turns(start, limit, step),
        tuple(before),
    )


def _typed_start(lowering: Lowering, call: ast.Call, start: str, limit: str) -> str:
    """The first index in the dtype of the bounds: ``tf.range`` counts in theirs."""
    values = [lowering.kinds.of(argument) for argument in call.args]
    if any(value.is_number and value.dtype == "float" for value in values):
        raise CannotLower("loop-form", call)
    tensors = [value for value in values if value.is_tensor]
    if not tensors or all(value.dtype == "int32" for value in tensors):
        return start
    dtypes = {value.dtype for value in tensors}
    if dtypes == {"int64"} or (len(tensors) == 1 and len(call.args) == 1):
        known = f"{lowering.tf}.int64" if dtypes == {"int64"} else f"{limit}.dtype"
        first = values[0] if len(values) > 1 else None
        return start if first is not None and first.is_tensor else f"{lowering.tf}.cast({start}, {known})"
    raise CannotLower("types-differ", call)


def _turns(start: str, limit: str, step: int) -> str:
    if step > 0:
        span = limit if start == "0" else f"{limit} - {start}"
    else:
        span = f"{start} + 1" if limit == "-1" else f"{start} - {limit}"
    size = abs(step)
    return span if size == 1 else f"({span} + {size - 1}) // {size}"


def _enumerated(lowering: Lowering, node: ast.For, call: ast.Call) -> Count:
    target = node.target
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or len(call.args) != 1 or call.keywords:
        raise CannotLower("loop-form", node.iter)
    index, row = target.elts
    if not isinstance(index, ast.Name):
        raise CannotLower("loop-form", node.iter)
    return _rows(lowering, node, [(row, call.args[0])], index.id)


def _zipped(lowering: Lowering, node: ast.For, call: ast.Call) -> Count:
    target = node.target
    if not isinstance(target, ast.Tuple) or len(target.elts) != len(call.args) or call.keywords:
        raise CannotLower("loop-form", node.iter)
    return _rows(lowering, node, list(zip(target.elts, call.args, strict=True)), "")


def _rows(lowering: Lowering, node: ast.For, pairs: list[tuple[ast.expr, ast.expr]], index: str) -> Count:
    """Over the first axis of tensors."""
    assigned = lowering.assigned(node.body)
    before: list[str] = []
    first: list[str] = []
    tensors: list[str] = []
    index = lowering.counters.get(id(node)) or index or lowering.fresh("i")
    for target, iterated in pairs:
        if not isinstance(target, ast.Name) or not lowering.kinds.is_tensor(iterated):
            raise CannotLower("loop-form", node.iter)
        text = lowering.rewriting.text(iterated)
        if not isinstance(iterated, ast.Name) or iterated.id in assigned | {target.id}:
            name = lowering.fresh(f"{target.id}_rows" if target.id != "_" else "rows")
            before.append(f"{name} = {text}")
            text = name
        tensors.append(text)
        if target.id != "_":
            first.append(f"{target.id} = {text}[{index}]")
    sizes = [f"{lowering.tf}.shape({text})[0]" for text in tensors]
    steps = lowering.fresh("steps")
    size = sizes[0] if len(sizes) == 1 else f"{lowering.tf}.reduce_min([{', '.join(sizes)}])"
    before.append(f"{steps} = {size}")
    return Count(index, "0", f"{index} < {steps}", f"{index} + 1", steps, tuple(before), tuple(first))


def _literal(node: ast.expr) -> int:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return 0
    return value if isinstance(value, int) else 0


def _is_simple(node: ast.expr) -> bool:
    """Whether it can be written several times: a name, a number, an attribute."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name | ast.Constant) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    )
