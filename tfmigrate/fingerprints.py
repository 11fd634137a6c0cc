"""What a finding is known by from run to run, wherever its lines move.

A fingerprint is made of the code, the function around the place, the text of the statement and of the place without
their layout, and numbers that tell equal statements of one function, and equal places in one statement, apart. It
depends on the file alone, not on what else was found or looked for. Baselines, SARIF's ``partialFingerprints`` and
GitLab's reports share it. The file's name is not part of it.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator, Sequence

from tfmigrate.codemod import Site
from tfmigrate.results import Finding
from tfmigrate.source import split_lines

_LAYOUT = re.compile(r"\s+|,(?=\s*[)\]}])")
"""White space, and the comma that black puts after the last argument when it breaks a line."""
_Position = tuple[int, int]
"""Line from 1, column from 0 in UTF-8 bytes, as ``ast`` has them."""


def fingerprints(text: str, findings: Sequence[Finding]) -> tuple[str, ...]:
    """One for each of ``findings``, which are those of a file with the content ``text``."""
    if not findings:
        return ()
    statements = _Statements(text)
    return tuple(
        digest(finding.site.code, finding.site.symbol, *statements.around(finding.site))
        for finding in findings
    )


def digest(*parts: str) -> str:
    """32 hexadecimal digits for ``parts``."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:32]


class _Statements:
    """The statements of one file."""

    def __init__(self, text: str) -> None:
        self._lines = split_lines(text)
        try:
            self._body: list[ast.stmt] = ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self._body = []  # Standard input that came in broken: the site's own lines have to do.

    def around(self, site: Site) -> tuple[str, str, str, str]:
        """The innermost statement around a place (of a block only what stands before the block), its number among the
        equal ones of its function or class, the place's own text, and its number among the equal ones before it.
        """
        place = self._position(site.line, site.column)
        scope, found, body = self._body, None, self._body
        while (inner := next((s for s in body if _start(s) <= place <= _end(s)), None)) is not None:
            if isinstance(found, _SCOPES):
                scope = found.body
            found, body = inner, list(_blocks(inner))
        own = self._between(place, self._position(max(site.line, site.end_line), site.end_column))
        if found is None:
            return own, "0", own, "0"
        text = self._header(found)
        before = sum(self._header(s) == text for s in _within(scope) if _start(s) < _start(found))
        return text, str(before), own, str(self._between(_start(found), place).count(own) if own else 0)

    def _position(self, line: int, column: int) -> _Position:
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        return line, len(text[: column - 1].encode("utf-8", "surrogatepass"))

    def _header(self, statement: ast.stmt) -> str:
        end = min((_start(s) for s in _blocks(statement)), default=_end(statement))
        return self._between(_start(statement), end)

    def _between(self, start: _Position, end: _Position) -> str:
        """The text without its layout."""
        lines = [line.encode("utf-8", "surrogatepass") for line in self._lines[start[0] - 1 : end[0]]]
        if not lines:
            return ""
        lines[-1] = lines[-1][: end[1]]
        lines[0] = lines[0][start[1] :]
        return _LAYOUT.sub("", b"".join(lines).decode("utf-8", "replace"))


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _within(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a function, class or module, without those of the functions and classes in it."""
    for statement in body:
        yield statement
        if not isinstance(statement, _SCOPES):
            yield from _within(list(_blocks(statement)))


def _start(statement: ast.stmt) -> _Position:
    decorators = getattr(statement, "decorator_list", [])
    first = min((d.lineno, d.col_offset - 1) for d in decorators) if decorators else None
    own = (statement.lineno, statement.col_offset)
    return own if first is None else min(own, first)


def _end(statement: ast.stmt) -> _Position:
    return statement.end_lineno or statement.lineno, statement.end_col_offset or statement.col_offset


def _blocks(statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements directly inside of a compound one."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for item in getattr(statement, name, ()):
            if isinstance(item, ast.stmt):
                yield item
            else:  # An exception handler, a case of a match.
                yield from item.body
