"""``pytest --tfmigrate``: models that differ as items, run by pytest as users run it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np  # pytester forgets what it imports, and numpy cannot be loaded twice.
import pytest

pytest_plugins = ["pytester"]

assert np
BEFORE = """from tensorflow import keras


class Net(keras.Model):
    def call(self, x):
        return keras.layers.Dense(4)(x)


class Scaled(keras.layers.Layer):
    def call(self, x):
        return x * 2.0


class Same(keras.layers.Layer):
    def call(self, x):
        return x
"""
AFTER = BEFORE.replace("x * 2.0", "x * 3.0").replace(
    "class Net(keras.Model):\n    def call(self, x):\n        return keras.layers.Dense(4)(x)",
    "class Net(keras.Model):\n    def __init__(self, **kwargs):\n        super().__init__(**kwargs)\n"
    "        self.dense = keras.layers.Dense(4)\n\n    def call(self, x):\n        return self.dense(x)",
)
PLAIN = "def test_plain():\n    import sys\n    assert 'tensorflow' not in sys.modules\n"


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(folder), *arguments]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
def project(pytester: pytest.Pytester) -> Path:
    """A repository whose last commit changed two models, one of them for the worse."""
    folder = pytester.path
    (folder / "pyproject.toml").write_text(
        "[tool.pytest.ini_options]\ntestpaths = ['tests']\naddopts = '--strict-markers'\n"
    )
    (folder / "shop").mkdir()
    (folder / "shop" / "__init__.py").touch()
    (folder / "tests").mkdir()
    (folder / "tests" / "test_plain.py").write_text(PLAIN)
    (folder / "shop" / "net.py").write_text(BEFORE)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "before")
    (folder / "shop" / "net.py").write_text(AFTER)
    git(folder, "commit", "-qam", "after")
    return folder


def collected(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line]


def test_items_are_collected_without_tensorflow(project: Path, pytester: pytest.Pytester) -> None:
    result = pytester.runpytest("--tfmigrate-base", "HEAD~1", "--collect-only", "-q")
    assert result.ret == 0
    assert collected(result) == [
        "tests/test_plain.py::test_plain",
        *(f"shop/net.py::{name}[{mode}]" for name in ("Net", "Scaled") for mode in ("eager", "graph", "xla")),
    ]
    result.stdout.fnmatch_lines(
        ["tfmigrate: 2 models and traced functions differ from git's HEAD~1, 6 items"]
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("-k", "Scaled and not xla"), ["shop/net.py::Scaled[eager]", "shop/net.py::Scaled[graph]"]),
        (("-m", "not tfmigrate"), ["tests/test_plain.py::test_plain"]),
        (
            ("--tfmigrate-modes", "graph", "-m", "tfmigrate"),
            ["shop/net.py::Net[graph]", "shop/net.py::Scaled[graph]"],
        ),
        (("shop/net.py::Scaled[graph]",), ["shop/net.py::Scaled[graph]"]),
        (("tests", "--deselect", "shop/net.py::Net", "-k", "eager"), ["shop/net.py::Scaled[eager]"]),
    ],
)
def test_items_are_chosen_as_others_are(
    project: Path, pytester: pytest.Pytester, arguments: tuple[str, ...], expected: list[str]
) -> None:
    result = pytester.runpytest("--tfmigrate-base", "HEAD~1", "--collect-only", "-q", *arguments)
    found = collected(result)
    assert found == expected


def test_without_the_option_nothing_of_it_is_loaded(project: Path, pytester: pytest.Pytester) -> None:
    (project / "tests" / "test_loaded.py").write_text(
        "import sys\n\ndef test_loaded(request):\n"
        "    assert request.config.pluginmanager.has_plugin('tfmigrate')\n"
        "    loaded = {name for name in sys.modules if name.startswith('tfmigrate')}\n"
        "    assert loaded == {'tfmigrate', 'tfmigrate.pytest_plugin'} | ({'tfmigrate.cases_api'} & loaded), loaded\n"
        "    assert not {'libcst', 'typer', 'numpy', 'tensorflow'} & sys.modules.keys()\n"
    )
    result = pytester.runpytest_subprocess("-q")
    result.assert_outcomes(passed=2)


def test_with_nothing_to_compare_with_it_says_what_to_do(project: Path, pytester: pytest.Pytester) -> None:
    result = pytester.runpytest("--tfmigrate")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --tfmigrate: * has no journal of an apply to compare with; give --base REV, *"]
    )
    result = pytester.runpytest("--tfmigrate-base", "nope")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --tfmigrate: 'nope' is no commit of *"])
    result = pytester.runpytest("--tfmigrate", "--tfmigrate-modes", "grph")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--tfmigrate-modes: unknown mode 'grph' (did you mean 'graph'?)*"])


@pytest.mark.tf
def test_the_report_is_the_failure(project: Path, pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(
        "--tfmigrate-base", "HEAD~1", "--tfmigrate-modes", "eager,graph", "--junitxml", "junit.xml", "-v"
    )
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(
        [
            "shop/net.py::Net*eager* PASSED *",
            "shop/net.py::Net*graph* PASSED *",
            "shop/net.py::Scaled*eager* FAILED *",
            "*shop.net:Scaled *eager* ___*",
            "shop.net:Scaled (shop/net.py): DIFFERENT",
            "    eager: DIFFERENT: *",
            "      *values differ; worst*",
            "      again: tfmigrate verify --base 'HEAD~1' --only shop.net:Scaled --case guess --modes eager --keras 3",
        ]
    )
    assert "Traceback" not in result.stdout.str() and "pytest_models.py" not in result.stdout.str()
    cases = ElementTree.parse(project / "junit.xml").getroot().iter("testcase")
    failures = {f"{case.get('classname')} {case.get('name')}": case.find("failure") for case in cases}
    assert [name for name, failure in failures.items() if failure is not None] == [
        "shop.net Scaled[eager]",
        "shop.net Scaled[graph]",
    ]
    text = failures["shop.net Scaled[graph]"]
    assert (
        text is not None
        and "graph: DIFFERENT" in (text.text or "")
        and "eager: DIFFERENT" not in (text.text or "")
    )


@pytest.mark.tf
def test_workers_of_xdist_share_the_items(project: Path, pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    result = pytester.runpytest_subprocess(
        "-n", "2", "--tfmigrate-base", "HEAD~1", "--tfmigrate-modes", "eager,graph"
    )
    result.assert_outcomes(passed=3, failed=2)


@pytest.mark.tf
def test_the_last_apply_and_the_first_failure(project: Path, pytester: pytest.Pytester) -> None:
    """In the commit after `tfmigrate apply`; -x ends the run, and no process is left."""
    (project / "shop" / "net.py").write_text(BEFORE)
    pytester.run("tfmigrate", "apply", "-qq", ".")
    git(project, "commit", "-qam", "rewritten")
    options = ("-x", "--tfmigrate", "--tfmigrate-modes", "graph", "-m", "tfmigrate")
    pytester.runpytest_subprocess(*options).assert_outcomes(passed=1, deselected=1)
    text = (project / "shop" / "net.py").read_text()
    (project / "shop" / "net.py").write_text(
        text.replace("self.dense(x)", "self.dense(x) + 1.0").replace("2.0", "3.0")
    )
    result = pytester.runpytest_subprocess(*options)
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(["tfmigrate: shop/net.py was edited since the apply: that is compared, too"])
    zygotes = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(project) not in zygotes
