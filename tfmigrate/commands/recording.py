"""``record``: from the command line to a process that runs the user's program with hooks in place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from tfmigrate.exits import UsageError


def record_command(
    program: Sequence[str],
    is_module: bool,
    output: Path | None,
    sources: Sequence[str],
    samples: bool,
    append: bool,
) -> NoReturn:
    """Become the process that runs ``program``; its exit code is the program's.

    Raises:
        UsageError: there is no such program, or the recording cannot be written.
    """
    if not is_module and not os.path.exists(program[0]):
        hint = (
            f"; for a module, write `tfmigrate record -m {program[0]}`" if program[0].isidentifier() else ""
        )
        raise UsageError(f"no such file: {program[0]}{hint}")
    for source in sources:
        if not os.path.isdir(source):
            raise UsageError(f"--source {source}: no such folder")
    if output is not None and not output.absolute().parent.is_dir():
        raise UsageError(f"--output {output}: the folder {output.parent} does not exist")
    if append and output is not None and output.exists():
        _check(output)
    chosen = {
        "output": None if output is None else str(output),
        "sources": list(sources),
        "samples": samples,
        "append": append,
    }
    flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    kind = "-m" if is_module else ""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(
        sys.executable,
        [sys.executable, *flags, "-m", "tfmigrate.record.launch", json.dumps(chosen), kind, *program],
    )


def _check(output: Path) -> None:
    """Better before the program has run for an hour than after it."""
    from tfmigrate.record.format import RecordingError, load

    try:
        load(output)
    except RecordingError as error:
        raise UsageError(str(error)) from error
