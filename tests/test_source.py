"""Files as bytes and text: what decodes, what is skipped and why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tfmigrate.results import Skipped, Unparsable
from tfmigrate.source import MAX_BYTES, SourceFile, from_bytes, printed_path, read_source, split_lines

HINT = "; declare its encoding in the first line (# coding: latin-1)"
BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("data", "text", "encoding", "bom"),
    [
        (b"", "", "utf-8", False),
        (b"x = 1\r\n", "x = 1\r\n", "utf-8", False),
        (b"a\r\nb\nc\rd", "a\r\nb\nc\rd", "utf-8", False),
        (BOM + b"x = '\xc3\xa9'\n", "x = 'é'\n", "utf-8", True),
        (b"# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = 'é'\n", "iso-8859-1", False),
        (
            b"#!/usr/bin/python\n# -*- coding: cp1252 -*-\n'\x80'",
            "#!/usr/bin/python\n# -*- coding: cp1252 -*-\n'€'",
            "cp1252",
            False,
        ),
        (b"x = 1\x0c\ny = 2\n", "x = 1\x0c\ny = 2\n", "utf-8", False),
    ],
)
def test_decodes_as_python_does_and_encodes_back(data: bytes, text: str, encoding: str, bom: bool) -> None:
    source = from_bytes(data, "a.py")
    assert source == SourceFile("a.py", data, text, encoding, bom)
    assert isinstance(source, SourceFile) and source.encode(source.text) == data


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"x = 1\ny = '\xe9'\n", 2, f"cannot be decoded as utf-8: invalid continuation byte{HINT}"),
        (b"x = '\xff'\n", 1, f"cannot be decoded as utf-8: invalid start byte{HINT}"),
        (b"# coding: klingon\n", 1, "cannot be decoded: unknown encoding: klingon"),
        (BOM + b"# coding: latin-1\n", 1, "cannot be decoded: encoding problem: utf-8"),
        (b"# coding: ascii\n\nx = '\xe9'\n", 3, "cannot be decoded as ascii: ordinal not in range(128)"),
    ],
)
def test_undecodable_files_are_reported_with_their_line(data: bytes, line: int, reason: str) -> None:
    result = from_bytes(data, "a.py")
    assert isinstance(result, Unparsable)
    assert (result.line, result.reason) == (line, reason)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.ipynb", b"{}", "unsupported: a notebook; export it to a .py file"),
        ("a.pyi", b"x: int", "unsupported: a stub file holds no code that runs"),
        ("README.md", b"# hi", "unsupported: not a Python file (.py, .pyw or a Python #! line)"),
        ("a.py", b"\x7fELF\0\0", "unsupported: binary (holds null bytes)"),
        ("a.py", b"\xff\xfex\0", "unsupported: UTF-16, which Python does not read as source"),
        (
            "a.py",
            b"# coding: utf-7\nx = '+AOk-'\n",
            "unsupported: its utf-7 text does not encode back to the same bytes",
        ),
        ("a.py", b"#" * (MAX_BYTES + 1), "too large: 2,000,001 bytes, the limit is 2,000,000"),
    ],
)
def test_unsupported_files_are_skipped_with_a_reason(name: str, data: bytes, reason: str) -> None:
    assert from_bytes(data, name) == Skipped(name, reason)


def test_a_script_without_suffix_is_python_by_its_first_line() -> None:
    source = from_bytes(b"#!/usr/bin/env python3\nx = 1\n", "bin/train")
    assert isinstance(source, SourceFile)


def test_a_file_at_the_size_limit_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"#" * MAX_BYTES)
    assert isinstance(read_source(file), SourceFile)
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    assert isinstance(read_source(file), Skipped)


def test_a_file_that_vanishes_is_skipped(tmp_path: Path) -> None:
    assert read_source(tmp_path / "gone.py", "gone.py") == Skipped(
        "gone.py", "the file is gone: it was removed after it had been listed"
    )


def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert read_source(tmp_path / "pipe.py", "pipe.py") == Skipped(
        "pipe.py", "unsupported: not a regular file"
    )


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert read_source(tmp_path, "d.py") == Skipped("d.py", "unsupported: not a regular file")


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("x = 1\n")
    file.chmod(0)
    code = (
        "import os, sys; os.getuid() or os.setuid(65534)\n"
        "try: open(sys.argv[1])\n"
        "except PermissionError as error: print(error.strerror)"
    )
    if os.getuid() == 0:
        # Root reads everything: the same call from a process that is not root, in a folder it may enter.
        for folder in (tmp_path, *tmp_path.parents):
            if folder != Path("/") and not folder.stat().st_mode & 0o001:
                folder.chmod(folder.stat().st_mode | 0o011)
        read = (
            "import os, sys; from pathlib import Path; from tfmigrate.source import read_source\n"
            "import tfmigrate.results\n"
            "os.setuid(65534); print(read_source(Path(sys.argv[1]), 'a.py'))"
        )
    else:
        read = (
            "import sys; from pathlib import Path; from tfmigrate.source import read_source\n"
            "print(read_source(Path(sys.argv[1]), 'a.py'))"
        )
    probe = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True
    )
    assert probe.stdout == "Permission denied\n"
    done = subprocess.run([sys.executable, "-c", read, str(file)], capture_output=True, text=True, check=True)
    assert (
        done.stdout
        == "Unparsable(path='a.py', line=1, column=1, reason='cannot be read: Permission denied')\n"
    )


def test_paths_are_printed_relative_when_below_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert printed_path(Path("a/../b.py")) == "b.py"
    assert printed_path(tmp_path / "here" / "pkg" / "c.py") == "pkg/c.py"
    assert printed_path(Path("../d.py")) == (tmp_path / "d.py").as_posix()


def test_only_pythons_line_ends_split() -> None:
    text = "a\r\nb\rc\nd\x0ce\x1cf\u2028g"
    assert split_lines(text) == ["a\r\n", "b\r", "c\n", "d\x0ce\x1cf\u2028g"]
    assert "".join(split_lines(text)) == text
    assert split_lines("") == []
