"""From new lines to changes of the tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfmigrate.codemod import AnyChange, Change, Insertion
from tfmigrate.lazy import libcst as cst
from tfmigrate.unit import Unit


def statement_changes(
    unit: Unit, node: ast.stmt, lines: Sequence[str], rest: Sequence[ast.stmt]
) -> Iterator[AnyChange]:
    """``lines`` in the place of ``node`` and of ``rest``, the statements after it."""
    anchor = unit.cst_statement(node)
    text = "\n".join(lines).strip("\n") + "\n"
    # Behind another statement, a comment on the first line belongs to what follows it.
    parsed = cst.parse_module(f"pass\n{text}", unit.parser_config).body[1:]
    new = [_without_indented_blanks(one) for one in parsed]
    above = _comment_lines(unit, node)
    leading = list(getattr(anchor, "leading_lines", ()))
    own = [line for line in leading if line.comment is None or line.comment.value not in above]
    first = new[0]
    is_definition = isinstance(first, cst.FunctionDef)
    if is_definition and not own and not _begins_block(unit, node):
        own = [cst.EmptyLine(indent=False)]
    new[0] = first.with_changes(leading_lines=[*own, *first.leading_lines])
    yield Change(anchor, None)
    yield Insertion(anchor, tuple(new), after=False)
    for other in rest:
        yield Change(unit.cst_statement(other), None)


def _comment_lines(unit: Unit, node: ast.stmt) -> set[str]:
    """Comments directly above, which the new lines begin with."""
    found: set[str] = set()
    number = node.lineno - 2
    while number >= 0 and unit.lines[number].strip().startswith("#"):
        found.add(unit.lines[number].strip())
        number -= 1
    return found


def _begins_block(unit: Unit, statement: ast.stmt) -> bool:
    parent = unit.names.parent(statement)
    blocks = (getattr(parent, name, None) for name in ("body", "orelse"))
    return any(isinstance(block, list) and block and block[0] is statement for block in blocks)


def _without_indented_blanks(
    statement: cst.SimpleStatementLine | cst.BaseCompoundStatement,
) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
    blanks = [
        line.with_changes(indent=False) if line.comment is None else line for line in statement.leading_lines
    ]
    return statement.with_changes(leading_lines=blanks)
