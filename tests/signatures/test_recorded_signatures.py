"""Signatures from a recording: written and loaded as a file, through the command line and its memory of earlier runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tfmigrate.record.format import (
    FILE_NAME,
    Arguments,
    Call,
    CallMode,
    DictOf,
    Opaque,
    RecordedFunction,
    Recording,
    Scalar,
    Tensor,
    TensorKind,
    Value,
    dump,
)

TEXT = """\
import tensorflow as tf


class Net:
    @tf.function
    def step(self, x, options, axis=1):
        return tf.reduce_sum(x, axis) * options["scale"] / float(x.shape[1])


@tf.function(jit_compile=True)
def pooled(x, how):
    return tf.reduce_mean(x) if how == "mean" else tf.reduce_max(x)
"""


def rows(*dims: int | str | None, dtype: str = "float32", kind: TensorKind = TensorKind.TENSOR) -> Tensor:
    return Tensor(dims, dtype, kind)


def recorded(
    name: str, *arguments: tuple[Value, ...], traces: int = 5, wrappers: int = 1
) -> RecordedFunction:
    calls = tuple(
        Call(Arguments(values), caller=("train.py", 7 + i), count=4) for i, values in enumerate(arguments)
    )
    return RecordedFunction(f"net:{name}", "net.py", 4, traces=traces, calls=calls, wrappers=wrappers)


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tfmigrate", "diff", "--select", "TFM5", *options, "."]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def told(folder: Path, *functions: RecordedFunction) -> subprocess.CompletedProcess[str]:
    (folder / "net.py").write_text(TEXT)
    dump(Recording(functions=functions), folder / FILE_NAME)
    return run(folder, "--recording", FILE_NAME, "--no-cache")


SCALE = DictOf((("scale", rows()),))


def test_sizes_that_differ_are_unknown_and_the_evidence_is_said(tmp_path: Path) -> None:
    done = told(tmp_path, recorded("Net.step", (rows("b", 3), SCALE), (rows(None, 3), SCALE)))
    assert "+        input_signature=[\n" in done.stdout
    assert '+            {"scale": tf.TensorSpec([], tf.float32)},\n' in done.stdout
    assert "+            tf.TensorSpec([None, 3], tf.float32),\n" in done.stdout
    assert "(5 traces in 8 recorded calls, train.py:7, train.py:8): given an input signature" in done.stderr


def test_lists_are_the_tensors_that_the_function_makes_of_them(tmp_path: Path) -> None:
    text = """\
import tensorflow as tf


@tf.function
def act(observation, legal):
    observation = tf.convert_to_tensor(observation, tf.float32)
    return observation + tf.convert_to_tensor(legal["mask"], tf.float32)


@tf.function
def first(observation):
    return tf.convert_to_tensor(observation[0], tf.float32)
"""
    listed = rows(3, dtype="int32", kind=TensorKind.PYTHON)
    functions = recorded("act", (listed, DictOf((("mask", listed),)))), recorded("first", (listed,))
    (tmp_path / "net.py").write_text(text)
    dump(Recording(functions=functions), tmp_path / FILE_NAME)
    done = run(tmp_path, "--no-cache")
    specs = "tf.TensorSpec([3], tf.float32)"
    assert f"+        {specs},\n" in done.stdout
    assert f'+        {{"mask": {specs}}},\n' in done.stdout
    assert "`first` is traced anew" in done.stderr
    assert "left alone (opaque-argument)" in done.stderr


def test_shapes_are_relaxed_where_a_string_varies(tmp_path: Path) -> None:
    calls = [(rows(None, 3), Scalar(how)) for how in ("mean", "max")]
    done = told(tmp_path, recorded("pooled", *calls))
    assert "+@tf.function(reduce_retracing=True, jit_compile=True)\n" in done.stdout


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        (
            [(rows("b", 3), SCALE), (rows("b", 3, dtype="float64", kind=TensorKind.NUMPY), SCALE)],
            "dtypes-differ",
        ),
        ([(rows("b", 3), SCALE), (rows("b", 3, 3), SCALE)], "ranks-differ"),
        ([(rows("b", 3, kind=TensorKind.RAGGED), SCALE)], "opaque-argument"),
        ([(rows("b", 3), Opaque("<Model>"))], "opaque-argument"),
        ([(rows("b", 3), SCALE), (rows("b", 3), SCALE, Scalar(0))], "python-value"),
        ([(rows("b", "c"), SCALE)], "static-shape"),
    ],
)
def test_refused_with_the_reason(tmp_path: Path, calls: list[tuple[Value, ...]], reason: str) -> None:
    done = told(tmp_path, recorded("Net.step", *calls))
    assert done.stdout == ""
    assert f"left alone ({reason})" in done.stderr


@pytest.mark.parametrize(("traces", "wrappers"), [(2, 1), (6, 3)])
def test_few_traces_of_each_are_left_without_a_word(tmp_path: Path, traces: int, wrappers: int) -> None:
    done = told(tmp_path, recorded("Net.step", (rows("b", 3), SCALE), traces=traces, wrappers=wrappers))
    assert (done.returncode, done.stdout) == (0, "")
    assert "TFM5" not in done.stderr


def test_what_only_other_graphs_call_is_left_without_a_word(tmp_path: Path) -> None:
    call = Call(Arguments((rows("b", 3), SCALE)), mode=CallMode.GRAPH)
    done = told(tmp_path, RecordedFunction("net:Net.step", "net.py", 4, traces=5, calls=(call,)))
    assert "TFM5" not in done.stdout + done.stderr


def test_another_recording_is_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A remembered dry run is of one recording; and the configuration can name the file."""
    monkeypatch.setenv("TFMIGRATE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "pyproject.toml").write_text(f'[tool.tfmigrate]\nrecording = "{FILE_NAME}"\n')
    (tmp_path / "net.py").write_text(TEXT)
    dump(Recording(), tmp_path / FILE_NAME)
    assert run(tmp_path).stdout == ""
    dump(
        Recording(functions=(recorded("pooled", (rows(None), Scalar("mean")), (rows(None), Scalar("max"))),)),
        tmp_path / FILE_NAME,
    )
    assert "+@tf.function(reduce_retracing=True" in run(tmp_path).stdout


def test_a_recording_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(TEXT)
    done = run(tmp_path, "--recording", "other.json")
    assert done.returncode == 2
    assert "other.json: cannot be read" in done.stderr


@pytest.mark.parametrize(("wrappers", "is_moved"), [(5, True), (2, False)])
def test_functions_made_per_call_are_known_by_how_many_were_recorded(
    tmp_path: Path, wrappers: int, is_moved: bool
) -> None:
    text = """\
import tensorflow as tf


def loss(x):
    @tf.function
    def squared(x):
        return tf.reduce_sum(tf.square(x))

    return squared(x)
"""
    function = recorded("loss.<locals>.squared", (rows(3),), traces=wrappers, wrappers=wrappers)
    (tmp_path / "net.py").write_text(text)
    dump(Recording(functions=(function,)), tmp_path / FILE_NAME)
    done = run(tmp_path, "--no-cache")
    assert ("(5 of them were recorded), and traced in each: made once" in done.stderr) is is_moved
    assert ("+@tf.function\n+def squared(x):\n" in done.stdout) is is_moved


def test_no_signature_on_a_hot_path_is_made_one_where_it_stands(tmp_path: Path) -> None:
    """``input_signature=None`` is what tf.function has by default."""
    spelled = (
        "@tf.function(\n    jit_compile=True,  # Measured.\n    input_signature=None,\n)\ndef scaled(x):\n"
    )
    (tmp_path / "net.py").write_text(f"import tensorflow as tf\n\n\n{spelled}    return x * 2.0\n")
    call = Call(Arguments((rows("b", 3),)), caller=("train.py", 7), count=200)
    function = RecordedFunction("net:scaled", "net.py", 4, jit_compile=True, traces=50, calls=(call,))
    dump(Recording(functions=(function,)), tmp_path / FILE_NAME)
    done = run(tmp_path, "--no-cache")
    assert "-    input_signature=None,\n" in done.stdout
    assert "+    input_signature=[tf.TensorSpec([None, 3], tf.float32)],\n" in done.stdout
    assert "     jit_compile=True,  # Measured.\n" in done.stdout
    assert "(50 traces in 200 recorded calls, train.py:7): given an input signature" in done.stderr


STEPS = """\
import tensorflow as tf


# The first of them.
@tf.function
def _train(images):
    return tf.reduce_mean(images)


@tf.function
def _test(images):
    return tf.reduce_sum(images)


for n in range(1, 5):
    _train(tf.ones([n, 8, 8, 3]))
    _test(tf.ones([n, 8, 8, 3]))
"""
CONSTANT = "IMAGES = tf.TensorSpec([None, 8, 8, 3], tf.float32)\n"


def shared(folder: Path, text: str) -> str:
    (folder / "net.py").write_text(text)
    command = [sys.executable, "-m", "tfmigrate", "apply", "--select", "TFM5", "--no-cache", "."]
    assert subprocess.run(command, cwd=folder, capture_output=True).returncode == 0
    return (folder / "net.py").read_text()


def test_what_two_functions_take_is_named_once_and_again_used(tmp_path: Path) -> None:
    after = shared(tmp_path, STEPS)
    assert after.startswith(f"import tensorflow as tf\n\n{CONSTANT}\n\n# The first of them.\n@tf.function(")
    assert after.count("input_signature=[IMAGES]") == 2
    assert shared(tmp_path, after) == after
    third = after.replace("for n in", "@tf.function\ndef _shown(batch):\n    return batch[0]\n\n\nfor n in")
    third = shared(tmp_path, f"{third}    _shown(tf.ones([n, 8, 8, 3]))\n")
    assert third.count("input_signature=[IMAGES]") == 3
    assert third.count("tf.TensorSpec(") == 1


@pytest.mark.parametrize("left", ["_train", "_test"])
def test_one_function_alone_spells_its_spec_out(tmp_path: Path, left: str) -> None:
    """As where bisecting leaves the other one's edit out."""
    skipped = STEPS.replace("@tf.function\ndef " + left, "@tf.function  # tfmigrate: skip\ndef " + left)
    after = shared(tmp_path, skipped)
    assert "IMAGES" not in after
    assert after.count("input_signature=[tf.TensorSpec([None, 8, 8, 3], tf.float32)]") == 1


def test_nothing_is_made_where_tensorflow_may_be_missing(tmp_path: Path) -> None:
    guarded = "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\n"
    after = shared(tmp_path, STEPS.replace("import tensorflow as tf\n", guarded, 1))
    assert "IMAGES" not in after
    assert after.count("input_signature=[tf.TensorSpec([None, 8, 8, 3], tf.float32)]") == 2


def test_a_name_that_others_would_import_unasked_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("from net import *\n")
    (tmp_path / "net.py").write_text(STEPS)
    done = run(tmp_path, "--no-cache", "--unsafe")
    assert "IMAGES" not in done.stdout
    assert done.stdout.count("+@tf.function(input_signature=[tf.TensorSpec([None, 8, 8, 3]") == 2
