"""Each source of cases, carried out in workers of both flavours; what cannot be carried out says why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from subject_entries import calls

from tfmigrate.verify.model import (
    CannotBuildOutcome,
    Case,
    CodeTree,
    Finished,
    ImportFailed,
    Outcome,
    TimedOut,
)
from tfmigrate.verify.probes import ProbeJob
from tfmigrate.verify.recipes import (
    CallSpec,
    DeclaredRecipe,
    ExampleInputsRecipe,
    FunctionRecipe,
    GuessRecipe,
    KerasLayer,
    Literal,
    Recipe,
    Tensor,
)
from tfmigrate.verify.run import Zygote

pytestmark = pytest.mark.tf

MODEL = """
import tensorflow as tf
from tensorflow import keras

class Net(keras.Model):
    def __init__(self, units, inner=None):
        super().__init__()
        self.units = units
        self.inner = inner
    def call(self, x, scale=1.0, training=False):
        if self.inner is not None:
            x = self.inner(x)
        return keras.layers.Dense(self.units, kernel_initializer="ones")(x) * scale

    @staticmethod
    def get_example_inputs():
        return [(tf.ones([2, 3]),), {"x": tf.ones([4, 3]), "scale": 2.0}]

class Own(keras.layers.Layer):
    def __init__(self, filters: int):
        super().__init__()
        self.filters = filters
    def call(self, x):
        return x * self.filters
    def get_example_inputs(self):
        return tf.ones([2, self.filters])

class Step(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(2.0)
    @tf.function
    def scale(self, x):
        return self.v * x

@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32), tf.TensorSpec([], tf.int32)])
def step(x, n):
    return x * tf.cast(n + 1, tf.float32)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "shop" / "model.py").write_text(MODEL)
    return tmp_path


def outcome(zygote: Zygote, root: Path, symbol: str, recipe: Recipe, **overlay: bytes) -> Outcome:
    tree = CodeTree((str(root),), {str(root / "shop" / f"{name}.py"): data for name, data in overlay.items()})
    return zygote.run(f"{calls.__module__}:calls", (Case(symbol, "", "", False, recipe), tree), 60)


def run(zygote: Zygote, root: Path, symbol: str, recipe: Recipe) -> list[dict[str, Any]]:
    found = outcome(zygote, root, symbol, recipe)
    assert isinstance(found, Finished), found
    value: list[dict[str, Any]] = found.value
    return value


def probed(zygote: Zygote, root: Path, symbol: str, recipe: Recipe | None = None) -> Any:
    case = Case(symbol, "", "", True, recipe or GuessRecipe())
    found = zygote.run("tfmigrate.verify.worker.probe:run_probe", ProbeJob(case, CodeTree((str(root),))), 60)
    assert isinstance(found, Finished), found
    return found.value


def test_a_case_function(zygote: Zygote, root: Path) -> None:
    path = root / "shop" / "tfmigrate_cases.py"
    path.write_text(
        "import tensorflow as tf\nimport tfmigrate\n\n"
        "@tfmigrate.case('Net')\ndef small(module):\n"
        "    net = module.Net(units=4)\n"
        "    return net, [tf.ones([2, 3]), (tf.ones([3, 3]), tf.constant(2.0)), {'x': tf.ones([1, 3])},"
        " tfmigrate.Inputs(tf.ones([2, 3]), training=True)]\n"
    )
    found = run(zygote, root, "shop.model:Net", FunctionRecipe(str(path), "small", "shop.model"))
    assert [call["output"] for call in found] == [(2, 4), (3, 4), (1, 4), (2, 4)]
    assert [call["total"] for call in found] == [24.0, 72.0, 12.0, 24.0]
    assert [call["plain"] for call in found] == [{}, {}, {}, {"training": True}]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return module.Net(4)", "small in .* must return \\(callable, inputs\\)"),
        ("return module.Net(4), []", "small in .* gives no inputs"),
        ("return 3, [1]", "must return \\(callable, inputs\\)"),
    ],
)
def test_a_case_function_that_returns_something_else(
    keras3: Zygote, root: Path, body: str, reason: str
) -> None:
    path = root / "tfmigrate_cases.py"
    path.write_text(f"def small(module):\n    {body}\n")
    found = outcome(keras3, root, "shop.model:Net", FunctionRecipe(str(path), "small", "shop.model"))
    assert isinstance(found, CannotBuildOutcome)
    import re

    assert re.search(reason, found.message)


def test_declared_arguments_give_equal_values_in_every_worker(zygote: Zygote, root: Path) -> None:
    inputs = (Tensor((2, 3)),)
    recipe = DeclaredRecipe(
        (Literal(4),),
        {"inner": KerasLayer("Flatten")},
        (
            CallSpec(inputs),
            CallSpec(inputs, {"scale": Literal(2.0)}),
            CallSpec((), {"x": Tensor((1, 2, 2), "float32", 3, 3)}),
        ),
    )
    first = run(zygote, root, "shop.model:Net", recipe)
    assert first == run(zygote, root, "shop.model:Net", recipe)
    assert [call["output"] for call in first] == [(2, 4), (2, 4), (1, 4)]
    assert first[0]["sums"] != first[1]["sums"]
    assert first[2]["sums"] == [12.0]


def test_every_dtype_can_be_declared(keras3: Zygote, root: Path) -> None:
    (root / "shop" / "model.py").write_text(
        "import tensorflow as tf\ndef f(*a):\n    return tf.constant(1.0)\n"
    )
    kinds = ["float16", "bfloat16", "float64", "int8", "uint8", "int64", "bool", "complex64"]
    tensors = tuple(Tensor((50,), dtype) for dtype in kinds)
    call = CallSpec((*tensors, Tensor((4,), "int32", -2, -2), Tensor((), "int32", values=[[5, 6]])))
    (found,) = run(keras3, root, "shop.model:f", DeclaredRecipe(calls=(call,)))
    assert found["dtypes"] == [*kinds, "int32", "int32"]
    assert found["sums"][-2:] == [-8.0, 11.0]
    assert 50 <= found["sums"][3] <= 100


def test_methods_and_modules_keep_their_object(zygote: Zygote, root: Path) -> None:
    calls = (CallSpec((Tensor((), values=3.0),)),)
    assert (
        run(zygote, root, "shop.model:Step", DeclaredRecipe(calls=calls, method="scale"))[0]["total"] == 6.0
    )
    assert run(zygote, root, "shop.model:Step.scale", DeclaredRecipe(calls=calls))[0]["total"] == 6.0


def test_example_inputs_static_and_of_an_instance(zygote: Zygote, root: Path) -> None:
    found = run(zygote, root, "shop.model:Net", ExampleInputsRecipe())
    assert [call["output"] for call in found] == [(2, 8), (4, 8), (2, 8)]
    assert [call["total"] for call in found] == [48.0, 192.0, 48.0]
    resolved = probed(zygote, root, "shop.model:Own", ExampleInputsRecipe()).recipe
    assert resolved == ExampleInputsRecipe({"filters": Literal(8)})
    assert [call["output"] for call in run(zygote, root, "shop.model:Own", resolved)] == [(2, 8)] * 3


def test_guesses_run(zygote: Zygote, root: Path) -> None:
    net = probed(zygote, root, "shop.model:Net").recipe
    assert net.init_kwargs == {"units": Literal(8)}
    assert [call.args[0].shape for call in net.calls] == [(2, 8), (3, 8), (2, 8)]
    found = run(zygote, root, "shop.model:Net", net)
    assert [call["output"] for call in found] == [(2, 8), (3, 8), (2, 8)]
    assert found[0]["sums"] != found[2]["sums"]

    signed = probed(zygote, root, "shop.model:step").recipe
    assert [[t.shape for t in call.args] for call in signed.calls] == [
        [(2, 4), ()],
        [(3, 4), ()],
        [(2, 4), ()],
    ]
    assert probed(zygote, root, "shop.model:Step").recipe.method == "scale"


GUESSED = """
import tensorflow as tf
from tensorflow import keras

class Pair(keras.layers.Layer):
    def call(self, inputs):
        left, right = inputs
        return keras.layers.Dense(3)(tf.concat([left, right], -1))

class Conv(keras.layers.Layer):
    def __init__(self, filters):
        super().__init__()
        self.conv = None
        self.filters = filters
    def call(self, x):
        if self.conv is None:
            self.conv = keras.layers.Conv2D(self.filters, 3)
        return self.conv(x)

class Cell(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.state_size = units
    def call(self, inputs, states):
        h = keras.layers.Dense(self.units)(tf.concat([inputs, states[0]], -1))
        return h, [h]

class Steps(keras.Model):
    def __init__(self, max_len):
        super().__init__()
        self.max_len = max_len
    def call(self, seq):
        return tf.stack([keras.layers.Dense(2)(seq[:, t]) for t in range(self.max_len)], 1)

class Positive(keras.layers.Layer):
    def call(self, x):
        return tf.math.log(x)

class Constant(keras.layers.Layer):
    def call(self, x):
        return keras.layers.Dense(3)(tf.zeros_like(x))

class Empty(keras.layers.Layer):
    def call(self, x):
        return x[:0]

class Odd(keras.layers.Layer):
    def __init__(self, options: "argparse.Namespace"):
        super().__init__()

class Abstract(keras.layers.Layer):
    def call(self, x):
        raise NotImplementedError("subclasses say how")
"""


def test_shapes_are_probed(zygote: Zygote, root: Path) -> None:
    (root / "shop" / "model.py").write_text(GUESSED)

    def first(name: str) -> Any:
        return probed(zygote, root, f"shop.model:{name}").recipe.calls[0].args

    assert first("Pair") == ([Tensor((2, 8)), Tensor((2, 8))],)
    assert first("Conv") == (Tensor((2, 8, 8, 8)),)
    assert first("Cell") == (Tensor((2, 8)), [Tensor((2, 8))])
    assert first("Steps") == (Tensor((2, 12, 12)),)
    assert first("Positive") == (Tensor((2, 8), "float32", 0.1, 1.0),)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Constant", "the output does not depend on the input"),
        ("Empty", "the output is empty"),
        ("Odd", "no value can be guessed for the constructor of Odd: options"),
        ("Abstract", "subclasses say how"),
        ("Missing", "shop.model has no Missing"),
    ],
)
def test_no_guess_is_better_than_a_bad_one(keras3: Zygote, root: Path, name: str, reason: str) -> None:
    (root / "shop" / "model.py").write_text(GUESSED)
    found = probed(keras3, root, f"shop.model:{name}")
    assert found.recipe is None
    assert reason in found.reason


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def f(:\n", "SyntaxError: invalid syntax"),
        ("import no_such_dependency\n", "ModuleNotFoundError: No module named 'no_such_dependency'"),
        ("import sys\nsys.exit(3)\n", "calls sys.exit(3) when it is imported"),
        ("raise KeyError('a')\n", "KeyError: 'a'"),
    ],
)
def test_modules_that_cannot_be_imported(keras3: Zygote, root: Path, source: str, reason: str) -> None:
    (root / "shop" / "model.py").write_text(source)
    found = outcome(keras3, root, "shop.model:Net", GuessRecipe())
    assert isinstance(found, ImportFailed), found
    assert reason in found.message


def test_a_module_that_hangs_is_ended_from_outside(keras3: Zygote, root: Path) -> None:
    (root / "shop" / "model.py").write_text("import time\nwhile True:\n    time.sleep(1)\n")
    case = Case("shop.model:Net", "", "", True, GuessRecipe())
    found = keras3.run("tfmigrate.verify.worker.probe:run_probe", ProbeJob(case, CodeTree((str(root),))), 2)
    assert isinstance(found, TimedOut)


def test_a_script_that_trains_on_import_is_refused(keras3: Zygote, root: Path) -> None:
    (root / "job.py").write_text("class Net: ...\nopen('ran', 'w')\nNet().fit()\n")
    found = outcome(keras3, root, "job:Net", GuessRecipe())
    assert isinstance(found, ImportFailed)
    assert "line 3 calls fit() when the file is imported" in found.message


def test_local_definitions_ask_for_a_case(keras3: Zygote, root: Path) -> None:
    found = outcome(keras3, root, "shop.model:make.<locals>.Net", GuessRecipe())
    assert isinstance(found, CannotBuildOutcome)
    assert "write a case that calls that function" in found.message


def test_what_the_constructor_raises_goes_through(keras3: Zygote, root: Path) -> None:
    recipe = DeclaredRecipe((), {"nope": Literal(1)}, (CallSpec((Tensor((1,)),)),))
    found = outcome(keras3, root, "shop.model:Net", recipe)
    assert type(found).__name__ == "Raised"
    assert found.type == "TypeError"  # type: ignore[union-attr]
