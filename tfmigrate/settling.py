"""The second run: what was rewritten must read back as it was written, and must plan no further edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tfmigrate.results import Crash, FileResult, Patch
from tfmigrate.runs import Outcome, Plan
from tfmigrate.source import SourceFile, from_bytes
from tfmigrate.workers import migrate_files


def settled(outcomes: Sequence[Outcome], plan: Plan) -> list[Outcome]:
    """``outcomes`` after a second run over the rewritten files: one that it would change again is left
    alone.
    """
    written: dict[Path, SourceFile] = {}
    checked: dict[Path, Outcome] = {}
    for outcome in outcomes:
        if isinstance(outcome.result, Patch) and outcome.result.changed:
            again = _read_back(outcome.result)
            if isinstance(again, SourceFile):
                written[outcome.file] = again
            else:
                checked[outcome.file] = replace(outcome, result=again)
    if written:
        second = replace(plan, index=plan.index.with_sources(written.values()))
        for outcome in migrate_files(list(written.items()), second, None):
            crash = _unsettled(outcome.result)
            if crash is not None:
                checked[outcome.file] = replace(outcome, result=crash)
    return [checked.get(outcome.file, outcome) for outcome in outcomes]


def _read_back(patch: Patch) -> SourceFile | Crash:
    """The rewritten file as it will be read from disk."""
    try:
        again = from_bytes(patch.source.encode(patch.after), patch.source.path)
    except UnicodeEncodeError as error:
        return Crash(patch.source.path, "engine", f"the rewritten text cannot be encoded: {error}")
    if not isinstance(again, SourceFile) or again.text != patch.after:
        return Crash(patch.source.path, "engine", "the rewritten text does not read back as it was written")
    return again


def _unsettled(second: FileResult) -> Crash | None:
    """What is wrong with the result of a second run; None if it leaves the file as it is."""
    if isinstance(second, Crash):
        return replace(second, traceback=f"a second run fails:\n{second.traceback}")
    if not isinstance(second, Patch):
        return Crash(second.path, "engine", f"a second run cannot read the rewritten text: {second.reason}")
    if not second.changed:
        return None
    planned = [f"{f.site.code} at {f.site.line}:{f.site.column}" for f in second.findings if not f.refused]
    names = {finding.codemod for finding in second.findings if not finding.refused}
    return Crash(
        second.source.path,
        min(names, default="engine"),
        f"a second run would change the file again: {', '.join(planned)}",
    )
