"""One canonical name for each thing of TensorFlow and Keras, whatever path it was reached by.

Everything of Keras is ``keras.X`` with its public short home, everything of TensorFlow ``tensorflow.X``.
Source: the import paths counted in public code (FORMS.md section 0) and Keras's own public API of 2.x and 3.x.
"""

from __future__ import annotations

from functools import lru_cache

KERAS_ROOTS = frozenset(("keras", "tf_keras", "keras_core"))
LIBRARY_ROOTS = KERAS_ROOTS | {"tensorflow"}

_SKIPPED = frozenset(
    (
        "api",
        "_v1",
        "_v2",
        "v1",
        "v2",
        "src",
        "python",
        "_tf_keras",
        "keras",
        "compat",
        "__internal__",
        "_legacy",
        "legacy",
    )
)
"""Parts between ``keras`` and the public namespace that say nothing."""

_NAMESPACES = frozenset(
    [
        "activations",
        "applications",
        "backend",
        "callbacks",
        "constraints",
        "datasets",
        "distribution",
        "dtype_policies",
        "estimator",
        "initializers",
        "layers",
        "losses",
        "metrics",
        "mixed_precision",
        "models",
        "ops",
        "optimizers",
        "preprocessing",
        "quantizers",
        "random",
        "regularizers",
        "saving",
        "tree",
        "utils",
        "wrappers",
        "experimental",
        "config",
    ]
)

_HOMES = {
    "Model": "keras.Model",
    "Sequential": "keras.Sequential",
    "Functional": "keras.Functional",
    "Layer": "keras.layers.Layer",
    "Input": "keras.Input",
    "InputSpec": "keras.layers.InputSpec",
    "Network": "keras.Model",
    "RNN": "keras.layers.RNN",
}
"""Classes that live at several public or formerly public places."""

_TF_KERAS_NAMESPACES = frozenset(("losses", "metrics", "optimizers", "initializers"))
"""``tf.losses`` and the like are Keras's since TensorFlow 2."""

_TF_FUNCTIONS = {
    "tensorflow.python.eager.def_function.function": "tensorflow.function",
    "tensorflow.python.eager.polymorphic_function.polymorphic_function.function": "tensorflow.function",
    "tensorflow.python.module.module.Module": "tensorflow.Module",
    "tensorflow.python.ops.map_fn.map_fn": "tensorflow.map_fn",
    "tensorflow.python.ops.variables.Variable": "tensorflow.Variable",
}


@lru_cache(maxsize=20_000)
def canonical(dotted: str) -> str:
    """The canonical spelling of an absolute dotted name; names of other libraries come back as they are."""
    parts = dotted.split(".")
    if parts[0] == "tensorflow":
        return _tensorflow(parts)
    if parts[0] in KERAS_ROOTS:
        return _keras(parts[1:])
    return dotted


def _tensorflow(parts: list[str]) -> str:
    rest = parts[1:]
    while rest[:1] == ["_api"] and len(rest) > 1:
        rest = rest[2:]
    while rest[:2] == ["compat", "v2"]:
        rest = rest[2:]
    inner = [p for p in rest if p not in ("compat", "v1", "python")]
    if inner[:1] == ["keras"] and len(rest) - len(inner) <= 2 and rest.index("keras") <= 2:
        return _keras(inner[1:])
    if len(rest) == 2 and rest[0] in _TF_KERAS_NAMESPACES and rest[1][:1].isupper():
        return _keras(rest)
    name = ".".join(["tensorflow", *rest])
    return _TF_FUNCTIONS.get(name, name)


def _keras(rest: list[str]) -> str:
    while rest and rest[0] in _SKIPPED:
        rest = rest[1:]
    if not rest:
        return "keras"
    last = rest[-1]
    if last in _HOMES and rest[0] in (
        "layers",
        "models",
        "engine",
        "training",
        "topology",
        "sequential",
        last,
    ):
        return _HOMES[last]
    if len(rest) > 2 and rest[0] in _NAMESPACES and last[:1].isupper() and rest[0] != "applications":
        return f"keras.{rest[0]}.{last}"
    return ".".join(["keras", *rest])
