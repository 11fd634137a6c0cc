"""Two versions of a code base: patches, a real git repository, two folders."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tfmigrate.results import Patch
from tfmigrate.source import SourceFile
from tfmigrate.verify.model import CodeTree
from tfmigrate.verify.trees import (
    ChangedFile,
    TreeError,
    changed_between,
    changed_lines,
    changed_since,
    compared_trees,
    import_root,
    patched_trees,
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    (root / "pkg").mkdir(parents=True)
    for name in ("pkg/__init__.py", "pkg/kept.py", "pkg/edited.py", "pkg/gone.py", "notes.txt"):
        (root / name).write_bytes(b"old = 1\n")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one")
    return root


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def test_the_working_tree_against_a_revision(repository: Path) -> None:
    pkg = repository / "pkg"
    (pkg / "edited.py").write_bytes(b"new = 2\n")
    (pkg / "gone.py").unlink()
    (pkg / "added.py").write_bytes(b"added = 3\n")
    (repository / "notes.txt").write_bytes(b"other\n")
    expected = (
        ChangedFile(str(pkg / "added.py"), None, b"added = 3\n"),
        ChangedFile(str(pkg / "edited.py"), b"old = 1\n", b"new = 2\n"),
        ChangedFile(str(pkg / "gone.py"), b"old = 1\n", None),
    )
    assert changed_since("HEAD", [pkg / "edited.py"]) == expected
    git(repository, "add", "-A")
    assert changed_since("HEAD", [repository]) == expected

    before, after = compared_trees(expected, [str(repository)])
    assert before == CodeTree(
        (str(repository),),
        {
            str(pkg / "added.py"): None,
            str(pkg / "edited.py"): b"old = 1\n",
            str(pkg / "gone.py"): b"old = 1\n",
        },
    )
    assert after == CodeTree((str(repository),))


def test_what_git_cannot_answer_is_said(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="'nope' is no commit of"):
        changed_since("nope", [repository])
    outside = tmp_path / "outside"
    outside.mkdir()
    with pytest.raises(TreeError, match="in no git repository"):
        changed_since("HEAD", [outside])
    git(outside, "init", "-q")
    with pytest.raises(TreeError, match="several git repositories"):
        changed_since("HEAD", [outside, repository])


def test_case_files_run_unchanged_on_both_sides() -> None:
    changed = [ChangedFile("/x/tfmigrate_cases.py", b"a", b"b"), ChangedFile("/x/m.py", b"a", b"b")]
    before, _ = compared_trees(changed, ["/x"])
    assert before.overlay == {"/x/m.py": b"a"}


def test_two_folders(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, text in ((old, b"x = 1\n"), (new, b"x = 2\n")):
        (folder / "pkg").mkdir(parents=True)
        (folder / "pkg" / "__init__.py").touch()
        (folder / "pkg" / "m.py").write_bytes(text)
    (new / "only_new.py").touch()
    (old / "only_old.py").touch()
    assert changed_between(old, new) == (
        ChangedFile(str(new / "only_new.py"), None, b""),
        ChangedFile(str(new / "only_old.py"), b"", None),
        ChangedFile(str(new / "pkg" / "m.py"), b"x = 1\n", b"x = 2\n"),
    )
    m = ChangedFile(str(new / "pkg" / "m.py"), b"x = 1\n", b"x = 2\n")
    assert changed_between(old / "pkg" / "m.py", new / "pkg" / "m.py") == (m,)
    with pytest.raises(TreeError, match="two folders or two files"):
        changed_between(old, new / "only_new.py")
    with pytest.raises(TreeError, match="does not exist"):
        changed_between(old, new / "nothing")


def test_patches_become_an_overlay(tmp_path: Path) -> None:
    file = tmp_path / "m.py"
    file.write_bytes(b"\xef\xbb\xbfx = '\xc3\xa9'\n")
    source = SourceFile(str(file), b"\xef\xbb\xbfx = '\xc3\xa9'\n", "x = 'é'\n", "utf-8", True)
    same = SourceFile(str(tmp_path / "n.py"), b"y\n", "y\n", "utf-8", False)
    before, after = patched_trees([Patch(source, "x = 'è'\n", ()), Patch(same, "y\n", ())], [str(tmp_path)])
    assert before.overlay == {}
    file.write_bytes(b"the buffer of an editor is ahead of the disk")
    ahead, _ = patched_trees([Patch(source, "x = 'è'\n", ())], [str(tmp_path)])
    assert ahead.overlay == {str(file): source.data}
    assert after.overlay == {str(file): b"\xef\xbb\xbfx = '\xc3\xa8'\n"}


def test_import_roots(tmp_path: Path) -> None:
    package = tmp_path / "src" / "pkg" / "inner"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    assert import_root(str(package / "m.py")) == str(tmp_path / "src")
    assert import_root(str(package / "m.py"), "pkg.inner.m") == str(tmp_path / "src")
    assert import_root(str(package / "m.py"), "inner.m") == str(tmp_path / "src" / "pkg")
    assert import_root(str(package / "__init__.py"), "pkg.inner") == str(tmp_path / "src")
    assert import_root(str(tmp_path / "script.py")) == str(tmp_path)


def test_changed_lines() -> None:
    assert changed_lines(b"a\nb\nc\n", b"a\nB\nB2\nc\n") == (frozenset({2}), frozenset({2, 3}))
    assert changed_lines(b"a\nb\n", b"a\n") == (frozenset({2}), frozenset())
    assert changed_lines(None, b"a\n") == (frozenset(), frozenset({1}))
    new = b"# why\nx = f(\n    a,\n\n)\n\n\ndef g():\n    return x\n"
    assert changed_lines(b"", new) == (frozenset(), frozenset({2, 3, 8, 9}))
    assert changed_lines(b"a\nb\n", b"a\n(\n") == (frozenset({2}), frozenset({2}))
