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
    "opaque-argument": (
        "an argument is no tensor, or nothing is known of its shape and dtype",
        "Hand over tensors only, or write the signature by hand.",
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
    "number-in-python": (
        "the function does something with the number that Python has to do: a tensor would not do",
        "Compute with it by TensorFlow's functions, or leave it: each value is a trace of its own.",
    ),
    "number-meets-unknown": (
        "the number meets something whose dtype is not certain, and a tensor of another dtype would raise",
        "Hand over tf.constant(value, dtype) with the dtype of what it meets.",
    ),
    "number-decides": (
        "the number decides what Python does: with a tensor both ways are traced",
        "Let the decision stay outside of the tf.function, or leave it: each value is a trace of its own.",
    ),
    "container-in-python": (
        "the function does something else with the list, tuple or dict than make it a tensor of one dtype",
        "Hand over a tensor, and work on that; or leave it: each content is a trace of its own.",
    ),
    "text-retraces": (
        "each text is a trace of its own, and what the function does with it may need Python",
        "Hand over tf.constant(text) if the graph only prints or writes it, or keep it outside of the function.",
    ),
    "loop-variable": (
        "it is made of something that the loop binds",
        "Make that a parameter, and the function before the loop.",
    ),
    "equal-numbers": (
        "to Python these numbers are equal, so they share a trace, and what they are used for may need a number",
        "Hand over numbers of one type, or tensors of them (tf.constant).",
    ),
    "closure": (
        "it is made of something of its call that may be no tensor, or another one later",
        "Make that a parameter; keep one tf.function for each model or optimizer, on the object that owns it.",
    ),
    "state-outside": (
        "it reads something that may have changed when it would be traced anew",
        "Make what changes an argument or a tf.Variable, and the function once.",
    ),
    "name-taken": (
        "the name for the function that is made once is taken",
        "Make the function before the loop, under a name of your choice.",
    ),
    "runs-when-traced": (
        "something in it runs whenever it is traced, and would run once only",
        "Move that out of the function, and make the function before the loop.",
    ),
    "state-in-loop": (
        "the loop changes something that a new trace may see",
        "Make what changes an argument, and the function before the loop.",
    ),
    "no-tensorflow-name": (
        "the file has no name for TensorFlow that holds here",
        "Add `import tensorflow as tf` at the top of the file.",
    ),
}
