"""Guesses, without running them: their order, and that what cannot be guessed is not."""

from __future__ import annotations

from tfmigrate.verify.recipes import CallSpec, KerasLayer, Literal, Tensor
from tfmigrate.verify.synthesis import (
    Parameter,
    Shape,
    init_candidates,
    input_candidates,
    read_shape,
    size_hints,
)


def first(parameters: list[Parameter], shape: Shape | None = None, sizes: tuple[int, ...] = ()) -> CallSpec:
    return next(input_candidates(parameters, shape or Shape(), sizes))


def test_required_constructor_arguments_go_by_name_and_annotation() -> None:
    parameters = [
        Parameter("d_model"),
        Parameter("num_heads", "int"),
        Parameter("dropout_rate", "float"),
        Parameter("conv2_filters"),
        Parameter("layer_sizes"),
        Parameter("activation", "str"),
        Parameter("cell"),
        Parameter("flag", "bool"),
        Parameter("optional", "SomethingElse", required=False),
    ]
    assert next(init_candidates(parameters)) == {
        "d_model": Literal(8),
        "num_heads": Literal(2),
        "dropout_rate": Literal(0.25),
        "conv2_filters": Literal(8),
        "layer_sizes": Literal([8, 8]),
        "activation": Literal("relu"),
        "cell": KerasLayer("Dense", (8,)),
        "flag": Literal(True),
    }


def test_no_guess_for_what_has_no_plausible_value() -> None:
    assert list(init_candidates([Parameter("mode", "str")])) == []
    assert list(init_candidates([Parameter("units"), Parameter("opts", "argparse.Namespace")])) == []
    assert list(init_candidates([])) == [{}]


def test_alternatives_are_bounded_and_start_with_the_likeliest() -> None:
    found = list(init_candidates([Parameter(name) for name in "abcdef"]))
    assert len(found) == 24
    assert set(map(repr, found[0].values())) == {repr(Literal(8))}


def test_training_and_optional_arguments_are_not_fed() -> None:
    optional = [Parameter(name, required=False) for name in ("mask", "scale")]
    expected = CallSpec((Tensor(("b", 8)),), {"training": Literal(False)})
    assert first([Parameter("x"), Parameter("training"), *optional]) == expected
    assert first([Parameter("x"), Parameter("mask")]).args == (Tensor(("b", 8)), Tensor(("b", "t"), "bool"))


def test_what_the_source_uses_orders_the_ranks() -> None:
    x = [Parameter("x")]
    assert first(x, Shape(words=frozenset({"Conv2D"}))).args == (Tensor(("b", 8, 8, 8)),)
    assert first(x, Shape(words=frozenset({"LSTM", "Dense"}))).args == (Tensor(("b", "t", 8)),)
    assert first(x, Shape(words=frozenset({"Embedding"}))).args == (Tensor(("b", "t"), "int32", 0, 9),)


def test_names_of_parameters_say_what_they_are() -> None:
    assert first([Parameter("images")]).args == (Tensor(("b", 8, 8, 3)),)
    assert first([Parameter("token_ids")]).args == (Tensor(("b", "t"), "int32", 0, 9),)
    assert first([Parameter("query"), Parameter("value")]).args == (Tensor(("b", "t", 8)),) * 2


def test_every_rank_and_ids_are_tried() -> None:
    shapes = {call.args[0].shape for call in input_candidates([Parameter("x")], Shape())}  # type: ignore[union-attr]
    assert {("b", 8), ("b", "t", 8), ("b", 8, 8, 8), ("b", "t"), ("b",)} <= shapes


def test_unpacked_parameters_and_dicts_of_tensors() -> None:
    source = """
    def call(self, inputs, features):
        q, ids = inputs
        return q + features["price"] + features["item_ids"] + 17
    """
    shape = read_shape(source)
    assert shape.unpacked == {"inputs": ("q", "ids")}
    assert {name: set(keys) for name, keys in shape.keys.items()} == {"features": {"price", "item_ids"}}
    assert shape.numbers == (17,)
    assert first([Parameter("inputs"), Parameter("features")], shape).args == (
        [Tensor(("b", "t", 8)), Tensor(("b", "t"), "int32", 0, 9)],
        {"price": Tensor(("b", 8)), "item_ids": Tensor(("b", "t"), "int32", 0, 9)},
    )


def test_indexed_parameters_may_be_lists() -> None:
    shape = read_shape("def call(self, x): return x[0] + x[1]")
    forms = [call.args[0] for call in input_candidates([Parameter("x")], shape)]
    assert forms[0] == Tensor(("b", 8))
    assert [Tensor(("b", 8)), Tensor(("b", 8))] in forms


def test_constructor_arguments_suggest_the_last_axis() -> None:
    sizes = size_hints({"units": Literal(16), "input_dim": Literal(5), "rate": Literal(0.1)})
    assert sizes == (5, 16)
    assert first([Parameter("x")], sizes=sizes).args == (Tensor(("b", 5)),)


def test_source_that_does_not_parse_says_nothing() -> None:
    assert read_shape("def call(self:") == Shape()
