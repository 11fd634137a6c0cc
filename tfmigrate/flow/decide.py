"""Decide over one traced function: all that a tensor decides in it is written anew, or all of it stays."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change, Target
from tfmigrate.draws.entries import Entries
from tfmigrate.draws.text import Rewriting
from tfmigrate.flow.checks import caught, caught_lines
from tfmigrate.flow.conditions import CannotLower
from tfmigrate.flow.expressions import code_of, decided_expressions, rewrite
from tfmigrate.flow.kinds import Kinds
from tfmigrate.flow.lowering import Lowering
from tfmigrate.flow.placing import statement_changes
from tfmigrate.flow.reading import FlowReader
from tfmigrate.flow.sifting import Sieve
from tfmigrate.imports import tensorflow_name
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import FunctionNode, own_nodes
from tfmigrate.unit import Unit
from tfmigrate.walk import blocks, walk

_CODES: dict[type[ast.stmt], str] = {
    ast.If: "TFM401",
    ast.While: "TFM402",
    ast.For: "TFM403",
    ast.Assert: "TFM404",
}
_CHECKS = ("TFM404", "TFM407")
"""What AutoGraph leaves as it is."""
_STEPS = ("keras-step",)


@dataclass(frozen=True, slots=True)
class Found:
    """A place where a tensor decides, and its code."""

    node: ast.stmt | ast.expr
    code: str


@dataclass(frozen=True, slots=True)
class Lowered:
    """All of a function's places, and the changes that mend them."""

    found: tuple[Found, ...]
    changes: tuple[AnyChange, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """New lines for a statement, and for those after it that they hold too."""

    node: ast.stmt
    lines: tuple[str, ...]
    rest: tuple[ast.stmt, ...]


def decided(
    unit: Unit, symbol: str, entries: Entries, sieve: Sieve
) -> Lowered | list[tuple[Found, Blocked]] | None:
    """What becomes of the function; None where nothing in it concerns us, else why its places stay."""
    function = unit.functions[symbol]
    if isinstance(function, ast.Lambda) or not sieve.may_decide(function):
        return None
    lowering = lowering_of(unit, symbol, function, entries)
    found = [one for one in _found(lowering) if unit.is_wanted(one.code, one.node)]
    if not found:
        return None
    only_checks = _only_checks(unit, symbol, entries)
    if only_checks:
        found = [one for one in found if one.code in _CHECKS]
    if not found:
        return None
    why = _blocked(unit, symbol)
    if why is not None:
        return [(one, why) for one in found]
    try:
        return _lowered(lowering, found, only_checks)
    except CannotLower as cannot:
        return _stays(found, cannot.blocked, cannot.place or found[0].node)


def lowering_of(unit: Unit, symbol: str, function: FunctionNode, entries: Entries) -> Lowering:
    """The function, read and ready to be written anew."""
    reader = FlowReader(unit, {}, entries.tensor_parameters)
    # Nested functions see the names around them.
    reader.function(unit.names.outermost_function(function), {})
    kinds = Kinds(unit, reader.reading)
    in_call = unit.traced[symbol].root not in _STEPS
    return Lowering(unit, function, symbol, kinds, Rewriting(unit), in_call)


def _only_checks(unit: Unit, symbol: str, entries: Entries) -> bool:
    """Whether AutoGraph converts all but ``assert`` and ``raise``."""
    is_keras2_call = unit.target is Target.KERAS2 and unit.traced[symbol].root not in _STEPS
    return entries.has_autograph(symbol) or is_keras2_call


def _blocked(unit: Unit, symbol: str) -> Blocked | None:
    trace = unit.traced[symbol]
    if trace.root == "unknown-base":
        return Blocked("maybe-traced")
    if symbol in unit.redefined:
        return Blocked("defined-twice", symbol)
    if tensorflow_name(unit, symbol) is None:
        return Blocked("no-tensorflow-name")
    return None


def _found(lowering: Lowering) -> Iterator[Found]:
    statements = [node for node in own_nodes(lowering.function) if isinstance(node, ast.stmt)]
    for node in sorted(statements, key=lambda node: (node.lineno, node.col_offset)):
        if not lowering.kinds.decides(node) or _runs_eagerly(lowering, node):
            continue
        is_raise = isinstance(node, ast.If) and len(node.body) == 1 and isinstance(node.body[0], ast.Raise)
        yield Found(node, "TFM407" if is_raise else _CODES[type(node)])
    for expression in decided_expressions(lowering):
        if not _runs_eagerly(lowering, expression):
            yield Found(expression, code_of(expression))


def _runs_eagerly(lowering: Lowering, node: ast.AST) -> bool:
    """Whether the code around asks first whether TensorFlow runs eagerly."""
    return any(
        isinstance(above, ast.If | ast.IfExp) and "executing_eagerly" in ast.unparse(above.test)
        for above in lowering.unit.names.ancestors(node, lowering.function)
    )


def _lowered(lowering: Lowering, found: Sequence[Found], has_autograph: bool) -> Lowered:
    """Everything written.

    Raises:
        CannotLower: something in the function has to stay.
    """
    for one in found:
        if isinstance(one.node, ast.expr):
            with _placed(one.node):
                rewrite(lowering, one.node)
    wanted = {id(one.node) for one in found}
    assert not isinstance(lowering.function, ast.Lambda)
    written = list(_written(lowering, lowering.function.body, wanted, has_autograph))
    covered = {id(part) for one in written for top in (one.node, *one.rest) for part in walk(top)}
    changes: list[AnyChange] = []
    for new in written:
        changes += statement_changes(lowering.unit, new.node, new.lines, new.rest)
    for node, text in lowering.rewriting.outermost(lowering.function):
        if id(node) not in covered:
            config = lowering.unit.parser_config
            changes.append(Change(lowering.unit.cst_expression(node), cst.parse_expression(text, config)))
    return Lowered(tuple(found), tuple(changes))


@contextmanager
def _placed(node: ast.AST) -> Iterator[None]:
    """What cannot be written in here is told at ``node``."""
    try:
        yield
    except CannotLower as cannot:
        cannot.place = cannot.place or node
        raise


def _written(
    lowering: Lowering, block: Sequence[ast.stmt], wanted: set[int], has_autograph: bool
) -> Iterator[Written]:
    """The outermost statements of ours, in order."""
    for position, node in enumerate(block):
        joined = caught(lowering, node) if isinstance(node, ast.Try) and id(node.body[0]) in wanted else None
        if joined is not None:
            assert isinstance(node, ast.Try)
            yield _whole(lowering, node, caught_lines(lowering, node, joined, has_autograph), ())
        elif id(node) in wanted:
            if isinstance(node, ast.Assert) and not lowering.unit.has_own_line(node):
                raise CannotLower("unsupported-statement", node)
            rest = tuple(block[position + 1 :])
            with _placed(node):
                lines, took_rest = lowering.statement(node, rest, None)
            yield _whole(lowering, node, lines, rest if took_rest else ())
            if took_rest:
                return
        elif isinstance(node, ast.If) and _has_our_elif(lowering, node, wanted):
            lines, _ = lowering.statement(node, (), None)
            yield _whole(lowering, node, lines, ())
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for inner in _blocks(node):
                yield from _written(lowering, inner, wanted, has_autograph)


def _whole(lowering: Lowering, node: ast.stmt, lines: list[str], rest: tuple[ast.stmt, ...]) -> Written:
    """The lines with all comments of what they replace.

    Raises:
        CannotLower: a function in which a tensor decides as well is among that.
    """
    _refuse_nested(lowering, (node, *rest))
    return Written(node, tuple(lowering.source.with_all_comments(lines, (node, *rest))), rest)


def _has_our_elif(lowering: Lowering, node: ast.If, wanted: set[int]) -> bool:
    """Whether one of the ``elif`` of an ``if`` is ours: it can only be written anew together with the whole."""
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        line = lowering.unit.lines[node.orelse[0].lineno - 1]
        if not line.lstrip().startswith("elif"):
            return False
        node = node.orelse[0]
        if any(id(part) in wanted for part in walk(node) if isinstance(part, ast.stmt)):
            return True
    return False


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    yield from blocks(node)
    for handler in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield handler.body


def _refuse_nested(lowering: Lowering, statements: Sequence[ast.stmt]) -> None:
    """A function defined inside, in which a tensor decides as well, would be edited twice.

    Raises:
        CannotLower: there is one.
    """
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inside = (n for n in walk(node) if isinstance(n, ast.stmt | ast.expr))
                if any(lowering.kinds.decides(part) for part in inside):
                    raise CannotLower("unsupported-statement", node)


def _stays(found: Sequence[Found], blocked: Blocked, place: ast.AST) -> list[tuple[Found, Blocked]]:
    inside = [one for one in found if one.node is place] or list(found[:1])
    return [(one, blocked if one in inside else Blocked("function-stays-whole")) for one in found]
