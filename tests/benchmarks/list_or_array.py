"""A list that Python unrolls against a ``tf.TensorArray``: trace time, graph size and step time, over the loop's length.

    python tests/benchmarks/list_or_array.py [--lengths 8,32,128,512,2048] [--repeat N] [--limit SECONDS] [--gradients]

Not a test: it prints, and judges nothing. Both versions run the same recurrent cell of 32 units on a batch of 8 and stack
its states; the second is what the codemod ``list_to_tensorarray`` writes. Eager runs trace nothing: for them the step is all
there is. Seconds are those of the wall clock, the median of ``--repeat`` steps after the first; the first call of a compiled
version is its trace (and, with XLA, its compilation). What took longer than ``--limit`` for one length is not tried for
longer ones. Ratios hold on other machines, seconds do not, and neither holds on a busy one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf

BATCH, UNITS = 8, 32
MODES = ("eager", "graph", "xla")


def cell(row: Any, state: Any, kernel: Any) -> Any:
    return tf.tanh(row + tf.matmul(state, kernel))


def with_list(x: Any, kernel: Any) -> Any:
    state, outputs = tf.zeros([BATCH, UNITS]), []
    for t in range(x.shape[0]):
        state = cell(x[t], state, kernel)
        outputs.append(state)
    return tf.stack(outputs)


def with_array(x: Any, kernel: Any) -> Any:
    state, steps = tf.zeros([BATCH, UNITS]), tf.shape(x)[0]
    outputs = tf.TensorArray(x.dtype, size=steps, element_shape=[BATCH, UNITS])

    def step(t: Any, state: Any, outputs: Any) -> tuple[Any, Any, Any]:
        state = cell(x[t], state, kernel)
        outputs = outputs.write(t, state)
        return t + 1, state, outputs

    _, _, outputs = tf.while_loop(
        lambda t, *_: t < steps, step, (0, state, outputs), maximum_iterations=steps
    )
    return outputs.stack()


def trained(function: Callable[..., Any]) -> Callable[..., Any]:
    """The gradient of a loss on top of ``function``."""

    def gradient(x: Any, kernel: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(kernel)
            loss = tf.reduce_mean(function(x, kernel) ** 2)
        return tape.gradient(loss, kernel)

    return gradient


@dataclass(frozen=True)
class Cost:
    """Seconds of the first call and of a later one, and the nodes of the graph with those of its functions."""

    first: float
    step: float
    nodes: int


def measured(function: Callable[..., Any], mode: str, length: int, repeat: int) -> Cost:
    x = tf.random.stateless_normal([length, BATCH, UNITS], [1, 2])
    kernel = tf.random.stateless_normal([UNITS, UNITS], [3, 4]) * 0.1
    run = function
    if mode != "eager":
        run = tf.function(function, jit_compile=mode == "xla", autograph=False)
    started = time.perf_counter()
    run(x, kernel).numpy()
    first = time.perf_counter() - started
    steps = []
    for _ in range(repeat):
        started = time.perf_counter()
        run(x, kernel).numpy()
        steps.append(time.perf_counter() - started)
    nodes = 0
    if mode != "eager":
        graph = run.get_concrete_function(x, kernel).graph.as_graph_def()
        nodes = len(graph.node) + sum(len(one.node_def) for one in graph.library.function)
    return Cost(first, statistics.median(steps), nodes)


def rows(lengths: list[int], repeat: int, limit: float, gradients: bool) -> Iterator[str]:
    versions = {"list": with_list, "array": with_array}
    if gradients:
        versions = {name: trained(version) for name, version in versions.items()}
    slow: set[tuple[str, str]] = set()
    for length in lengths:
        for mode in MODES:
            costs: dict[str, Cost] = {}
            for name, version in versions.items():
                if (name, mode) not in slow:
                    started = time.perf_counter()
                    costs[name] = measured(version, mode, length, repeat)
                    if time.perf_counter() - started > limit:
                        slow.add((name, mode))
            yield line(length, mode, costs)


def line(length: int, mode: str, costs: dict[str, Cost]) -> str:
    cells = [f"{length:>6} {mode:<6}"]
    for name in ("list", "array"):
        cost = costs.get(name)
        cells.append(
            f"{cost.first:>9.3f} {cost.step * 1e3:>9.2f} {cost.nodes or '-':>7}"
            if cost
            else f"{'too slow':>27}"
        )
    if len(costs) == 2:
        one, other = costs["list"], costs["array"]
        saved, lost = one.first - other.first, other.step - one.step
        pays = "never" if saved <= 0 else "always" if lost <= 0 else f"{saved / lost:,.0f} steps"
        cells.append(f"{one.first / other.first:>6.1f} {other.step / one.step:>6.2f}  {pays}")
    return " ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lengths", default="8,32,128,512,2048")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--gradients", action="store_true", help="of a loss, in place of the outputs")
    given = parser.parse_args()
    lengths = [int(part) for part in given.lengths.split(",")]
    print(
        "                list: first   step ms   nodes array: first  step ms   nodes  first   step  array pays up to"
    )
    for text in rows(lengths, given.repeat, given.limit, given.gradients):
        print(text, flush=True)


if __name__ == "__main__":
    main()
