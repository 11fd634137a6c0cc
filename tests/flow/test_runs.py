"""What the codemod writes runs: the original's outputs and gradients, eagerly, as a graph, with XLA, and in fit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTDATA = Path(__file__).parents[2] / "testdata" / "tensor_control_flow"


@pytest.mark.tf
@pytest.mark.parametrize("legacy", ["0", "1"], ids=["keras3", "tf_keras"])
def test_the_same_everywhere(legacy: str) -> None:
    worker = Path(__file__).with_name("run_control_flow.py")
    done = subprocess.run(
        [sys.executable, str(worker), str(TESTDATA)],
        capture_output=True,
        text=True,
        env={**os.environ, "TF_USE_LEGACY_KERAS": legacy},
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {}
