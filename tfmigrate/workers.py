"""Many files through the engine, in this process or in several; a process that dies takes one file with it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.memory import collect_rarely
from tfmigrate.results import Crash
from tfmigrate.runs import Outcome, Plan, migrate_file, worker_count
from tfmigrate.source import SourceFile

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Progress = Callable[[int, int], None]
"""Called with the number of files done and of all."""

_WORTH_A_POOL = 8
"""With fewer files to rewrite, starting processes costs more than it saves."""


def migrate_files(
    candidates: Sequence[tuple[Path, SourceFile]], plan: Plan, progress: Progress | None
) -> Iterator[Outcome]:
    """The outcomes of ``candidates``, in any order."""
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
    from concurrent.futures import as_completed
    from concurrent.futures.process import BrokenProcessPool

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
    from concurrent.futures.process import BrokenProcessPool

    try:
        with _pool(plan, 1) as pool:
            return pool.submit(_in_worker, file, source).result()
    except BrokenProcessPool:
        return Outcome(file, Crash(source.path, "engine", "the worker process died while it read this file"))


def _pool(plan: Plan, workers: int) -> ProcessPoolExecutor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

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
    collect_rarely()
    _Worker.plan = plan


def _in_worker(file: Path, source: SourceFile) -> Outcome:
    return migrate_file(file, source, _Worker.plan)
