"""A file before and after, beside each other; on a narrow screen one below the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from tfmigrate.report.entries import Change
from tfmigrate.report.html.markup import code, escaped
from tfmigrate.source import split_lines

_TOKEN = re.compile(r"\w+|\s+|.")
_AROUND = 3
"""Unchanged lines that are shown around a change."""
_LONGEST = 400
"""Characters of a line up to which the changed part of it is marked."""
_MOST_LINES = 20_000
"""Changed lines of all files together: a browser has to show the page."""


def files(changes: Sequence[Change]) -> Iterator[str]:
    """Every file's differences, the first ones unfolded."""
    left = _MOST_LINES
    for number, change in enumerate(changes):
        before, after = split_lines(change.before or ""), split_lines(change.after or "")
        groups = list(SequenceMatcher(None, before, after, False).get_grouped_opcodes(_AROUND))
        gone = sum(stop - start for group in groups for kind, start, stop, _, _ in group if kind != "equal")
        come = sum(stop - start for group in groups for kind, _, _, start, stop in group if kind != "equal")
        left -= gone + come
        is_open = " open" if number < 10 and gone + come < 400 else ""
        count = f'<span class="count">+{come} &minus;{gone}</span>'
        yield f"<details{is_open}><summary>{count}{code(change.path)}{_state(change)}</summary>"
        if left < 0:
            yield '<p class="quiet">Too long to be shown here; tfmigrate diff shows it.</p></details>'
            continue
        yield '<div class="diff">'
        for group in groups:
            yield f"<p>line {group[0][3] + 1 if change.after is not None else group[0][1] + 1}</p>"
            yield from _hunk(group, before, after)
        yield "</div></details>"


def _state(change: Change) -> str:
    if change.before is None:
        return " (new)"
    return " (removed)" if change.after is None else ""


def _hunk(
    group: Sequence[tuple[str, int, int, int, int]], before: Sequence[str], after: Sequence[str]
) -> Iterator[str]:
    for kind, start, stop, first, last in group:
        old, new = before[start:stop], after[first:last]
        if kind == "equal":
            texts = [escaped(line.rstrip("\r\n")) for line in new]
            kept = _block("kept", start, texts).replace("<div ", '<div aria-hidden="true" ', 1)
            yield f'<div class="pair">{kept}{_block("both", first, texts)}</div>'
            continue
        left, right = _marked(old, new)
        yield f'<div class="pair">{_block("gone", start, left)}{_block("come", first, right)}</div>'


def _block(kind: str, start: int, texts: Sequence[str]) -> str:
    rows = (
        f'<div class="row"><span>{number}</span><span>{text or " "}</span></div>'
        for number, text in enumerate(texts, start + 1)
    )
    return f'<div class="{kind}">{"".join(rows)}</div>'


def _marked(old: Sequence[str], new: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines with what differs in them marked, where two of them clearly belong together."""
    left = [escaped(line.rstrip("\r\n")) for line in old]
    right = [escaped(line.rstrip("\r\n")) for line in new]
    partners = _partners(old, new)
    for one, two in partners.items():
        left[one], right[two] = _words(old[one].rstrip("\r\n"), new[two].rstrip("\r\n"))
    return left, right


def _partners(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Lines that are much alike, in order."""
    found: dict[int, int] = {}
    start = 0
    for number, line in enumerate(old[:100]):
        ratios = [
            (SequenceMatcher(None, line.strip(), other.strip(), False).ratio(), -place)
            for place, other in enumerate(new[:100])
            if place >= start and max(len(line), len(other)) <= _LONGEST
        ]
        ratio, place = max(ratios, default=(0.0, 0))
        if ratio > 0.6:
            found[number], start = -place, -place + 1
    return found


def _words(old: str, new: str) -> tuple[str, str]:
    left, right = "", ""
    one, two = _TOKEN.findall(old), _TOKEN.findall(new)
    for kind, start, stop, first, last in SequenceMatcher(None, one, two, False).get_opcodes():
        gone, come = escaped("".join(one[start:stop])), escaped("".join(two[first:last]))
        left += gone if kind == "equal" or not gone else f"<mark>{gone}</mark>"
        right += come if kind == "equal" or not come else f"<mark>{come}</mark>"
    return left, right
