"""Which codes are looked for: ``--select`` and ``--ignore`` by code, prefix or name, and per file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.config import Config, ConfigError, nearest

if TYPE_CHECKING:
    from tfmigrate.codemod import Codemod

ALL = "ALL"


def enabled_codes(config: Config, codemods: Sequence[Codemod]) -> frozenset[str]:
    """The codes that ``config`` asks for.

    A longer selector wins over a shorter one (``--select TFM1 --ignore TFM101``), ``ignore`` over an equal
    ``select``.

    Raises:
        ConfigError: a selector means nothing; the message names the nearest one.
    """
    names = _names(codemods)
    everyone = {code for codemod in codemods for code in codemod.codes}
    off = {code for codemod in codemods for code in codemod.off_by_default}
    rank = dict.fromkeys(everyone - off if not config.select else (), -1)
    for selector in config.select:
        weight = _weight(selector, everyone, names)
        for code in codes_of(selector, codemods):
            if code in off and weight < _EXACT:
                continue  # Off by default: only its own code or name turns it on.
            rank[code] = max(weight, rank.get(code, -1))
    for selector in config.ignore:
        weight = _weight(selector, everyone, names)
        for code in codes_of(selector, codemods):
            if rank.get(code, weight) <= weight:
                rank.pop(code, None)
    return frozenset(rank)


def codes_of(selector: str, codemods: Sequence[Codemod]) -> frozenset[str]:
    """The codes that one selector means: an exact code, a prefix, a code's or a codemod's name, or ``ALL``.

    Raises:
        ConfigError: it means none.
    """
    everyone = sorted({code for codemod in codemods for code in codemod.codes})
    if selector.upper() == ALL:
        return frozenset(everyone)
    names = _names(codemods)
    word = selector.strip()
    if word.replace("_", "-").lower() in names:
        return names[word.replace("_", "-").lower()]
    found = frozenset(code for code in everyone if word and code.startswith(word.upper()))
    if found:
        return found
    known = [*everyone, *names, *(codemod.name for codemod in codemods), ALL]
    raise ConfigError(
        f"unknown code or name {selector!r}{nearest(selector, known)}; `tfmigrate list` shows what there is"
    )


def ignored_in(path: Path, config: Config, codemods: Sequence[Codemod]) -> frozenset[str]:
    """The codes that ``per-file-ignores`` turns off in the file at ``path``.

    Raises:
        ConfigError: a selector there means nothing.
    """
    if not config.per_file_ignores:
        return frozenset()
    import os

    import pathspec

    relative = os.path.relpath(os.path.abspath(path), os.path.abspath(config.root)).replace(os.sep, "/")
    ignored: set[str] = set()
    for pattern, selectors in config.per_file_ignores:
        if pathspec.GitIgnoreSpec.from_lines([pattern]).match_file(relative):
            ignored.update(*(codes_of(selector, codemods) for selector in selectors))
    return frozenset(ignored)


_EXACT = 1000


def _weight(selector: str, everyone: Iterable[str], names: Mapping[str, frozenset[str]]) -> int:
    """Exact codes and names weigh most, then longer prefixes; ``ALL`` nothing."""
    word = selector.strip()
    if word.upper() == ALL:
        return 0
    if word.upper() in everyone or word.replace("_", "-").lower() in names:
        return _EXACT
    return len(word)


def _names(codemods: Sequence[Codemod]) -> Mapping[str, frozenset[str]]:
    """Names of codes and of codemods, with dashes, in small letters."""
    names: dict[str, frozenset[str]] = {}
    for codemod in codemods:
        names[codemod.name.replace("_", "-").lower()] = frozenset(codemod.codes)
        for code, name in codemod.codes.items():
            names[name.replace("_", "-").lower()] = frozenset({code})
    return names
