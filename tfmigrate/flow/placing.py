"""From new lines to changes of the tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfmigrate.codemod import AnyChange, Change, Insertion
from tfmigrate.draws.changes import begins_block, without_indented_blanks
from tfmigrate.draws.text import Rewriting
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
    new = [without_indented_blanks(one) for one in parsed]
    above = Rewriting(unit).comments(node)[0]
    leading = list(getattr(anchor, "leading_lines", ()))
    own = [line for line in leading if line.comment is None or line.comment.value not in above]
    first = new[0]
    is_definition = isinstance(first, cst.FunctionDef)
    if is_definition and not own and not begins_block(unit, node):
        own = [cst.EmptyLine(indent=False)]
    new[0] = first.with_changes(leading_lines=[*own, *first.leading_lines])
    yield Change(anchor, None)
    yield Insertion(anchor, tuple(new), after=False)
    for other in rest:
        yield Change(unit.cst_statement(other), None)
