"""From what was decided over a function to changes of its tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmigrate.codemod import Change, Insertion
from tfmigrate.draws.outcome import Decision
from tfmigrate.lazy import libcst as cst
from tfmigrate.unit import Unit


def begins_block(unit: Unit, statement: ast.stmt) -> bool:
    """Whether no statement comes before it in its block."""
    parent = unit.names.parent(statement)
    return any(
        getattr(parent, name, None) and getattr(parent, name)[0] is statement for name in ("body", "orelse")
    )


def without_indented_blanks(
    statement: cst.SimpleStatementLine | cst.BaseCompoundStatement,
) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
    """The statement, to be put at any depth: the blank lines above it are empty."""
    blanks = [
        line.with_changes(indent=False) if line.comment is None else line for line in statement.leading_lines
    ]
    return statement.with_changes(leading_lines=blanks)


def changes_of(unit: Unit, decision: Decision) -> Iterator[Change | Insertion]:
    """The new expressions, and new statements in the place of an ``if``."""
    for node, text in decision.expressions:
        yield Change(unit.cst_expression(node), cst.parse_expression(text, unit.parser_config))
    for statement, lines in decision.added:
        new = cst.parse_module(lines + "\n", unit.parser_config).body
        yield Insertion(unit.cst_statement(statement), tuple(new), after=False)
    for statement in decision.removed:
        yield Change(unit.cst_statement(statement), None)
    for statement, lines, rest in decision.statements:
        anchor = unit.cst_statement(statement)
        new = [
            without_indented_blanks(one) for one in cst.parse_module(lines + "\n", unit.parser_config).body
        ]
        leading = list(getattr(anchor, "leading_lines", ()))
        if not begins_block(unit, statement) and all(line.comment is not None for line in leading):
            leading.insert(0, cst.EmptyLine(indent=False))
        new[0] = new[0].with_changes(leading_lines=leading)
        yield Change(anchor, None)
        yield Insertion(anchor, tuple(new), after=False)
        for other in rest:
            yield Change(unit.cst_statement(other), None)
