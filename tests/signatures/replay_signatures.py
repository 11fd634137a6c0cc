"""Run in a process of its own: the same calls of testdata before and after; traces and results as JSON.

python replay_signatures.py FOLDER
"""

import collections
import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

real_function = tf.function
traces: dict[str, int] = collections.Counter()


def counting(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """``tf.function`` that notes each time the function's body is run by Python: once for each trace.

    Names are noted without their underscores: what is split off from ``step`` is ``_step``.
    """
    if function is None:
        return lambda function: counting(function, **options)

    @functools.wraps(function)
    def counted(*args: Any, **kwargs: Any) -> Any:
        traces[function.__name__.lstrip("_")] += 1
        return function(*args, **kwargs)

    return real_function(counted, **options)


def rows(n: int, *rest: int) -> tf.Tensor:
    return tf.reshape(tf.range(n * int(np.prod(rest)), dtype=tf.float32), [n, *rest]) / 10.0


def examples(module: dict[str, Any]) -> Any:
    scorer = module["Scorer"]()
    scores = [scorer.score(rows(n, 3)) for n in range(2, 9)]
    found = [module["_flat"](rows(n, 8, 8, 3), tf.constant(2.0)) for n in (1, 2, 4)]
    found += [module["_dense"](rows(n, 6), rows(1, 2)) for n in (1, 2, 3)]
    return scores, found, module["several"]()


def numbers(module: dict[str, Any]) -> Any:
    module["net"].build((None, 3))
    for weight in module["net"].weights:
        weight.assign(tf.ones_like(weight) / 4.0)
    return module["train"]([rows(2, 3), rows(2, 3)], 5), [np.asarray(one) for one in module["net"].weights]


def relaxed(module: dict[str, Any]) -> Any:
    return [module["_pooled"](rows(n, 4), how) for n in range(1, 6) for how in ("mean", "max")]


def switched(module: dict[str, Any]) -> Any:
    model = module["Seq2Seq"]()
    pairs = [(rows(2, n, 3), rows(2, n + 1, 3)) for n in range(2, 7)]
    found = [model(*pair, teacher_forced=flag) for pair in pairs for flag in (True, False)]
    return found, [module["loss_fn"](rows(n, 3), rows(n, 3), mode="eval") for n in range(1, 6)]


def sized(module: dict[str, Any]) -> Any:
    tokens = [tf.cast(rows(2 + n % 2, 3 + n) * 4.0, tf.int32) % 10 for n in range(6)]
    return [module["encoded"](one) for one in tokens], [
        module["centered"](rows(n, 2, 3)) for n in range(1, 6)
    ]


def listed(module: dict[str, Any]) -> Any:
    seen = [[float(n), 1, 0.5 * n] for n in range(5)] + [[1, 2, 3]]
    return module["run"](module["Policy"](), seen, [[1, 0]] * 3 + [[0, 1]] * 3), module["means"]()


CALLS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "example_calls": examples,
    "python_numbers": numbers,
    "dtypes_cast": lambda module: module["run"](),
    "made_per_call": lambda module: module["run"](4),
    "made_in_loop": lambda module: module["run"]([1.0, 2.0], tf.ones([3])),
    "shapes_relaxed": relaxed,
    "checked_numbers": lambda module: module["sweep"](rows(5) - 0.2, [0.1 * n for n in range(6)]),
    "python_containers": listed,
    "hot_path": lambda module: module["main"](),
    "shared_specs": lambda module: module["run"](),
    "sizes_inside": lambda module: module["run"](),
    "sizes_relaxed": sized,
    "sizes_asked": lambda module: module["run"](),
    "switches": switched,
}


def run(path: Path, name: str, eager: bool) -> tuple[list[Any], dict[str, int]]:
    traces.clear()
    tf.config.run_functions_eagerly(eager)
    tf.function = counting
    try:
        module: dict[str, Any] = {"__name__": "replayed", "__file__": str(path)}
        exec(compile(path.read_text(), str(path), "exec"), module)
        result = CALLS[name](module)
    finally:
        tf.function = real_function
        tf.config.run_functions_eagerly(False)
    return [np.asarray(leaf) for leaf in tf.nest.flatten(result)], dict(sorted(traces.items()))


def main(folder: Path) -> None:
    report = {}
    for name in CALLS:
        before, after = folder / f"{name}.in.py", folder / f"{name}.out.py"
        old, old_traces = run(before, name, eager=False)
        new, new_traces = run(after, name, eager=False)
        reference, _ = run(before, name, eager=True)
        rewritten, _ = run(after, name, eager=True)
        same = [
            len(reference) == len(other)
            and all(
                one.dtype == two.dtype and one.shape == two.shape and np.allclose(one, two, 1e-5, 1e-6)
                for one, two in zip(reference, other, strict=True)
            )
            for other in (old, new, rewritten)
        ]
        report[name] = {"same": same, "before": old_traces, "after": new_traces}
    print(json.dumps(report))


main(Path(sys.argv[1]))
