"""Layers made in a ``tf.function`` at module level: they become globals above the function.

A ``tf.function`` may make variables in its first call only; a layer that outlives the call is built in that one.
https://www.tensorflow.org/guide/function#creating_tfvariables
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change, Insertion
from tfmigrate.hoist.context import Binding, context_of, is_removable
from tfmigrate.hoist.lasting import GLOBAL_OPTIMIZER, Lasting, lasting_of, reset_change
from tfmigrate.hoist.portable import Portability
from tfmigrate.hoist.rewrite import code_of, parsed_statements
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import bound_names, own_nodes, parameters, snake_case
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class GlobalMove:
    """``call`` in the module-level ``function`` becomes a global."""

    call: ast.Call
    function: ast.FunctionDef
    binding: Binding | None
    lasting: Lasting | None = None
    """For a metric or an optimizer."""


def global_move(unit: Unit, symbol: str, call: ast.Call, is_layer: bool = True) -> GlobalMove | Blocked:
    """How ``call`` moves out of the function, or why it stays."""
    function = unit.functions[symbol]
    outside = Blocked("outside-class")
    trace = unit.traced.get(symbol)
    is_root = trace is not None and trace.root == "tf.function" and len(trace.chain) <= 1
    if not isinstance(function, ast.FunctionDef) or function not in unit.tree.body or not is_root:
        return outside
    context = context_of(unit, call, function, is_layer)
    if isinstance(context, Blocked):
        return context
    lasting = None if is_layer else lasting_of(unit, function, call, context)
    if isinstance(lasting, Blocked):
        return lasting
    if lasting is not None and lasting.reset_at is not None:
        context = replace(context, loops=())
    elif lasting is not None:
        lasting = replace(lasting, risk=GLOBAL_OPTIMIZER)
    if context.loops or not (context.binding is None or isinstance(context.binding, Binding)):
        return outside
    needs = Portability(unit, function, "", lambda attribute: outside).needs(call)
    if isinstance(needs, Blocked):
        return needs
    if needs.inlined or needs.globals - _bound_above(unit, function):
        return outside
    return GlobalMove(call, function, context.binding, lasting)


def _bound_above(unit: Unit, function: ast.FunctionDef) -> set[str]:
    above = unit.tree.body[: unit.tree.body.index(function)]
    return bound_names(node for statement in above for node in _outer(statement))


def _outer(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a module-level statement, without what is inside functions and classes."""
    yield statement
    if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield from walk(statement)


def global_changes(
    unit: Unit, moves: Sequence[GlobalMove], given: set[str]
) -> tuple[list[tuple[GlobalMove, str]], list[AnyChange]]:
    """Each move with its global's name, and all changes. ``given`` collects the globals' names given out in this file."""
    taken = given | {node.id for node in walk(unit.tree) if isinstance(node, ast.Name)}
    taken |= bound_names(walk(unit.tree)) | {
        parameter.arg for function in unit.functions.values() for parameter in parameters(function)
    }
    named: list[tuple[GlobalMove, str]] = []
    changes: list[AnyChange] = []
    lines: dict[int, list[str]] = {}
    for move in moves:
        name = _name(unit, move, taken)
        taken.add(name)
        given.add(name)
        named.append((move, name))
        lines.setdefault(id(move.function), []).extend(_definition(unit, move, name))
        changes.extend(_uses(unit, move, name))
    for function in {id(move.function): move.function for move in moves}.values():
        statements = parsed_statements(unit, "\n".join(lines[id(function)]) + "\n")
        changes.append(Insertion(unit.cst_statement(function), tuple(statements), after=False, blank_lines=2))
    return named, changes


def _name(unit: Unit, move: GlobalMove, taken: set[str]) -> str:
    binding = move.binding
    if (
        binding is not None
        and binding.statement is not None
        and _goes(unit, move, binding.statement)
        and _is_only_here(unit, move.function, binding.name)
    ):
        return binding.name
    name = snake_case((unit.names.qualified(move.call.func) or "layer").rpartition(".")[2])
    chosen, count = name, 0
    while chosen in taken:
        count += 1
        chosen = f"{name}_{count}"
    return chosen


def _goes(unit: Unit, move: GlobalMove, statement: ast.stmt) -> bool:
    """Whether the statement that binds the object goes, or is replaced by one that sets it back."""
    return (move.lasting is not None and move.lasting.replaces) or is_removable(unit, statement)


def _is_only_here(unit: Unit, function: ast.FunctionDef, name: str) -> bool:
    """Whether nothing outside of ``function`` uses the name, which is about to be a global's."""
    inside = sum(isinstance(node, ast.Name) and node.id == name for node in walk(function))
    everywhere = sum(isinstance(node, ast.Name) and node.id == name for node in walk(unit.tree))
    others = (other for other in unit.functions.values() if other is not function)
    is_parameter = any(parameter.arg == name for other in others for parameter in parameters(other))
    defined = any(getattr(statement, "name", "") == name for statement in unit.tree.body)
    return inside == everywhere and not is_parameter and not defined


def _definition(unit: Unit, move: GlobalMove, name: str) -> list[str]:
    text = f"{name} = {code_of(unit.cst_expression(move.call))}"
    statement = move.binding.statement if move.binding is not None else None
    if statement is None or not _goes(unit, move, statement):
        return [text]
    line = unit.cst(statement, cst.SimpleStatementLine)
    trailing = line.trailing_whitespace.comment
    above = [blank.comment.value for blank in line.leading_lines if blank.comment]
    return [*above, f"{text}  {trailing.value}" if trailing else text]


def _uses(unit: Unit, move: GlobalMove, name: str) -> Iterator[AnyChange]:
    binding = move.binding
    reset = reset_change(unit, move.lasting, name) if move.lasting is not None else None
    if isinstance(reset, Insertion):
        yield reset
    if binding is None or binding.statement is None or not _goes(unit, move, binding.statement):
        yield Change(unit.cst_expression(move.call), cst.Name(name))
        return
    yield reset if isinstance(reset, Change) else Change(unit.cst_statement(binding.statement), None)
    for node in own_nodes(move.function):
        if (
            isinstance(node, ast.Name)
            and node.id == binding.name
            and isinstance(node.ctx, ast.Load)
            and name != node.id
        ):
            yield Change(unit.cst_expression(node), cst.Name(name))
