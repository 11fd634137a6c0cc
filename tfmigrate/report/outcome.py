"""What a run of ``diff`` or ``apply`` came to, counted once for every report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tfmigrate.exits import Exit
from tfmigrate.results import Crash, Patch, Skipped, Unparsable
from tfmigrate.runs import Outcome, Run
from tfmigrate.writing import WriteOutcome, WriteStatus


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of the summary line."""

    checked: int
    rewritten: int
    """Files."""
    places: int
    """Places in those files."""
    refused: int
    suppressed: int
    baselined: int
    skipped: int
    failed: int


@dataclass(frozen=True, slots=True)
class Report:
    """``written`` is by file; empty for ``diff``."""

    command: str
    run: Run
    written: Mapping[Path, WriteOutcome]

    def failure(self, outcome: Outcome) -> str:
        """Why this file failed, or nothing."""
        result = outcome.result
        if isinstance(result, Unparsable):
            return result.reason
        if isinstance(result, Crash):
            return f"internal error in {result.codemod}: {result.traceback.strip().splitlines()[-1]}"
        write = self.written.get(outcome.file)
        if write is not None and write.status in (WriteStatus.FAILED, WriteStatus.CHANGED_MEANWHILE):
            return write.message
        return ""

    @property
    def counts(self) -> Counts:
        outcomes = self.run.outcomes
        changed = [
            o.result
            for o in outcomes
            if isinstance(o.result, Patch) and o.result.changed and not self.failure(o)
        ]
        findings = [f for o in outcomes if isinstance(o.result, Patch) for f in o.result.findings]
        return Counts(
            checked=self.run.checked,
            rewritten=len(changed),
            places=sum(finding.refused is None for patch in changed for finding in patch.findings),
            refused=sum(finding.refused is not None for finding in findings),
            suppressed=sum(outcome.suppressed for outcome in outcomes),
            baselined=sum(len(outcome.baselined) for outcome in outcomes),
            skipped=sum(isinstance(outcome.result, Skipped) for outcome in outcomes),
            failed=sum(bool(self.failure(outcome)) for outcome in outcomes),
        )

    @property
    def exit(self) -> Exit:
        counts = self.counts
        if counts.failed:
            return Exit.FAILED
        if self.command == "diff" and counts.rewritten:
            return Exit.DIFFERENCE
        return Exit.DONE
