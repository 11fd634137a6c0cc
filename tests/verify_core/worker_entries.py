"""Functions that misbehave, run in the children of a zygote."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any


def echo(payload: Any) -> Any:
    return payload


def hang(payload: Any) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1)


def exits(payload: Any) -> None:
    sys.exit(payload)


def hard_exit(payload: int) -> None:
    os._exit(payload)


def segfault(payload: Any) -> None:
    print("before the end", flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


def hog(payload: Any) -> int:
    return len(bytearray(64 << 30))


def tensor_hog(payload: Any) -> float:
    import tensorflow as tf

    return float(tf.reduce_sum(tf.ones((1 << 16, 1 << 16))))


def chatty(payload: Any) -> int:
    for _ in range(100):
        sys.stdout.write("x" * 99_999 + "\n")
    sys.stdout.write("the end\n")
    return 1


class Unpicklable(Exception):
    def __init__(self) -> None:
        super().__init__("no way")
        self.lock = time.sleep
        self.value = lambda: None

    def __reduce__(self) -> Any:
        raise TypeError("not this one")


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not printable")


def raises_unpicklable(payload: Any) -> None:
    raise Unpicklable


def raises_unprintable(payload: Any) -> None:
    raise Unprintable


def returns_unpicklable(payload: Any) -> Any:
    return lambda: None


def returns_own_class(payload: Any) -> Any:
    return Unprintable


def forks(payload: Any) -> str:
    """A process that user code forked runs on through our code, and one stays behind."""
    if os.fork() == 0:
        return "from the grandchild"
    if os.fork() == 0:
        time.sleep(600)
    return "from the child"


def groups_left(pids: list[int]) -> list[int]:
    left = []
    for pid in pids:
        try:
            os.kill(pid, 0)
            left.append(pid)
        except ProcessLookupError:
            pass
    return left


def leaves_one_behind(payload: Any) -> int:
    pid = os.fork()
    if pid == 0:
        time.sleep(600)
    return pid


def surroundings(payload: Any) -> dict[str, Any]:
    import resource

    return {
        "stdin": sys.stdin.read(),
        "group": os.getpgid(0) == os.getpid(),
        "files": os.listdir("."),
        "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
        "session": os.getsid(0) == os.getpid(),
    }


def flavour(payload: Any) -> list[str]:
    import keras
    import keras.layers as layers
    import tensorflow as tf
    from keras.layers import Dense

    return [
        keras.__version__[0],
        tf.keras.layers.Dense.__module__.split(".")[0],
        Dense.__module__.split(".")[0],
        layers.Dense.__name__,
    ]


def converts(payload: Any) -> list[str]:
    """AutoGraph writes a file for what it converts."""
    import tempfile
    from pathlib import Path

    import tensorflow as tf

    def count(x: Any) -> Any:
        while x > 0:
            x -= 1
        return x

    tf.function(count)(tf.constant(3))
    folder = Path(tempfile.gettempdir())
    return [str(folder), os.environ["TMPDIR"], *(path.name[:22] for path in folder.iterdir())]


def converts_and_ends(ending: str) -> list[str]:
    """Let AutoGraph convert a function, and tell which files that left; or end without a word."""
    import tempfile

    import tensorflow as tf

    @tf.function
    def double(x: Any) -> Any:
        if tf.reduce_sum(x) > 0:
            x = x * 2
        return x

    double(tf.ones(3))
    left = [
        name for name in os.listdir(tempfile.gettempdir()) if name.startswith("__autograph_generated_file")
    ]
    if ending == "exit" and left:
        os._exit(7)
    if ending == "kill" and left:
        os.kill(os.getpid(), signal.SIGKILL)
    return left
