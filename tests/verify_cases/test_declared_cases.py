"""``[[tool.tfmigrate.case]]``: tables become recipes, and mistakes become sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate.verify.declared import read_declared
from tfmigrate.verify.recipes import CallSpec, DeclaredRecipe, Literal, Tensor


def read(tmp_path: Path, text: str) -> tuple[list[DeclaredRecipe], tuple[str, ...]]:
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    found, problems = read_declared(path, "pyproject.toml")
    return [declared.recipe for declared in found], problems


def test_sizes_and_alternatives_go_side_by_side(tmp_path: Path) -> None:
    (recipe,), problems = read(
        tmp_path,
        """
        [[tool.tfmigrate.case]]
        symbol = "shop.model:Net"
        init = { units = 4, sizes = [1, 2] }
        inputs = [
            { shape = ["b", "t", 8], range = [-2, 2] },
            { shape = ["b", "t"], dtype = "int64", range = [0, 49] },
        ]
        kwargs = { training = [false, true] }
        dims = { b = [1, 3], t = 5 }
        """,
    )
    assert problems == ()
    assert recipe.init_kwargs == {"units": Literal(4), "sizes": [Literal(1), Literal(2)]}

    def call(b: int, training: bool) -> CallSpec:
        ids = Tensor((b, 5), "int64", 0, 49)
        return CallSpec((Tensor((b, 5, 8), "float32", -2, 2), ids), {"training": Literal(training)})

    assert recipe.calls == (call(1, False), call(3, True), call(1, False))


def test_names_without_sizes_take_two_batches_and_two_lengths(tmp_path: Path) -> None:
    (recipe,), _ = read(
        tmp_path, '[[tool.tfmigrate.case]]\nsymbol = "a:B"\ninputs = [{ shape = ["n", "t", 8] }]\n'
    )
    assert [call.args[0].shape for call in recipe.calls] == [(2, 5, 8), (3, 7, 8), (2, 5, 8)]  # type: ignore[union-attr]


def test_nested_inputs_and_values(tmp_path: Path) -> None:
    (recipe,), _ = read(
        tmp_path,
        """
        [[tool.tfmigrate.case]]
        symbol = "a:B"
        init = [3, "relu"]
        method = "encode"
        inputs = [[{ shape = [2] }, { values = [[1, 2]], dtype = "int32" }], { image = { shape = [2, 2] } }]
        """,
    )
    assert recipe.init_args == (Literal(3), Literal("relu"))
    assert recipe.method == "encode"
    pair = [Tensor((2,)), Tensor((), "int32", values=[[1, 2]])]
    assert recipe.calls[0] == CallSpec((pair, {"image": Tensor((2, 2))}))
    assert len(recipe.calls) == 3


def test_calls_are_taken_one_by_one(tmp_path: Path) -> None:
    (recipe,), _ = read(
        tmp_path,
        """
        [[tool.tfmigrate.case]]
        symbol = "a:B"
        dims = { b = [1, 4] }
        calls = [
            { inputs = [{ shape = ["b"] }] },
            { inputs = [{ shape = [9] }], kwargs = { mask = { shape = [9], dtype = "bool" } } },
        ]
        """,
    )
    assert recipe.calls == (
        CallSpec((Tensor((1,)),)),
        CallSpec((Tensor((4,)),)),
        CallSpec((Tensor((9,)),), {"mask": Tensor((9,), "bool")}),
    )


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("inputs = []", 'symbol is missing; write symbol = "pkg.mod:Net"'),
        ('symbol = "a:B"', 'inputs is missing; write inputs = [{ shape = ["b", 8] }]'),
        ('symbol = "a:B"\ninput = []', "unknown key 'input'; did you mean 'inputs'?"),
        (
            'symbol = "a:B"\ninit = 3',
            "init must be a table of keyword arguments or a list of positional ones",
        ),
        (
            'symbol = "a:B"\ninputs = { shape = [1] }',
            "inputs must be a list with one entry for each positional argument",
        ),
        (
            'symbol = "a:B"\ninputs = [{ shape = [1], dtype = "float3" }]',
            "inputs[0]: unknown dtype 'float3'; did you mean 'float32'?",
        ),
        (
            'symbol = "a:B"\ninputs = [{ shape = [-1] }]',
            'inputs[0]: shape must be a list of sizes and names of sizes, as in ["b", 8]',
        ),
        (
            'symbol = "a:B"\ninputs = [{ shape = [1], range = [2, 1] }]',
            "inputs[0]: range must be [smallest, largest]",
        ),
        (
            'symbol = "a:B"\ninputs = [{ shape = [1] }]\ndims = { b = "x" }',
            "dims.b must be a size or a list of sizes",
        ),
        (
            'symbol = "a:B"\ninputs = [{ shape = [1] }]\ncalls = [{}]',
            "give either calls, or inputs and kwargs, not both",
        ),
        ('symbol = "a:B"\ncalls = [{ args = [] }]', "unknown key 'args' in calls[0]; did you mean 'kwargs'?"),
    ],
)
def test_mistakes_are_sentences(tmp_path: Path, table: str, problem: str) -> None:
    good = '[[tool.tfmigrate.case]]\nsymbol = "a:C"\ninputs = [{ shape = [1] }]\n'
    recipes, problems = read(tmp_path, f"{good}[[tool.tfmigrate.case]]\n{table}\n")
    assert len(recipes) == 1
    assert problems == (f"pyproject.toml: [[tool.tfmigrate.case]] 2: {problem}",)


def test_files_that_are_no_list_of_tables(tmp_path: Path) -> None:
    assert read(tmp_path, "[tool.other]\n") == ([], ())
    assert read(tmp_path, "tool = 3\n") == ([], ())
    assert "two brackets" in read(tmp_path, '[tool.tfmigrate.case]\nsymbol = "a:B"\n')[1][0]
    assert "cannot be read" in read(tmp_path, "[tool\n")[1][0]
