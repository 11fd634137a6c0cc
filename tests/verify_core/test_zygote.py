"""Whatever a child does, its outcome is a value."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tfmigrate.verify.model import Finished, ImportFailed, Killed, Outcome, OutOfMemory, Raised, TimedOut
from tfmigrate.verify.run import Zygote, ZygoteFailed

HERE = str(Path(__file__).parent)


def start(keras: str = "3", python: str = sys.executable) -> Zygote:
    return Zygote(keras, python=python, preload=["worker_entries"])


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", HERE)
        with start() as running:
            yield running


def run(
    zygote: Zygote, name: str, payload: object = None, timeout_s: float = 60, memory_mb: int = 4096
) -> Outcome:
    return zygote.run(f"worker_entries:{name}", payload, timeout_s, memory_mb)


@pytest.mark.tf
def test_nothing_is_left_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """AutoGraph writes a file for each function that it converts, and removes it when Python ends, not before."""
    monkeypatch.setenv("PYTHONPATH", HERE)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with start() as zygote:
        outcome = run(zygote, "converts_and_ends", "return")
        assert isinstance(outcome, Finished) and len(outcome.value) == 1
        ended = [run(zygote, "converts_and_ends", ending) for ending in ("exit", "kill")]
        assert [outcome.signal for outcome in ended if isinstance(outcome, Killed)] == ["exit 7", "SIGKILL"]
        assert [path.name.partition("-")[0] for path in tmp_path.iterdir()] == ["tfmigrate"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.tf
class TestOutcomes:
    def test_value(self, zygote: Zygote) -> None:
        outcome = run(zygote, "echo", {"a": [1, 2.5, None]})
        assert isinstance(outcome, Finished) and outcome.value == {"a": [1, 2.5, None]}

    def test_hang_that_ignores_sigterm(self, zygote: Zygote) -> None:
        outcome = run(zygote, "hang", timeout_s=0.5)
        assert isinstance(outcome, TimedOut) and outcome.limit_s == 0.5

    def test_sys_exit(self, zygote: Zygote) -> None:
        outcome = run(zygote, "exits", 3)
        assert isinstance(outcome, Raised) and (outcome.type, outcome.message) == ("SystemExit", "3")

    @pytest.mark.parametrize("code", [0, 7])
    def test_hard_exit(self, zygote: Zygote, code: int) -> None:
        outcome = run(zygote, "hard_exit", code)
        assert isinstance(outcome, Killed) and outcome.signal == f"exit {code}"

    def test_segfault(self, zygote: Zygote) -> None:
        outcome = run(zygote, "segfault")
        assert isinstance(outcome, Killed) and outcome.signal == "SIGSEGV"
        assert outcome.stdout == "before the end\n"

    @pytest.mark.parametrize("name", ["hog", "tensor_hog"])
    def test_memory_hog(self, zygote: Zygote, name: str) -> None:
        outcome = run(zygote, name, memory_mb=1024)
        assert isinstance(outcome, OutOfMemory) and outcome.limit_mb == 1024

    def test_megabytes_of_output(self, zygote: Zygote) -> None:
        outcome = run(zygote, "chatty")
        assert isinstance(outcome, Finished) and outcome.stdout.endswith("x\nthe end\n")
        assert len(outcome.stdout) == 8192

    def test_unpicklable_exception(self, zygote: Zygote) -> None:
        outcome = run(zygote, "raises_unpicklable")
        assert isinstance(outcome, Raised) and (outcome.type, outcome.message) == ("Unpicklable", "no way")
        assert "raise Unpicklable" in outcome.traceback

    def test_unprintable_exception(self, zygote: Zygote) -> None:
        outcome = run(zygote, "raises_unprintable")
        assert isinstance(outcome, Raised) and outcome.type == "Unprintable"

    def test_unpicklable_value(self, zygote: Zygote) -> None:
        assert isinstance(run(zygote, "returns_unpicklable"), Raised)

    def test_classes_of_user_code_are_not_loaded_here(self, zygote: Zygote) -> None:
        outcome = run(zygote, "returns_own_class")
        assert isinstance(outcome, Raised) and "not plain data" in outcome.message

    def test_child_that_forks(self, zygote: Zygote) -> None:
        outcome = run(zygote, "forks", timeout_s=20)
        assert isinstance(outcome, Finished) and outcome.value == "from the child"

    def test_nothing_is_left_behind(self, zygote: Zygote) -> None:
        outcome = run(zygote, "leaves_one_behind")
        assert isinstance(outcome, Finished)
        for _ in range(100):
            left = run(zygote, "groups_left", [outcome.value])
            assert isinstance(left, Finished)
            if not left.value:
                break
            time.sleep(0.05)
        assert left.value == []

    def test_surroundings(self, zygote: Zygote) -> None:
        outcome = run(zygote, "surroundings")
        assert isinstance(outcome, Finished)
        assert outcome.value == {"stdin": "", "group": True, "files": [], "core": 0, "session": True}

    def test_temporary_files_go_with_the_job(self, zygote: Zygote) -> None:
        outcome = run(zygote, "converts")
        assert isinstance(outcome, Finished)
        folder, variable, *files = outcome.value
        assert folder == variable and "__autograph_generated_" in files
        for _ in range(100):  # it is removed just after the outcome is told
            if not Path(folder).exists():
                break
            time.sleep(0.05)
        assert not Path(folder).exists()

    def test_missing_module(self, zygote: Zygote) -> None:
        outcome = zygote.run("no_such_module:f", None)
        assert isinstance(outcome, Raised | ImportFailed) and "no_such_module" in outcome.message

    def test_several_at_once(self, zygote: Zygote) -> None:
        with ThreadPoolExecutor(4) as pool:
            outcomes = list(pool.map(lambda n: run(zygote, "echo", n), range(12)))
        assert [outcome.value for outcome in outcomes if isinstance(outcome, Finished)] == list(range(12))


@pytest.mark.tf
def test_keras_two_is_what_keras_means_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", HERE)
    with start("2") as two:
        outcome = run(two, "flavour")
    assert isinstance(outcome, Finished), outcome
    assert outcome.value == ["2", "tf_keras", "tf_keras", "Dense"]


def test_interpreter_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ZygoteFailed, match="cannot be started"), start(python=str(tmp_path / "python")):
        pass


def test_interpreter_without_tensorflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that cannot be imported stands where TensorFlow is looked for first."""
    (tmp_path / "tensorflow.py").write_text("raise ImportError('no TensorFlow here')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(ZygoteFailed, match=r"pip install 'tfmigrate\[verify\]'"), start():
        pass


def test_zygote_that_dies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "tensorflow.py").write_text("import os\nos._exit(9)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(ZygoteFailed, match="said nothing"), start():
        pass
