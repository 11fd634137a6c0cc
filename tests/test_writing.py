"""Writing loses nothing: metadata, links, concurrent changes, kills."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tfmigrate.source import SourceFile, read_source
from tfmigrate.writing import WriteOutcome, WriteStatus, write_source


def source_of(path: Path) -> SourceFile:
    source = read_source(path, path.name)
    assert isinstance(source, SourceFile)
    return source


def file_with(path: Path, data: bytes = b"x = 1\n") -> SourceFile:
    path.write_bytes(data)
    return source_of(path)


def leftovers(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if "tfmigrate" in name)


WRITTEN = WriteOutcome("a.py", WriteStatus.WRITTEN)


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"x = 1\r\ny = 2\r\n", "1", "3", b"x = 3\r\ny = 2\r\n"),
        (b"x = 1\r\ny = 2\nz = 3\r", "1", "4", b"x = 4\r\ny = 2\nz = 3\r"),
        (b"\xef\xbb\xbfx = 1\n", "1", "\u20ac", b"\xef\xbb\xbfx = \xe2\x82\xac\n"),
        (b"# coding: latin-1\nx = '\xe9'\n", "x", "y", b"# coding: latin-1\ny = '\xe9'\n"),
        (b"x = 1", "1", "2", b"x = 2"),
        (b"x = 1\x0c\n", "1", "2", b"x = 2\x0c\n"),
    ],
    ids=["crlf", "mixed newlines", "bom", "latin-1", "no final newline", "form feed"],
)
def test_bytes_that_were_not_edited_stay(
    tmp_path: Path, before: bytes, old: str, new: str, after: bytes
) -> None:
    path = tmp_path / "a.py"
    source = file_with(path, before)
    assert write_source(path, source, source.text.replace(old, new)) == WRITTEN
    assert path.read_bytes() == after
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o664, 0o2755])
def test_mode_stays(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.py"
    source = file_with(path)
    path.chmod(mode)
    before = stat.S_IMODE(path.stat().st_mode)
    assert write_source(path, source, "x = 2\n") == WRITTEN
    assert stat.S_IMODE(path.stat().st_mode) == before == mode


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_owner_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    source = file_with(path)
    os.chown(path, 1234, 5678)
    assert write_source(path, source, "x = 2\n") == WRITTEN
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 5678)


def test_extended_attributes_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    source = file_with(path)
    try:
        os.setxattr(path, "user.origin", b"survey")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    assert write_source(path, source, "x = 2\n") == WRITTEN
    assert os.getxattr(path, "user.origin") == b"survey"


def test_the_target_of_a_symlink_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "target.py"
    file_with(target)
    link = tmp_path / "a.py"
    link.symlink_to("real/target.py")
    assert write_source(link, source_of(link), "x = 2\n") == WRITTEN
    assert os.readlink(link) == "real/target.py"
    assert target.read_bytes() == b"x = 2\n"


def test_hard_links_stay_linked(tmp_path: Path) -> None:
    path, other = tmp_path / "a.py", tmp_path / "b.py"
    source = file_with(path, b"x = 1  # a long line\n")
    os.link(path, other)
    assert write_source(path, source, "x = 2\n") == WRITTEN
    assert other.read_bytes() == b"x = 2\n"
    assert path.stat().st_ino == other.stat().st_ino
    assert leftovers(tmp_path) == []


def test_nothing_is_written_if_nothing_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    source = file_with(path)
    os.utime(path, ns=(1, 1))
    inode = path.stat().st_ino
    assert write_source(path, source, source.text) == WriteOutcome("a.py", WriteStatus.UNCHANGED)
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (1, inode)


def test_a_file_that_changed_meanwhile_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    source = file_with(path)
    path.write_bytes(b"x = 1\n# a colleague's line\n")
    outcome = write_source(path, source, "x = 2\n")
    assert outcome == WriteOutcome(
        "a.py", WriteStatus.CHANGED_MEANWHILE, "the file was changed since it was read; run tfmigrate again"
    )
    assert path.read_bytes() == b"x = 1\n# a colleague's line\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may")
def test_root_writes_a_read_only_file_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    source = file_with(path)
    path.chmod(0o444)
    assert write_source(path, source, "x = 2\n").status is WriteStatus.WRITTEN
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("x = 2\n", 0o444)


def test_a_file_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    source = file_with(path)
    path.unlink()
    outcome = write_source(path, source, "x = 2\n")
    assert outcome == WriteOutcome("a.py", WriteStatus.FAILED, "cannot be written: No such file or directory")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to every file")
def test_a_read_only_file_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    source = file_with(path)
    path.chmod(0o444)
    outcome = write_source(path, source, "x = 2\n")
    assert outcome == WriteOutcome(
        "a.py",
        WriteStatus.FAILED,
        "the file is read-only; make it writable (chmod u+w) and run tfmigrate again",
    )
    assert path.read_bytes() == b"x = 1\n"


def test_text_that_the_encoding_lacks_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    source = file_with(path, b"# coding: latin-1\nx = '\xe9'\n")
    outcome = write_source(path, source, source.text.replace("x", "\u20ac"))
    assert outcome == WriteOutcome(
        "a.py",
        WriteStatus.FAILED,
        "the new text cannot be written as iso-8859-1: ordinal not in range(256)",
    )
    assert path.read_bytes() == b"# coding: latin-1\nx = '\xe9'\n"


WRITER = """
import sys
from pathlib import Path
from tfmigrate.source import read_source
from tfmigrate.writing import write_source

path = Path(sys.argv[1])
print("ready", flush=True)
for number in range(100_000):
    source = read_source(path, "a.py")
    outcome = write_source(path, source, f"x = {number}  # " + str(number % 10) * 100_000 + "\\n")
    assert not outcome.message, outcome
"""


@pytest.mark.parametrize("linked", [False, True], ids=["replaced", "in place"])
def test_a_kill_at_any_moment_leaves_a_whole_file(tmp_path: Path, linked: bool) -> None:
    """In place, the file or the copy beside it is whole; a replaced file always is."""
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 0\n")
    if linked:
        os.link(path, tmp_path / "b.py")
    for delay in (0.011, 0.023, 0.031, 0.047, 0.053):
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        copies = [tmp_path / name for name in leftovers(tmp_path) if name.endswith("-backup")]
        assert any(is_whole(file.read_bytes()) for file in [path, *copies])
        assert linked or is_whole(path.read_bytes())
        for copy in leftovers(tmp_path):
            (tmp_path / copy).unlink()
        if not is_whole(path.read_bytes()):
            path.write_bytes(b"x = 0\n")


def is_whole(data: bytes) -> bool:
    if data == b"x = 0\n":
        return True
    head, _, tail = data.partition(b"  # ")
    digit = head[-1:]
    return head.startswith(b"x = ") and tail == digit * 100_000 + b"\n"


def test_the_folder_may_be_closed_to_new_files(tmp_path: Path) -> None:
    """Then the file is written in place, with the copy elsewhere. Root may write everywhere: the check
    needs a user.
    """
    folder = tmp_path / "closed"
    folder.mkdir()
    path = folder / "a.py"
    path.write_bytes(b"x = 1\n")
    for above in (folder, *tmp_path.parents):
        if above != Path("/") and os.access(above, os.W_OK) and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)
    tmp_path.chmod(0o755)
    path.chmod(0o666)
    folder.chmod(0o555)
    code = (
        "import os, sys; from pathlib import Path; import tempfile\n"
        "from tfmigrate.results import Patch\n"
        "from tfmigrate.source import read_source; from tfmigrate.writing import write_source\n"
        "os.getuid() or os.setuid(65534)\n"
        "path = Path(sys.argv[1]); source = read_source(path, 'a.py')\n"
        "print(write_source(path, source, 'x = 2\\n').status.value)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    folder.chmod(0o755)
    assert done.stdout == "written\n"
    assert path.read_bytes() == b"x = 2\n"
    assert os.listdir(folder) == ["a.py"]


@pytest.mark.parametrize("linked", [False, True], ids=["replaced", "in place"])
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, linked: bool) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 1\n")
    if linked:
        os.link(path, tmp_path / "b.py")
    code = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from tfmigrate.results import Patch\n"
        "from tfmigrate.source import read_source; from tfmigrate.writing import write_source\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "path = Path(sys.argv[1]); source = read_source(path, 'a.py')\n"
        "print(write_source(path, source, '#' * 100_000).message)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "cannot be written: File too large\n"
    assert path.read_bytes() == b"x = 1\n"
    assert sorted(os.listdir(tmp_path)) == (["a.py", "b.py"] if linked else ["a.py"])
