"""Comparing arrays and nesting: no TensorFlow, no processes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tfmigrate.claim import Claim
from tfmigrate.verify.compare import Comparison, Status, compare, head, values
from tfmigrate.verify.model import ArmResult, Finished, Killed, Mode, TimedOut, Version
from tfmigrate.verify.observe import Failure, Leaf, Observation, Stage, VariableFact
from tfmigrate.verify.verdict import VerdictStatus, judge


def leaf(items: Any, dtype: str = "float32") -> Leaf:
    return Leaf(dtype, np.array(items, dtype))


def both(one: Any, two: Any, dtype: str = "float32", factor: float = 1.0) -> Comparison:
    return values("call 1", "output 0", leaf(one, dtype), leaf(two, dtype), factor)


def test_equal_to_the_bit() -> None:
    assert (both([1, math.nan], [1, math.nan]).status, both([1], [1]).how) == (Status.EQUAL, "bitwise")


def test_within_the_tolerance() -> None:
    result = both([1.0, 2.0], [1.0, 2.00001])
    assert (result.status, result.how, result.index) == (Status.EQUAL, "tolerance", (1,))
    assert 0 < result.needed < 1


def test_beyond_the_tolerance() -> None:
    result = both([[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.5]])
    assert (result.status, result.index, result.mismatched, result.total) == (Status.DIFFERENT, (1, 1), 1, 4)
    assert (result.expected, result.actual, result.worst_abs) == ("4.0", "4.5", 0.5)
    assert both([4.0], [4.5], factor=result.needed * 1.01).status is Status.EQUAL


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ([math.nan], [1.0]),
        ([1.0], [math.nan]),
        ([math.inf], [1e38]),
        ([math.inf], [-math.inf]),
        ([0.0], [1e-30]),
    ],
)
def test_special_values_must_pair(one: list[float], two: list[float]) -> None:
    assert both(one, two).status is Status.DIFFERENT


def test_zero_of_either_sign_is_equal() -> None:
    assert both([0.0, 1.0], [-0.0, 1.0]).status is Status.EQUAL


@pytest.mark.parametrize(
    ("dtype", "one", "two"),
    [("int64", [2**53], [2**53 + 1]), ("bool", [True], [False]), ("str", ["a"], ["b"])],
)
def test_exact_types(dtype: str, one: list[Any], two: list[Any]) -> None:
    assert both(one, two, dtype).status is Status.DIFFERENT
    assert both(one, list(one), dtype).status is Status.EQUAL


def test_type_and_shape_come_first() -> None:
    assert values("s", "i", leaf([1.0]), leaf([1.0], "float64")).how == "dtype"
    assert values("s", "i", leaf([1.0]), leaf([[1.0]])).how == "shape"


def test_rounding_of_cancelled_sums() -> None:
    """The gradient of a bias before a batch normalisation is 0, give or take the rounding of its terms."""
    one, two = leaf([0.0, 1e-9]), leaf([3e-7, 0.0])
    assert values("s", "i", one, two, 10.0).status is Status.DIFFERENT
    assert values("s", "i", one, two, 10.0, scale=1.0).status is Status.EQUAL


def stage(structure: Any, *leaves: Leaf, name: str = "call 1", **more: Any) -> Stage:
    return Stage(name, False, None, structure, leaves, **more)


def observed(
    *stages: Stage, mode: Mode = Mode.EAGER, version: Version = Version.BEFORE, **more: Any
) -> Observation:
    return Observation(
        version, mode, "3", "CPU", 0, stages, more.pop("variables", ()), True, frozenset(), **more
    )


def messages(one: Stage, two: Stage, claim: Claim = Claim()) -> list[str]:  # noqa: B008
    results = compare(observed(one), observed(two), claim)
    return [item.message for item in results if item.status is Status.DIFFERENT]


X = leaf([1.0, 2.0])


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        (["leaf", 0], ["list", ["leaf", 0]], "output is list of 1, in the original a tensor"),
        (["list", ["leaf", 0]], ["tuple", ["leaf", 0]], "output is tuple of 1, in the original list of 1"),
        (["value", None], ["value", 3], "output is 3, in the original None"),
        (
            ["dict", {"a": ["leaf", 0]}],
            ["dict", {"b": ["leaf", 0]}],
            "output[0] has the keys ['b'], in the original ['a']",
        ),
        (["masked", ["leaf", 0], ["leaf", 1]], ["leaf", 0], "output is a tensor, in the original masked"),
    ],
)
def test_nesting(one: Any, two: Any, message: str) -> None:
    assert messages(stage(one, X, X), stage(two, X, X)) == [message]


def test_gradient_that_does_not_arrive() -> None:
    one = stage(["leaf", 0], X, gradients={"w": X, "v": None})
    two = stage(["leaf", 0], X, gradients={"w": None, "v": None})
    assert messages(one, two) == ["no gradient reaches w; in the original one does"]


def test_a_graph_gives_zeros_to_the_way_not_taken() -> None:
    claim = Claim(decides_in_graph=True)
    one = stage(["leaf", 0], X, gradients={"w": X, "v": None})
    assert messages(one, stage(["leaf", 0], X, gradients={"w": X, "v": leaf([0.0, 0.0])}), claim) == []
    assert len(messages(one, stage(["leaf", 0], X, gradients={"w": X, "v": leaf([0.0, 0.1])}), claim)) == 1
    assert len(messages(one, stage(["leaf", 0], X, gradients={"w": None, "v": None}), claim)) == 1
    assert len(messages(one, stage(["leaf", 0], X, gradients={"w": X, "v": leaf([0.0, 0.0])}))) == 1


def test_a_graph_checks_with_an_exception_of_its_own() -> None:
    claim = Claim(decides_in_graph=True)
    one = Stage("call 1", False, Failure("ValueError", "negative input"))
    two = Stage(
        "call 1", False, Failure("InvalidArgumentError", "negative input\nCondition x == y did not hold.")
    )
    other = Stage("call 1", False, Failure("InvalidArgumentError", "indices out of range"))
    assert messages(one, two, claim) == []
    assert len(messages(one, other, claim)) == 1
    assert len(messages(one, two)) == 1
    assert len(messages(one, stage(["leaf", 0], X), claim)) == 1


def test_printed_numbers_are_numbers() -> None:
    one = stage(["leaf", 0], X, name="call 2", printed="loss: 0.33333334 after 1e3\n")
    two = stage(["leaf", 0], X, name="call 2", printed="loss:  0.3333333 after 1000.0\n")
    assert messages(one, two) == []
    three = stage(["leaf", 0], X, name="call 2", printed="loss: 0.34 after 1e3\n")
    assert len(messages(one, three)) == 1
    assert messages(one, three, Claim(stdout=False)) == []


def test_exceptions() -> None:
    def failing(kind: str, text: str) -> Stage:
        return Stage("call 1", False, Failure(kind, text))

    one = failing(
        "ValueError", "Exception encountered when calling Net.call().\n\nbad shape\n\nArguments received"
    )
    assert messages(one, failing("ValueError", "bad shape")) == []
    assert len(messages(one, failing("TypeError", "bad shape"))) == 1
    assert len(messages(one, stage(["leaf", 0], X), Claim(may_fix_eager=True))) == 1
    locked = failing("ValueError", "You cannot add new elements of state (variables or sub-layers)")
    assert messages(locked, stage(["leaf", 0], X), Claim(may_fix_eager=True)) == []


def test_head_of_nested_messages() -> None:
    text = 'in user code:\n\n    File "<path>", line 7, in call  *\n        return f(x)\n    ValueError: it is bad.\n'
    assert head(text) == "it is bad."


def fact(key: str, tracked: bool = True) -> VariableFact:
    return VariableFact(key, (2,), "float32", True, tracked, "Zeros", 0)


def test_variables_pair_up() -> None:
    good = stage(["leaf", 0], X)
    before = observed(good, variables=(fact("a"), fact("b", tracked=False)))
    after = observed(good, variables=(fact("a"), fact("b")))
    results = [c.message for c in compare(before, after, Claim()) if c.status is Status.DIFFERENT]
    assert results == ["b is tracked, in the original it is not"]
    assert all(c.status is Status.EQUAL for c in compare(before, after, Claim(may_track_more=True)))
    extra = observed(good, variables=(fact("a"), fact("b"), fact("c")))
    assert any(c.how == "extra" for c in compare(before, extra, Claim(may_track_more=True)))
    fewer = observed(good, variables=(fact("a"),))
    assert any(c.how == "missing" for c in compare(before, fewer, Claim(may_track_more=True)))


def result(version: Version, mode: Mode, observation: Observation | None, outcome: Any = None) -> ArmResult:
    return ArmResult(version, mode, "CPU", observation, outcome or Finished(None, 0.0, "", ""))


def verdict(before: ArmResult, after: ArmResult) -> tuple[VerdictStatus, str]:
    (found,) = judge(Claim(), {before.mode: before}, {after.mode: after})
    return found.status, found.reason


def test_processes_that_end_badly() -> None:
    seen = result(Version.BEFORE, Mode.EAGER, observed(stage(["leaf", 0], X)))
    dead = result(Version.AFTER, Mode.EAGER, None, Killed("SIGSEGV", 1.0, "", ""))
    slow = result(Version.AFTER, Mode.EAGER, None, TimedOut(5, 6.0, "", ""))
    assert verdict(seen, dead)[0] is VerdictStatus.DIFFERENT and "SIGSEGV" in verdict(seen, dead)[1]
    assert verdict(seen, slow) == (VerdictStatus.INCONCLUSIVE, "the rewritten code was stopped after 5 s")
    assert verdict(result(Version.BEFORE, Mode.EAGER, None, Killed("SIGSEGV", 1.0, "", "")), dead)[0] is (
        VerdictStatus.INCONCLUSIVE
    )


def test_nothing_compared_is_inconclusive() -> None:
    empty = stage(["value", None])
    before, after = (result(v, Mode.EAGER, observed(empty)) for v in Version)
    assert verdict(before, after) == (VerdictStatus.INCONCLUSIVE, "no value was compared")


def test_constant_output_is_inconclusive() -> None:
    flat = stage(["leaf", 0], leaf([1.0, 1.0]))
    before, after = (result(v, Mode.EAGER, observed(flat)) for v in Version)
    assert verdict(before, after)[0] is VerdictStatus.INCONCLUSIVE
    varied = stage(["leaf", 0], X)
    before, after = (result(v, Mode.EAGER, observed(varied)) for v in Version)
    assert verdict(before, after)[0] is VerdictStatus.SAME
