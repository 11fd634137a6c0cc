"""`undo`, and `apply`'s journal, run as users run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_samples import NET, Tfmigrate

OTHER = NET.replace("Net", "Other")
DREW = """import random

import tensorflow as tf


@tf.function
def jitter(x: tf.Tensor):
    return x * random.uniform(0.5, 1.5)
"""


@pytest.fixture
def applied(tfmigrate: Tfmigrate, shop: Path) -> Path:
    """``shop`` as a project, with two files rewritten."""
    (shop.parent / "pyproject.toml").touch()
    (shop / "other.py").write_text(OTHER)
    assert tfmigrate("apply", "shop", "-q").code == 0
    assert (shop / "net.py").read_text() != NET and (shop / "other.py").read_text() != OTHER
    return shop


def test_what_apply_wrote_is_given_back(tfmigrate: Tfmigrate, applied: Path) -> None:
    done = tfmigrate("undo")
    lines = done.err.splitlines()
    assert lines[:2] == ["shop/net.py: given back", "shop/other.py: given back"]
    assert lines[2].startswith("undo of the apply of 2") and lines[2].endswith(
        ": 2 files as before, 0 left alone, 0 failed"
    )
    assert (done.code, done.out, len(lines)) == (0, "", 3)
    assert ((applied / "net.py").read_text(), (applied / "other.py").read_text()) == (NET, OTHER)
    done = tfmigrate("undo")
    assert done.code == 2
    assert (
        done.err
        == f"error: there is no apply to undo in {applied.parent} (its .tfmigrate/journal holds none)\n"
    )


def test_an_edited_file_is_left_alone_unless_forced(tfmigrate: Tfmigrate, applied: Path) -> None:
    edited = (applied / "net.py").read_text() + "# mine\n"
    (applied / "net.py").write_text(edited)
    shown = tfmigrate("undo", "--diff")
    assert (
        shown.code == 1 and shown.out.startswith("--- a/shop/other.py\n") and "shop/net.py" not in shown.out
    )
    assert shown.err.startswith("shop/net.py: would be refused: edited since it was rewritten; ")
    done = tfmigrate("undo")
    assert done.code == 3
    assert "shop/net.py: left alone: edited since it was rewritten; --force gives it back" in done.err
    assert ((applied / "net.py").read_text(), (applied / "other.py").read_text()) == (edited, OTHER)
    listed = tfmigrate("undo", "--list")
    assert listed.code == 0
    assert listed.out.splitlines()[1:] == ["    shop/net.py: edited since"]
    assert listed.out.splitlines()[0].endswith("  tfmigrate apply shop -q")
    done = tfmigrate("undo", "--force")
    assert done.code == 0
    assert (
        "shop/net.py: given back; the edited file is kept as .tfmigrate/edited/000001/shop/net.py\n"
        in done.err
    )
    assert (applied / "net.py").read_text() == NET
    assert (applied.parent / ".tfmigrate/edited/000001/shop/net.py").read_text() == edited
    assert tfmigrate("diff", ".", "-q").err == "" and ".tfmigrate" not in tfmigrate("diff", ".").out


def test_a_deleted_file_is_made_again_with_its_mode_when_forced(tfmigrate: Tfmigrate, applied: Path) -> None:
    assert tfmigrate("undo", "-q").code == 0
    (applied / "net.py").chmod(0o750)
    assert tfmigrate("apply", "shop", "-q").code == 0
    (applied / "net.py").unlink()
    done = tfmigrate("undo", "shop/net.py")
    assert done.code == 3
    assert "shop/net.py: left alone: deleted since it was rewritten; --force makes it again\n" in done.err
    assert tfmigrate("undo", "shop/net.py", "--force").code == 0
    assert (applied / "net.py").read_text() == NET
    assert (applied / "net.py").stat().st_mode & 0o777 == 0o750
    assert (applied / "other.py").read_text() != OTHER  # It was not named.


def test_the_diff_of_undo_is_what_undo_does(tfmigrate: Tfmigrate, applied: Path) -> None:
    new = (applied / "net.py").read_bytes()
    shown = tfmigrate("undo", "--diff")
    assert shown.code == 1 and (applied / "net.py").read_bytes() == new
    subprocess.run(["git", "apply", "-"], cwd=applied.parent, input=shown.raw, check=True)
    assert ((applied / "net.py").read_text(), (applied / "other.py").read_text()) == (NET, OTHER)
    assert tfmigrate("undo", "--diff").code == 0
    done = tfmigrate("undo")
    assert done.code == 0 and "shop/net.py: was given back already\n" in done.err


def test_undo_goes_back_apply_by_apply(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    (tmp_path / "pyproject.toml").touch()
    file.write_text(NET + "\n\n" + DREW)
    assert tfmigrate("apply", ".", "--select", "TFM1", "-q").code == 0
    between = file.read_text()
    assert tfmigrate("apply", ".", "--select", "TFM2", "-q").code == 0
    assert "tf.random" in file.read_text() and "tf.random" not in between
    done = tfmigrate("undo")
    assert "\nthe apply before it, of " in done.err and done.err.endswith(", can be undone next\n")
    assert file.read_text() == between
    assert tfmigrate("undo").code == 0
    assert file.read_text() == NET + "\n\n" + DREW


def test_from_any_folder_of_the_project(tfmigrate: Tfmigrate, applied: Path, tmp_path: Path) -> None:
    assert tfmigrate("undo", "other.py", "-q", cwd=applied).code == 0
    assert (applied / "other.py").read_text() == OTHER
    outside = tmp_path.parent
    assert tfmigrate("undo", str(applied), "-q", cwd=outside).code == 0
    assert (applied / "net.py").read_text() == NET


@pytest.mark.parametrize(
    "data",
    [
        NET.replace("\n", "\r\n").encode(),
        b"# coding: latin-1\nNAME = '\xe9'\n" + NET.encode(),
        b"\xef\xbb\xbf" + NET.rstrip("\n").encode(),
    ],
    ids=["crlf", "latin-1", "bom and no final newline"],
)
def test_bytes_mode_and_links_are_as_before(tfmigrate: Tfmigrate, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "real").mkdir()
    file = tmp_path / "real" / "net.py"
    file.write_bytes(data)
    file.chmod(0o640)
    (tmp_path / "link.py").symlink_to("real/net.py")
    os.link(file, tmp_path / "real" / "twin.py")
    assert tfmigrate("apply", "link.py", "-q").code == 0
    assert file.read_bytes() != data
    assert tfmigrate("undo", "-q").code == 0
    assert file.read_bytes() == data and (tmp_path / "real" / "twin.py").read_bytes() == data
    assert os.readlink(tmp_path / "link.py") == "real/net.py"
    assert file.stat().st_mode & 0o777 == 0o640


def test_two_applies_at_once(tmp_path: Path) -> None:
    """Both end, each file is rewritten once, and undoing gives all of it back."""
    (tmp_path / "pyproject.toml").touch()
    for number in range(12):
        (tmp_path / f"net{number}.py").write_text(NET)
    environment = {**os.environ, "TFMIGRATE_CACHE_DIR": str(tmp_path.parent / "cache-of-two")}
    command = [sys.executable, "-m", "tfmigrate"]
    both = [
        subprocess.Popen([*command, "apply", "."], cwd=tmp_path, env=environment, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    said = [process.communicate()[1].decode() for process in both]
    assert {process.returncode for process in both} <= {0, 3}
    assert 0 in {process.returncode for process in both}
    assert all("error" not in text or "the file was changed since it was read" in text for text in said)
    texts = {(tmp_path / f"net{number}.py").read_text() for number in range(12)}
    assert len(texts) == 1 and "self.dense" in texts.pop()
    while (
        subprocess.run([*command, "undo", "-qq"], cwd=tmp_path, env=environment, check=False).returncode == 0
    ):
        pass
    assert {(tmp_path / f"net{number}.py").read_text() for number in range(12)} == {NET}


def test_where_no_journal_can_be_kept_nothing_is_written(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop.parent / "pyproject.toml").touch()
    (shop.parent / ".tfmigrate").write_text("in the way")
    done = tfmigrate("apply", "shop")
    assert done.code == 3
    assert "shop/net.py: error: not written: the journal cannot be kept in " in done.err
    assert "or apply with --no-journal\n" in done.err
    assert "0 files rewritten (0 places), 1 place refused, 0 skipped, 1 failed\n" in done.err
    assert (shop / "net.py").read_text() == NET
    assert tfmigrate("apply", "shop", "--no-journal", "-q").code == 0
    assert (shop / "net.py").read_text() != NET


def test_a_full_disk_leaves_all_as_it_was(tfmigrate: Tfmigrate, shop: Path) -> None:
    """The first copy that the journal needs does not fit."""
    (shop.parent / "pyproject.toml").touch()
    (shop / "large.py").write_text(NET + "#" * 10_000 + "\n")
    done = tfmigrate("apply", "shop", "--no-cache", file_limit=5_000)
    assert done.code == 3
    assert done.err.count("error: not written: the journal cannot be kept in ") == 2
    assert "File too large; make room or make it writable" in done.err
    assert (shop / "net.py").read_text() == NET
    assert os.listdir(shop.parent / ".tfmigrate" / "journal") == ["lock"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user")
def test_a_project_that_is_closed_to_its_user(shop: Path) -> None:
    """Of a user who may write the files but not the folders: no journal, so nothing is written, and that is said."""
    for above in (shop, *shop.parents):
        if above != Path("/") and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)
    (shop.parent / "pyproject.toml").touch()
    (shop / "net.py").chmod(0o666)
    code = (
        # Imports all before the user changes, who may not read the environment either.
        "import importlib, os, pkgutil, sys, tfmigrate.commands, tfmigrate.journal\n"
        "for package in (tfmigrate.commands, tfmigrate.journal):\n"
        "    for one in pkgutil.iter_modules(package.__path__, package.__name__ + '.'):\n"
        "        importlib.import_module(one.name)\n"
        "from tfmigrate.__main__ import main; main(['diff', *sys.argv[2:]])\n"
        "os.setuid(65534); sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "apply", "shop", "--no-cache"]
    done = subprocess.run(command, cwd=shop.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "shop/net.py: error: not written: the journal cannot be kept in" in done.stderr
    assert "Permission denied; make room or make it writable, or apply with --no-journal\n" in done.stderr
    assert (shop / "net.py").read_text() == NET
