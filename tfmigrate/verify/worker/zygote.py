"""The process that has imported TensorFlow and run nothing, and forks one child for each job.

A child forked after the first op hangs, so this process runs no op and lists no device. It is started by
:class:`tfmigrate.verify.run.Zygote` with one end of a socket pair, over which length-prefixed pickles go both
ways:

* in: ``("run", number, entry, payload, timeout_s, memory_mb, folder)``; entry is ``module:function``, payload
  is pickled;
* out: ``("ready", "", "")`` or ``("broken", message, traceback)`` once, then ``("ended", number, status,
  timed_out)``.

The child's result goes to ``folder/result.pickle``, its output to ``folder/stdout`` and ``folder/stderr``.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import resource
import selectors
import signal
import socket
import struct
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfmigrate.verify.worker.confine import confine

GRACE_S = 1.0
"""Between SIGTERM and SIGKILL."""
LARGEST_FILE = 1 << 30
"""Bytes that a child may write to one file: endless output must not fill the disk."""


@dataclass(slots=True)
class Child:
    """One running job."""

    number: int
    deadline: float
    terminated: bool = False
    timed_out: bool = False


def send(channel: socket.socket, message: object) -> None:
    """Write one message. Raises OSError when the other end is gone."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    channel.sendall(struct.pack("!Q", len(data)) + data)


def receive(channel: socket.socket) -> Any:
    """Read one message; None when the other end is gone. Only for data of our own processes."""
    head = _read(channel, 8)
    if head is None:
        return None
    body = _read(channel, struct.unpack("!Q", head)[0])
    return None if body is None else pickle.loads(body)


def _read(channel: socket.socket, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        with contextlib.suppress(ConnectionResetError):
            part = channel.recv(min(size - len(data), 1 << 20))
            if part:
                data += part
                continue
        return None
    return bytes(data)


def serve(channel: socket.socket) -> None:
    """Fork children as asked, until the other end closes. Returns in this process only."""
    children: dict[int, Child] = {}
    wake, wake_in = os.pipe()
    os.set_blocking(wake_in, False)
    signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    with selectors.DefaultSelector() as selector:
        selector.register(channel, selectors.EVENT_READ)
        selector.register(wake, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select(_patience(children)):
                if key.fileobj is not channel:
                    os.read(wake, 4096)
                elif (message := receive(channel)) is None:
                    for pid in children:
                        _signal_group(pid, signal.SIGKILL)
                    return
                else:
                    pid = _fork(message, channel)
                    children[pid] = Child(message[1], time.monotonic() + message[4])
            _end_overdue(children)
            _reap(children, channel)


def _patience(children: dict[int, Child]) -> float | None:
    if not children:
        return None
    return max(0.0, min(child.deadline for child in children.values()) - time.monotonic())


def _end_overdue(children: dict[int, Child]) -> None:
    now = time.monotonic()
    for pid, child in children.items():
        if now < child.deadline:
            continue
        _signal_group(pid, signal.SIGKILL if child.terminated else signal.SIGTERM)
        child.terminated = child.timed_out = True
        child.deadline = now + GRACE_S


def _reap(children: dict[int, Child], channel: socket.socket) -> None:
    for pid in tuple(children):
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            continue
        _signal_group(
            pid, signal.SIGKILL
        )  # what the child itself started; its number is ours until it is waited for
        _, status = os.waitpid(pid, 0)
        child = children.pop(pid)
        send(channel, ("ended", child.number, os.waitstatus_to_exitcode(status), child.timed_out))


def _signal_group(pid: int, number: signal.Signals) -> None:
    for kill in (os.killpg, os.kill):  # the group exists a moment after the fork
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, number)


def _fork(message: tuple[Any, ...], channel: socket.socket) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        channel.close()
        _, _, entry, payload, _, memory_mb, folder = message
        run_child(entry, payload, memory_mb, Path(folder))
    finally:
        os._exit(70)


def run_child(entry: str, payload: bytes, memory_mb: int, folder: Path) -> None:
    """Run one entry in this process, write its result to ``folder`` and end the process."""
    os.setsid()
    own = os.getpid()
    redirect(folder)
    os.chdir(folder / "cwd")
    settle(folder)
    limit(memory_mb)
    confine(folder)
    result: tuple[Any, ...]
    try:
        module, _, function = entry.partition(":")
        value = getattr(importlib.import_module(module), function)(pickle.loads(payload))
        result = ("finished", value)
        data = pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
    except BaseException as error:  # user code may raise anything, SystemExit and KeyboardInterrupt included
        data = pickle.dumps(described(error), protocol=pickle.HIGHEST_PROTOCOL)
    if os.getpid() != own:  # a process that user code forked and let run on
        os._exit(0)
    partial = folder / "result.partial"
    partial.write_bytes(data)
    partial.rename(folder / "result.pickle")
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(0)


def described(error: BaseException) -> tuple[str, str, str, str, tuple[str, ...]]:
    """An exception as plain text: exceptions of user code cannot always be pickled, nor printed."""
    try:
        message = str(error)
    except Exception as second:
        message = f"(str() of the exception raised {type(second).__name__})"
    try:
        trace = "".join(traceback.format_exception(error))
    except Exception:
        trace = "".join(traceback.format_tb(error.__traceback__))
    kinds = tuple(kind.__name__ for kind in type(error).__mro__)
    return ("raised", type(error).__name__, message[:20000], trace[-20000:], kinds)


def redirect(folder: Path) -> None:
    """Point the three standard streams at /dev/null and files, for Python and for C."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    for number, name in ((1, "stdout"), (2, "stderr")):
        target = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
        os.dup2(target, number)
        os.close(target)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False
    )


def settle(folder: Path) -> None:
    """A home and a place for temporary files of its own (AutoGraph leaves one for each function that it converts), and no
    arguments: those of the command line are ours."""
    for name in ("tmp", "home"):
        (folder / name).mkdir(exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder / "tmp")
    os.environ["HOME"] = str(folder / "home")
    for variable in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[variable]
    sys.argv = [""]


def limit(memory_mb: int) -> None:
    """No core dumps; files of at most 1 GiB; ``memory_mb`` MiB of address space on top of what is mapped now."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _lower(resource.RLIMIT_FSIZE, LARGEST_FILE)
    mapped = Path("/proc/self/statm")
    if memory_mb and mapped.exists():
        pages = int(mapped.read_text().split()[0])
        _lower(resource.RLIMIT_AS, pages * resource.getpagesize() + memory_mb * 2**20)


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, hard))


def main(descriptor: int, keras: str, preload: list[str]) -> None:
    """Import TensorFlow and the Keras flavour, say so, and serve."""
    channel = socket.socket(fileno=descriptor)
    channel.set_inheritable(False)
    try:
        importlib.import_module("tfmigrate.verify.worker.flavour").load(keras)
        for module in preload:
            importlib.import_module(module)
    except BaseException as error:
        text = described(error)
        send(channel, ("broken", f"{text[1]}: {text[2]}", text[3]))
        return
    gc.collect()
    gc.freeze()  # a child's collections need not go through what was imported: 0.2 s each
    send(channel, ("ready", "", ""))
    serve(channel)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
