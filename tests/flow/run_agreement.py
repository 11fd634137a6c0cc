"""Run what became of branches that AutoGraph could not join: prints a JSON object, name -> what is wrong."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

ROW = tf.constant([0.5, -1.0, 2.0])
CALLS: dict[str, list[tuple[Any, ...]]] = {
    "clipped_loss": [(ROW, ROW * 2.0, tf.constant(limit)) for limit in (0.1, 9.0)],
    "second_or_first": [(ROW[:size],) for size in (1, 2, 3)],
    "Scaled": [(ROW,), (-ROW,)],
}


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return function(*arguments).numpy()
    except Exception as error:
        return type(error).__name__


def main(folder: Path) -> dict[str, str]:
    before = runpy.run_path(str(folder / "branches_agree.in.py"))
    after = runpy.run_path(str(folder / "branches_agree.out.py"))
    wrong: dict[str, str] = {}
    for name, calls in CALLS.items():
        old, new = (module[name]() if name == "Scaled" else module[name] for module in (before, after))
        raised = []
        for arguments in calls:
            tf.config.run_functions_eagerly(True)
            expected = outcome(old, arguments)
            tf.config.run_functions_eagerly(False)
            raised.append(isinstance(outcome(old, arguments), str))
            compiled = tf.function(lambda *given, new=new: new(*given), jit_compile=True)
            for mode, function in (("graph", new), ("xla", compiled)):
                found = outcome(function, arguments)
                if isinstance(found, str) or not np.allclose(found, expected):
                    wrong[f"{name} {mode}"] = f"{found}, not {expected}"
        if not any(raised):
            wrong[name] = "the original runs as a graph"
    return wrong


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
