"""Where output goes: results to standard output as bytes, everything else to standard error, as loud as was
asked for.
"""

from __future__ import annotations

import contextlib
import enum
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TextIO

_STYLES: Mapping[str, str] = {
    "bold": "\x1b[1m",
    "red": "\x1b[31m",
    "green": "\x1b[32m",
    "yellow": "\x1b[33m",
    "cyan": "\x1b[36m",
    "dim": "\x1b[2m",
}
_RESET = "\x1b[0m"


class ColorMode(enum.Enum):
    """``--color``."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def wants_color(mode: ColorMode, stream: TextIO, environment: Mapping[str, str]) -> bool:
    """The option, then ``NO_COLOR``, then ``FORCE_COLOR`` or ``CLICOLOR_FORCE``, then ``TERM=dumb``, then a
    terminal.
    """
    if mode is not ColorMode.AUTO:
        return mode is ColorMode.ALWAYS
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return environment.get("TERM") != "dumb" and stream.isatty()


@dataclass(frozen=True, slots=True)
class Console:
    """``loudness`` is 0 by default, one less for each ``-q``, one more for each ``-v``."""

    loudness: int = 0
    color_out: bool = False
    color_err: bool = False

    @classmethod
    def for_options(cls, quiet: int, verbose: int, mode: ColorMode) -> Console:
        return cls(
            verbose - quiet,
            wants_color(mode, sys.stdout, os.environ),
            wants_color(mode, sys.stderr, os.environ),
        )

    def result(self, data: bytes) -> None:
        """The command's result, on standard output."""
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def error(self, text: str) -> None:
        """What went wrong: hidden by ``-qq`` only."""
        self._say(text, -1)

    def note(self, text: str) -> None:
        """Findings, warnings, the summary: hidden by ``-q``."""
        self._say(text, 0)

    def detail(self, text: str) -> None:
        """Decisions: shown with ``-v``."""
        self._say(text, 1)

    def styled(self, text: str, style: str) -> str:
        """``text`` for standard error in ``style``, if it takes colours."""
        return f"{_STYLES[style]}{text}{_RESET}" if self.color_err else text

    def _say(self, text: str, level: int) -> None:
        if self.loudness >= level:
            print(text, file=sys.stderr)

    @contextlib.contextmanager
    def progress(self, what: str) -> Iterator[Callable[[int, int], None] | None]:
        """A function to call with (done, total) that draws a bar; None where nobody would see it."""
        if (
            self.loudness < 0
            or not sys.stderr.isatty()
            or os.environ.get("CI")
            or os.environ.get("TERM") == "dumb"
        ):
            yield None
            return
        from rich.console import Console as RichConsole
        from rich.progress import Progress

        # No refreshing thread: worker processes are forked while the bar is there.
        bar = Progress(console=RichConsole(stderr=True), transient=True, auto_refresh=False)
        task = bar.add_task(what, total=None)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            bar.refresh()

        with bar:
            yield advance
