"""The table that people read, in `tfmigrate explain` and in the README: it says what the codemod writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import migrated, told

from tfmigrate.commands.catalogue import explain
from tfmigrate.commands.request import Format
from tfmigrate.console import Console
from tfmigrate.draws import table
from tfmigrate.draws.listing import listing, markdown, picks
from tfmigrate.exits import Exit

README = Path(__file__).parents[2] / "README.md"

USED = """\
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x, n: int):
    x = tf.nn.relu(x)
    value = {call}
    return tf.gather(x, tf.cast(value, tf.int32))
"""


def test_every_row_of_the_data_is_listed() -> None:
    listed = [call.partition("(")[0] for rows in listing().values() for call, _ in rows]
    assert {f"random.{name}" for name in table.PYTHON} <= set(listed)
    assert {f"np.random.{name}" for name in table.NUMPY} <= set(listed)
    assert {f"rng.{name}" for name in table.GENERATOR.keys() - table.NUMPY.keys()} <= set(listed)


@pytest.mark.parametrize(("call", "expression"), picks(), ids=[call for call, _ in picks()])
def test_picks_are_written_as_listed(call: str, expression: str) -> None:
    result = told(migrated(USED.format(call=call)))
    assert expression in result.after.replace("\n", " ")
    assert not result.refused


def test_the_readme_shows_the_table() -> None:
    _, _, behind = README.read_text().partition("<!-- draws -->\n")
    shown, end, _ = behind.partition("<!-- /draws -->")
    assert end and shown.strip() == markdown()


@pytest.mark.parametrize("name", ["TFM201", "TFM206", "random_to_tf"])
def test_explain_shows_the_table(name: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert explain(name, Format.TEXT, Console()) is Exit.DONE
    lines = {" ".join(line.split()) for line in capfdbinary.readouterr().out.decode().splitlines()}
    assert {f"{call} {expression}" for rows in listing().values() for call, expression in rows} <= lines
