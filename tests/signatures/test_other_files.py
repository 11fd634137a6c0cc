"""Calls in other files of the project are evidence, too, and are named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

OPS = """\
import tensorflow as tf


@tf.function
def norm(x, axis=1):
    return tf.sqrt(tf.reduce_sum(tf.square(x), axis=axis))


@tf.function
def both(x):
    return x + 1.0
"""
TRAIN = """\
import numpy as np
import tensorflow as tf
from shop import ops
from shop.ops import norm

for n in range(1, 9):
    print(norm(tf.ones([n, 3])))

ops.both(tf.ones([2]))
ops.both(tf.ones([3]))
ops.both(np.ones([3]))
"""


def told(folder: Path, train: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "shop").mkdir()
    (folder / "shop" / "__init__.py").touch()
    (folder / "shop" / "ops.py").write_text(OPS)
    (folder / "train.py").write_text(train)
    command = [sys.executable, "-m", "tfmigrate", "diff", "--select", "TFM5", "--no-cache", *options, "."]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_signature_from_calls_in_another_file(tmp_path: Path) -> None:
    done = told(tmp_path, TRAIN, "--unsafe")
    assert "+@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])\n" in done.stdout
    assert (
        "`norm` is traced anew for each shape (called in train.py:7): given an input signature" in done.stderr
    )


def test_it_is_a_contract_for_all_who_import_the_function(tmp_path: Path) -> None:
    done = told(tmp_path, TRAIN)
    assert done.stdout == ""
    assert "TFM501 `norm` is traced anew for each shape" in done.stderr
    assert "left alone (unsafe)" in done.stderr


def test_callers_of_other_dtypes_are_named(tmp_path: Path) -> None:
    done = told(tmp_path, TRAIN)
    assert "`x: float32 in train.py:9, train.py:10, float64 in train.py:11`" in done.stderr


def test_a_call_that_is_not_understood_leaves_it_alone(tmp_path: Path) -> None:
    done = told(tmp_path, TRAIN.replace("norm(tf.ones([n, 3]))", "norm(*[tf.ones([n, 3])])"), "--unsafe")
    assert "norm" not in done.stdout
    assert "left alone (opaque-argument)" in done.stderr or "`norm`" not in done.stderr
