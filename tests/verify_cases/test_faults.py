"""Models that misbehave: each gets its verdict, none stops the run, none leaks into the next, none writes where it likes."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_verify_session import index_of

from tfmigrate.registry import codemods
from tfmigrate.verify.model import Mode, Settings
from tfmigrate.verify.report import Report, SymbolReport
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.session import Request, verify_trees
from tfmigrate.verify.trees import changed_between
from tfmigrate.verify.verdict import VerdictStatus

SAME, FIXED, DIFFERENT, INERT, INCONCLUSIVE = VerdictStatus
MODES = (Mode.EAGER, Mode.GRAPH, Mode.XLA)

HEAD = "import os\nimport sys\n\nimport numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\n"
NET = """\
{head}{top}

class Net(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(3)
        {made}

    def call(self, x):
        {called}
        return self.dense(x) * CHANGED
"""


@dataclass(frozen=True)
class Fault:
    """One model, and what is to be said of it."""

    status: VerdictStatus
    says: str
    """In its evidence."""
    top: str = ""
    made: str = "pass"
    called: str = "pass"


FAULTS = {
    "hangs": Fault(INCONCLUSIVE, "was stopped after 12 s", called="while True: pass"),
    "hogs": Fault(INCONCLUSIVE, "ran out of memory (limit 1024 MiB)", called="np.ones(1 << 34)"),
    "segfaults": Fault(
        INCONCLUSIVE,
        "ended the process without a result (SIGSEGV)",
        called="__import__('ctypes').string_at(0)",
    ),
    "aborts": Fault(
        DIFFERENT,
        "ended the process without a result (SIGABRT); the original does not",
        called="tf.inside_function() and CHANGED == 2.0 * 1 and NEW and os.abort()",
        top="NEW = False\n",
    ),
    "leaves": Fault(INCONCLUSIVE, "ended the process without a result (exit 3)", called="os._exit(3)"),
    "exits": Fault(INCONCLUSIVE, "the original raises SystemExit eagerly", called="sys.exit(3)"),
    "prints": Fault(SAME, "", called="sys.stdout.write('x' * 4_000_000)"),
    "writes": Fault(
        SAME,
        "it writes files, which went to a scratch folder: $TMPDIR/c.txt, logs/a.txt, ~/b.txt",
        made="self.write()",
        top=(
            "import pathlib\nimport tempfile\n\n\nclass Writes:\n    def write(self):\n"
            "        os.makedirs('logs', exist_ok=True)\n        open('logs/a.txt', 'w').close()\n"
            "        (pathlib.Path.home() / 'b.txt').write_text('b')\n"
            "        pathlib.Path(tempfile.gettempdir(), 'c.txt').write_text('c')\n"
        ),
    ),
    "intrudes": Fault(INCONCLUSIVE, "PermissionError", called="open(r'{outside}/new.txt', 'w')"),
    "spoils": Fault(INCONCLUSIVE, "PermissionError", called="open(r'{outside}/there.txt', 'a')"),
    "removes": Fault(INCONCLUSIVE, "PermissionError", called="os.remove(r'{outside}/there.txt')"),
    "wanders": Fault(INCONCLUSIVE, "PermissionError", called="os.chdir(r'{outside}'); open('new.txt', 'w')"),
    "exports": Fault(
        INCONCLUSIVE,
        "PermissionDeniedError",
        called="tf.io.write_file(r'{outside}/new.txt', 'x') if tf.executing_eagerly() else None",
    ),
    "delegates": Fault(
        SAME, "", called="__import__('subprocess').run(['touch', r'{outside}/new.txt'], capture_output=True)"
    ),
    "reads": Fault(INCONCLUSIVE, "the original raises EOFError eagerly", called="input()"),
    "spawns": Fault(
        SAME,
        "",
        top="import threading\nimport time\n",
        called="threading.Thread(target=lambda: time.sleep(1000)).start()",
    ),
    "asks": Fault(
        INCONCLUSIVE,
        "calls sys.exit(2) when it is imported",
        top="import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('data')\nparser.parse_args()\n",
    ),
    "takes": Fault(
        SAME,
        "",
        top="import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--n')\nparser.parse_args()\n",
    ),
    "calls_home": Fault(
        INCONCLUSIVE,
        "ConnectionRefusedError",
        top="import socket\n",
        made="socket.create_connection(('127.0.0.1', 9), 2)",
    ),
    "a_policy": Fault(SAME, "", top="keras.mixed_precision.set_global_policy('mixed_float16')\n"),
    "b_floatx": Fault(SAME, "", top="keras.backend.set_floatx('float64')\n"),
    "c_eagerly": Fault(SAME, "", top="tf.config.run_functions_eagerly(True)\n"),
    "d_seeds": Fault(SAME, "", top="tf.random.set_seed(3)\nnp.random.seed(3)\nos.environ['TF_X'] = '1'\n"),
    "e_graphs": Fault(
        INCONCLUSIVE, "switches eager execution off", top="tf.compat.v1.disable_eager_execution()\n"
    ),
    "z_healthy": Fault(
        SAME,
        "",
        top=(
            "assert keras.mixed_precision.global_policy().name == 'float32'\n"
            "assert keras.backend.floatx() == 'float32' and tf.executing_eagerly()\n"
            "assert 'TF_X' not in os.environ and os.listdir('.') == []\n"
        ),
    ),
}


def write(folder: Path, outside: Path, after: bool) -> None:
    folder.mkdir()
    (folder / "__init__.py").touch()
    cases = "import tensorflow as tf\nimport tfmigrate\n"
    for name, fault in FAULTS.items():
        text = NET.format(head=HEAD, top=fault.top, made=fault.made, called=fault.called)
        text = text.replace("{outside}", str(outside)).replace("CHANGED", "(1.0 + 1.0)" if after else "2.0")
        if "class Writes" in fault.top:
            text = text.replace("class Net(keras.layers.Layer)", "class Net(Writes, keras.layers.Layer)")
        text = text.replace("NEW = False", f"NEW = {after}").replace("(1.0 + 1.0) == 2.0 * 1", "True")
        (folder / f"{name}.py").write_text(text)
        cases += textwrap.dedent(f"""
            @tfmigrate.case("zoo.{name}:Net")
            def {name}(module):
                return module.Net(), [tf.reshape(tf.range(n * 4.0), [n, 4]) / 7.0 for n in (2, 3, 2)]
        """)
    (folder / "tfmigrate_cases.py").write_text(cases)


def contents(folder: Path) -> dict[str, bytes]:
    return {os.path.relpath(path, folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside")
    (folder / "there.txt").write_text("as it was")
    return folder


@pytest.fixture(scope="module")
def report(keras3: Zygote, outside: Path, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """All of them in one run, one after the other, with one process that they are forked from."""
    top = tmp_path_factory.mktemp("faults")
    for folder, after in (("old", False), ("new", True)):
        (top / folder).mkdir()
        write(top / folder / "zoo", outside, after)
    before, home = contents(top), sorted(os.listdir(Path.home()))
    settings = Settings("3", MODES, timeout_s=12, memory_mb=1024)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(top)
        changed = changed_between(top / "old", top / "new")
        request = Request(settings, command=("tfmigrate", "verify"))
        found = verify_trees(
            changed, [top / "new"], index_of(top / "new"), codemods(), request, None, [(keras3, settings)]
        )
    assert contents(top) == before
    assert sorted(os.listdir(Path.home())) == home
    assert contents(outside) == {"there.txt": b"as it was"}
    return found


@pytest.mark.tf
@pytest.mark.parametrize("name", FAULTS)
def test_the_verdict_on(name: str, report: Report) -> None:
    found = {symbol.symbol: symbol for symbol in report.symbols}[f"zoo.{name}:Net"]
    assert found.status is FAULTS[name].status, said(found)
    assert FAULTS[name].says in said(found)


def said(symbol: SymbolReport) -> str:
    verdicts = [verdict for case in symbol.cases for verdict in case.verdicts]
    lines = [symbol.reason, *(line for v in verdicts for line in (v.status.value, v.reason, *v.evidence))]
    return "\n".join(lines)


WATCHED = """
import sys
from pathlib import Path
from tfmigrate.verify.worker import confine

outside = Path(sys.argv[1])
there = outside / "there.txt"
assert confine.METHOD(Path(".").resolve()) in (None, "kernel")
attempts = {
    "write": lambda: (outside / "new.txt").write_text("x"),
    "append": lambda: there.open("a"),
    "remove": there.unlink,
    "rename": lambda: there.rename(outside / "new.txt"),
    "mkdir": (outside / "new").mkdir,
    "link": lambda: (outside / "new").symlink_to(there),
    "read": there.read_text,
    "inside": lambda: Path("mine.txt").write_text("x"),
}
for name, attempt in attempts.items():
    try:
        print(name, attempt())
    except PermissionError as error:
        print(name, "refused")
"""


@pytest.mark.parametrize("method", ["by_python", "confine"])
def test_the_kernel_keeps_files_and_python_where_it_cannot(
    method: str, outside: Path, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WATCHED.replace("METHOD", method), str(outside)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    if method == "confine" and "AssertionError" in done.stderr:
        pytest.skip("no Landlock in this kernel")
    refused = [f"{name} refused" for name in ("write", "append", "remove", "rename", "mkdir", "link")]
    assert done.stdout.splitlines() == [*refused, "read as it was", "inside 1"], done.stderr
    assert contents(outside) == {"there.txt": b"as it was"}
