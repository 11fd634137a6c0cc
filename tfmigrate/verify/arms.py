"""Run all arms of one check, and judge them: the one place that knows the order in which arms depend on each
other.

The original runs eagerly first: the rewritten code's arms are told which attribute paths it has.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from tfmigrate.verify.compare import AS_WRITTEN, is_state_error
from tfmigrate.verify.model import (
    ArmJob,
    ArmResult,
    Check,
    Finished,
    Mode,
    Outcome,
    Precision,
    Settings,
    Strategy,
    Version,
)
from tfmigrate.verify.observe import Observation, Stage
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.second import SecondFlavour
from tfmigrate.verify.second import reference as reference_of
from tfmigrate.verify.sites import numbered
from tfmigrate.verify.verdict import Verdict, VerdictStatus, judge

RUN_ARM = "tfmigrate.verify.worker.arm:run_arm"
_LOCK = "You cannot add new elements of state"


@dataclass(frozen=True, slots=True)
class Proof:
    """The verdicts, and what they were made of."""

    verdicts: tuple[Verdict, ...]
    before: Mapping[Mode, ArmResult]
    after: Mapping[Mode, ArmResult]


def prove(zygote: Zygote, check: Check, settings: Settings, second: SecondFlavour | None = None) -> Proof:
    """Run the arms of ``check`` in children of ``zygote`` (as many at once as do not depend on each other).

    ``second``: where an original that does not run in the flavour of ``settings`` may have its reference run.
    """
    modes = _run(settings)
    marked = numbered(check.before, check.after)
    check = dataclasses.replace(check, before=marked.before, after=marked.after, numbers=marked.numbers)
    original = check
    first = [mode for mode in modes if mode not in _LIKE_GRAPH or Mode.GRAPH not in modes]
    waiting = {mode: _submit(zygote, settings, _job(check, settings, Version.BEFORE, mode)) for mode in first}
    before = {Mode.EAGER: _result(Version.BEFORE, Mode.EAGER, settings, waiting.pop(Mode.EAGER).result())}
    reference = before[Mode.EAGER].observation
    if reference is not None and settings.keras == "3" and _is_locked(reference):
        before[Mode.EAGER] = _unlocked(zygote, check, settings, before[Mode.EAGER])
        reference = before[Mode.EAGER].observation
    if second is not None and check.claim.may_fix_eager and (reference is None or reference.fails):
        before[Mode.EAGER] = _with_second(second, check, settings, before[Mode.EAGER])
        found = before[Mode.EAGER].second
        if found is not None and found.observation is not None:
            reference, check = found.observation, dataclasses.replace(check, across=True)
    after: dict[Mode, ArmResult] = {}
    jobs: dict[Mode, _Running] = {}
    if reference is not None:
        jobs = {
            mode: _submit(zygote, settings, _job(check, settings, Version.AFTER, mode, reference.paths))
            for mode in modes
        }
    if Mode.GRAPH in waiting:
        before[Mode.GRAPH] = _named(
            zygote,
            check,
            settings,
            _result(Version.BEFORE, Mode.GRAPH, settings, waiting.pop(Mode.GRAPH).result()),
            None,
        )
        for mode in [mode for mode in modes if mode in _LIKE_GRAPH]:
            if (untraced := _untraced(before[Mode.GRAPH], mode)) is not None:
                before[mode] = untraced
            else:
                waiting[mode] = _submit(zygote, settings, _job(original, settings, Version.BEFORE, mode))
    if reference is not None:
        for mode, job in jobs.items():
            result = _named(
                zygote, check, settings, _result(Version.AFTER, mode, settings, job.result()), reference
            )
            after[mode] = _with_as_written(zygote, check, settings, result, reference)
    if lost := _lost_scratch(reference, after):
        check = dataclasses.replace(check, scratch=lost)
        before[Mode.EAGER] = _without_scratch(zygote, check, settings, before[Mode.EAGER])
    before[Mode.EAGER] = _original_traced(zygote, check, settings, before[Mode.EAGER])
    for mode, job in waiting.items():
        before[mode] = _named(
            zygote, check, settings, _result(Version.BEFORE, mode, settings, job.result()), None
        )
    if reference is None:
        after = {mode: _result(Version.AFTER, mode, settings, before[Mode.EAGER].outcome) for mode in modes}
    verdicts = judge(check.claim, before, after)
    if any(verdict.status is VerdictStatus.DIFFERENT for verdict in verdicts):
        before[Mode.EAGER] = _repeated(zygote, check, settings, before[Mode.EAGER])
        verdicts = judge(check.claim, before, after)
    wanted = [verdict for verdict in verdicts if verdict.mode in settings.modes]
    return Proof((*_placed(wanted, settings), *_left_out(settings)), before, after)


_LIKE_GRAPH = frozenset({Mode.XLA, Mode.EXPORT})
"""Modes that trace a graph first."""
_NOT_MIRRORED = {
    Mode.XLA: "what is compiled by XLA is not run with a strategy",
    Mode.EXPORT: "what is exported is the same with a strategy",
}


def _run(settings: Settings) -> tuple[Mode, ...]:
    """The modes to run, the eager one first: it is the reference."""
    left_out = _NOT_MIRRORED if settings.strategy is Strategy.MIRRORED else {}
    return (Mode.EAGER, *(mode for mode in settings.modes if mode is not Mode.EAGER and mode not in left_out))


def _untraced(graph: ArmResult, mode: Mode) -> ArmResult | None:
    """What the original does in ``mode``, if its first trace failed for state that is made in it: that is no other there."""
    seen = graph.observation
    if seen is None or len(seen.stages) != 1 or seen.late:
        return None
    failure = seen.stages[0].failure
    if failure is None or not is_state_error(failure.message):
        return None
    return dataclasses.replace(graph, mode=mode, observation=dataclasses.replace(seen, mode=mode))


def _left_out(settings: Settings) -> tuple[Verdict, ...]:
    """The modes that are asked for and make no sense with these settings."""
    left_out = [mode for mode in settings.modes if mode not in _run(settings)]
    verdicts = [
        Verdict(VerdictStatus.INCONCLUSIVE, mode, settings.device, _NOT_MIRRORED[mode], skipped=True)
        for mode in left_out
    ]
    return _placed(verdicts, settings)


def _placed(verdicts: Sequence[Verdict], settings: Settings) -> tuple[Verdict, ...]:
    """The verdicts with what the arms were run in."""
    more = {"keras": settings.keras, "precision": settings.precision, "strategy": settings.strategy}
    return tuple(dataclasses.replace(verdict, **more) for verdict in verdicts)  # type: ignore[arg-type]


def _job(
    check: Check, settings: Settings, version: Version, mode: Mode, known: frozenset[str] | None = None
) -> ArmJob:
    is_before = version is Version.BEFORE
    is_reference = is_before and mode is Mode.EAGER
    strategy = Strategy.NONE if is_reference else settings.strategy
    is_plain = settings.precision is Precision.FLOAT32 and strategy is Strategy.NONE
    return ArmJob(
        case=check.case,
        tree=check.before if is_before else check.after,
        version=version,
        mode=mode,
        keras=settings.keras,
        device=settings.device,
        precision=settings.precision,
        strategy=strategy,
        seed=settings.seed,
        known_paths=known,
        numbers=check.numbers,
        across=check.across,
        scratch=check.scratch if is_before else frozenset(),
        fresh_each_call=check.claim.first_call_only,
        trains_and_saves=check.claim.trains_and_saves and mode is Mode.EAGER and is_plain,
        fits=mode is Mode.EAGER and Mode.FIT in settings.modes,
        # Replicas run in threads, where lines are not seen.
        changed_lines=(
            {}
            if strategy is not Strategy.NONE
            else check.changed_before if is_before else check.changed_after
        ),
    )


def _lost_scratch(reference: Observation | None, after: Mapping[Mode, ArmResult]) -> frozenset[str]:
    """Scratch variables of the original in whose place the rewritten code has tensors."""
    eager = after[Mode.EAGER].observation if Mode.EAGER in after else None
    if reference is None or eager is None:
        return frozenset()
    return reference.scratch - {fact.key for fact in eager.variables}


def _without_scratch(zygote: Zygote, check: Check, settings: Settings, first: ArmResult) -> ArmResult:
    """The original's eager run with its scratch variables left as they are.

    Without its steps: gradients end at an assigned variable, and go on through a tensor.
    """
    if first.observation is None or first.second is not None:
        return first
    again = _original_again(zygote, check, settings, first.lock_lifted)
    if again.observation is None:
        return first
    calls = tuple(stage for stage in again.observation.stages if not stage.training)
    return dataclasses.replace(first, observation=dataclasses.replace(again.observation, stages=calls))


def _original_again(zygote: Zygote, check: Check, settings: Settings, lift_lock: bool) -> ArmResult:
    """The original's eager run once more."""
    job = dataclasses.replace(_job(check, settings, Version.BEFORE, Mode.EAGER), lift_lock=lift_lock)
    return _result(Version.BEFORE, Mode.EAGER, settings, _submit(zygote, settings, job).result())


def _with_second(second: SecondFlavour, check: Check, settings: Settings, result: ArmResult) -> ArmResult:
    """The result of the original with what it does in the other Keras flavour."""
    before, after = (_job(check, settings, version, Mode.EAGER) for version in Version)
    return dataclasses.replace(result, second=reference_of(second, RUN_ARM, before, after, settings))


@dataclass(frozen=True, slots=True)
class _Running:
    """A job that has been started."""

    zygote: Zygote
    settings: Settings
    job: ArmJob
    future: Future[Outcome]

    def result(self) -> Outcome:
        """How it ended. Code that cannot run with deterministic operations is run again without."""
        outcome = self.future.result()
        if not isinstance(outcome, Finished) or not _wants_chance(outcome.value):
            return outcome
        again = dataclasses.replace(self.job, deterministic=False)
        return self.zygote.submit(RUN_ARM, again, self.settings.timeout_s, self.settings.memory_mb).result()


def _wants_chance(observation: Observation) -> bool:
    failures = [stage.failure for stage in (*observation.stages, *observation.fit) if stage.failure]
    return any("determinis" in failure.message for failure in failures)


def _submit(zygote: Zygote, settings: Settings, job: ArmJob) -> _Running:
    future = zygote.submit(RUN_ARM, job, settings.timeout_s, settings.memory_mb)
    return _Running(zygote, settings, job, future)


def _result(version: Version, mode: Mode, settings: Settings, outcome: Outcome) -> ArmResult:
    if not isinstance(outcome, Finished):
        return ArmResult(version, mode, settings.device, None, outcome)
    observation: Observation = outcome.value
    return ArmResult(version, mode, settings.device, observation, dataclasses.replace(outcome, value=None))


def _named(
    zygote: Zygote, check: Check, settings: Settings, result: ArmResult, reference: Observation | None
) -> ArmResult:
    """The arm once more if variables of its first trace had their names too late."""
    if result.observation is None or not result.observation.late:
        return result
    job = _job(check, settings, result.version, result.mode, reference.paths if reference else None)
    job = dataclasses.replace(job, learned=result.observation.late)
    return _result(result.version, result.mode, settings, _submit(zygote, settings, job).result())


def _with_as_written(
    zygote: Zygote, check: Check, settings: Settings, result: ArmResult, reference: Observation
) -> ArmResult:
    """The stages of the eager run again with the code's own tf.functions traced, if it has some."""
    seen = result.observation
    if result.mode is not Mode.EAGER or seen is None or not seen.functions_called:
        return result
    job = _job(check, settings, Version.AFTER, Mode.EAGER, reference.paths)
    job = _written(job, check)
    again = _result(Version.AFTER, Mode.EAGER, settings, _submit(zygote, settings, job).result())
    if again.observation is None:
        return again
    stages = _renamed(again.observation)
    seen = dataclasses.replace(seen, stages=(*seen.stages, *stages), own_traces=again.observation.own_traces)
    return dataclasses.replace(result, observation=seen)


def _written(job: ArmJob, check: Check) -> ArmJob:
    """The job with the code's own tf.functions traced."""
    return dataclasses.replace(
        job, as_written=True, stream=check.claim.fewer_traces, trains_and_saves=False, changed_lines={}
    )


def _original_traced(zygote: Zygote, check: Check, settings: Settings, result: ArmResult) -> ArmResult:
    """The original's eager result with what its calls do when its own tf.functions are traced."""
    seen = result.observation
    if not check.claim.fewer_traces or seen is None or not seen.functions_called:
        return result
    job = _written(_job(check, settings, Version.BEFORE, Mode.EAGER), check)
    again = _result(Version.BEFORE, Mode.EAGER, settings, _submit(zygote, settings, job).result())
    if again.observation is None:
        return result
    return dataclasses.replace(
        result, as_written=dataclasses.replace(again.observation, stages=_renamed(again.observation))
    )


def _renamed(observation: Observation) -> tuple[Stage, ...]:
    return tuple(dataclasses.replace(stage, name=AS_WRITTEN + stage.name) for stage in observation.stages)


def _is_locked(observation: Observation) -> bool:
    return any(stage.failure is not None and _LOCK in stage.failure.message for stage in observation.stages)


def _unlocked(zygote: Zygote, check: Check, settings: Settings, locked: ArmResult) -> ArmResult:
    """The original once more, with Keras 3's lock lifted in that process: a lazy original has no other
    reference."""
    result = _original_again(zygote, check, settings, True)
    if result.observation is None or result.observation.fails:
        return locked
    return dataclasses.replace(result, lock_lifted=True, locked=locked.observation)


def _repeated(zygote: Zygote, check: Check, settings: Settings, first: ArmResult) -> ArmResult:
    """The original's eager run a second time: does the code agree with itself?"""
    if first.observation is None:
        return first
    again = _original_again(zygote, check, settings, first.lock_lifted)
    return dataclasses.replace(first, repeat=again.observation)
