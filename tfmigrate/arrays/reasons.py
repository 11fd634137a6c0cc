"""Why a list has to stay a list, as a value, and the table of all such reasons."""

from __future__ import annotations

from tfmigrate.blocked import Reasons

REASONS: Reasons = {
    "no-autograph": (
        "Keras 3 runs this code without AutoGraph, where a loop over a tensor fails as it stands, with a list or without",
        "write the loop as tf.while_loop (with maximum_iterations) or tf.map_fn, or move it to a method under "
        "@tf.function whose weights are built beforehand",
    ),
    "no-while-loop": (
        "Keras 3 runs this code without AutoGraph, and the loop cannot be written as tf.while_loop",
        "see to the reason that is given, or move the loop to a method under @tf.function whose weights are built before",
    ),
    "maybe-traced": (
        "a base class cannot be seen: if it is not Keras's, this code never runs inside a graph",
        "run tfmigrate over the code that defines the base class as well",
    ),
    "runs-eagerly": (
        "the file asks for eager execution, where a list does",
        "nothing has to change as long as the code runs eagerly",
    ),
    "dtype-unknown": (
        "a tf.TensorArray has one dtype, and it cannot be seen of what dtype the elements are",
        "convert what is added with tf.cast(..., dtype), or start from a value of known dtype",
    ),
    "dtypes-differ": (
        "a tf.TensorArray has one dtype, and the elements have several",
        "convert what is added with tf.cast",
    ),
    "returned-as-list": (
        "the list itself is returned: its length would be known only when the graph runs, and a function of the graph "
        "returns a fixed number of values",
        "return tf.stack of the list, or go through Python numbers, so that the loop is unrolled",
    ),
    "used-as-list": (
        "the list is used as a Python list, which a tf.TensorArray is not",
        "use tf.stack or tf.concat of the list there",
    ),
    "read-in-loop": (
        "the loop reads elements of the list that it adds to",
        "carry what is read in a variable of its own from one turn to the next",
    ),
    "kept-on-self": (
        "the list is kept on the object: it gets one dead symbolic tensor each time the graph is traced, none when it runs",
        "return the value, or keep a running sum and a count in tf.Variable",
    ),
    "items-set": (
        "an item of a list is set inside a loop of the graph, where the list outside does not see it",
        "make the list anew with a comprehension, or keep the items in variables of their own",
    ),
    "in-nested-function": (
        "a function defined inside uses the list as well",
        "pass the values in and out as arguments and results",
    ),
    "bound-again": (
        "the name is given another value on some ways only, while it is the list's",
        "use a name of its own for each list",
    ),
    "outlives-its-block": (
        "the list is made in a block and used after it",
        "make the list before the block",
    ),
    "unknown-list": (
        "it cannot be seen where the list comes from, and who else holds it",
        "make the list in the function that adds to it, and return its tf.stack",
    ),
    "axis-of-unknown-rank": (
        "the result has its new axis elsewhere than first, and the rank of the elements cannot be seen",
        "stack along the first axis and transpose",
    ),
    "comprehension": (
        "AutoGraph does not convert comprehensions, and this one is not certainly a tf.map_fn",
        "write a loop, or tf.map_fn",
    ),
    "loop-not-understood": (
        "a loop around what is added is one that AutoGraph does not convert (enumerate or zip of tensors)",
        "write it as `for i in tf.range(...)`",
    ),
    "not-in-xla": (
        "how many elements there are is known only when the loop has run, and XLA, which compiles the function, gives an "
        "empty result for an array that grows",
        "write into an array of a size that is enough, and keep a count",
    ),
    "line-shared": (
        "the statement shares its line with others",
        "put it on a line of its own",
    ),
    "no-tensorflow-name": (
        "the file has no name for TensorFlow that can be used here",
        "write `import tensorflow as tf` at the top of the file",
    ),
    "function-stays-whole": (
        "another list in this function has to stay, and the function fails as a graph as long as it does",
        "mend the other place first",
    ),
}
"""Reason code -> (why, what the owner would have to change)."""
