"""Run what became of layers and functions with unknown axes: prints a JSON object, name -> what is wrong."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf


def module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.name.partition(".")[0] + path.name.split(".")[1], path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def raises(function: Any, *args: Any) -> bool:
    try:
        function(*args)
    except (TypeError, ValueError):
        return True
    return False


def difference(one: Any, other: Any) -> float:
    return float(np.max(np.abs(np.asarray(one) - np.asarray(other))))


def main(folder: Path) -> dict[str, str]:
    before, after = module(folder / "inputs.in.py"), module(folder / "inputs.out.py")
    wrong: dict[str, str] = {}
    if not raises(before.make_model, 3, 4) or not raises(before.other_model):
        wrong["before"] = "the original takes unknown axes"
    model = after.make_model(3, 4)
    layer = next(one for one in model.layers if isinstance(one, after.Recurrent))
    head = model.layers[-1]
    old = before.Recurrent(4)
    for batch, steps in ((2, 5), (3, 1), (2, 7)):
        x = tf.random.stateless_normal([batch, steps, 3], [steps, 1])
        old(x)
        old.wx.set_weights(layer.wx.get_weights())
        with tf.GradientTape() as tape:
            expected = head(old(x))
            total = tf.reduce_sum(expected**2)
        slope = tape.gradient(total, old.wx.trainable_variables[0])
        for name, function in {
            "eager": model,
            "graph": tf.function(lambda x: model(x)),
            "xla": tf.function(lambda x: model(x), jit_compile=True),
        }.items():
            if difference(function(x), expected) > 1e-5:
                wrong[f"{name} {steps}"] = "other values"
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(tf.function(lambda x: model(x))(x) ** 2)
        if difference(tape.gradient(total, layer.wx.trainable_variables[0]), slope) > 1e-4:
            wrong[f"gradient {steps}"] = "other values"
        ramp = after.other_model()(tf.ones([batch, steps, 4]))
        if difference(ramp, before.Positions()(tf.ones([batch, steps, 4]))) > 1e-6:
            wrong[f"positions {steps}"] = "other values"
    model.compile("sgd", "mse")
    model.fit(tf.ones([4, 6, 3]), tf.ones([4, 6, 1]), epochs=2, verbose=0)
    if not raises(before.padded, tf.ones([4, 3]), tf.ones([3])):
        wrong["padded"] = "the original takes unknown axes"
    if after.padded(tf.ones([4, 3]), tf.ones([3])).shape != (4, 4):
        wrong["padded"] = "another shape"
    return wrong


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
