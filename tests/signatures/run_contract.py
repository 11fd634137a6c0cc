"""Run in a process of its own: what signatures and relaxed shapes take and refuse, and what is exported; JSON.

python run_contract.py FOLDER
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf


def loaded(path: Path) -> dict[str, Any]:
    module: dict[str, Any] = {"__name__": "loaded", "__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec"), module)
    return module


def outcome(function: Any, *args: Any) -> Any:
    try:
        return np.asarray(function(*args)).shape
    except Exception as error:
        return type(error).__name__


def signature(module: dict[str, Any]) -> dict[str, Any]:
    flat, two = module["_flat"], tf.constant(2.0)
    images = tf.zeros([5, 8, 8, 3])
    return {
        "another batch": outcome(flat, images, two),
        "float64 tensor": outcome(flat, tf.cast(images, tf.float64), two),
        "integers": outcome(flat, tf.cast(images, tf.int32), two),
        "rank": outcome(flat, images[0], two),
        "another size": outcome(flat, images[:, :4], two),
        "NumPy's float64": outcome(flat, np.zeros([2, 8, 8, 3]), 2.0),
        "traces": flat.experimental_get_tracing_count(),
    }


def relaxed(module: dict[str, Any]) -> dict[str, Any]:
    encoded = module["encoded"]
    found = {
        str(dtype): outcome(encoded, tf.zeros([2, n], dtype))
        for n in (2, 3, 4)
        for dtype in ("int32", "int64")
    }
    return {**found, "rank": outcome(encoded, tf.zeros([2], tf.int32))}


def exported(module: dict[str, Any]) -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        scorer = module["exported"](folder)
        return [outcome(scorer.score, tf.ones((n, 3))) for n in (2, 5, 8)]


def main(folder: Path) -> None:
    report = {
        "signature": signature(loaded(folder / "example_calls.out.py")),
        "relaxed": relaxed(loaded(folder / "sizes_relaxed.out.py")),
        "exported before": exported(loaded(folder / "exported.unsafe.in.py")),
        "exported after": exported(loaded(folder / "exported.unsafe.out.py")),
    }
    print(json.dumps(report))


main(Path(sys.argv[1]))
