"""Why control flow stays as it is, and what its owner would have to change."""

from __future__ import annotations

from tfmigrate.blocked import Reasons

REASONS: Reasons = {
    "function-stays-whole": (
        "another place of this function has to stay, and the function runs in a graph only once all are gone",
        "see to the other place first",
    ),
    "maybe-traced": (
        "a base of the class cannot be seen, so it is unclear whether this runs in a graph",
        "run tfmigrate over the code that defines the base class as well",
    ),
    "defined-twice": (
        "the function is defined more than once in this module",
        "keep one definition, and let the conditions choose what it does",
    ),
    "no-tensorflow-name": (
        "the file has no certain name for tensorflow there",
        "import tensorflow as tf at the top of the file",
    ),
    "return-in-branch": (
        "one way through a branch on a tensor returns and the other goes on in the code around it",
        "let both ways return, or assign the result in both and return it once at the end",
    ),
    "return-in-loop": (
        "a loop that a tensor decides is left by return",
        "keep the result in a variable, leave the loop by break, and return after the loop",
    ),
    "leaves-python-loop": (
        "break or continue of a Python loop depends on a tensor",
        "loop over tf.range, or compute a mask instead of leaving the loop",
    ),
    "bound-in-one-branch": (
        "a name that is used later gets a value in one branch only, and has none before",
        "give it a value of the same type before the branch",
    ),
    "unbound-before-loop": (
        "a name that the loop computes and that is used later has no value before it",
        "give it a value of the same dtype and shape before the loop",
    ),
    "types-differ": (
        "the value has different types on the two ways, which a graph cannot join",
        "convert both to one dtype, or to tensors of one structure",
    ),
    "not-a-tensor": (
        "the value is not certainly a tensor or a number on both ways, and a graph can join nothing else",
        "use tensors for it (zeros for a missing value), or decide by a Python value",
    ),
    "number-used-by-python": (
        "the number that the tensor decides is used where only Python's own number will do",
        "use the tensor in arithmetic or give it to a TensorFlow operation",
    ),
    "python-side-effect": (
        "Python would do it once, while the graph is traced, whichever way the tensor decides",
        "return the value, assign it to a tf.Variable, or use tf.print",
    ),
    "assigns-in-branch": (
        "a variable is assigned inside, which Keras 3 cannot run symbolically, as Functional models do",
        "choose the value by tf.cond or tf.where, and assign it outside of the branch or loop",
    ),
    "changes-attribute": (
        "an attribute is assigned, and a graph cannot hand the value out through it",
        "return the value, or keep it in a variable made by add_weight and assign to that",
    ),
    "list-grows": (
        "a list grows inside, which a graph cannot follow",
        "write to a tf.TensorArray, or compute all elements at once",
    ),
    "index-used-later": (
        "the loop's own variable is used after the loop",
        "use the number of iterations instead",
    ),
    "loop-form": (
        "the loop has a form that cannot become a tf.while_loop",
        "loop over tf.range or one tensor, with one name as the target and without else",
    ),
    "condition": (
        "the condition mixes Python's values and tensors in a way that cannot be parted",
        "decide the Python half in an if of its own",
    ),
    "raises-with-effects": (
        "an exception is raised on a tensor's word, among other statements or with a message made from tensors",
        "use tf.debugging.assert_equal with a constant message",
    ),
    "in-try": (
        "the exception is caught, and a graph raises it at another time, in another place",
        "decide by the tensor itself with tf.cond, without an exception",
    ),
    "long-string": (
        "a string over several lines would have to be indented",
        "keep the string outside of the branch or loop",
    ),
    "unsupported-statement": (
        "a statement of this kind cannot become part of a function of its own",
        "move it out of the branch or loop",
    ),
}
