"""``[tool.tfmigrate]`` of the nearest ``pyproject.toml``: read, checked, and merged with the command line.

What the command line says wins over the file, the file over the defaults. Relative paths and patterns in the
file are relative to the file's folder. An unknown key is an error: a misspelt ``ignore`` must not be ignored.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfmigrate import __version__
from tfmigrate.codemod import Target
from tfmigrate.discovery import DEFAULT_EXCLUDE, Excludes
from tfmigrate.exits import UsageError
from tfmigrate.toml import nearest_pyproject, read_toml


class ConfigError(UsageError):
    """The configuration or an option is wrong; the message says where, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one run."""

    file: Path | None = None
    """The file that was read, if any."""
    root: Path = Path(".")
    """The folder that patterns are relative to."""
    select: tuple[str, ...] = ()
    """Codes, prefixes, names or ``ALL``; empty for all codes that are on by default."""
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Pattern (as in ``.gitignore``) -> codes that are not looked for in matching files."""
    target: Target = Target.BOTH
    unsafe: bool = False
    unrolled: int | None = None
    """From how many turns on loops that Python unrolls become loops of the graph; None for never."""
    jobs: int = 0
    """Worker processes; 0 for one per processor."""
    recording: Path | None = None
    """What the program was seen to call (``tfmigrate record``)."""
    traced: tuple[str, ...] = ()
    """Patterns of functions that run inside of a graph, though nothing in the code shows it."""
    cache_dir: Path | None = None
    """Where facts of files and the outcomes of dry runs are kept between runs; None for nowhere."""
    baseline: Path | None = None
    """Old findings that are not shown (``diff --write-baseline``)."""
    cases: tuple[Mapping[str, Any], ...] = ()
    """``[[tool.tfmigrate.case]]``, unread: the verifier's."""

    @property
    def excludes(self) -> Excludes:
        return Excludes((*self.exclude, *self.extend_exclude), self.root, self.force_exclude)


def load_config(start: Path, file: Path | None = None, isolated: bool = False) -> Config:
    """The settings for a run on ``start``, before the command line's.

    Args:
        start: The first path that was named; the search begins there.
        file: Read this file instead of searching.
        isolated: Read no file.

    Raises:
        ConfigError: the file cannot be read, or something in it is wrong.
    """
    defaults = Config(root=Path(os.getcwd()), cache_dir=default_cache_dir())
    found = file if file is not None else None if isolated else nearest_pyproject(start)
    if found is None:
        return defaults
    try:
        tables = read_toml(found)
    except OSError as error:
        raise ConfigError(f"{found}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        if file is None and "tfmigrate" not in found.read_text(errors="replace"):
            return defaults  # Another tool's problem.
        raise ConfigError(f"{found}: not valid TOML: {error}") from error
    table = tables.get("tool", {}).get("tfmigrate") if isinstance(tables.get("tool", {}), dict) else None
    if table is None:
        if file is not None:
            raise ConfigError(f"{found}: has no [tool.tfmigrate] table; add one, or leave out --config")
        return defaults
    return parse_table(table, found, defaults)


def parse_table(table: object, file: Path, defaults: Config) -> Config:
    """The settings of one ``[tool.tfmigrate]`` table.

    Raises:
        ConfigError: an unknown key, a value of the wrong type, or a version that is required and not this
        one.
    """
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: tool.tfmigrate must be a table")
    values: dict[str, Any] = {"file": file, "root": Path(os.path.abspath(file)).parent}
    for key, value in table.items():
        name = key.replace("_", "-")
        reader = _READERS.get(name)
        if reader is None:
            raise ConfigError(f"{file}: unknown key {key!r} in [tool.tfmigrate]{nearest(key, _READERS)}")
        try:
            values[_FIELDS.get(name, name.replace("-", "_"))] = reader(value)
        except ValueError as error:
            raise ConfigError(f"{file}: {key}: {error}") from error
    values.pop("required_version", None)
    for name in ("cache_dir", "recording", "baseline"):
        if isinstance(values.get(name), Path):
            values[name] = values["root"] / values[name]
    return _replaced(defaults, values)


def merged(config: Config, **options: object) -> Config:
    """``config`` with every option that was given (is not None) in its place."""
    return _replaced(config, {name: value for name, value in options.items() if value is not None})


def nearest(word: str, known: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` for the known word that is most like ``word``; empty when none is."""
    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    if not found:
        found = difflib.get_close_matches(word.upper(), list(known), n=1, cutoff=0.6)
    return f" (did you mean {found[0]!r}?)" if found else ""


def default_cache_dir() -> Path | None:
    """The user's cache folder: a dry run writes nothing into the code base."""
    named = os.environ.get("TFMIGRATE_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base, "tfmigrate") if os.path.isabs(base) else None


def _replaced(config: Config, values: Mapping[str, Any]) -> Config:
    from dataclasses import replace

    return replace(config, **values)


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError('must be a list of strings, like ["TFM101"]')
    return tuple(value)


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _jobs(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("must be a whole number, 0 for one per processor")
    return value


def _turns(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError("must be a whole number of turns, 1 or more")
    return value


def _target(value: object) -> Target:
    known = [target.value for target in Target]
    if value not in known:
        raise ValueError(f"must be one of {', '.join(known)}{nearest(str(value), known)}")
    return Target(value)


def _folder(value: object) -> Path:
    if not isinstance(value, str) or not value:
        raise ValueError("must be the path of a folder")
    return Path(os.path.expanduser(value))


def _file(value: object) -> Path:
    if not isinstance(value, str) or not value:
        raise ValueError("must be the path of a file")
    return Path(os.path.expanduser(value))


def _per_file(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise ValueError('must be a table, like {"tests/*" = ["TFM101"]}')
    return tuple((pattern, _strings(codes)) for pattern, codes in value.items())


def _tables(value: object) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError("must be an array of tables: [[tool.tfmigrate.case]]")
    return tuple(value)


def _required_version(value: object) -> str:
    """A version, or comparisons with commas between (``>=0.1,<1``)."""
    if not isinstance(value, str):
        raise ValueError('must be a version like "0.1.0" or ">=0.1,<1"')
    for part in value.split(","):
        match = re.fullmatch(r"\s*(==|>=|<=|!=|>|<|)\s*(\d+(?:\.\d+)*)\s*", part)
        if match is None:
            raise ValueError(f'{part.strip()!r} is no version comparison; write ">=0.1,<1"')
        if not _compares(match[1] or "==", _numbers(__version__), _numbers(match[2])):
            raise ValueError(
                f"asks for tfmigrate {value}, but this is {__version__}; install the one it asks for"
            )
    return value


def _compares(operator: str, left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    width = max(len(left), len(right))
    one, other = left + (0,) * (width - len(left)), right + (0,) * (width - len(right))
    return {
        "==": one == other,
        "!=": one != other,
        ">=": one >= other,
        "<=": one <= other,
        ">": one > other,
        "<": one < other,
    }[operator]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+")[0])[:3])


_READERS: Mapping[str, Callable[[object], object]] = {
    "select": _strings,
    "ignore": _strings,
    "exclude": _strings,
    "extend-exclude": _strings,
    "force-exclude": _boolean,
    "per-file-ignores": _per_file,
    "target": _target,
    "unsafe": _boolean,
    "unrolled": _turns,
    "jobs": _jobs,
    "traced": _strings,
    "required-version": _required_version,
    "cache-dir": _folder,
    "recording": _file,
    "baseline": _file,
    "case": _tables,
}
_FIELDS = {"case": "cases"}
