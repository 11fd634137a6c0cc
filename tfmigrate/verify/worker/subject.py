"""Makes what a case describes: imports the user's module, builds the callable, builds its inputs.

What is wrong with the case itself raises :class:`CannotBuild`; what the user's own code raises goes through,
because an exception that only one version raises is a difference.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import os
import re
import sys
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MethodType, ModuleType
from typing import Any

from tfmigrate.cases_api import Inputs
from tfmigrate.verify.model import Case, CodeTree
from tfmigrate.verify.recipes import (
    CallSpec,
    DeclaredRecipe,
    ExampleInputsRecipe,
    FunctionRecipe,
    GuessRecipe,
    KerasLayer,
    Literal,
    RecordedRecipe,
    Structure,
    Tensor,
)
from tfmigrate.verify.scripts import find_import_side_effect
from tfmigrate.verify.worker import overlay
from tfmigrate.verify.worker.overlay import install_tree

__all__ = ["CannotBuild", "Invocation", "Subject", "SubjectImportError", "install_tree", "materialise"]

FEWEST_CALLS = 3
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


class CannotBuild(Exception):
    """The case gives no callable with inputs. The message is a sentence for the owner of the case."""


class SubjectImportError(CannotBuild):
    """The user's module cannot be imported. The message holds the exception's last line."""


@dataclass
class Invocation:
    """The arguments of one call."""

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass
class Subject:
    """What is run: a callable, and its calls in order."""

    target: Callable[..., Any]
    invocations: list[Invocation]


def materialise(case: Case, tree: CodeTree) -> Subject:
    """Build the subject of ``case`` from ``tree``, which :func:`install_tree` has made importable.

    Raises:
        SubjectImportError: the user's module cannot be imported.
        CannotBuild: the case does not fit the code.
        Exception: whatever the user's constructor raises.
    """
    module = import_module(case.symbol.partition(":")[0], tree)
    recipe = case.recipe
    if isinstance(recipe, GuessRecipe):
        from tfmigrate.verify.worker.probe import guess

        recipe = guess(case.symbol, module)
    if isinstance(recipe, FunctionRecipe):
        return _from_function(recipe, module, tree)
    if isinstance(recipe, ExampleInputsRecipe):
        return _from_example_inputs(case.symbol, module, recipe)
    if isinstance(recipe, RecordedRecipe):
        return _from_recording(case.symbol, module, recipe, tree)
    return from_declared(case.symbol, module, recipe)


# -- import --------------------------------------------------------------------------------------------------


def import_module(name: str, tree: CodeTree) -> ModuleType:
    """Import the user's module ``name`` of this version.

    Raises:
        SubjectImportError: it is absent, does too much when imported, or fails.
    """
    found = overlay.find_module_file(tree, name)
    if found is None:
        raise SubjectImportError(f"there is no module {name} in {', '.join(tree.roots) or 'any folder'}")
    path, data = found
    if "." not in name and os.path.basename(path) != "__init__.py":
        reason = find_import_side_effect(data)
        if reason:
            raise SubjectImportError(f"{name} is not imported: {reason}")
    try:
        module = importlib.import_module(name)
        if not _is_at(
            module, path
        ):  # Another of this name was there first, such as one of the standard library.
            module = overlay.load_file(tree, path, name)
    except KeyboardInterrupt:
        raise
    except SystemExit as error:
        raise SubjectImportError(f"{name} calls sys.exit({error.code!r}) when it is imported") from error
    except BaseException as error:
        raise SubjectImportError(f"{name} cannot be imported: {last_line(error)}") from error
    return module


def _is_at(module: ModuleType, path: str) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and os.path.realpath(file) == os.path.realpath(path)


def last_line(error: BaseException) -> str:
    """``Type: message`` in one line, as at the end of a traceback; a syntax error with its place."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} ({error.filename}, line {error.lineno})"
    text = " ".join(_ANSI.sub("", str(error)).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def find_object(symbol: str, module: ModuleType) -> tuple[Any, Any]:
    """The object that ``symbol`` names, and the class that holds it (None for a class or function of the
    module).

    Raises:
        CannotBuild: there is none, or it is local to a function.
    """
    qualname = symbol.partition(":")[2]
    if "<" in qualname:
        raise CannotBuild(f"{qualname} is made inside a function; write a case that calls that function")
    holder, found = None, module
    for part in qualname.split("."):
        holder, previous = found, found
        try:
            static = inspect.isclass(previous)
            found = inspect.getattr_static(previous, part) if static else getattr(previous, part)
        except AttributeError as error:
            raise CannotBuild(f"{module.__name__} has no {qualname}") from error
    if isinstance(found, (staticmethod, classmethod)):
        found = getattr(holder, qualname.rpartition(".")[2])
        holder = None
    return found, holder if inspect.isclass(holder) and not inspect.isclass(found) else None


# -- the recipes ---------------------------------------------------------------------------------------------


def _from_function(recipe: FunctionRecipe, module: ModuleType, tree: CodeTree) -> Subject:
    name = "_tfmigrate_cases_" + hashlib.sha1(recipe.path.encode()).hexdigest()[:8]
    try:
        cases = sys.modules.get(name) or overlay.load_file(tree, recipe.path, name)
    except FileNotFoundError as error:
        raise CannotBuild(f"{recipe.path} does not exist in this version of the code") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise CannotBuild(f"{recipe.path} cannot be imported: {last_line(error)}") from error
    made = getattr(cases, recipe.function)(module)
    where = f"{recipe.function} in {recipe.path}"
    if not isinstance(made, tuple) or len(made) != 2 or not callable(made[0]):
        raise CannotBuild(f"{where} must return (callable, inputs), where inputs is a list of calls")
    return Subject(made[0], _invocations(made[1], where))


def _from_example_inputs(symbol: str, module: ModuleType, recipe: ExampleInputsRecipe) -> Subject:
    cls, _ = find_object(symbol, module)
    if not hasattr(cls, "get_example_inputs"):
        raise CannotBuild(f"{symbol} has no get_example_inputs()")
    if recipe.init_kwargs:
        target = cls(**_built_kwargs(recipe.init_kwargs, "init"))
    else:
        from tfmigrate.verify.worker.probe import construct

        target = construct(cls)[0]
    return Subject(target, _invocations(target.get_example_inputs(), f"{symbol}.get_example_inputs()"))


def _from_recording(symbol: str, module: ModuleType, recipe: RecordedRecipe, tree: CodeTree) -> Subject:
    from tfmigrate.verify.worker.replay import NotAgain, Replay

    replay = Replay(tree.roots, _tensor)
    found, holder = find_object(symbol, module)
    try:
        target = found
        if holder is not None or inspect.isclass(found):
            target = replay.construct(holder or found, recipe)
        if holder is not None:
            target = bound_method(target, symbol.rpartition(".")[2])
        calls = [Invocation(*replay.call(call, number)) for number, call in enumerate(recipe.calls)]
    except NotAgain as error:
        raise CannotBuild(str(error)) from error
    if not callable(target):
        raise CannotBuild(f"{symbol} is not callable; write a case")
    return Subject(target, calls)


def _invocations(inputs: Any, where: str) -> list[Invocation]:
    """The calls that a user's function gave: a list of them, or one; repeated until there are three."""
    calls = [invocation(call) for call in (inputs if isinstance(inputs, list) else [inputs])]
    if not calls:
        raise CannotBuild(f"{where} gives no inputs; return at least one call")
    return [calls[number % len(calls)] for number in range(max(FEWEST_CALLS, len(calls)))]


def invocation(call: Any) -> Invocation:
    """One call: ``Inputs``, a tuple of positional arguments, a dict of keyword arguments, or the one
    argument."""
    if isinstance(call, Inputs):
        return Invocation(tuple(call.args), dict(call.kwargs))
    if isinstance(call, tuple) and not hasattr(call, "_fields"):
        return Invocation(call)
    if isinstance(call, dict):
        return Invocation((), dict(call))
    return Invocation((call,))


def from_declared(symbol: str, module: ModuleType, recipe: DeclaredRecipe) -> Subject:
    """Build the object with the written constructor arguments, and the written calls."""
    found, holder = find_object(symbol, module)
    method = recipe.method
    if holder is not None:
        found, method = holder, symbol.rpartition(".")[2]
    target = found
    if inspect.isclass(found):
        args = tuple(build(value, f"init[{i}]", 0) for i, value in enumerate(recipe.init_args))
        target = found(*args, **_built_kwargs(recipe.init_kwargs, "init"))
    if method:
        if not hasattr(target, method):
            raise CannotBuild(f"{symbol} has no method {method}")
        target = bound_method(target, method)
    if not callable(target):
        raise CannotBuild(f'{symbol} is not callable; name the method to call: method = "..."')
    return Subject(target, [build_call(call, number) for number, call in enumerate(recipe.calls)])


def bound_method(instance: Any, name: str) -> Callable[..., Any]:
    """The method, holding ``instance``: a tf.function method holds its object only weakly."""
    method: Callable[..., Any] = getattr(instance, name)
    if getattr(method, "__self__", None) is not None:
        return method

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self, name)(*args, **kwargs)

    return MethodType(call, instance)


# -- values --------------------------------------------------------------------------------------------------


def build_call(call: CallSpec, number: int) -> Invocation:
    """The arguments of the call with this number, which their values depend on."""
    args = tuple(build(value, str(place), number) for place, value in enumerate(call.args))
    return Invocation(args, {name: build(value, name, number) for name, value in call.kwargs.items()})


def _built_kwargs(kwargs: Mapping[str, Structure], where: str) -> dict[str, Any]:
    return {name: build(value, f"{where}.{name}", 0) for name, value in kwargs.items()}


def build(structure: Structure, place: str, number: int) -> Any:
    """A value from its description. Equal descriptions at the same place of the same call give equal
    values."""
    if isinstance(structure, Literal):
        return structure.value
    if isinstance(structure, KerasLayer):
        import tensorflow as tf

        return getattr(tf.keras.layers, structure.name)(*structure.args)
    if isinstance(structure, Tensor):
        return _tensor(structure, place, number)
    if isinstance(structure, dict):
        return {key: build(value, f"{place}.{key}", number) for key, value in structure.items()}
    values = [build(value, f"{place}[{i}]", number) for i, value in enumerate(structure)]
    return tuple(values) if isinstance(structure, tuple) else values


def _tensor(spec: Tensor, place: str, number: int) -> Any:
    import numpy as np
    import tensorflow as tf

    dtype = tf.as_dtype(spec.dtype)
    if spec.values is not None:
        return tf.constant(spec.values, dtype)
    if any(isinstance(dim, str) for dim in spec.shape):
        raise CannotBuild(f"the shape {spec.shape} has a size without a number; give it in dims")
    rng = np.random.Generator(np.random.PCG64(zlib.crc32(f"{place}/{number}".encode())))
    shape = tuple(int(dim) for dim in spec.shape)
    if dtype == tf.string:
        letters = rng.integers(0, 26, size=shape)
        return tf.strings.join([tf.constant("word "), tf.strings.as_string(tf.constant(letters))])
    if dtype == tf.bool:
        return tf.constant(rng.integers(0, 2, size=shape).astype(bool))
    if dtype.is_integer:
        low, high = spec.low or 0, 3 if spec.high is None else spec.high
        return tf.constant(rng.integers(int(low), int(high) + 1, size=shape), dtype)
    low, high = -1.0 if spec.low is None else spec.low, 1.0 if spec.high is None else spec.high
    values = rng.uniform(low, high, size=shape)
    if dtype.is_complex:
        return tf.constant(values + 1j * rng.uniform(low, high, size=shape), dtype)
    return tf.cast(tf.constant(values), dtype)
