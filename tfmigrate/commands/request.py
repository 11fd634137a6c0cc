"""What the command line asked for, in plain data, so that no command knows how it was spelled."""

from __future__ import annotations

import enum
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.codemod import Target
from tfmigrate.exits import UsageError

if TYPE_CHECKING:
    from tfmigrate.config import Config
    from tfmigrate.console import Console


class Format(enum.Enum):
    """``--format``."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    GITLAB = "gitlab"


class CatalogueFormat(enum.Enum):
    """``--format`` of ``list`` and ``explain``."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Scope:
    """Which files and which codes; None where the command line says nothing."""

    paths: tuple[str, ...]
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    force_exclude: bool | None = None
    target: Target | None = None
    unsafe: bool | None = None
    unrolled: int | None = None
    jobs: int | None = None
    config_file: Path | None = None
    isolated: bool = False
    no_cache: bool = False
    stdin_filename: str | None = None
    traced: tuple[str, ...] | None = None
    recording: Path | None = None
    no_journal: bool = False
    baseline: Path | None = None

    @property
    def is_stdin(self) -> bool:
        return self.paths == ("-",)


@dataclass(frozen=True, slots=True)
class Output:
    """Where and how the result is printed."""

    format: Format = Format.TEXT
    file: Path | None = None
    """Instead of standard output."""
    report: Path | None = None
    """Where to write a page for people, beside all else."""
    baseline: Path | None = None
    """Where to write all findings as old ones, instead of showing them."""


@dataclass(frozen=True, slots=True)
class Checks:
    """How rewrites are verified. ``only`` and ``case`` name symbols and cases; empty for all."""

    keras: tuple[str, ...] = ()
    """Flavours; empty: that of the environment."""
    timeout_s: float | None = None
    modes: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    case: tuple[str, ...] = ()
    base: str | None = None
    patch: Path | None = None
    devices: tuple[str, ...] = ()
    """TensorFlow's device kinds in small letters; empty for all that are present."""
    precisions: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    python: str | None = None
    """The interpreter to run with; None: this one."""
    thorough: bool = False
    """All modes, devices, precisions, strategies and flavours that are not named."""
    shard: str | None = None
    """``I/N``."""
    executor: str | None = None
    """``pkg.mod:function``, which gives a concurrent.futures.Executor."""


def settings(scope: Scope, console: Console) -> Config:
    """The configuration for ``scope``: the nearest file's, and over it what the command line says.

    Raises:
        UsageError: a path does not exist, or something in the configuration is wrong.
    """
    from tfmigrate.config import load_config, merged

    start = Path(scope.stdin_filename or ".") if scope.is_stdin else Path(scope.paths[0])
    config = load_config(start, scope.config_file, scope.isolated)
    console.detail(f"configuration: {config.file or 'none, defaults'}")
    excludes = None if scope.exclude is None else (*config.extend_exclude, *scope.exclude)
    config = merged(
        config,
        select=scope.select,
        ignore=None if scope.ignore is None else (*config.ignore, *scope.ignore),
        extend_exclude=excludes,
        force_exclude=scope.force_exclude,
        target=scope.target,
        unsafe=scope.unsafe,
        unrolled=scope.unrolled,
        jobs=scope.jobs,
        recording=scope.recording,
        baseline=scope.baseline,
        traced=None if scope.traced is None else (*config.traced, *scope.traced),
    )
    if scope.no_cache:
        from dataclasses import replace

        config = replace(config, cache_dir=None)
    return config


def checked_paths(scope: Scope) -> list[Path]:
    """The named paths.

    Raises:
        UsageError: one does not exist, or ``-`` stands beside others.
    """
    if "-" in scope.paths:
        raise UsageError("`-` (standard input) cannot be mixed with other paths")
    missing = [path for path in scope.paths if not os.path.lexists(path)]
    if missing:
        raise UsageError(f"no such file or folder: {', '.join(missing)}")
    return [Path(path) for path in scope.paths]


def read_stdin() -> bytes:
    """All of standard input."""
    return sys.stdin.buffer.read()
