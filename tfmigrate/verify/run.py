"""Run functions in processes of their own, forked from one that has imported TensorFlow; how it ended is a
value.

This side never imports TensorFlow. See :mod:`tfmigrate.verify.worker.zygote` for the other side and the
protocol."""

from __future__ import annotations

import concurrent.futures
import contextlib
import io
import itertools
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import tfmigrate
from tfmigrate.verify.model import (
    CannotBuildOutcome,
    Finished,
    ImportFailed,
    Killed,
    Outcome,
    OutOfMemory,
    Raised,
    TimedOut,
)
from tfmigrate.verify.worker import zygote as protocol

ZYGOTE = "tfmigrate.verify.worker.zygote"
PRELOAD = ("tfmigrate.verify.worker.arm",)
TAIL = 8192
"""Bytes of a child's output that its outcome carries."""
_OURS = ("__autograph_generated_file", "exported-")
_MOST_WRITTEN = 100
START_S = 300.0
"""Longest wait for TensorFlow's import."""
_ALLOWED_ROOTS = frozenset(
    {"builtins", "collections", "numpy", "ml_dtypes", "tfmigrate", "datetime", "pathlib"}
)
_FORBIDDEN_BUILTINS = frozenset(
    {"eval", "exec", "compile", "open", "__import__", "getattr", "setattr", "input"}
)


class ZygoteFailed(RuntimeError):
    """TensorFlow or the Keras flavour cannot be imported, or the zygote died; the message says what to do."""


@dataclass(slots=True)
class _Pending:
    folder: Path
    limit_s: float
    memory_mb: int
    started: float
    future: concurrent.futures.Future[Outcome] = field(default_factory=concurrent.futures.Future)


class Zygote:
    """One process that imported TensorFlow with one Keras flavour; children are forked from it on demand.

    Safe to call from several threads: each call of :meth:`run` has a child of its own.

    Raises:
        ZygoteFailed: on entering; TensorFlow, Keras or the interpreter is missing.
    """

    def __init__(
        self,
        keras: str = "3",
        *,
        device: str = "CPU",
        python: str = sys.executable,
        preload: Sequence[str] = PRELOAD,
    ) -> None:
        self.keras = keras
        self.device = device
        self._python = python
        self._preload = tuple(preload)
        self._numbers = itertools.count(1)
        self._pending: dict[int, _Pending] = {}
        self._lock = threading.Lock()
        self._broken = ""

    @property
    def pid(self) -> int:
        """Of the process that imported TensorFlow."""
        return self._process.pid

    def __enter__(self) -> Zygote:
        self._scratch = Path(tempfile.mkdtemp(prefix="tfmigrate-"))
        ours, theirs = socket.socketpair()
        log = (self._scratch / "zygote.stderr").open("wb")
        try:
            self._process = subprocess.Popen(
                [self._python, "-m", ZYGOTE, str(theirs.fileno()), self.keras, *self._preload],
                pass_fds=[theirs.fileno()],
                env=environment(self.keras, self.device, _alone(self._scratch)),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._scratch,
                start_new_session=True,
            )
        except OSError as error:
            self._forget(ours)
            raise ZygoteFailed(f"{self._python} cannot be started: {error}") from error
        finally:
            theirs.close()
            log.close()
        self._channel = ours
        try:
            ours.settimeout(START_S)
            kind, message, trace = protocol.receive(ours) or ("broken", self._last_words(), "")
            ours.settimeout(None)
            if kind != "ready":
                raise ZygoteFailed(message if "FlavourMissing" in message else f"{message}\n{trace}".strip())
        except BaseException:
            self._stop()
            raise
        self._reader = threading.Thread(target=self._read_replies, daemon=True)
        self._reader.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._reader.join(5)

    def submit(
        self, entry: str, payload: object, timeout_s: float = 120.0, memory_mb: int = 4096
    ) -> concurrent.futures.Future[Outcome]:
        """Start ``entry`` ("module:function") with ``payload`` in a child; its outcome comes through the
        future."""
        number = next(self._numbers)
        folder = self._scratch / str(number)
        (folder / "cwd").mkdir(parents=True)
        pending = _Pending(folder, timeout_s, memory_mb, time.monotonic())
        data = pickle.dumps(payload, protocol=pickle.HIGHEST_PROTOCOL)
        with self._lock:
            if self._broken:
                raise ZygoteFailed(self._broken)
            self._pending[number] = pending
            try:
                protocol.send(self._channel, ("run", number, entry, data, timeout_s, memory_mb, str(folder)))
            except OSError as error:
                del self._pending[number]
                raise ZygoteFailed(f"the process that imported TensorFlow is gone: {error}") from error
        return pending.future

    def run(self, entry: str, payload: object, timeout_s: float = 120.0, memory_mb: int = 4096) -> Outcome:
        """Run ``entry`` in a child and wait for it; never raises for what the child does.

        Args:
            entry: ``module:function``, importable in the child; called with ``payload``, returns plain data.
            timeout_s: wall-clock seconds, then SIGTERM and SIGKILL to the child's process group.
            memory_mb: MiB of address space on top of what TensorFlow's import mapped; 0 for no cap.
        """
        return self.submit(entry, payload, timeout_s, memory_mb).result()

    def _read_replies(self) -> None:
        while (message := protocol.receive(self._channel)) is not None:
            _, number, status, timed_out = message
            with self._lock:
                pending = self._pending.pop(number)
            pending.future.set_result(_outcome(pending, status, timed_out))
            shutil.rmtree(pending.folder, ignore_errors=True)
        with self._lock:
            self._broken = f"the process that imported TensorFlow ended: {self._last_words()}"
            lost, self._pending = self._pending, {}
        for pending in lost.values():
            seconds = time.monotonic() - pending.started
            pending.future.set_result(Killed("zygote ended", seconds, "", self._last_words()))

    def _last_words(self) -> str:
        try:
            return _tail(self._scratch / "zygote.stderr").strip()[-2000:] or "it said nothing"
        except OSError:
            return "it said nothing"

    def _stop(self) -> None:
        # shutdown, not close: the reader thread is blocked in recv() on this socket. The zygote then kills
        # its children.
        with contextlib.suppress(OSError):
            self._channel.shutdown(socket.SHUT_RDWR)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._forget(self._channel)

    def _forget(self, channel: socket.socket) -> None:
        channel.close()
        shutil.rmtree(self._scratch, ignore_errors=True)


def _alone(scratch: Path) -> Path:
    """A folder that holds the package ``tfmigrate`` and nothing else.

    The folder that it is installed in holds a TensorFlow as well, which must not hide the one that PYTHONPATH or
    another interpreter has.
    """
    folder = scratch / "import"
    folder.mkdir(exist_ok=True)
    (folder / "tfmigrate").symlink_to(Path(tfmigrate.__file__).parent, target_is_directory=True)
    return folder


def environment(keras: str, device: str, package: Path) -> dict[str, str]:
    """The environment of a zygote: this process's, with the Keras flavour and the device kind settled.

    ``package`` is the folder to import tfmigrate from.
    """
    env = dict(os.environ)
    env["PYTHONPATH"] = os.pathsep.join(filter(None, (env.get("PYTHONPATH", ""), str(package))))
    env["TF_USE_LEGACY_KERAS"] = "1" if keras == "2" else "0"
    env["KERAS_BACKEND"] = "tensorflow"
    env.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")
    env["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
    if device == "CPU":
        env["CUDA_VISIBLE_DEVICES"] = "-1"
    return env


def _outcome(pending: _Pending, status: int, timed_out: bool) -> Outcome:
    seconds = time.monotonic() - pending.started
    tails = (
        seconds,
        _tail(pending.folder / "stdout"),
        _tail(pending.folder / "stderr"),
        _written(pending.folder),
    )
    if timed_out:
        return TimedOut(pending.limit_s, *tails)
    result = pending.folder / "result.pickle"
    if not result.exists():
        if "bad_alloc" in tails[2] or "MemoryError" in tails[2]:
            return OutOfMemory(pending.memory_mb, "an allocation failed, and the process was aborted", *tails)
        return Killed(_ending(status), *tails)
    try:
        value = PlainUnpickler(io.BytesIO(result.read_bytes())).load()
    except Exception as error:
        return Raised(type(error).__name__, f"the result cannot be read: {error}", "", *tails)
    if value[0] == "finished":
        return Finished(value[1], *tails)
    _, name, message, trace, kinds = value
    if "MemoryError" in kinds or "ResourceExhaustedError" in kinds:
        return OutOfMemory(pending.memory_mb, message, *tails)
    if "SubjectImportError" in kinds:
        return ImportFailed(message, trace, *tails)
    if "CannotBuild" in kinds:
        return CannotBuildOutcome(message, trace, *tails)
    return Raised(name, message, trace, *tails)


def _written(folder: Path) -> tuple[str, ...]:
    """What a job wrote where it may, without what TensorFlow and we leave there: ``log.txt``, ``~/.cache/x``."""
    found = []
    for place, called in (("cwd", ""), ("home", "~/"), ("tmp", "$TMPDIR/")):
        top = folder / place
        for parent, folders, files in os.walk(top):
            folders[:] = [name for name in folders if not name.startswith(_OURS)]
            inside = os.path.relpath(parent, top)
            prefix = called if inside == "." else f"{called}{inside}/"
            found += [prefix + name for name in files if not name.startswith(_OURS)]
            if len(found) > _MOST_WRITTEN:
                return tuple(sorted(found)[:_MOST_WRITTEN])
    return tuple(sorted(found))


def _ending(status: int) -> str:
    if status >= 0:
        return f"exit {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def _tail(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL))
        return file.read().decode("utf-8", "replace")


class PlainUnpickler(pickle.Unpickler):
    """Loads plain data only: the child ran user code, whose classes must not be imported here."""

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] not in _ALLOWED_ROOTS or (
            module == "builtins" and name.partition(".")[0] in _FORBIDDEN_BUILTINS
        ):
            raise pickle.UnpicklingError(f"{module}.{name} is not plain data")
        return super().find_class(module, name)
