"""SIGKILL at any moment of ``apply``: each file is the old or the new one, and the journal gives all of it back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from journal_samples import AFTER, NET

from tfmigrate.journal.entries import State
from tfmigrate.journal.store import Journal

OLD = {f"{name}.py": NET.format(name.title()) for name in ("first", "linked", "second")}
NEW = {f"{name}.py": AFTER.format(name.title()) for name in ("first", "linked", "second")}
MANY = 40
LEFT = {"left.py": "import tensorflow as tf\n"}


def test_killed_at_every_touch_of_a_file(project: Path, tmp_path: Path, in_memory: Path) -> None:
    script = str(Path(__file__).parent / "kill_everywhere.py")
    command = [sys.executable, script, str(project), str(in_memory / "work")]
    environment = {**os.environ, "TFMIGRATE_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"touches"')]
    assert done.returncode == 0 and lines, done.stderr
    assert [line["status"] for line in lines] == [-signal.SIGKILL] * (len(lines) - 1) + [0]
    reached = set()
    for line in lines:
        there = {name: text for name, text in line["killed"].items() if not name.startswith(".")}
        assert there.keys() == {*OLD, *LEFT}, line["touches"]
        for name, text in OLD.items():
            assert there[name] in (text, NEW[name]), (line["touches"], name)
        number = sum(there[name] == NEW[name] for name in NEW)
        reached.add(number)
        if "again" in line:
            assert (line["again"], line["applied"]) == (0, {**NEW, **LEFT}), line["touches"]
        # Undone until there is nothing left to undo: all is as before, and no temporary file is left.
        assert line["undone"][-1] == 2 and set(line["undone"][:-1]) <= {0}, line["touches"]
        if number or "again" in line:
            assert line["undone"][0] == 0, line["touches"]
            assert line["back"] == {**OLD, **LEFT}, line["touches"]
    assert reached == {0, 1, 2, 3}
    assert len(lines) > 60


@pytest.mark.parametrize("number", [0, 1, 7, 20, 36])
def test_killed_among_many_files(tmp_path: Path, number: int) -> None:
    """The whole program as a user starts it, killed as soon as somebody sees that so many files are new."""
    (tmp_path / "pyproject.toml").touch()
    for n in range(MANY):
        (tmp_path / f"net{n}.py").write_text(NET.format(n))
    environment = {**os.environ, "TFMIGRATE_CACHE_DIR": str(tmp_path.parent / "cache")}
    process = subprocess.Popen(tfmigrate("apply", "."), cwd=tmp_path, env=environment)
    while process.poll() is None and (
        written(tmp_path) < number or not (tmp_path / ".tfmigrate" / "journal" / "000001").exists()
    ):
        pass
    process.kill()
    process.wait()
    new, journal = written(tmp_path), Journal(tmp_path)
    assert new >= number
    states = [journal.state(entry, kept) for entry in journal.entries() for kept in entry.files]
    assert states.count(State.APPLIED) == new
    assert set(states) <= {State.APPLIED, State.BACK}
    code = subprocess.run(tfmigrate("undo"), cwd=tmp_path, env=environment, check=False).returncode
    assert code == 0 or new == 0
    assert written(tmp_path) == 0
    assert {path.name for path in tmp_path.iterdir() if path.suffix != ".py"} == {
        ".tfmigrate",
        "pyproject.toml",
    }


def tfmigrate(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tfmigrate", *arguments, "-qq"]


def written(folder: Path) -> int:
    """How many files are new; all others are old."""
    new = 0
    for number in range(MANY):
        text = (folder / f"net{number}.py").read_text()
        assert text in (NET.format(number), AFTER.format(number))
        new += text == AFTER.format(number)
    return new
