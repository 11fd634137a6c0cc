"""Run in a process of its own: call what testdata defines, before and after, and print what varies as JSON.

    python run_testdata.py FOLDER

For each case: how many different results a number of calls gives, eagerly and as a graph, and whether a graph that is
made anew after tf.random.set_seed gives the same ones.
"""

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import tensorflow as tf

CALLS = 24
Run = Callable[[tf.Tensor], object]


def layer(name: str, **options: object) -> Callable[[dict[str, type]], Run]:
    def made(module: dict[str, type]) -> Run:
        made = module[name](**options)
        made(tf.ones([2, 4]))
        return lambda x: made(x)

    return made


def training(name: str, **options: object) -> Callable[[dict[str, type]], Run]:
    def made(module: dict[str, type]) -> Run:
        made = module[name](**options)
        made(tf.ones([2, 4]))
        return lambda x: made(x, training=True)

    return made


CASES: dict[str, Callable[[dict[str, Callable[..., object]]], Run]] = {
    "python_numbers": layer("Noise"),
    "numpy_arrays": lambda module: lambda x: module["train_step"](same, x, x + 1.0),
    "map_function": lambda module: lambda x: module["augment"](
        tf.reshape(tf.range(48.0), [4, 4, 3]) + x[0, 0], 1
    )[0],
    "keras_if": training("Block"),
    "keras_early_return": training("StochasticDepth"),
    "layer_drop": training("Encoder", layerdrop=0.5),
    "conditional_expression": lambda module: module["step"],
    "picks": lambda module: lambda x: module["negatives"](tf.reshape(tf.range(24.0), [6, 4]) + x[0, 0], k=6),
    "masks": lambda module: lambda x: module["Mask"]()(
        tf.reshape(tf.range(24.0), [2, 3, 4]) + x[0, 0], training=True
    ),
    "bounds": lambda module: lambda x: module["Bounds"](3)(tf.reshape(tf.range(108.0), [12, 3, 3]) + x[0, 0]),
    "expression_uses": lambda module: lambda x: module["augment"](x, 1)[0],
    "branch_in_loop": training("Walk"),
    "compat_alias": layer("Jitter"),
    "mixup": lambda module: lambda x: module["mixup"](x, x * 2.0),
    "generators": lambda module: lambda x: unseeded(module, x),
    "picked_functions": lambda module: lambda x: picked(module, x),
    "picked_layers": training("Paths"),
    "picked_values": lambda module: module["step"],
    "nested_branches": training("Twist"),
}


def same(z: tf.Tensor, training: bool) -> tf.Tensor:
    return z


def picked(module: dict[str, Callable[..., object]], x: tf.Tensor) -> object:
    image = tf.reshape(tf.range(8.0), [2, 4]) + x
    return module["augment_one"](image, x), module["augment_some"](image, x), module["activate"](image)


def unseeded(module: dict[str, Callable[..., object]], x: tf.Tensor) -> object:
    return module["Unseeded"]()(x)


def results(run: Run, is_graph: bool) -> list[str]:
    """What :data:`CALLS` calls give, as text; or the exception."""
    called = tf.function(lambda x: run(x)) if is_graph else run
    tf.random.set_seed(3)
    try:
        got = [tf.nest.map_structure(np.asarray, called(tf.ones([2, 4]))) for _ in range(CALLS)]
    except Exception as error:
        return [f"{type(error).__name__}: {error}"[:300]]
    return [str(tf.nest.map_structure(lambda part: part.tolist(), result)) for result in got]


def main(folder: Path) -> None:
    np.random.seed(3)
    found = {}
    for name, case in CASES.items():
        for version in ("in", "out"):
            run = case(runpy.run_path(str(folder / f"{name}.{version}.py")))
            eager, graph, again = results(run, False), results(run, True), results(run, True)
            found[f"{name}.{version}"] = {
                "eager": len(set(eager)),
                "graph": len(set(graph)),
                "repeats": graph == again,
                "error": next((text for text in (*eager, *graph) if "Error: " in text), ""),
            }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
