"""The table of draws for people: each function, and the TensorFlow expression that is written for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tfmigrate.draws import table
from tfmigrate.draws.build import filled
from tfmigrate.draws.table import Row

_PICKS = (
    ("random.choice(x)", "tf.gather(x, tf.random.uniform([], 0, tf.shape(x)[0], dtype=tf.int32))"),
    ("random.choice([0.5, 2.0])", "tf.gather([0.5, 2.0], tf.random.uniform([], 0, 2, dtype=tf.int32))"),
    (
        "random.choices(range(n), weights=[0.2, 0.8], k=2)",
        "tf.random.categorical(tf.math.log([[0.2, 0.8]]), 2)[0]",
    ),
    ("random.sample(range(n), 2)", "tf.random.shuffle(tf.range(n))[:2]"),
    ("np.random.choice(n, 4)", "tf.random.uniform([4], 0, n, dtype=tf.int32)"),
    ("np.random.choice(n, 4, replace=False)", "tf.random.shuffle(tf.range(n))[:4]"),
    ("np.random.permutation(n)", "tf.random.shuffle(tf.range(n))"),
)
"""Calls among positions and the rows of a tensor ``x``; ``n`` is a whole number."""
_FUNCTIONS = (
    "random.choice([f, g])(x)",
    "tf.switch_case(tf.random.uniform([], 0, 2, dtype=tf.int32), [lambda: f(x), lambda: g(x)])",
)
"""In data pipelines; in what XLA may compile it is ``tf.cond`` or ``tf.case``."""


def picks() -> Sequence[tuple[str, str]]:
    """Calls that pick, and what is written for them. Unlike the others they are written by code, case by case."""
    return _PICKS


def listing() -> Mapping[str, Sequence[tuple[str, str]]]:
    """Heading -> rows of call and expression, with the dtypes that are written where nothing asks for others."""
    return {
        "Python's random": [*_rows("random", table.PYTHON), *_PICKS[:4], _FUNCTIONS],
        "numpy.random, RandomState and Generator": [
            *_rows("np.random", table.NUMPY),
            *_rows("rng", {k: row for k, row in table.GENERATOR.items() if k not in table.NUMPY}),
            *_PICKS[4:],
        ],
    }


def markdown() -> str:
    """The listing as one table for a README."""
    lines = ["| draw | becomes |", "|---|---|"]
    for rows in listing().values():
        lines += [f"| `{call}` | `{expression}` |" for call, expression in rows]
    return "\n".join(lines)


def _rows(library: str, rows: Mapping[str, Row]) -> Iterator[tuple[str, str]]:
    for name, row in rows.items():
        yield f"{library}.{name}({', '.join(_parameters(row))})", _expression(row)


def _parameters(row: Row) -> Iterator[str]:
    if row.size == "*":
        yield "*shape"
    only = dict(row.only)
    for name, default in row.parameters:
        if name in only:
            yield only[name]
        else:
            yield name if default is None else f"{name}={default}"


def _expression(row: Row) -> str:
    shape = "shape" if row.size == "*" else row.size or "[]"
    dtype = "tf.int32" if row.result is table.Result.INT else "tf.float32"
    texts = {"shape_" if name == "shape" else name: name for name, _ in row.parameters}
    text = filled(row.expression, {"tf": "tf", "random": "tf.random", "shape": shape, "dtype": dtype}, texts)
    return text.replace(", dtype=tf.float32", "")
