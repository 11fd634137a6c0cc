"""Who proves targets: threads of this process, or the workers of any ``concurrent.futures.Executor``.

A cluster's executor (Dask's ``client.get_executor()``, Ray's) can take the place of the local pool. Its workers need the
same files under the same paths, and an environment with tfmigrate; each starts its own process that imports TensorFlow, and
keeps it from one target to the next.
"""

from __future__ import annotations

import contextlib
import multiprocessing.util
import pickle
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tfmigrate.verify.engines import Engine, Engines, engines
from tfmigrate.verify.known import Known
from tfmigrate.verify.naming import symbol_at
from tfmigrate.verify.prover import PRELOAD, Prover, Target
from tfmigrate.verify.report import SymbolReport
from tfmigrate.verify.second import OTHER, second_flavour

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex
    from tfmigrate.verify.rounds import Progress
    from tfmigrate.verify.session import Request

Running: TypeAlias = "Sequence[Engine] | Callable[[], Sequence[Engine]] | None"


class Proving(Protocol):
    """Proves targets, several at a time."""

    @property
    def skipped(self) -> tuple[str, ...]:
        """What was asked for and cannot be run here, as far as it is known by now."""

    def submit(self, target: Target) -> Future[SymbolReport]:
        """Start one proof."""


@contextlib.contextmanager
def proving(
    request: Request, index: ProjectIndex, known: Known, running: Running = None
) -> Iterator[Proving]:
    """Proves what is asked for: what is known is not run again, and nothing is started before it is needed.

    ``running``: engines, or who gives them when they are needed; None starts some.
    """
    with contextlib.ExitStack() as stack:
        if request.executor is not None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tfmigrate-plan-"))
            yield Remembered(_Elsewhere(request, index, request.executor, Path(folder)), known)
            return
        yield Remembered(_Here(request, index, stack, running), known)


class Remembered:
    """Asks another one only for what is not known."""

    def __init__(self, source: Proving, known: Known) -> None:
        self._source = source
        self._known = known
        self._skipped: dict[str, None] = {}

    @property
    def skipped(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self._source.skipped, *self._skipped)))

    def submit(self, target: Target) -> Future[SymbolReport]:
        key = self._known.key(target)
        found = self._known.recall(key) if key else None
        if found is not None:
            report, skipped = found
            self._skipped.update(dict.fromkeys(skipped))
            done: Future[SymbolReport] = Future()
            done.set_result(report)
            return done
        future = self._source.submit(target)
        if key:
            future.add_done_callback(lambda ended: self._keep(key, ended))
        return future

    def _keep(self, key: str, ended: Future[SymbolReport]) -> None:
        if not ended.cancelled() and ended.exception() is None:
            self._known.keep(key, ended.result(), self._source.skipped)


class _Here:
    """In threads of this process, each of which keeps several children of one zygote busy."""

    def __init__(
        self,
        request: Request,
        index: ProjectIndex,
        stack: contextlib.ExitStack,
        running: Running,
    ) -> None:
        self._request, self._index, self._stack, self._running = request, index, stack, running
        self._pool = ThreadPoolExecutor(max(1, request.jobs))
        # Not waiting: after Ctrl-C the processes of running arms are ended by whoever started them.
        stack.callback(lambda: self._pool.shutdown(wait=False, cancel_futures=True))
        self._prover: Prover | None = None
        self.skipped: tuple[str, ...] = ()

    def submit(self, target: Target) -> Future[SymbolReport]:
        if self._prover is None:
            started, self._prover = start(self._request, self._index, self._stack, self._running)
            self.skipped = tuple(started.skipped)
        return self._pool.submit(self._prover.prove, target)


def start(
    request: Request,
    index: ProjectIndex,
    stack: contextlib.ExitStack,
    running: Running = None,
) -> tuple[Engines, Prover]:
    """Processes that have imported TensorFlow, for as long as ``stack``, and who proves with them.

    Raises:
        ZygoteFailed: TensorFlow or the Keras flavour is missing.
    """
    if running is not None:
        started = Engines(list(running() if callable(running) else running))
    else:
        started = stack.enter_context(engines(request.settings, request.matrix))
    flavours, python = started.flavours, request.matrix.python
    seconds = {
        keras: stack.enter_context(
            second_flavour(
                replace(request.settings, keras=keras), PRELOAD, flavours.get(OTHER[keras]), python
            )
        )
        for keras in flavours
    }

    return started, Prover(
        started.running, index, lambda name: symbol_at(index, name), request.cases, seconds, request.recording
    )


# -- another executor ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Work:
    """One target, and where the plan is that it belongs to."""

    plan: str
    """Path of a file that holds the pickled request and index."""
    target: Target


class _Elsewhere:
    """By the workers of an executor."""

    def __init__(self, request: Request, index: ProjectIndex, executor: Executor, folder: Path) -> None:
        self._executor = executor
        self._plan = folder / "plan.pickle"
        sent = replace(request, executor=None, cache_dir=None)
        self._plan.write_bytes(pickle.dumps((sent, index)))
        self.skipped: tuple[str, ...] = ()

    def submit(self, target: Target) -> Future[SymbolReport]:
        return self._executor.submit(prove_work, Work(str(self._plan), target))


def prove_work(work: Work) -> SymbolReport:
    """What a worker of an executor runs.

    Raises:
        ZygoteFailed: TensorFlow or the Keras flavour is missing there.
        OSError: the plan cannot be read there.
    """
    return _Worker.prover(work.plan).prove(work.target)


class _Worker:
    """The processes of this worker; they live until it ends, or until it gets work of another plan."""

    _lock = threading.Lock()
    _plan = ""
    _prover: Prover
    _stack: contextlib.ExitStack | None = None

    @classmethod
    def prover(cls, plan: str) -> Prover:
        with cls._lock:
            if cls._plan != plan:
                request, index = pickle.loads(Path(plan).read_bytes())
                if cls._stack is not None:
                    cls._stack.close()
                cls._stack = contextlib.ExitStack()
                _, cls._prover = start(request, index, cls._stack)
                cls._plan = plan
                # Runs in processes of multiprocessing, too, which know no atexit.
                multiprocessing.util.Finalize(None, cls._stack.close, exitpriority=10)
            return cls._prover


# -- all of them ---------------------------------------------------------------------------------------------


def prove_all(prover: Proving, targets: Sequence[Target], progress: Progress | None) -> list[SymbolReport]:
    """The reports of ``targets`` in their order."""
    running = [prover.submit(target) for target in targets]
    try:
        for done, finished in enumerate(as_completed(running), 1):
            if progress is not None:
                progress(done, len(targets), finished.result())
        return [future.result() for future in running]
    except BaseException:
        for future in running:
            future.cancel()
        raise
