"""Proves one class or function: finds its cases, fills in what has to be guessed, runs the arms."""

from __future__ import annotations

import pickle
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tfmigrate.claim import Claim
from tfmigrate.verify.arms import prove
from tfmigrate.verify.cases import CaseFinder, Symbol, template
from tfmigrate.verify.model import (
    ArmJob,
    CannotBuildOutcome,
    Case,
    Check,
    CodeTree,
    Finished,
    ImportFailed,
    Outcome,
    Settings,
    Version,
)
from tfmigrate.verify.probes import Probed, ProbeJob
from tfmigrate.verify.recipes import ExampleInputsRecipe, GuessRecipe
from tfmigrate.verify.report import CaseReport, SymbolReport
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.second import SecondFlavour
from tfmigrate.verify.standins import stand_ins
from tfmigrate.verify.verdict import Verdict, VerdictStatus, says

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex

RUN_PROBE = "tfmigrate.verify.worker.probe:run_probe"
PRELOAD = ("tfmigrate.verify.worker.arm", "tfmigrate.verify.worker.probe")


@dataclass(frozen=True, slots=True)
class Target:
    """One symbol to prove."""

    symbol: Symbol
    printed: str
    """Its file, as printed."""
    before: CodeTree
    after: CodeTree
    claims: tuple[Claim, ...]
    """Tried in turn while something differs, the strictest first."""
    written: Mapping[str, frozenset[int]]
    """Absolute path -> lines of the version after that have to run for a proof; empty: not asked."""


class Prover:
    """Runs targets in the children of one process for each device kind. May be used from several threads."""

    def __init__(
        self,
        engines: Sequence[tuple[Zygote, Settings]],
        index: ProjectIndex | None,
        symbol_at: Callable[[str], Symbol | None],
        case_names: Sequence[str] = (),
        seconds: Mapping[str, SecondFlavour] | None = None,
        recording: Path | None = None,
    ) -> None:
        self._seconds = seconds or {}
        zygotes = {id(zygote): Remembering(zygote) for zygote, _ in engines}
        self._engines = [(zygotes[id(zygote)], settings) for zygote, settings in engines]
        self._index = index
        self._symbol_at = symbol_at
        self._case_names = tuple(case_names)
        self._finder = CaseFinder(index, recording)

    def prove(self, target: Target) -> SymbolReport:
        """All cases of ``target`` in all modes, on all devices."""
        found = self._finder.find(target.symbol)
        report = SymbolReport(str(target.symbol), target.printed, problems=found.problems)
        cases = self._named(found.cases)
        ready, reasons = self._ready(cases, target)
        if not ready:
            ready = self._through_others(target, reasons)
        if not ready and not cases:
            names = ", ".join(case.name or "unnamed" for case in found.cases)
            return replace(report, reason=f"no case of it is called that; there is {names}")
        if not ready:
            return replace(report, reason=reasons[0], hint=self._hint(target, reasons[0]))
        return replace(report, cases=tuple(self._run(case, target) for case in ready))

    def _named(self, cases: Sequence[Case]) -> list[Case]:
        return [case for case in cases if not self._case_names or case.name in self._case_names]

    def _ready(self, cases: Sequence[Case], target: Target) -> tuple[list[Case], list[str]]:
        """The cases that can be run, with their guesses made; and why the others cannot."""
        ready, reasons = [], []
        for case in cases:
            if isinstance(case.recipe, GuessRecipe | ExampleInputsRecipe):
                guess = self._guess(case, target.before)
                if guess.reason and guess.ran:  # The original may be what fails.
                    other = self._guess(case, target.after)
                    guess = guess if other.reason else other
                if guess.reason:
                    reasons.append(guess.reason)
                    continue
                case = guess.case
            ready.append(case)
        return ready, reasons

    def _guess(self, case: Case, tree: CodeTree) -> _Guess:
        zygote, settings = self._engines[0]
        outcome = zygote.probe(ProbeJob(case, tree), settings)
        if isinstance(outcome, ImportFailed | CannotBuildOutcome):
            return _Guess(case, outcome.message, False)
        if not isinstance(outcome, Finished):
            return _Guess(case, f"looking for inputs {says(outcome)}", False)
        probed: Probed = outcome.value
        if probed.recipe is None:
            return _Guess(case, probed.reason, True)
        return _Guess(replace(case, recipe=probed.recipe), "", True)

    def _through_others(self, target: Target, reasons: list[str]) -> list[Case]:
        """Cases of what inherits from the symbol or uses it, when it cannot be run itself."""
        if self._index is None:
            return []
        symbol = target.symbol
        for name in stand_ins(self._index, f"{symbol.module}.{symbol.qualname}"):
            other = self._symbol_at(name)
            if other is None:
                continue
            ready, more = self._ready(self._named(self._finder.find(other).cases), _rooted(target, other))
            reasons += more
            if ready:
                return ready
        return []

    def _hint(self, target: Target, reason: str) -> str:
        if "cannot be imported" in reason or "is not imported" in reason or "sys.exit" in reason:
            return ""
        qualified = f"{target.symbol.module}.{target.symbol.qualname}"
        is_class = self._index is None or self._index.class_facts(qualified) is not None
        text = template(str(target.symbol), is_class)
        return (
            "put this into tfmigrate_cases.py beside it, with arguments and inputs that fit:\n"
            + "\n".join(f"    {line}".rstrip() for line in text.splitlines())
        )

    def _run(self, case: Case, target: Target) -> CaseReport:
        started = time.monotonic()
        verdicts: list[Verdict] = []
        sessions: list[Session] = []
        for engine in self._engines:
            verdicts += self._verdicts(case, target, engine, sessions)
        if not any(verdict.status is VerdictStatus.DIFFERENT for verdict in verdicts):
            for session in sessions:
                session.forget()
        return CaseReport(case, tuple(verdicts), time.monotonic() - started)

    def _verdicts(
        self, case: Case, target: Target, engine: tuple[Remembering, Settings], sessions: list[Session]
    ) -> tuple[Verdict, ...]:
        zygote, settings = engine
        verdicts: tuple[Verdict, ...] = ()
        second = self._seconds.get(settings.keras)
        for claim in target.claims:
            check = Check(case, target.before, target.after, claim, {}, target.written)
            sessions.append(Session(zygote))
            # prove() asks a zygote for nothing but submit().
            verdicts = prove(cast(Zygote, sessions[-1]), check, settings, second).verdicts
            if not any(verdict.status is VerdictStatus.DIFFERENT for verdict in verdicts):
                break
        return verdicts


@dataclass(frozen=True, slots=True)
class _Guess:
    case: Case
    reason: str
    """Why there is no guess; "" if there is one."""
    ran: bool
    """The module could be imported, and guesses were tried."""


def _rooted(target: Target, symbol: Symbol) -> Target:
    """The same trees, with the root of ``symbol`` among theirs."""

    def rooted(tree: CodeTree) -> CodeTree:
        return tree if symbol.root in tree.roots else replace(tree, roots=(*tree.roots, symbol.root))

    return replace(target, before=rooted(target.before), after=rooted(target.after))


class Remembering:
    """A zygote that runs each arm of the original, and each probe, once: bisecting asks for them again and again."""

    def __init__(self, zygote: Zygote) -> None:
        self.zygote = zygote
        self._known: dict[tuple[bytes, int], Future[Outcome]] = {}
        self._lock = threading.Lock()

    def probe(self, job: ProbeJob, settings: Settings) -> Outcome:
        """Run a probe."""
        return self.remembered(
            (pickle.dumps(job), 1), RUN_PROBE, job, settings.timeout_s, settings.memory_mb
        ).result()

    def remembered(
        self, key: tuple[bytes, int], entry: str, job: object, timeout_s: float, memory_mb: int
    ) -> Future[Outcome]:
        """The outcome of the first job with this key."""
        with self._lock:
            if key not in self._known:
                self._known[key] = self.zygote.submit(entry, job, timeout_s, memory_mb)
            return self._known[key]

    def forget(self, keys: Iterable[tuple[bytes, int]]) -> None:
        """Let go of observations that are not asked for again."""
        with self._lock:
            for key in keys:
                self._known.pop(key, None)


class Session:
    """One call of :func:`prove`. Asked twice for one arm, it runs it twice: do two runs agree?"""

    def __init__(self, remembering: Remembering) -> None:
        self._remembering = remembering
        self._asked = Counter[bytes]()

    def forget(self) -> None:
        """Let go of the arms that were asked for: they are not asked for again."""
        asked = self._asked.items()
        self._remembering.forget((key, number) for key, count in asked for number in range(1, count + 1))

    def submit(
        self, entry: str, payload: object, timeout_s: float = 120.0, memory_mb: int = 4096
    ) -> Future[Outcome]:
        if not isinstance(payload, ArmJob) or payload.version is not Version.BEFORE:
            return self._remembering.zygote.submit(entry, payload, timeout_s, memory_mb)
        key = pickle.dumps(payload)
        self._asked[key] += 1
        return self._remembering.remembered((key, self._asked[key]), entry, payload, timeout_s, memory_mb)
