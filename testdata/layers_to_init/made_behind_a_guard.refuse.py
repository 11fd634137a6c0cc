# refused: lazy-guard
from tensorflow.keras.layers import Dense, Layer


class Attention(Layer):
    def __init__(self):
        super().__init__()
        self._made = False

    def call(self, query, value):
        if not self._made:
            self._make(query.shape, value.shape)
        return self._query(query) + self._value(value)

    def score(self, query, value):
        if not self._made:
            self._make(query.shape, value.shape)
        return self._query(query)

    def _make(self, query_shape, value_shape):
        self._query = Dense(3)
        self._value = Dense(3)
        self._made = True


class Deeper(Attention):
    def call(self, query, value):
        return self.score(query, value)
