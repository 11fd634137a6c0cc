"""Old findings that are neither shown, counted nor rewritten: those that a file lists.

::

    {
     "schema": 1,
     "tool": "tfmigrate 0.1.0",
     "findings": [
      {"path": "shop/net.py", "code": "TFM101", "symbol": "Net.call", "fingerprint": "03918143ac...", "message": "..."}
     ]
    }

Paths are relative to the file's folder, so that it can be used from anywhere. A finding is known by its path and its
fingerprint (:mod:`tfmigrate.fingerprints`), whatever its line; code, symbol and message are there for people.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tfmigrate import __version__
from tfmigrate.atomic import write_whole
from tfmigrate.engine import SiteKey
from tfmigrate.exits import UsageError
from tfmigrate.fingerprints import fingerprints
from tfmigrate.results import Finding, Patch
from tfmigrate.runs import Outcome, Run, migrate_file

SCHEMA = 1
_WRITE = "tfmigrate diff --write-baseline"


@dataclass(frozen=True, slots=True, order=True)
class Known:
    """One old finding."""

    path: str
    """POSIX, relative to the folder of the baseline."""
    code: str
    symbol: str
    fingerprint: str
    message: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The old findings of one file."""

    file: Path
    findings: tuple[Known, ...] = ()

    def name_of(self, file: Path) -> str:
        """What ``file`` is called in the baseline."""
        return os.path.relpath(file, Path(os.path.abspath(self.file)).parent).replace(os.sep, "/")

    def path_of(self, known: Known) -> str:
        """The absolute path of a finding's file."""
        return os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(self.file)), known.path))


@dataclass(frozen=True, slots=True)
class Sought:
    """What a run looked for: tells an old finding that is gone from one that was not looked for."""

    paths: tuple[str, ...]
    """Absolute."""
    codes: frozenset[str]

    def has(self, baseline: Baseline, known: Known, outcomes: Iterable[Outcome]) -> bool:
        """Whether the run would have found ``known``, were it still there."""
        path = baseline.path_of(known)
        unread = {os.path.abspath(o.file) for o in outcomes if not isinstance(o.result, Patch)}
        below = any(path == named or path.startswith(named.rstrip(os.sep) + os.sep) for named in self.paths)
        return below and known.code in self.codes and path not in unread


def load(file: Path) -> Baseline:
    """Read a baseline.

    Raises:
        UsageError: it cannot be read, or is none.
    """
    try:
        data = json.loads(file.read_bytes())
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(
            f"baseline {file}: cannot be read: {reason}; write it with {_WRITE} {file}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"baseline {file}: is not JSON: {error}; {_again(file)}") from error
    schema = data.get("schema") if isinstance(data, dict) else None
    if isinstance(schema, int) and schema > SCHEMA:
        raise UsageError(f"baseline {file}: is of a newer tfmigrate than {__version__}; install that one")
    try:
        if schema != SCHEMA:
            raise ValueError("it has no schema 1")
        return Baseline(file, tuple(_known(entry) for entry in data["findings"]))
    except (LookupError, TypeError, ValueError) as error:
        raise UsageError(f"baseline {file}: is no baseline ({error}); {_again(file)}") from error


def _again(file: Path) -> str:
    return f"remove it and write it again with {_WRITE} {file}"


def _known(entry: Any) -> Known:
    values = [entry[name] for name in ("path", "code", "symbol", "fingerprint", "message")]
    if not all(isinstance(value, str) for value in values):
        raise ValueError("its fields are strings")
    return Known(*values)


def dump(baseline: Baseline) -> None:
    """Write the file of ``baseline``, whole or not at all, one line for each finding.

    Raises:
        OSError: it cannot be written.
    """
    entries = [json.dumps(asdict(known)) for known in sorted(set(baseline.findings))]
    lines = ",\n".join(f"  {entry}" for entry in entries)
    head = f'{{\n "schema": {SCHEMA},\n "tool": {json.dumps(f"tfmigrate {__version__}")},\n "findings": ['
    write_whole(baseline.file, f"{head}{f'{chr(10)}{lines}{chr(10)} ' if lines else ''}]\n}}\n".encode())


def of_run(run: Run, file: Path) -> Baseline:
    """All findings of ``run``."""
    empty = Baseline(file)
    found = [
        Known(empty.name_of(outcome.file), f.site.code, f.site.symbol, mark, f.site.message)
        for outcome in run.outcomes
        for f, mark in _marked(outcome)
    ]
    return Baseline(file, tuple(found))


def renewed(old: Baseline, new: Baseline, sought: Sought, outcomes: Sequence[Outcome]) -> Baseline:
    """``new``, and what is in ``old`` and was not looked for."""
    kept = [known for known in old.findings if not sought.has(old, known, outcomes)]
    return Baseline(new.file, (*new.findings, *kept))


def stale(baseline: Baseline, run: Run, sought: Sought) -> tuple[Known, ...]:
    """Old findings that ``run``, which is whole, does not have any more."""
    found = {(known.path, known.fingerprint) for known in of_run(run, baseline.file).findings}
    gone = (known for known in baseline.findings if (known.path, known.fingerprint) not in found)
    return tuple(known for known in gone if sought.has(baseline, known, run.outcomes))


def without(run: Run, baseline: Baseline, whole: Callable[[], Run]) -> Run:
    """``run`` without the old findings, whose places stay as they are.

    Args:
        whole: makes ``run`` again with its plan, for when it is one that was remembered.
    """
    if run.plan is None and any(_is_rewritten(f) for o in run.outcomes for f, _ in _old(o, baseline)):
        run = whole()
    return replace(run, outcomes=tuple(_without(outcome, run, baseline) for outcome in run.outcomes))


def _without(outcome: Outcome, run: Run, baseline: Baseline) -> Outcome:
    old = [finding for finding, _ in _old(outcome, baseline)]
    if not old:
        return outcome
    found, left_out = outcome, frozenset(map(_key, filter(_is_rewritten, old)))
    assert isinstance(outcome.result, Patch)
    while left_out and run.plan is not None:
        found = migrate_file(outcome.file, outcome.result.source, run.plan, left_out)
        # What is left alone for one codemod may be found by another.
        more = frozenset(_key(f) for f, _ in _old(found, baseline) if _is_rewritten(f)) - left_out
        if not more:
            break
        old += [f for f, _ in _old(found, baseline) if _key(f) in more]
        left_out |= more
    if not isinstance(found.result, Patch):
        return found
    hidden = {*map(_key, old), *(_key(finding) for finding, _ in _old(found, baseline))}
    shown = tuple(finding for finding in found.result.findings if _key(finding) not in hidden)
    return replace(found, result=replace(found.result, findings=shown), baselined=frozenset(hidden))


def _old(outcome: Outcome, baseline: Baseline) -> Iterator[tuple[Finding, str]]:
    name = baseline.name_of(outcome.file)
    marks = {known.fingerprint for known in baseline.findings if known.path == name}
    return (pair for pair in _marked(outcome) if pair[1] in marks) if marks else iter(())


def _marked(outcome: Outcome) -> Iterator[tuple[Finding, str]]:
    patch = outcome.result
    if isinstance(patch, Patch):
        yield from zip(patch.findings, fingerprints(patch.source.text, patch.findings), strict=True)


def _is_rewritten(finding: Finding) -> bool:
    return finding.refused is None


def _key(finding: Finding) -> SiteKey:
    return finding.site.code, finding.site.line, finding.site.column
