"""What the tests of several codemods share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Reported = Callable[..., Any]


@pytest.fixture
def reported() -> Reported:
    """Runs a script of the tests' on a folder, in a process of its own; what it prints last, as JSON."""

    def run(script: Path, folder: Path, **environment: str) -> Any:
        done = subprocess.run(
            [sys.executable, str(script), str(folder)],
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            timeout=900,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout.splitlines()[-1])

    return run
