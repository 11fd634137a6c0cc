"""Every file of testdata/<codemod>/ and every example of every codemod, to the byte.

``NAME.in.py`` becomes ``NAME.out.py``, ``NAME.keep.py`` stays without a word, ``NAME.refuse.py`` stays for the reasons in
its first line. ``NAME.unsafe.in.py`` is all refused as unsafe, and becomes ``NAME.unsafe.out.py`` with ``--unsafe``;
``NAME.TFM109.in.py`` is about a code that is off by default, here selected.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from harness import DEFAULT, migrated, told

from tfmigrate import registry
from tfmigrate.codemod import Codemod, Example
from tfmigrate.results import FileResult

TESTDATA = Path(__file__).parents[2] / "testdata"
CODEMODS = {codemod.name: codemod for codemod in registry.codemods()}


def _files(kind: str) -> list[Path]:
    return sorted(path for name in CODEMODS for path in (TESTDATA / name).glob(f"*.{kind}.py"))


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name.rsplit('.', 2)[0]}"


def _options(path: Path) -> set[str]:
    """``unsafe`` and codes: what stands between a file's name and its kind."""
    return set(path.name.split(".")[1:-2])


def _migrated(path: Path, codes: frozenset[str] = DEFAULT) -> FileResult:
    options = _options(path)
    return migrated(path.read_text(), codes | (options - {"unsafe"}), unsafe="unsafe" in options)


@pytest.mark.parametrize("path", _files("in"), ids=_name)
def test_rewritten_as_expected(path: Path) -> None:
    expected = path.with_name(path.name.replace(".in.py", ".out.py")).read_text()
    result = told(_migrated(path))
    assert result.after == expected
    assert result.rewritten and not result.refused


@pytest.mark.parametrize("path", [path for path in _files("in") if _options(path)], ids=_name)
def test_only_made_on_demand(path: Path) -> None:
    text = path.read_text()
    result = told(migrated(text))
    assert (result.after, result.rewritten) == (text, [])
    assert set(result.refused) == ({"unsafe"} if "unsafe" in _options(path) else set())


@pytest.mark.parametrize("path", _files("out"), ids=_name)
def test_a_second_run_plans_nothing(path: Path) -> None:
    result = told(_migrated(path))
    assert (result.after, result.rewritten, result.refused) == (path.read_text(), [], [])


@pytest.mark.parametrize("path", _files("keep"), ids=_name)
def test_left_alone_without_a_word(path: Path) -> None:
    result = told(_migrated(path))
    assert (result.after, result.rewritten, result.refused) == (path.read_text(), [], [])


@pytest.mark.parametrize("path", _files("refuse"), ids=_name)
def test_refused_with_the_reason(path: Path) -> None:
    text = path.read_text()
    expected = text.splitlines()[0].removeprefix("# refused: ").split(",")
    result = told(_migrated(path, DEFAULT & CODEMODS[path.parent.name].codes.keys()))
    assert result.after == text
    assert sorted(set(result.refused)) == sorted(expected)


def _examples() -> list[pytest.param]:  # type: ignore[valid-type]
    return [
        pytest.param(codemod, example, id=f"{codemod.name}-{number}")
        for codemod in CODEMODS.values()
        for number, example in enumerate(codemod.examples)
    ]


@pytest.mark.parametrize(("codemod", "example"), _examples())
def test_examples_are_true(codemod: Codemod, example: Example) -> None:
    result = told(migrated(example.before))
    if example.after is not None:
        assert result.after == example.after
    else:
        assert result.after == example.before
        assert result.refused == ([example.refused] if example.refused else [])


@pytest.mark.parametrize("codemod", CODEMODS.values(), ids=CODEMODS)
def test_every_refusal_has_a_case(codemod: Codemod) -> None:
    shown = {
        reason
        for path in _files("refuse")
        if path.parent.name == codemod.name
        for reason in path.read_text().splitlines()[0].removeprefix("# refused: ").split(",")
    }
    assert shown - {"unsafe"} == codemod.refusals.keys()


@pytest.mark.parametrize("codemod", CODEMODS.values(), ids=CODEMODS)
def test_at_least_as_many_untouched_as_rewritten_cases(codemod: Codemod) -> None:
    names = [path for kind in ("keep", "refuse") for path in _files(kind) if path.parent.name == codemod.name]
    assert len(names) >= len([path for path in _files("in") if path.parent.name == codemod.name])


@pytest.mark.parametrize("path", _files("in"), ids=_name)
def test_constructors_take_what_they_took(path: Path) -> None:
    """What rebuilds an object from its configuration goes on to work, and so does every caller."""
    before = _constructors(ast.parse(path.read_text()))
    after = _constructors(ast.parse(path.with_name(path.name.replace(".in.py", ".out.py")).read_text()))
    assert before.keys() <= after.keys()
    for name, (init, config) in before.items():
        assert after[name][0] == init or init == _INHERITED, name
        assert after[name][1] == config, name


_INHERITED = ""


def _constructors(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """Class -> the parameters of its ``__init__``, and its ``get_config`` and ``from_config``."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            methods = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
            init = ast.unparse(methods["__init__"].args) if "__init__" in methods else _INHERITED
            config = [ast.unparse(methods[name]) for name in ("get_config", "from_config") if name in methods]
            found[node.name] = init, "\n".join(config)
    return found


@pytest.mark.parametrize("codemod", CODEMODS.values(), ids=CODEMODS)
def test_sabotages_differ_from_what_the_codemod_writes(codemod: Codemod) -> None:
    assert codemod.sabotage
    for lie in codemod.sabotage:
        assert lie.after is not None
        assert ast.dump(ast.parse(lie.after)) != ast.dump(ast.parse(told(migrated(lie.before)).after))
