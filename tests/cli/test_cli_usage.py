"""Options, exit codes, colours, and how the command line ends when something goes wrong."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli_samples import NET, Tfmigrate


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("diff", "nowhere.py"), "error: no such file or folder: nowhere.py"),
        (("diff", "-", "shop"), "error: `-` (standard input) cannot be mixed with other paths"),
        (
            ("diff", "shop", "--select", "TFM1O1"),
            "error: unknown code or name 'TFM1O1' (did you mean 'TFM101'?)",
        ),
        (
            ("diff", "shop", "--ignore", "layer-in-cal"),
            "error: unknown code or name 'layer-in-cal' (did you mean",
        ),
        (("diff", "shop", "--config", "none.toml"), "error: none.toml: cannot be read: No such file"),
        (("explain", "layer_to_init"), "error: unknown code or name 'layer_to_init' (did you mean 'layers"),
        (("diff", "shop", "--slect", "X"), "No such option: --slect"),
        (("difff", "shop"), "No such command 'difff'"),
        (("diff",), "Missing argument"),
        (("diff", "shop", "--target", "keras4"), "keras4"),
        (("diff", "shop", "--jobs", "-1"), "Invalid value for '--jobs'"),
    ],
)
def test_usage_errors_exit_2_and_say_what_to_write(
    tfmigrate: Tfmigrate, shop: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = tfmigrate(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_mistake_in_the_configuration_exits_2(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop.parent / "pyproject.toml").write_text('[tool.tfmigrate]\nselct = ["TFM101"]\n')
    done = tfmigrate("diff", "shop")
    assert done.code == 2
    assert "pyproject.toml: unknown key 'selct' in [tool.tfmigrate] (did you mean 'select'?)" in done.err
    assert tfmigrate("diff", "shop", "--isolated").code == 1


def test_selection_from_options_and_configuration(tfmigrate: Tfmigrate, shop: Path) -> None:
    assert tfmigrate("diff", "shop", "--ignore", "layer-in-call").code == 0
    assert tfmigrate("diff", "shop", "--select", "TFM103,TFM104", "--select", "TFM105").code == 0
    assert tfmigrate("diff", "shop", "--select", "layers_to_init").code == 1
    (shop.parent / "pyproject.toml").write_text('[tool.tfmigrate]\nignore = ["TFM1"]\n')
    assert tfmigrate("diff", "shop").code == 0
    (shop.parent / "pyproject.toml").write_text(
        '[tool.tfmigrate]\nper-file-ignores = {"shop/net.py" = ["ALL"]}\n'
    )
    done = tfmigrate("diff", "shop")
    assert done.code == 0 and "1 place refused" in done.err
    (shop.parent / "pyproject.toml").write_text('[tool.tfmigrate]\nextend-exclude = ["net.py"]\n')
    done = tfmigrate("diff", "shop", "-v")
    assert done.code == 0 and "3 files checked" in done.err
    assert f"configuration: {shop.parent / 'pyproject.toml'}" in done.err
    assert tfmigrate("diff", "shop/net.py").code == 1
    assert tfmigrate("diff", "shop/net.py", "--force-exclude").code == 0
    assert tfmigrate("diff", "shop", "--isolated", "--exclude", "net.py").code == 0


def test_quiet_and_silent(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop / "broken.py").write_text("import tensorflow\nx = = 1\n")
    shown = tfmigrate("diff", "shop")
    quiet = tfmigrate("diff", "shop", "-q")
    silent = tfmigrate("diff", "shop", "-qq")
    assert shown.out == quiet.out == silent.out != ""
    assert quiet.err == "shop/broken.py:2:5: error: invalid syntax\n"
    assert silent.err == ""
    assert shown.code == quiet.code == silent.code == 3


@pytest.mark.parametrize(
    ("options", "environment", "colours"),
    [
        ((), {}, False),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"CLICOLOR_FORCE": "1"}, True),
        ((), {"FORCE_COLOR": "0"}, False),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "", "TERM": "dumb"}, True),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colours(
    tfmigrate: Tfmigrate, shop: Path, options: tuple[str, ...], environment: dict[str, str], colours: bool
) -> None:
    done = tfmigrate("diff", "shop", *options, env=environment)
    assert ("\x1b[31m-" in done.out) is colours
    assert ("\x1b[1m" in done.err) is colours


@pytest.mark.parametrize(("term", "colours"), [("xterm", True), ("dumb", False)])
def test_colours_on_a_terminal(shop: Path, term: str, colours: bool) -> None:
    main, other = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "CI")}
    process = subprocess.Popen(
        [sys.executable, "-m", "tfmigrate", "diff", "shop", "--no-cache"],
        cwd=shop.parent,
        stdout=other,
        stderr=subprocess.DEVNULL,
        env={**environment, "TERM": term},
    )
    os.close(other)
    shown = b""
    while True:
        try:
            chunk = os.read(main, 4096)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
    os.close(main)
    assert process.wait() == 1
    assert (b"\x1b[31m-" in shown) is colours


def test_list_and_explain(tfmigrate: Tfmigrate) -> None:
    listed = tfmigrate("list")
    assert listed.code == 0
    assert any(line.split()[:2] == ["TFM101", "layer-in-call"] for line in listed.out.splitlines())
    for name in ("layers_to_init", "TFM101", "layer-in-call", "tfm101"):
        done = tfmigrate("explain", name)
        assert (done.code, done.err) == (0, "")
        assert "https://" in done.out and "becomes:" in done.out and "is left alone (" in done.out
    entries = json.loads(tfmigrate("list", "--format", "json").out)["codes"]
    assert {"code", "name", "codemod", "summary", "safety", "on_by_default", "refusals"} == set(entries[0])
    assert "documentation" in json.loads(tfmigrate("explain", "TFM101", "--format", "json").out)


def test_version_and_help(tfmigrate: Tfmigrate) -> None:
    from tfmigrate import __version__

    assert tfmigrate("--version").out == f"tfmigrate {__version__}\n"
    for arguments in (("--help",), ("-h",), ("diff", "--help"), ("apply", "-h"), ("verify", "--help")):
        done = tfmigrate(*arguments)
        assert done.code == 0
        assert done.out.startswith("Usage: tfmigrate ")


IMPORTED = """
import io, sys
from contextlib import redirect_stderr, redirect_stdout
from tfmigrate.__main__ import main
sys.stdout = io.TextIOWrapper(io.BytesIO()); sys.stderr = io.StringIO()
code = main(sys.argv[1:])
print(code, *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.__stdout__)
"""


def imported(folder: Path, *arguments: str) -> tuple[int, set[str]]:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    code, *names = done.stdout.split()
    return int(code), set(names)


def test_help_imports_nothing_heavy(shop: Path) -> None:
    code, names = imported(shop.parent, "--help")
    assert (code, "typer" in names) == (0, True)
    assert (
        names
        & {"tensorflow", "keras", "tf_keras", "numpy", "libcst", "black", "pathspec", "tfmigrate.engine"}
        == set()
    )


def test_a_dry_run_imports_no_tensorflow(shop: Path) -> None:
    code, names = imported(shop.parent, "diff", "shop", "--no-cache", "--jobs", "1")
    assert (code, "libcst" in names) == (1, True)
    assert names & {"tensorflow", "keras", "tf_keras", "numpy"} == set()


def test_a_dry_run_with_nothing_to_rewrite_imports_no_libcst_and_no_black(shop: Path) -> None:
    (shop / "net.py").unlink()
    (shop / "sized.py").unlink()
    code, names = imported(shop.parent, "diff", "shop", "--no-cache", "--jobs", "1")
    assert code == 0
    assert names & {"tensorflow", "keras", "numpy", "libcst", "black"} == set()


def test_a_broken_pipe_is_quiet(shop: Path) -> None:
    for number in range(200):
        (shop / f"net{number}.py").write_text(NET)
    process = subprocess.Popen(
        [sys.executable, "-m", "tfmigrate", "diff", "shop", "-q", "--no-cache"],
        cwd=shop.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == b"--- a/shop/net.py\n"
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


def test_ctrl_c_is_quiet_and_loses_nothing(shop: Path) -> None:
    for number in range(300):
        (shop / f"net{number}.py").write_text(NET + "\n" + NET.replace("Net", "Other"))
    process = subprocess.Popen(
        [sys.executable, "-m", "tfmigrate", "apply", "shop", "-v", "--no-cache", "--jobs", "2"],
        cwd=shop.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None and process.stdout is not None
    assert process.stderr.readline().startswith(b"configuration: ")
    os.killpg(process.pid, signal.SIGINT)  # As the terminal does: all processes of the group.
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")
    assert all(file.read_text().startswith("import tensorflow as tf\n") for file in shop.glob("net*.py"))


CRASHING = '''"""Crashes, for the test of crashes.

https://example.org/
"""

from collections.abc import Iterator

from tfmigrate.claim import Claim
from tfmigrate.codemod import Codemod, Edit, Example, Refusal, Safety
from tfmigrate.unit import Unit

codemod = Codemod(
    __name__,
    summary="crash",
    codes={"TFM999": "crash"},
    refusals={},
    safety=Safety.SAFE,
    marker=(b"Other",),
    examples=[Example(before="x = 1", kept=True)],
    claim=Claim(),
)


@codemod.plan
def plan(unit: Unit) -> Iterator[Edit | Refusal]:
    raise RuntimeError("a planned bug")
    yield
'''

WITH_CRASHING = """
import sys
import tfmigrate.codemods
tfmigrate.codemods.__path__.append(sys.argv[1])
from tfmigrate.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


def test_a_crash_is_code_3_and_the_other_files_go_through(shop: Path, tmp_path: Path) -> None:
    codemods = tmp_path / "more_codemods"
    codemods.mkdir()
    (codemods / "crashing.py").write_text(CRASHING)
    (shop / "other.py").write_text(NET.replace("Net", "Other"))
    done = subprocess.run(
        [sys.executable, "-c", WITH_CRASHING, str(codemods), "apply", "shop", "--no-cache"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3
    assert (
        "shop/other.py: error: internal error in crashing: RuntimeError: a planned bug; the file is left alone\n"
        in done.stderr
    )
    assert "tfmigrate diff -v --isolated --jobs 1 --select crashing shop/other.py\n" in done.stderr
    assert "Traceback" not in done.stderr
    assert (shop / "other.py").read_text() == NET.replace("Net", "Other")
    assert (shop / "net.py").read_text() != NET


def test_an_exception_in_a_command_is_code_3(shop: Path) -> None:
    code = (
        "import sys, tfmigrate.pipeline as p\n"
        "def broken(*a): raise RuntimeError('a planned bug')\n"
        "p.discover = broken\n"
        "from tfmigrate.__main__ import main\n"
        "sys.exit(main(['diff', 'shop', *sys.argv[1:]]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=shop.parent, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("internal error: RuntimeError: a planned bug\n")
    assert "Traceback" not in done.stderr
    done = subprocess.run([sys.executable, "-c", code, "-v"], cwd=shop.parent, capture_output=True, text=True)
    assert done.returncode == 3 and "Traceback" in done.stderr


DYING = CRASHING.replace('raise RuntimeError("a planned bug")', "os._exit(1)").replace(
    "from collections", "import os\nfrom collections"
)


def test_a_worker_that_dies_takes_one_file_with_it(shop: Path, tmp_path: Path) -> None:
    codemods = tmp_path / "more_codemods"
    codemods.mkdir()
    (codemods / "crashing.py").write_text(DYING)
    for number in range(12):
        (shop / f"net{number:02}.py").write_text(NET)
    (shop / "other.py").write_text(NET.replace("Net", "Other"))
    command = ["diff", "shop", "--no-cache", "--jobs", "2"]
    done = subprocess.run(
        [sys.executable, "-c", WITH_CRASHING, str(codemods), *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3
    assert "shop/other.py: error: internal error in engine: the worker process died" in done.stderr
    assert done.stdout.count("\n+++ ") == 13
    assert "17 files checked: 13 files would be rewritten" in done.stderr
    assert done.stderr.endswith(" 1 failed\n")


@pytest.mark.parametrize(
    "tail",
    [
        "y = 1" + "+1" * 900,
        "y = a" + ".b" * 900,
        "y = " + "[" * 190 + "]" * 190,
        "if x: pass\n" + "elif x: pass\n" * 900,
    ],
    ids=["sum", "attributes", "lists", "elif"],
)
def test_deeply_nested_code_is_rewritten(tfmigrate: Tfmigrate, tmp_path: Path, tail: str) -> None:
    (tmp_path / "net.py").write_text(f"{NET}{tail}\n")
    done = tfmigrate("diff", "net.py")
    assert (done.code, "1 file would be rewritten" in done.err) == (1, True)


def test_code_that_is_nested_too_deeply_is_said(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(f"{NET}y = 1{'+1' * 100_000}\n")
    done = tfmigrate("diff", ".")
    assert done.code == 3
    assert done.err.startswith("net.py:1:1: error: ")
    assert done.err.endswith(" 1 failed\n")
