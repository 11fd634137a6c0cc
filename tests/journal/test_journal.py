"""The journal on disk: what is kept, what counts as edited, half written files, damage, locks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tfmigrate.journal import store
from tfmigrate.journal.entries import Entry, JournalError, State, is_torn
from tfmigrate.journal.store import Journal, Rewritten, project_of
from tfmigrate.journal.undoing import Undo, undo

OLD, NEW = b"x = 1  # \xe9\r\n", b"y = 22\r\n"


def begun(folder: Path, *names: str) -> tuple[Journal, Entry]:
    """A journal in which an apply to the files ``names`` has begun; they are there as before."""
    journal = Journal(folder)
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(OLD)
    with journal.locked():
        entry = journal.begin([Rewritten(str(folder / name), OLD, NEW) for name in names], ["tfmigrate"])
    return journal, entry


def states(journal: Journal) -> dict[str, State]:
    return {kept.path: journal.state(entry, kept) for entry in journal.entries() for kept in entry.files}


def test_contents_say_what_became_of_each_file(tmp_path: Path) -> None:
    names = ["a.py", "b.py", "c.py", "d.py", "e/f.py"]
    journal, _ = begun(tmp_path, *names)
    (tmp_path / "b.py").write_bytes(NEW)
    (tmp_path / "c.py").write_bytes(NEW + b"z = 3\r\n")
    (tmp_path / "d.py").unlink()
    (tmp_path / "e" / "f.py").rename(tmp_path / "g.py")
    (tmp_path / "e" / "f.py").symlink_to(tmp_path / "g.py")
    expected = [State.BACK, State.APPLIED, State.EDITED, State.GONE, State.EDITED]
    assert states(journal) == dict(zip(names, expected, strict=True))
    with (
        journal.locked()
    ):  # The process that began is gone: what it did not reach is no longer of this apply.
        pass
    assert states(journal) == dict(list(zip(names, expected, strict=True))[1:])


@pytest.mark.parametrize(("before", "after"), [(b"abcdef", b"abXY"), (b"abcd", b"abXYZ12"), (b"", b"new")])
def test_every_moment_of_a_write_in_place_is_known_and_given_back(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    """A file with a second name is overwritten, first by first byte, then cut."""
    torn = [after[:n] + before[n:] for n in range(1, len(after))] + [after + before[len(after) :]]
    for content in torn:
        if content in (before, after):
            continue
        assert is_torn(content, before, after)
        (tmp_path / "a.py").write_bytes(before)
        journal = Journal(tmp_path)
        with journal.locked():
            entry = journal.begin([Rewritten(str(tmp_path / "a.py"), before, after)], ["tfmigrate"])
        (tmp_path / "a.py").write_bytes(content)
        with journal.locked():
            assert states(journal) == {"a.py": State.TORN}
            assert [u.status for u in undo(journal, entry, entry.files, is_forced=False)] == [Undo.GIVEN_BACK]
        assert (tmp_path / "a.py").read_bytes() == before
    assert not is_torn(before + b"my own line", before, after)


def test_the_journal_ignores_itself_in_git(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    begun(tmp_path, "a.py")
    status = ["git", "-C", str(tmp_path), "status", "--porcelain", "--untracked-files=all"]
    assert subprocess.run(status, capture_output=True, check=True).stdout == b"?? a.py\n"


def test_a_damaged_copy_is_never_given_back(tmp_path: Path) -> None:
    journal, entry = begun(tmp_path, "a.py", "b.py")
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_bytes(NEW)
    copy = tmp_path / ".tfmigrate" / "journal" / entry.folder / entry.files[0].before
    copy.write_bytes(b"")
    with journal.locked(), pytest.raises(JournalError, match="is damaged: it is no longer what was kept"):
        undo(journal, entry, entry.files, is_forced=False)
    assert (tmp_path / "b.py").read_bytes() == NEW


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2, "tool": "9.0"}, "written by tfmigrate 9.0; use that version"),
        (
            {"files": [{"path": "../a.py", "before": "0" * 64, "after": "0" * 64, "mode": 420}]},
            "outside of the project",
        ),
        (
            {"files": [{"path": "/a.py", "before": "0" * 64, "after": "0" * 64, "mode": 420}]},
            "outside of the project",
        ),
        (
            {"files": [{"path": "a.py", "before": "../x", "after": "0" * 64, "mode": 420}]},
            "no digest: '../x'",
        ),
        ({"files": None}, "is damaged"),
    ],
)
def test_a_journal_that_is_not_ours_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    """It may have come with somebody else's repository."""
    journal, entry = begun(tmp_path, "a.py")
    file = tmp_path / ".tfmigrate" / "journal" / entry.folder / "entry.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(JournalError, match=message):
        journal.entries()


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    journal, _ = begun(tmp_path, name)
    assert states(journal) == {name: State.BACK}


def test_old_applies_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "KEPT", 3)
    for _ in range(5):
        journal, entry = begun(tmp_path, "a.py")
        (tmp_path / "a.py").write_bytes(NEW)
        journal.finish(entry, ["a.py"])
    assert [entry.number for entry in journal.entries()] == [3, 4, 5]


def test_the_project_is_the_work_tree_else_where_the_settings_are(tmp_path: Path) -> None:
    deep = tmp_path / "repo" / "packages" / "one" / "src"
    deep.mkdir(parents=True)
    assert project_of(deep) == deep
    assert project_of(deep, [tmp_path / "repo"]) == tmp_path / "repo"
    (deep.parent / "pyproject.toml").touch()
    assert project_of(deep) == deep.parent
    (tmp_path / "repo" / ".git").mkdir()
    assert project_of(deep) == tmp_path / "repo"


HOLDER = """
import sys, time
from pathlib import Path
from tfmigrate.journal.store import Journal
with Journal(Path(sys.argv[1])).locked():
    print("locked", flush=True)
    sys.stdin.readline()
"""


def test_one_process_at_a_time_and_a_dead_one_holds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdin is not None
    assert holder.stdout.readline() == b"locked\n"
    monkeypatch.setattr(store, "PATIENCE_S", 0.2)
    told: list[bool] = []
    with (
        pytest.raises(JournalError, match="another tfmigrate is writing in"),
        Journal(tmp_path).locked(lambda: told.append(True)),
    ):
        pass
    assert told
    holder.kill()
    holder.wait()
    holder.stdout.close()
    holder.stdin.close()
    with Journal(tmp_path).locked():
        pass
