"""Two versions of a code base: which layers, models and traced functions differ, as targets to prove."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.claim import Claim
from tfmigrate.project.keras import Kind
from tfmigrate.source import printed_path
from tfmigrate.verify.cases import Symbol
from tfmigrate.verify.model import Version
from tfmigrate.verify.naming import module_name
from tfmigrate.verify.prover import Target
from tfmigrate.verify.symbols import differing, written_lines
from tfmigrate.verify.trees import ChangedFile, changed_lines, compared_trees, import_root

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex


_TOLD = 5
"""Names of what is not run in one note."""


def differing_symbols(
    changed: Sequence[ChangedFile], paths: Sequence[Path], index: ProjectIndex
) -> tuple[list[tuple[Symbol, ChangedFile]], list[str]]:
    """Symbols of the files below ``paths`` that differ and can be run, and notes on what cannot be compared."""
    notes: list[str] = []
    others: list[str] = []
    found = [
        item
        for file in changed
        if is_below(file.path, paths)
        for item in _differing(file, index, notes, others)
    ]
    if others:
        more = f" and {len(others) - _TOLD} more" if len(others) > _TOLD else ""
        notes.append(f"no layer, model or traced function, so not run: {', '.join(others[:_TOLD])}{more}")
    return found, notes


def targets(
    found: Sequence[tuple[Symbol, ChangedFile]],
    changed: Sequence[ChangedFile],
    claims: tuple[Claim, ...],
    on_disk: Version = Version.AFTER,
) -> list[Target]:
    """What is proved for each symbol: all of ``changed`` before against all of it after."""
    roots = tuple(dict.fromkeys((*(symbol.root for symbol, _ in found), os.getcwd())))
    before, after = compared_trees(changed, roots, on_disk)
    return [
        Target(symbol, printed_path(Path(file.path)), before, after, claims, _written(symbol, file))
        for symbol, file in found
    ]


def _differing(
    file: ChangedFile, index: ProjectIndex, notes: list[str], others: list[str]
) -> Iterator[tuple[Symbol, ChangedFile]]:
    printed = printed_path(Path(file.path))
    if file.before is None or file.after is None:
        notes.append(
            f"{printed} is {'new' if file.before is None else 'gone'}: there is nothing to compare it with"
        )
        return
    try:
        found = differing(file.before, file.after)
    except (SyntaxError, ValueError) as error:
        notes.append(f"{printed}: one of the versions cannot be parsed: {error}")
        return
    facts = index.module_at(printed)
    if facts is None:
        return  # Neither layers nor traced code.
    root = import_root(os.path.realpath(file.path), facts.name)
    module = module_name(os.path.realpath(file.path), root)
    for name in sorted(found.both):
        if _matters(index, printed, facts.name, name):
            yield Symbol(module, name, os.path.realpath(file.path), root), file
        else:
            others.append(f"{module}:{name}")
    for name in sorted(found.new):
        if _matters(index, printed, facts.name, name):
            notes.append(f"{module}:{name} is new: there is nothing to compare it with")


def _matters(index: ProjectIndex, path: str, module: str, name: str) -> bool:
    """A layer, a model, a tf.Module, or something with traced code in it."""
    is_class = index.class_facts(f"{module}.{name}") is not None
    if is_class and index.kind(f"{module}.{name}") in (Kind.LAYER, Kind.MODEL, Kind.MODULE):
        return True
    return any(traced == name or traced.startswith(f"{name}.") for traced in index.traced(path))


def _written(symbol: Symbol, file: ChangedFile) -> Mapping[str, frozenset[int]]:
    _, added = changed_lines(file.before, file.after)
    lines = written_lines(file.after or b"", added, symbol.qualname)
    return {symbol.path: lines} if lines else {}


def is_below(path: str, paths: Sequence[Path]) -> bool:
    real = os.path.realpath(path)
    tops = [os.path.realpath(top) for top in paths]
    return any(real == top or real.startswith(top.rstrip(os.sep) + os.sep) for top in tops)
