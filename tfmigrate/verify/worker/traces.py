"""How often the code's own ``tf.function``s were traced."""

from __future__ import annotations

import inspect
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tfmigrate.record.unwrap import unwrapped


def own_traces(functions: Iterable[Any], roots: Iterable[str]) -> Mapping[str, int]:
    """Qualified name of the Python function -> traces of all ``tf.function``s of it, for those of files under ``roots``.

    Keras and TensorFlow have functions of their own, which do not count.
    """
    folders = tuple(os.path.realpath(root) + os.sep for root in roots)
    found: Counter[str] = Counter()
    for function in functions:
        python, _ = unwrapped(function.python_function)
        code = getattr(inspect.unwrap(python), "__code__", None)
        if code is not None and os.path.realpath(code.co_filename).startswith(folders):
            found[python.__qualname__] += function.experimental_get_tracing_count()
    return dict(sorted(found.items()))
