"""What a recording is made of: plain data, no TensorFlow. ``format.py`` reads and writes it as JSON."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Dim: TypeAlias = "int | str | None"
"""A size; a symbol that all dims of the call share which varied together; None where it varied alone."""


class RecordingError(Exception):
    """A file that is no recording, or one that cannot be used; the message says what to do."""


class CallMode(enum.Enum):
    """How the code ran that a call was seen in."""

    EAGER = "eager"
    GRAPH = "graph"
    """While a ``tf.function`` was traced."""
    SYMBOLIC = "symbolic"
    """With Keras's placeholders: a functional model was being made, or a layer built."""
    FIT = "fit"
    """Below ``fit``, ``evaluate``, ``predict`` or one of the ``*_on_batch``."""


class TensorKind(enum.Enum):
    """What was handed over, before Keras or TensorFlow converted it."""

    TENSOR = "tensor"
    NUMPY = "numpy"
    PYTHON = "python"
    VARIABLE = "variable"
    RAGGED = "ragged"
    SPARSE = "sparse"


@dataclass(frozen=True, slots=True)
class Tensor:
    """An array of which shape, dtype and smallest and largest value are known."""

    shape: tuple[Dim, ...] | None
    """None where not even the rank is known."""
    dtype: str
    kind: TensorKind = TensorKind.TENSOR
    range: tuple[float, float] | None = None
    seen: tuple[tuple[int | None, ...], ...] = ()
    """A few of the shapes that ``shape`` stands for; entry n of all tensors of a call is of one and the same call."""
    ragged_rank: int | None = None
    """Of a ragged tensor: how many axes have rows of their own length; None where that is not known."""
    row_splits: str | None = None
    """Of a ragged tensor: the dtype of its row splits, ``int64`` or ``int32``."""

    @property
    def rank(self) -> int | None:
        return None if self.shape is None else len(self.shape)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A Python value: None, bool, int, float or str."""

    value: bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class ListOf:
    """A Python list."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A Python tuple."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class DictOf:
    """A Python dict whose keys are strings, in its order."""

    items: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Array:
    """An array by value: a constructor's argument."""

    shape: tuple[int, ...]
    dtype: str
    data: tuple[Any, ...]
    """All elements in C order."""


@dataclass(frozen=True, slots=True)
class KerasObject:
    """A Keras object in the form of ``keras.saving.serialize_keras_object``, as canonical JSON text."""

    text: str


@dataclass(frozen=True, slots=True)
class Imported:
    """A function, class or constant that can be imported: ``pkg.mod:name``."""

    name: str


@dataclass(frozen=True, slots=True)
class Made:
    """An instance of a class that can be imported, made with these arguments: a layer of the user's, a named tuple."""

    name: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something that cannot be made again: the beginning of its ``repr``."""

    text: str


Value: TypeAlias = (
    "Tensor | Scalar | ListOf | TupleOf | DictOf | Array | KerasObject | Imported | Made | Opaque"
)


@dataclass(frozen=True, slots=True)
class Arguments:
    """Positional and keyword arguments, without ``self``."""

    args: tuple[Value, ...] = ()
    kwargs: tuple[tuple[str, Value], ...] = ()

    def values(self) -> Iterator[Value]:
        """The arguments and all that is inside of them, outermost first."""
        stack = [value for _, value in reversed(self.kwargs)] + list(reversed(self.args))
        while stack:
            value = stack.pop()
            yield value
            if isinstance(value, (ListOf, TupleOf)):
                stack.extend(reversed(value.items))
            elif isinstance(value, DictOf):
                stack.extend(item for _, item in reversed(value.items))
            elif isinstance(value, Made):
                stack.extend(item for _, item in reversed(value.arguments.kwargs))
                stack.extend(reversed(value.arguments.args))

    def tensors(self) -> tuple[Tensor, ...]:
        return tuple(value for value in self.values() if isinstance(value, Tensor))

    @property
    def is_opaque(self) -> bool:
        """Whether something in them cannot be made again."""
        return any(isinstance(value, Opaque) for value in self.values())


@dataclass(frozen=True, slots=True)
class Constructor:
    """How an instance was made."""

    arguments: Arguments = Arguments()
    from_config: bool = False
    """By ``from_config`` or ``clone_model``: Keras gave arguments of its own."""


@dataclass(frozen=True, slots=True)
class Call:
    """All calls of one symbol, or one instance's, whose arguments differ in sizes and value ranges only."""

    arguments: Arguments
    training: bool | None = None
    """What was passed as ``training``, here or further out; the argument itself stands in ``arguments`` too."""
    mask: bool = False
    """Whether Keras carried a mask into the call."""
    mode: CallMode = CallMode.EAGER
    caller: tuple[str, int] | None = None
    """File, from the recording's folder, and line of the first of them."""
    count: int = 1
    traces: int = 0
    """How often they had the function traced."""
    raised: str | None = None
    """``ValueError: ...`` where they raised."""
    sample: str | None = None
    """The .npz with the values of one of them, from the recording's folder."""


@dataclass(frozen=True, slots=True)
class RecordedClass:
    """A class of the user's, constructed with one set of arguments, and what its instances were called with."""

    name: str
    """``pkg.net:Net``."""
    file: str
    """From the recording's folder, with ``/``."""
    line: int
    constructor: Constructor
    calls: tuple[Call, ...] = ()
    instances: int = 1
    is_nested: bool = False
    """Whether all calls came from other classes of the user's."""


@dataclass(frozen=True, slots=True)
class RecordedFunction:
    """A ``tf.function`` of the user's."""

    name: str
    """``pkg.train:step``; a method is ``pkg.net:Net.step`` and its calls are without ``self``."""
    file: str
    line: int
    jit_compile: bool | None = None
    has_signature: bool = False
    traces: int = 0
    """Of all calls together, those that are not kept too."""
    calls: tuple[Call, ...] = ()
    owner: Constructor | None = None
    """How the first instance was made whose method this is."""
    wrappers: int = 1
    """How many ``tf.function`` objects were made of it: more than one is a cause of retracing."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One file."""

    classes: tuple[RecordedClass, ...] = ()
    functions: tuple[RecordedFunction, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)
    """``{"tensorflow": "2.21.0", "keras": "3.15.0", "python": "3.11.7"}``."""
    folder: str = ""
    """Where the file lies; not part of the file."""
