"""Cases from recordings: which calls are made again, with which sizes and values; what a recording may name."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tfmigrate.record.format import (
    Arguments,
    Call,
    CallMode,
    Constructor,
    Imported,
    Made,
    Opaque,
    RecordedClass,
    RecordedFunction,
    Recording,
    Scalar,
    Tensor,
    TensorKind,
    dump,
    folded,
)
from tfmigrate.verify.cases import CaseFinder, Symbol
from tfmigrate.verify.model import Case, CodeTree
from tfmigrate.verify.recipes import RecordedRecipe
from tfmigrate.verify.recorded import recorded_cases


def call(*shapes: tuple[int | None, ...], **more: object) -> Call:
    return replace(Call(Arguments(tuple(Tensor(shape, "float32") for shape in shapes))), **more)  # type: ignore[arg-type]


def recipes(*calls: Call, made: Constructor | None = None) -> list[RecordedRecipe]:
    entry = RecordedClass("a:B", "a.py", 1, made or Constructor(), calls)
    return [recipe for _, recipe in recorded_cases(Recording((entry,)), "a:B", "/x/a.py")[0]]


def sizes(recipe: RecordedRecipe) -> list[list[object]]:
    return [[tensor.shape for tensor in made.arguments.tensors()] for made in recipe.calls]


def test_sizes_that_were_seen_are_used_again() -> None:
    [recipe] = recipes(*folded([call((2, 8)), call((7, 8)), call((4, 8))]))
    assert sizes(recipe) == [[(2, 8)], [(7, 8)], [(4, 8)]]


def test_calls_that_another_instance_must_have_taken_are_left_out() -> None:
    [recipe] = recipes(*folded([call((2, 8)), call((2, 9)), call((5, 8))]))
    assert sizes(recipe) == [[(2, 8)], [(5, 8)], [(2, 8)]]


def test_unknown_first_sizes_are_equal_in_all_tensors() -> None:
    [recipe] = recipes(call((None, 8), (None, None, 3), mode=CallMode.GRAPH))
    assert sizes(recipe) == [[(2, 8), (2, 5, 3)], [(3, 8), (3, 7, 3)], [(2, 8), (2, 5, 3)]]


def test_eager_calls_go_first_and_those_that_raised_are_left_out() -> None:
    raised = call((1, 1), raised="ValueError: too small")
    [recipe] = recipes(raised, call((None, 8), mode=CallMode.SYMBOLIC), call((6, 8)))
    assert sizes(recipe)[0] == [(6, 8)]
    assert recipes(raised) == []


def test_calls_that_failed_for_state_made_in_them_are_what_a_rewrite_mends() -> None:
    locked = "ValueError: You cannot add new elements of state (variables or sub-layers) to a layer that is already built."
    [recipe] = recipes(call((2, 4), raised=locked))
    assert sizes(recipe)[0] == [(2, 4)]


def test_what_cannot_be_made_again_is_said() -> None:
    entry = RecordedClass("a:B", "a.py", 1, Constructor(Arguments((Opaque("<lambda>"),))), (call((2,)),))
    found, problems = recorded_cases(Recording((entry,)), "a:B", "/x/a.py")
    assert found == ()
    assert problems == (
        "a:B was recorded, but its constructor was given something that cannot be made again; write a case",
    )


@pytest.mark.parametrize(
    ("tensor", "bounds"),
    [
        (Tensor((2,), "int32", range=(3, 49)), (3, 49)),
        (Tensor((2,), "int32"), (0, 1)),
        (Tensor((2,), "float32"), None),
        (Tensor((2,), "float32", range=(1.0, 1.0)), (0.5, 1.5)),
        (Tensor((2,), "float32", range=(0.0, 0.0)), (-1.0, 1.0)),
        (Tensor((2,), "bool"), None),
    ],
)
def test_values_stay_in_the_range_that_was_seen(tensor: Tensor, bounds: object) -> None:
    [recipe] = recipes(Call(Arguments((tensor,))))
    assert recipe.calls[0].arguments.tensors()[0].range == bounds


def test_the_recording_beside_pyproject_is_found_and_a_named_one_goes_first(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "net.py").write_text("class Net: pass\n")
    symbol = Symbol("pkg.net", "Net", str(tmp_path / "pkg" / "net.py"), str(tmp_path))
    assert [case.name for case in CaseFinder().find(symbol).cases] == ["guess"]
    # Recorded from inside of the folder, so under another import name: the file says which class it is.
    one = RecordedClass(
        "net:Net", "pkg/net.py", 1, Constructor(), (call((2, 3), caller=("tests/test_net.py", 4)),)
    )
    dump(Recording((one,)), tmp_path / "tfmigrate-recording.json")
    [case] = CaseFinder().find(symbol).cases
    assert (case.name, case.origin, case.guessed) == (
        "recorded-1",
        "recorded call from tests/test_net.py:4",
        False,
    )
    dump(
        Recording((replace(one, constructor=Constructor(Arguments((Scalar(3),)))),)), tmp_path / "other.json"
    )
    [case] = CaseFinder(recording=tmp_path / "other.json").find(symbol).cases
    assert isinstance(case.recipe, RecordedRecipe) and case.recipe.constructor == Arguments((Scalar(3),))
    (tmp_path / "tfmigrate-recording.json").write_text("{}")
    found = CaseFinder().find(symbol)
    assert [case.name for case in found.cases] == ["guess"]
    assert "is not a recording of tfmigrate" in found.problems[0]


MODULE = """
import tensorflow as tf

class Cell:
    def __init__(self, units):
        self.units = units

class Net(tf.Module):
    def __init__(self, cell, act):
        super().__init__()
        self.cell, self.act = cell, act

    def __call__(self, x, ids):
        return self.act(x) * self.cell.units + tf.cast(tf.reduce_max(ids), tf.float32)

    @tf.function
    def step(self, x):
        return x + self.cell.units
"""
RUN = """
import pickle, sys
from tfmigrate.verify.worker import subject
case, tree = pickle.loads(sys.stdin.buffer.read())
subject.install_tree(tree)
try:
    made = subject.materialise(case, tree)
except subject.CannotBuild as error:
    print("cannot:", error)
else:
    print([made.target(*call.args, **call.kwargs).shape.as_list() for call in made.invocations])
"""


def replayed(folder: Path, case: Case) -> str:
    import pickle

    (folder / "nets.py").write_text(MODULE)
    top = str(Path(__file__).parent.parent.parent)
    environment = {**os.environ, "PYTHONPATH": top, "CUDA_VISIBLE_DEVICES": "-1"}
    job = pickle.dumps((case, CodeTree((str(folder),))))
    done = subprocess.run(
        [sys.executable, "-c", RUN], input=job, env=environment, capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return done.stdout.decode().strip()


def case_of(name: str, entry: RecordedClass | RecordedFunction) -> Case:
    recording = Recording((entry,)) if isinstance(entry, RecordedClass) else Recording((), (entry,))
    [(origin, recipe)] = recorded_cases(recording, name, "/x/nets.py")[0]
    return Case(name, "recorded-1", origin, False, recipe)


@pytest.mark.tf
def test_a_class_and_a_method_are_made_and_called_again(tmp_path: Path) -> None:
    cell = Made("nets:Cell", Arguments((Scalar(3),)))
    made = Constructor(Arguments((cell, Imported("tensorflow:nn.relu"))))
    ids = Tensor((2, 2), "int64", TensorKind.NUMPY, (5, 9))
    seen = Call(Arguments((Tensor((None, 4), "float32"),), (("ids", ids),)))
    net = RecordedClass("nets:Net", "nets.py", 1, made, (seen,))
    assert replayed(tmp_path, case_of("nets:Net", net)) == "[[2, 4], [3, 4], [2, 4]]"
    step = RecordedFunction("nets:Net.step", "nets.py", 1, calls=(call((2,)),), owner=made)
    assert replayed(tmp_path, case_of("nets:Net.step", step)) == "[[2], [2], [2]]"


@pytest.mark.tf
def test_a_recording_names_nothing_but_the_code_under_test_and_tensorflow(tmp_path: Path) -> None:
    for value in (Made("subprocess:Popen", Arguments((Scalar("true"),))), Imported("os:system")):
        net = RecordedClass(
            "nets:Net", "nets.py", 1, Constructor(Arguments((value, Scalar(1)))), (call((2,)),)
        )
        said = replayed(tmp_path, case_of("nets:Net", net))
        assert said.endswith("was recorded, which is neither of the code under test nor of TensorFlow")
