"""Where a line of a text that an earlier codemod changed stands in the file: what is printed, skipped and left out."""

from __future__ import annotations

import difflib
from dataclasses import replace

from tfmigrate.codemod import Site
from tfmigrate.source import split_lines


class Origins:
    """Maps lines of ``current`` to lines of ``original`` (both from 1).

    A line that stands in both maps to itself. One of a changed block maps to the line of that block that it most likely
    comes from, an added one to the line above it.
    """

    def __init__(self, original: str, current: str) -> None:
        self._lines: list[int] = []
        if original == current:
            return
        before, after = split_lines(original), split_lines(current)
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        for _, first, last, start, end in matcher.get_opcodes():
            for offset in range(end - start):
                self._lines.append(first + min(offset, max(last - first - 1, 0)) + (last > first))

    def line(self, current: int) -> int:
        """The line of the original for a line of the current text."""
        return max(self._lines[current - 1], 1) if self._lines else current

    def site(self, site: Site) -> Site:
        """``site`` with its lines in the original."""
        if not self._lines:
            return site
        return replace(site, line=self.line(site.line), end_line=self.line(site.end_line))
