"""What a verified run does at the least: make the model, call it, trace it. Runs in a forked process, and checks nothing.

Used by ``verify_speed.py``.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class BareRun:
    """One model, one version (the folder that is imported from), one mode (``eager``, ``graph`` or ``xla``)."""

    root: str
    cases: str
    """The case file."""
    module: str
    function: str
    """The case in it."""
    mode: str


def run(job: BareRun) -> str:
    """What went wrong, if anything: the original of most models cannot be traced."""
    import tensorflow as tf

    sys.path.insert(0, job.root)
    spec = importlib.util.spec_from_file_location("bare_cases", job.cases)
    assert spec is not None and spec.loader is not None
    cases = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cases)
    model, inputs = getattr(cases, job.function)(importlib.import_module(job.module))
    call: Any = model if job.mode == "eager" else tf.function(model, jit_compile=job.mode == "xla")
    if job.mode == "xla":  # The verifier compiles one batch size, too.
        inputs = [one for one in inputs if one.shape == inputs[0].shape]
    try:
        for one in inputs:
            call(one)
    except Exception as error:
        return f"{Path(job.root).name} {job.module} {job.mode}: {type(error).__name__}"
    return ""
