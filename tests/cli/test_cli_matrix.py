"""Everywhere a model runs, from the command line: several Keras flavours, precisions, and another Python."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli_samples import NET, Tfmigrate

WITH_DEFAULT = NET.replace("def __init__(self, units):", "def __init__(self, units=4):")
OURS = ("tfmigrate", "libcst", "typer", "click", "black", "pytest", "_pytest")
"""What an environment of the user's has not got."""


@pytest.mark.tf
def test_one_run_of_several_places(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(WITH_DEFAULT)
    chosen = ("--modes", "eager,fit,export", "--keras", "2,3", "--precision", "float32,float64")
    done = tfmigrate("verify", "net.py", *chosen, "--device", "all", "--format", "json")
    document = json.loads(done.out)["verification"]
    (symbol,) = document["symbols"]
    found = {(c["keras"], c["precision"], c["mode"]): c["status"] for c in symbol["cells"]}
    assert found == {
        (keras, precision, mode): "FIXED"
        for keras in ("2", "3")
        for precision in ("float32", "float64")
        for mode in ("eager", "fit", "export")
    }
    assert (done.code, document["keras"]) == (0, "3, 2") or document["keras"] == "2, 3"
    if not any(Path("/dev").glob("nvidia[0-9]*")):
        assert document["skipped"] == ["gpu: TensorFlow sees none here"]
        done = tfmigrate("verify", "net.py", "--device", "gpu")
        assert done.code == 4 and "gpu: TensorFlow sees none here; leave out --device" in done.err


def environment_without_tfmigrate(folder: Path) -> Path:
    """A virtual environment with the TensorFlow of this one, and nothing of ours."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    spec = importlib.util.find_spec("tensorflow")
    assert spec is not None and spec.origin is not None
    (site,) = (folder / "lib").glob("python*/site-packages")
    for package in Path(spec.origin).parent.parent.iterdir():
        if not package.name.lower().startswith(OURS) and not package.name.endswith(".pth"):
            (site / package.name).symlink_to(package)
    return folder


@pytest.mark.tf
def test_the_projects_own_environment(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    """The code under test runs there; tfmigrate itself is not installed in it."""
    environment = environment_without_tfmigrate(tmp_path.parent / f"{tmp_path.name}-environment")
    python = environment / "bin" / "python"
    missing = subprocess.run([python, "-c", "import tensorflow, libcst"], capture_output=True, text=True)
    assert "No module named 'libcst'" in missing.stderr
    check = f"import sys\nassert sys.prefix == {str(environment)!r}, sys.prefix\n"
    (tmp_path / "net.py").write_text(check + WITH_DEFAULT)
    for named in (environment, python):
        done = tfmigrate("verify", "net.py", "--modes", "eager", "--python", str(named), "--format", "json")
        assert done.out, done.err
        (symbol,) = json.loads(done.out)["verification"]["symbols"]
        assert (symbol["status"], done.code) == ("FIXED", 0), symbol
        assert "--python" in symbol["cases"][0]["verdicts"][0]["again"]
    done = tfmigrate("verify", "net.py", "--modes", "eager", "--format", "json")
    assert json.loads(done.out)["verification"]["symbols"][0]["status"] == "INCONCLUSIVE"


def test_an_interpreter_that_is_too_old_or_none(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(WITH_DEFAULT)
    old = tmp_path / "python3.8"
    old.write_text('#!/bin/sh\necho \'{"python": "3.8.1"}\'\n')
    old.chmod(0o755)
    done = tfmigrate("verify", "net.py", "--python", str(old))
    assert done.code == 2 and "is Python 3.8.1; runs need 3.10 or newer" in done.err
    old.write_text("#!/bin/sh\nexit 3\n")
    done = tfmigrate("verify", "net.py", "--python", str(old))
    assert done.code == 2 and "is no Python interpreter that can be run" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--shard", "0/3"), "--shard 0/3: write I/N"),
        (("--shard", "third"), "--shard third: write I/N"),
        (("--executor", "no_such_module:make"), "--executor no_such_module:make: ModuleNotFoundError"),
        (("--executor", "mine:number"), "--executor mine:number: it gives 3, which has no submit()"),
    ],
)
def test_shards_and_executors_that_are_none(
    tfmigrate: Tfmigrate, tmp_path: Path, arguments: tuple[str, str], message: str
) -> None:
    (tmp_path / "net.py").write_text(WITH_DEFAULT)
    (tmp_path / "mine.py").write_text("def number():\n    return 3\n")
    done = tfmigrate("verify", "net.py", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.tf
def test_an_executor_of_the_users_and_what_is_known(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(WITH_DEFAULT)
    (tmp_path / "mine.py").write_text(
        "from concurrent.futures import ThreadPoolExecutor\n\n\ndef make():\n"
        "    print('made', flush=True)\n    return ThreadPoolExecutor(1)\n"
    )
    chosen = ("verify", "net.py", "--modes", "eager")
    done = tfmigrate(*chosen, "--executor", "mine:make")
    assert done.code == 0 and done.out.startswith("made\n") and "net:Net  FIXED" in done.out
    again = tfmigrate(*chosen)
    assert "1 symbol verified with Keras 3 in 0 s (1 unchanged since an earlier run): 1 FIXED" in again.out
    assert "unchanged" not in tfmigrate(*chosen, "--no-cache", "--shard", "1/1").out
