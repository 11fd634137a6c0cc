"""Run in a process of its own: what testdata defines, before and after, eagerly, as a graph and with XLA; JSON on stdout.

    python run_control_flow.py FOLDER

The original runs eagerly: outputs and gradients for several inputs are the reference. Keras compiles and fits the rewritten
version as well.
"""

import json
import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import tensorflow as tf

keras = tf.keras
MODES = ("eager", "graph", "xla")
Namespace = dict[str, Callable[..., object]]
MATRIX = ["branches", "early_returns", "expressions", "loops", "assertions"]
NEEDS_THREE_AXES = {"Recurrent", "Rnn", "Layers"}
TAKES_TRAINING = {"BesidePython", "Otherwise"}
OF_ONE_ROW = {"Skipped", "Backwards", "PythonRange", "Pair", "Rows"}
"""Their output has no axis for the batch."""
ENDLESS = {"Halved"}
"""Nothing says how often the loop may turn: XLA has no gradient of such a loop."""


def inputs(name: str) -> Iterator[np.ndarray]:
    """Numbers of several sizes and signs: each way through a branch is taken by one of them."""
    shape = (4, 5, 3) if name in NEEDS_THREE_AXES else (4, 3)
    ramp = np.linspace(-1.0, 1.0, int(np.prod(shape)), dtype=np.float32).reshape(shape)
    for scale, shift in ((0.1, 0.01), (3.0, 2.5), (1.0, -2.0)):
        yield ramp * scale + shift


Step = Callable[[tf.Tensor], tuple[object, object]]


def step_of(layer: Callable[..., object], options: dict[str, object], with_gradients: bool) -> Step:
    """A function that gives the outputs and the gradients by the input and the weights."""

    def step(x: tf.Tensor) -> tuple[object, object]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            outputs = tf.nest.flatten(layer(x, **options))
            total = tf.add_n([tf.reduce_sum(tf.cast(output, tf.float32)) for output in outputs])
        if not with_gradients:
            return outputs, []
        sources = [x, *layer.trainable_variables]
        gradients = tape.gradient(total, sources)
        return outputs, [
            tf.zeros_like(source) if gradient is None else gradient
            for source, gradient in zip(sources, gradients, strict=True)
        ]

    return step


def flat(values: object) -> list[np.ndarray]:
    return [np.asarray(one, np.float32).ravel() for one in tf.nest.flatten(values)]


def classes(module: Namespace) -> Iterator[str]:
    for name, value in module.items():
        if isinstance(value, type) and issubclass(value, keras.layers.Layer):
            yield name


def compared(stem: str, folder: Path) -> dict[str, str]:
    """Mode and class -> what went wrong."""
    before, after = (runpy.run_path(str(folder / f"{stem}.{version}.py")) for version in ("in", "out"))
    wrong: dict[str, str] = {}
    for name in classes(before):
        for mode in MODES:
            for options in ({}, {"training": True}) if name in TAKES_TRAINING else ({},):
                wrong.update(compared_layer(before[name], after[name], name, mode, options))
        if name not in OF_ONE_ROW:
            wrong.update(fitted(name, after))
    return wrong


def compared_layer(
    old_class: Callable[[], object],
    new_class: Callable[[], object],
    name: str,
    mode: str,
    options: dict[str, object],
) -> dict[str, str]:
    old, new = old_class(), new_class()
    for x in inputs(name):  # Builds every layer that any way needs.
        old(x), new(x)
    with_gradients = mode != "xla" or name not in ENDLESS
    expected_step = step_of(old, options, with_gradients)
    step = step_of(new, options, with_gradients)
    run = step if mode == "eager" else tf.function(step, jit_compile=mode == "xla")
    wrong = {}
    for x in inputs(name):
        expected = [flat(part) for part in expected_step(tf.constant(x))]
        try:
            got = [flat(part) for part in run(tf.constant(x))]
        except Exception as error:
            wrong[f"{name} {mode}"] = f"{type(error).__name__}: {error}"[:400]
            break
        for one, other in zip(expected, got, strict=True):
            same = len(one) == len(other) and all(
                a.shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-5)
                for a, b in zip(one, other, strict=True)
            )
            if not same:
                wrong[f"{name} {mode}"] = f"{x.ravel()[:3]}: {other} instead of {one}"[:400]
    return wrong


def fitted(name: str, module: Namespace) -> dict[str, str]:
    """Whether ``fit`` runs."""
    x = next(iter(inputs(name)))
    try:
        wanted = keras.Input(x.shape[1:])
        outputs = tf.nest.flatten(module[name]()(wanted))
        model = keras.Model(wanted, outputs[0])
        model.compile("sgd", lambda y, z: tf.reduce_mean(tf.square(z)))
        model.fit(x, x, batch_size=2, verbose=0)
    except Exception as error:
        return {f"{name} fit": f"{type(error).__name__}: {error}"[:400]}
    return {}


def trained(folder: Path) -> dict[str, str]:
    """``train_step`` and a loss: the original run eagerly against the rewritten one compiled."""
    wrong = {}
    x = np.linspace(-1.0, 1.0, 24, dtype=np.float32).reshape(8, 3)
    y = np.linspace(0.0, 3.0, 8, dtype=np.float32).reshape(8, 1)
    for jit in (False, True):
        results = []
        for version in ("in", "out"):
            module = runpy.run_path(str(folder / f"training.{version}.py"))
            is_old = version == "in"
            for make in (lambda module=module: module["Slow"](), lambda: dense()):
                model = make()
                model.compile(
                    keras.optimizers.SGD(0.1),
                    module["Capped"](),
                    run_eagerly=is_old,
                    jit_compile=jit and not is_old,
                )
                model.fit(x, y, batch_size=2, epochs=2, shuffle=False, verbose=0)
                results.append(np.concatenate([np.asarray(w).ravel() for w in model.trainable_weights]))
        for kind, one, other in (("train_step", results[0], results[2]), ("loss", results[1], results[3])):
            if not np.allclose(one, other, rtol=1e-4, atol=1e-5):
                wrong[f"{kind} jit_compile={jit}"] = f"{other} instead of {one}"
    return wrong


def dense() -> object:
    return keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])


def functions(folder: Path) -> dict[str, str]:
    """Plain functions with assertions: what they give, and that they complain in a graph, too."""
    module = runpy.run_path(str(folder / "assertions.out.py"))
    wrong = {}
    if not np.allclose(module["root"](tf.constant([4.0])), [2.0]):
        wrong["root"] = "wrong"
    if not np.allclose(module["logarithm"](tf.constant([1.0])), [0.0]):
        wrong["logarithm"] = "wrong"
    if not np.allclose(module["logarithm"](tf.constant([-1.0])), [np.log(2.0)]):
        wrong["logarithm, fallback"] = "wrong"
    for name, x, message in (("root", -1.0, "negative input"), ("logarithm", np.nan, "nan in input")):
        try:
            module[name](tf.constant([x]))
            wrong[f"{name} of {x}"] = "no exception"
        except tf.errors.InvalidArgumentError as error:
            if message not in str(error):
                wrong[f"{name} of {x}"] = str(error)
    return wrong


def main(folder: Path) -> None:
    wrong = {f"{stem}: {place}": text for stem in MATRIX for place, text in compared(stem, folder).items()}
    arrays = compared("keras_loops", folder.parent / "list_to_tensorarray")
    wrong.update({f"arrays: {place}": text for place, text in arrays.items()})
    wrong.update({f"training: {place}": text for place, text in trained(folder).items()})
    wrong.update({f"functions: {place}": text for place, text in functions(folder).items()})
    print(json.dumps(wrong))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
