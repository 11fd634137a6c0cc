"""Which names are needed after a statement."""

from __future__ import annotations

import ast

import pytest

from tfmigrate.flow.liveness import liveness


def after(text: str, marked: str) -> set[str]:
    """Names that are needed after the statement that begins with ``marked``."""
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    (statement,) = (
        node
        for node in ast.walk(function)
        if isinstance(node, ast.stmt) and ast.unparse(node).startswith(marked)
    )
    return set(liveness(function).after[id(statement)])


@pytest.mark.parametrize(
    ("body", "needed"),
    [
        ("a = 1\n    return a", {"a"}),
        ("a = 1\n    a = 2\n    return a", set()),
        ("a = 1\n    a += b\n    return a", {"a", "b"}),
        ("a = 1\n    if c:\n        a = 2\n    return a", {"a", "c"}),
        ("a = 1\n    if c:\n        a = 2\n    else:\n        a = 3\n    return a", {"c"}),
        ("a = 1\n    if c:\n        return d\n    a = 2\n    return a", {"c", "d"}),
        ("a = 1\n    for i in x:\n        b = a\n        a = i\n    return b", {"a", "b", "x"}),
        ("a = 1\n    for i in x:\n        a = i\n    return a", {"a", "x"}),
        ("a = 1\n    for i in x:\n        if i:\n            break\n        a = 2\n    return a", {"a", "x"}),
        ("a = 1\n    while a:\n        a = f(a)\n    return b", {"a", "b", "f"}),
        ("a = 1\n    with t as b:\n        a = b\n    return a", {"t"}),
        ("a = 1\n    try:\n        a = f()\n    except E:\n        pass\n    return a", {"a", "f", "E"}),
        ("a = 1\n    g = lambda: a\n    a = 2\n    return g", {"a"}),
        ("a = 1\n    def g():\n        return a\n    a = 2\n    return g", {"a"}),
    ],
)
def test_after_the_first_statement(body: str, needed: set[str]) -> None:
    assert after(f"def function(x, b, c, d):\n    {body}", "a = 1") == needed


def test_the_end_of_a_loop_needs_what_its_next_turn_reads() -> None:
    text = "def function(x):\n    h = 0\n    for t in x:\n        y = h\n        h = step(t)\n    return 1"
    assert after(text, "h = step(t)") == {"h", "step"}
