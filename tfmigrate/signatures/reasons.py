"""Why a ``tf.function`` stays as it is, and what its owner would have to change."""

from __future__ import annotations

from tfmigrate.blocked import Reasons

REASONS: Reasons = {
    "ranks-differ": (
        "calls differ in the number of axes, which no signature covers",
        "One signature has one rank: call it with one, or write a function for each.",
    ),
    "dtypes-differ": (
        "calls differ in the dtype, and a signature refuses tensors of another one",
        "Cast at the callers with tf.cast, so that all calls have one dtype.",
    ),
    "structures-differ": (
        "calls hand over lists, tuples or dicts of other lengths or keys, or something else in their place",
        "Hand over tensors, or containers of one structure.",
    ),
    "python-value": (
        "a Python value is handed over: a signature has no place for it, and each new value is a new trace",
        "Make it a tensor at the caller if it is a number for arithmetic; leave it if it chooses what is computed.",
    ),
    "keyword-only": (
        "a signature covers no parameters that are given by keyword alone, nor *args and **kwargs",
        "Make them positional parameters.",
    ),
    "pinned-by-default": (
        "a signature ends before this parameter, would pin it to its default, and callers pass it",
        "Move the parameters that are tensors before those that are not.",
    ),
    "receiver-not-self": (
        "a signature only leaves out a first parameter that is named self",
        "Name the instance self.",
    ),
    "keras-method": (
        "Keras calls the method with arguments of its own (training, mask), which a signature refuses",
        "Decorate a method of another name, and call it from here.",
    ),
    "static-shape": (
        "the function reads a size that would be unknown while it is traced",
        "Use tf.shape(x)[i] in place of x.shape[i].",
    ),
    "no-tensorflow-name": (
        "the file has no name for TensorFlow that holds here",
        "Add `import tensorflow as tf` at the top of the file.",
    ),
}
