"""The engine keeps every byte that an edit does not name, applies all of an edit or none, and never crashes the run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest
from harness import DEFAULT, migrated, told
from libcst.metadata import MetadataWrapper, PositionProvider

from tfmigrate.claim import Claim
from tfmigrate.codemod import Change, Codemod, Edit, Example, Insertion, Refusal, Safety
from tfmigrate.edits import EditConflict, apply_edits
from tfmigrate.engine import Options, migrate
from tfmigrate.project.index import build_index
from tfmigrate.registry import BrokenCodemod, checked, codemods
from tfmigrate.results import Crash, Patch, Skipped, Unparsable
from tfmigrate.source import SourceFile, from_bytes
from tfmigrate.unit import Unit

NET = """\
from tensorflow.keras import layers


class Net(layers.Layer):
    def __init__(self):
        super().__init__()

    def call(self, x):
        return layers.Dense(3)(x)
"""
MOVED = """\
from tensorflow.keras import layers


class Net(layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(3)

    def call(self, x):
        return self.dense(x)
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_inserted_lines_end_as_the_file_does(newline: str) -> None:
    assert told(migrated(NET.replace("\n", newline))).after == MOVED.replace("\n", newline)


def test_mixed_newlines_stay_where_they_were() -> None:
    mixed = NET.replace("layers\n", "layers\r\n", 1)
    assert told(migrated(mixed)).after == MOVED.replace("layers\n", "layers\r\n", 1)


def test_tabs_form_feeds_and_odd_layout_elsewhere_stay() -> None:
    odd = "x=[1,2 ,\n   3]\n\x0c\ndef f( a ):\n\treturn( a )  \n" + NET
    assert told(migrated(odd)).after == odd.replace(NET, MOVED)


def test_a_missing_final_newline_stays_missing() -> None:
    assert told(migrated(NET.rstrip("\n"))).after == MOVED.rstrip("\n")


def test_tab_indentation_is_used_for_new_lines() -> None:
    assert told(migrated(NET.replace("    ", "\t"))).after == MOVED.replace("    ", "\t")


def test_columns_count_characters_not_bytes() -> None:
    text = NET.replace("return layers", "é = 'äöü'; return layers")
    result = migrated(text)
    assert isinstance(result, Patch)
    site = result.findings[0].site
    line = text.splitlines()[site.line - 1]
    assert line[site.column - 1 : site.end_column - 1] == "layers.Dense(3)"
    assert told(result).after == MOVED.replace("return self", "é = 'äöü'; return self")


def test_other_encodings_go_through() -> None:
    text = "# -*- coding: latin-1 -*-\nnote = 'é'\n" + NET
    result = migrated(text.encode("latin-1"))
    assert isinstance(result, Patch)
    assert result.source.encode(result.after) == text.replace(NET, MOVED).encode("latin-1")


def test_what_does_not_parse_is_reported_with_its_place() -> None:
    result = migrated("import keras\n\ndef call(:\n")
    assert isinstance(result, Unparsable)
    assert (result.line, result.column) == (3, 10)


def test_what_is_not_selected_is_not_found() -> None:
    assert told(migrated(NET, frozenset({"TFM102"}))).after == NET


def test_stateless_layers_move_when_selected() -> None:
    text = NET.replace("layers.Dense(3)", "layers.Flatten()")
    assert told(migrated(text, DEFAULT | {"TFM102"})).after == (
        MOVED.replace("layers.Dense(3)", "layers.Flatten()").replace("dense", "flatten")
    )


def test_places_left_out_stay_and_the_others_move() -> None:
    text = NET.replace("layers.Dense(3)(x)", "layers.Dense(3)(layers.Dense(4)(x))")
    source = from_bytes(text.encode(), "module.py")
    assert isinstance(source, SourceFile)
    index = build_index([source], [Path.cwd()], None)
    result = migrate(source, index, codemods(), Options(DEFAULT), frozenset({("TFM101", 9, 32)}))
    assert told(result).after == MOVED.replace("self.dense(x)", "self.dense(layers.Dense(4)(x))")


def test_findings_of_a_class_in_another_file() -> None:
    base = "from tensorflow.keras import layers\n\n\nclass Base(layers.Layer):\n    pass\n"
    text = "import base\nfrom keras.layers import Dense\n\n\nclass Net(base.Base):\n    def call(self, x):\n"
    text += "        return Dense(3)(x)\n"
    init = "    def __init__(self, **kwargs):\n        super().__init__(**kwargs)\n        self.dense = Dense(3)\n\n"
    after = text.replace("    def call", init + "    def call")
    assert told(migrated(text, base=base)).after == after.replace(
        "return Dense(3)(x)", "return self.dense(x)"
    )


def test_a_subclass_in_another_file_gets_names_of_its_own() -> None:
    base = NET.replace("Net", "Base")
    text = "import base\nfrom keras.layers import Dense\n\n\nclass Net(base.Base):\n    def call(self, x):\n"
    text += "        return Dense(3)(super().call(x))\n"
    assert "self.net_dense = Dense(3)" in told(migrated(text, base=base)).after
    assert "self.base_dense = layers.Dense(3)" in told(migrated(base, name="base.py", user=text)).after


# -- codemods that misbehave -----------------------------------------------------------------------------------------


def _codemod(plan, **more) -> Codemod:  # type: ignore[no-untyped-def]
    made = Codemod(
        __name__,
        summary="a test's",
        codes={"TST1": "test-code"},
        refusals={},
        safety=Safety.SAFE,
        marker=(b"Net",),
        examples=[Example("", kept=True)],
        claim=Claim(),
        **more,
    )
    made.plan(plan)
    return made


def _run(plan) -> object:  # type: ignore[no-untyped-def]
    source = from_bytes(NET.encode(), "module.py")
    assert isinstance(source, SourceFile)
    index = build_index([source], [Path.cwd()], None)
    return migrate(source, index, [_codemod(plan)], Options(frozenset({"TST1"})))


def test_a_plan_that_raises_is_a_crash_with_its_traceback() -> None:
    def plan(unit: Unit) -> Iterator[Edit | Refusal]:
        raise RuntimeError("lost")
        yield

    result = _run(plan)
    assert isinstance(result, Crash)
    assert "RuntimeError: lost" in result.traceback


def test_lines_that_would_not_stay_leave_the_file_alone() -> None:
    result = migrated(NET.replace("    def call", "\x0c    def call"))
    assert isinstance(result, Skipped)
    assert result.reason == "LibCST does not give lines 4 to 9 back as they are (a form feed?)"


def test_a_rewrite_that_does_not_compile_is_a_crash() -> None:
    def plan(unit: Unit) -> Iterator[Edit | Refusal]:
        call = next(node for node in ast.walk(unit.tree) if isinstance(node, ast.Return))
        bad = cst.SimpleStatementLine([cst.Expr(cst.Name("yield_")), cst.Break()])
        yield Edit(
            (Change(unit.cst_statement(call), bad),), (unit.site(call, "TST1", "m", "Net.call", "Net"),)
        )

    result = _run(plan)
    assert isinstance(result, Crash)
    assert "does not compile" in result.traceback


def test_edits_inside_one_another_are_a_crash() -> None:
    def plan(unit: Unit) -> Iterator[Edit | Refusal]:
        statement = next(node for node in ast.walk(unit.tree) if isinstance(node, ast.Return))
        assert statement.value is not None
        inner = unit.cst_expression(statement.value)
        outer = unit.cst_statement(statement)
        site = unit.site(statement, "TST1", "m", "Net.call", "Net")
        yield Edit((Change(inner, cst.Name("a")), Change(outer, cst.parse_statement("pass"))), (site,))

    result = _run(plan)
    assert isinstance(result, Crash)
    assert "did not land" in result.traceback


def test_two_replacements_of_one_node_conflict() -> None:
    module = cst.parse_module("a = b\n")
    line = module.body[0]
    edits = [Edit((Change(line, None),), ()), Edit((Change(line, None),), ())]
    with pytest.raises(EditConflict, match="two edits replace one"):
        apply_edits(module, edits, {id(line): (1, 0, 1, 5)})


def test_insertions_reach_around_edits_inside_the_anchor() -> None:
    module = cst.parse_module("a = b\n")
    line = module.body[0]
    name = cst.ensure_type(cst.ensure_type(line, cst.SimpleStatementLine).body[0], cst.Assign).value
    new = (cst.ensure_type(cst.parse_statement("first()"), cst.SimpleStatementLine),)
    edit = Edit((Insertion(line, new, after=False), Change(name, cst.Name("c"))), ())
    places = {id(line): (1, 0, 1, 5), id(name): (1, 4, 1, 5)}
    assert apply_edits(module, [edit], places).code == "first()\na = c\n"


def test_places_are_those_of_libcst() -> None:
    tree = ast.parse(NET)
    unit = Unit(NET, tree, "net.py", build_index([], (), None), lambda code, line, column: True)
    unit.cst_statement(tree.body[-1])
    (region,) = unit.regions
    positions = MetadataWrapper(region.module, unsafe_skip_copy=True).resolve(PositionProvider)
    expected = {
        id(node): (at.start.line, at.start.column, at.end.line, at.end.column)
        for node, at in positions.items()
    }
    assert region.members == expected and len(expected) > 20


def test_an_unsafe_edit_needs_to_be_asked_for() -> None:
    def plan(unit: Unit) -> Iterator[Edit | Refusal]:
        statement = next(node for node in ast.walk(unit.tree) if isinstance(node, ast.Return))
        site = unit.site(statement, "TST1", "m", "Net.call", "Net")
        yield Edit(
            (Change(unit.cst_statement(statement), cst.parse_statement("pass")),), (site,), Safety.UNSAFE
        )

    result = told(_run(plan))  # type: ignore[arg-type]
    assert (result.after, result.refused) == (NET, ["unsafe"])


# -- the registry ----------------------------------------------------------------------------------------------------


def test_the_registry_finds_the_codemods_in_order() -> None:
    assert [codemod.name for codemod in codemods()][:1] == ["layers_to_init"]
    assert [codemod.order for codemod in codemods()] == sorted(codemod.order for codemod in codemods())


def test_a_code_used_twice_is_refused() -> None:
    with pytest.raises(BrokenCodemod, match="both use"):
        checked([codemods()[0], codemods()[0]])


def test_a_codemod_without_a_source_is_refused() -> None:
    with pytest.raises(BrokenCodemod, match="names no source URL"):
        checked([_codemod(lambda unit: iter(()))])
