"""The source text of expressions and statements, with some parts of them written anew."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(slots=True)
class Rewriting:
    """New texts for expressions, by the id of their node. A text may hold those of others inside."""

    unit: Unit
    new: dict[int, tuple[ast.expr, str]] = field(default_factory=dict)

    def replace(self, node: ast.expr, text: str) -> None:
        self.new[id(node)] = (node, text)

    def text(self, node: ast.expr | ast.stmt) -> str:
        """The text of ``node`` as it is to be written."""
        if id(node) in self.new:
            return self.new[id(node)][1]
        return self.span(
            node, node.lineno, node.end_lineno or node.lineno, node.col_offset, node.end_col_offset or 0
        )

    def lines(self, statement: ast.stmt) -> list[str]:
        """The statement's own lines without its indentation, with the comments above and behind it."""
        above, behind = self.comments(statement)
        first, *more = (self.text(statement) + behind).splitlines()
        return [*above, first, *(dedented(line, statement.col_offset) for line in more)]

    def comments(self, statement: ast.stmt) -> tuple[list[str], str]:
        """Comments directly above a statement, and the one behind its last line."""
        lines = self.unit.lines
        above: list[str] = []
        number = statement.lineno - 2
        while number >= 0 and lines[number].strip().startswith("#"):
            above.insert(0, lines[number].strip())
            number -= 1
        last = statement.end_lineno or statement.lineno
        behind = lines[last - 1].encode()[statement.end_col_offset or 0 :].decode().strip()
        return above, f"  {behind}" if behind.startswith("#") else ""

    def span(self, node: ast.AST, first: int, last: int, start: int, end: int) -> str:
        """The text from (line, byte) to (line, byte), with what ``node`` holds written anew."""
        lines = [line.encode() for line in self.unit.lines[first - 1 : last]]
        for part, text in sorted(self.outermost(node), key=lambda pair: _place(pair[0]), reverse=True):
            last_line = part.end_lineno or part.lineno
            tail = lines[last_line - first][part.end_col_offset or 0 :]
            head = lines[part.lineno - first][: part.col_offset]
            if last_line == last:
                end += len(head + text.encode()) - (part.end_col_offset or 0)
            lines[part.lineno - first : last_line - first + 1] = [head + text.encode() + tail]
            last -= last_line - part.lineno
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][start:]
        return b"".join(lines).decode()

    def outermost(self, node: ast.AST) -> list[tuple[ast.expr, str]]:
        """What is written anew inside of ``node`` and inside of nothing else that is."""
        found: list[tuple[ast.expr, str]] = []
        todo = list(ast.iter_child_nodes(node))
        while todo:
            child = todo.pop()
            if id(child) in self.new:
                found.append(self.new[id(child)])
            else:
                todo.extend(ast.iter_child_nodes(child))
        return found


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def dedented(line: str, indent: int) -> str:
    """The line without ``indent`` characters of indentation, as far as it has them."""
    return line[indent:] if not line[:indent].strip() else line.lstrip()


def indented(lines: Sequence[str], indent: str) -> list[str]:
    """The lines one level deeper."""
    return [indent + line if line else line for line in lines]


def long_string(node: ast.AST) -> ast.expr | None:
    """A string over several lines in ``node``, which another indentation would change."""
    for part in walk(node):
        if isinstance(part, ast.Constant | ast.JoinedStr) and part.end_lineno != part.lineno:
            return part
    return None


def unused(wanted: str, taken: set[str]) -> str:
    """``wanted``, or with a number if that is among ``taken``."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def fresh(wanted: str, taken: set[str]) -> str:
    """An unused name, which is among ``taken`` from then on."""
    name = unused(wanted, taken)
    taken.add(name)
    return name


def is_loose(text: str) -> bool:
    """Whether an expression needs parentheses beside an operator."""
    node = ast.parse(text, mode="eval").body
    atoms = ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant | ast.List | ast.Tuple
    return not isinstance(node, atoms) or isinstance(node, ast.Tuple)
