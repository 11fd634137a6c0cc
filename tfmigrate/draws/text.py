"""The source text of expressions and statements, with some parts of them written anew."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tfmigrate.unit import Unit


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


def is_loose(text: str) -> bool:
    """Whether an expression needs parentheses beside an operator."""
    node = ast.parse(text, mode="eval").body
    atoms = ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant | ast.List | ast.Tuple
    return not isinstance(node, atoms) or isinstance(node, ast.Tuple)
