"""Find the codemods: every module of ``tfmigrate.codemods`` that registers by existing."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tfmigrate.codemod import Codemod


class BrokenCodemod(Exception):
    """A codemod breaks the contract of :class:`tfmigrate.codemod.Codemod`."""


@cache
def codemods() -> tuple[Codemod, ...]:
    """All codemods, in their declared order.

    Raises:
        BrokenCodemod: a module has no ``codemod``, or one that breaks the contract.
    """
    import tfmigrate.codemods as package

    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    found = [_loaded(f"{package.__name__}.{name}") for name in names if not name.startswith("_")]
    return checked(found)


def source_files() -> list[Path]:
    """The files that codemods are made of, helper modules included."""
    import tfmigrate.codemods as package

    return [file for folder in package.__path__ for file in sorted(Path(folder).rglob("*.py"))]


def checked(found: Iterable[Codemod]) -> tuple[Codemod, ...]:
    """``found`` in order, each held against the contract and against the others.

    Raises:
        BrokenCodemod: a name or a code is used twice, or a codemod breaks the contract.
    """
    ordered = tuple(sorted(found, key=lambda codemod: (codemod.order, codemod.name)))
    seen: dict[str, str] = {}
    for codemod in ordered:
        _check(codemod)
        for key in (codemod.name, *codemod.codes, *codemod.codes.values()):
            if key in seen:
                raise BrokenCodemod(f"{codemod.name} and {seen[key]} both use {key!r}")
            seen[key] = codemod.name
    return ordered


def _loaded(module_name: str) -> Codemod:
    codemod = getattr(importlib.import_module(module_name), "codemod", None)
    if not isinstance(codemod, Codemod):
        raise BrokenCodemod(f"{module_name} has no `codemod = Codemod(__name__, ...)`")
    return codemod


def _check(codemod: Codemod) -> None:
    problems = [
        (not documentation(codemod).strip(), "has no module docstring"),
        ("https://" not in documentation(codemod), "names no source URL in its docstring"),
        (not codemod.codes, "has no codes"),
        (not codemod.examples, "has no examples"),
        (codemod._plan is None, "has no @codemod.plan"),
        (not codemod.off_by_default <= codemod.codes.keys(), "turns off codes that it does not have"),
        (
            any(example.refused not in {None, *codemod.refusals} for example in codemod.examples),
            "shows a refusal that it does not declare",
        ),
    ]
    for broken, what in problems:
        if broken:
            raise BrokenCodemod(f"{codemod.module} {what}")


def documentation(codemod: Codemod) -> str:
    """The codemod's module docstring."""
    return importlib.import_module(codemod.module).__doc__ or ""
