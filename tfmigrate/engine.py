"""Source file and codemods in, file result out. No disk, no printing: `diff`, `apply` and `verify` all call this."""

from __future__ import annotations

import ast
import traceback
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate import formatting
from tfmigrate.codemod import Codemod, Edit, Refusal, Safety, Site, Target
from tfmigrate.origins import Origins
from tfmigrate.results import Crash, FileResult, Finding, Patch, Refused, Skipped, Unparsable
from tfmigrate.source import SourceFile
from tfmigrate.unit import CannotKeep, Unit

if TYPE_CHECKING:
    import libcst

    from tfmigrate.project.index import ProjectIndex
    from tfmigrate.record.model import Recording

SiteKey = tuple[str, int, int]
"""Code, line and column of a site."""


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for: enabled codes, the Keras flavour to be right on, and whether unsafe edits are made."""

    codes: frozenset[str]
    target: Target = Target.BOTH
    unsafe: bool = False
    unrolled: int | None = None
    """From how many turns on loops that Python unrolls are to become loops of the graph; None for never."""
    recording: Recording | None = None
    """What the program was seen to call."""
    read: Callable[[str], str | None] | None = None
    """The text of another file of the project, by its printed path; None for one that cannot be read."""


class _Broken(Exception):
    """The rewritten text is no Python any more."""


def migrate(
    source: SourceFile,
    index: ProjectIndex,
    codemods: Sequence[Codemod],
    options: Options,
    left_out: frozenset[SiteKey] = frozenset(),
    suppressed: Callable[[str, int], bool] | None = None,
) -> FileResult:
    """Plan and apply the enabled codemods, one after the other, in memory.

    Sites whose key is in ``left_out``, and lines for which ``suppressed(code, line)`` holds, stay as they are.
    """
    tree = parsed(source)
    if isinstance(tree, Unparsable):
        return tree

    def wanted(code: str, line: int, column: int) -> bool:
        if code not in options.codes or (code, line, column) in left_out:
            return False
        return suppressed is None or not suppressed(code, line)

    text, findings = source.text, list[Finding]()
    unit: Unit | None = None
    for codemod in codemods:
        if not options.codes & codemod.codes.keys() or not _is_marked(codemod, source):
            continue
        try:
            if not codemod.may_apply(index, source.path):
                continue
            origins = Origins(source.text, text)
            here = _at(origins, wanted)
            if unit is not None and unit.tree is tree:
                unit = unit.read_again(here)
            else:
                asked = (options.target, options.unsafe, options.unrolled, options.recording, options.read)
                unit = Unit(text, tree, source.path, index, here, *asked)
            text, found = _migrated(unit, codemod)
            findings.extend(replace(finding, site=origins.site(finding.site)) for finding in found)
            if text != unit.text:
                tree = _reparsed(text)
                index = index.with_source(replace(source, text=text))
        except CannotKeep as reason:
            return Skipped(source.path, str(reason))
        except Exception:
            return Crash(source.path, codemod.name, traceback.format_exc())
    return _formatted(source, text, findings)


def _at(origins: Origins, wanted: Callable[[str, int, int], bool]) -> Callable[[str, int, int], bool]:
    """``wanted`` for places in a text that an earlier codemod changed."""
    return lambda code, line, column: wanted(code, origins.line(line), column)


def parsed(source: SourceFile) -> ast.Module | Unparsable:
    """The file's syntax tree, or why there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source.text, source.path)
    except SyntaxError as error:
        return Unparsable(source.path, error.lineno or 1, error.offset or 1, error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        return Unparsable(source.path, 1, 1, f"{type(error).__name__}: {error}")


def _is_marked(codemod: Codemod, source: SourceFile) -> bool:
    return any(marker in source.data for marker in codemod.marker)


def _migrated(unit: Unit, codemod: Codemod) -> tuple[str, list[Finding]]:
    edits, findings = list[Edit](), list[Finding]()
    for planned in codemod.planned(unit):
        if isinstance(planned, Refusal):
            refused = Refused(planned.reason, planned.why, planned.hint)
            findings.append(Finding(codemod.name, planned.site, Safety.MANUAL, refused))
        elif planned.safety is Safety.UNSAFE and not unit.unsafe:
            refused = Refused("unsafe", "the rewrite changes behaviour", "ask for it with --unsafe")
            findings.extend(Finding(codemod.name, site, Safety.UNSAFE, refused) for site in planned.sites)
        else:
            edits.append(planned)
            findings.extend(Finding(codemod.name, site, planned.safety) for site in planned.sites)
    findings.sort(key=lambda finding: _place(finding.site))
    return (_edited(unit, edits) if edits else unit.text), findings


def _place(site: Site) -> tuple[int, int, str]:
    return site.line, site.column, site.code


def _edited(unit: Unit, edits: Iterable[Edit]) -> str:
    from tfmigrate.edits import EditConflict, apply_edits, inserted_before

    edits = list(edits)
    members = set[int]().union(*(region.members for region in unit.regions))
    for edit in edits:
        for change in edit.changes:
            node = getattr(change, "node", None) or getattr(change, "anchor", None)
            if id(node) not in members:
                raise EditConflict(f"a planned {type(node).__name__} is in no region of {unit.path}")
    lines = list(unit.lines)
    for region in reversed(unit.regions):
        edited = apply_edits(region.module, edits, region.members)
        if edited is not region.module:
            last = lines[region.last - 1]
            ending = last[len(last.rstrip("\r\n")) :]
            if edited.body:
                new = _above_comments(lines, region.first - 1, inserted_before(region.module, edits))
                lines[new.start : region.last] = [new.text(edited) + ending]
            else:
                _remove(lines, region.first - 1, region.last)
    return "".join(lines)


@dataclass(frozen=True, slots=True)
class _Comments:
    """The comments directly above a top-level statement, from line ``start`` (from 0) on: they stay with it, below of
    what is ``inserted`` before it."""

    start: int
    comments: tuple[str, ...]
    inserted: int

    def text(self, edited: libcst.Module) -> str:
        if not self.comments:
            return edited.code
        first, rest = edited.body[: self.inserted], edited.body[self.inserted :]
        own = edited.with_changes(header=(), body=rest, has_trailing_newline=False).code
        stripped = own.lstrip("\r\n")
        blank = own[: len(own) - len(stripped)]
        above = edited.with_changes(body=first, footer=(), has_trailing_newline=True).code
        return above + blank + "".join(self.comments) + stripped


def _above_comments(lines: list[str], first: int, inserted: int) -> _Comments:
    start = first
    while inserted and start > 0 and lines[start - 1].startswith("#"):
        start -= 1
    # A comment at the head of the file (an encoding, a licence) is the file's.
    return (
        _Comments(start, tuple(lines[start:first]), inserted) if start > 0 else _Comments(first, (), inserted)
    )


def _remove(lines: list[str], first: int, last: int) -> None:
    """Take lines out; of blank lines above and below keep those above only."""
    if first == 0 or not lines[first - 1].strip():
        while last < len(lines) and not lines[last].strip():
            last += 1
    del lines[first:last]


def _reparsed(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<rewritten>", "exec", dont_inherit=True)
            return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise _Broken(f"the rewritten text does not compile: {error}\n{text}") from error


def _formatted(source: SourceFile, text: str, findings: list[Finding]) -> FileResult:
    if text == source.text:
        return Patch(source, text, tuple(findings))
    try:
        after = formatting.format_changed(source.text, text, Path(source.path))
        _reparsed(after)
    except Exception:
        return Crash(source.path, "formatting", traceback.format_exc())
    return Patch(source, after, tuple(findings))
