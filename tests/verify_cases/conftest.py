"""Processes that have imported TensorFlow, one for each Keras flavour, shared by the tests of this folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tfmigrate.verify.prover import PRELOAD
from tfmigrate.verify.run import Zygote

HERE = str(Path(__file__).parent)


def _zygote(keras: str) -> Iterator[Zygote]:
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (HERE, before)))
    try:
        zygote = Zygote(keras, preload=(*PRELOAD, "subject_entries"))
        zygote.__enter__()
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
    yield zygote
    zygote.__exit__(None, None, None)


@pytest.fixture(scope="session")
def keras2() -> Iterator[Zygote]:
    yield from _zygote("2")


@pytest.fixture(scope="session")
def keras3() -> Iterator[Zygote]:
    yield from _zygote("3")


@pytest.fixture(params=["2", "3"])
def zygote(request: pytest.FixtureRequest) -> Zygote:
    """Both flavours, one after the other."""
    found: Zygote = request.getfixturevalue(f"keras{request.param}")
    return found
