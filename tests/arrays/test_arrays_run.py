"""The original fails or is wrong as a graph; the rewritten code gives in each mode what the original gives eagerly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TESTDATA = Path(__file__).parents[2] / "testdata" / "list_to_tensorarray"
NOT_CALLED = {"keras_loops"}
"""Run with the other loops of Keras code, in tests/flow."""


@pytest.mark.tf
def test_right_in_every_mode(reported: Callable[..., Any]) -> None:
    found = reported(Path(__file__).with_name("run_arrays.py"), TESTDATA, CUDA_VISIBLE_DEVICES="")
    files = {path.name.split(".")[0] for path in TESTDATA.glob("*.in.py")}
    assert {name.split(".")[0] for name in found} == files - NOT_CALLED
    assert [name for name, told in found.items() if not told["original"]] == []
    wrong = {
        name: {mode: why for mode, why in told.items() if why and mode != "original"}
        for name, told in found.items()
    }
    assert {name: why for name, why in wrong.items() if why} == {}
    assert sum("xla" in told for told in found.values()) > 15
