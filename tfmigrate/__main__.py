"""``tfmigrate`` and ``python -m tfmigrate``: run the command line and end quietly, whatever happens."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from tfmigrate.exits import Exit
from tfmigrate.memory import collect_rarely

_RECURSION_LIMIT = 4_000


class _Interrupted(KeyboardInterrupt):
    """Ctrl-C. When Python's own exception leaves an ``exec`` (a dataclass is being made), the process ends by the signal,
    whatever exit code it then asks for; it looks for that very type.
    """


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise _Interrupted


@contextmanager
def _own_interrupt() -> Iterator[None]:
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # Ignored, or somebody else's to handle.
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command that ``arguments`` (by default the process's own) ask for."""
    # Machine-written code nests deeper than Python's default allows LibCST to go.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    collect_rarely()
    try:
        with _own_interrupt():
            from tfmigrate.cli import run

            code = run(sys.argv[1:] if arguments is None else arguments)
            sys.stdout.flush()
    except KeyboardInterrupt:
        code = Exit.INTERRUPTED
    except BrokenPipeError:
        code = Exit.BROKEN_PIPE
    except Exception as error:
        print(f"internal error: {type(error).__name__}: {error}", file=sys.stderr)
        code = Exit.FAILED
    if code == Exit.BROKEN_PIPE:
        # The interpreter flushes standard output once more when it ends, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
