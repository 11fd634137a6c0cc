"""Case files are found and read without running them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import tfmigrate
from tfmigrate.verify.casefiles import MarkedFunction, read_case_file
from tfmigrate.verify.cases import CaseFinder, Symbol, template
from tfmigrate.verify.recipes import FunctionRecipe, GuessRecipe

NET = "class Net:\n    pass\n\n\nclass Other:\n    pass\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "shop" / "model.py").write_text(NET)
    return tmp_path


def symbol(root: Path, qualname: str = "Net", file: str = "shop/model.py") -> Symbol:
    module = file.removesuffix(".py").replace("/", ".")
    return Symbol(module, qualname, str(root / file), str(root))


def test_decorators_are_known_by_their_import() -> None:
    source = b"""
import tfmigrate as tm
from tfmigrate import case as c
import other

@tm.case("a:Net")
def one(module): ...

@c("a:Net", name="second")
@c(symbol="b:Net")
def two(module, units=3): ...

@other.case("a:Net")
def three(module): ...

@case("a:Net")
def four(module): ...
"""
    found = read_case_file("cases.py", source)
    assert found.functions == (
        MarkedFunction("a:Net", "one", "one", 7),
        MarkedFunction("a:Net", "second", "two", 11),
        MarkedFunction("b:Net", "two", "two", 11),
    )
    assert found.problems == ()


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("@case\ndef f(m): ...", "names no symbol"),
        ("@case(NAME)\ndef f(m): ...", "must be string literals"),
        ("@case('a:B', name=NAME)\ndef f(m): ...", "must be string literals"),
        ("@case('a:B')\ndef f(): ...", "must take one argument"),
        ("@case('a:B')\ndef f(m, n): ...", "must take one argument"),
        ("@case('a:B')\nasync def f(m): ...", "async"),
        ("def f(:", "cannot be parsed"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(body: str, problem: str) -> None:
    found = read_case_file("cases.py", f"from tfmigrate import case\n{body}\n".encode())
    assert found.functions == ()
    assert len(found.problems) == 1
    assert problem in found.problems[0]
    assert found.problems[0].startswith("cases.py:2:")


def test_a_case_file_beside_the_module(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)
    file = shop / "shop" / "tfmigrate_cases.py"
    file.write_text("import tfmigrate\n\n@tfmigrate.case('shop.model:Net')\ndef small(module): ...\n")
    found = CaseFinder().find(symbol(shop))
    assert [case.name for case in found.cases] == ["small"]
    case = found.cases[0]
    assert (case.symbol, case.origin, case.guessed) == ("shop.model:Net", "shop/tfmigrate_cases.py:4", False)
    assert case.recipe == FunctionRecipe(str(file), "small", "shop.model")
    assert found.problems == ()


def test_the_nearest_case_file_with_a_match_wins(shop: Path) -> None:
    text = "import tfmigrate\n\n@tfmigrate.case('shop.model:{}')\ndef {}(module): ...\n"
    (shop / "tfmigrate_cases.py").write_text(text.format("Net", "far"))
    assert [case.name for case in CaseFinder().find(symbol(shop)).cases] == ["far"]
    (shop / "shop" / "tfmigrate_cases.py").write_text(text.format("Other", "near"))
    assert [case.name for case in CaseFinder().find(symbol(shop)).cases] == ["far"]
    (shop / "shop" / "tfmigrate_cases.py").write_text(text.format("Net", "near"))
    assert [case.name for case in CaseFinder().find(symbol(shop)).cases] == ["near"]


def test_case_files_above_the_project_are_not_read(shop: Path) -> None:
    inner = shop / "inner"
    (inner / "shop").mkdir(parents=True)
    (inner / "pyproject.toml").touch()
    (inner / "shop" / "model.py").write_text(NET)
    (shop / "tfmigrate_cases.py").write_text(
        "import tfmigrate\n@tfmigrate.case('shop.model:Net')\ndef f(m): ...\n"
    )
    found = CaseFinder().find(symbol(inner))
    assert isinstance(found.cases[0].recipe, GuessRecipe)


def test_a_short_name_means_the_same_folder(shop: Path) -> None:
    cases = shop / "shop" / "tfmigrate_cases.py"
    cases.write_text("import tfmigrate\n\n@tfmigrate.case('Net')\ndef small(module): ...\n")
    assert [case.name for case in CaseFinder().find(symbol(shop)).cases] == ["small"]
    assert CaseFinder().find(symbol(shop, "Other")).cases[0].guessed

    (shop / "shop" / "second.py").write_text(NET)
    found = CaseFinder().find(symbol(shop))
    assert found.cases[0].guessed
    assert "'Net' is defined in model.py and second.py" in found.problems[0]
    assert '@tfmigrate.case("shop.model:Net")' in found.problems[0]

    cases.rename(shop / "tfmigrate_cases.py")
    assert CaseFinder().find(symbol(shop)).cases[0].guessed


def test_a_misspelt_symbol_is_pointed_out(shop: Path) -> None:
    file = shop / "shop" / "tfmigrate_cases.py"
    file.write_text("import tfmigrate\n\n@tfmigrate.case('shop.model:Nett')\ndef small(module): ...\n")
    found = CaseFinder().find(symbol(shop))
    assert found.cases[0].guessed
    assert found.problems[0].endswith("there is no 'shop.model:Nett'; did you mean 'shop.model:Net'?")


def test_a_case_file_is_not_executed(shop: Path) -> None:
    file = shop / "shop" / "tfmigrate_cases.py"
    file.write_text("import tfmigrate\nraise SystemExit\n@tfmigrate.case('shop.model:Net')\ndef f(m): ...\n")
    assert [case.name for case in CaseFinder().find(symbol(shop)).cases] == ["f"]


def test_pyproject_comes_after_case_files(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)
    table = '[[tool.tfmigrate.case]]\nsymbol = "shop.model:Net"\ninputs = [{ shape = ["b", 4] }]\n'
    (shop / "pyproject.toml").write_text(table)
    found = CaseFinder().find(symbol(shop))
    assert [(c.name, c.origin, c.guessed) for c in found.cases] == [
        ("1", "pyproject.toml [[tool.tfmigrate.case]] 1", False)
    ]
    (shop / "tfmigrate_cases.py").write_text(
        "import tfmigrate\n\n@tfmigrate.case('shop.model:Net')\ndef mine(module): ...\n"
    )
    assert [case.name for case in CaseFinder().find(symbol(shop)).cases] == ["mine"]


def test_without_a_case_there_is_a_guess(shop: Path) -> None:
    (case,) = CaseFinder().find(symbol(shop)).cases
    assert case.guessed
    assert case.origin.startswith("guessed")


@pytest.mark.parametrize("is_class", [True, False])
def test_the_template_is_a_case(is_class: bool) -> None:
    name = "Net" if is_class else "train_step"
    text = template(f"shop.model:{name}", is_class)
    found = read_case_file("cases.py", text.encode())
    assert [marked.symbol for marked in found.functions] == [f"shop.model:{name}"]
    assert (f"module.{name}(...)" in text) == is_class


def test_the_decorator_returns_the_function_and_checks_its_symbol() -> None:
    def made(module: object) -> None: ...

    assert tfmigrate.case("a:B", name="c")(made) is made
    with pytest.raises(TypeError, match="takes the symbol as a string"):
        tfmigrate.case(made)  # type: ignore[arg-type]
    assert repr(tfmigrate.Inputs(1, training=True)) == "Inputs(1, training=True)"


def test_importing_the_decorator_is_light() -> None:
    import subprocess

    heavy = "{'tensorflow', 'libcst', 'typer', 'numpy', 'dataclasses'}"
    code = f"import tfmigrate, sys; print(sorted({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
