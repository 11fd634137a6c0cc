"""``tf.function``s that are made anew in each turn of a loop: each is traced again."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change, Insertion, Safety, Update
from tfmigrate.lazy import libcst as cst
from tfmigrate.signatures.found import Changes, Found
from tfmigrate.signatures.functions import is_tf_function
from tfmigrate.signatures.settled import own_names, runs_when_traced
from tfmigrate.syntax import FunctionNode, bound_names, dotted
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_LOOPS = (ast.For, ast.While)
_PLAIN = ("tensorflow.", "builtins.", "math.", "numpy.", "keras.ops.")


@dataclass(frozen=True, slots=True)
class Made:
    """A statement directly in a loop that makes one, or (``call``) a call that makes and uses one."""

    loop: ast.For | ast.While
    """The outermost."""
    statement: ast.stmt
    code: ast.AST
    """What is traced, as far as it is written here."""
    name: str
    call: ast.Call | None = None


def made_findings(unit: Unit) -> Iterator[Found]:
    """One for each."""
    for made in _made(unit):
        scope = unit.names.enclosing_function(made.statement)
        symbol = unit.names.qualname(scope) if scope is not None else ""
        if symbol and symbol in unit.traced:
            continue
        owner = unit.names.enclosing_class(scope) if scope is not None else None
        place = made.call or made.statement
        message = f"`{made.name}` is a new tf.function in each turn of the loop, and traced in each"
        why, safety = _blocked(unit, made)
        outcome: Blocked | Changes = why if why is not None else _moved(made)
        message += "" if why is not None else ": made once, before it"
        proof = unit.names.qualname(owner) if owner is not None else ""
        yield Found("TFM504", place, symbol, proof, message, outcome, safety)


def _made(unit: Unit) -> Iterator[Made]:
    for node in walk(unit.tree):
        if isinstance(node, ast.FunctionDef) and len(node.decorator_list) == 1:
            decorator = node.decorator_list[0]
            is_made = is_tf_function(unit, decorator.func if isinstance(decorator, ast.Call) else decorator)
            loop = _loop_around(unit, node) if is_made else None
            if loop is not None and isinstance(unit.names.parent(node), _LOOPS):
                yield Made(loop, node, node, node.name)
        elif isinstance(node, ast.Call) and is_tf_function(unit, node.func) and len(node.args) == 1:
            loop = _loop_around(unit, node)
            code = _code(unit, node.args[0])
            above = unit.names.parent(node)
            if loop is None or code is None:
                continue
            is_plain = isinstance(above, ast.Assign) and isinstance(unit.names.parent(above), _LOOPS)
            if is_plain and isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
                yield Made(loop, above, code, above.targets[0].id)
            elif isinstance(above, ast.Call) and above.func is node and isinstance(node.args[0], ast.Name):
                yield Made(loop, unit.names.statement_of(node), code, f"{node.args[0].id}_function", node)


def _code(unit: Unit, node: ast.expr) -> ast.AST | None:
    """The function that is given to ``tf.function``, if it is in this file."""
    if isinstance(node, ast.Lambda):
        return node
    name = unit.names.qualified(node) if isinstance(node, ast.Name) else None
    return unit.functions.get(unit.local(name)) if name is not None else None


def _loop_around(unit: Unit, node: ast.AST) -> ast.For | ast.While | None:
    """The outermost loop around ``node`` in its function."""
    found: ast.For | ast.While | None = None
    child, above = node, unit.names.parent(node)
    while above is not None and not isinstance(above, FunctionNode | ast.ClassDef | ast.Module):
        if isinstance(above, _LOOPS) and child in above.body:
            found = above
        child, above = above, unit.names.parent(above)
    return found


def _blocked(unit: Unit, made: Made) -> tuple[Blocked | None, Safety]:
    """Why it has to be made in each turn, or whether that is only not certain."""
    inside = {id(node) for node in walk(made.statement)} if made.call is None else {id(made.call)}
    around = [node for node in walk(made.loop) if id(node) not in inside]
    bound = bound_names(around)
    read = {one.id for one in ast.walk(made.code) if isinstance(one, ast.Name)} - own_names(made.code)
    if made.call is None:
        read |= {one.id for one in ast.walk(made.statement) if isinstance(one, ast.Name)} - own_names(
            made.code
        )
    else:
        read |= {one.id for one in ast.walk(made.call) if isinstance(one, ast.Name)}
    read.discard(made.name)
    if read & bound:
        return Blocked("loop-variable", min(read & bound)), Safety.SAFE
    is_used_before = any(
        isinstance(node, ast.Name) and node.id == made.name and node.lineno < made.statement.lineno
        for node in around
    )
    if made.call is None and (made.name in bound or is_used_before):
        return Blocked("loop-variable", made.name), Safety.SAFE
    if made.call is not None and made.name in names_of(unit):
        return Blocked("name-taken", made.name), Safety.SAFE
    why = runs_when_traced(unit, made.code)
    if why is not None:
        return why, Safety.SAFE
    state = next(_changed_state(around), None)
    if state is not None:
        return Blocked("state-in-loop", ast.unparse(state)), Safety.SAFE
    return None, Safety.SAFE if _is_quiet(unit, made, around) else Safety.UNSAFE


def names_of(unit: Unit) -> set[str]:
    """All names that anything in the file binds."""
    arguments = {one.arg for one in walk(unit.tree) if isinstance(one, ast.arg)}
    return arguments | bound_names(walk(unit.tree))


def _changed_state(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    for node in nodes:
        is_stored = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
        if is_stored and isinstance(node, ast.Attribute | ast.Subscript):
            yield node


def _is_quiet(unit: Unit, made: Made, around: Iterable[ast.AST]) -> bool:
    """Whether nothing in the loop can change what a new trace would see: only plain functions are called."""
    for node in around:
        if not isinstance(node, ast.Call) or (made.call is not None and node.func is made.call):
            continue
        name = unit.names.qualified(node.func)
        receiver, _, method = dotted(node.func).rpartition(".")
        is_list = bool(receiver) and method in ("append", "numpy")
        is_made = dotted(node.func) == made.name
        if not (is_made or is_list or (name is not None and name.startswith(_PLAIN))):
            return False
    return True


def _moved(made: Made) -> Changes:
    def changes(unit: Unit) -> Iterator[AnyChange]:
        anchor = unit.cst_statement(made.loop)
        if made.call is None:
            old = unit.cst_statement(made.statement)
            assert isinstance(old, cst.FunctionDef | cst.SimpleStatementLine)
            is_function = isinstance(old, cst.FunctionDef)
            lines = [one for one in old.leading_lines if one.comment is not None]
            if is_function and not _is_first(unit, made.loop):
                lines.insert(0, cst.EmptyLine(indent=False))
            yield Change(old, None)
            yield from closed_up(unit, made.statement)
            new = old.deep_clone().with_changes(leading_lines=lines)
            yield Insertion(anchor, (new,), after=False, blank_lines=1 if is_function else 0)
            return
        text = f"{made.name} = {ast.unparse(made.call)}"
        new_line = cst.parse_statement(text, unit.parser_config)
        yield Insertion(anchor, (new_line,), after=False)
        yield Change(unit.cst_expression(made.call), cst.Name(made.name))

    return changes


def _is_first(unit: Unit, statement: ast.stmt) -> bool:
    """Whether a block begins with it."""
    return unit.names.block_of(statement)[:1] == [statement]


def closed_up(unit: Unit, gone: ast.stmt) -> Iterator[AnyChange]:
    """Without blank lines where a block begins after the statement that goes from there."""
    block = unit.names.block_of(gone)
    if block[0] is gone and len(block) > 1:
        yield Update(unit.cst_statement(block[1]), _without_blank_lines)


def _without_blank_lines(node: cst.CSTNode) -> cst.CSTNode:
    leading = list(getattr(node, "leading_lines", ()))
    while leading and leading[0].comment is None:
        del leading[0]
    return node.with_changes(leading_lines=leading)
