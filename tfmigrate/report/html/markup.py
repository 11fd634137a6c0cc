"""Text that is safe inside of HTML, and the few elements that all sections use."""

from __future__ import annotations

import html
from collections.abc import Iterable


def escaped(text: object) -> str:
    """``text`` as content or attribute value. What no document can hold is written as a Python escape."""
    legal = "".join(
        (
            character
            if character in "\t\n\r" or (character.isprintable() or character == "\xa0")
            else _named(character)
        )
        for character in str(text)
    )
    return html.escape(legal, quote=True)


def _named(character: str) -> str:
    return ascii(character)[1:-1]


def code(text: object) -> str:
    """``text`` in the fixed font."""
    return f"<code>{escaped(text)}</code>"


def dotted(text: str) -> str:
    """A dotted name as code, that breaks after a dot or colon if it has to."""
    return f"<code>{escaped(text).replace('.', '.<wbr>').replace(':', ':<wbr>')}</code>"


def prose(text: str) -> str:
    """A sentence in which `backticks` enclose code; new lines stay."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # One has no partner.
        return _lines(text)
    return "".join(code(part) if number % 2 else _lines(part) for number, part in enumerate(parts))


def _lines(text: str) -> str:
    return "<br>".join(escaped(line) for line in text.split("\n"))


def verdict(status: str, why: str = "") -> str:
    """A verdict as a coloured word."""
    title = f' title="{escaped(why)}"' if why else ""
    return f'<span class="verdict {escaped(status)}"{title}>{escaped(status)}</span>'


def section(anchor: str, heading: str, parts: Iterable[str]) -> str:
    """A part of the page; nothing if it is empty."""
    content = "\n".join(part for part in parts if part)
    return f'<section>\n<h2 id="{anchor}">{escaped(heading)}</h2>\n{content}\n</section>' if content else ""


def table(head: Iterable[str], rows: Iterable[Iterable[str]], numbers: int = 0) -> str:
    """A table that scrolls by itself where it is wider than the page. Cells are HTML, the last ``numbers`` are numbers."""
    titles = list(head)
    first_number = len(titles) - numbers
    lines = ['<div class="scroll" tabindex="0"><table>', "<thead><tr>"]
    lines += [f"<th{_number(n >= first_number)}>{escaped(title)}</th>" for n, title in enumerate(titles)]
    lines.append("</tr></thead><tbody>")
    for row in rows:
        first, *others = row
        cells = [f"<td{_number(n >= first_number)}>{cell}</td>" for n, cell in enumerate(others, 1)]
        lines.append(f'<tr><th scope="row">{first}</th>{"".join(cells)}</tr>')
    return "\n".join([*lines, "</tbody></table></div>"])


def _number(is_one: bool) -> str:
    return ' class="number"' if is_one else ""
