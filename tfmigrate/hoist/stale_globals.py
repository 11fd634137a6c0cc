"""``tf.function``s that a loop hands another model or optimizer by binding a global anew.

A graph keeps the objects that the globals named when it was traced. The second model is never trained: steps go on
with the first, or raise ("tf.function only supports singleton tf.Variables ...") where the next optimizer wants
variables of its own. The loop makes a ``tf.function`` of the same Python function for each of them.
https://www.tensorflow.org/guide/function#depending_on_python_global_and_free_variables
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Insertion, Update
from tfmigrate.hoist.rewrite import parsed_statements
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import bound_names, own_nodes, parameters, single_target
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_LOOPS = (ast.For, ast.While)


@dataclass(frozen=True, slots=True)
class StaleGlobal:
    """``statements`` of one block bind globals anew that the compiled ``function`` read when it was traced."""

    function: ast.FunctionDef
    names: tuple[str, ...]
    statements: tuple[ast.Assign, ...]
    declared: ast.Global | None
    """The ``global`` statement that names them; None in the module's own code."""
    blocked: Blocked | None


def stale_globals(unit: Unit) -> Iterator[StaleGlobal]:
    """One for each loop and compiled function of the module."""
    compiled = [(one, names) for one in unit.tree.body if (names := _objects_of(unit, one))]
    for function, names in compiled:
        assert isinstance(function, ast.FunctionDef)
        for loop in walk(unit.tree):
            if isinstance(loop, _LOOPS) and _outermost(unit, loop) and _runs(unit, loop, function.name):
                found = _bound_anew(unit, loop, function, names)
                if found is not None:
                    yield found


def _objects_of(unit: Unit, function: ast.stmt) -> set[str]:
    """Globals that the compiled function calls, or asks for an attribute."""
    if not isinstance(function, ast.FunctionDef) or not any(
        _compiles(unit, one) for one in function.decorator_list
    ):
        return set()
    hidden = {one.arg for one in parameters(function)} | bound_names(own_nodes(function))
    used = set()
    for node in own_nodes(function):
        held = (
            node.func
            if isinstance(node, ast.Call)
            else node.value if isinstance(node, ast.Attribute) else None
        )
        if isinstance(held, ast.Name) and held.id not in hidden:
            used.add(held.id)
    return used


def _compiles(unit: Unit, decorator: ast.expr) -> bool:
    func = decorator.func if isinstance(decorator, ast.Call) else decorator
    return unit.names.qualified(func) == "tensorflow.function"


def _outermost(unit: Unit, loop: ast.stmt) -> bool:
    return not any(isinstance(above, _LOOPS) for above in unit.names.ancestors(loop))


def _runs(unit: Unit, loop: ast.AST, name: str, depth: int = 3) -> bool:
    """Whether ``loop`` names the function, or calls one of this file that does."""
    names = {node.id for node in walk(loop) if isinstance(node, ast.Name)}
    if name in names:
        return True
    others = [unit.functions[one] for one in names if one in unit.functions] if depth else []
    return any(_runs(unit, one, name, depth - 1) for one in others)


def _bound_anew(
    unit: Unit, loop: ast.For | ast.While, function: ast.FunctionDef, names: set[str]
) -> StaleGlobal | None:
    scope = unit.names.enclosing_function(loop)
    if isinstance(scope, ast.Lambda) or (scope is not None and unit.names.qualname(scope) in unit.traced):
        return None
    declared = (
        next(
            (node for node in own_nodes(scope) if isinstance(node, ast.Global) and names & {*node.names}),
            None,
        )
        if scope is not None
        else None
    )
    if scope is not None:
        names = names & set(declared.names) if declared is not None else set()
    stores = [node for node in walk(loop) if isinstance(node, ast.Assign) and single_target(node) in names]
    made = [node for node in stores if isinstance(node.value, ast.Call)]
    recompiled = (
        node for node in walk(loop) if isinstance(node, ast.Assign) and single_target(node) == function.name
    )
    if not made or any(_compiles(unit, node.value) for node in recompiled):
        return None
    bound = tuple(sorted({single_target(node) for node in made}))
    blocked = _blocked(unit, loop, function, scope, made, set(bound))
    return StaleGlobal(function, bound, tuple(made), declared, blocked)


def _blocked(
    unit: Unit,
    loop: ast.AST,
    function: ast.FunctionDef,
    scope: ast.AST | None,
    made: list[ast.Assign],
    names: set[str],
) -> Blocked | None:
    stale = Blocked("stale-global", function.name)
    block = unit.names.block_of(made[0])
    first, last = made[0], made[-1]
    together = all(any(one is part for part in block) for one in made)
    if not together or len(function.decorator_list) != 1 or not all(map(unit.has_own_line, made)):
        return stale
    between = block[_at(block, first) : _at(block, last) + 1]
    if any(_runs(unit, one, function.name) for one in between):
        return stale
    stored = [
        node.id for node in walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    rebound = any(
        isinstance(node, ast.Name) and node.id == function.name and isinstance(node.ctx, ast.Store)
        for node in walk(unit.tree)
    )
    if sum(name in names for name in stored) != len(made) or rebound:
        return stale
    if scope is not None and function.name in bound_names(walk(scope)):
        return stale
    return None


def _at(block: list[ast.stmt], statement: ast.stmt) -> int:
    return next(index for index, one in enumerate(block) if one is statement)


def stale_global_changes(unit: Unit, found: StaleGlobal) -> list[AnyChange]:
    """``train_step = tf.function(train_step.python_function)`` behind the assignments."""
    name = found.function.name
    decorator = found.function.decorator_list[0]
    arguments = [f"{name}.python_function"]
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(decorator, ast.Call):
        arguments += [_source(unit, one) for one in decorator.args]
        arguments += [f"{one.arg}={_source(unit, one.value)}" for one in decorator.keywords]
    text = f"{name} = {_source(unit, called)}({', '.join(arguments)})\n"
    new = tuple(parsed_statements(unit, text))
    changes: list[AnyChange] = [Insertion(unit.cst_statement(found.statements[-1]), new, after=True)]
    if found.declared is not None and name not in found.declared.names:

        def named(node: cst.CSTNode) -> cst.CSTNode:
            declared = cst.ensure_type(node, cst.Global)
            last = declared.names[-1].with_changes(
                comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
            )
            return declared.with_changes(names=[*declared.names[:-1], last, cst.NameItem(cst.Name(name))])

        changes.append(Update(unit.cst_small(found.declared), named))
    return changes


def _source(unit: Unit, node: ast.expr) -> str:
    return ast.get_source_segment(unit.text, node) or ast.unparse(node)
