# refused: no-tensorflow-name
from tensorflow import function, ones, reduce_sum, square


@function
def _norm(x):
    return reduce_sum(square(x), axis=1)


for n in range(1, 5):
    _norm(ones([n, 4]))
