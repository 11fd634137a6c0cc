"""What a finding is known by from run to run, wherever its lines move.

A fingerprint is made of the code, the function around the place, the text of the statement without its layout, and a
number that tells equal statements of one function apart. Baselines, SARIF's ``partialFingerprints`` and GitLab's
reports share it. The file's name is not part of it.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
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
    keys = [(f.site.code, f.site.symbol, statements.text_at(f.site)) for f in findings]
    order = sorted(range(len(keys)), key=lambda n: (findings[n].site.line, findings[n].site.column))
    seen = Counter[tuple[str, str, str]]()
    made = dict[int, str]()
    for number in order:
        made[number] = digest(*keys[number], str(seen[keys[number]]))
        seen[keys[number]] += 1
    return tuple(made[number] for number in range(len(keys)))


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

    def text_at(self, site: Site) -> str:
        """The innermost statement around a place, of a block only what stands before the block."""
        line = self._lines[site.line - 1] if site.line <= len(self._lines) else ""
        place = (site.line, len(line[: site.column - 1].encode("utf-8", "surrogatepass")))
        found, body = None, self._body
        while (inner := next((s for s in body if _start(s) <= place <= _end(s)), None)) is not None:
            found, body = inner, list(_blocks(inner))
        if found is None:
            return _LAYOUT.sub("", "".join(self._lines[site.line - 1 : site.end_line]))
        end = min((_start(s) for s in _blocks(found)), default=_end(found))
        return _LAYOUT.sub("", self._between(_start(found), end))

    def _between(self, start: _Position, end: _Position) -> str:
        lines = [line.encode("utf-8", "surrogatepass") for line in self._lines[start[0] - 1 : end[0]]]
        lines[-1] = lines[-1][: end[1]]
        lines[0] = lines[0][start[1] :]
        return b"".join(lines).decode("utf-8", "replace")


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
