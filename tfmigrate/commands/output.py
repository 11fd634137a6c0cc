"""What a command found, put where and how it was asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.commands.request import Format, Output
from tfmigrate.exits import Exit, UsageError

if TYPE_CHECKING:
    from tfmigrate.console import Console
    from tfmigrate.report.entries import Told

STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


def check_output(output: Output) -> None:
    """Say that a file cannot be written before the work, not after it.

    Raises:
        UsageError: there is no such folder, or it cannot be written to.
    """
    if output.file is not None:
        check_writable(output.file, "--output-file")
    if output.report is not None:
        check_writable(output.report, "--report")
    if output.baseline is not None:
        check_writable(output.baseline, "--write-baseline")


def check_writable(file: Path, option: str) -> None:
    """
    Raises:
        UsageError: no file can be written there.
    """
    folder = Path(os.path.realpath(file)).parent
    if file.is_dir():
        raise UsageError(f"{option}: {file} is a folder; name a file in it")
    if not folder.is_dir():
        raise UsageError(f"{option}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{option}: nothing can be written into {folder}; name another place")


def emit(told: Told, text: Callable[[], Iterable[bytes]], output: Output, console: Console) -> Exit:
    """Print the result, or write it into a file. ``text`` makes it for people, part by part.

    A file that cannot be written costs nothing: the result goes to standard output, and the exit code says so.
    """
    parts = text() if output.format is Format.TEXT else [rendered(told, output.format)]
    code = told.exit_code
    if output.file is not None:
        parts = [b"".join(parts)]
        if _written(output.file, parts[0], console):
            parts = []
        else:
            code = Exit.FAILED
    for part in parts:
        console.result(part)
    if output.report is not None:
        from tfmigrate.report.html.page import document

        code = code if _written(output.report, document(told), console) else Exit.FAILED
    if output.format is Format.GITHUB and os.environ.get(STEP_SUMMARY):
        _append_step_summary(told, Path(os.environ[STEP_SUMMARY]), console)
    return code


def rendered(told: Told, format: Format) -> bytes:
    """The result as a document for programs."""
    from tfmigrate.report import github, gitlab, json, junit, sarif

    documents: dict[Format, Callable[[Told], bytes]] = {
        Format.JSON: json.document,
        Format.SARIF: sarif.document,
        Format.JUNIT: junit.document,
        Format.GITHUB: github.document,
        Format.GITLAB: gitlab.document,
    }
    return documents[format](told)


def _written(file: Path, data: bytes, console: Console) -> bool:
    from tfmigrate.atomic import write_whole

    try:
        write_whole(file, data)
    except OSError as error:
        console.error(f"error: {file}: cannot be written: {error.strerror or error}")
        return False
    return True


def _append_step_summary(told: Told, file: Path, console: Console) -> None:
    from tfmigrate.report.github import step_summary

    try:
        with file.open("ab") as summary:
            summary.write(step_summary(told).encode("utf-8", "replace"))
    except OSError as error:
        console.error(f"warning: {STEP_SUMMARY}: {file} cannot be written: {error.strerror or error}")
