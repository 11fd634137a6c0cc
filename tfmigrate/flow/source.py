"""Lines of statements as they stand, to be put into a function of their own: indentation, comments, long strings."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass

from tfmigrate.draws.text import Rewriting
from tfmigrate.flow.conditions import CannotLower
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one file, with some expressions of it written anew."""

    unit: Unit
    rewriting: Rewriting

    @property
    def indent(self) -> str:
        return str(self.unit.parser_config.default_indent)

    def lines(self, statement: ast.stmt) -> list[str]:
        """The statement's own lines without its indentation, with the comments above and behind it.

        Raises:
            CannotLower: a string over several lines is in it, which indentation would change.
        """
        self.refuse_long_strings(statement)
        above, behind = self.comments(statement)
        indent = statement.col_offset
        first, *more = (self.rewriting.text(statement) + behind).splitlines()
        return [*above, first, *(_dedented(line, indent) for line in more)]

    def refuse_long_strings(self, node: ast.AST) -> None:
        for part in walk(node):
            if isinstance(part, ast.Constant | ast.JoinedStr) and part.end_lineno != part.lineno:
                raise CannotLower("long-string", part)

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

    def with_all_comments(self, lines: list[str], replaced: Sequence[ast.stmt]) -> list[str]:
        """``lines``, led by the comments of what they replace that are not among them."""
        first, last = replaced[0].lineno, replaced[-1].end_lineno or replaced[-1].lineno
        text = "".join(self.unit.lines[first - 1 : last])
        kept = _comments("\n".join(lines))
        missing = []
        for comment in _comments(_dedented_block(text)):
            if comment in kept:
                kept.remove(comment)
            else:
                missing.append(comment)
        return [*missing, *lines]


def _dedented(line: str, indent: int) -> str:
    return line[indent:] if not line[:indent].strip() else line.lstrip()


def _dedented_block(text: str) -> str:
    lines = text.splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(_dedented(line, indent) for line in lines)


def _comments(text: str) -> list[str]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text + "\n").readline))
    except (tokenize.TokenError, IndentationError):
        return [line[line.index("#") :] for line in text.splitlines() if line.strip().startswith("#")]
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def indented(lines: Sequence[str], indent: str) -> list[str]:
    """The lines one level deeper."""
    return [indent + line if line else line for line in lines]
