"""How to make the models of this code base and what to feed them. Used by `tfmigrate verify` and `--verify`."""

import tensorflow as tf

from tfmigrate import case


def _features(batch, size):
    return tf.random.normal((batch, size))


@case("shop.blocks:Residual")
def residual(module):
    return module.Residual(6), [_features(2, 4), _features(3, 4), _features(2, 4)]


@case("shop.blocks:Gate")
def gate(module):
    return module.Gate(), [(_features(n, 4), _features(n, 4)) for n in (2, 3, 2)]


@case("shop.model:Recommender")
def recommender(module):
    return module.Recommender(), [((_features(n, 5), _features(n, 7)),) for n in (2, 3, 2)]
