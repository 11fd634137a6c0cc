"""Take a statement out, whatever else stands on its line."""

from __future__ import annotations

import ast

from tfmigrate.codemod import Change
from tfmigrate.lazy import libcst as cst
from tfmigrate.unit import Unit


def removal(unit: Unit, statement: ast.stmt, keeps_pass: bool = False) -> Change:
    """Takes ``statement`` out, with its line if nothing else stands on it; or puts a ``pass`` in its place."""
    line = unit.cst_statement(statement)
    is_whole = not isinstance(line, cst.SimpleStatementLine | cst.SimpleStatementSuite) or len(line.body) == 1
    if is_whole and not isinstance(line, cst.SimpleStatementSuite):
        return Change(line, cst.parse_statement("pass") if keeps_pass else None)
    return Change(unit.cst_small(statement), cst.Pass() if keeps_pass else None)
