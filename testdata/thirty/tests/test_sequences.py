"""Recordings."""

import numpy as np
import tensorflow as tf

from lantern import sequences


def test_leaky_integrator():
    for length in (3, 5):
        found = sequences.LeakyIntegrator(0.5)(tf.ones([2, length, 1]))
        assert found.shape == (2, length, 1)
    np.testing.assert_allclose(found[0, :3, 0], [1.0, 1.5, 1.75])


def test_envelope():
    np.testing.assert_allclose(sequences.Envelope()(tf.constant([[1.0, 0.5, 2.0]])), [[1.0, 1.0, 2.0]])


def test_sequences_run_eagerly():
    tf.config.run_functions_eagerly(True)
    try:
        assert sequences.Cell(3)(tf.ones([2, 4, 3])).shape == (2, 4, 3)
        np.testing.assert_allclose(sequences.halvings(tf.constant([4.0, 2.0])), [1.5, 0.75])
        assert float(sequences.windows(tf.constant([[1.0, 2.0], [3.0, 4.0]]))) == 2.0
    finally:
        tf.config.run_functions_eagerly(False)
