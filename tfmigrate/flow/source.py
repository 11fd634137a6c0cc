"""Lines of statements as they stand, to be put into a function of their own: indentation, comments, long strings."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass

from tfmigrate.draws.text import Rewriting, dedented, long_string
from tfmigrate.flow.conditions import CannotLower
from tfmigrate.unit import Unit


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
        return self.rewriting.lines(statement)

    def refuse_long_strings(self, node: ast.AST) -> None:
        string = long_string(node)
        if string is not None:
            raise CannotLower("long-string", string)

    def comments(self, statement: ast.stmt) -> tuple[list[str], str]:
        """Comments directly above a statement, and the one behind its last line."""
        return self.rewriting.comments(statement)

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


def _dedented_block(text: str) -> str:
    lines = text.splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(dedented(line, indent) for line in lines)


def _comments(text: str) -> list[str]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text + "\n").readline))
    except (tokenize.TokenError, IndentationError):
        return [line[line.index("#") :] for line in text.splitlines() if line.strip().startswith("#")]
    return [token.string for token in tokens if token.type == tokenize.COMMENT]
