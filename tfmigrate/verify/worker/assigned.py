"""The name that the user's code gives to what it is making: ``scale`` in ``scale = tf.Variable(...)``."""

from __future__ import annotations

import linecache
import re
import sys

_MADE = re.compile(r"\s*([A-Za-z_]\w*)\s*(?::[^=]+)?=\s*(?:\w+\.)*Variable\s*\(")
_LIBRARIES = frozenset({"tensorflow", "keras", "tf_keras", "tfmigrate"}) | sys.stdlib_module_names
_FRAMES = 40


def assigned_name() -> str:
    """The local variable that the nearest line of the user's code assigns a ``Variable`` to; "" for any other line."""
    frame = sys._getframe(1)
    for _ in range(_FRAMES):
        module = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if module not in _LIBRARIES:
            line = linecache.getline(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)
            match = _MADE.match(line)
            return match[1] if match else ""
        if frame.f_back is None:
            return ""
        frame = frame.f_back
    return ""
