"""``list`` and ``explain``: what the codemods are, from their own docstrings, examples and claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tfmigrate.codemod import Codemod, Example
from tfmigrate.commands.request import CatalogueFormat
from tfmigrate.exits import Exit, UsageError

if TYPE_CHECKING:
    from tfmigrate.console import Console


def list_codes(output: CatalogueFormat, console: Console) -> Exit:
    """One line a code: code, name, safety and the codemod's summary."""
    from tfmigrate.registry import codemods
    from tfmigrate.report.json import codemod_entries, dumped, header

    found = codemods()
    if output is CatalogueFormat.JSON:
        console.result(dumped({**header("list"), "codes": codemod_entries(found)}))
        return Exit.DONE
    rows = [
        (code, name, codemod.safety.value, codemod.summary + _off(code, codemod))
        for codemod in found
        for code, name in codemod.codes.items()
    ]
    console.result("".join(f"{line}\n" for line in _table(rows)).encode())
    return Exit.DONE


def explain(selector: str, output: CatalogueFormat, console: Console) -> Exit:
    """All that is known of one codemod, found by its name, a code or a code's name.

    Raises:
        UsageError: there is none.
    """
    from tfmigrate.registry import codemods
    from tfmigrate.report.json import codemod_entries, dumped, header
    from tfmigrate.selection import codes_of

    codes = codes_of(selector, codemods())
    found = [codemod for codemod in codemods() if codes & codemod.codes.keys()]
    if len(found) > 1:
        names = ", ".join(codemod.name for codemod in found)
        raise UsageError(f"{selector!r} means several codemods ({names}); name one of them")
    (codemod,) = found
    if output is CatalogueFormat.JSON:
        from tfmigrate.registry import documentation

        entry = {"documentation": documentation(codemod), "codes": codemod_entries(found)}
        console.result(dumped({**header("explain"), **entry}))
    else:
        console.result("".join(f"{line}\n" for line in _explanation(codemod)).encode())
    return Exit.DONE


def _off(code: str, codemod: Codemod) -> str:
    return " (off by default)" if code in codemod.off_by_default else ""


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _explanation(codemod: Codemod) -> Iterator[str]:
    from tfmigrate.registry import documentation

    yield f"{codemod.name} ({codemod.safety.value})"
    yield ""
    yield from documentation(codemod).strip().splitlines()
    yield from ("", "Codes:")
    yield from (f"  {line}" for line in _table([(c, n + _off(c, codemod)) for c, n in codemod.codes.items()]))
    for heading, rows in (codemod.reference() if codemod.reference is not None else {}).items():
        yield from ("", f"{heading}:")
        yield from (f"  {line}" for line in _table(rows))
    if codemod.refusals:
        yield from ("", "Left alone, with the reason:")
        yield from (f"  {line}" for line in _table(list(codemod.refusals.items())))
    yield from ("", "What the verifier allows to differ:")
    allowed = _claims(codemod)
    yield from (f"  {line}" for line in allowed or ["nothing"])
    for number, example in enumerate(codemod.examples, 1):
        yield from ("", f"Example {number}:")
        yield from _example(example, codemod)


def _claims(codemod: Codemod) -> list[str]:
    claim = codemod.claim
    sentences = {
        "what one call of the original leaves behind for the next": claim.first_call_only,
        "variables that the original made and lost in each call are tracked": claim.may_track_more,
        "an exception that the original raises in graph mode": claim.may_fix_graph,
        "an exception that the original raises eagerly": claim.may_fix_eager,
        "variables that the original made after the first call": claim.constant_weight_count,
        "printed output": not claim.stdout,
    }
    return [sentence for sentence, is_allowed in sentences.items() if is_allowed]


def _example(example: Example, codemod: Codemod) -> Iterator[str]:
    yield from _indented(example.before)
    if example.after is not None:
        yield "  becomes:"
        yield from _indented(example.after)
    elif example.refused is not None:
        yield f"  is left alone ({example.refused}): {codemod.refusals.get(example.refused, '')}"
    else:
        yield "  stays as it is."


def _indented(text: str) -> Iterator[str]:
    for line in text.strip("\n").splitlines():
        yield f"    {line}".rstrip()
