"""Trains the recommender on made-up customers; the batches are as large as each day was busy."""

import tensorflow as tf
from shop import Recommender
from shop.losses import log_loss
from shop.model import jitter

BUSY = (8, 3, 5, 12, 7)


def purchases():
    """Features of customers and goods, and what was bought, for each day."""
    for day, count in enumerate(BUSY):
        random = tf.random.Generator.from_seed(day)
        customers, goods = random.normal((count, 5)), random.normal((count, 7))
        yield customers, goods, tf.cast(random.normal((count, 1)) > 0.0, tf.float32)


def main():
    model = Recommender()
    for customers, goods, bought in purchases():
        scores = model((customers, jitter(goods)), training=True)
        print(f"loss: {float(log_loss(scores, bought)):.3f}")


if __name__ == "__main__":
    main()
