"""A verification from end to end: patches or two versions in, a report out.

Patches come back without the places that were shown to change behaviour. This process never imports TensorFlow or the
user's code.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.claim import Claim
from tfmigrate.codemod import Codemod
from tfmigrate.results import Patch
from tfmigrate.verify.cases import Symbol
from tfmigrate.verify.claims import joined
from tfmigrate.verify.engines import Engine, engines
from tfmigrate.verify.model import Mode, Settings, Version
from tfmigrate.verify.naming import check_only, is_wanted, symbol_at
from tfmigrate.verify.patchset import PatchSet, Remigrate
from tfmigrate.verify.prover import PRELOAD, Prover
from tfmigrate.verify.report import Report, SymbolReport
from tfmigrate.verify.rounds import Progress, Rounds, prove_all
from tfmigrate.verify.second import second_flavour
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
    devices: tuple[str, ...] = ()
    """TensorFlow's device kinds; empty: all that are present."""
    recording: Path | None = None
    """The recording to take cases from; None: the one beside the code, if there is one."""
    command: tuple[str, ...] = ("tfmigrate", "verify")
    """What repeats this run, for the report: ``("tfmigrate", "verify", "src", "--base", "main")``."""


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
    check_only(request.only, [symbol for symbol, _ in work.owners(patches)])
    if not any(is_wanted(symbol, request.only) for symbol, _ in work.owners(patches)):
        return Verified(tuple(patches), Report((), request.settings.keras, request.command))
    with _prover(request, running, index) as prover:
        reports = Rounds(
            work, prover, lambda symbol: is_wanted(symbol, request.only), request.jobs, progress
        ).run()
    report = Report(
        tuple(reports[symbol] for symbol in sorted(reports)),
        request.settings.keras,
        request.command,
        tuple(
            work.taken_out[path][key]
            for path in sorted(work.taken_out)
            for key in sorted(work.taken_out[path])
        ),
        (),
        time.monotonic() - started,
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
    wanted = [(symbol, file) for symbol, file in found if is_wanted(symbol, request.only)]
    reports: list[SymbolReport] = []
    if wanted:
        with _prover(request, running, index) as prover:
            due = targets(wanted, changed, _claims_of_anybody(codemods), on_disk)
            reports = prove_all(prover, due, request.jobs, progress)
    return Report(
        tuple(reports), request.settings.keras, request.command, (), tuple(notes), time.monotonic() - started
    )


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
        self._engines: Sequence[Engine] | None = None
        self._provers: dict[tuple[Mode, ...], Prover] = {}

    def prove(self, symbol: Symbol, modes: tuple[Mode, ...]) -> Report:
        """The report on one of :attr:`targets`.

        Raises:
            ZygoteFailed: TensorFlow or the Keras flavour is missing.
        """
        started = time.monotonic()
        settings = replace(self._request.settings, modes=modes)
        if self._engines is None:
            self._engines = self._running.enter_context(_engines(self._request, None))
        if modes not in self._provers:
            engines = [(zygote, replace(own, modes=modes)) for zygote, own in self._engines]
            request = replace(self._request, settings=settings)
            self._provers[modes] = self._running.enter_context(_prover(request, engines, self._index))
        proved = self._provers[modes].prove(self.targets[symbol])
        request = self._request
        return Report((proved,), settings.keras, request.command, (), (), time.monotonic() - started)

    def close(self) -> None:
        """End the processes that were started."""
        self._running.close()


def _claims_of_anybody(codemods: Sequence[Codemod]) -> tuple[Claim, ...]:
    """What may differ where nobody knows who changed the code: nothing, else what some codemod announces."""
    # Other values are not taken for other draws here.
    return tuple(
        dict.fromkeys((Claim(), replace(joined(codemod.claim for codemod in codemods), redraws=False)))
    )


@contextlib.contextmanager
def _prover(request: Request, running: Sequence[Engine] | None, index: ProjectIndex) -> Iterator[Prover]:
    """Proves what is asked for, with processes that live as long."""
    with _engines(request, running) as started, second_flavour(request.settings, PRELOAD) as second:
        yield Prover(
            started, index, lambda name: symbol_at(index, name), request.cases, second, request.recording
        )


def _engines(
    request: Request, running: Sequence[Engine] | None
) -> contextlib.AbstractContextManager[Sequence[Engine]]:
    """Those that run already, or new ones for the time of one verification."""
    if running is not None:
        return contextlib.nullcontext(running)
    return engines(request.settings, request.devices)


def default_keras() -> str:
    """The flavour of this environment: "2" where TF_USE_LEGACY_KERAS is set or TensorFlow is older than 2.16."""
    from importlib import metadata

    if os.environ.get("TF_USE_LEGACY_KERAS") in ("1", "true", "True"):
        return "2"
    for name in ("tensorflow", "tensorflow-cpu", "tf-nightly"):
        with contextlib.suppress(metadata.PackageNotFoundError, ValueError):
            major, minor = metadata.version(name).split(".")[:2]
            return "2" if (int(major), int(minor)) < (2, 16) else "3"
    return "3"
