import tensorflow as tf
from tensorflow.keras import layers, losses

VOCABULARY, UNITS = 7, 4
embedding = layers.Embedding(VOCABULARY, UNITS)
loss_function = losses.SparseCategoricalCrossentropy(from_logits=True)


decoder = layers.LSTM(UNITS, return_sequences=True)  # made anew at each call
projection = layers.Dense(VOCABULARY)
dropout = layers.Dropout(0.1)


@tf.function
def train_step(source, target):
    logits = projection(decoder(embedding(source)))
    return loss_function(target, dropout(logits))


dense = layers.Dense(3)


@tf.function(jit_compile=True)
def apply(x):
    return dense(x)
