"""Run in a process of its own: draw many times with each function of a rewritten module.

python draw_many.py MODULE.py OUT.npz COUNT
"""

import runpy
import sys

import numpy as np
import tensorflow as tf


def drawn(function: object, count: int) -> np.ndarray:
    """Draws of a tf.function without arguments, along the first axis; one call may draw them all."""
    first = function()  # type: ignore[operator]
    if first.shape.rank and first.shape[0] >= count:
        return first.numpy()

    @tf.function
    def many() -> tf.Tensor:
        return tf.map_fn(lambda _: function(), tf.range(count), fn_output_signature=first.dtype)  # type: ignore[operator]

    return many().numpy()


if __name__ == "__main__":
    tf.random.set_seed(20)
    module = runpy.run_path(sys.argv[1])
    functions = {name: value for name, value in module.items() if name.startswith("draw_")}
    np.savez(sys.argv[2], **{name: drawn(function, int(sys.argv[3])) for name, function in functions.items()})
