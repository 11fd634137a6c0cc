# refused: base-not-visible
from tensorflow import keras
from tensorflow.keras import layers


from somewhere import Base


class Net(Base):
    def call(self, x):
        return layers.Dense(3)(x)
