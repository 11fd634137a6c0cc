"""What the code under test says of its own arguments: signatures, sources, InputSpecs, ``input_signature``."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

from tfmigrate.verify.recipes import CallSpec, Structure, Tensor
from tfmigrate.verify.synthesis import Parameter, Shape, input_candidates
from tfmigrate.verify.worker.subject import CannotBuild


def templates(
    function: Any, shape: Shape, sizes: tuple[int, ...], instance: Any = None, skip_self: bool = False
) -> Iterator[CallSpec]:
    """Templates for ``function``: its signature's first, then the layer's InputSpec, then guesses."""
    signature = getattr(function, "input_signature", None)
    if signature:
        yield CallSpec(tuple(_from_spec(spec) for spec in signature))
    spec = getattr(instance, "input_spec", None)
    if spec is not None:
        with contextlib.suppress(Exception):
            yield CallSpec((_from_input_spec(spec),))
    parameters = parameters_of(function, skip_self)
    state = getattr(instance, "state_size", None)
    if state is not None and len(parameters) > 1 and parameters[1].name in ("states", "state"):
        states = [Tensor(("b", size)) for size in (state if isinstance(state, (list, tuple)) else [state])]
        yield CallSpec((Tensor(("b", 8)), list(states)))
    yield from input_candidates(parameters, shape, sizes)


def _from_spec(spec: Any) -> Structure:
    if isinstance(spec, dict):
        return {key: _from_spec(value) for key, value in spec.items()}
    if isinstance(spec, (list, tuple)):
        return type(spec)(_from_spec(value) for value in spec)
    if not hasattr(spec, "shape"):
        raise CannotBuild(f"no value can be guessed for {spec}")
    dims = [3, "t"] if spec.shape.rank is None else spec.shape.as_list()
    return Tensor(_named(dims), spec.dtype.name)


def _from_input_spec(spec: Any) -> Structure:
    if isinstance(spec, (list, tuple)):
        return [_from_input_spec(part) for part in spec]
    rank = spec.ndim or spec.min_ndim or (len(spec.shape) if spec.shape is not None else 2)
    dims = list(spec.shape) if spec.shape is not None else [None] * rank
    for axis, size in (spec.axes or {}).items():
        dims[int(axis)] = size
    if rank > 1 and dims[-1] is None:
        dims[-1] = 8
    return Tensor(_named(dims), str(spec.dtype or "float32"))


def _named(dims: list[Any]) -> tuple[int | str, ...]:
    """``None`` becomes the batch ``b`` on the first axis, the length ``t`` on the second, 8 on others."""
    names = ("b", "t")
    return tuple(
        (names[axis] if axis < 2 and not (axis == 1 and len(dims) == 4) else 8) if size is None else size
        for axis, size in enumerate(dims)
    )


def parameters_of(function: Any, skip_self: bool = True) -> tuple[Parameter, ...]:
    inner = getattr(function, "python_function", function)
    try:
        parameters = list(inspect.signature(inner).parameters.values())
    except (TypeError, ValueError):
        return ()
    if skip_self and parameters:
        parameters = parameters[1:]
    skipped = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return tuple(
        Parameter(
            p.name,
            _annotation(p.annotation),
            p.default is inspect.Parameter.empty,
            p.kind is inspect.Parameter.KEYWORD_ONLY,
        )
        for p in parameters
        if p.kind not in skipped
    )


def default_sizes(function: Any) -> tuple[int, ...]:
    """Integers among the defaults of a constructor, which may be sizes of axes (``groups=32``)."""
    try:
        defaults = [parameter.default for parameter in inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        return ()
    return tuple(dict.fromkeys(value for value in defaults if type(value) is int and 2 <= value <= 512))


def _annotation(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def source_of(thing: Any) -> str:
    inner = getattr(thing, "python_function", thing)
    try:
        return inspect.getsource(inner)
    except (OSError, TypeError):
        return ""


def is_users(cls: type) -> bool:
    return not cls.__module__.startswith(("tensorflow", "keras", "tf_keras", "builtins"))
