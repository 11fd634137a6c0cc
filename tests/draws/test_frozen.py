"""What the codemod is for: in a graph the original's draws are frozen, the rewritten ones vary, and a seed repeats them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TESTDATA = Path(__file__).parents[2] / "testdata" / "random_to_tf"

RAISES = ["expression_uses.in"]
"""tf.cond takes no Python bool inside a graph."""
KEEPS_STATE = ["compat_alias.out"]
"""A seeded generator goes on where it was."""


@pytest.mark.tf
@pytest.mark.parametrize("legacy", ["0", "1"], ids=["keras3", "tf_keras"])
def test_frozen_before_and_varying_after(reported: Callable[..., Any], legacy: str) -> None:
    found = reported(Path(__file__).with_name("run_testdata.py"), TESTDATA, TF_USE_LEGACY_KERAS=legacy)
    assert [name for name, case in found.items() if case["error"]] == RAISES
    before = {name: case for name, case in found.items() if name.endswith(".in")}
    after = {name: case for name, case in found.items() if name.endswith(".out")}
    assert {name: case["graph"] for name, case in before.items()} == dict.fromkeys(before, 1)
    assert [name for name, case in after.items() if case["graph"] < 2 or case["eager"] < 2] == []
    assert [name for name, case in after.items() if not case["repeats"]] == KEEPS_STATE
