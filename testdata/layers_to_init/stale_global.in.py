import tensorflow as tf
from tensorflow import keras

model = None
optimizer = None
loss_function = keras.losses.MeanSquaredError()


def new_model(width):
    return keras.Sequential([keras.layers.Dense(width), keras.layers.Dense(1)])


@tf.function(jit_compile=False)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_function(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def epoch(x, y):
    return [train_step(x, y) for _ in range(3)]


def search(widths, x, y):
    global model, optimizer
    history = []
    for width in widths:
        # a new one for each
        model = new_model(width)
        optimizer = keras.optimizers.Adam(0.01)  # as before
        history.append(epoch(x, y))
    return history


@tf.function
def apply(x):
    return net(x)


outputs = []
for width in (2, 3):
    net = new_model(width)
    outputs.append(apply(tf.ones((2, 4))))
