from tensorflow.keras import layers


class First(layers.Layer):
    def build(self, input_shape):
        super().build(input_shape)
        self.w = self.add_weight(shape=(input_shape[-1],), initializer="ones")

    def call(self, x):
        return x * self.w


class Noted(layers.Layer):
    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1],), initializer="ones")
        self.built = True

    def call(self, x):
        return x * self.w


class Named(layers.Layer):
    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1],), initializer="ones")
        layers.Layer.build(self, input_shape)

    def call(self, x):
        return x * self.w


class Nothing(layers.Layer):
    def build(self, input_shape):
        pass

    def call(self, x):
        return x


class Refusing(layers.Layer):
    def build(self, input_shape):
        raise NotImplementedError

    def call(self, x):
        return x


class NoLayer:
    def build(self, input_shape):
        self.w = input_shape[-1]

    def call(self, x):
        return x * self.w
