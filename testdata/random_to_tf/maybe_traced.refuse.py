# refused: maybe-traced
import random

import numpy as np
import tensorflow as tf


from somewhere import Base


class Net(Base):
    def call(self, x):
        return x * random.random()
