"""Which names are Keras layers or models: the library's own, by canonical name."""

from __future__ import annotations

import enum
import sys


class Kind(enum.Enum):
    """What a class is, as far as TensorFlow is concerned."""

    LAYER = "layer"
    MODEL = "model"
    MODULE = "module"
    """``tf.Module`` that is not a Keras layer."""
    UNKNOWN = "unknown"
    """A base cannot be seen."""
    NONE = "none"


_MODELS = frozenset(("keras.Model", "keras.Sequential", "keras.Functional"))
_NOT_LAYERS = frozenset(("InputSpec", "KerasTensor"))
_MODULES = frozenset(
    ("tensorflow.Module", "sonnet.Module", "sonnet.v2.Module", "tensorflow.compat.v1.Module")
)
_NO_LAYERS_IN = frozenset(
    [
        "numpy",
        "scipy",
        "pandas",
        "sklearn",
        "torch",
        "jax",
        "jaxlib",
        "flax",
        "haiku",
        "absl",
        "matplotlib",
        "PIL",
        "cv2",
        "gym",
        "gymnasium",
        "pytest",
        "tqdm",
        "nltk",
        "h5py",
        "yaml",
        "pydantic",
        "attr",
        "attrs",
        "google",
        "six",
        "mock",
        "parameterized",
        "django",
        "flask",
        "ray",
        "transformers_modules",
        "typing_extensions",
        "apache_beam",
        "tensorflow_datasets",
        "tensorflow_transform",
        "grpc",
        "networkx",
        "mxnet",
        "chainer",
        "theano",
        "onnx",
        "tokenizers",
    ]
)
"""Top-level modules whose classes are no Keras layers."""

_UNIMPORTANT_BASES = frozenset(("builtins.object", "typing.Generic", "typing.Protocol", "abc.ABC"))


def library_kind(name: str) -> Kind:
    """The kind of a class that no project file defines. ``name`` is canonical; an unresolved one starts with ``?``."""
    if name.startswith("?"):
        is_standard = name.endswith("()") and name[1:].partition(".")[0] in sys.stdlib_module_names
        return Kind.NONE if is_standard else Kind.UNKNOWN
    if name in _MODELS:
        return Kind.MODEL
    if name in _MODULES:
        return Kind.MODULE
    head, _, rest = name.partition(".")
    last = name.rpartition(".")[2]
    if head == "keras":
        return _keras_kind(rest, last)
    if head in ("builtins", "tensorflow") or head in _NO_LAYERS_IN or head in sys.stdlib_module_names:
        return Kind.NONE
    return Kind.UNKNOWN


def _keras_kind(rest: str, last: str) -> Kind:
    if rest.startswith("layers.") and last.lstrip("_")[:1].isupper() and last not in _NOT_LAYERS:
        return Kind.LAYER
    if rest.startswith("experimental.") and last.endswith("Model"):
        return Kind.MODEL
    if rest.startswith("engine."):
        return Kind.LAYER if last.endswith("Layer") else Kind.UNKNOWN
    return Kind.NONE


def is_unimportant_base(name: str) -> bool:
    """Bases that add nothing to what a class is."""
    return name in _UNIMPORTANT_BASES
