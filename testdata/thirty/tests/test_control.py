"""Both sides of each decision."""

import numpy as np
import pytest
import tensorflow as tf

from lantern import control


@pytest.mark.parametrize("size", [0.1, 10.0])
def test_clip_norm(size):
    found = control.ClipNorm()(size * tf.ones([2, 3]))
    assert float(tf.norm(found)) <= 1.0001


@pytest.mark.parametrize(("level", "expected"), [(1.0, 0.0), (0.2, 1.2), (-1.0, 1.0)])
def test_bucket(level, expected):
    np.testing.assert_allclose(control.Bucket()(level * tf.ones([2, 3])), expected * np.ones([2, 3]), atol=1e-6)


def test_halve_until():
    assert float(tf.reduce_max(control.HalveUntil()(tf.constant([[3.0, -4.0]])))) <= 0.25


def test_safe_log():
    np.testing.assert_allclose(control.SafeLog()(tf.ones([2, 2])), np.zeros([2, 2]))
    with pytest.raises(Exception, match="not positive"):
        control.SafeLog()(tf.constant([[-1.0]]))


@pytest.mark.parametrize("size", [0.0, 1.0])
def test_early_exit(size):
    assert control.EarlyExit()(size * tf.ones([2, 4])).shape == (2, 3)


def test_logged_clip(capsys):
    np.testing.assert_allclose(control.LoggedClip()(tf.constant([[3.0, 0.5]])), [[1.0, 0.5]])
    assert capsys.readouterr().out == "clipped\n"
