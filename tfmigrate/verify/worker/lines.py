"""Which of the rewritten lines ran."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from types import FrameType, TracebackType
from typing import Any


class Lines:
    """Context manager that notes which of the given lines run, by ``sys.settrace``, in this thread.

    Only functions of the named files are traced line by line; every other call costs one dictionary look-up.
    """

    def __init__(self, asked: Mapping[str, frozenset[int]]) -> None:
        self._asked = {os.path.realpath(path): (path, lines) for path, lines in asked.items()}
        self._files: dict[str, tuple[str, frozenset[int]] | None] = {}
        self.ran: dict[str, set[int]] = {path: set() for path in asked}

    def __enter__(self) -> Lines:
        self._before = sys.gettrace()
        if self._asked:
            sys.settrace(self._call)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._asked:
            sys.settrace(self._before)

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        try:
            entry = self._files[name]
        except KeyError:
            entry = self._files[name] = self._asked.get(os.path.realpath(name))
        if entry is None or frame.f_code.co_name == "<module>" or "__qualname__" in frame.f_code.co_names:
            return None  # a class body or a module, which run when they are imported
        path, lines = entry
        ran = self.ran[path]

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line" and frame.f_lineno in lines:
                ran.add(frame.f_lineno)
            return line

        return line
