"""Compare what two arms did: structure before values, bitwise before tolerances, in float64. Pure; numpy
only."""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tfmigrate.claim import Claim
from tfmigrate.verify.model import Mode
from tfmigrate.verify.observe import Leaf, Observation, Stage, VariableFact

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_SENTENCE = re.compile(r".{30,160}?[.!?](?=\s|$)")
_NAMED = re.compile(r"^(?:(?:\w+\.)*\w*(?:Error|Exception): )+")
_WHERE = (
    "Exception encountered when calling",
    "in user code:",
    'File "',
    "Graph execution error:",
    "Detected at ",
    "<stack traces unavailable>",
)
FIRST = "call 1"
AS_WRITTEN = "as written: "
"""Begins the names of stages that ran with the code's own tf.functions traced, in the eager arm."""
_AUTOGRAPH = frozenset({"StagingError", "RuntimeError"})
"""What AutoGraph raises in place of exceptions that it cannot make anew."""
STATE_ERRORS = (
    "You cannot add new elements of state",
    "tf.function only supports singleton tf.Variables",
    "tf.function-decorated function tried to create variables",
)
"""What Keras and TensorFlow say to state that is made in a call; other exceptions of the original are its
behaviour."""


class Status(enum.Enum):
    """Outcome of one comparison."""

    EQUAL = "equal"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Tolerance:
    """``|a - b| <= rtol * |b| + atol * rms(b)`` passes, ``b`` being the reference."""

    rtol: float
    atol: float

    def scaled(self, factor: float) -> Tolerance:
        """Both parts times ``factor``."""
        return Tolerance(self.rtol * factor, self.atol * factor)


TOLERANCES: Mapping[str, Tolerance] = {
    "float64": Tolerance(1e-12, 1e-12),
    "complex128": Tolerance(1e-12, 1e-12),
    "float32": Tolerance(1e-5, 1e-6),
    "complex64": Tolerance(1e-5, 1e-6),
    "float16": Tolerance(1e-3, 1e-3),
    "bfloat16": Tolerance(1.6e-2, 1e-2),
}
"""Same mode and device, no change in the mathematics. Types that are missing here are compared exactly."""
HALVES = {"mixed_float16": "float16", "mixed_bfloat16": "bfloat16"}
"""Dtype policy -> the type in which is computed what comes out as float32."""
_LOOSEST_HALF = 10.0
"""Of half precision nothing is left beyond this factor."""
LOOSER = 10.0
"""Factor for XLA, GPUs and the other Keras flavour, and once more for gradients and what gradients changed."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One thing that both arms have, or should have."""

    stage: str
    item: str
    """``output 0``, ``gradient of Net.a/kernel``, ``exception``, ``variables`` ..."""
    status: Status
    how: str
    """``bitwise``, ``tolerance``, ``float64 reference``, ``text``; for a difference, what kind it is."""
    message: str = ""
    """One sentence for a difference."""
    mismatched: int = 0
    total: int = 0
    worst_abs: float = 0.0
    worst_rel: float = 0.0
    index: tuple[int, ...] = ()
    expected: str = ""
    actual: str = ""
    rtol: float = 0.0
    needed: float = 0.0
    """Factor by which the tolerance would have to be larger to pass."""

    @property
    def numeric(self) -> bool:
        """Whether values were compared."""
        return self.total > 0


def differs(stage: str, item: str, kind: str, message: str, **more: Any) -> Comparison:
    """A comparison that failed."""
    return Comparison(stage, item, Status.DIFFERENT, kind, message, **more)


def compare(
    reference: Observation, other: Observation, claim: Claim, same_mode: Observation | None = None
) -> tuple[Comparison, ...]:
    """Compare the rewritten code's ``other`` with ``reference``, the original's eager run.

    Args:
        reference: the original, eagerly.
        other: the rewritten code in any mode.
        claim: which differences are the point of the rewrite.
        same_mode: the original in the mode of ``other``, for what cannot be asked of the eager run (printing
            while tracing)."""
    elsewhere = other.device != "CPU" or other.keras != reference.keras
    factor = LOOSER if other.mode is Mode.XLA or elsewhere else 1.0
    like = HALVES.get(other.precision, "")
    results = list(_variables(reference, other, claim))
    for stage in other.stages:
        expected = reference.stage(stage.name.removeprefix(AS_WRITTEN))
        if expected is None:
            continue
        results += _stage(expected, stage, claim, factor, other.mode, bool(reference.places), like)
        printed = expected if other.mode is Mode.EAGER else same_mode and same_mode.stage(stage.name)
        if claim.stdout and printed and stage.name != FIRST and not stage.name.startswith(AS_WRITTEN):
            results += _printed(printed, stage)
    return tuple(results)


def _stage(
    expected: Stage, actual: Stage, claim: Claim, factor: float, mode: Mode, drawn: bool, like: str
) -> Iterator[Comparison]:
    name = actual.name
    if expected.failure or actual.failure:
        yield from _failure(expected, actual, claim, mode)
        return
    if (found := _unlike(expected.structure, actual.structure, "output")) is not None:
        yield differs(name, "structure", "structure", found)
        return
    looser = LOOSER if actual.training else 1.0
    for number, (one, two) in enumerate(zip(expected.leaves, actual.leaves, strict=True)):
        wide = factor * (1.0 if name == "step 1" else looser)
        yield values(name, f"output {number}", one, two, wide, like=like)
    yield from _losses(expected, actual, claim, factor * looser, like)
    yield from _gradients(expected, actual, factor * LOOSER, drawn or claim.decides_in_graph, like)
    for key in sorted(expected.values.keys() & actual.values.keys()):
        one, two = expected.values[key], actual.values[key]
        yield values(name, f"value of {key}", one, two, factor * looser, like=like)


def _failure(expected: Stage, actual: Stage, claim: Claim, mode: Mode) -> Iterator[Comparison]:
    one, two = expected.failure, actual.failure
    if one is None and two is not None:
        message = f"the rewritten code raises {two.type}: {head(two.message)}"
        yield differs(
            actual.name, "exception", "exception", message, actual=f"{two.type}: {head(two.message)}"
        )
    elif one is not None and two is None:
        if not (claim.may_fix_eager and is_state_error(one.message)):
            message = f"the original raises {one.type}, the rewritten code does not: {head(one.message)}"
            yield differs(
                actual.name, "exception", "exception", message, expected=f"{one.type}: {head(one.message)}"
            )
    elif one is not None and two is not None:
        wrapped = mode is not Mode.EAGER and two.type in _AUTOGRAPH and one.type in two.message
        same = one.type == two.type or wrapped
        checked = (
            claim.decides_in_graph and two.type == "InvalidArgumentError" and head(one.message) in two.message
        )
        if checked or (same and head(one.message) == head(two.message).strip("'")):
            yield Comparison(actual.name, "exception", Status.EQUAL, "text")
        else:
            message = f"the original raises {one.type}: {head(one.message)}"
            message += f"; the rewritten code {two.type}: {head(two.message)}"
            yield differs(actual.name, "exception", "exception", message)


def is_state_error(message: str) -> bool:
    """Whether an exception's message is about state that is made in a call."""
    return any(text in message for text in STATE_ERRORS)


def head(message: str) -> str:
    """The line of an exception's message that says what it is.

    Keras and AutoGraph put where it was raised before that, several times over when calls are nested.
    """
    echo = False
    for line in filter(None, map(str.strip, message.splitlines())):
        told = _NAMED.sub("", line)
        if not echo and not told.startswith(_WHERE):
            sentence = _SENTENCE.match(told)
            return sentence[0] if sentence else told[:160]
        echo = told.startswith('File "')
    return ""


def _unlike(expected: Any, actual: Any, where: str) -> str | None:
    """The first place at which two descriptions of nesting differ, as a sentence."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        if list(expected) != list(actual):
            return f"{where} has the keys {list(actual)}, in the original {list(expected)}"
        return next((f for k in expected if (f := _unlike(expected[k], actual[k], f"{where}[{k!r}]"))), None)
    if isinstance(expected, list) and isinstance(actual, list):
        if expected[:1] == ["value"] and actual[:1] == ["value"]:
            same = expected == actual or (expected[1] != expected[1] and actual[1] != actual[1])
            return None if same else f"{where} is {actual[1]!r}, in the original {expected[1]!r}"
        if expected[0] != actual[0] or len(expected) != len(actual):
            return f"{where} is {_say(actual)}, in the original {_say(expected)}"
        pairs = zip(expected[1:], actual[1:], strict=True)
        return next((f for n, (a, b) in enumerate(pairs) if (f := _unlike(a, b, f"{where}[{n}]"))), None)
    return None if expected == actual else f"{where} is {_say(actual)}, in the original {_say(expected)}"


def _say(structure: Any) -> str:
    kind = structure[0] if isinstance(structure, list) and structure else str(structure)
    if kind == "leaf":
        return "a tensor"
    if kind == "value":
        return repr(structure[1])
    return f"{kind} of {len(structure) - 1}" if kind in ("list", "tuple") else str(kind)


def _losses(expected: Stage, actual: Stage, claim: Claim, factor: float, like: str) -> Iterator[Comparison]:
    """Losses of weights that the original loses in each call may come in addition, if the claim says so."""
    remaining = list(actual.losses)
    for number, loss in enumerate(expected.losses):
        results = [values(actual.name, f"loss {number}", loss, item, factor, like=like) for item in remaining]
        hit = next((place for place, result in enumerate(results) if result.status is Status.EQUAL), None)
        if hit is not None:
            yield results[hit]
            del remaining[hit]
        elif results:
            yield results[0]
        else:
            yield differs(actual.name, f"loss {number}", "missing", "a loss of the original is gone")
    if remaining and not claim.may_track_more:
        yield differs(actual.name, "losses", "extra", f"{len(remaining)} losses more than in the original")


def _gradients(
    expected: Stage, actual: Stage, factor: float, decided: bool, like: str
) -> Iterator[Comparison]:
    """``decided``: Python decides which weights the original uses; a graph has all, and gives the others zeros."""
    scale = max((_rms(leaf.array) for leaf in expected.gradients.values() if leaf is not None), default=0.0)
    for key in sorted(expected.gradients.keys() | actual.gradients.keys()):
        item = f"gradient of {key}"
        if key not in actual.gradients:
            yield differs(
                actual.name, item, "missing", f"{key} is used by the original, not by the rewritten code"
            )
        elif decided and expected.gradients.get(key) is None and _is_zero(actual.gradients[key]):
            yield Comparison(actual.name, item, Status.EQUAL, "bitwise", total=1)
        elif key not in expected.gradients:
            yield differs(
                actual.name, item, "extra", f"{key} is used by the rewritten code, not by the original"
            )
        else:
            one, two = expected.gradients[key], actual.gradients[key]
            if one is not None and two is not None:
                yield values(actual.name, item, one, two, factor, scale, like)
            elif one is not None:
                yield differs(
                    actual.name, item, "gradient", f"no gradient reaches {key}; in the original one does"
                )
            elif two is not None:
                yield differs(
                    actual.name, item, "gradient", f"a gradient reaches {key}; in the original none does"
                )


def _is_zero(leaf: Leaf | None) -> bool:
    return leaf is None or not np.any(leaf.array)


def _variables(reference: Observation, other: Observation, claim: Claim) -> Iterator[Comparison]:
    if any(stage.failure for stage in other.stages) or not any(
        not stage.failure for stage in reference.stages
    ):
        return
    before = {fact.key: fact for fact in reference.variables}
    after = {fact.key: fact for fact in other.variables}
    complete = not any(stage.failure for stage in reference.stages)
    for key in sorted(before.keys() | after.keys()):
        if key not in after:
            if claim.first_call_only and _is_constant(before[key], reference):
                continue  # The rate of an optimizer that each call makes, written out.
            yield differs(
                "",
                f"variable {key}",
                "missing",
                f"the original has a variable {key}, the rewritten code has not",
            )
            continue
        if key not in before:
            # Of a layer that the original holds and never drew, which is in the graph all the same.
            held = reference.places and key.rpartition("/")[0] in reference.paths
            if complete and not (held and after[key].tracked):
                yield differs(
                    "",
                    f"variable {key}",
                    "extra",
                    f"the rewritten code has a variable {key} that the original has not",
                )
            continue
        one, two = before[key], after[key]
        for name in ("shape", "dtype", "trainable", "initial"):
            if name == "initial" and not (one.initial and two.initial):
                continue  # Not known of what was made inside of a trace.
            if getattr(one, name) != getattr(two, name):
                message = f"{name} of {key} is {getattr(two, name)}, in the original {getattr(one, name)}"
                yield differs("", f"variable {key}", name, message)
        if one.tracked and not two.tracked:
            yield differs("", f"variable {key}", "untracked", f"{key} is not tracked any more")
        elif two.tracked and not one.tracked and not claim.may_track_more:
            yield differs("", f"variable {key}", "tracked", f"{key} is tracked, in the original it is not")


def _is_constant(fact: VariableFact, observation: Observation) -> bool:
    """A variable that each call makes and loses, that nothing trains, and that never holds anything else."""
    seen = [stage.values[fact.key].array for stage in observation.stages if fact.key in stage.values]
    is_lost = bool(fact.created) and not (fact.tracked or fact.trainable)
    return is_lost and bool(seen) and all(np.array_equal(one, seen[0]) for one in seen)


def values(
    stage: str,
    item: str,
    expected: Leaf,
    actual: Leaf,
    factor: float = 1.0,
    scale: float = 0.0,
    like: str = "",
) -> Comparison:
    """Compare two arrays: type and shape exactly, then to the bit, then within the tolerance of the type
    times ``factor``.

    ``scale``: the size of what the values were summed from. A bias before a batch normalisation has the
    gradient 0, which floating point gives as the rounding errors of terms of that size.

    ``like``: the half-precision type in which floats were computed, whatever they are kept in."""
    if expected.dtype != actual.dtype:
        return differs(stage, item, "dtype", f"{item} is {actual.dtype}, in the original {expected.dtype}")
    one, two = expected.array, actual.array
    if one.shape != two.shape:
        return differs(stage, item, "shape", f"{item} has the shape {two.shape}, in the original {one.shape}")
    total = max(1, one.size)
    if one.dtype == two.dtype and one.tobytes() == two.tobytes():
        return Comparison(stage, item, Status.EQUAL, "bitwise", total=total)
    tolerance = TOLERANCES.get(expected.dtype)
    if tolerance is None:
        return _exact(stage, item, one, two)
    kind = like if like and expected.dtype == "float32" else expected.dtype
    if kind in HALVES.values():
        tolerance, factor = TOLERANCES[kind], min(factor, _LOOSEST_HALF)
    return _close(stage, item, one, two, tolerance.scaled(factor), scale)


def _exact(stage: str, item: str, one: npt.NDArray[Any], two: npt.NDArray[Any]) -> Comparison:
    unequal = np.atleast_1d(one != two)
    if not unequal.any():
        return Comparison(stage, item, Status.EQUAL, "exact", total=max(1, one.size))
    index = tuple(int(place) for place in np.argwhere(unequal)[0])
    expected, actual = str(np.atleast_1d(one)[index]), str(np.atleast_1d(two)[index])
    count = int(unequal.sum())
    message = (
        f"{item}: {count} of {one.size} values differ; at {list(index)} {actual}, in the original {expected}"
    )
    return differs(
        stage,
        item,
        "values",
        message,
        mismatched=count,
        total=one.size,
        index=index,
        expected=expected,
        actual=actual,
    )


def _close(
    stage: str, item: str, one: npt.NDArray[Any], two: npt.NDArray[Any], tolerance: Tolerance, scale: float
) -> Comparison:
    wide = np.complex128 if one.dtype.kind == "c" else np.float64
    reference, value = np.atleast_1d(one).astype(wide), np.atleast_1d(two).astype(wide)
    finite = np.isfinite(reference)
    size = max(_rms(reference), scale)
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.abs(value - reference)
        distance[(value == reference) | (np.isnan(value) & np.isnan(reference))] = (
            0.0  # equal infinities, paired NaN
        )
        distance[np.isnan(distance)] = math.inf
        allowed = tolerance.rtol * np.abs(reference) + tolerance.atol * size
        allowed[~finite] = 0.0
        beyond = distance > allowed
        ratio = np.where(distance == 0.0, 0.0, distance / np.where(allowed == 0.0, 1e-300, allowed))
        relative = distance / np.where(reference == 0.0, 1e-300, np.abs(reference))
    index = tuple(int(place) for place in np.unravel_index(int(np.argmax(ratio)), ratio.shape))
    facts: dict[str, Any] = {
        "mismatched": int(beyond.sum()),
        "total": one.size,
        "worst_abs": float(distance.max()),
        "worst_rel": float(relative.max(initial=0.0, where=distance > 0)),
        "index": index,
        "expected": repr(reference[index].item()),
        "actual": repr(value[index].item()),
        "rtol": tolerance.rtol,
        "needed": float(ratio.max()),
    }
    if not beyond.any():
        return Comparison(stage, item, Status.EQUAL, "tolerance", **facts)
    message = (
        f"{item}: {facts['mismatched']} of {one.size} values differ, by {facts['worst_abs']:.3g} at most; at {list(index)} "
        f"{value[index].item():.9g}, in the original {reference[index].item():.9g}"
    )
    return differs(stage, item, "values", message, **facts)


def _rms(array: npt.NDArray[Any]) -> float:
    finite = np.abs(
        array[np.isfinite(array)].astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    )
    return float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0


def _printed(expected: Stage, actual: Stage) -> Iterator[Comparison]:
    if expected.failure or actual.failure or not (expected.printed or actual.printed):
        return
    words = [_NUMBER.sub("#", text) for text in (expected.printed, actual.printed)]
    numbers = [[float(n) for n in _NUMBER.findall(text)] for text in (expected.printed, actual.printed)]
    close = len(numbers[0]) == len(numbers[1]) and np.allclose(
        numbers[0], numbers[1], rtol=1e-4, atol=1e-6, equal_nan=True
    )
    if words[0].split() == words[1].split() and close:
        yield Comparison(actual.name, "printed output", Status.EQUAL, "text")
        return
    texts = [text if len(text) < 200 else text[:200] + "..." for text in (expected.printed, actual.printed)]
    message = f"it prints {texts[1]!r}, the original {texts[0]!r}"
    yield differs(actual.name, "printed output", "text", message, expected=texts[0], actual=texts[1])
