"""``tfmigrate record``: the program runs as it would without, in a process that shows no trace of the command line.

None of these programs imports TensorFlow; that what they use is kept is the business of test_recording.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SHOWS = """
import json, sys
print(json.dumps([sys.argv, sys.path[0], __name__, "tensorflow" in sys.modules, "typer" in sys.modules]))
"""


def record(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``tfmigrate record ARGUMENTS`` in ``folder``."""
    return python(folder, "-m", "tfmigrate", "record", *arguments)


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    top = str(Path(__file__).parent.parent.parent)
    environment = {**os.environ, "PYTHONPATH": top}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )


def test_a_script_sees_what_python_shows_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "show.py").write_text(SHOWS)
    plain = python(tmp_path, "sub/show.py", "-o", "x", "--samples")
    recorded = record(tmp_path, "sub/show.py", "-o", "x", "--samples")
    assert recorded.stdout == plain.stdout
    assert json.loads(recorded.stdout)[0] == ["sub/show.py", "-o", "x", "--samples"]
    assert json.loads(recorded.stdout)[3:] == [False, False]


def test_a_module_sees_what_python_shows_it(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    (tmp_path / "pkg" / "__main__.py").write_text(SHOWS)
    plain = python(tmp_path, "-m", "pkg", "-q")
    recorded = record(tmp_path, "-m", "pkg", "-q")
    assert recorded.stdout == plain.stdout
    assert recorded.returncode == 0


@pytest.mark.parametrize(
    "ending", ["sys.exit(7)", "sys.exit('no data')", "sys.exit()", "raise KeyError('k')", "import os.nothing"]
)
def test_a_program_ends_as_without(tmp_path: Path, ending: str) -> None:
    (tmp_path / "end.py").write_text(f"import sys\ndef main():\n    {ending}\nmain()\n")
    plain = python(tmp_path, "end.py")
    recorded = record(tmp_path, "end.py")
    assert recorded.returncode == plain.returncode
    said = recorded.stderr.partition("tfmigrate: ")[0].splitlines()
    # Python prints the script's path as given, runpy as an absolute one or as given.
    assert [line.strip() for line in said] == [
        line.strip().replace(f'"{tmp_path}{os.sep}', '"') for line in plain.stderr.splitlines()
    ]


def test_exit_handlers_and_threads_come_first(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(
        "import atexit, sys, threading, time\n"
        "atexit.register(lambda: print('handler', file=sys.stderr))\n"
        "threading.Thread(target=lambda: (time.sleep(0.2), print('thread', file=sys.stderr))).start()\n"
    )
    said = record(tmp_path, "late.py").stderr
    assert said.index("thread") < said.index("handler") < said.index("tfmigrate: nothing to record")


def test_nothing_seen_says_where_it_looked_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "pass.py").write_text("pass\n")
    recorded = record(tmp_path, "pass.py")
    assert f"or tf.function below {os.path.realpath(tmp_path)} was used" in recorded.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pass.py"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("absent.py",), "no such file: absent.py"),
        (("pytest",), "no such file: pytest; for a module, write `tfmigrate record -m pytest`"),
        (("-o", "none/r.json", "pass.py"), "--output none/r.json: the folder none does not exist"),
        (("--source", "none", "pass.py"), "--source none: no such folder"),
        (("-a", "-o", "broken.json", "pass.py"), "broken.json: is not JSON"),
    ],
)
def test_what_cannot_be_is_said_before_the_program_runs(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "pass.py").write_text("print('it ran')\n")
    (tmp_path / "broken.json").write_text("{")
    recorded = record(tmp_path, *arguments)
    assert recorded.returncode == 2
    assert message in recorded.stderr
    assert recorded.stdout == ""


def test_help_needs_no_tensorflow(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom tfmigrate.__main__ import main\nmain(['record', '--help'])\n"
        "assert 'tensorflow' not in sys.modules and 'tfmigrate.record.session' not in sys.modules"
    )
    shown = python(tmp_path, "-c", code)
    assert shown.returncode == 0, shown.stderr
    assert "PROGRAM [ARGS]..." in shown.stdout
