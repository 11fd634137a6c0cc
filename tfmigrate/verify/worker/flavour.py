"""Import TensorFlow with Keras 2 (tf_keras) or Keras 3, or say what is missing.

The environment (``TF_USE_LEGACY_KERAS``, ``KERAS_BACKEND``) is set by the process that starts this one.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType


class FlavourMissing(ImportError):
    """TensorFlow or the Keras flavour is not there; the message says what to install."""


def load(keras: str) -> None:
    """Import TensorFlow and the flavour ("2" or "3"); run no op. Raises FlavourMissing."""
    try:
        import tensorflow
    except ImportError as error:
        raise FlavourMissing(
            f"TensorFlow cannot be imported by {sys.executable} ({error}). Install it there, or let "
            "`python -m pip install 'tfmigrate[verify]'` do it; to use another environment's, name its interpreter."
        ) from error
    if keras == "2":
        _load_two(tensorflow.__version__)
    else:
        _load_three()


def _load_two(version: str) -> None:
    if tuple(map(int, version.split(".")[:2])) < (2, 16):  # Keras 2 is TensorFlow's own
        return
    try:
        import tf_keras  # noqa: F401
    except ImportError as error:
        raise FlavourMissing(
            f"Keras 2 needs the package tf_keras beside TensorFlow {version} ({error}): `python -m pip install tf_keras`."
        ) from error
    import tensorflow

    tensorflow.keras.layers  # noqa: B018  (resolves the lazy module before any fork)
    for name in [name for name in sys.modules if name == "keras" or name.startswith("keras.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, _KerasIsTfKeras())
    importlib.import_module("keras")


def _load_three() -> None:
    try:
        import keras
    except ImportError as error:
        raise FlavourMissing(
            f"Keras 3 cannot be imported ({error}): `python -m pip install keras`."
        ) from error
    if not keras.__version__.startswith("3."):
        raise FlavourMissing(
            f"Keras 3 was asked for, and keras {keras.__version__} is installed: use --keras 2."
        )
    import tensorflow

    tensorflow.keras.layers  # noqa: B018


class _KerasIsTfKeras(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """``import keras`` in code for Keras 2 means tf_keras, not the Keras 3 that is installed beside it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != "keras" and not fullname.startswith("keras."):
            return None
        return importlib.machinery.ModuleSpec(fullname, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        try:
            return importlib.import_module("tf_" + spec.name)
        except ModuleNotFoundError:
            parent, _, name = spec.name.rpartition(".")
            found = getattr(importlib.import_module("tf_" + parent), name, None)
            if not isinstance(found, ModuleType):
                raise
            return found

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run: tf_keras has run already."""
