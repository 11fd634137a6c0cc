"""Processes that have imported TensorFlow, one for each Keras flavour, shared by the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tfmigrate.verify.run import Zygote


@pytest.fixture(scope="session")
def zygotes() -> Iterator[dict[str, Zygote]]:
    """By flavour: "2" and "3"."""
    with Zygote("3") as three, Zygote("2") as two:
        yield {"3": three, "2": two}
