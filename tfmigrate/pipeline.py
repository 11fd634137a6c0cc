"""From paths to results: find, read and index the files, and put the engine over those that can matter.

Nothing here prints, writes source files or ends the process. Results are in the order of the paths; one bad
file never stops the others.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.codemod import Codemod
from tfmigrate.config import Config
from tfmigrate.discovery import discover
from tfmigrate.engine import Options, SiteKey, migrate, parsed
from tfmigrate.project_files import import_roots, neighbours
from tfmigrate.results import Crash, FileResult, Patch, Skipped, Unparsable
from tfmigrate.selection import enabled_codes, ignored_in
from tfmigrate.source import SourceFile, from_bytes, printed_path, read_source
from tfmigrate.suppression import CommentProblem, read_suppressions

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex

Progress = Callable[[int, int], None]
"""Called with the number of files done and of all."""

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
    def patches(self) -> tuple[Patch, ...]:
        """The files that would be written."""
        return tuple(result for result in self.results if isinstance(result, Patch) and result.changed)

    @property
    def index(self) -> ProjectIndex:
        return self.plan.index


def migrate_paths(paths: Sequence[Path], config: Config, progress: Progress | None = None) -> Run:
    """Rewrite, in memory, the files that ``paths`` name.

    Raises:
        ConfigError: a code or name in ``config`` means nothing.
    """
    found = discover(paths, config.excludes)
    plan_for = _planner(config)
    reader = _Reader(plan_for.markers)
    sources = reader.read(found.files, neighbours(paths, found.files, config.excludes))
    plan = plan_for(sources, import_roots(paths, found.files))
    outcomes = {**reader.unread, **_unparsable(reader.dropped, plan.index)}
    candidates = [(file, source) for file, source in reader.kept.items() if _may_matter(source, plan)]
    candidates_set = {file for file, _ in candidates}
    others = [(file, source) for file, source in reader.kept.items() if file not in candidates_set]
    outcomes.update(_unparsable(dict.fromkeys(file for file, _ in others), plan.index))
    for outcome in _migrated(candidates, plan, progress):
        outcomes[outcome.file] = outcome
    ordered = tuple(outcomes[file] for file in found.files if file in outcomes and _tells(outcomes[file]))
    return Run(ordered, plan, len(found.files), found.missing)


def migrate_text(data: bytes, name: str, config: Config) -> Run:
    """Rewrite standard input, read as the file ``name``: the index holds that file and its neighbours on
    disk.
    """
    file = Path(name)
    source = from_bytes(data, name if name == "-" else printed_path(file))
    plan_for = _planner(config)
    if not isinstance(source, SourceFile):
        plan = plan_for([], ())
        return Run((Outcome(file, source),), plan, 1)
    beside = [] if name == "-" else neighbours([file], [file], config.excludes)
    reader = _Reader(plan_for.markers)
    plan = plan_for([source, *reader.read([], beside)], import_roots([], [file]))
    return Run((migrate_file(file, source, plan),), plan, 1)


def migrate_file(
    file: Path, source: SourceFile, plan: Plan, left_out: frozenset[SiteKey] = frozenset()
) -> Outcome:
    """One file through the engine, with its skip comments; what it makes of it must plan no further edit."""
    ignored = ignored_in(file, plan.config, plan.codemods)
    options = Options(plan.options.codes - ignored, plan.options.target, plan.options.unsafe)
    suppressions = read_suppressions(source.text, plan.codemods)
    result = migrate(source, plan.index, plan.codemods, options, left_out, suppressions.suppressed)
    if isinstance(result, Patch) and result.changed:
        result = _settled(result, plan, options, left_out)
    return Outcome(file, result, suppressions.count, suppressions.unused(options.codes))


def _settled(patch: Patch, plan: Plan, options: Options, left_out: frozenset[SiteKey]) -> Patch | Crash:
    """``patch`` if a second run over its text changes nothing and its text can be written, otherwise a bug
    report.
    """
    try:
        data = patch.source.encode(patch.after)
        again = from_bytes(data, patch.source.path)
        if not isinstance(again, SourceFile) or again.text != patch.after:
            return Crash(
                patch.source.path, "engine", "the rewritten text does not read back as it was written"
            )
        if left_out:
            return patch  # The places that stay have other lines now: they would be planned again.
        index = plan.index.with_source(again)
        suppressions = read_suppressions(again.text, plan.codemods)
        second = migrate(again, index, plan.codemods, options, frozenset(), suppressions.suppressed)
    except Exception:
        return Crash(patch.source.path, "engine", traceback.format_exc())
    if not isinstance(second, Patch):
        return Crash(patch.source.path, "engine", f"a second run ends in {second}")
    if second.changed:
        planned = [
            f"{f.site.code} at {f.site.line}:{f.site.column}" for f in second.findings if not f.refused
        ]
        return Crash(
            patch.source.path, "engine", "a second run would change the file again: " + ", ".join(planned)
        )
    return patch


class _planner:
    """Resolves the selection before a file is read, so that a misspelt code is said at once."""

    def __init__(self, config: Config) -> None:
        from tfmigrate.registry import codemods

        self._config = config
        self._codemods = codemods()
        self._options = Options(enabled_codes(config, self._codemods), config.target, config.unsafe)
        ignored_in(Path("x.py"), config, self._codemods)
        wanted = [c for c in self._codemods if self._options.codes & c.codes.keys()]
        self.markers = tuple({marker for codemod in wanted for marker in codemod.marker})

    def __call__(self, sources: Iterable[SourceFile], roots: tuple[Path, ...]) -> Plan:
        from tfmigrate.project.index import build_index

        jobs = worker_count(self._config)
        index = build_index(sources, roots, self._config.cache_dir, jobs)
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
        self.dropped: dict[Path, None] = {}
        self.unread: dict[Path, Outcome] = {}

    def read(self, files: Iterable[Path], context: Iterable[Path]) -> Iterator[SourceFile]:
        for file in files:
            source = read_source(file)
            if not isinstance(source, SourceFile):
                self.unread[file] = Outcome(file, source)
                continue
            if any(marker in source.data for marker in self._markers):
                self.kept[file] = source
            else:
                self.dropped[file] = None
            yield source
        for file in context:
            source = read_source(file)
            if isinstance(source, SourceFile):
                yield source


def _unparsable(files: Iterable[Path], index: ProjectIndex) -> dict[Path, Outcome]:
    """Those of ``files``, which no codemod will read, that do not parse."""
    outcomes: dict[Path, Outcome] = {}
    for file in files:
        if index.module_at(printed_path(file)) is not None:
            continue
        source = read_source(file)
        result = parsed(source) if isinstance(source, SourceFile) else source
        if isinstance(result, Skipped | Unparsable):
            outcomes[file] = Outcome(file, result)
    return outcomes


def _may_matter(source: SourceFile, plan: Plan) -> bool:
    if plan.index.module_at(source.path) is None:
        return True  # It does not parse: the engine says where.
    return any(
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
