"""What holds of every rewrite, tried on random classes."""

from __future__ import annotations

import ast

from grammar import HEAD, TAIL, modules
from harness import migrated
from hypothesis import HealthCheck, given, settings
from recorder import result

from tfmigrate.results import Patch

_SETTINGS = settings(
    max_examples=80, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None
)
_RUNS = [
    ((3, [2, 6], True, "a", None), (None, False)),
    ((4, [1], False, "b", 9), (2, True)),
    ((5, [7, 8, 9], False, "c", None), ([3, 4], False)),
    ((1, [3], True, "b", 2), (None, True)),
    ((6, [2, 2], True, "c", 5), (0, True)),
]


@_SETTINGS
@given(modules())
def test_every_place_is_rewritten_or_refused_and_nothing_else_changes(text: str) -> None:
    patch = migrated(text)
    assert isinstance(patch, Patch), patch
    assert patch.after.startswith(HEAD) and patch.after.endswith(TAIL)
    assert sorted((one.site.line, one.site.column) for one in patch.findings) == _places(text)
    again = migrated(patch.after)
    assert isinstance(again, Patch), again
    assert again.after == patch.after
    assert not [one for one in again.findings if one.refused is None]


@_SETTINGS
@given(modules())
def test_the_same_layers_are_made_and_applied_as_in_the_first_call(text: str) -> None:
    patch = migrated(text)
    assert isinstance(patch, Patch), patch
    if patch.after == text:
        return
    for init, call in _RUNS:
        stage, before = result(text, init, call)
        if stage:
            continue  # What does not run before need not run after.
        stage, after = result(patch.after, init, call)
        assert (stage, after[:1]) == ("", before[:1])
        assert after[1] == after[0] or "self.lazy" in text or "self.kept" in text


def _places(text: str) -> list[tuple[int, int]]:
    """Line and column of every construction in ``call`` and what it calls."""
    tree = ast.parse(text)
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    traced = [functions["call"]]
    called = ast.unparse(functions["call"])
    traced += [functions[name] for name in ("helper", "sized") if f"self.{name}(" in called]
    return sorted(
        (node.lineno, node.col_offset + 1)
        for function in traced
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("Dense", "Dropout")
    )
