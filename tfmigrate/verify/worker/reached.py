"""Which variables of the user's modules the code under test can reach: those of a module's other functions are none of its.

Decided by names: a global counts as reached if any code that can run mentions its name. What no global holds counts as well.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, ModuleType
from typing import Any

import tensorflow as tf

from tfmigrate.verify.worker.identity import held_layers, is_layer
from tfmigrate.verify.worker.paths import raw

_EARLIER = frozenset(sys.modules)
"""What is imported before any code under test: thousands of modules of TensorFlow's."""
_LIBRARIES = frozenset({"tensorflow", "keras", "tf_keras", "numpy", "tfmigrate"}) | sys.stdlib_module_names


def unreached(things: Iterable[Any], roots: tuple[str, ...]) -> set[int]:
    """Identities of the tf.Variables that globals of modules below ``roots`` hold, and that ``things`` never mention."""
    holders: dict[int, set[str]] = {}
    for module in _modules(roots):
        for name, value in list(vars(module).items()):
            for variable in _variables(value):
                holders.setdefault(id(variable), set()).add(name)
    if not holders:
        return set()
    names = _mentioned(things)
    return {identity for identity, held in holders.items() if not held & names}


def _modules(roots: tuple[str, ...]) -> Iterator[ModuleType]:
    tops = tuple(os.path.realpath(root).rstrip(os.sep) + os.sep for root in roots)
    for name, module in list(sys.modules.items()):
        file = None if name in _EARLIER else getattr(module, "__file__", None)
        if isinstance(file, str) and "site-packages" not in file and os.path.realpath(file).startswith(tops):
            yield module


def _variables(value: Any) -> list[Any]:
    if isinstance(value, tf.Variable):
        return [value]
    if isinstance(value, type | ModuleType) or not _is_library(value):
        return []
    try:
        found = [raw(one) for one in value.variables]
    except Exception:  # a layer that is not built, or something else that is called so
        return []
    return [one for one in found if one is not None]


def _is_library(value: Any) -> bool:
    """A layer, metric, optimizer or module, of the library's class or of one that inherits from it."""
    return any(
        k.__module__.partition(".")[0] in ("tensorflow", "keras", "tf_keras") for k in type(value).__mro__
    )


def _mentioned(things: Iterable[Any]) -> set[str]:
    """Names in the code of ``things``, and in that of the user's functions and classes that it mentions."""
    names: set[str] = set()
    seen: set[int] = set()
    todo = list(things)
    while todo:
        thing = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, type):
            todo += [v for kind in thing.__mro__ if not _is_foreign(kind) for v in vars(kind).values()]
            continue
        if is_layer(thing) or isinstance(thing, tf.Module):
            todo += [type(thing), *(child for _, child in held_layers(thing))]
        for function in _functions(thing):
            todo += _in_code(function, names)
    return names


def _functions(thing: Any) -> Iterator[Any]:
    """The Python functions of a method, property, ``tf.function`` or wrapper."""
    for name in ("python_function", "_python_function", "__func__", "fget", "__wrapped__", "func"):
        inner = inspect.getattr_static(thing, name, None)
        if inner is not None:
            inner = getattr(thing, name, None)
        if inner is not None and inner is not thing and callable(inner):
            yield inner
            yield from _functions(inner)
    if hasattr(thing, "__code__"):
        yield thing


def _in_code(function: Any, names: set[str]) -> list[Any]:
    """Adds the names in ``function`` to ``names``; what of the user's they stand for."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return []
    own = set(_names(code))
    names |= own
    scope = getattr(function, "__globals__", {})
    found = [scope[name] for name in own if name in scope]
    found += [getattr(m, name) for m in found if isinstance(m, ModuleType) for name in own if name in vars(m)]
    for cell in getattr(function, "__closure__", None) or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # not assigned yet
            continue
    return [value for value in found if not isinstance(value, ModuleType) and not _is_foreign(value)]


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_foreign(value: Any) -> bool:
    """A class or function of a library; objects are judged by what they are."""
    if isinstance(value, type) or hasattr(value, "__code__"):
        return str(getattr(value, "__module__", "")).partition(".")[0] in _LIBRARIES
    return False
