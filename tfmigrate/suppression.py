"""``# tfmigrate: skip`` comments: what the owner of the code has decided to leave as it is.

- ``# tfmigrate: skip[TFM101]`` at the end of a line: that statement; at the header of a ``def``, ``class``,
  ``for``, ``if`` ...: the whole block.
- The same comment alone on a line: the statement that follows it, block included.
- ``# tfmigrate: skip-file[TFM101]`` anywhere: the file.
Without brackets every code is meant. Codes are given as for ``--select``; words after the comment explain it.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfmigrate.codemod import Codemod

_COMMENT = re.compile(r"#\s*tfmigrate\s*:\s*(?P<word>[\w-]*)(?:\s*\[(?P<codes>[^\]]*)\])?", re.IGNORECASE)
_HINT = re.compile(r"#\s*tfmigrate\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SkipComment:
    """One comment and the lines that it covers; both ends count, and both are 0 when it covers nothing."""

    line: int
    column: int
    first: int
    last: int
    codes: frozenset[str]


@dataclass(frozen=True, slots=True)
class CommentProblem:
    """A comment that does nothing, or not what its author thinks."""

    line: int
    column: int
    message: str


@dataclass(slots=True)
class Suppressions:
    """The comments of one file. Remembers what it was asked, to tell which comments are of use."""

    comments: tuple[SkipComment, ...] = ()
    problems: tuple[CommentProblem, ...] = ()
    _used: set[SkipComment] = field(default_factory=set)
    _sites: set[tuple[str, int]] = field(default_factory=set)

    def suppressed(self, code: str, line: int) -> bool:
        """Whether a comment turns ``code`` off on ``line``."""
        covering = [c for c in self.comments if code in c.codes and c.first <= line <= c.last]
        self._used.update(covering)
        if covering:
            self._sites.add((code, line))
        return bool(covering)

    @property
    def count(self) -> int:
        """How many places were left alone for a comment."""
        return len(self._sites)

    def unused(self, enabled: frozenset[str]) -> tuple[CommentProblem, ...]:
        """Comments that suppressed nothing, although one of their codes was looked for; and wrong ones."""
        idle = [
            CommentProblem(comment.line, comment.column, "this skip comment suppresses nothing; remove it")
            for comment in self.comments
            if comment not in self._used and comment.codes & enabled
        ]
        return tuple(sorted([*self.problems, *idle], key=lambda problem: (problem.line, problem.column)))


def read_suppressions(text: str, codemods: Sequence[Codemod]) -> Suppressions:
    """The skip comments of a file. Comment signs in strings are no comments."""
    if not _HINT.search(text):
        return Suppressions()
    tokens = [token for token in _comment_tokens(text) if _HINT.search(token.string)]
    if not tokens:
        return Suppressions()
    statements = _statements(text)
    comments, problems = list[SkipComment](), list[CommentProblem]()
    for token in tokens:
        for match in _COMMENT.finditer(token.string):
            read = _read(token, match, statements, codemods)
            if isinstance(read, SkipComment):
                comments.append(read)
            else:
                problems.append(read)
    return Suppressions(tuple(comments), tuple(problems))


@dataclass(frozen=True, slots=True)
class _Statement:
    """Lines count from 1. A statement without a block is all header."""

    first: int
    header: int
    """Last line of the header's own expressions."""
    before_body: int
    """Last line before the block: a comment at the end of any line up to here is at the header."""
    last: int
    column: int


def _read(
    token: tokenize.TokenInfo,
    match: re.Match[str],
    statements: Sequence[_Statement],
    codemods: Sequence[Codemod],
) -> SkipComment | CommentProblem:
    from tfmigrate.config import ConfigError
    from tfmigrate.selection import ALL, codes_of

    line, column = token.start[0], token.start[1] + match.start() + 1
    word = match["word"].lower()
    if word not in ("skip", "skip-file"):
        return CommentProblem(
            line, column, f"unknown tfmigrate comment {match['word']!r}; write skip[CODE] or skip-file[CODE]"
        )
    selectors = [ALL] if match["codes"] is None else [part.strip() for part in match["codes"].split(",")]
    try:
        codes = frozenset[str]().union(*(codes_of(selector, codemods) for selector in selectors))
    except ConfigError as error:
        return CommentProblem(line, column, str(error))
    if word == "skip-file":
        return SkipComment(line, column, 1, 2**31, codes)
    first, last = _covered(token, statements)
    return SkipComment(line, column, first, last, codes)


def _covered(token: tokenize.TokenInfo, statements: Sequence[_Statement]) -> tuple[int, int]:
    """First and last line that the comment speaks of."""
    line, column = token.start
    at_end = bool(token.line[:column].strip())
    around = [s for s in statements if s.first <= line <= (s.before_body if at_end else s.header)]
    if around:
        innermost = max(around, key=lambda s: (s.first, s.column))
        return innermost.first, innermost.last
    if at_end:
        return line, line  # At ``else:`` and the like.
    following = min((s for s in statements if s.first > line), key=lambda s: s.first, default=None)
    if following is None or following.column != column:
        return 0, 0
    return following.first, following.last


def _statements(text: str) -> list[_Statement]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [_statement(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)]


def _statement(node: ast.stmt) -> _Statement:
    decorators = getattr(node, "decorator_list", None) or []
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    last = node.end_lineno or node.lineno
    blocks = getattr(node, "body", None) or [case.pattern for case in getattr(node, "cases", [])]
    if not blocks:
        return _Statement(first, last, last, last, node.col_offset)
    header = _header_end(node)
    decorated = [decorator.lineno for decorator in getattr(blocks[0], "decorator_list", [])]
    before_body = max(header, min([blocks[0].lineno, *decorated]) - 1)
    return _Statement(first, header, before_body, last, node.col_offset)


def _header_end(node: ast.stmt) -> int:
    """Last line of the header's own expressions: comments between it and the body belong to the body."""
    ends = [node.lineno]
    for name, value in ast.iter_fields(node):
        if name in ("body", "orelse", "handlers", "finalbody", "cases", "decorator_list"):
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                ends += [getattr(part, "end_lineno", None) or 0 for part in ast.walk(item)]
    return max(ends)


def _comment_tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token
    except (tokenize.TokenError, SyntaxError):
        return  # The file does not parse, which is said elsewhere.
