"""Which files are found: as git sees them, without environments, without symlinked folders."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tfmigrate.discovery import DEFAULT_EXCLUDE, Excludes, discover


def make(folder: Path, *names: str) -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x = 1\n")


def found(folder: Path, *paths: str, excludes: Excludes | None = None) -> list[str]:
    named = [folder / path for path in paths] or [folder]
    files = discover(named, excludes or Excludes(root=folder)).files
    return [file.relative_to(folder).as_posix() for file in files]


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.fixture(params=["plain", "git"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder, once outside of git and once as a new repository. Both must answer the same."""
    folder = tmp_path / "tree"
    folder.mkdir()
    if request.param == "git":
        git(folder, "init", "-q")
    return folder


def test_only_python_files_sorted_and_once(tree: Path) -> None:
    make(tree, "b.py", "a/c.py", "a.py", "a/gui.pyw", "notes.txt", "n.ipynb", "stub.pyi")
    assert found(tree) == ["a.py", "a/c.py", "a/gui.pyw", "b.py"]
    assert found(tree, "a", ".", "a/c.py") == ["a.py", "a/c.py", "a/gui.pyw", "b.py"]


def test_gitignore_is_obeyed_in_every_folder(tree: Path) -> None:
    make(
        tree,
        "a.py",
        "gen/x.py",
        "sub/made_up.py",
        "sub/kept.py",
        "sub/deep/made_down.py",
        "sub/deep/made_kept.py",
    )
    (tree / ".gitignore").write_text("/gen/\n")
    (tree / "sub/.gitignore").write_text("made_*\n")
    (tree / "sub/deep/.gitignore").write_text("!made_kept.py\n")
    assert found(tree) == ["a.py", "sub/deep/made_kept.py", "sub/kept.py"]


def test_an_ignored_folder_that_is_named_is_meant(tree: Path) -> None:
    make(tree, "gen/x.py")
    (tree / ".gitignore").write_text("/gen/\n")
    assert found(tree, "gen") == ["gen/x.py"]


def test_environments_and_build_output_are_not_walked(tree: Path) -> None:
    make(
        tree,
        "a.py",
        "env/lib/x.py",
        "build/b.py",
        "dist/c.py",
        "node_modules/d.py",
        ".tox/e.py",
        "__pycache__/f.py",
    )
    make(tree, "env/pyvenv.cfg", "site-packages/g.py", "pkg/build.py")
    assert found(tree) == ["a.py", "pkg/build.py"]
    assert found(tree, "env/lib") == ["env/lib/x.py"]
    assert found(tree, "site-packages") == ["site-packages/g.py"]


def test_symlinked_folders_are_not_followed_but_named_ones_are(tree: Path) -> None:
    make(tree, "real/a.py")
    (tree / "link").symlink_to("real", target_is_directory=True)
    (tree / "real/loop").symlink_to("..", target_is_directory=True)
    assert found(tree) == ["real/a.py"]
    assert found(tree, "link") == ["link/a.py"]


def test_a_symlinked_file_is_the_file_itself(tree: Path) -> None:
    make(tree, "a.py")
    (tree / "b.py").symlink_to("a.py")
    assert len(found(tree)) == 1


def test_a_named_file_always_comes_through(tree: Path) -> None:
    make(tree, "build/b.py", "n.ipynb", "a.py")
    (tree / ".gitignore").write_text("a.py\n")
    assert found(tree, "build/b.py", "n.ipynb", "a.py") == ["a.py", "build/b.py", "n.ipynb"]


def test_force_exclude_reaches_named_files(tree: Path) -> None:
    make(tree, "gen/b.py", "a.py")
    excludes = Excludes((*DEFAULT_EXCLUDE, "gen"), tree, force=True)
    assert found(tree, "gen/b.py", "a.py", excludes=excludes) == ["a.py"]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("old", ["a.py", "pkg/a_pb2.py", "pkg/b.py"]),
        ("*_pb2.py", ["a.py", "old/c.py", "pkg/b.py", "pkg/old/d.py"]),
        ("/pkg/*", ["a.py", "old/c.py"]),
        ("pkg/old/", ["a.py", "old/c.py", "pkg/a_pb2.py", "pkg/b.py"]),
    ],
)
def test_exclude_takes_gitignore_patterns(tree: Path, pattern: str, left: list[str]) -> None:
    make(tree, "a.py", "pkg/b.py", "pkg/a_pb2.py", "old/c.py", "pkg/old/d.py")
    assert found(tree, excludes=Excludes((pattern,), tree)) == left


def test_what_does_not_exist_is_said(tree: Path) -> None:
    make(tree, "a.py")
    result = discover([tree / "a.py", tree / "b.py"], Excludes(root=tree))
    assert result.missing == (tree / "b.py",)


def test_tracked_files_in_an_ignored_place_are_found(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "gen/x.py", "gen/y.py")
    (tmp_path / ".gitignore").write_text("gen/\n")
    git(tmp_path, "add", "-f", "gen/x.py")
    assert found(tmp_path) == ["gen/x.py"]


def test_deleted_files_that_git_still_tracks_are_not_listed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "a.py", "b.py")
    git(tmp_path, "add", ".")
    (tmp_path / "b.py").unlink()
    assert found(tmp_path) == ["a.py"]


def test_a_repository_inside_a_repository_is_walked(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "a.py", "inner/b.py", "inner/.gitignore")
    git(tmp_path / "inner", "init", "-q")
    assert found(tmp_path) == ["a.py", "inner/b.py"]


def test_names_with_odd_characters(tree: Path) -> None:
    make(tree, "a b.py", "ü.py", 'q".py', "n\nl.py")
    assert found(tree) == ["a b.py", "n\nl.py", 'q".py', "ü.py"]
