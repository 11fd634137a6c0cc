"""mypy --strict, ruff and black are clean."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "command",
    [("mypy", "--strict"), ("ruff", "check", "."), ("black", "--check", ".")],
    ids=["mypy", "ruff", "black"],
)
def test_clean(command: tuple[str, ...], tmp_path: Path) -> None:
    cache = ("--cache-dir", str(tmp_path)) if command[0] != "black" else ()
    done = subprocess.run([sys.executable, "-m", *command, *cache], cwd=TOP, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
