"""Reads ``[[tool.tfmigrate.case]]`` of pyproject.toml: cases that are simple enough to be written as tables.

::

    [[tool.tfmigrate.case]]
    symbol = "shop.model:Net"
    init = { units = 4 }                                   # or a list of positional arguments
    inputs = [{ shape = ["b", "t", 8], dtype = "float32", range = [-1, 1] }]
    kwargs = { training = [false, true] }                  # a list: one value for each call in turn
    dims = { b = [1, 3], t = 5 }                           # two batch sizes: is the graph traced again?
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfmigrate.toml import read_toml
from tfmigrate.verify.recipes import (
    CallSpec,
    DeclaredRecipe,
    Literal,
    Structure,
    Tensor,
    bind_call,
    dim_names,
    tensors,
)

FEWEST_CALLS = 3
DEFAULT_BATCHES = (2, 3)
DEFAULT_LENGTHS = (5, 7)
DTYPES = frozenset(
    {"float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16"}
    | {"uint32", "uint64", "bool", "string", "complex64", "complex128"}
)
_CASE_KEYS = ("symbol", "name", "init", "inputs", "kwargs", "dims", "calls", "method")
_TENSOR_KEYS = ("shape", "dtype", "range", "values")
_CALL_KEYS = ("inputs", "kwargs")


@dataclass(frozen=True, slots=True)
class Declared:
    """One table: the symbol it is for, its name, and its recipe."""

    symbol: str
    name: str
    number: int
    """Counts the tables from 1."""
    recipe: DeclaredRecipe


class _Wrong(Exception):
    """A table that cannot be used; the message is for its owner."""


def read_declared(path: Path, printed: str) -> tuple[tuple[Declared, ...], tuple[str, ...]]:
    """The tables of a pyproject.toml, and what is wrong with those that cannot be used (sentences)."""
    try:
        document = read_toml(path)
    except (OSError, ValueError) as error:
        return (), (f"{printed}: cannot be read: {error}",)
    tool = document.get("tool", {})
    tables = tool.get("tfmigrate", {}).get("case", []) if isinstance(tool, dict) else []
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        return (), (f"{printed}: write [[tool.tfmigrate.case]] with two brackets: it is a list of tables",)
    found, problems = [], []
    for number, table in enumerate(tables, start=1):
        try:
            found.append(_read_table(number, table))
        except _Wrong as error:
            problems.append(f"{printed}: [[tool.tfmigrate.case]] {number}: {error}")
    return tuple(found), tuple(problems)


def _read_table(number: int, table: Mapping[str, Any]) -> Declared:
    _check_keys(table, _CASE_KEYS, "")
    symbol = table.get("symbol")
    if not isinstance(symbol, str) or not symbol:
        raise _Wrong('symbol is missing; write symbol = "pkg.mod:Net"')
    for key in ("name", "method"):
        if not isinstance(table.get(key, ""), str):
            raise _Wrong(f"{key} must be a string")
    args, kwargs = _read_init(table.get("init", {}))
    recipe = DeclaredRecipe(args, kwargs, _read_calls(table), table.get("method", ""))
    return Declared(symbol, table.get("name", ""), number, recipe)


def _read_init(init: Any) -> tuple[tuple[Structure, ...], dict[str, Structure]]:
    if isinstance(init, list):
        return tuple(_read_value(value, "init") for value in init), {}
    if isinstance(init, dict):
        return (), {name: _read_value(value, f"init.{name}") for name, value in init.items()}
    raise _Wrong("init must be a table of keyword arguments or a list of positional ones")


def _read_calls(table: Mapping[str, Any]) -> tuple[CallSpec, ...]:
    dims = _read_dims(table.get("dims", {}))
    if "calls" in table:
        if "inputs" in table or "kwargs" in table:
            raise _Wrong("give either calls, or inputs and kwargs, not both")
        if not isinstance(table["calls"], list) or not table["calls"]:
            raise _Wrong("calls must be a list of tables {inputs = [...], kwargs = {...}}")
        templates = [_read_call(call, f"calls[{i}]") for i, call in enumerate(table["calls"])]
        return tuple(call for template in templates for call in expand(template, {}, dims, fewest=1))
    if "inputs" not in table and not table.get("kwargs"):
        raise _Wrong('inputs is missing; write inputs = [{ shape = ["b", 8] }]')
    varied = {
        name: value if isinstance(value, list) and value else [value]
        for name, value in _table(table.get("kwargs", {}), "kwargs").items()
    }
    alternatives = {
        name: tuple(_read_value(value, f"kwargs.{name}") for value in values)
        for name, values in varied.items()
    }
    return expand(CallSpec(_read_inputs(table.get("inputs", []), "inputs"), {}), alternatives, dims)


def _read_call(call: Any, where: str) -> CallSpec:
    call = _table(call, where)
    _check_keys(call, _CALL_KEYS, f" in {where}")
    kwargs = _table(call.get("kwargs", {}), f"{where}.kwargs")
    return CallSpec(
        _read_inputs(call.get("inputs", []), f"{where}.inputs"),
        {name: _read_value(value, f"{where}.kwargs.{name}") for name, value in kwargs.items()},
    )


def _read_inputs(inputs: Any, where: str) -> tuple[Structure, ...]:
    if not isinstance(inputs, list):
        raise _Wrong(f"{where} must be a list with one entry for each positional argument")
    return tuple(_read_value(value, f"{where}[{i}]") for i, value in enumerate(inputs))


def _read_value(value: Any, where: str) -> Structure:
    """A table with ``shape`` or ``values`` is a tensor; other values are passed as they are."""
    if isinstance(value, dict) and ("shape" in value or "values" in value):
        return _read_tensor(value, where)
    if isinstance(value, dict):
        return {name: _read_value(part, f"{where}.{name}") for name, part in value.items()}
    if isinstance(value, list):
        return [_read_value(part, f"{where}[{i}]") for i, part in enumerate(value)]
    return Literal(value)


def _read_tensor(table: Mapping[str, Any], where: str) -> Tensor:
    _check_keys(table, _TENSOR_KEYS, f" in {where}")
    dtype = table.get("dtype", "float32")
    if dtype not in DTYPES:
        raise _Wrong(f"{where}: unknown dtype {dtype!r}{_nearest(str(dtype), DTYPES)}")
    if "values" in table:
        return Tensor((), dtype, values=table["values"])
    shape = table["shape"]
    if not isinstance(shape, list) or not all(
        (isinstance(dim, int) and not isinstance(dim, bool) and dim >= 0) or (isinstance(dim, str) and dim)
        for dim in shape
    ):
        raise _Wrong(f'{where}: shape must be a list of sizes and names of sizes, as in ["b", 8]')
    low, high = _read_range(table.get("range"), where)
    return Tensor(tuple(shape), dtype, low, high)


def _read_range(bounds: Any, where: str) -> tuple[float | None, float | None]:
    if bounds is None:
        return None, None
    pair = isinstance(bounds, list) and len(bounds) == 2
    if not pair or not all(isinstance(b, (int, float)) for b in bounds) or bounds[0] > bounds[1]:
        raise _Wrong(f"{where}: range must be [smallest, largest]")
    return bounds[0], bounds[1]


def _read_dims(dims: Any) -> dict[str, tuple[int, ...]]:
    found = {}
    for name, sizes in _table(dims, "dims").items():
        values = sizes if isinstance(sizes, list) else [sizes]
        if not values or not all(isinstance(v, int) and not isinstance(v, bool) and v >= 0 for v in values):
            raise _Wrong(f"dims.{name} must be a size or a list of sizes")
        found[name] = tuple(values)
    return found


def expand(
    template: CallSpec,
    alternatives: Mapping[str, Sequence[Structure]],
    dims: Mapping[str, Sequence[int]],
    fewest: int = FEWEST_CALLS,
) -> tuple[CallSpec, ...]:
    """Calls that go through all sizes and alternatives side by side, at least ``fewest``.

    A name without sizes takes 2 and 3 where it is the first size of a tensor (the batch), else 5 and 7.
    """
    names = dim_names(template)
    batches = {t.shape[0] for t in tensors((*template.args, *template.kwargs.values())) if t.shape}
    sizes = {
        name: tuple(dims.get(name, DEFAULT_BATCHES if name in batches else DEFAULT_LENGTHS)) for name in names
    }
    longest = max([fewest, *(len(values) for values in (*sizes.values(), *alternatives.values()))])
    calls = []
    for number in range(longest):
        bound = bind_call(template, {name: values[number % len(values)] for name, values in sizes.items()})
        chosen = {name: values[number % len(values)] for name, values in alternatives.items()}
        calls.append(CallSpec(bound.args, {**bound.kwargs, **chosen}))
    return tuple(calls)


def _table(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong(f"{where} must be a table")
    return value


def _check_keys(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise _Wrong(f"unknown key {key!r}{where}{_nearest(key, known)}")


def _nearest(word: str, known: Sequence[str] | frozenset[str]) -> str:
    close = difflib.get_close_matches(word, sorted(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
