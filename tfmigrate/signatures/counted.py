"""Python numbers that a loop hands to a ``tf.function``: a trace for each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change
from tfmigrate.imports import tensorflow_name
from tfmigrate.lazy import libcst as cst
from tfmigrate.signatures.callsites import CallSites, Sites
from tfmigrate.signatures.found import Changes, Found
from tfmigrate.signatures.functions import GraphFunction, is_keras_method
from tfmigrate.signatures.numbers import Numbers
from tfmigrate.signatures.uses import Uses
from tfmigrate.signatures.values import TensorOf
from tfmigrate.unit import Unit


def number_findings(unit: Unit, sites: Sites, function: GraphFunction) -> Iterator[Found]:
    """One for each call that hands over numbers that follow from a loop's counter."""
    if is_keras_method(unit, function):
        return
    found = sites.of(function)
    numbers = Numbers(unit, sites.expressions)
    given = {}
    kinds: dict[str, str] = {}
    for call, _ in found.sure:
        arguments = _varying(unit, function, call, numbers)
        if arguments:
            given[call] = arguments
            for name, node in arguments.items():
                kind = numbers.kind(node)
                kinds[name] = kind if kinds.get(name, kind) == kind else "float"
    if not given:
        return
    why = Uses(unit, function, kinds, _dtypes(found)).blocked()
    for call, arguments in given.items():
        yield _found(unit, function, call, arguments, why)


def _varying(unit: Unit, function: GraphFunction, call: ast.Call, numbers: Numbers) -> Mapping[str, ast.expr]:
    """The arguments of ``call`` that are other Python numbers in each turn of a loop."""
    scope = unit.names.enclosing_function(call)
    if scope is not None and unit.names.qualname(scope) in unit.traced:
        return {}
    names = [arg.arg for arg in function.parameters]
    given: dict[str, ast.expr] = {}
    for name, node in zip(names, call.args, strict=False):
        if isinstance(node, ast.Starred):
            break
        given[name] = node
    given.update((one.arg, one.value) for one in call.keywords if one.arg in names)
    return {name: node for name, node in given.items() if numbers.kind(node) and numbers.varies(node)}


def _dtypes(found: CallSites) -> dict[str, str]:
    """Parameter -> ``float32``, where all calls show it."""
    if not found.is_whole:
        return {}
    seen: dict[str, set[str]] = {}
    for call in found.seen:
        for name, value in call.given:
            seen.setdefault(name, set()).add(value.dtype if isinstance(value, TensorOf) else "")
    return {name: "float32" for name, dtypes in seen.items() if dtypes == {"float32"}}


def _found(
    unit: Unit,
    function: GraphFunction,
    call: ast.Call,
    arguments: Mapping[str, ast.expr],
    why: Blocked | None,
) -> Found:
    scope = unit.names.enclosing_function(call)
    symbol = unit.names.qualname(scope) if scope is not None else ""
    owner = unit.names.enclosing_class(scope) if scope is not None else None
    name = tensorflow_name(unit, symbol)
    names = ", ".join(f"`{one}`" for one in arguments)
    message = f"`{function.symbol}` is traced anew for each value of {names}"
    outcome: Blocked | Changes
    if why is not None:
        outcome = why
    elif name is None or name.after is not None:
        outcome = Blocked("no-tensorflow-name")
    else:
        outcome = _made_tensors(arguments, name.name)
        message += ": handed over as a tensor" if len(arguments) == 1 else ": handed over as tensors"
    proof = unit.names.qualname(owner) if owner is not None else ""
    return Found("TFM503", call, symbol or function.symbol, proof, message, outcome)


def _made_tensors(arguments: Mapping[str, ast.expr], tensorflow: str) -> Changes:
    def changes(unit: Unit) -> Iterator[AnyChange]:
        for node in arguments.values():
            old = unit.cst_expression(node)
            function = cst.parse_expression(f"{tensorflow}.constant", unit.parser_config)
            yield Change(old, cst.Call(function, [cst.Arg(old.deep_clone())]))

    return changes
