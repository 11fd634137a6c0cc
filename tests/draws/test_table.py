"""The table as data: what is documented, and what each row needs to be written."""

from __future__ import annotations

import re

import pytest

from tfmigrate import registry
from tfmigrate.draws import table
from tfmigrate.draws.table import Row

ROWS = [
    *(pytest.param(name, row, id=f"random.{name}") for name, row in table.PYTHON.items()),
    *(pytest.param(name, row, id=f"numpy.{name}") for name, row in table.NUMPY.items()),
    *(pytest.param(name, row, id=f"generator.{name}") for name, row in table.GENERATOR.items()),
]


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_every_placeholder_is_a_parameter(name: str, row: Row) -> None:
    known = {"tf", "random", "shape", "dtype"}
    parameters = {"shape_" if parameter == "shape" else parameter for parameter, _ in row.parameters}
    for expression in filter(None, (row.expression, row.short)):
        used = re.findall(r"\{([^{}]+)\}", expression)
        assert {one.removesuffix("+1").removeprefix("2**") for one in used} <= known | parameters


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_what_is_evaluated_twice_is_said(name: str, row: Row) -> None:
    for parameter, _ in row.parameters:
        placeholder = "shape_" if parameter == "shape" else parameter
        count = len(re.findall(r"\{(?:2\*\*)?" + placeholder + r"(?:\+1)?\}", row.expression))
        assert (count > 1) <= (parameter in row.twice)


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_every_row_is_in_the_documentation(name: str, row: Row) -> None:
    codemod = next(one for one in registry.codemods() if one.name == "random_to_tf")
    assert re.search(rf"\b{name}\b", registry.documentation(codemod))


def test_a_function_is_known_in_one_way_only() -> None:
    for functions in (table.PYTHON, table.NUMPY, table.GENERATOR):
        assert not functions.keys() & table.SEEDS
    assert not table.OTHERS & (table.NUMPY.keys() | table.GENERATOR.keys())
