"""Notes."""

import numpy as np
import tensorflow as tf

from lantern import text


def test_bag_of_words():
    for ids in ([[1, 2, 3], [4, 5, 6]], [[7, 0, 19]]):
        assert text.BagOfWords(20, 4)(tf.constant(ids)).shape == (len(ids), 4)


def test_attention_pool():
    assert text.AttentionPool()(tf.random.normal([2, 5, 4])).shape == (2, 4)


def test_word_dropout():
    vectors = tf.ones([2, 4])
    layer = text.WordDropout()
    np.testing.assert_allclose(layer(vectors), vectors)
    found = layer(vectors, training=True).numpy()
    assert 0.5 <= found.min() and found.max() <= 1.0


def test_frozen():
    assert text.Frozen()(tf.ones([2, 5])).shape == (2, 2)
