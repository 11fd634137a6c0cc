"""The Python function that a wrapper wraps."""

from __future__ import annotations

import inspect
from typing import Any


def unwrapped(function: Any) -> tuple[Any, Any]:
    """The Python function inside of wrappers, and the object whose method it is (None)."""
    owner = None
    for _ in range(20):
        bound = getattr(function, "__self__", None)
        if bound is not None and not inspect.ismodule(bound):
            weak = getattr(bound, "target", None) if type(bound).__name__ == "TfMethodTarget" else None
            owner = weak if weak is not None else bound
            function = getattr(function, "__func__", function)
        inner = getattr(function, "__wrapped__", None) or getattr(function, "func", None)
        if inner is None:
            break
        function = inner
    return getattr(function, "python_function", function), owner
