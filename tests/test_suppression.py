"""# tfmigrate: skip comments: which lines they cover, and which do nothing."""

from __future__ import annotations

import textwrap

import pytest

from tfmigrate.claim import Claim
from tfmigrate.codemod import Codemod, Safety
from tfmigrate.suppression import read_suppressions

CODES = {"TFM101": "layer-in-call", "TFM102": "layer-in-loop"}
CODEMODS = (Codemod("tfmigrate.codemods.layers", "layers", CODES, {}, Safety.SAFE, (b"x",), (), Claim()),)


def covered(text: str, code: str = "TFM101") -> set[int]:
    lines = textwrap.dedent(text).lstrip("\n")
    suppressions = read_suppressions(lines, CODEMODS)
    return {line for line in range(1, lines.count("\n") + 1) if suppressions.suppressed(code, line)}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a = 1\nb = 2  # tfmigrate: skip\nc = 3\n", {2}),
        ("a = f(\n    1,  # tfmigrate: skip\n    2,\n)\nb = 2\n", {1, 2, 3, 4}),
        ("# tfmigrate: skip\n\n# more\na = f(\n    1)\nb = 2\n", {4, 5}),
        ("def f():  # tfmigrate: skip\n    a = 1\n    return a\nb = 2\n", {1, 2, 3}),
        ("def f(\n    a,\n):  # tfmigrate: skip\n    return a\nb = 2\n", {1, 2, 3, 4}),
        ("# tfmigrate: skip\n@dec\nclass A:\n    x = 1\nb = 2\n", {2, 3, 4}),
        ("@dec  # tfmigrate: skip\ndef f():\n    pass\nb = 2\n", {1, 2, 3}),
        (
            "class A:\n    # tfmigrate: skip\n    def f():\n        pass\n    def g():\n        pass\n",
            {3, 4},
        ),
        ("for x in y:  # tfmigrate: skip\n    a = x\nelse:\n    b = 1\nc = 1\n", {1, 2, 3, 4}),
        ("if x:\n    a = 1\nelse:  # tfmigrate: skip\n    b = 1\n", {3}),
        ("if x: a = 1  # tfmigrate: skip\nb = 2\n", {1}),
        ("match x:  # tfmigrate: skip\n    case 1:\n        a = 1\nb = 2\n", {1, 2, 3}),
        ("a = 1\n# tfmigrate: skip-file\nb = 2\n", {1, 2, 3}),
        ("a = '# tfmigrate: skip'\n", set()),
        ('"""\n# tfmigrate: skip-file\n"""\na = 1\n', set()),
        ("def f():\n    a = 1\n    # tfmigrate: skip\nb = 2\n", set()),
        ("a = 1  # noqa  # tfmigrate: skip[TFM101] because it is shared\n", {1}),
        ("a = 1  #TFMIGRATE:skip[ TFM102 , layer-in-call ]\n", {1}),
        ("a = 1  # tfmigrate: skip[TFM1]\n", {1}),
        ("a = 1  # tfmigrate: skip[TFM102]\n", set()),
        ("a = 1  # tfmigrate: skip[TFM999]\n", set()),
        ("a = 1  # tfmigrate skip\n", set()),
    ],
)
def test_lines_that_a_comment_covers(text: str, lines: set[int]) -> None:
    assert covered(text) == lines
    assert covered(text.replace("\n", "\r\n")) == lines


def test_codes_are_told_apart() -> None:
    text = "a = 1  # tfmigrate: skip[TFM102]\n# tfmigrate: skip-file[TFM101]\n"
    assert covered(text, "TFM102") == {1}
    assert covered(text, "TFM101") == {1, 2}


def test_comments_that_do_nothing_are_told() -> None:
    text = (
        "a = 1  # tfmigrate: skip\n"
        "b = 2  # tfmigrate: skip[TFM102]\n"
        "c = 3  # tfmigrate: skip[TFM109]\n"
        "d = 4  # tfmigrate: ignore\n"
        "e = 5  # tfmigrate: skip[TFM101]\n"
    )
    suppressions = read_suppressions(text, CODEMODS)
    assert suppressions.suppressed("TFM101", 1)
    assert not suppressions.suppressed("TFM101", 2)
    problems = [(problem.line, problem.message) for problem in suppressions.unused(frozenset({"TFM101"}))]
    assert problems == [
        (3, "unknown code or name 'TFM109' (did you mean 'TFM102'?); `tfmigrate list` shows what there is"),
        (4, "unknown tfmigrate comment 'ignore'; write skip[CODE] or skip-file[CODE]"),
        (5, "this skip comment suppresses nothing; remove it"),
    ]
    assert suppressions.count == 1


def test_a_file_that_does_not_parse_suppresses_what_it_can() -> None:
    assert read_suppressions("x = = 1  # tfmigrate: skip\n", CODEMODS).suppressed("TFM101", 1)
