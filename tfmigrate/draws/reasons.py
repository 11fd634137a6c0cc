"""Why a draw has to stay as it is, as a value, and the table of all such reasons."""

from __future__ import annotations

from tfmigrate.blocked import Reasons

REASONS: Reasons = {
    "maybe-traced": (
        "a base class cannot be seen: if it is not Keras's, this code never runs inside a graph",
        "run tfmigrate over the code that defines the base class as well",
    ),
    "also-runs-untraced": (
        "the function is also called from code outside of any graph, where a tensor may not do in place of a number",
        "draw in the caller and pass the value in, or write the traced use and the other one apart",
    ),
    "runs-eagerly": (
        "the file asks for eager execution, where the draw is made anew each time",
        "nothing has to change as long as the code runs eagerly",
    ),
    "no-equivalent": (
        "TensorFlow has no equivalent of this draw",
        "draw it outside of the graph and pass the value in, or write it with tf.random by hand",
    ),
    "arguments-not-understood": (
        "the arguments of the draw cannot be carried over with certainty",
        "write the draw with tf.random by hand",
    ),
    "size-not-understood": (
        "it cannot be seen whether the size of the draw is a number or a shape",
        "write the size as a tuple",
    ),
    "value-of-python": (
        "the draw is used as a Python value, which a tensor inside a graph does not have",
        "use TensorFlow's operations on the draw, or draw outside of the graph and pass the value in",
    ),
    "structure": (
        "the draw decides over structure (a loop's length, a shape, an operation's attribute), which is fixed when the "
        "graph is made",
        "draw it in Python, outside of the graph, once for each batch, or give all alternatives the same shape",
    ),
    "numpy-operation": (
        "the draw goes into a NumPy function, which takes no tensor inside a graph",
        "use TensorFlow's function instead",
    ),
    "passed-on": (
        "the draw is passed to code of which it is not known whether it takes a tensor",
        "write the draw with tf.random by hand if a tensor will do",
    ),
    "kept": (
        "the draw is kept on an object, in a container, in a global or in a number that is counted up",
        "keep it in a local variable, or write the draw with tf.random by hand",
    ),
    "returned": (
        "the draw is returned, and its callers may need a Python number or a NumPy array",
        "write the draw with tf.random by hand if a tensor will do",
    ),
    "whole-or-fraction": (
        "the draw is a whole number in one place and met by a fraction in another",
        "convert one of the two with tf.cast",
    ),
    "type-unknown": (
        "the draw meets a value of which it is not known whether it is a tensor, nor of which type",
        "convert it with tf.convert_to_tensor or tf.cast first, annotate it, or write the draw with tf.random by hand",
    ),
    "dtypes-differ": (
        "the draw meets tensors of different types",
        "write the draw with tf.random by hand, with the dtype that is wanted, or convert with tf.cast",
    ),
    "index": (
        "the draw indexes what may be a Python list",
        "pick with tf.gather from a tensor, or with tf.switch_case among functions",
    ),
    "choice": (
        "the draw picks among Python objects",
        "pick with tf.gather from a tensor, or with tf.switch_case among functions that return the same types",
    ),
    "choice-types": (
        "it is not certain that all functions or layers that the draw picks from give the same types and shapes, and leave "
        "nothing else behind",
        "let all of them give the same dtype and shape, or use tf.switch_case by hand",
    ),
    "in-place": (
        "the draw reorders a list in place",
        "reorder a tensor with tf.random.shuffle, which returns a new one",
    ),
    "branch": (
        "a branch on the draw does more than give tensors new values: both branches become part of the graph",
        "let the branch only assign tensors that exist before it, or use tf.cond by hand",
    ),
    "branch-types": (
        "it is not certain that both branches on the draw give values of the same type",
        "assign values of the same dtype and shape in both branches, or use tf.cond by hand",
    ),
    "op-seed": (
        "the draw is the seed of an operation that is random by itself; two operations may share it to stay aligned",
        "leave the seed out, or use the tf.image.stateless_random_* operations with one seed tensor",
    ),
    "seed": (
        "the random state of Python or NumPy is set inside a graph: that happens once, when it is traced",
        "call tf.random.set_seed outside of the function",
    ),
    "generator": (
        "the generator's seed or its uses cannot be carried over with certainty",
        "keep a tf.random.Generator instead",
    ),
    "not-in-xla": (
        "XLA, which compiles the function, cannot compile this draw",
        "draw it outside of the compiled function and pass it in",
    ),
    "no-tensorflow-name": (
        "the file has no name for TensorFlow that can be used here",
        "write `import tensorflow as tf` at the top of the file",
    ),
    "function-stays-whole": (
        "another draw in this function has to stay, and half of the draws in a graph would mislead",
        "mend the other place first",
    ),
}
"""Reason code -> (why, what the owner would have to change)."""
