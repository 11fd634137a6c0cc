"""Each row of the table, and each way to pick: what TensorFlow draws is distributed as what the original draws."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from harness import migrated, told
from numpy.typing import NDArray
from statistics_of_draws import Sample, chi_square_excess, ks_excess

from tfmigrate.draws import table
from tfmigrate.draws.table import Result, Row

COUNT = 4000
MODULES = {"random": "random", "numpy.random": "np.random", "numpy.random.Generator": "rng"}
PICKS = (
    "random.choice([0.5, 1.0, 2.0])",
    "np.random.choice(5)",
    "np.random.choice([-1, 1])",
    "np.random.choice(3, p=[0.2, 0.3, 0.5])",
    "np.random.choice(6, 2, replace=False)",
    "np.random.choice(3, 2, p=[0.2, 0.3, 0.5])",
    "np.random.permutation(5)",
    "random.sample(range(6), 2)",
    "random.choices([1, 2, 3], k=2)",
    "random.choices([1, 2, 3], weights=[1, 1, 2], k=2)",
)


@dataclass(frozen=True)
class Drawn:
    """One call of the original."""

    code: str
    row: Row | None
    arguments: str = ""
    meets: str = ""
    """An expression of dtype float32 that adds nothing."""

    @property
    def is_whole(self) -> bool:
        if self.row is not None:
            return self.row.result is Result.INT
        return "0.5, 1.0" not in self.code

    def originals(self) -> Sample:
        """Many draws of the original, along the first axis."""
        random.seed(21)
        np.random.seed(22)
        names = {"random": random, "np": np, "rng": np.random.default_rng(23)}
        code = compile(self.code, "<draw>", "eval")
        first = np.asarray(eval(code, names))
        rounds = 1 if first.ndim and len(first) >= COUNT else COUNT
        return np.asarray(
            [eval(code, names) for _ in range(rounds)] if rounds > 1 else first, dtype=np.float64
        )


def _drawn() -> list[Drawn]:
    found = []
    rows = [
        ("random", table.PYTHON),
        ("numpy.random", table.NUMPY),
        ("numpy.random.Generator", table.GENERATOR),
    ]
    for library, functions in rows:
        for name, row in functions.items():
            met = ("", "tf.constant(0.0) + ") if row.result is Result.INT and not row.vector else ("",)
            for arguments, meets in itertools.product(row.samples, met):
                size = {"": "", "*": str(COUNT)}.get(row.size, f"size={COUNT}")
                given = ", ".join(part for part in (arguments, size) if part)
                found.append(Drawn(f"{MODULES[library]}.{name}({given})", row, arguments, meets))
    return [*found, *(Drawn(code, None) for code in PICKS)]


DRAWS = _drawn()


@pytest.fixture(scope="module")
def tensorflows(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, NDArray[np.generic]]:
    """Name -> what the rewritten functions draw, all in one process."""
    lines = [
        "import random",
        "import numpy as np",
        "import tensorflow as tf",
        "rng = np.random.default_rng()",
    ]
    for number, draw in enumerate(DRAWS):
        lines += [
            "@tf.function",
            f"def draw_{number}():",
            f"    return tf.convert_to_tensor({draw.meets}{draw.code})",
        ]
    result = told(migrated("\n".join(lines) + "\n"))
    assert result.refused == []
    assert len(result.rewritten) == len(DRAWS)
    folder = tmp_path_factory.mktemp("draws")
    (folder / "rewritten.py").write_text(result.after)
    worker = Path(__file__).with_name("draw_many.py")
    command = [sys.executable, str(worker), "rewritten.py", "drawn.npz", str(COUNT)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(np.load(folder / "drawn.npz"))


@pytest.mark.tf
@pytest.mark.parametrize("number", range(len(DRAWS)), ids=[draw.meets + draw.code for draw in DRAWS])
def test_draws_like_the_original(number: int, tensorflows: Mapping[str, NDArray[np.generic]]) -> None:
    draw, got = DRAWS[number], tensorflows[f"draw_{number}"]
    original = draw.originals()
    assert got.dtype == (np.int32 if draw.is_whole and not draw.meets else np.float32)
    assert got.shape == original.shape
    _assert_supported(draw, got)
    excess = chi_square_excess if draw.is_whole or draw.row is None else ks_excess
    columns = [(got, original)] if got.ndim == 1 else list(zip(got.T, original.T, strict=True))
    for mine, other in columns:
        rounded = other.astype(mine.dtype).astype(np.float64)
        assert excess(mine.astype(np.float64), rounded) < 1


def _assert_supported(draw: Drawn, got: NDArray[np.generic]) -> None:
    if draw.row is None or not draw.row.support:
        return
    names = [name for name, _ in draw.row.parameters if name != draw.row.size]
    defaults = {name: eval(default) for name, default in draw.row.parameters if default}
    arguments = eval(f"({draw.arguments},)") if draw.arguments else ()
    if len(arguments) == 1 and len(names) == 2 and draw.row.result is Result.INT and names[1] not in defaults:
        arguments = (0, *arguments)
    given = defaults | dict(zip(names, arguments, strict=False))
    assert all(eval(draw.row.support, {"v": value, **given}) for value in got.ravel().tolist())
    if draw.row.result is Result.INT and draw.row.vector is False and "high" in given | {"high": 0}:
        reached = set(got.ravel().tolist())
        if len(reached) < 10:
            assert reached == {v for v in range(-20, 20) if eval(draw.row.support, {"v": v, **given})}


def test_the_statistics_tell_distributions_apart() -> None:
    numbers = np.random.default_rng(24)
    uniform = numbers.uniform(-2, 3, COUNT)
    assert ks_excess(uniform, numbers.uniform(-2, 3, COUNT)) < 1
    assert ks_excess(uniform, numbers.uniform(-2, 2.6, COUNT)) > 1
    assert ks_excess(numbers.normal(0, 1, COUNT), numbers.normal(0, 1.2, COUNT)) > 1
    whole = numbers.integers(3, 7, COUNT).astype(float)
    assert chi_square_excess(whole, numbers.integers(3, 7, COUNT).astype(float)) < 1
    assert chi_square_excess(whole, numbers.integers(3, 6, COUNT).astype(float)) > 1
    assert chi_square_excess(whole, numbers.integers(3, 8, COUNT).astype(float)) > 1


def test_every_row_is_drawn() -> None:
    drawn = {id(draw.row) for draw in DRAWS}
    for functions in (table.PYTHON, table.NUMPY, table.GENERATOR):
        assert {id(row) for row in functions.values()} <= drawn
