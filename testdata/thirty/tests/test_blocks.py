"""Shapes and a few values of the building blocks."""

import numpy as np
import pytest
import tensorflow as tf

from lantern import blocks


@pytest.mark.parametrize("batch", [2, 3])
def test_squeeze_excite(batch):
    images = tf.random.normal([batch, 5, 5, 4])
    assert blocks.SqueezeExcite()(images).shape == images.shape


@pytest.mark.parametrize("training", [False, True])
def test_conv_block(training):
    images = tf.random.normal([2, 6, 6, 3])
    found = blocks.ConvBlock(filters=4)(images, training=training)
    assert found.shape == (2, 6, 6, 4) and float(tf.reduce_min(found)) >= 0.0


@pytest.mark.parametrize("batch", [1, 4])
def test_tower(batch):
    assert blocks.Tower((8, 4))(tf.random.normal([batch, 5])).shape == (batch, 4)


def test_residual():
    assert blocks.Residual(4)(tf.ones([2, 4])).shape == (2, 4)


def test_elastic():
    assert blocks.Elastic()(tf.ones([2, 4]), width=3).shape == (2, 3)


@pytest.mark.xfail(reason="Keras 3 lets no built model make layers", strict=False)
def test_lazy_head():
    found = blocks.LazyHead(3)(tf.random.normal([2, 5]))
    np.testing.assert_allclose(tf.reduce_sum(found, axis=-1), [1.0, 1.0], rtol=1e-5)


def test_affine():
    features = tf.random.normal([3, 4])
    np.testing.assert_allclose(blocks.Affine()(features), features)


def test_early_scale():
    np.testing.assert_allclose(blocks.EarlyScale(1.5)(tf.ones([2, 3])), 1.5 * np.ones([2, 3]))


def test_whitening():
    features = tf.random.normal([3, 4])
    np.testing.assert_allclose(blocks.Whitening(4)(features), features)
