"""What is decided over a function, and the changes of its tree that follow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import Change, Insertion
from tfmigrate.draws.changes import without_indented_blanks
from tfmigrate.draws.text import Rewriting
from tfmigrate.lazy import libcst as cst
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Place:
    """One place that was looked at."""

    node: ast.expr | ast.stmt
    code: str
    message: str
    blocked: Blocked | None = None


@dataclass(slots=True)
class Draft:
    """New text for parts of one function: statements, and expressions in the ``rewriting``."""

    rewriting: Rewriting
    statements: dict[int, tuple[ast.stmt, list[str]]] = field(default_factory=dict)
    """A simple statement and those in its place."""
    blocks: dict[int, tuple[ast.stmt, str]] = field(default_factory=dict)
    """A statement of any kind, and the lines in its place."""
    before: list[tuple[ast.stmt, list[str]]] = field(default_factory=list)
    after: list[tuple[ast.stmt, list[str]]] = field(default_factory=list)

    def put(self, statement: ast.stmt, *texts: str) -> None:
        self.statements[id(statement)] = (statement, list(texts))

    def put_block(self, statement: ast.stmt, text: str) -> None:
        self.blocks[id(statement)] = (statement, text)

    def put_before(self, statement: ast.stmt, *texts: str) -> None:
        self.before.append((statement, list(texts)))

    def put_after(self, statement: ast.stmt, *texts: str) -> None:
        self.after.append((statement, list(texts)))

    def is_shared(self, unit: Unit) -> ast.stmt | None:
        """A statement that shares its line where it cannot."""
        for statement, texts in self.statements.values():
            if len(texts) != 1 and not unit.has_own_line(statement):
                return statement
        for statement, _ in (*self.before, *self.after):
            line = unit.cst_statement(statement)
            if isinstance(line, cst.SimpleStatementSuite) or (
                isinstance(line, cst.SimpleStatementLine) and len(line.body) > 1
            ):
                return statement
        return None

    def changes(self, unit: Unit) -> Iterator[Change | Insertion]:
        """The changes of the tree."""
        replaced = [*self.statements.values(), *self.blocks.values()]
        away = {id(part) for statement, _ in replaced for part in walk(statement)}
        for node, text in self.rewriting.new.values():
            if id(node) not in away and not self.is_inside(unit, node):
                yield Change(unit.cst_expression(node), cst.parse_expression(text, unit.parser_config))
        for statement, texts in self.statements.values():
            if not texts:
                yield Change(unit.cst_statement(statement), None)
                continue
            first, *rest = _parsed(unit, texts)
            assert isinstance(first, cst.SimpleStatementLine)
            yield Change(unit.cst_small(statement), first.body[0])
            if rest:
                yield Insertion(unit.cst_statement(statement), tuple(rest), after=True)
        for statement, text in self.blocks.values():
            anchor = unit.cst_statement(statement)
            new = _parsed(unit, [text])
            leading = list(getattr(anchor, "leading_lines", ()))
            if isinstance(new[0], cst.FunctionDef):
                leading = self.apart(unit, statement, leading)
            new[0] = new[0].with_changes(leading_lines=leading)
            if isinstance(new[-1], cst.FunctionDef):
                new[-1] = _with_blank_end(new[-1])
            yield Change(anchor, None)
            yield Insertion(anchor, tuple(new), after=False)
        for statement, texts in self.before:
            new = _parsed(unit, texts)
            if isinstance(new[0], cst.FunctionDef):
                new[0] = new[0].with_changes(leading_lines=self.apart(unit, statement, []))
                new[-1] = _with_blank_end(new[-1])
            yield Insertion(unit.cst_statement(statement), tuple(new), after=False)
        for statement, texts in self.after:
            yield Insertion(unit.cst_statement(statement), tuple(_parsed(unit, texts)), after=True)

    def apart(self, unit: Unit, statement: ast.stmt, leading: list[cst.EmptyLine]) -> list[cst.EmptyLine]:
        """A blank line before a local function, unless a block begins with it."""
        block = unit.names.block_of(statement) or [statement]
        before = block[: next(number for number, one in enumerate(block) if one is statement)]
        removed = {key for key, (_, texts) in self.statements.items() if not texts}
        is_first = all(id(one) in removed for one in before)
        has_blank = any(line.comment is None for line in leading)
        return leading if is_first or has_blank else [cst.EmptyLine(indent=False), *leading]

    def is_inside(self, unit: Unit, node: ast.expr) -> bool:
        """Whether the expression stands in another that is written anew."""
        above = unit.names.parent(node)
        while isinstance(above, ast.expr | ast.keyword | ast.comprehension):
            if id(above) in self.rewriting.new:
                return True
            above = unit.names.parent(above)
        return False


def _parsed(unit: Unit, texts: list[str]) -> list[cst.SimpleStatementLine | cst.BaseCompoundStatement]:
    statements = cst.parse_module("\n".join(texts) + "\n", unit.parser_config).body
    return [without_indented_blanks(one) for one in statements]


def _with_blank_end(
    statement: cst.SimpleStatementLine | cst.BaseCompoundStatement,
) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
    """A blank line after a local function."""
    if not isinstance(statement, cst.FunctionDef) or not isinstance(statement.body, cst.IndentedBlock):
        return statement
    return statement.with_changes(body=statement.body.with_changes(footer=[cst.EmptyLine(indent=False)]))
