"""Questions to git. Nothing here changes a repository, not even its index."""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

_TIMEOUT_S = 60


def git_output(folder: Path, *arguments: str) -> bytes | None:
    """Output of git in ``folder``; None when git is missing, fails, or ``folder`` is in no work tree."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=_TIMEOUT_S,
            env=environment,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def git_names(folder: Path, *arguments: str) -> list[str] | None:
    """The null-separated file names that git prints."""
    output = git_output(folder, *arguments)
    if output is None:
        return None
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def uncommitted(files: Iterable[Path]) -> list[Path]:
    """Those of ``files`` whose last state no commit holds: a rewrite of them cannot be undone by git."""
    by_folder: dict[Path, list[Path]] = defaultdict(list)
    for file in files:
        by_folder[Path(os.path.realpath(file)).parent].append(file)
    dirty: list[Path] = []
    for folder, members in by_folder.items():
        output = git_output(
            folder, "status", "--porcelain", "-z", "--untracked-files=all", "--ignored", "--", "."
        )
        prefix = git_output(folder, "rev-parse", "--show-prefix")
        if output is None or prefix is None:
            continue
        below = os.fsdecode(prefix.rstrip(b"\n"))
        entries = [os.fsdecode(entry) for entry in output.split(b"\0") if entry]
        names = {entry[3:] for entry in entries}
        dirty.extend(file for file in members if below + os.path.basename(os.path.realpath(file)) in names)
    return sorted(dirty)
