"""Pinned draws get TensorFlow's own key and counter, worked out without its operations."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import tensorflow as tf
from tensorflow.python.ops import random_ops_util

theirs = random_ops_util.get_key_counter_alg
from tfmigrate.verify.worker import draws

for first, second in ((0, 0), (1, 2), (-5, 7), (2**31 - 1, 2**30), (123456789, 987654321)):
    for dtype in (tf.int32, tf.int64):
        key, counter, _ = theirs(tf.constant([first, second], dtype), "philox")
        ours = draws.scrambled(first, second)
        assert ([int(key[0])], counter.numpy().tolist()) == ([ours[0]], ours[1]), (first, second)
print("alike")
"""


@pytest.mark.tf
def test_keys_are_tensorflows() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.stdout == "alike\n", done.stderr
