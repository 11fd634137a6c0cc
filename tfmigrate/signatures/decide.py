"""From everything that is known of a function's calls to its input signature, or to the reason against one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tfmigrate.blocked import Blocked
from tfmigrate.signatures.bodies import Body
from tfmigrate.signatures.functions import GraphFunction, is_keras_method
from tfmigrate.signatures.sizes import Asked
from tfmigrate.signatures.values import (
    PythonOf,
    Seen,
    SeveralOf,
    TensorOf,
    Unknown,
    Value,
    folded,
    is_varied,
    leaves,
)
from tfmigrate.unit import Unit


@dataclass(frozen=True, slots=True)
class Signature:
    """The specs of the first parameters. ``opaque``: callees out of sight that get unknown sizes."""

    specs: tuple[tuple[str, Value], ...]
    opaque: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    """Reads of sizes that have to ask the graph."""


def signature(
    unit: Unit, function: GraphFunction, calls: Sequence[Seen], is_sure: bool = False
) -> Signature | Blocked | None:
    """The signature that covers all ``calls``; None where too little is known for an opinion.

    ``is_sure``: it helps even if no size varies.
    """
    args = function.node.args
    if is_keras_method(unit, function):
        return Blocked("keras-method", function.node.name)
    if function.owner and function.receiver != "self":
        return Blocked("receiver-not-self", function.receiver)
    if args.kwonlyargs or args.vararg or args.kwarg:
        return Blocked("keyword-only", ast.unparse(args))
    covered = _covered(function, calls)
    if isinstance(covered, Blocked) or covered is None:
        return covered
    if not is_sure and not any(is_varied(value) for _, value in covered):
        return None
    specs = tuple((name, _batched(value)) for name, value in covered)
    body = _body(unit, function, specs)
    why = body.blocked()
    if why is not None:
        specs = covered
        body = _body(unit, function, specs)
        why = body.blocked()
    return why if why is not None else Signature(specs, tuple(body.opaque), tuple(body.asked))


def _covered(
    function: GraphFunction, calls: Sequence[Seen]
) -> tuple[tuple[str, Value], ...] | Blocked | None:
    """A value for each of the first parameters, as far as calls hand tensors over."""
    specs: list[tuple[str, Value]] = []
    pinned = ""
    for arg in function.parameters:
        given = [dict(call.given).get(arg.arg) for call in calls]
        values = [value for value in given if value is not None]
        default = function.defaults.get(arg.arg)
        if not values or (default is not None and _are(values, default)):
            if default is None:
                return None
            pinned = pinned or arg.arg
            continue
        found = folded(values, arg.arg)
        if isinstance(found, Blocked):
            return found
        if any(isinstance(leaf, PythonOf) for leaf in leaves(found)):
            return Blocked("python-value", arg.arg)
        if any(isinstance(leaf, Unknown) for leaf in leaves(found)):
            return Blocked("opaque-argument", arg.arg)
        if pinned:
            return Blocked("pinned-by-default", f"{pinned}, before {arg.arg}")
        if len(values) < len(given):
            return Blocked("pinned-by-default", arg.arg)
        specs.append((arg.arg, found))
    return tuple(specs)


def _are(values: Iterable[Value], default: ast.expr) -> bool:
    """Whether the parameter always gets its default."""
    return set(values) == {PythonOf(ast.unparse(default))}


def _batched(value: Value) -> Value:
    """The first of several axes is a batch's: of any size."""
    if isinstance(value, SeveralOf):
        return SeveralOf(value.kind, value.names, tuple(map(_batched, value.items)))
    if isinstance(value, TensorOf) and len(value.shape) > 1:
        return replace(value, shape=(None, *value.shape[1:]))
    return value


def _body(unit: Unit, function: GraphFunction, specs: Iterable[tuple[str, Value]]) -> Body:
    unknown: dict[str, frozenset[int]] = {}
    ranks: dict[str, int] = {}
    dtypes: dict[str, str] = {}
    composite: set[str] = set()
    for name, value in specs:
        if isinstance(value, TensorOf):
            unknown[name] = frozenset(i for i, dim in enumerate(value.shape) if dim is None)
            ranks[name] = len(value.shape)
            dtypes[name] = value.dtype
            if value.kind != "Tensor":
                composite.add(name)
    return Body(unit, function, unknown, ranks, given=dtypes, composite=frozenset(composite))
