import tensorflow as tf
from tensorflow.keras import layers, losses

VOCABULARY, UNITS = 7, 4
embedding = layers.Embedding(VOCABULARY, UNITS)
loss_function = losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(source, target):
    decoder = layers.LSTM(UNITS, return_sequences=True)  # made anew at each call
    projection = layers.Dense(VOCABULARY)
    logits = projection(decoder(embedding(source)))
    return loss_function(target, layers.Dropout(0.1)(logits))


@tf.function(jit_compile=True)
def apply(x):
    return layers.Dense(3)(x)
