"""A verification from end to end: patches or two versions in, a report out.

Patches come back without the places that were shown to change behaviour. This process never imports TensorFlow or the
user's code.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.claim import Claim
from tfmigrate.codemod import Codemod
from tfmigrate.results import Patch
from tfmigrate.verify.cases import Symbol
from tfmigrate.verify.claims import joined
from tfmigrate.verify.engines import Engine, Engines, Matrix, engines
from tfmigrate.verify.interpreters import keras_of, versions
from tfmigrate.verify.known import Asked, Files, Known, Nothing
from tfmigrate.verify.model import Mode, Settings, Version
from tfmigrate.verify.naming import check_only, in_shard, is_wanted
from tfmigrate.verify.patchset import PatchSet, Remigrate
from tfmigrate.verify.proving import Proving, prove_all, proving
from tfmigrate.verify.report import Report, SymbolReport
from tfmigrate.verify.rounds import Progress, Rounds
from tfmigrate.verify.trees import ChangedFile
from tfmigrate.verify.versions import differing_symbols, targets

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex


@dataclass(frozen=True, slots=True)
class Request:
    """What to verify and how."""

    settings: Settings = field(default_factory=Settings)
    only: tuple[str, ...] = ()
    """``pkg.mod:Net``, ``pkg.mod`` or ``Net``; empty for all."""
    cases: tuple[str, ...] = ()
    """Names of cases; empty for all."""
    jobs: int = 1
    """Symbols at a time; each keeps up to six processes busy."""
    matrix: Matrix = field(default_factory=Matrix)
    """In what each case is run."""
    executor: Executor | None = None
    """Who proves in place of this process's own threads (``proving``)."""
    shard: tuple[int, int] | None = None
    """(2, 5): the second fifth of the symbols."""
    cache_dir: Path | None = None
    """Where what came out is kept between runs; None: nowhere."""
    recording: Path | None = None
    """The recording to take cases from; None: the one beside the code, if there is one."""
    command: tuple[str, ...] = ("tfmigrate", "verify")
    """What repeats this run, for the report: ``("tfmigrate", "verify", "src", "--base", "main")``."""

    @property
    def keras(self) -> str:
        """The flavours, as they are printed: ``3`` or ``2, 3``."""
        return ", ".join(self.matrix.keras or (self.settings.keras,))


@dataclass(frozen=True, slots=True)
class Verified:
    """The patches that may be written, in the order in which they were given, and the report."""

    patches: tuple[Patch, ...]
    report: Report


def verify_patches(
    patches: Sequence[Patch],
    index: ProjectIndex,
    codemods: Sequence[Codemod],
    remigrate: Remigrate,
    request: Request,
    progress: Progress | None = None,
    running: Sequence[Engine] | None = None,
) -> Verified:
    """Prove what ``patches`` rewrite, and take out what comes out DIFFERENT.

    Args:
        remigrate: rewrites a file again with some places left as they are.
        running: processes that have imported TensorFlow already; None starts some.

    Raises:
        UsageError: ``request.only`` names nothing that was rewritten.
        ZygoteFailed: TensorFlow or the Keras flavour is missing.
    """
    started = time.monotonic()
    work = PatchSet(tuple(patches), index, codemods, remigrate)
    owners = [symbol for symbol, _ in work.owners(patches)]
    check_only(request.only, owners)
    if not any(is_wanted(symbol, request.only) for symbol in owners):
        return Verified(tuple(patches), Report((), request.keras, request.command))
    wanted = in_shard([symbol for symbol in owners if is_wanted(symbol, request.only)], request.shard)
    with proving(request, index, _known(request, index), running) as prover:
        reports = Rounds(work, prover, lambda symbol: symbol in wanted, progress).run()
        skipped = prover.skipped
    report = Report(
        tuple(reports[symbol] for symbol in sorted(reports)),
        request.keras,
        request.command,
        tuple(
            work.taken_out[path][key]
            for path in sorted(work.taken_out)
            for key in sorted(work.taken_out[path])
        ),
        (),
        time.monotonic() - started,
        skipped,
    )
    return Verified(work.final(), report)


def verify_trees(
    changed: Sequence[ChangedFile],
    paths: Sequence[Path],
    index: ProjectIndex,
    codemods: Sequence[Codemod],
    request: Request,
    progress: Progress | None = None,
    running: Sequence[Engine] | None = None,
    on_disk: Version = Version.AFTER,
) -> Report:
    """Compare two versions of a code base: layers, models and traced code below ``paths`` that differ.

    Args:
        changed: all files that differ (``changed_since``, ``changed_between``, ``changed_by_patch``).
        index: of the version on disk.
        on_disk: which one that is.

    Raises:
        UsageError: ``request.only`` names nothing that differs.
        ZygoteFailed: TensorFlow or the Keras flavour is missing.
    """
    started = time.monotonic()
    found, notes = differing_symbols(changed, paths, index)
    check_only(request.only, [symbol for symbol, _ in found])
    shard = in_shard([symbol for symbol, _ in found if is_wanted(symbol, request.only)], request.shard)
    wanted = [(symbol, file) for symbol, file in found if symbol in shard]
    reports: list[SymbolReport] = []
    skipped: tuple[str, ...] = ()
    if wanted:
        claims = _claims_of_anybody(codemods)
        with proving(request, index, _known(request, index), running) as prover:
            reports = prove_all(prover, targets(wanted, changed, claims, on_disk), progress)
            skipped = prover.skipped
    seconds = time.monotonic() - started
    return Report(tuple(reports), request.keras, request.command, (), tuple(notes), seconds, skipped)


class OneByOne:
    """Two versions of a code base, whose symbols are proved one at a time, when somebody asks. Needs closing.

    The arguments are those of :func:`verify_trees`.
    """

    def __init__(
        self,
        changed: Sequence[ChangedFile],
        paths: Sequence[Path],
        index: ProjectIndex,
        codemods: Sequence[Codemod],
        request: Request,
        on_disk: Version = Version.AFTER,
    ) -> None:
        found, notes = differing_symbols(changed, paths, index)
        due = targets(found, changed, _claims_of_anybody(codemods), on_disk)
        self.targets = {target.symbol: target for target in due}
        """What differs, in the order of files and names."""
        self.notes = tuple(notes)
        self._index, self._request = index, request
        self._running = contextlib.ExitStack()
        self._started: Engines | None = None
        self._provers: dict[tuple[Mode, ...], Proving] = {}

    def prove(self, symbol: Symbol, modes: tuple[Mode, ...]) -> Report:
        """The report on one of :attr:`targets`.

        Raises:
            ZygoteFailed: TensorFlow or the Keras flavour is missing.
        """
        started = time.monotonic()
        request = replace(self._request, settings=replace(self._request.settings, modes=modes))
        if modes not in self._provers:
            context = proving(
                request, self._index, _known(request, self._index), lambda: self._engines(modes)
            )
            self._provers[modes] = self._running.enter_context(context)
        prover = self._provers[modes]
        proved = prover.submit(self.targets[symbol]).result()
        seconds = time.monotonic() - started
        return Report((proved,), request.keras, request.command, (), (), seconds, prover.skipped)

    def _engines(self, modes: tuple[Mode, ...]) -> list[Engine]:
        if self._started is None:
            self._started = self._running.enter_context(engines(self._request.settings, self._request.matrix))
        return [(zygote, replace(own, modes=modes)) for zygote, own in self._started.running]

    def close(self) -> None:
        """End the processes that were started."""
        self._running.close()


def _claims_of_anybody(codemods: Sequence[Codemod]) -> tuple[Claim, ...]:
    """What may differ where nobody knows who changed the code: nothing, else what some codemod announces."""
    # Other values are not taken for other draws here.
    return tuple(
        dict.fromkeys((Claim(), replace(joined(codemod.claim for codemod in codemods), redraws=False)))
    )


def _known(request: Request, index: ProjectIndex) -> Known:
    """Where reports of earlier runs are."""
    return Nothing() if request.cache_dir is None else Files(request.cache_dir, Asked(request, index))


def default_keras() -> str:
    """The flavour of this environment: "2" where TF_USE_LEGACY_KERAS is set or TensorFlow is older than 2.16."""
    return keras_of(versions())
