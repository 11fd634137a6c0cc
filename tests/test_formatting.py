"""Black on rewritten statements only; every other byte stays."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfmigrate.formatting import changed_lines, format_changed
from tfmigrate.source import split_lines


def formatted(before: str, after: str) -> str:
    return format_changed(before, after, None)


def test_only_changed_statements_are_formatted() -> None:
    before = "a=  1\nb = 2\nc=  [ 3 ]\n"
    after = "a=  1\nb=f( x,y )\nc=  [ 3 ]\n"
    assert formatted(before, after) == "a=  1\nb = f(x, y)\nc=  [ 3 ]\n"


def test_nothing_changed_is_nothing_formatted() -> None:
    assert formatted("a=  1\n", "a=  1\n") == "a=  1\n"


def test_a_removed_line_formats_nothing() -> None:
    assert formatted("a=  1\nb=  2\nc=  3\n", "a=  1\nc=  3\n") == "a=  1\nc=  3\n"


def test_long_statements_are_split_within_the_indentation_of_the_file() -> None:
    before = "class A:\n  def f(self):\n    pass\n"
    call = "self.dense=Dense(aaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccc)"
    after = f"class A:\n  def f(self):\n    {call}  # why\n"
    assert formatted(before, after) == (
        "class A:\n  def f(self):\n"
        "    self.dense = Dense(\n"
        "      aaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccc\n"
        "    )  # why\n"
    )


def test_tabs_stay_tabs() -> None:
    after = "def f():\n\tx=[1,\n\t\t2,]\n"
    assert formatted("", after) == "def f():\n\tx = [\n\t\t1,\n\t\t2,\n\t]\n"


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_newlines_of_the_file_stay(newline: str) -> None:
    lines = ["if x:", "    y=f( 1,", "  2)", "z  = 1", ""]
    assert formatted(newline.join(["if x:", "    pass", "z  = 1", ""]), newline.join(lines)) == newline.join(
        ["if x:", "    y = f(1, 2)", "z  = 1", ""]
    )


def test_no_final_newline_stays_so() -> None:
    assert formatted("x = 1", "x=f( 1 )  # c") == "x = f(1)  # c"


@pytest.mark.parametrize(
    "after",
    [
        "x=1; y=2\n",
        "if x: y=1\n",
        "x='''a\n  b'''\n",
        'x=f"""{ a }\n"""\n',
        "x=1; \\\n  y=2\n",
        "# fmt: off\nx=[ 1,\n  2]\n# fmt: on\n",
        "x=1 # fmt: skip\n",
        "'''  doc  '''\n",
        "def f():\n    '  doc '\n",
        "if a:\n    pass\nelif  b :\n    pass\n",
        "with  a('''b\n''') :\n    pass\n",
        "del(a),\n",
    ],
    ids=[
        "two on a line",
        "one-line if",
        "multi-line string",
        "multi-line f-string",
        "continued line",
        "fmt off",
        "fmt skip",
        "module docstring",
        "function docstring",
        "elif",
        "multi-line string in a header",
        "another meaning for black",
    ],
)
def test_left_as_it_is(after: str) -> None:
    assert formatted("", after) == after


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("async def f():\n    x=await  g( 1 )\n", "async def f():\n    x = await g(1)\n"),
        ("def f():\n    return(1)\n", "def f():\n    return 1\n"),
        ("for  x in y :  # c\n    # d\n\n    pass\n", "for x in y:  # c\n    # d\n\n    pass\n"),
        ("class  A ( B,\n  C ):\n  def f( a ):\n    pass\n", "class A(B, C):\n  def f(a):\n    pass\n"),
        ("while x:\n    del(a)\n    break\n", "while x:\n    del a\n    break\n"),
        ("é='é'; z=1\nü=[  'ß' ] # ö\n", "é='é'; z=1\nü = ['ß']  # ö\n"),
        ("def f():\n    x=(yield  1)\n", "def f():\n    x = yield 1\n"),
    ],
)
def test_statements_that_only_stand_in_functions(after: str, expected: str) -> None:
    assert formatted("", after) == expected


def test_the_projects_options_are_used(tmp_path: Path) -> None:
    after = "value=function('first argument', 'second argument')\n"
    file = tmp_path / "pkg" / "a.py"
    assert format_changed("", after, file) == "value = function('first argument', 'second argument')\n"
    (tmp_path / "pyproject.toml").write_text("[tool.black]\nline-length = 30\n")
    assert format_changed("", after, file) == (
        'value = function(\n    "first argument",\n    "second argument",\n)\n'
    )
    (tmp_path / "pyproject.toml").write_text(
        "[tool.black]\nline_length = 200\nskip-string-normalization = true\n"
    )
    assert format_changed("", after, file) == "value = function('first argument', 'second argument')\n"
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 50\n")
    assert (
        format_changed("", after, file) == "value = function(\n    'first argument', 'second argument'\n)\n"
    )
    (tmp_path / "pyproject.toml").write_text("[tool.black\n")
    assert format_changed("", after, file) == "value = function('first argument', 'second argument')\n"


def test_text_that_does_not_parse_comes_back() -> None:
    assert formatted("", "x = = 1\n") == "x = = 1\n"


def test_changed_lines() -> None:
    assert changed_lines(["a", "b", "c"], ["a", "x", "c", "d"]) == {1, 3}
    assert changed_lines(["a", "b"], ["a"]) == frozenset()
    assert changed_lines([], ["a"]) == {0}


LINES = st.lists(
    st.sampled_from(
        [
            "x=1",
            "y = f( a,b )",
            "if x:\n    z=[1,\n 2]",
            "s='''\n  t'''",
            "# c",
            "",
            "a=1;b=2",
            "def f( x ):\n  return(x)",
        ]
    ),
    max_size=8,
)


@given(LINES, LINES, st.sampled_from(["\n", "\r\n"]))
def test_meaning_and_untouched_lines_stay(before: list[str], after: list[str], newline: str) -> None:
    old, new = ("".join(f"{line}\n" for line in lines).replace("\n", newline) for lines in (before, after))
    result = format_changed(old, new, None)
    assert ast.dump(ast.parse(result)) == ast.dump(ast.parse(new))
    assert format_changed(new, result, None) == result or result != new
    untouched = [
        line
        for index, line in enumerate(split_lines(new))
        if index not in changed_lines(split_lines(old), split_lines(new))
    ]
    kept = iter(split_lines(result))
    assert all(line in kept for line in untouched)
