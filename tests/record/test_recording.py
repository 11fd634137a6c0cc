"""What a real program with real TensorFlow leaves in a recording, and what is made of it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_record_command import python, record

from tfmigrate.record.format import CallMode, Made, RecordedClass, Recording, Scalar, TensorKind, load

PACKAGE = """
import tensorflow as tf

keras = tf.keras


class Inner(keras.layers.Layer):
    def __init__(self, units, **more):
        super().__init__(**more)
        self.dense = keras.layers.Dense(units)

    def call(self, x, training=False):
        return self.dense(x)


class Net(keras.Model):
    def __init__(self, inner, words=50):
        super().__init__()
        self.inner = inner
        self.table = keras.layers.Embedding(words, 4)

    def call(self, inputs, training=False):
        x, ids = inputs
        return self.inner(x, training=training) + tf.reduce_mean(self.table(ids), 1)


class Scale(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = tf.Variable(tf.ones([size]))

    def __call__(self, x):
        return x * self.weight

    @tf.function
    def power(self, x, k):
        return (x * self.weight) ** k


@tf.function
def added(x):
    return x + 1
"""
PROGRAM = """
import numpy as np
import tensorflow as tf
from nets import Inner, Net, Scale, added

net = Net(Inner(4), words=30)
for n in (2, 3):
    net([tf.ones([n, 6]), tf.constant([[1, 29]] * n)], training=True)
try:
    net(tf.ones([2, 6]))
except Exception:
    print("raised")
fitted = Net(Inner(4))
fitted.compile("sgd", "mse")
fitted.fit([np.ones((8, 6), "float32"), np.ones((8, 2), "int32")], np.zeros((8, 4)), batch_size=4, verbose=0)
scale = Scale(3)
scale(tf.ones([2, 3]))
for k in (1, 2):
    scale.power(tf.ones([3]), k)
for n in (1, 2, 3):
    added(tf.ones([n]))
"""


@pytest.fixture(scope="module", params=["0", "1"], ids=["keras3", "keras2"])
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recording:
    folder = tmp_path_factory.mktemp("program")
    (folder / "nets.py").write_text(PACKAGE)
    (folder / "program.py").write_text(PROGRAM)
    patch = pytest.MonkeyPatch()
    patch.setenv("TF_USE_LEGACY_KERAS", request.param)
    patch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    try:
        done = record(folder, "--samples", "program.py")
    finally:
        patch.undo()
    assert (done.returncode, done.stdout) == (0, "raised\n"), done.stderr
    assert "a bug of the recorder's" not in done.stderr
    return load(folder / "tfmigrate-recording.json")


def nets(seen: Recording) -> list[RecordedClass]:
    return [cls for cls in seen.classes if cls.name == "nets:Net"]


@pytest.mark.tf
def test_constructor_arguments_stay_with_their_instance(seen: Recording) -> None:
    words = [dict(cls.constructor.arguments.kwargs).get("words") for cls in nets(seen)]
    assert words == [Scalar(30), None]
    inner = nets(seen)[0].constructor.arguments.args[0]
    assert isinstance(inner, Made) and (inner.name, inner.arguments.args) == ("nets:Inner", (Scalar(4),))
    assert [cls.is_nested for cls in seen.classes if cls.name == "nets:Inner"] == [True]


@pytest.mark.tf
def test_calls_are_folded_and_those_that_raised_stand_apart(seen: Recording) -> None:
    good, bad = nets(seen)[0].calls
    assert [tensor.shape for tensor in good.arguments.tensors()] == [("b", 6), ("b", 2)]
    assert good.arguments.tensors()[1].range == (1, 29)
    assert (good.count, good.training, good.mode, good.raised) == (2, True, CallMode.EAGER, None)
    assert good.caller == ("program.py", 8)
    assert bad.count == 1 and bad.raised and bad.caller == ("program.py", 10) and bad.sample is None


@pytest.mark.tf
def test_fit_shows_the_first_batch(seen: Recording) -> None:
    [call] = nets(seen)[1].calls
    assert call.mode is CallMode.FIT and call.training is True
    assert [(tensor.shape, tensor.range) for tensor in call.arguments.tensors()] == [
        ((4, 6), (1.0, 1.0)),
        ((4, 2), (1, 1)),
    ]
    assert [tensor.kind for tensor in call.arguments.tensors()] == [TensorKind.TENSOR] * 2


@pytest.mark.tf
def test_traces_are_counted(seen: Recording) -> None:
    power, added = seen.functions
    assert (power.name, power.traces, added.name, added.traces) == ("nets:Scale.power", 2, "nets:added", 3)
    assert [call.arguments.args[1] for call in power.calls] == [Scalar(1), Scalar(2)]
    assert power.owner is not None and power.owner.arguments.args == (Scalar(3),)
    [call] = added.calls
    assert call.arguments.tensors()[0].shape == (None,) and call.traces == 3


@pytest.mark.tf
def test_modules_are_seen_too_and_samples_are_kept(seen: Recording) -> None:
    [scale] = [cls for cls in seen.classes if cls.name == "nets:Scale"]
    [call] = scale.calls
    assert call.sample is not None
    import numpy as np

    with np.load(Path(seen.folder, call.sample), allow_pickle=False) as file:
        assert file["0"].tolist() == [[1.0] * 3] * 2


@pytest.mark.tf
def test_pytest_records_with_the_option_and_only_then(tmp_path: Path) -> None:
    (tmp_path / "nets.py").write_text(PACKAGE)
    (tmp_path / "test_it.py").write_text(
        "import tensorflow as tf, pytest\nfrom nets import added\n"
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_it(n):\n    assert added(tf.ones([n]))[0] == 2\n"
    )
    done = python(tmp_path, "-m", "pytest", "-q", "--tfmigrate-record=seen.json")
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    [function] = load(tmp_path / "seen.json").functions
    assert (function.name, function.traces, function.calls[0].count) == ("nets:added", 2, 2)


def test_pytest_without_the_option_loads_no_recorder(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\ndef test_it():\n"
        "    assert not [name for name in sys.modules if name.startswith('tfmigrate.record')]\n"
    )
    done = python(tmp_path, "-m", "pytest", "-q")
    assert "1 passed" in done.stdout, done.stdout


@pytest.mark.tf
def test_forked_workers_record_too(tmp_path: Path) -> None:
    (tmp_path / "nets.py").write_text(PACKAGE)
    (tmp_path / "pool.py").write_text(
        "import multiprocessing\n"
        "def work(n):\n    import tensorflow as tf\n    from nets import added\n    added(tf.ones([n]))\n"
        "if __name__ == '__main__':\n"
        "    pool = multiprocessing.get_context('fork').Pool(1)\n"
        "    pool.map(work, [1, 2])\n    pool.close()\n    pool.join()\n"
    )
    done = record(tmp_path, "pool.py")
    assert done.returncode == 0, done.stderr
    [function] = load(tmp_path / "tfmigrate-recording.json").functions
    assert (function.name, function.traces, function.calls[0].count) == ("nets:added", 2, 2)
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []
