"""Where TensorFlow and Keras are made to ask the active pins. Installed once in the zygote, before any fork.

Each patched function does what it did unless an arm is running (``pins.ACTIVE``).
"""

from __future__ import annotations

import contextlib
import functools
import random
import sys
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfmigrate.verify.worker import draws
from tfmigrate.verify.worker.assigned import assigned_name
from tfmigrate.verify.worker.pins import ACTIVE, NO_NAME


def install() -> None:
    """Patch whatever flavours are imported. Twice is once."""
    if hasattr(tf, "_tfmigrate_patched"):
        return
    tf._tfmigrate_patched = True
    draws.install()
    _patch_functions()
    _patch_print()
    if "keras.src.layers.layer" in sys.modules:
        _patch_keras3()
    for name in ("tf_keras.src", "tf_keras", "keras.src", "keras"):
        if f"{name}.engine.base_layer" in sys.modules:
            _patch_keras2(name)
            break


def replace(owner: Any, name: str, make: Callable[[Any], Callable[..., Any]]) -> None:
    """Set ``owner.name`` to ``make(the original)``.

    ``wraps`` gives it the original's module, by which AutoGraph knows to leave it alone. AutoGraph's own
    ``do_not_convert`` would switch conversion off for everything that is called inside, Keras 2's ``call``
    included."""
    original = getattr(owner, name)
    setattr(owner, name, functools.wraps(original)(make(original)))


def _in_frame(kind: str) -> Callable[[Any], Callable[..., Any]]:
    def make(original: Any) -> Callable[..., Any]:
        def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
            pins = ACTIVE.get()
            if pins is None:
                return original(self, *args, **kwargs)
            with getattr(pins, kind)(self):
                return original(self, *args, **kwargs)

        return wrapper

    return make


def _patch_functions() -> None:
    """Count calls of ``tf.function`` objects: code that has some behaves unlike plain eager code."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function, tracing_compilation

    def make(original: Any) -> Callable[..., Any]:
        def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
            pins = ACTIVE.get()
            if pins is None or getattr(self, "_tfmigrate_own", False):
                return original(self, *args, **kwargs)
            pins.functions_called += 1
            pins.functions[id(self)] = self
            with pins.function_body():
                return original(self, *args, **kwargs)

        return wrapper

    def trace(original: Any) -> Callable[..., Any]:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            pins = ACTIVE.get()
            if pins is None:
                return original(*args, **kwargs)
            with pins.function_body():
                return original(*args, **kwargs)

        return wrapper

    replace(polymorphic_function.Function, "__call__", make)
    replace(tracing_compilation, "_create_concrete_function", trace)


def _patch_print() -> None:
    """``tf.print`` writes to C's standard error, where TensorFlow logs too: give it a file of its own."""
    from tensorflow.python.ops import gen_logging_ops

    def make(original: Any) -> Callable[..., Any]:
        def print_v2(input: Any, output_stream: str = "stderr", **kwargs: Any) -> Any:
            pins = ACTIVE.get()
            if pins is not None and pins.print_file and output_stream == "stderr":
                output_stream = f"file://{pins.print_file}"
            return original(input, output_stream=output_stream, **kwargs)

        return print_v2

    replace(gen_logging_ops, "print_v2", make)


def _patch_keras3() -> None:
    from keras.src import backend
    from keras.src.backend.common import variables
    from keras.src.layers.layer import Layer
    from keras.src.models.model import Model
    from keras.src.random import seed_generator

    replace(Layer, "set_weights", _sets_weights)
    replace(Model, "load_weights", _sets_weights)
    replace(Layer, "__call__", _in_frame("calling"))
    replace(Layer, "_maybe_build", _in_frame("apart"))
    replace(backend, "compute_output_spec", _symbolic)
    replace(Layer, "add_weight", _keras3_add_weight)
    replace(variables.Variable, "__init__", _keras3_variable)
    replace(backend.Variable, "_deferred_initialize", _keras3_deferred)
    for module in (seed_generator, backend.random):
        replace(module, "make_default_seed", _quiet_seed)
        replace(module, "draw_seed", _drawn_seed)
    replace(backend.random, "dropout", _dropout)


def _sets_weights(original: Any) -> Callable[..., Any]:
    """Weights that the program gives itself, as it does to a pretrained part, are no random start to be pinned."""

    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(self, *args, **kwargs)
        pins = ACTIVE.get()
        if pins is not None and tf.executing_eagerly():
            pins.keep_values(self.weights)
        return result

    return wrapper


def _symbolic(original: Any) -> Callable[..., Any]:
    def compute_output_spec(fn: Any, *args: Any, **kwargs: Any) -> Any:
        pins, owner = ACTIVE.get(), getattr(fn, "__self__", None)
        if pins is None or owner is None:
            return original(fn, *args, **kwargs)
        with pins.apart(owner):
            return original(fn, *args, **kwargs)

    return compute_output_spec


def _keras3_add_weight(original: Any) -> Callable[..., Any]:
    """Tell the variable that is made inside who makes it, and the name that the code gave (not Keras's
    counter)."""

    def add_weight(self: Any, *args: Any, **kwargs: Any) -> Any:
        pins = ACTIVE.get()
        if pins is None:
            return original(self, *args, **kwargs)
        with maker(pins, (self, kwargs.get("name") or "")):
            return original(self, *args, **kwargs)

    return add_weight


@contextlib.contextmanager
def maker(pins: Any, who: Any) -> Any:
    """Who makes the variables inside: (layer, name), or a slot that is there already."""
    before, pins.making = pins.making, who
    try:
        yield
    finally:
        pins.making = before


def _keras3_variable(original: Any) -> Callable[..., Any]:
    def __init__(self: Any, initializer: Any, *args: Any, **kwargs: Any) -> None:
        pins = ACTIVE.get()
        if pins is None:
            original(self, initializer, *args, **kwargs)
            return
        if isinstance(initializer, str):
            from keras.src import initializers

            initializer = initializers.get(initializer)
        layer, name = pins.making if isinstance(pins.making, tuple) else (None, kwargs.get("name") or "")
        shape = args[0] if args else kwargs.get("shape")
        dtype = args[1] if len(args) > 1 else kwargs.get("dtype")
        trainable = args[2] if len(args) > 2 else kwargs.get("trainable", True)
        if dtype is None:
            dtype = tf.convert_to_tensor(initializer).dtype if not callable(initializer) else "float32"
        dtype = dtype.name if hasattr(dtype, "name") else str(dtype)
        slot = pins.new_slot(layer, name, shape, dtype, bool(trainable), initializer)

        def pinned(shape: Any, dtype: Any = None) -> Any:
            if callable(initializer):
                return pins.initial_value(slot, lambda: initializer(shape, dtype=dtype))
            return pins.initial_value(slot, lambda: tf.convert_to_tensor(initializer, dtype))

        with maker(pins, slot):
            if callable(initializer):
                original(self, pinned, *args, **kwargs)
            elif slot.moves:
                value = tf.convert_to_tensor(initializer, dtype)
                original(self, pins.initial_value(slot, lambda: value), *args, **kwargs)
            else:
                original(self, initializer, *args, **kwargs)
        pins.made(slot, self)

    return __init__


def _keras3_deferred(original: Any) -> Callable[..., Any]:
    """The tf.Variable of a variable that was made in a symbolic pass; it has its slot already."""

    def _deferred_initialize(self: Any) -> Any:
        pins = ACTIVE.get()
        if pins is None:
            return original(self)
        with maker(pins, self):
            return original(self)

    return _deferred_initialize


def _patch_keras2(name: str) -> None:
    from importlib import import_module

    base_layer = import_module(f"{name}.engine.base_layer")
    utils = import_module(f"{name}.engine.base_layer_utils")
    backend = import_module(f"{name}.backend")
    replace(base_layer.Layer, "__call__", _in_frame("calling"))
    replace(base_layer.Layer, "_maybe_build", _in_frame("apart"))
    sequential = import_module(f"{name}.engine.sequential").Sequential
    if hasattr(
        sequential, "_build_graph_network_for_inferred_shape"
    ):  # calls its layers inside its first call
        replace(sequential, "_build_graph_network_for_inferred_shape", _in_frame("apart"))
    replace(base_layer.Layer, "set_weights", _sets_weights)
    replace(import_module(f"{name}.engine.training").Model, "load_weights", _sets_weights)
    replace(base_layer.Layer, "add_weight", _keras2_add_weight)
    replace(utils, "make_variable", _keras2_make_variable)
    replace(import_module(f"{name}.engine.training").Model, "_create_counter_variable", _unseen)
    replace(backend.RandomGenerator, "_create_seed", _quiet_create_seed)
    replace(backend.RandomGenerator, "make_legacy_seed", _quiet_create_seed)


def _keras2_add_weight(original: Any) -> Callable[..., Any]:
    def add_weight(self: Any, name: Any = None, *args: Any, **kwargs: Any) -> Any:
        pins = ACTIVE.get()
        if pins is None:
            return original(self, name, *args, **kwargs)
        with maker(pins, (self, name or "")):
            return original(self, name, *args, **kwargs)

    return add_weight


def _keras2_make_variable(original: Any) -> Callable[..., Any]:
    def make_variable(
        name: Any, shape: Any = None, dtype: Any = tf.float32, initializer: Any = None, **kwargs: Any
    ) -> Any:
        pins = ACTIVE.get()
        if pins is None or not isinstance(pins.making, tuple) or not callable(initializer):
            return original(name, shape=shape, dtype=dtype, initializer=initializer, **kwargs)
        layer, given = pins.making
        if isinstance(initializer, type):
            initializer = initializer()
        dtype = tf.as_dtype(dtype)
        slot = pins.new_slot(
            layer,
            given,
            tuple(tf.TensorShape(shape)),
            dtype.name,
            kwargs.get("trainable") is not False,
            initializer,
        )

        def pinned(shape: Any, dtype: Any = None, **more: Any) -> Any:
            return pins.initial_value(slot, lambda: initializer(shape, dtype=dtype, **more))

        with maker(pins, slot):
            variable = original(name, shape=shape, dtype=dtype, initializer=pinned, **kwargs)
        pins.made(slot, variable)
        return variable

    return make_variable


def _unseen(original: Any) -> Callable[..., Any]:
    """Keras 2's own counters of batches, which every Model has."""

    def _create_counter_variable(self: Any, *args: Any) -> Any:
        pins = ACTIVE.get()
        if pins is None:
            return original(self, *args)
        with maker(pins, self):
            return original(self, *args)

    return _create_counter_variable


def _quiet_seed(original: Any) -> Callable[..., Any]:
    """Keras takes default seeds from Python's ``random``: making a layer must not move the user's own
    numbers."""

    def make_default_seed() -> int:
        state = random.getstate()
        try:
            return int(original())
        finally:
            if ACTIVE.get() is not None:
                random.setstate(state)

    return make_default_seed


def _quiet_create_seed(original: Any) -> Callable[..., Any]:
    def wrapper(self: Any, *args: Any) -> Any:
        state = random.getstate()
        try:
            return original(self, *args)
        finally:
            if ACTIVE.get() is not None:
                random.setstate(state)

    return wrapper


def _drawn_seed(original: Any) -> Callable[..., Any]:
    def draw_seed(seed: Any) -> Any:
        pins = ACTIVE.get()
        if pins is None:
            return original(seed)
        kind, pins.draw_kind = pins.draw_kind, ""
        return tf.constant(pins.draw_seed(kind), tf.int32)

    return draw_seed


def _dropout(original: Any) -> Callable[..., Any]:
    """Keras 3 asks for a seed without saying what for: a mask gets the number that ``tf.nn.dropout`` would get."""

    def dropout(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        pins = ACTIVE.get()
        if pins is not None:
            pins.draw_kind = f"random_uniform {tf.TensorShape(inputs.shape).rank}"
        return original(inputs, *args, **kwargs)

    return dropout


def variable_creator(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
    """For ``tf.variable_creator_scope``: pins the variables that are made without Keras."""
    pins = ACTIVE.get()
    if pins is None or pins.making is not None:
        return next_creator(**kwargs)
    original = kwargs.get("initial_value")
    trainable = kwargs.get("trainable") is not False
    name = (kwargs.get("name") or NO_NAME).split(":")[0]
    if name == NO_NAME and pins.in_users_layer:
        name = assigned_name() or name
    if callable(original):
        first = original
    else:

        def first() -> Any:
            return original

    dtype = kwargs.get("dtype")
    if dtype is None and not callable(original) and original is not None:
        dtype = tf.convert_to_tensor(original).dtype
    dtype = tf.as_dtype(dtype or tf.float32)
    slot = pins.new_slot(None, name, getattr(original, "shape", None), dtype.name, trainable, original)

    def pinned() -> Any:
        value = first()
        if tf.is_tensor(value) or not slot.moves:
            return pins.initial_value(slot, lambda: value)
        return pins.initial_value(slot, lambda: tf.convert_to_tensor(value, dtype))

    if original is not None and (callable(original) or slot.moves):
        kwargs["initial_value"] = pinned if callable(original) else pinned()
    with maker(pins, slot):
        variable = next_creator(**kwargs)
    pins.made(slot, variable)
    return variable
