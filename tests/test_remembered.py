"""A remembered dry run is the run that would be made: whatever decides it is noticed, and nothing of it is written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tfmigrate import kept
from tfmigrate.codemod import Target
from tfmigrate.config import Config
from tfmigrate.engine import Options
from tfmigrate.pipeline import dry_run, migrate_paths
from tfmigrate.remembered import Memory, Seen
from tfmigrate.results import Crash, Patch
from tfmigrate.runs import Outcome, Run

TOP = Path(__file__).parent.parent
BASE = "from tensorflow import keras\n\n\nclass Base(keras.layers.Layer):\n    pass\n"
NET = """\
from tensorflow import keras

from shop.base import Base


class Net(Base):
    def call(self, x):
        y = keras.layers.Dense(8, activation="a rather long name", name="another rather long name")(x)
        return keras.layers.Dropout(0.5)(y)


class Sized(keras.layers.Layer):
    def call(self, x, units):
        return keras.layers.Dense(units)(x)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package ``shop``: one file to rewrite, its base class in another; the working directory is above it."""
    folder = tmp_path / "project"
    (folder / "shop").mkdir(parents=True)
    (folder / "shop" / "__init__.py").write_text("")
    (folder / "shop" / "base.py").write_text(BASE)
    (folder / "shop" / "net.py").write_text(NET)
    (folder / "shop" / "blob.py").write_bytes(b"\0")
    (folder / "shop" / "broken.py").write_text("import keras\ndef f(:\n")
    monkeypatch.chdir(folder)
    return folder


def config(project: Path) -> Config:
    return Config(root=project, cache_dir=project.parent / "cache", jobs=1)


def told(run: Run) -> tuple[object, ...]:
    """All that a user can see of a run."""
    return run.outcomes, run.checked, run.missing, [codemod.name for codemod in run.codemods]


def is_remembered(run: Run) -> bool:
    return run.plan is None


def runs_files(project: Path) -> list[Path]:
    return sorted((project.parent / "cache").glob("runs-*.bin"))


def test_the_second_run_is_remembered_and_says_the_same(project: Path) -> None:
    first, second = (dry_run([Path("shop")], config(project)) for _ in range(2))
    assert (is_remembered(first), is_remembered(second)) == (False, True)
    assert told(first) == told(second) == told(migrate_paths([Path("shop")], config(project)))
    kinds = [type(result).__name__ for result in first.results]
    assert kinds == ["Skipped", "Unparsable", "Patch"]
    assert first.patches[0].after != NET and any(f.refused for f in first.patches[0].findings)


def test_nothing_is_remembered_without_a_cache(project: Path) -> None:
    runs = [dry_run([Path("shop")], replace(config(project), cache_dir=None)) for _ in range(2)]
    assert not any(map(is_remembered, runs))


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(project: Path) -> None:
        file = project / name
        text = file.read_text() if file.exists() else ""
        assert old in text
        file.parent.mkdir(exist_ok=True)
        file.write_text(text.replace(old, new) if old else text + new)

    return change


CHANGES = {
    "base class in another file": edit("shop/base.py", "keras.layers.Layer", "object"),
    "the file itself": edit("shop/net.py", "Dense(8", "Dense(9"),
    "skip comment": edit(
        "shop/net.py", "    def call(self, x):", "    def call(self, x):  # tfmigrate: skip"
    ),
    "new file": edit("shop/more.py", "", NET),
    "file becomes readable": edit("shop/broken.py", "(:", "():"),
    "module that was missing": edit("shop/base/__init__.py", "", "Base = object\n"),
    "black's line length": edit("pyproject.toml", "", "[tool.black]\nline-length = 60\n"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_noticed(project: Path, what: str) -> None:
    before = dry_run([Path("shop")], config(project))
    assert is_remembered(dry_run([Path("shop")], config(project)))
    if what == "module that was missing":
        (project / "shop" / "base.py").unlink()
    CHANGES[what](project)
    after = dry_run([Path("shop")], config(project))
    assert not is_remembered(after)
    assert told(after) == told(migrate_paths([Path("shop")], config(project)))
    assert told(after) != told(before)


def test_a_removed_file_is_noticed(project: Path) -> None:
    before = dry_run([Path("shop")], config(project))
    (project / "shop" / "base.py").unlink()
    after = dry_run([Path("shop")], config(project))
    assert told(after) == told(migrate_paths([Path("shop")], config(project)))
    assert told(after) != told(before)


def test_a_change_in_a_file_beside_the_named_one_is_noticed(project: Path) -> None:
    named = [Path("shop/net.py")]
    before = dry_run(named, config(project))
    assert is_remembered(dry_run(named, config(project)))
    CHANGES["base class in another file"](project)
    after = dry_run(named, config(project))
    assert told(after) == told(migrate_paths(named, config(project))) != told(before)


def test_a_module_that_appears_where_none_was_found_is_noticed(project: Path) -> None:
    """It is outside of what was named: only the disk tells."""
    lone = project / "scripts"
    lone.mkdir()
    (lone / "net.py").write_text(NET.replace("from shop.base", "from elsewhere.base"))
    named = [Path("scripts")]
    before = dry_run(named, config(project))
    assert is_remembered(dry_run(named, config(project)))
    (lone / "elsewhere").mkdir()
    (lone / "elsewhere" / "base.py").write_text("Base = dict\n")
    narrow = replace(config(project), exclude=("elsewhere",))
    after = dry_run(named, narrow)
    assert told(after) == told(migrate_paths(named, narrow)) != told(before)


OPTIONS = {
    "select": {"select": ("TFM102",)},
    "ignore": {"ignore": ("TFM101",)},
    "per-file-ignores": {"per_file_ignores": (("shop/net.py", ("TFM101",)),)},
    "exclude": {"extend_exclude": ("base.py",)},
}


@pytest.mark.parametrize("what", OPTIONS)
def test_other_options_are_another_run(project: Path, what: str) -> None:
    before = dry_run([Path("shop")], config(project))
    other = replace(config(project), **OPTIONS[what])  # type: ignore[arg-type]
    after = dry_run([Path("shop")], other)
    assert not is_remembered(after)
    assert told(after) == told(migrate_paths([Path("shop")], other)) != told(before)
    assert is_remembered(dry_run([Path("shop")], other))
    assert is_remembered(dry_run([Path("shop")], config(project)))  # Both are kept.


@pytest.mark.parametrize("other", [{"target": Target.KERAS3}, {"unsafe": True}], ids=str)
def test_target_and_unsafe_belong_to_the_run(project: Path, other: dict[str, object]) -> None:
    dry_run([Path("shop")], config(project))
    assert not is_remembered(dry_run([Path("shop")], replace(config(project), **other)))  # type: ignore[arg-type]


def test_paths_are_printed_as_seen_from_the_working_directory(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dry_run([project / "shop"], config(project))
    monkeypatch.chdir(project / "shop")
    run = dry_run([project / "shop"], config(project))
    assert run.patches[0].source.path == "net.py"


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "header", "nonsense", "wrong shape", "folder"])
def test_a_file_that_is_not_as_it_was_written_is_ignored(project: Path, damage: str) -> None:
    first = dry_run([Path("shop")], config(project))
    (file,) = runs_files(project)
    data = file.read_bytes()
    header = data[: data.index(b"\n") + 1]
    if damage == "cut":
        file.write_bytes(data[:-9])
    elif damage == "flipped":
        file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "header":
        file.write_bytes(data.replace(b"tfmigrate runs", b"tfmigrate rums"))
    elif damage == "nonsense":
        kept.save(file, header, ["no runs"])
    elif damage == "wrong shape":
        entries = kept.load(file, header)
        assert isinstance(entries, dict) and entries
        kept.save(file, header, dict.fromkeys(entries, ([], {}, [("shop/net.py", 0, [], ("Patch", 1))])))
    else:
        file.unlink()
        file.mkdir()
    run = dry_run([Path("shop")], config(project))
    assert not is_remembered(run)
    assert told(run) == told(first)


def test_a_crash_is_tried_again(project: Path) -> None:
    options = Options(frozenset({"TFM101"}))
    memory = Memory(project.parent / "cache", [Path("shop")], options, config(project))
    memory.keep(Seen(), [Outcome(Path("shop/net.py"), Crash("shop/net.py", "engine", "Traceback ..."))])
    assert runs_files(project) == []


def test_a_file_that_changed_while_it_was_read_is_not_remembered(project: Path) -> None:
    options = Options(frozenset({"TFM101"}))
    memory = Memory(project.parent / "cache", [Path("shop")], options, config(project))
    seen = Seen()
    seen.add(Path("shop/net.py"), b"x = 1\n")
    seen.add(Path("shop/net.py"), b"x = 2\n")
    memory.keep(seen, [])
    assert runs_files(project) == []


def test_only_so_many_runs_are_kept(project: Path) -> None:
    (project / "shop" / "net.py").unlink()
    for number in range(10):
        (project / "shop" / "base.py").write_text(f"{BASE}# {number}\n")
        dry_run([Path("shop")], config(project))
    (file,) = runs_files(project)
    data = file.read_bytes()
    runs = kept.load(file, data[: data.index(b"\n") + 1])
    assert isinstance(runs, dict) and len(runs) == 8
    assert is_remembered(dry_run([Path("shop")], config(project)))


def test_a_cache_that_cannot_be_written_is_no_failure(project: Path) -> None:
    (project.parent / "cache").write_text("not a folder")
    runs = [dry_run([Path("shop")], config(project)) for _ in range(2)]
    assert told(runs[0]) == told(runs[1]) and not any(map(is_remembered, runs))


def tfmigrate(project: Path, *arguments: str, package: Path = TOP) -> str:
    environment = {
        **os.environ,
        "PYTHONPATH": str(package),
        "TFMIGRATE_CACHE_DIR": str(project.parent / "cache"),
    }
    command = [sys.executable, "-m", "tfmigrate", *arguments]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def test_nothing_remembered_is_written(project: Path) -> None:
    """``diff`` shows what is remembered, so a forged memory shows; ``apply`` runs the engine."""
    expected = migrate_paths([Path("shop")], config(project)).patches[0].after
    tfmigrate(project, "diff", "shop", "--isolated")
    (file,) = runs_files(project)
    data = file.read_bytes()
    header = data[: data.index(b"\n") + 1]
    entries = kept.load(file, header)
    assert isinstance(entries, dict)
    ((key, (answers, styles, outcomes)),) = entries.items()
    forged = [
        (name, hidden, problems, (kind, "forged = 1\n", *rest[1:]) if kind == "Patch" else (kind, *rest))
        for name, hidden, problems, (kind, *rest) in outcomes
    ]
    kept.save(file, header, {key: (answers, styles, forged)})
    assert "+forged = 1" in tfmigrate(project, "diff", "shop", "--isolated")
    tfmigrate(project, "apply", "shop", "--isolated")
    assert (project / "shop" / "net.py").read_text() == expected


def test_another_version_of_tfmigrate_remembers_nothing_of_this_one(project: Path) -> None:
    package = project.parent / "package"
    for name in ("tfmigrate", "codemods"):
        shutil.copytree(TOP / name, package / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TOP / "pyproject.toml", package)
    old = tfmigrate(project, "diff", "shop", "--isolated", package=package)
    codemod = package / "codemods" / "layers_to_init.py"
    text = codemod.read_text()
    assert "which runs inside a graph" in text and "which runs inside a graph" in old
    codemod.write_text(text.replace("which runs inside a graph", "which is traced"))
    new = tfmigrate(project, "diff", "shop", "--isolated", package=package)
    assert new == old.replace("which runs inside a graph", "which is traced")


def test_a_patch_that_is_remembered_is_of_the_file_on_disk(project: Path) -> None:
    dry_run([Path("shop")], config(project))
    run = dry_run([Path("shop")], config(project))
    (patch,) = [result for result in run.results if isinstance(result, Patch)]
    assert patch.source.data == (project / "shop" / "net.py").read_bytes()
