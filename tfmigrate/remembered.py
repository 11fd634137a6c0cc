"""What whole dry runs came to, kept between runs.

A run is found again by a digest of all that decides its outcome: our own code and what it runs on, what was asked for,
and the name and content of every file that was read. What else was asked of the disk (a missing module, black's
configuration) is asked again. So a run that is remembered is the run that would be made; whatever does not match is made
anew. The kept data is plain, and is only ever shown: what is written into files always comes from the engine.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

from tfmigrate import kept
from tfmigrate.codemod import Safety, Site
from tfmigrate.config import Config
from tfmigrate.engine import Options
from tfmigrate.project.disk import Disk, still_answers
from tfmigrate.results import Crash, Finding, Patch, Refused, Skipped, Unparsable
from tfmigrate.runs import Outcome
from tfmigrate.source import SourceFile, read_data, read_source
from tfmigrate.suppression import CommentProblem

_MOST_RUNS = 8
"""Runs over the same paths that are kept: other options, another branch."""


@dataclass(slots=True)
class Seen:
    """What a run has read so far, in order."""

    disk: Disk = field(default_factory=Disk)
    keys: dict[Path, bytes] = field(default_factory=dict)
    is_steady: bool = True
    """No file that was read twice was another the second time."""

    def add(self, file: Path, data: bytes | Skipped | Unparsable) -> None:
        """Note the content of ``file``, or why there is none."""
        if not isinstance(data, bytes):
            data = f"{type(data).__name__}: {data.reason}".encode("utf-8", "replace")
        key = kept.content_key(data)
        self.is_steady &= self.keys.setdefault(file, key) == key


class Memory:
    """The remembered runs over ``paths``."""

    def __init__(self, cache_dir: Path, paths: Sequence[Path], options: Options, config: Config) -> None:
        names = [os.path.abspath(path) for path in paths]
        self._file = kept.file_for(cache_dir, "runs", sorted(names))
        self._header = _header()
        self._asked = repr(
            (
                *(os.getcwd(), [os.fspath(path) for path in paths], sys.getrecursionlimit()),
                *(sorted(options.codes), options.target.value, options.unsafe, options.unrolled),
                options.recording,
                *(config.per_file_ignores, config.traced, os.path.abspath(config.root)),
            )
        )
        found = kept.load(self._file, self._header)
        self._runs: dict[bytes, Any] = found if isinstance(found, dict) else {}

    def recall(self, files: Sequence[Path], beside: Iterable[Path]) -> tuple[Outcome, ...] | None:
        """The outcomes of a run over the same files with the same content; None if none is remembered."""
        if not self._runs:
            return None
        seen = Seen()
        for file in (*files, *beside):
            seen.add(file, read_data(file, ""))
        run = self._runs.get(self._key(seen))
        if run is None:
            return None
        try:
            outside, styles, plain = run
            outcomes = tuple(_outcome(one, seen) for one in plain)
            is_same = still_answers(outside) and styles == _styles(outcomes)
        except (TypeError, ValueError, LookupError, _Changed):
            return None
        return outcomes if is_same else None

    def keep(self, seen: Seen, outcomes: Sequence[Outcome]) -> None:
        """Remember a run, unless it went wrong in a way that need not happen again."""
        if not seen.is_steady or any(map(_is_accident, outcomes)):
            return
        key = self._key(seen)
        self._runs.pop(key, None)
        self._runs[key] = (seen.disk.answers, _styles(outcomes), [_plain(outcome) for outcome in outcomes])
        for old in list(self._runs)[:-_MOST_RUNS]:
            del self._runs[old]
        kept.save(self._file, self._header, self._runs)

    def _key(self, seen: Seen) -> bytes:
        digest = hashlib.blake2b(self._asked.encode("utf-8", "surrogateescape"), digest_size=32)
        for file, key in seen.keys.items():
            digest.update(b"%s\0%s" % (os.fsencode(file), key))
        return digest.digest()


class _Changed(Exception):
    """A file changed while it was looked at."""


def _header() -> bytes:
    """All of our code that has a say in what is found, and the libraries that have."""
    from importlib.metadata import version

    from tfmigrate.registry import source_files

    ours = Path(__file__).parent
    code = [path for path in sorted(ours.rglob("*.py")) if path.relative_to(ours).parts[0] != "verify"]
    libraries = " ".join(f"{name} {version(name)}" for name in ("libcst", "black"))
    return kept.header(f"runs, {libraries},", [*code, *source_files()])


def _styles(outcomes: Iterable[Outcome]) -> dict[str, str]:
    """How black was to format each rewritten file."""
    from tfmigrate.formatting import read_style

    results = [outcome.result for outcome in outcomes]
    changed = [result.source.path for result in results if isinstance(result, Patch) and result.changed]
    return {path: repr(read_style(Path(path))) for path in changed}


def _is_accident(outcome: Outcome) -> bool:
    result = outcome.result
    return isinstance(result, Crash) or (
        isinstance(result, Unparsable) and result.reason.startswith("MemoryError")
    )


def _plain(outcome: Outcome) -> tuple[Any, ...]:
    result = outcome.result
    told: tuple[Any, ...]
    if isinstance(result, Patch):
        after = result.after if result.changed else None
        told = ("Patch", after, [_plain_finding(finding) for finding in result.findings])
    else:
        told = (type(result).__name__, *astuple(result))
    comments = [astuple(problem) for problem in outcome.comments]
    return os.fspath(outcome.file), outcome.suppressed, comments, told


def _plain_finding(finding: Finding) -> tuple[Any, ...]:
    refused = None if finding.refused is None else astuple(finding.refused)
    return finding.codemod, astuple(finding.site), finding.safety.value, refused


def _outcome(plain: tuple[Any, ...], seen: Seen) -> Outcome:
    """
    Raises:
        TypeError, ValueError, LookupError: ``plain`` is not what :func:`_plain` makes.
        _Changed: the file is not the one that ``seen`` has.
    """
    name, suppressed, comments, (kind, *told) = plain
    file = Path(name)
    result: Patch | Skipped | Unparsable
    if kind == "Patch":
        source = read_source(file)
        if not isinstance(source, SourceFile) or kept.content_key(source.data) != seen.keys[file]:
            raise _Changed
        after, findings = told
        result = Patch(source, source.text if after is None else after, tuple(map(_finding, findings)))
    else:
        result = {"Skipped": Skipped, "Unparsable": Unparsable}[kind](*told)
    return Outcome(file, result, suppressed, tuple(CommentProblem(*problem) for problem in comments))


def _finding(plain: tuple[Any, ...]) -> Finding:
    codemod, site, safety, refused = plain
    return Finding(codemod, Site(*site), Safety(safety), None if refused is None else Refused(*refused))
