"""Long loops that Python unrolls become loops of the graph on request only, and only where nothing in them needs Python."""

from __future__ import annotations

import pytest
from harness import migrated, told

LONG = """\
import tensorflow as tf

STEPS = 64


@tf.function
def states(x):
    h = tf.zeros_like(x[:, 0])
    outputs = []
    for t in range({count}):
        {body}
        outputs.append(h)
    return tf.stack(outputs)
"""
BODY = "h = tf.tanh(x[:, t] + h)"


def after(count: str, body: str = BODY, unrolled: int | None = 32) -> str:
    return told(migrated(LONG.format(count=count, body=body), unrolled=unrolled)).after


@pytest.mark.parametrize("count", ["64", "STEPS", "1, STEPS"])
def test_long_loops(count: str) -> None:
    result = told(migrated(LONG.format(count=count, body=BODY), unrolled=32))
    assert result.rewritten == ["TFM308"]
    assert f"for t in tf.range({count}):" in result.after
    size = {"64": "64", "STEPS": "STEPS", "1, STEPS": "STEPS - 1"}[count]
    assert f"outputs = tf.TensorArray(h.dtype, size={size})" in result.after


def test_only_on_request() -> None:
    for unrolled in (None, 65):
        assert after("STEPS", unrolled=unrolled) == LONG.format(count="STEPS", body=BODY)


@pytest.mark.parametrize(
    "body",
    [
        "h = layers[t](x[:, t] + h)",
        "h = tf.tanh(x[:, t] + h) * float(t)",
        "h = tf.tanh(x[:, t] + h) if t else h",
        "print(t); h = tf.tanh(x[:, t] + h)",
        "total = total + 1; h = x[:, t]",
    ],
)
def test_what_needs_python_stays(body: str) -> None:
    assert after("64", body) == LONG.format(count="64", body=body)


def test_the_length_has_to_be_seen() -> None:
    assert after("x.shape[1]") == LONG.format(count="x.shape[1]", body=BODY)
