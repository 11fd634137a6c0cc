"""Runs the user's program with hooks in place: ``python -m tfmigrate.record.launch OPTIONS program ARGS``.

It is a process of its own, which ``tfmigrate record`` turns into, so that the program finds no trace of the command
line: its ``sys.argv``, ``sys.path[0]``, ``__main__``, exit code and tracebacks are those of ``python program ARGS``.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Sequence
from types import TracebackType

from tfmigrate.record.options import Options, options


def main(arguments: Sequence[str]) -> int:
    """Exit code of the program. ``arguments``: the options as JSON, "-m" or "", the program, its arguments."""
    chosen, kind, program, *rest = arguments
    asked = json.loads(chosen)
    made = options(asked["output"], tuple(asked["sources"]), asked["samples"], asked["append"])
    return run(made, kind == "-m", program, rest)


def run(chosen: Options, is_module: bool, program: str, rest: Sequence[str]) -> int:
    """Record ``program``."""
    from tfmigrate.record.session import begin

    begin(chosen)
    sys.argv = [program, *rest]
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.getcwd() if is_module else os.path.dirname(os.path.realpath(program))
    try:
        if is_module:
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(program, run_name="__main__")
    except SystemExit as stop:
        return _exit_code(stop)
    except BaseException as error:
        # An exception that nobody caught: what Python would print, without the lines that started the program.
        error.__traceback__ = _of_the_program(error.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _exit_code(stop: SystemExit) -> int:
    if stop.code is None or isinstance(stop.code, int):
        return stop.code or 0
    print(stop.code, file=sys.stderr)
    return 1


def _of_the_program(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name != __file__ and "runpy" not in os.path.basename(name):
            return trace
        trace = trace.tb_next
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
