# refused: no-tensorflow-name

from tensorflow import function, range, reduce_sum, shape, stack


@function
def sums(x):
    found = []
    for i in range(shape(x)[0]):
        found.append(reduce_sum(x[i]))
    return stack(found)
