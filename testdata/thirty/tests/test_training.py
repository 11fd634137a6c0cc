"""Augmentation and steps of training, run eagerly as in the notebooks."""

import numpy as np
import pytest
import tensorflow as tf

from lantern import training


@pytest.fixture(autouse=True)
def eagerly():
    tf.config.run_functions_eagerly(True)
    yield
    tf.config.run_functions_eagerly(False)


def test_stochastic_depth():
    model = training.StochasticDepth()
    assert model(tf.ones([2, 4])).shape == model(tf.ones([2, 4]), training=True).shape == (2, 4)


def test_jitter():
    found = training.jitter(tf.zeros([50, 4]))
    assert 0.01 < float(tf.math.reduce_std(found)) < 0.2


def test_rotate_phase():
    assert abs(float(training.rotate_phase(tf.ones([])))) <= 2.0 * np.pi


def test_update_weights():
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
    features, target = tf.random.normal([8, 3]), tf.ones([8, 1])
    first = float(training.update_weights(model, features, target))
    for _ in range(20):
        last = float(training.update_weights(model, features, target))
    assert last < first


def test_error_of():
    assert float(training.error_of(tf.ones([4]), tf.zeros([4]))) == 1.0


def test_decay():
    tf.config.run_functions_eagerly(False)
    found = training.decay(tf.ones([3]), 6)
    np.testing.assert_allclose(found[5], np.ones(3) / 6.0, rtol=1e-6)
