"""Specs that several functions of a file get in one run: named once, above the first of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tfmigrate.codemod import Insertion
from tfmigrate.imports import all_names, gives_all_names, is_imported_before
from tfmigrate.lazy import libcst as cst
from tfmigrate.signatures.found import Found
from tfmigrate.signatures.specs import WrittenSpec
from tfmigrate.syntax import snake_case
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_SHORTEST = 3
"""``x`` and ``y1`` say nothing to a reader of the whole file."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The names, and the finding whose edit brings them along."""

    named: Mapping[str, str] = field(default_factory=dict)
    """Text of a spec -> its name."""
    first: Found | None = None
    above: ast.stmt | None = None

    def changes(self, unit: Unit) -> Iterator[Insertion]:
        """The constants."""
        if self.above is not None:
            lines = "".join(f"{name} = {text}\n" for text, name in self.named.items())
            statements = tuple(cst.parse_module(lines, unit.parser_config).body)
            before = unit.tree.body[unit.tree.body.index(self.above) - 1]
            if isinstance(before, ast.Import | ast.ImportFrom | ast.Assign):
                led = statements[0].with_changes(leading_lines=[cst.EmptyLine(indent=False)])
                yield Insertion(unit.cst_statement(before), (led, *statements[1:]), after=True)
            else:
                yield Insertion(unit.cst_statement(self.above), statements, after=False, blank_lines=2)


def shared_specs(unit: Unit, done: Sequence[Found]) -> Shared:
    """Names for the specs that two or more of ``done``, the findings whose edits are applied, have in common."""
    users: dict[str, list[Found]] = {}
    for found in done:
        for text in dict.fromkeys(spec.text for spec in found.specs if _is_long(spec)):
            users.setdefault(text, []).append(found)
    users = {text: all_ for text, all_ in users.items() if len(all_) > 1}
    if not users or _takes_or_gives_all_names(unit):
        return Shared()
    taken = all_names(unit.tree)
    named: dict[str, str] = {}
    for text, all_ in users.items():
        name = _name([spec for found in all_ for spec in found.specs if spec.text == text], taken)
        if name:
            named[text] = name
            taken.update((name, name.removesuffix("_SPEC"), f"{name}_SPEC"))
    using = [found for found in done if any(spec.text in named for spec in found.specs)]
    if not using:
        return Shared()
    above = min((_top(unit, found.node) for found in using), key=lambda statement: statement.lineno)
    written = [spec for found in using for spec in found.specs if spec.text in named]
    if not all(is_imported_before(unit, spec.tensorflow.partition(".")[0], above) for spec in written):
        return Shared()
    return Shared(named, using[0], above)


def _is_long(spec: WrittenSpec) -> bool:
    """Whether a name is easier to read: numbers, vectors and parts of tuples are as well written out."""
    return bool(spec.parameter) and len(spec.of.shape) > 1


def _name(specs: Sequence[WrittenSpec], taken: set[str]) -> str:
    """What a person would call it; empty for nothing that is free.

    As the parameters are called, if they agree. If they do not, tables of one width may have nothing else in common.
    """
    telling = {snake_case(spec.parameter.strip("_")).upper() for spec in specs}
    telling = {name for name in telling if len(name) >= _SHORTEST and name.isidentifier()}
    if len(telling) == 1:
        (wanted,) = telling
    elif specs[0].of.shape[0] is None and len(specs[0].of.shape) > 2:
        wanted = "BATCH"
    else:
        return ""
    return next((name for name in (wanted, f"{wanted}_SPEC") if name not in taken), "")


def _takes_or_gives_all_names(unit: Unit) -> bool:
    """Whether ``import *`` may bind the name here, or carry it elsewhere."""
    imports = (node for node in walk(unit.tree) if isinstance(node, ast.ImportFrom))
    return any(alias.name == "*" for one in imports for alias in one.names) or gives_all_names(unit)


def _top(unit: Unit, node: ast.AST) -> ast.stmt:
    return next(one for one in unit.tree.body if one in (node, *unit.names.ancestors(node)))
