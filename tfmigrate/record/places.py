"""Which code is the user's own, and which of its lines called."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

_NOT_OWN = frozenset({"site-packages", "dist-packages", ".tox", ".nox", ".venv", "node_modules"})
_OURS = os.path.realpath(Path(__file__).parent.parent)
_FRAMES = 60
"""Frames that are looked through for a caller."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A class or function of the user's."""

    name: str
    """``pkg.net:Net``."""
    file: str
    """From the recording's folder."""
    line: int


class Places:
    """Answers for one set of folders; each file is looked at once."""

    def __init__(self, roots: tuple[str, ...], folder: str) -> None:
        self._roots = tuple(root.rstrip(os.sep) + os.sep for root in roots)
        self._folder = os.path.realpath(folder)
        self._own: dict[str, str | None] = {}
        self._interpreter = tuple(
            os.path.realpath(prefix) + os.sep for prefix in {sys.prefix, sys.base_prefix}
        )

    def own(self, filename: str) -> str | None:
        """``filename`` from the recording's folder if it is the user's code, else None."""
        if filename not in self._own:
            self._own[filename] = self._decide(filename)
        return self._own[filename]

    def _decide(self, filename: str) -> str | None:
        if filename.startswith("<"):
            return None
        real = os.path.realpath(filename)
        if not real.startswith(self._roots) or real.startswith(_OURS + os.sep):
            return None
        if _NOT_OWN.intersection(real.split(os.sep)):
            return None
        # An environment inside of the project's folder, but not a project inside of an environment's folder.
        for prefix in self._interpreter:
            if real.startswith(prefix) and not any(root.startswith(prefix) for root in self._roots):
                return None
        return Path(os.path.relpath(real, self._folder)).as_posix()

    def caller(self, frame: FrameType | None) -> tuple[str, int] | None:
        """The innermost line of the user's code, from ``frame`` outwards."""
        for _ in range(_FRAMES):
            if frame is None:
                return None
            own = self.own(frame.f_code.co_filename)
            if own is not None:
                return own, frame.f_lineno
            frame = frame.f_back
        return None

    def definition_of_class(self, cls: type) -> Definition | None:
        """Where ``cls`` is defined; None if that is not the user's code."""
        module = sys.modules.get(cls.__module__)
        filename = getattr(module, "__file__", None)
        own = self.own(filename) if filename else None
        if own is None:
            return None
        return Definition(f"{module_name(cls.__module__)}:{cls.__qualname__}", own, _line_of(cls))

    def definition_of_function(self, function: Any) -> Definition | None:
        """Where the plain Python ``function`` is defined; None if that is not the user's code."""
        code = getattr(function, "__code__", None)
        own = self.own(code.co_filename) if code is not None else None
        if code is None or own is None:
            return None
        name = f"{module_name(function.__module__)}:{function.__qualname__}"
        return Definition(name, own, code.co_firstlineno)


def module_name(name: str | None) -> str:
    """An import name; that of the program's own file instead of ``__main__``."""
    if name != "__main__":
        return name or "__main__"
    main = sys.modules.get("__main__")
    spec = getattr(main, "__spec__", None)
    if spec is not None and spec.name:
        return str(spec.name).removesuffix(".__main__")
    file = getattr(main, "__file__", None)
    return Path(file).stem if file else "__main__"


def _line_of(cls: type) -> int:
    """The line of the class statement, or of its first method where that is not known."""
    known = getattr(cls, "__firstlineno__", None)  # Python 3.13
    if isinstance(known, int):
        return known
    import inspect

    try:
        return inspect.getsourcelines(cls)[1]
    except (OSError, TypeError):
        return 0
