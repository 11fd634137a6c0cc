"""A second codemod's findings are told in the lines of the file, whatever the first one changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tfmigrate.claim import Claim
from tfmigrate.codemod import Change, Codemod, Edit, Example, Refusal, Safety
from tfmigrate.engine import Options, migrate
from tfmigrate.origins import Origins
from tfmigrate.project.index import build_index
from tfmigrate.registry import codemods
from tfmigrate.results import Patch
from tfmigrate.source import SourceFile, from_bytes
from tfmigrate.unit import Unit

NET = """\
from tensorflow.keras import layers


class Net(layers.Layer):
    def __init__(self):
        super().__init__()

    def call(self, x):
        x = layers.Dense(3)(x)
        return magic(x)
"""


def test_lines_of_an_unchanged_text_are_its_own() -> None:
    assert [Origins("a\nb\n", "a\nb\n").line(n) for n in (1, 2)] == [1, 2]


def test_added_changed_and_removed_lines() -> None:
    origins = Origins("a\nb\nc\nd\n", "a\nnew\nb\nC\nd\n")
    assert [origins.line(n) for n in (1, 2, 3, 4, 5)] == [1, 1, 2, 3, 4]
    assert Origins("a\nb\nc\n", "c\n").line(1) == 3
    assert Origins("a\n", "new\na\n").line(1) == 1


def _second() -> Codemod:
    second = Codemod(
        __name__,
        summary="a test's",
        codes={"TST1": "magic"},
        refusals={},
        safety=Safety.SAFE,
        marker=(b"magic",),
        examples=[Example("", kept=True)],
        claim=Claim(),
        order=900,
    )

    @second.plan
    def plan(unit: Unit) -> Iterator[Edit | Refusal]:
        import libcst as cst

        for node in ast.walk(unit.tree):
            is_magic = (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "magic"
            )
            if is_magic and unit.is_wanted("TST1", node):
                site = unit.site(node, "TST1", "magic", "Net.call", "Net")
                yield Edit((Change(unit.cst_expression(node), cst.Name("x")),), (site,))

    return second


def _migrated(left_out: frozenset[tuple[str, int, int]] = frozenset()) -> Patch:
    source = from_bytes(NET.encode(), "module.py")
    assert isinstance(source, SourceFile)
    both = [*codemods()[:1], _second()]
    result = migrate(
        source,
        build_index([source], [Path.cwd()], None),
        both,
        Options(frozenset({"TFM101", "TST1"})),
        left_out,
    )
    assert isinstance(result, Patch), result
    return result


def test_both_codemods_speak_of_the_files_own_lines() -> None:
    patch = _migrated()
    assert [(f.site.code, f.site.line, f.site.column) for f in patch.findings] == [
        ("TFM101", 9, 13),
        ("TST1", 10, 16),
    ]
    assert patch.after.endswith("        x = self.dense(x)\n        return x\n")


def test_a_place_is_left_out_by_its_line_in_the_file() -> None:
    patch = _migrated(frozenset({("TST1", 10, 16)}))
    assert patch.after.endswith("        x = self.dense(x)\n        return magic(x)\n")
    only_second = _migrated(frozenset({("TFM101", 9, 13)}))
    assert only_second.after == NET.replace("magic(x)", "x")
