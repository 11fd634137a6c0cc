"""From paths to results: find, read and index the files, and put the engine over those that can matter.

Nothing here prints, writes source files or ends the process. Results are in the order of the paths; one bad
file never stops the others.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.codemod import Codemod
from tfmigrate.config import Config
from tfmigrate.discovery import discover
from tfmigrate.engine import Options, SiteKey, migrate, parsed
from tfmigrate.project_files import import_roots, neighbours
from tfmigrate.results import Crash, FileResult, Patch, Unparsable
from tfmigrate.selection import enabled_codes, ignored_in
from tfmigrate.source import SourceFile, from_bytes, printed_path, read_source
from tfmigrate.suppression import CommentProblem, read_suppressions

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex

Progress = Callable[[int, int], None]
"""Called with the number of files done and of all."""

OWN_NAME = b"tfmigrate"
"""A file with our name in it may hold a skip comment that does nothing, which is to be said."""
_WORTH_A_POOL = 8
"""With fewer files to rewrite, starting processes costs more than it saves."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file."""

    file: Path
    result: FileResult
    suppressed: int = 0
    """Places that were left alone for a skip comment."""
    comments: tuple[CommentProblem, ...] = ()
    """Skip comments that do nothing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a worker needs: everything but the file."""

    index: ProjectIndex
    codemods: tuple[Codemod, ...]
    options: Options
    config: Config
    roots: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """All files of one run. ``outcomes`` leaves out the files with nothing to tell; ``checked`` counts them
    too.
    """

    outcomes: tuple[Outcome, ...]
    plan: Plan
    checked: int
    missing: tuple[Path, ...] = ()
    """Paths that were named but do not exist."""

    @property
    def results(self) -> tuple[FileResult, ...]:
        return tuple(outcome.result for outcome in self.outcomes)

    @property
    def patched(self) -> tuple[tuple[Path, Patch], ...]:
        """The files that would be written, each with its patch."""
        found = [(outcome.file, outcome.result) for outcome in self.outcomes]
        return tuple((file, result) for file, result in found if isinstance(result, Patch) and result.changed)

    @property
    def patches(self) -> tuple[Patch, ...]:
        """The patches of the files that would be written."""
        return tuple(patch for _, patch in self.patched)

    def with_patches(self, patches: Iterable[Patch]) -> Run:
        """This run with other patches of some of its files."""
        by_path = {patch.source.path: patch for patch in patches}
        outcomes = [
            (
                replace(outcome, result=by_path.get(outcome.result.source.path, outcome.result))
                if isinstance(outcome.result, Patch)
                else outcome
            )
            for outcome in self.outcomes
        ]
        return replace(self, outcomes=tuple(outcomes))

    @property
    def index(self) -> ProjectIndex:
        return self.plan.index


def migrate_paths(paths: Sequence[Path], config: Config, progress: Progress | None = None) -> Run:
    """Rewrite, in memory, the files that ``paths`` name.

    Raises:
        ConfigError: a code or name in ``config`` means nothing.
    """
    selection = _Selection(config)
    found = discover(paths, config.excludes)
    reader = _Reader(selection.markers)
    sources = reader.read(found.files, neighbours(paths, found.files, config.excludes))
    plan = selection.plan(sources, import_roots(paths))
    named = {path for path in paths if not path.is_dir()}
    outcomes = {**reader.unread, **_unparsable(reader, named, plan.index)}
    candidates = [
        (file, source)
        for file, source in reader.kept.items()
        if file not in outcomes and _may_matter(source, plan)
    ]
    for outcome in settled(list(_migrated(candidates, plan, progress)), plan):
        outcomes[outcome.file] = outcome
    ordered = tuple(outcomes[file] for file in found.files if file in outcomes and _tells(outcomes[file]))
    return Run(ordered, plan, len(found.files), found.missing)


def planned(paths: Sequence[Path], config: Config) -> Plan:
    """The index of the files that ``paths`` name and of their neighbours, without rewriting anything.

    Raises:
        ConfigError: a code or name in ``config`` means nothing.
    """
    selection = _Selection(config)
    files = discover(paths, config.excludes).files
    reader = _Reader(())
    return selection.plan(reader.read(files, neighbours(paths, files, config.excludes)), import_roots(paths))


def migrate_text(data: bytes, name: str, config: Config) -> Run:
    """Rewrite standard input, read as the file ``name``: the index holds that file and its neighbours on
    disk.

    Raises:
        ConfigError: a code or name in ``config`` means nothing.
    """
    selection = _Selection(config)
    file = Path(name)
    source = from_bytes(data, name if name == "-" else printed_path(file))
    if not isinstance(source, SourceFile):
        return Run((Outcome(file, source),), selection.plan([], ()), 1)
    beside = [] if name == "-" else neighbours([file], [file], config.excludes)
    sources = [source, *_Reader(selection.markers).read([], beside)]
    plan = selection.plan(sources, import_roots([file]))
    outcomes = settled([migrate_file(file, source, plan)], plan)
    return Run(tuple(filter(_tells, outcomes)), plan, 1)


def migrate_file(
    file: Path, source: SourceFile, plan: Plan, left_out: frozenset[SiteKey] = frozenset()
) -> Outcome:
    """One file through the engine, with its skip comments and ``per-file-ignores``; without a second run."""
    ignored = ignored_in(file, plan.config, plan.codemods)
    options = Options(plan.options.codes - ignored, plan.options.target, plan.options.unsafe)
    suppressions = read_suppressions(source.text, plan.codemods)
    result = migrate(source, plan.index, plan.codemods, options, left_out, suppressions.suppressed)
    return Outcome(file, result, suppressions.count, suppressions.unused(options.codes))


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
        second = replace(plan, index=_reindexed(plan.index, written.values()))
        for outcome in _migrated(list(written.items()), second, None):
            crash = _unsettled(outcome.result)
            if crash is not None:
                checked[outcome.file] = replace(outcome, result=crash)
    return [checked.get(outcome.file, outcome) for outcome in outcomes]


def _reindexed(index: ProjectIndex, sources: Iterable[SourceFile]) -> ProjectIndex:
    """``index.with_source`` for many files: linking the project once, not once a file."""
    from tfmigrate.project.extract import extract
    from tfmigrate.project.index import ProjectIndex

    records = dict(index._records)
    for source in sources:
        name, record = index._names.get(source.path), extract(source.text)
        if name is not None and record is not None:
            records[name] = record
    return ProjectIndex(index._table, records)


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


class _Selection:
    """What is looked for. Resolved before a file is read, so that a misspelt code is said at once."""

    def __init__(self, config: Config) -> None:
        from tfmigrate.registry import codemods

        self._config = config
        self._codemods = codemods()
        self._options = Options(enabled_codes(config, self._codemods), config.target, config.unsafe)
        ignored_in(Path("any.py"), config, self._codemods)
        wanted = [codemod for codemod in self._codemods if self._options.codes & codemod.codes.keys()]
        self.markers = tuple({marker for codemod in wanted for marker in codemod.marker})

    def plan(self, sources: Iterable[SourceFile], roots: tuple[Path, ...]) -> Plan:
        from tfmigrate.project.index import build_index

        index = build_index(sources, roots, self._config.cache_dir, worker_count(self._config))
        return Plan(index, self._codemods, self._options, self._config, roots)


def worker_count(config: Config) -> int:
    """Processes to use: as many as were asked for, or one per processor that this process may use."""
    if config.jobs:
        return config.jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Reader:
    """Reads files one after the other and keeps only those that hold a codemod's marker."""

    def __init__(self, markers: Sequence[bytes]) -> None:
        self._markers = markers
        self.kept: dict[Path, SourceFile] = {}
        self.dropped: dict[Path, bool] = {}
        """Whether the file mentions TensorFlow all the same."""
        self.unread: dict[Path, Outcome] = {}

    def read(self, files: Iterable[Path], context: Iterable[Path]) -> Iterator[SourceFile]:
        from tfmigrate.project.gather import mentions_tensorflow

        for file in files:
            source = read_source(file)
            if not isinstance(source, SourceFile):
                self.unread[file] = Outcome(file, source)
                continue
            if any(marker in source.data for marker in self._markers) or OWN_NAME in source.data:
                self.kept[file] = source
            else:
                self.dropped[file] = mentions_tensorflow(source.data)
            yield source
        for file in context:
            source = read_source(file)
            if isinstance(source, SourceFile):
                yield source


def _unparsable(reader: _Reader, named: set[Path], index: ProjectIndex) -> dict[Path, Outcome]:
    """Files that the index left out because they cannot be read.

    It also leaves out files that do not mention TensorFlow, and tests; these are only parsed when named by
    the user.
    """
    from tfmigrate.project.gather import mentions_tensorflow
    from tfmigrate.project.roots import is_test_file

    outcomes: dict[Path, Outcome] = {}
    for file in (*reader.kept, *reader.dropped):
        source = reader.kept.get(file)
        printed = printed_path(file) if source is None else source.path
        if index.module_at(printed) is not None:
            continue
        mentioned = reader.dropped[file] if source is None else mentions_tensorflow(source.data)
        is_wanted = mentioned and not is_test_file(printed)
        if is_wanted or file in named:
            read = read_source(file) if source is None else source
            result = _unreadable(read, is_wanted) if isinstance(read, SourceFile) else read
            if result is not None:
                outcomes[file] = Outcome(file, result)
    return outcomes


def _unreadable(source: SourceFile, is_wanted: bool) -> Unparsable | None:
    """Why the index has not read this file; None if it only saw no use in it."""
    result = parsed(source)
    if isinstance(result, Unparsable):
        return result
    return Unparsable(source.path, 1, 1, "its code is nested too deeply to be read") if is_wanted else None


def _may_matter(source: SourceFile, plan: Plan) -> bool:
    return OWN_NAME in source.data or any(
        codemod.may_apply(plan.index, source.path)
        for codemod in plan.codemods
        if plan.options.codes & codemod.codes.keys()
    )


def _tells(outcome: Outcome) -> bool:
    result = outcome.result
    return (
        not isinstance(result, Patch)
        or result.changed
        or bool(result.findings or outcome.suppressed or outcome.comments)
    )


def _migrated(
    candidates: Sequence[tuple[Path, SourceFile]], plan: Plan, progress: Progress | None
) -> Iterator[Outcome]:
    workers = min(worker_count(plan.config), len(candidates))
    outcomes = (
        _in_pool(candidates, plan, workers)
        if workers > 1 and len(candidates) >= _WORTH_A_POOL
        else (migrate_file(file, source, plan) for file, source in candidates)
    )
    for done, outcome in enumerate(outcomes, 1):
        if progress is not None:
            progress(done, len(candidates))
        yield outcome


def _in_pool(candidates: Sequence[tuple[Path, SourceFile]], plan: Plan, workers: int) -> Iterator[Outcome]:
    """Files in any order. When a worker dies, each file that was not done gets a process of its own."""
    left = dict(candidates)
    try:
        with _pool(plan, workers) as pool:
            try:
                futures: dict[Future[Outcome], Path] = {
                    pool.submit(_in_worker, file, source): file for file, source in candidates
                }
                for future in as_completed(futures):
                    outcome = future.result()
                    del left[outcome.file]
                    yield outcome
            except BaseException:
                _stop(pool)
                raise
    except BrokenProcessPool:
        for file, source in left.items():
            yield _alone(file, source, plan)


def _alone(file: Path, source: SourceFile, plan: Plan) -> Outcome:
    try:
        with _pool(plan, 1) as pool:
            return pool.submit(_in_worker, file, source).result()
    except BrokenProcessPool:
        return Outcome(file, Crash(source.path, "engine", "the worker process died while it read this file"))


def _pool(plan: Plan, workers: int) -> ProcessPoolExecutor:
    # A forked worker shares the index with its parent; elsewhere it is sent over once.
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(plan,))


def _stop(pool: ProcessPoolExecutor) -> None:
    processes = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()


class _Worker:
    """A worker process's own plan. Set once, when the process starts."""

    plan: Plan


def _start_worker(plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle.
    _Worker.plan = plan


def _in_worker(file: Path, source: SourceFile) -> Outcome:
    return migrate_file(file, source, _Worker.plan)
