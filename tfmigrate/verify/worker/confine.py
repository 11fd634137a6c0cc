"""Keeps a process, and what it starts, from writing outside of its own folder.

On Linux 5.13 and newer the kernel does (Landlock, https://docs.kernel.org/userspace-api/landlock.html); elsewhere Python's
own functions are watched, and only those. Reading is free: data files, cached weights and packages are where they are.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""Numbers of the system calls, the same on all architectures."""
_ASK_VERSION, _BENEATH, _NO_NEW_PRIVILEGES = 1, 1, 38
_WRITE_FILE, _REFER, _TRUNCATE = 1 << 1, 1 << 13, 1 << 14
_CHANGES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))
"""Writing; removing and making files, folders, sockets, devices and links."""
_ALWAYS = ("/dev", "/proc")
"""Null devices, accelerators, shared memory; names of one's own threads."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
_EVENTS = {
    "os.remove": (0,),
    "os.rmdir": (0,),
    "os.mkdir": (0,),
    "os.rename": (0, 1),
    "os.link": (1,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "shutil.rmtree": (0,),
}
"""Audit event -> its arguments that are written paths."""


def confine(folder: Path) -> str:
    """Let this process write below ``folder`` only, for good. Who sees to that: ``kernel`` or ``python``."""
    if sys.platform == "linux" and _by_kernel(folder):
        return "kernel"
    by_python(folder)
    return "python"


def _by_kernel(folder: Path) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE, None, 0, _ASK_VERSION)
    if version < 1:
        return False
    changes = _CHANGES | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    rules = ctypes.create_string_buffer(struct.pack("=Q", changes))
    ruleset = libc.syscall(_CREATE, rules, 8, 0)
    if ruleset < 0:
        return False
    try:
        for path in (os.fspath(folder), *_ALWAYS):
            with contextlib.suppress(OSError):
                _allow(libc, ruleset, path, changes)
        if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
            return False
        return int(libc.syscall(_RESTRICT, ruleset, 0)) == 0
    finally:
        os.close(ruleset)


def _allow(libc: Any, ruleset: int, path: str, changes: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        beneath = ctypes.create_string_buffer(struct.pack("=Qi", changes, descriptor))
        libc.syscall(_ADD, ruleset, _BENEATH, beneath, 0)
    finally:
        os.close(descriptor)


def by_python(folder: Path) -> None:
    """The same for what Python itself opens, removes and makes."""
    allowed = tuple(os.path.realpath(path) + os.sep for path in (folder, *_ALWAYS))
    real: Callable[[str], str] = os.path.realpath

    def check(path: object) -> None:
        if isinstance(path, (str, bytes, os.PathLike)):
            name = os.fsdecode(path)
            if not (real(name) + os.sep).startswith(allowed):
                raise PermissionError(13, "Permission denied", name)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            if (flags or 0) & _WRITING or (isinstance(mode, str) and set(mode) & set("wax+")):
                check(path)
        elif event in _EVENTS:
            for place in _EVENTS[event]:
                check(arguments[place])

    sys.addaudithook(hook)
