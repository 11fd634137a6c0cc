"""The road that the README shows: record, diff --verify, apply, verify, on testdata/quickstart, command by command."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def commands() -> list[str]:
    """The block of the README that begins with going into the quickstart, without that line."""
    found = re.search(r"^    cd testdata/quickstart\n((?:    .+\n)+)", (ROOT / "README.md").read_text(), re.M)
    assert found is not None
    return [line.strip() for line in found[1].splitlines()]


@pytest.mark.tf
def test_as_the_readme_spells_it(tmp_path: Path) -> None:
    folder = tmp_path / "quickstart"
    shutil.copytree(ROOT / "testdata" / "quickstart", folder, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "TFMIGRATE_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = {
        command: subprocess.run(
            command.split(), cwd=folder, capture_output=True, text=True, timeout=900, env=environment
        )
        for command in commands()
    }
    assert list(done) == [
        *(
            "tfmigrate record train.py",
            "tfmigrate diff --verify .",
            "tfmigrate apply .",
            "tfmigrate verify",
        ),
    ]
    record, diff, apply, verify = done.values()
    assert record.returncode == 0, record.stderr[-2000:]
    assert record.stdout.count("loss: ") == 5
    assert diff.returncode == 1, diff.stderr[-2000:]
    assert "+        tf.TensorSpec([None, 1], tf.float32),\n" in diff.stdout
    assert "7 symbols verified with Keras 3" in diff.stderr
    assert apply.returncode == 0, apply.stderr[-2000:]
    assert verify.returncode == 0, verify.stdout[-2000:] + verify.stderr[-2000:]
    for told in (diff.stderr, verify.stdout):
        assert "shop.losses:log_loss (shop/losses.py): SAME" in told
        assert "DIFFERENT" not in told
    assert "traced once by these calls, before 4 times" in diff.stderr
