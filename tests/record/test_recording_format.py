"""The recording file: what is written comes back, wrong files say what to do, calls fold over their sizes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tfmigrate.record.format import (
    Arguments,
    Array,
    Call,
    CallMode,
    Constructor,
    DictOf,
    Imported,
    KerasObject,
    ListOf,
    Made,
    Opaque,
    RecordedClass,
    RecordedFunction,
    Recording,
    RecordingError,
    Scalar,
    Tensor,
    TensorKind,
    TupleOf,
    dump,
    folded,
    load,
    merged,
)


def call(*shapes: tuple[int | str | None, ...], dtype: str = "float32") -> Call:
    return Call(Arguments(tuple(Tensor(shape, dtype) for shape in shapes)))


def shapes(seen: Call) -> list[object]:
    return [tensor.shape for tensor in seen.arguments.tensors()]


EVERYTHING = Recording(
    classes=(
        RecordedClass(
            "pkg.net:Net",
            "pkg/net.py",
            12,
            Constructor(
                Arguments(
                    (Scalar(4), Scalar(None), Scalar(float("inf")), Imported("pkg.net:swish")),
                    (
                        ("table", Array((2, 2), "float32", (1.0, 2.0, 3.0, 4.0))),
                        ("inner", KerasObject('{"class_name": "Dense", "config": {"units": 3}}')),
                        ("sizes", ListOf((Scalar(1), TupleOf((Scalar(True), Scalar("x")))))),
                        ("cell", Made("pkg.net:Cell", Arguments((Scalar(3),), (("depth", Scalar(2)),)))),
                        ("hook", Opaque("<function <lambda> at 0x7f>")),
                    ),
                ),
                from_config=True,
            ),
            (
                Call(
                    Arguments(
                        (
                            Tensor((None, 8), "float32", range=(-1.5, 2.0), seen=((2, 8), (3, 8))),
                            DictOf((("ids", Tensor(("b", "b"), "int64", TensorKind.RAGGED, (0, 9))),)),
                        ),
                        (("training", Scalar(True)),),
                    ),
                    True,
                    True,
                    CallMode.FIT,
                    ("tests/test_net.py", 40),
                    12,
                    1,
                    "ValueError: too small",
                    "samples/0003.npz",
                ),
            ),
            3,
            True,
        ),
    ),
    functions=(
        RecordedFunction(
            "pkg.net:Net.step", "pkg/net.py", 30, True, True, 7, (call((2,)),), Constructor(), 5
        ),
    ),
    versions={"tensorflow": "2.21.0", "keras": "3.15.0", "python": "3.11.7"},
)


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    from dataclasses import replace

    path = tmp_path / "recording.json"
    dump(EVERYTHING, path)
    assert load(path) == replace(EVERYTHING, folder=str(tmp_path))
    assert [entry.name for entry in tmp_path.iterdir()] == ["recording.json"]
    assert (
        '"tensor": {"shape": [2], "dtype": "float32", "kind": "tensor", "range": null, "rank": 1}'
        in path.read_text()
    )


def test_a_file_that_is_no_json_object_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    for text, message in (
        ("", "is not JSON"),
        ("[1]", "is not a recording of tfmigrate"),
        ('{"tfmigrate_recording": 2}', "was written by a later tfmigrate \\(format 2, this one reads 1\\)"),
    ):
        path.write_text(text)
        with pytest.raises(RecordingError, match=message):
            load(path)
    with pytest.raises(RecordingError, match="cannot be read: No such file"):
        load(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ({"value": [1]}, "there is no value"),
        ({"tensor": {"shape": [-1], "dtype": "int32"}}, "a dim must be a number, a name or null, not -1"),
        ({"tensor": {"shape": [1]}}, "'dtype' is missing"),
        ({"tensor": {"shape": [1], "dtype": "int32", "kind": "odd"}}, "'odd' is none of tensor, numpy"),
        ({"array": {"shape": [3], "dtype": "int32", "data": [1]}}, r"shape \[3\] has not 1 elements"),
        ({"import": "os.system"}, "there is no value"),
        ({}, "must be an object with one key"),
    ],
)
def test_an_edited_file_that_cannot_be_says_where(tmp_path: Path, value: object, complaint: str) -> None:
    path = tmp_path / "r.json"
    entry = {"name": "a:B", "constructor": {"args": [value]}}
    path.write_text(json.dumps({"tfmigrate_recording": 1, "classes": [entry]}))
    with pytest.raises(
        RecordingError, match=rf"r\.json: classes\[0\]\.constructor\.args\[0\]: .*{complaint}"
    ):
        load(path)


def test_a_sample_outside_of_the_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    for sample in ("/etc/passwd", "../x.npz"):
        entry = {"name": "a:B", "calls": [{"sample": sample}]}
        path.write_text(json.dumps({"tfmigrate_recording": 1, "classes": [entry]}))
        with pytest.raises(RecordingError, match="must lie below the recording's folder"):
            load(path)


def test_sizes_that_vary_together_share_a_symbol() -> None:
    [one] = folded([call((2, 8), (2, 5)), call((3, 8), (3, 7))])
    assert shapes(one) == [("b", 8), ("b", None)]
    assert [tensor.seen for tensor in one.arguments.tensors()] == [((2, 8), (3, 8)), ((2, 5), (3, 7))]
    assert one.count == 2


def test_equal_sizes_of_one_call_are_no_proof() -> None:
    [one] = folded([call((4, 4)), call((4, 4))])
    assert shapes(one) == [(4, 4)] and one.count == 2
    assert one.arguments.tensors()[0].seen == ()
    [one] = folded([call((4, 4)), call((4, 5))])
    assert shapes(one) == [(4, None)]


def test_a_third_call_can_part_what_two_had_in_common() -> None:
    [one] = folded([call((2, 2)), call((3, 3)), call((4, 5))])
    assert shapes(one) == [(None, None)]
    [one] = folded([call((2, 2)), call((3, 3)), call((4, 4))])
    assert shapes(one) == [("b", "b")]


def test_rank_dtype_structure_and_values_are_not_folded() -> None:
    calls = [call((2,)), call((2, 1)), call((2,), dtype="int32"), Call(Arguments((Scalar(1),)))]
    calls += [Call(Arguments((Scalar(1.0),))), Call(Arguments((Scalar(True),)))]
    assert folded(calls) == tuple(calls)


def test_keywords_fold_in_any_order() -> None:
    left = Call(Arguments((), (("a", Tensor((2,), "float32")), ("b", Tensor((9,), "float32")))))
    right = Call(Arguments((), (("b", Tensor((9,), "float32")), ("a", Tensor((3,), "float32")))))
    [one] = folded([left, right])
    assert [(name, value.shape) for name, value in one.arguments.kwargs] == [("a", (None,)), ("b", (9,))]  # type: ignore[union-attr]


def test_merging_is_the_same_in_one_step_and_in_two() -> None:
    parts = [
        Recording((RecordedClass("a:B", "a.py", 1, Constructor(), (call((n, 8), (n, n)),)),))
        for n in (2, 3, 4)
    ]
    at_once = merged(parts)
    assert merged([merged(parts[:2]), parts[2]]) == at_once
    [cls] = at_once.classes
    assert cls.instances == 3 and shapes(cls.calls[0]) == [("b", 8), ("b", "b")]


def test_other_constructor_arguments_are_another_entry() -> None:
    made = [RecordedClass("a:B", "a.py", 1, Constructor(Arguments((Scalar(n),)))) for n in (1, 1.0, 1)]
    counts = [
        (cls.constructor.arguments.args, cls.instances)
        for cls in merged([Recording((m,)) for m in made]).classes
    ]
    assert counts == [((Scalar(1),), 2), ((Scalar(1.0),), 1)]


def test_traces_add_up() -> None:
    parts = [RecordedFunction("a:f", "a.py", 1, traces=n, calls=(call((n,)),)) for n in (2, 3)]
    [function] = merged([Recording((), (part,)) for part in parts]).functions
    assert function.traces == 5 and shapes(function.calls[0]) == [(None,)]
