"""What a recording was asked to be, and the way in which processes tell each other."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tfmigrate.record.format import FILE_NAME

VARIABLE = "TFMIGRATE_RECORD"
"""Environment variable that says to worker processes of pytest that they record, and where to."""
SAMPLES = "tfmigrate-samples"
"""Folder of the .npz files, beside the recording."""


@dataclass(frozen=True, slots=True)
class Options:
    """One recording."""

    output: str
    """Absolute path of the file."""
    roots: tuple[str, ...]
    """Absolute folders: what is below them is the user's own code."""
    samples: bool = False
    """Keep the values of some calls, too."""
    append: bool = False
    """Merge with what ``output`` holds already."""
    owner: int = 0
    """The process that merges all parts and writes ``output``."""

    @property
    def folder(self) -> Path:
        return Path(self.output).parent

    @property
    def is_owner(self) -> bool:
        return self.owner == os.getpid()

    def exported(self) -> str:
        """For the environment."""
        return json.dumps(dataclasses.asdict(self))


def options(
    output: str | None, sources: tuple[str, ...] = (), samples: bool = False, append: bool = False
) -> Options:
    """Options of this process, with absolute paths.

    Args:
        output: the file; None for the usual name in the project's folder.
        sources: folders of the user's code; none for the project's folder.
    """
    project = project_folder(Path.cwd())
    file = Path(output).absolute() if output else project / FILE_NAME
    roots = tuple(os.path.realpath(source) for source in sources) or (os.path.realpath(project),)
    return Options(str(file), roots, samples, append, os.getpid())


def inherited(environment: Mapping[str, str]) -> Options | None:
    """The options that a parent process exported, if it did."""
    text = environment.get(VARIABLE)
    if not text:
        return None
    document = json.loads(text)
    return Options(**{**document, "roots": tuple(document["roots"])})


def project_folder(start: Path) -> Path:
    """The nearest folder above ``start`` (or itself) with a pyproject.toml, setup.py or .git; else ``start``."""
    for folder in (start, *start.parents):
        if any((folder / mark).exists() for mark in ("pyproject.toml", "setup.py", ".git")):
            return folder
    return start
