"""Recipes: how a model is made and fed, as picklable data without TensorFlow objects.

A recipe is written down once (by a case file, a table in pyproject.toml, the class itself, or by guessing)
and carried out in every worker, so that both versions of the code get equal arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from tfmigrate.record.model import Arguments


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor. Its values depend only on this description, the call's number and the argument's place."""

    shape: tuple[int | str, ...]
    """Sizes, and names of sizes (``"b"``) until :func:`bind` has put numbers in their place."""
    dtype: str = "float32"
    low: float | None = None
    """Smallest value; None: -1 for floats, 0 for integers."""
    high: float | None = None
    """Largest value (included for integers); None: 1 for floats, 3 for integers."""
    values: Any = None
    """Nested lists that are used as they are, instead of drawn values."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A Python value that is passed as it is."""

    value: Any


@dataclass(frozen=True, slots=True)
class KerasLayer:
    """A Keras layer as an argument: ``keras.layers.<name>(*args)``."""

    name: str
    args: tuple[Any, ...] = ()


Structure: TypeAlias = (
    "Tensor | Literal | KerasLayer | tuple[Structure, ...] | list[Structure] | dict[str, Structure]"
)


@dataclass(frozen=True, slots=True)
class CallSpec:
    """The arguments of one call."""

    args: tuple[Structure, ...] = ()
    kwargs: Mapping[str, Structure] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FunctionRecipe:
    """A function of a case file: it takes the module under test and returns ``(callable, inputs)``."""

    path: str
    """Absolute path of the case file."""
    function: str
    module: str
    """Import name of the module under test."""


@dataclass(frozen=True, slots=True)
class DeclaredRecipe:
    """Arguments written down: of the constructor (for a class) and of each call."""

    init_args: tuple[Structure, ...] = ()
    init_kwargs: Mapping[str, Structure] = field(default_factory=dict)
    calls: tuple[CallSpec, ...] = ()
    method: str = ""
    """Name of the method that is called; empty: the object itself."""


@dataclass(frozen=True, slots=True)
class ExampleInputsRecipe:
    """The class's own ``get_example_inputs()``: a static, class or instance method."""

    init_kwargs: Mapping[str, Structure] = field(default_factory=dict)
    """The constructor's arguments. They are guessed."""


@dataclass(frozen=True, slots=True)
class GuessRecipe:
    """Nothing is written down: arguments are tried until the code runs (worker/probe.py)."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call that was recorded; all of its sizes are numbers."""

    arguments: Arguments
    sample: str | None = None
    """Absolute path of the .npz with its values."""


@dataclass(frozen=True, slots=True)
class RecordedRecipe:
    """What a recording says of one instance, or of a function (recorded.py)."""

    constructor: Arguments | None
    """None for a function."""
    calls: tuple[RecordedCall, ...]


Recipe: TypeAlias = FunctionRecipe | DeclaredRecipe | ExampleInputsRecipe | RecordedRecipe | GuessRecipe


def bind(structure: Structure, dims: Mapping[str, int]) -> Structure:
    """``structure`` with the numbers of ``dims`` in place of the names of sizes.

    Raises:
        KeyError: a name has no number.
    """
    if isinstance(structure, Tensor):
        return replace(structure, shape=tuple(dims[d] if isinstance(d, str) else d for d in structure.shape))
    if isinstance(structure, dict):
        return {key: bind(value, dims) for key, value in structure.items()}
    if isinstance(structure, list):
        return [bind(value, dims) for value in structure]
    if isinstance(structure, tuple):
        return tuple(bind(value, dims) for value in structure)
    return structure


def bind_call(call: CallSpec, dims: Mapping[str, int]) -> CallSpec:
    """All arguments of ``call`` bound."""
    return CallSpec(
        tuple(bind(value, dims) for value in call.args),
        {name: bind(value, dims) for name, value in call.kwargs.items()},
    )


def dim_names(call: CallSpec) -> tuple[str, ...]:
    """Names of sizes in ``call``, in order of appearance."""
    found: dict[str, None] = {}
    for tensor in tensors((*call.args, *call.kwargs.values())):
        found.update(dict.fromkeys(dim for dim in tensor.shape if isinstance(dim, str)))
    return tuple(found)


def tensors(structure: Structure) -> Iterator[Tensor]:
    """All tensors of ``structure``, in order."""
    if isinstance(structure, Tensor):
        yield structure
    elif isinstance(structure, dict):
        for value in structure.values():
            yield from tensors(value)
    elif isinstance(structure, (list, tuple)):
        for value in structure:
            yield from tensors(value)
