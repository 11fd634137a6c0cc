"""What counts as a difference between two versions of a module."""

from __future__ import annotations

import pytest

from tfmigrate.verify.symbols import Differing, differing

BEFORE = b'''
import numpy as np
SCALE = 2
OTHER = 3

def helper(x):
    return x * SCALE

def outer(x):
    return helper(x)

def apart(x):
    return x

class Net:
    """Doc."""
    def call(self, x):
        # comment
        return x + OTHER

    class Config:
        units = 1
'''


def both(before: bytes, after: bytes) -> set[str]:
    found = differing(before, after)
    assert not found.new and not found.gone
    return set(found.both)


def test_layout_comments_and_docstrings_do_not_count() -> None:
    after = (
        BEFORE.replace(b"# comment", b"# other")
        .replace(b'"""Doc."""', b'"""New."""')
        .replace(b"x + OTHER", b"(x+OTHER)")
    )
    assert both(BEFORE, after) == set()
    assert both(b"def f():\n    '''Doc.'''\n", b"def f():\n    pass\n") == set()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"x + OTHER", b"x - OTHER", {"Net"}),
        (b"units = 1", b"units = 2", {"Net"}),
        (b"OTHER = 3", b"OTHER = 4", {"Net"}),
        (b"SCALE = 2", b"SCALE = 4", {"helper", "outer"}),
        (b"x * SCALE", b"x / SCALE", {"helper", "outer"}),
        (b"import numpy as np", b"import jax as np", set()),
    ],
)
def test_what_differs_and_what_mentions_it(old: bytes, new: bytes, expected: set[str]) -> None:
    assert both(BEFORE, BEFORE.replace(old, new)) == expected


def test_new_and_gone_definitions() -> None:
    after = BEFORE.replace(b"def apart", b"def moved").replace(b"return x\n", b"return x\n\n", 1)
    found = differing(BEFORE, after)
    assert found == Differing(frozenset(), frozenset({"moved"}), frozenset({"apart"}))
    after = BEFORE.replace(b"def helper", b"def renamed")
    assert differing(BEFORE, after).both == {"outer"}


def test_definitions_under_if_and_try_count() -> None:
    before = b"try:\n    def f(): return 1\nexcept ImportError:\n    def f(): return 2\n"
    assert both(before, before.replace(b"2", b"3")) == {"f"}


def test_a_file_that_does_not_parse_is_said() -> None:
    with pytest.raises(SyntaxError):
        differing(b"def f(:", BEFORE)
