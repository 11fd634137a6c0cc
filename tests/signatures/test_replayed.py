"""What the codemod writes gives what the original gives, eagerly and as a graph, and is traced less often."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TESTDATA = Path(__file__).parents[2] / "testdata" / "input_signatures"
TRACES = {
    "checked_numbers": {"dead_zone": 1},
    "dtypes_cast": {"norm": 1},
    "made_per_call": {"distance": 1, "squared": 1, "step": 1, "weighted_step": 1},
    "example_calls": {"both": 1, "dense": 1, "flat": 1, "score": 1},
    "hot_path": {"applied": 1, "scored": 1, "shifted": 1, "summed": 1},
    "made_in_loop": {"double": 1, "square": 1, "weighted": 1},
    "shared_specs": dict.fromkeys(
        [*("decayed", "distance", "first", "last", "policy", "rates", "test_step", "train_step", "values")], 1
    ),
    "shapes_relaxed": {"pooled": 4, "scaled": 2},
    "sizes_asked": {"critic": 1, "places": 1},
    "python_containers": {"act": 1, "mean_of": 1},
    "sizes_inside": {"last": 1, "mean": 1},
    "sizes_relaxed": {"centered": 2, "encoded": 2},
    "switches": {"call__": 4, "loss_fn": 2},
}
"""Two for each value that Python decides by, where shapes are relaxed."""


@pytest.mark.tf
@pytest.mark.parametrize("legacy", ["0", "1"], ids=["keras3", "tf_keras"])
def test_equal_and_traced_less(reported: Callable[..., Any], legacy: str) -> None:
    report = reported(Path(__file__).with_name("replay_signatures.py"), TESTDATA, TF_USE_LEGACY_KERAS=legacy)
    assert {name for name, found in report.items() if found["same"] != [True, True, True]} == set()
    for name, found in report.items():
        before, after = found["before"], found["after"]
        assert before.keys() == after.keys() or name == "made_per_call"
        assert all(count < before[one] for one, count in after.items() if one in before), name
    assert {name: report[name]["after"] for name in TRACES} == TRACES
    numbers = report["python_numbers"]["after"]
    assert (numbers["faded"], numbers["scaled"]) == (1, 1)
    assert numbers["train_step"] <= 3  # The optimizer's variables, and the last call with a number.


@pytest.mark.tf
def test_what_a_signature_takes_and_refuses_and_what_is_exported(reported: Callable[..., Any]) -> None:
    report = reported(Path(__file__).with_name("run_contract.py"), TESTDATA)
    assert report["signature"] == {
        "another batch": [5, 192],
        "float64 tensor": "TypeError",
        "integers": "TypeError",
        "rank": "TypeError",
        "another size": "TypeError",
        "NumPy's float64": [2, 192],
        "traces": 1,
    }
    assert report["relaxed"] == {"int32": [2, 2, 2], "int64": [2, 2, 2], "rank": "ValueError"}
    assert report["exported before"] == report["exported after"] == [[2], [5], [8]]
