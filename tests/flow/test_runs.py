"""What the codemod writes runs: the original's outputs and gradients, eagerly, as a graph, with XLA, and in fit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TESTDATA = Path(__file__).parents[2] / "testdata" / "tensor_control_flow"


@pytest.mark.tf
@pytest.mark.parametrize("legacy", ["0", "1"], ids=["keras3", "tf_keras"])
def test_the_same_everywhere(reported: Callable[..., Any], legacy: str) -> None:
    script = Path(__file__).with_name("run_control_flow.py")
    assert reported(script, TESTDATA, TF_USE_LEGACY_KERAS=legacy) == {}


@pytest.mark.tf
@pytest.mark.parametrize("legacy", ["0", "1"], ids=["keras3", "tf_keras"])
def test_unknown_axes(reported: Callable[..., Any], legacy: str) -> None:
    script = Path(__file__).with_name("run_unknown_sizes.py")
    assert reported(script, TESTDATA.with_name("unknown_sizes"), TF_USE_LEGACY_KERAS=legacy) == {}


@pytest.mark.tf
def test_branches_that_agree(reported: Callable[..., Any]) -> None:
    assert reported(Path(__file__).with_name("run_agreement.py"), TESTDATA) == {}
