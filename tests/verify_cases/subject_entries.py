"""What the tests run in the worker processes: imports from an overlay, and subjects of cases."""

from __future__ import annotations

import importlib
import inspect
import traceback
from typing import Any

from tfmigrate.verify.model import Case, CodeTree
from tfmigrate.verify.worker.subject import install_tree, materialise


def evaluate(job: tuple[CodeTree, list[str]]) -> list[Any]:
    """Evaluate each ``module:expression`` in its module; an exception's last line in place of a value."""
    tree, questions = job
    install_tree(tree)
    answers: list[Any] = []
    for question in questions:
        module, _, expression = question.partition(":")
        try:
            loaded = importlib.import_module(module)
            answers.append(eval(expression, {**vars(loaded), "inspect": inspect, "traceback": traceback}))
        except Exception as error:
            answers.append(f"{type(error).__name__}: {error}")
    return answers


def calls(job: tuple[Case, CodeTree]) -> list[dict[str, Any]]:
    """Run the subject of a case eagerly: what goes in and what comes out of each call, as shapes and sums."""
    import tensorflow as tf

    case, tree = job
    install_tree(tree)
    tf.keras.utils.set_random_seed(1)
    subject = materialise(case, tree)
    found = []
    for call in subject.invocations:
        output = subject.target(*call.args, **call.kwargs)
        arrays = [tensor for tensor in tf.nest.flatten((call.args, call.kwargs)) if hasattr(tensor, "shape")]
        plain = {name: value for name, value in call.kwargs.items() if not hasattr(value, "shape")}
        found.append(
            {
                "shapes": [tuple(array.shape) for array in arrays],
                "dtypes": [array.dtype.name for array in arrays],
                "sums": [float(tf.reduce_sum(tf.cast(array, tf.float32))) for array in arrays],
                "plain": plain,
                "output": tuple(tf.convert_to_tensor(output).shape),
                "total": float(tf.reduce_sum(tf.cast(output, tf.float32))),
            }
        )
    return found
