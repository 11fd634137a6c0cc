"""Diffs that `git apply` takes, byte for byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tfmigrate.diff import coloured, unified_diff
from tfmigrate.results import Patch
from tfmigrate.source import SourceFile, from_bytes


def patch(data: bytes, old: str, new: str, path: str = "pkg/a.py") -> Patch:
    source = from_bytes(data, path)
    assert isinstance(source, SourceFile)
    return Patch(source, source.text.replace(old, new), ())


def test_the_form() -> None:
    assert unified_diff(patch(b"a\nb\nc", "c", "d")) == (
        b"--- a/pkg/a.py\n+++ b/pkg/a.py\n@@ -1,3 +1,3 @@\n a\n b\n"
        b"-c\n\\ No newline at end of file\n+d\n\\ No newline at end of file\n"
    )


def test_no_change_is_no_diff() -> None:
    assert unified_diff(patch(b"a\n", "x", "y")) == b""


@pytest.mark.parametrize(
    ("data", "old", "new"),
    [
        (b"a\r\nb\r\n", "b", "x\r\ny"),
        (b"a\r\nb\nc\rd\r\n", "c\r", "x\r"),
        (b"\xef\xbb\xbfa = 1\nb = 2\n", "a", "c"),
        (b"# coding: latin-1\n'\xe9'\nb\n", "b", "c"),
        (b"a\nb", "b", "b\n"),
        (b"a\nb\n", "b\n", "b"),
        (b"", "", "x = 1\n"),
        (b"-- a\n++ b\n@@\n\\ x\n", "@@", "-- c"),
        (b"a\x0cb\xe2\x80\xa8c\n", "a", "b"),
    ],
    ids=[
        "crlf",
        "mixed",
        "bom",
        "latin-1",
        "newline added",
        "newline removed",
        "empty",
        "signs",
        "odd line ends",
    ],
)
@pytest.mark.parametrize("name", ["a.py", "pkg/my file.py", 'q"uo\\te.py', "ü.py", "tab\t.py"])
def test_git_applies_it(tmp_path: Path, data: bytes, old: str, new: str, name: str) -> None:
    made = patch(data, old, new, name)
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn"], cwd=tmp_path, input=unified_diff(made), check=True
    )
    assert file.read_bytes() == made.source.encode(made.after)


def test_colours_change_nothing_but_colours() -> None:
    diff = unified_diff(patch(b"a\r\nb\r\n", "b", "c"))
    shown = coloured(diff)
    assert b"\x1b[31m-b\x1b[0m\r\n" in shown and b"\x1b[32m+c\x1b[0m\r\n" in shown
    for code in (b"\x1b[31m", b"\x1b[32m", b"\x1b[36m", b"\x1b[1m", b"\x1b[0m"):
        shown = shown.replace(code, b"")
    assert shown == diff
