"""What one arm did, as arrays and plain data: kept, saved and compared without TensorFlow and without pickle."""

from __future__ import annotations

import dataclasses
import enum
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tfmigrate.verify.model import Mode, Version

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One tensor. ``array`` has NumPy's own dtypes only: bfloat16 and float8 are widened to float32, strings
    are bytes objects as UTF-8 text with backslash escapes; ``dtype`` is TensorFlow's name of the tensor's
    type."""

    dtype: str
    array: Array


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception of the code under test."""

    type: str
    message: str
    """Without addresses, paths and counters in automatic names."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One call of the subject, or one step of gradient descent."""

    name: str
    """``call 1`` ..., ``step 1`` ..., ``call with other weights``; ``as written: step 1`` for code that has
    tf.functions."""
    training: bool
    failure: Failure | None = None
    structure: Any = None
    """Nesting of the output as JSON data: lists, tuples, dicts, Python values; ``["leaf", i]`` is
    ``leaves[i]``."""
    leaves: tuple[Leaf, ...] = ()
    losses: tuple[Leaf, ...] = ()
    """``target.losses`` after the call."""
    gradients: Mapping[str, Leaf | None] = field(default_factory=dict)
    """Variable's key, or ``input 0`` ..., -> gradient of the weighted sum of the outputs; None: it does not
    arrive."""
    values: Mapping[str, Leaf] = field(default_factory=dict)
    """Variable's key -> its value after this stage."""
    created: int = 0
    """Variables made during this stage."""
    printed: str = ""


@dataclass(frozen=True, slots=True)
class VariableFact:
    """One variable that was alive at the end, or was made by a call."""

    key: str
    shape: tuple[int, ...]
    dtype: str
    trainable: bool
    tracked: bool
    """It is among the subject's own ``variables``."""
    initial: str
    """What the code itself starts it from: an initialiser's name, ``constant 0.5``, ``values``."""
    created: int
    """0: before the first call; n: during the n-th stage."""


class PropertyStatus(enum.Enum):
    """Whether a version has a property."""

    HELD = "held"
    BROKEN = "broken"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Property:
    """Something that one version does or does not do by itself."""

    name: str
    """``fit``, ``save_weights``, ``from_config``."""
    status: PropertyStatus
    message: str = ""
    """What is broken, or why it was not checked, as the end of a sentence that begins with the name."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What one arm takes, measured once beside other work: on a busy machine, milliseconds can be ten times too long."""

    traces: int = 0
    """Of the subject, for its calls; 0 in eager mode."""
    nodes: int = 0
    """Operations in the graph that was traced last, those of its functions (branches, loops) included."""
    trace_s: float = 0.0
    """Seconds that all traces for calls took."""
    call_s: float | None = None
    """Seconds of one call when nothing is traced any more; None where that was not measured."""
    step_s: float | None = None
    """The same of one step of gradient descent."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that one arm did."""

    version: Version
    mode: Mode
    keras: str
    device: str
    seed: int
    stages: tuple[Stage, ...]
    variables: tuple[VariableFact, ...]
    stateful: bool
    """The subject is a layer, a model or a tf.Module, which can track variables."""
    paths: frozenset[str]
    """Attribute paths of layers right after construction (``ArmJob.known_paths`` of the other version)."""
    traces: tuple[int, ...] = ()
    """Graph modes: trace count of the subject's tf.function after each of its calls."""
    lines_run: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Of ``ArmJob.changed_lines``: those that ran, in the eager arm."""
    lines_asked: Mapping[str, frozenset[int]] = field(default_factory=dict)
    late: Mapping[str, str] = field(default_factory=dict)
    """Variables made inside a trace before their layer had its name, which then started from other values than pinned:
    to be run again with this as ``ArmJob.learned``."""
    functions_called: int = 0
    """Calls of the code's own tf.functions."""
    own_traces: Mapping[str, int] = field(default_factory=dict)
    """Of ``ArmJob.stream``: name of each tf.function of the code's own that was called -> how often it was traced."""
    properties: tuple[Property, ...] = ()
    """In the eager arm, of what ``ArmJob.trains_and_saves`` asks."""
    weight_paths: Mapping[str, str] = field(default_factory=dict)
    """The same arm: tracked weights that can be saved, ``dense.kernel`` -> ``float32 (4, 3)``."""
    places: frozenset[int] = frozenset()
    """Of ``ArmJob.numbers``: those that drew, with the same numbers in both versions."""
    frozen: frozenset[int] = frozenset()
    """Those that drew while a graph was traced, and are constants in it."""
    unpinned: frozenset[str] = frozenset()
    """Functions that drew their own numbers at such a place: nothing of TensorFlow's is known to do the same."""
    scratch: frozenset[str] = frozenset()
    """Variables that a call makes, assigns and keeps nowhere. In a run that was told of them (``ArmJob.scratch``): those."""
    costs: Costs = field(default_factory=Costs)
    fit: tuple[Stage, ...] = ()
    """In the eager arm, if ``ArmJob.fits`` asks: the stages of :attr:`Mode.FIT`, with ``fit`` run eagerly."""
    precision: str = "float32"
    """Keras's dtype policy that was set."""
    skipped: str = ""
    """Why nothing was run, or (of :attr:`fit`) why it was not trained, as a sentence: that mode or policy is not for it."""
    seconds: float = 0.0

    @property
    def fails(self) -> bool:
        """Whether nothing ran."""
        return all(stage.failure for stage in self.stages)

    def stage(self, name: str) -> Stage | None:
        """The stage of that name."""
        return next((stage for stage in self.stages if stage.name == name), None)


def save(observation: Observation, path: Path) -> None:
    """Write one .npz file: the arrays, and the rest as JSON in an entry named ``observation.json``."""
    arrays: list[Array] = []
    text = json.dumps(_plain(observation, arrays))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("observation.json", text)
        for number, array in enumerate(arrays):
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, array, allow_pickle=False)
            file.writestr(f"{number}.npy", buffer.getvalue())


def load(path: Path) -> Observation:
    """Read what :func:`save` wrote. Raises ValueError, KeyError or zipfile.BadZipFile for anything else."""
    with zipfile.ZipFile(path) as file:
        data = json.loads(file.read("observation.json"))

        def array(number: int) -> Array:
            return np.lib.format.read_array(io.BytesIO(file.read(f"{number}.npy")), allow_pickle=False)

        def leaf(item: Any) -> Leaf | None:
            return None if item is None else Leaf(item["dtype"], array(item["array"]))

        def leaves(items: Any) -> Any:
            if isinstance(items, dict):
                return {key: leaf(item) for key, item in items.items()}
            return tuple(leaf(item) for item in items)

        def stage(item: Any) -> Stage:
            failure = Failure(**item["failure"]) if item["failure"] else None
            arrays = {name: leaves(item[name]) for name in ("leaves", "losses", "gradients", "values")}
            return Stage(**{**item, **arrays, "failure": failure})

        facts = tuple(VariableFact(**{**item, "shape": tuple(item["shape"])}) for item in data["variables"])
        return Observation(
            **{
                **data,
                "version": Version(data["version"]),
                "mode": Mode(data["mode"]),
                **{name: tuple(map(stage, data[name])) for name in ("stages", "fit")},
                "variables": facts,
                "paths": frozenset(data["paths"]),
                **{name: frozenset(data[name]) for name in ("places", "frozen", "unpinned", "scratch")},
                "traces": tuple(data["traces"]),
                "costs": Costs(**data["costs"]),
                "properties": tuple(
                    Property(item["name"], PropertyStatus(item["status"]), item["message"])
                    for item in data["properties"]
                ),
                "lines_run": {name: frozenset(lines) for name, lines in data["lines_run"].items()},
                "lines_asked": {name: frozenset(lines) for name, lines in data["lines_asked"].items()},
            }
        )


def _plain(value: Any, arrays: list[Array]) -> Any:
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return len(arrays) - 1
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name), arrays) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item, arrays) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [_plain(item, arrays) for item in value]
    if isinstance(value, enum.Enum):
        return value.value
    return value
