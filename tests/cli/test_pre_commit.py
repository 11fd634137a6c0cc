"""`.pre-commit-hooks.yaml`, run by pre-commit itself.

Only the language is another one than there: pre-commit would install tfmigrate anew from a registry, and here the
installed one is to be tested.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from cli_samples import NET

TOP = Path(__file__).parent.parent.parent
MANIFEST = TOP / ".pre-commit-hooks.yaml"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(shop: Path, tmp_path: Path) -> Run:
    """Run a command in a git work tree whose pre-commit configuration has both hooks."""
    names = [str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))},
        "PATH": os.pathsep.join(names),
        "PRE_COMMIT_HOME": str(tmp_path.parent / f"{tmp_path.name}-pre-commit"),
        "TFMIGRATE_CACHE_DIR": str(tmp_path.parent / f"{tmp_path.name}-cache"),
    }

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    hooks = [{**hook, "language": "system"} for hook in yaml.safe_load(MANIFEST.read_text())]
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    assert run("git", "init", "-q").returncode == 0
    assert run("git", "add", ".").returncode == 0
    return run


def hook(run: Run, name: str) -> tuple[int, str]:
    done = run(sys.executable, "-m", "pre_commit", "run", name, "--all-files", "--color", "never")
    return done.returncode, done.stdout + done.stderr


def test_pre_commit_takes_the_manifest(run: Run) -> None:
    done = run(sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST))
    assert (done.returncode, done.stdout) == (0, "")
    assert [entry["id"] for entry in yaml.safe_load(MANIFEST.read_text())] == [
        "tfmigrate-check",
        "tfmigrate-apply",
    ]


def test_check_fails_while_something_would_change(run: Run, shop: Path) -> None:
    code, out = hook(run, "tfmigrate-check")
    assert code == 1
    assert "tfmigrate check" in out and "- exit code: 1" in out and "files were modified" not in out
    assert "+        self.dense = keras.layers.Dense(self.units)\n" in out
    assert (shop / "net.py").read_text() == NET
    (shop / "net.py").write_text(NET.replace("(x)\n", "(x)  # tfmigrate: skip[TFM101] on purpose\n"))
    code, out = hook(run, "tfmigrate-check")
    assert (code, "Passed" in out) == (0, True)


def test_apply_rewrites_and_then_passes(run: Run, shop: Path) -> None:
    code, out = hook(run, "tfmigrate-apply")
    assert code == 1
    assert "- files were modified by this hook" in out and "exit code" not in out
    assert "self.dense = keras.layers.Dense(self.units)" in (shop / "net.py").read_text()
    assert run("git", "add", ".").returncode == 0
    for name in ("tfmigrate-apply", "tfmigrate-check"):
        code, out = hook(run, name)
        assert (code, "Passed" in out) == (0, True)


def test_what_the_configuration_leaves_out_is_left_out(run: Run, shop: Path) -> None:
    """pre-commit names each file, which is otherwise always looked at."""
    (shop.parent / "pyproject.toml").write_text('[tool.tfmigrate]\nextend-exclude = ["shop/net.py"]\n')
    code, out = hook(run, "tfmigrate-check")
    assert (code, "Passed" in out) == (0, True)
