"""Several processes: each writes a part, the first one merges them; a later run adds to what is there."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from tfmigrate.record.format import Arguments, Call, Constructor, Scalar, load
from tfmigrate.record.options import Options
from tfmigrate.record.places import Definition, Places
from tfmigrate.record.session import Session


def seen(options: Options, value: int) -> Session:
    """A session that saw one call with ``value``; no hook is installed."""
    session = Session(options)
    entry = session.recorder.keeper.made(Definition("a:B", "a.py", 1), Constructor())
    entry.add(Call(Arguments((Scalar(value),))), nested=False)
    return session


def values(path: Path) -> list[object]:
    [cls] = load(path).classes
    return [(call.arguments.args[0], call.count) for call in cls.calls]


def test_parts_are_merged_and_removed(tmp_path: Path) -> None:
    output = tmp_path / "r.json"
    own = Options(str(output), (str(tmp_path),), owner=os.getpid())
    # A worker's options name another process as the owner: here one that writes under our number.
    part = tmp_path / f"r.json.{os.getpid()}-77.part"
    worker = seen(replace(own, output=str(part), owner=os.getpid()), 2)
    assert "recorded 1 class" in worker.end()
    assert "1 class, 0 tf.functions and 2 calls" in seen(own, 1).end()
    assert values(output) == [(Scalar(1), 1), (Scalar(2), 1)]
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]


def test_a_process_that_is_not_the_first_writes_a_part(tmp_path: Path) -> None:
    worker = seen(Options(str(tmp_path / "r.json"), (str(tmp_path),), owner=1), 1)
    assert worker.end() == "" and worker.end() == ""
    assert [path.name for path in tmp_path.iterdir()] == [f"r.json.1-{os.getpid()}.part"]


def test_appending_adds_to_what_is_there(tmp_path: Path) -> None:
    output = tmp_path / "r.json"
    options = Options(str(output), (str(tmp_path),), owner=os.getpid())
    seen(options, 1).end()
    seen(replace(options, append=True), 1).end()
    assert values(output) == [(Scalar(1), 2)]
    seen(options, 3).end()
    assert values(output) == [(Scalar(3), 1)]


def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    options = Options(str(tmp_path / "none" / "r.json"), (str(tmp_path),), owner=os.getpid())
    assert seen(options, 1).end().startswith("tfmigrate: nothing was recorded: ")


def test_installed_packages_are_not_the_users(tmp_path: Path) -> None:
    places = Places((str(tmp_path),), str(tmp_path))
    assert places.own(str(tmp_path / "pkg" / "net.py")) == "pkg/net.py"
    for other in ("lib/site-packages/x.py", ".venv/lib/x.py", "../x.py"):
        assert places.own(str(tmp_path / other)) is None
    assert places.own("<frozen runpy>") is None
