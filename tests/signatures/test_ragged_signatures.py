"""Ragged and sparse tensors of a recording: their specs, what is refused, and the same calls on both versions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tfmigrate.record.format import (
    FILE_NAME,
    Arguments,
    Call,
    DictOf,
    RecordedFunction,
    Recording,
    Tensor,
    TensorKind,
    Value,
    dump,
)

OPS = """\
import tensorflow as tf

table = tf.Variable(tf.reshape(tf.range(40, dtype=tf.float32), [10, 4]) / 10.0)


@tf.function
def pooled(tokens, weights):
    rows = tf.ragged.map_flat_values(tf.gather, table, tokens)
    return tf.reduce_sum(rows, axis=1) * weights


@tf.function
def counted(tokens):
    return tokens.row_lengths()


@tf.function(autograph=False)
def padded(tokens):
    return tokens.to_tensor(-1) + 1


@tf.function
def summed(options):
    return tf.reduce_sum(options["nested"], axis=[1, 2]) / tf.cast(options["nested"].nrows(), tf.float32)


@tf.function
def even(pairs):
    return tf.reduce_max(pairs, axis=2)


@tf.function
def spread(graph, features):
    return tf.sparse.sparse_dense_matmul(graph, features)
"""
PROGRAM = """\
import numpy as np
import tensorflow as tf

import ops


def main():
    for n in range(1, 6):
        tokens = tf.ragged.constant([[(i * k) % 10 for k in range(1 + i % 3)] for i in range(n)], tf.int32)
        show(ops.pooled(tokens, tf.fill([n, 1], 0.5)))
        show(ops.counted(tokens))
        short = tf.RaggedTensor.from_row_lengths(tf.range(2 * n), tf.fill([n], 2))
        show(ops.padded(short.with_row_splits_dtype(tf.int32)))
        show(ops.summed({"nested": tf.RaggedTensor.from_nested_row_lengths(tf.ones([4 * n, 3]), [[2] * n, [2] * 2 * n])}))
        show(ops.even(tf.RaggedTensor.from_uniform_row_length(tf.ragged.constant([[1.0], [2.0, n]] * n), 2)))
        show(ops.spread(tf.sparse.from_dense(tf.eye(n, n + 1) * 2.0), tf.ones([n + 1, 3])))
    for name in ("pooled", "counted", "padded", "summed", "even", "spread"):
        print(name, getattr(ops, name).experimental_get_tracing_count())


def show(value):
    print(value.to_list() if hasattr(value, "to_list") else np.round(value, 4).tolist())


if __name__ == "__main__":
    main()
"""


@pytest.mark.tf
@pytest.mark.parametrize("legacy", ["0", "1"], ids=["keras3", "tf_keras"])
def test_recorded_rewritten_and_replayed(tmp_path: Path, legacy: str) -> None:
    (tmp_path / "ops.py").write_text(OPS)
    (tmp_path / "main.py").write_text(PROGRAM)
    environment = {**os.environ, "TF_USE_LEGACY_KERAS": legacy}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], cwd=tmp_path, capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    before = run("-m", "tfmigrate", "record", "main.py").splitlines()
    run("-m", "tfmigrate", "apply", "--select", "TFM5", "--no-cache", ".")
    after = run("main.py").splitlines()
    assert len(after) == 5 * 6 + 6
    assert after[:-6] == before[: len(after) - 6]
    names = ("pooled", "counted", "padded", "summed", "even", "spread")
    assert before[-6:] == [f"{name} 5" for name in names]
    assert after[-6:] == [f"{name} 1" for name in names]
    text = (tmp_path / "ops.py").read_text()
    assert "\nTOKENS = tf.RaggedTensorSpec([None, None], tf.int32, ragged_rank=1)\n" in text
    assert "input_signature=[TOKENS, tf.TensorSpec([None, 1], tf.float32)]" in text
    assert "row_splits_dtype=tf.int32" in text
    assert "tf.RaggedTensorSpec([None,None,None,3],tf.float32,ragged_rank=2" in "".join(text.split())
    assert "tf.SparseTensorSpec([None, None], tf.float32)" in text
    verified = run("-m", "tfmigrate", "verify")
    assert "6 symbols verified" in verified
    assert ": 6 SAME\n" in verified


TEXT = """\
import tensorflow as tf


@tf.function
def step(x):
    return tf.reduce_sum(x)


@tf.function
def sized(x):
    return tf.zeros([x.shape[0], 2]), x
"""


def ragged(*dims: int | str | None, rank: int | None = 1, splits: str | None = "int64") -> Tensor:
    return Tensor(dims, "float32", TensorKind.RAGGED, ragged_rank=rank, row_splits=splits)


def told(folder: Path, name: str, *values: Value) -> subprocess.CompletedProcess[str]:
    calls = tuple(Call(Arguments((value,)), caller=("train.py", 7), count=4) for value in values)
    (folder / "net.py").write_text(TEXT)
    function = RecordedFunction(f"net:{name}", "net.py", 4, traces=5, calls=calls)
    dump(Recording(functions=(function,)), folder / FILE_NAME)
    command = [sys.executable, "-m", "tfmigrate", "diff", "--select", "TFM5", "--no-cache", "."]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("values", "spec"),
    [
        ((ragged("b", None),), "tf.RaggedTensorSpec([None, None], tf.float32, ragged_rank=1)"),
        ((ragged(4, 2, 3),), "tf.RaggedTensorSpec([None, None, 3], tf.float32, ragged_rank=1)"),
        (
            (ragged("b", None, 3), ragged("b", None, 4)),
            "tf.RaggedTensorSpec([None, None, None], tf.float32, ragged_rank=1)",
        ),
        (
            (Tensor((3, 5), "int64", TensorKind.SPARSE), Tensor((4, 5), "int64", TensorKind.SPARSE)),
            "tf.SparseTensorSpec([None, 5], tf.int64)",
        ),
        (
            (DictOf((("x", Tensor(("b",), "int64", TensorKind.SPARSE)),)),),
            "tf.SparseTensorSpec([None], tf.int64)",
        ),
    ],
)
def test_folded_as_others_are(tmp_path: Path, values: tuple[Value, ...], spec: str) -> None:
    done = told(tmp_path, "step", *values)
    assert spec in "".join(line.strip("+ ") for line in done.stdout.splitlines()), done.stderr


@pytest.mark.parametrize(
    ("values", "reason", "about"),
    [
        ((ragged("b", None), ragged("b", None, None, rank=2)), "ranks-differ", "x: 2 and 3 axes"),
        (
            (ragged("b", None, None), ragged("b", None, None, rank=2)),
            "ranks-differ",
            "x: a ragged_rank of 1 and of 2",
        ),
        (
            (ragged("b", None), ragged("b", None, splits="int32")),
            "structures-differ",
            "x: row splits of int64 and int32",
        ),
        (
            (ragged("b", None), Tensor(("b", "c"), "float32")),
            "structures-differ",
            "x: RaggedTensor and Tensor",
        ),
        ((ragged("b", None, rank=None, splits=None),), "opaque-argument", "x"),
    ],
)
def test_what_no_spec_covers_is_refused(
    tmp_path: Path, values: tuple[Value, ...], reason: str, about: str
) -> None:
    done = told(tmp_path, "step", *values)
    assert done.stdout == ""
    assert f"left alone ({reason})" in done.stderr
    assert f"`{about}`" in done.stderr


def test_row_splits_that_cannot_be(tmp_path: Path) -> None:
    done = told(tmp_path, "step", ragged("b", None, splits="int8"))
    assert done.returncode == 2
    assert "'row_splits' is 'int8', neither int32 nor int64; mend it there, or record again" in done.stderr


def test_sizes_are_not_asked_of_ragged_tensors(tmp_path: Path) -> None:
    done = told(tmp_path, "sized", ragged("b", None))
    assert done.stdout == ""
    assert "left alone (static-shape)" in done.stderr
