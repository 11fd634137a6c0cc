"""Patches under verification: what is proved for each, and what is taken out of them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tfmigrate.codemod import Codemod, Safety
from tfmigrate.engine import SiteKey
from tfmigrate.results import FileResult, Finding, Patch, Refused
from tfmigrate.verify.cases import Symbol
from tfmigrate.verify.claims import joined
from tfmigrate.verify.naming import module_name
from tfmigrate.verify.prover import Target
from tfmigrate.verify.report import TakenOut
from tfmigrate.verify.symbols import written_lines
from tfmigrate.verify.trees import changed_lines, import_root, patched_trees, path_of

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex

REASON = "verified-different"
"""The refusal's code of a place that was taken out."""

Remigrate: TypeAlias = Callable[[Patch, frozenset[SiteKey]], FileResult]
"""Rewrite a patch's file again with these places left as they are (``pipeline.migrate_file``)."""


class PatchSet:
    """The patches as they are without the places taken out so far."""

    def __init__(
        self,
        patches: tuple[Patch, ...],
        index: ProjectIndex,
        codemods: Sequence[Codemod],
        remigrate: Remigrate,
    ) -> None:
        self.original = patches
        self.index = index
        self.current = {patch.source.path: patch for patch in patches}
        self.taken_out: dict[str, dict[SiteKey, TakenOut]] = {}
        self._claims = {codemod.name: codemod.claim for codemod in codemods}
        self._remigrate = remigrate
        self._roots = tuple(dict.fromkeys(self._root(patch.source.path) for patch in patches))

    def _root(self, path: str) -> str:
        facts = self.index.module_at(path)
        return import_root(path_of(path), facts.name if facts is not None else "")

    def owners(self, patches: Sequence[Patch]) -> Iterator[tuple[Symbol, Patch]]:
        """The symbols that have to be run for ``patches``, each with its file's patch."""
        for patch in patches:
            names = dict.fromkeys(f.site.owner for f in patch.findings if f.refused is None)
            for name in names if patch.changed else ():
                yield self._symbol(patch, name), patch

    def _symbol(self, patch: Patch, owner: str) -> Symbol:
        path = path_of(patch.source.path)
        root = self._root(patch.source.path)
        return Symbol(module_name(path, root), owner, path, root)

    def target(self, symbol: Symbol, patch: Patch, together: Sequence[Patch]) -> Target:
        """``symbol`` of ``patch``, with the patches ``together`` applied."""
        roots = tuple(dict.fromkeys((symbol.root, *self._roots, os.getcwd())))
        before, after = patched_trees(together, roots)
        names = {f.codemod for f in patch.findings if f.refused is None and f.site.owner == symbol.qualname}
        claim = joined(self._claims[name] for name in sorted(names) if name in self._claims)
        _, added = changed_lines(patch.source.data, patch.source.encode(patch.after))
        lines = written_lines(patch.after, added, symbol.qualname)
        written = {symbol.path: lines} if lines else {}
        return Target(symbol, patch.source.path, before, after, (claim,), written)

    def without(self, patch: Patch, sites: frozenset[SiteKey]) -> Patch:
        """The original ``patch``'s file, rewritten without ``sites``; unchanged if that cannot be done."""
        if not sites:
            return patch
        result = self._remigrate(patch, sites)
        return result if isinstance(result, Patch) else dataclasses.replace(patch, after=patch.source.text)

    def first(self, path: str) -> Patch:
        """The patch of ``path`` as it was given."""
        return next(patch for patch in self.original if patch.source.path == path)

    def take_out(self, path: str, sites: frozenset[SiteKey], evidence: str) -> None:
        """Leave ``sites`` as they were from now on."""
        known = self.taken_out.setdefault(path, {})
        for code, line, column in sites:
            known.setdefault((code, line, column), TakenOut(path, line, column, code, evidence))
        self.current[path] = self.without(self.first(path), frozenset(known))

    def final(self) -> tuple[Patch, ...]:
        """All patches; what was taken out has become a refused finding."""
        return tuple(self._with_refusals(self.current[patch.source.path]) for patch in self.original)

    def _with_refusals(self, patch: Patch) -> Patch:
        taken = self.taken_out.get(patch.source.path, {})
        if not taken:
            return patch
        refused = [
            Finding(
                finding.codemod,
                finding.site,
                Safety.MANUAL,
                Refused(
                    REASON,
                    f"run before and after, the rewritten code behaves differently: {taken[site_key(finding)].evidence}",
                    "rewrite this place by hand, and verify with `tfmigrate verify --base HEAD`",
                ),
            )
            for finding in self.first(patch.source.path).findings
            if site_key(finding) in taken and finding.refused is None
        ]
        kept = (
            [finding for finding in patch.findings if site_key(finding) not in taken] if patch.changed else []
        )
        findings = sorted([*kept, *refused], key=lambda f: (f.site.line, f.site.column, f.site.code))
        return dataclasses.replace(patch, findings=tuple(findings))


def sites_of(patch: Patch, owner: str) -> frozenset[SiteKey]:
    """The rewritten places of ``owner``."""
    return frozenset(site_key(f) for f in patch.findings if f.refused is None and f.site.owner == owner)


def site_key(finding: Finding) -> SiteKey:
    """What ``engine.migrate`` calls a place by."""
    return finding.site.code, finding.site.line, finding.site.column
