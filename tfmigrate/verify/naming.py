"""From files and names of the index to symbols, and from what the user typed to symbols."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.exits import UsageError
from tfmigrate.verify.cases import Symbol
from tfmigrate.verify.trees import import_root, path_of

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex


def symbol_at(index: ProjectIndex, qualified: str) -> Symbol | None:
    """The symbol of a project class or function by qualified name."""
    facts = index.module_of(qualified)
    if facts is None:
        return None
    path = path_of(facts.path)
    root = import_root(path, facts.name)
    return Symbol(module_name(path, root), qualified[len(facts.name) + 1 :], path, root)


def module_name(path: str, root: str) -> str:
    """The import name of ``path`` from the ``sys.path`` entry ``root``."""
    parts = list(Path(path).relative_to(root).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def is_wanted(symbol: Symbol, only: Sequence[str]) -> bool:
    return not only or any(name in (str(symbol), symbol.module, symbol.qualname) for name in only)


def in_shard(symbols: Sequence[Symbol], shard: tuple[int, int] | None) -> frozenset[Symbol]:
    """The part of ``symbols`` that falls to ``shard``: (2, 5) is the second of five, which differ by one at most."""
    if shard is None:
        return frozenset(symbols)
    number, count = shard
    return frozenset(sorted(set(symbols))[number - 1 :: count])


def check_only(only: Sequence[str], symbols: Sequence[Symbol]) -> None:
    for name in only:
        if not any(is_wanted(symbol, [name]) for symbol in symbols):
            known = sorted(str(symbol) for symbol in symbols)
            close = difflib.get_close_matches(name, known, 1, 0.5)
            hint = f"did you mean {close[0]}?" if close else f"there is {', '.join(known[:5]) or 'nothing'}"
            raise UsageError(f"--only {name}: nothing of that name was rewritten or differs; {hint}")
