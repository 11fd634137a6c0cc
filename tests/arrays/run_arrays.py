"""Run in a process of its own: call what testdata defines, before and after, and print as JSON how the results differ.

    python run_arrays.py FOLDER

The reference is the original, run eagerly. For each function: what the original does as a graph, and what the rewritten
code does eagerly, as a graph, as a graph of unknown sizes, and compiled with XLA. Gradients count among the results.
"""

import json
import runpy
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

Make = Callable[[dict[str, object]], Callable[..., object]]


@dataclass(frozen=True)
class Case:
    """A function of a file of testdata, and arguments for it."""

    name: str
    arguments: list[tuple[object, ...]]
    make: Make | None = None
    reference: Make | None = None
    """The original where it can run eagerly, if that is not the same."""


def rows(count: int, *shape: int) -> tf.Tensor:
    numbers = np.sin(np.arange(count * int(np.prod(shape or (1,)))) * 1.7 + 0.3) * 2.0
    return tf.constant(numbers.reshape((count, *shape)), tf.float32)


def made(name: str, *arguments: object) -> Make:
    """An object of the class ``name``, called."""

    def make(module: dict[str, object]) -> Callable[..., object]:
        cls = module[name]
        assert callable(cls)
        one = cls(*arguments)
        return lambda *given: one(*given)

    return make


def mapped(module: dict[str, object]) -> Callable[..., object]:
    dataset = module["dataset"]
    assert callable(dataset)
    return lambda series: next(iter(dataset(series)))


def windows(module: dict[str, object]) -> Callable[..., object]:
    function = module["windows"]
    assert callable(function)
    return lambda series: function(series, tf.constant(3))


def of_dataset(module: dict[str, object]) -> Callable[..., object]:
    sizes = module["sizes"]
    assert callable(sizes)
    return lambda x: sizes(tf.data.Dataset.from_tensor_slices(x))


MATRICES = [(rows(n, 3),) for n in (1, 2, 5)]
VECTORS = [(rows(n),) for n in (1, 2, 5)]
CASES: dict[str, list[Case]] = {
    "rnn_outputs": [Case("Rnn", [(rows(2, n, 3),) for n in (1, 2, 5)], made("Rnn", 4))],
    "while_loop": [
        Case("records", MATRICES),
        Case("halvings", [(tf.constant([3.0, 9.0]),)]),
        Case("collatz", [(tf.constant(7),), (1,)]),
    ],
    "break_and_continue": [
        Case("until_negative", VECTORS),
        Case("without_zeros", [(tf.constant([0.0, 1.0, 0.0, 3.0]),)]),
    ],
    "branch_without_loop": [Case("parts", [(rows(3), rows(1)), (rows(3) * 0.1, rows(1))])],
    "equal_branches": [Case("signs", [*VECTORS, (tf.constant([0.0, -1.0, 2.0]),)])],
    "several_each_turn": [
        Case("bounds", [(rows(n), 2) for n in (2, 5)]),
        Case("doubled", MATRICES),
        Case("framed", MATRICES),
    ],
    "from_the_end": [
        Case("returns", [(rows(n, 2), 0.9) for n in (1, 2, 5)]),
        Case("turned", MATRICES),
        Case("in_front", MATRICES),
        Case("positive_in_front", MATRICES),
        Case("down", MATRICES),
    ],
    "begun_with_an_element": [
        Case("feedback", [(rows(2, 3), tf.constant(n)) for n in (1, 4)]),
        Case("running_sum", MATRICES),
    ],
    "nested_loops": [
        Case("distances", [(rows(2, 3), rows(4, 3))]),
        Case("pairs", [(rows(3, 2), rows(3, 2))]),
        Case("counted", [(rows(3, 2), tf.constant(2))]),
    ],
    "rows": [
        Case("row_sums", MATRICES),
        Case("weighted", MATRICES),
        Case("products", [(rows(3, 2), rows(3, 2)), (rows(2, 2), rows(3, 2))]),
    ],
    "comprehensions": [
        Case("static", MATRICES),
        Case("squares", MATRICES),
        Case("sums", MATRICES),
        Case("lengths", MATRICES),
        Case("rectified", VECTORS),
    ],
    "several_uses": [Case("statistics", MATRICES), Case("mean", MATRICES), Case("columns", MATRICES)],
    "concatenated": [
        Case("repeated", [(rows(3, 2), tf.constant([2, 1, 3])), (rows(2, 2), tf.constant([0, 2]))]),
        Case("beside", MATRICES),
    ],
    "other_axes": [
        Case("second", [(rows(2, n, 3),) for n in (1, 4)]),
        Case("last", [(rows(2, n, 3),) for n in (1, 4)]),
        Case("of_matrices", [(rows(2, n, 3),) for n in (1, 4)]),
        Case("of_numbers", MATRICES),
    ],
    "python_numbers": [Case("ones", MATRICES), Case("steps", MATRICES)],
    "beside_an_array": [Case("Outer", [(rows(3), tf.constant(n)) for n in (1, 4)], made("Outer"))],
    "scratch_on_self": [Case("Walk", MATRICES, made("Walk"))],
    "helper": [Case("trace", MATRICES)],
    "items": [
        Case("sums", [(rows(n, 2, 3),) for n in (1, 4)]),
        Case("products", [(rows(n, 2, 3),) for n in (1, 4)]),
    ],
    "write_dropped": [Case("label", VECTORS), Case("Memory", [(rows(3),)], made("Memory"))],
    "keras_map": [
        Case("Outer", MATRICES, made("Outer")),
        Case("Largest", MATRICES, made("Largest")),
    ],
    "keras_static_range": [Case("Channels", [(rows(2, n, 3),) for n in (1, 4)], made("Channels"))],
    "dataset_map": [Case("dataset", [(rows(n),) for n in (3, 6)], mapped, windows)],
    "index_type": [
        Case("first_rows", [(rows(4, 2), tf.constant(3)), (rows(4, 2), tf.constant(3, tf.int64))]),
        Case("rows_of", MATRICES),
    ],
    "layer_results": [Case("Decoder", [(rows(2, n, 3),) for n in (1, 4)], made("Decoder"))],
    "of_a_dataset": [Case("sizes", [(rows(5, 2),)], of_dataset)],
    "arguments": [Case("cumulated", [*VECTORS, ([1.0, 2.0, 4.0],)])],
}


def differs(one: object, other: object) -> bool:
    """A Python number may have become a tensor of the same value."""
    flat, others = tf.nest.flatten(one), tf.nest.flatten(other)
    if len(flat) != len(others):
        return True
    for part, other_part in zip(flat, others, strict=True):
        here, there = np.asarray(part), np.asarray(other_part)
        is_number = isinstance(part, int | float) and here.dtype.kind == there.dtype.kind
        if here.shape != there.shape or (here.dtype != there.dtype and not is_number):
            return True
        same = np.allclose(here, there, 1e-5, 1e-5) if here.dtype.kind == "f" else np.array_equal(here, there)
        if not same:
            return True
    return False


def with_gradients(run: Callable[..., object]) -> Callable[..., object]:
    """What ``run`` gives, and the gradients of a sum of it, weighed, with respect to its arguments."""

    def both(*given: object) -> object:
        sources = [one for one in given if tf.is_tensor(one) and one.dtype.is_floating]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            result = run(*given)
            parts = [
                part for part in tf.nest.flatten(result) if tf.is_tensor(part) and part.dtype.is_floating
            ]
            total = tf.add_n(
                [tf.reduce_sum(tf.cast(part, tf.float32) * weights(part)) for part in parts] or [tf.zeros([])]
            )
        gradients = tape.gradient(total, sources, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        return result, [tf.convert_to_tensor(one) for one in gradients]

    return both


def weights(part: tf.Tensor) -> tf.Tensor:
    return tf.reshape(tf.cos(tf.range(tf.cast(tf.size(part), tf.float32))), tf.shape(part))


def made_graph(run: Callable[..., object], arguments: tuple[object, ...], mode: str) -> Callable[..., object]:
    """``run`` as a graph that AutoGraph reaches only through what is a ``tf.function`` itself."""
    if mode != "unknown":
        return tf.function(lambda *given: run(*given), jit_compile=True if mode == "xla" else None)
    specs = [
        tf.TensorSpec([None] * len(argument.shape), argument.dtype) if tf.is_tensor(argument) else None
        for argument in arguments
    ]
    if None in specs:
        return tf.function(lambda *given: run(*given))
    return tf.function(lambda *given: run(*given), input_signature=specs)


def outcome(
    run: Callable[..., object], arguments: tuple[object, ...], mode: str, gradients: bool
) -> tuple[object | None, str]:
    """The result, or the name of the exception."""
    tf.config.run_functions_eagerly(mode == "eager")
    try:
        run = with_gradients(run) if gradients else run
        called = run if mode == "eager" else made_graph(run, arguments, mode)
        return called(*arguments), ""
    except Exception as error:
        return None, f"{type(error).__name__}: {str(error)[-300:]}"
    finally:
        tf.config.run_functions_eagerly(False)


def results(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    for name, cases in CASES.items():
        before = runpy.run_path(str(folder / f"{name}.in.py"))
        # A gradient that was first built outside of XLA is not built again inside: "requires a fixed tensor list size".
        after, compiled = (runpy.run_path(str(folder / f"{name}.out.py")) for _ in range(2))
        has_growing = "dynamic_size" in (folder / f"{name}.out.py").read_text()
        for case in cases:
            make: Make = case.make or (lambda module, case=case: module[case.name])
            told: dict[str, str] = {}
            label = f"{name}.{case.name}"
            has_gradients = label not in WITHOUT_GRADIENTS
            for arguments in case.arguments:
                reference, error = outcome(
                    (case.reference or make)(before), arguments, "eager", has_gradients
                )
                told["reference"] = told.get("reference") or error
                if error:
                    continue
                value, error = outcome(make(before), arguments, "graph", has_gradients)
                told["original"] = (
                    told.get("original") or error or ("differs" if differs(reference, value) else "")
                )
                modes = ["eager", "graph"] + ["unknown"] * (label not in OF_KNOWN_SHAPE)
                is_plain = all(tf.is_tensor(argument) for argument in arguments)
                modes += ["xla"] if not has_growing and is_plain and name not in NOT_COMPILED else []
                for mode in modes:
                    value, error = outcome(
                        make(compiled if mode == "xla" else after), arguments, mode, has_gradients
                    )
                    told[mode] = told.get(mode) or error or ("differs" if differs(reference, value) else "")
            yield label, told


OF_KNOWN_SHAPE = (
    "keras_static_range.Channels",
    "comprehensions.static",
    "concatenated.beside",
    "other_axes.of_matrices",
)
"""They read ``x.shape``, before and after."""
WITHOUT_GRADIENTS = ("dataset_map.dataset", "begun_with_an_element.feedback")
"""No gradient passes a dataset, nor, under XLA, a loop whose number of turns is a tensor that is handed in."""
NOT_COMPILED = ("write_dropped", "concatenated", "dataset_map", "python_numbers")
"""Strings, pieces of unknown length and datasets."""


def main(folder: Path) -> None:
    print(json.dumps(dict(results(folder))))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
