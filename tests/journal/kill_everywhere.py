"""Run ``tfmigrate apply`` again and again, each time killed (SIGKILL) a little later; print what is left, a JSON line each.

    python kill_everywhere.py TEMPLATE FOLDER

The process dies at its first, second, third ... touch of a file in FOLDER, as Python's own audit events tell; so that no
place between two of them is left out. It is forked from one that has imported everything, to be fast.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from tfmigrate.__main__ import main

LIMIT = 2_000


def forked(work: Callable[[], int]) -> int:
    """Exit status of a child that does ``work``; negative for a signal."""
    pid = os.fork()
    if pid == 0:
        code = 99
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def apply_until(touches: int, folder: str) -> int:
    """``apply`` in this process, which ends at the given touch of a file below ``folder``."""
    left = touches

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if any(isinstance(argument, str) and argument.startswith(folder) for argument in arguments):
            left -= 1
            if left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    return main(["apply", "-qq", "--jobs", "1", f"{folder}/pkg"])


def contents(folder: Path) -> dict[str, str]:
    """All files of the package, by name."""
    return {path.name: path.read_text() for path in sorted((folder / "pkg").iterdir())}


def run(template: Path, folder: Path) -> None:
    os.chdir(folder.parent)
    shutil.copytree(template, folder, symlinks=True)
    main(["diff", "-qq", "--jobs", "1", f"{folder}/pkg"])  # Imports everything.
    for touches in range(1, LIMIT):
        shutil.rmtree(folder)
        shutil.copytree(template, folder, symlinks=True)
        os.link(folder / "pkg" / "linked.py", folder / "other_name.py")
        status = forked(lambda n=touches: apply_until(n, str(folder)))
        line: dict[str, object] = {"touches": touches, "status": status, "killed": contents(folder)}
        if touches % 2:  # Half of the time somebody applies again before he undoes everything.
            again = ["apply", "-qq", "--jobs", "1", f"{folder}/pkg"]
            line["again"] = forked(lambda again=again: main(again))
            line["applied"] = contents(folder)
        undone = []
        while not undone or undone[-1] == 0:
            undone.append(forked(lambda: main(["undo", "-qq", str(folder)])))
        line |= {"undone": undone, "back": contents(folder)}
        print(json.dumps(line), flush=True)
        if status >= 0:
            return


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]))
