"""Patches as versions: `tfmigrate diff`'s and git's own, applied or not; and the journal's originals."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tfmigrate.diff import diff_of
from tfmigrate.exits import UsageError
from tfmigrate.journal.store import Journal, Rewritten
from tfmigrate.verify.against import find_versions
from tfmigrate.verify.journaled import changed_by_apply
from tfmigrate.verify.model import CodeTree, Version
from tfmigrate.verify.patchfile import changed_by_patch, patched, read_patch
from tfmigrate.verify.trees import ChangedFile, TreeError, compared_trees

OLD = b"".join(b"line %d\n" % number for number in range(40))
NEW = OLD.replace(b"line 3\n", b"line three\nand a half\n").replace(b"line 30\n", b"")


def git(folder: Path, *arguments: str) -> bytes:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OLD, NEW),
        (b"a\r\nb\r\n", b"a\r\nc\r\n"),
        (b"a\nb", b"a\nb\n"),
        (b"a\nb\n", b"a\nc"),
        (b"a\rb\x0cc\n", b"a\rb\x0cd\n"),
        (b"x = '\xe9'\n\n\n", b"x = '\xe8'\n\n\n"),
    ],
    ids=["two hunks", "crlf", "newline added", "newline gone", "odd line ends", "latin-1"],
)
def test_a_diff_read_back_gives_each_side_from_the_other(old: bytes, new: bytes) -> None:
    (patch,) = read_patch(b"some words\n" + diff_of("p q/a.py", old, new) + b"more words\n")
    assert (patch.old, patch.new) == ("a/p q/a.py", "b/p q/a.py")
    assert patched(old, patch.hunks, Version.BEFORE) == new
    assert patched(new, patch.hunks, Version.AFTER) == old
    # Lines that somebody else put above move the hunks.
    assert patched(b"# new\n" * 5 + old, patch.hunks, Version.BEFORE) == b"# new\n" * 5 + new
    assert (
        patched(b"other\n", patch.hunks, Version.BEFORE) == "the old lines of hunk 1 (line 1) are not there"
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    (root / "pkg").mkdir(parents=True)
    for name in ("edited.py", "gone.py", "moved.py", "caf\u00e9.py"):
        (root / "pkg" / name).write_bytes(OLD + name.encode() + b"\n")
    (root / "notes.txt").write_text("old\n")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    return root


def test_any_git_diff_in_both_directions(repository: Path, tmp_path: Path) -> None:
    pkg = repository / "pkg"
    (pkg / "edited.py").write_bytes(NEW + b"edited.py\n")
    (pkg / "caf\u00e9.py").write_bytes(NEW)
    (pkg / "gone.py").unlink()
    (pkg / "moved.py").rename(pkg / "to.py")
    (pkg / "to.py").write_bytes(NEW + b"moved.py\n")
    (pkg / "added.py").write_bytes(b"added\n")
    (repository / "notes.txt").write_text("new\n")
    git(repository, "add", "-A")
    versions = {
        "edited.py": (OLD + b"edited.py\n", NEW + b"edited.py\n"),
        "caf\u00e9.py": (OLD + "caf\u00e9.py\n".encode(), NEW),
        "gone.py": (OLD + b"gone.py\n", None),
        "moved.py": (OLD + b"moved.py\n", None),
        "to.py": (None, NEW + b"moved.py\n"),
        "added.py": (None, b"added\n"),
    }
    expected = tuple(ChangedFile(str(pkg / name), *versions[name]) for name in sorted(versions))
    for number, options in enumerate(
        [(), ("--no-renames",), ("--no-prefix",), ("-U0",), ("--relative=pkg",)]
    ):
        file = tmp_path / f"{number}.patch"
        file.write_bytes(git(repository, "diff", "--cached", *options))
        below = pkg if "--relative=pkg" in options else repository
        assert changed_by_patch(file, below) == (expected, Version.AFTER), options
        if below is repository:  # From a folder below, too, as git's paths are from the top.
            assert changed_by_patch(file, pkg) == (expected, Version.AFTER)
    git(repository, "stash", "-q")
    for number in range(5):
        below = pkg if number == 4 else repository
        assert changed_by_patch(tmp_path / f"{number}.patch", below) == (expected, Version.BEFORE), number
    before, after = compared_trees(expected, ["/r"], Version.BEFORE)
    assert before == CodeTree(("/r",))
    assert (
        after.overlay[str(pkg / "edited.py")] == NEW + b"edited.py\n"
        and after.overlay[str(pkg / "gone.py")] is None
    )


def test_what_is_wrong_with_a_patch_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(OLD)
    file = tmp_path / "x.patch"

    def message(data: bytes) -> str:
        file.write_bytes(data)
        with pytest.raises(TreeError) as caught:
            changed_by_patch(file, tmp_path)
        return str(caught.value).removeprefix(f"--patch {file}: ")

    assert message(b"") == "holds no unified diff of a Python file"
    assert message(diff_of("a.txt", b"1\n", b"2\n")) == "holds no unified diff of a Python file"
    assert message(diff_of("a.py", OLD, NEW)[:-9]).startswith(
        "a hunk ends too early, or is damaged, at line "
    )
    assert (
        message(b"Binary files a/a.py and b/a.py differ\n")
        == "holds a binary diff: Binary files a/a.py and b/a.py differ"
    )
    fits_nowhere = message(diff_of("a.py", b"other\n", b"lines\n"))
    assert fits_nowhere == (
        f"is neither applied nor can it be: {tmp_path / 'a.py'}: the new lines of hunk 1 (line 1) are not there;"
        " check out the version that it was made for"
    )
    assert "b.py does not exist" in message(diff_of("b.py", OLD, NEW))
    with pytest.raises(TreeError, match=r"nope\.patch: cannot be read: No such file"):
        changed_by_patch(tmp_path / "nope.patch", tmp_path)
    with pytest.raises(UsageError, match="--base and --patch both name the other version"):
        find_versions([], "HEAD", file)


def test_a_patch_that_leads_out_of_the_tree_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_bytes(OLD)
    (tmp_path / "tree").mkdir()
    file = tmp_path / "x.patch"
    file.write_bytes(diff_of("../secret.py", OLD, NEW))
    with pytest.raises(TreeError, match="neither applied nor can it be"):
        changed_by_patch(file, tmp_path / "tree")


def apply(journal: Journal, name: str, before: bytes, after: bytes) -> None:
    path = journal.project / name
    path.write_bytes(before)
    with journal.locked():
        entry = journal.begin([Rewritten(str(path), before, after)], ["tfmigrate", "apply"])
        path.write_bytes(after)
        journal.finish(entry, [name])


def test_the_journal_is_the_version_before(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Applies on one commit belong together, and what is committed since is compared, too."""
    journal = Journal(repository)
    with pytest.raises(
        TreeError, match="has no journal of an apply to compare with; give --base REV, --patch FILE"
    ):
        changed_by_apply(repository)
    apply(journal, "older.py", b"0\n", b"1\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "older")
    apply(journal, "a.py", b"1\n", b"2\n")
    apply(journal, "a.py", b"2\n", b"3\n")
    apply(journal, "b.py", b"1\n", b"2\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "rewritten")
    a, b = (str(repository / name) for name in ("a.py", "b.py"))
    found = changed_by_apply(repository / "pkg")
    assert found.changed == (ChangedFile(a, b"1\n", b"3\n"), ChangedFile(b, b"1\n", b"2\n"))
    assert (found.project, found.notes) == (repository, ())
    (repository / "a.py").write_bytes(b"3\nmore\n")
    (repository / "b.py").unlink()
    monkeypatch.chdir(repository)
    versions = find_versions([], None, None)
    assert versions is not None
    assert versions.changed == (ChangedFile(a, b"1\n", b"3\nmore\n"), ChangedFile(b, b"1\n", None))
    assert versions.paths == (repository,)
    assert versions.notes == ("a.py was edited since the apply: that is compared, too",)
