"""Claim + what the arms did -> verdicts. Pure: nothing is run here.

The reference is always the original's eager run. What did not run is INCONCLUSIVE, never "ok".
"""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np

from tfmigrate.claim import Claim
from tfmigrate.verify.compare import AS_WRITTEN, Comparison, Status, compare, head
from tfmigrate.verify.model import (
    FLAVOURS,
    ArmResult,
    CannotBuildOutcome,
    Finished,
    ImportFailed,
    Killed,
    Mode,
    Outcome,
    OutOfMemory,
    Precision,
    Raised,
    Reference,
    Strategy,
    TimedOut,
)
from tfmigrate.verify.observe import Costs, Observation, Stage
from tfmigrate.verify.properties import NO_REFERENCE, broken, doubts, is_explained, unchecked
from tfmigrate.verify.retraced import as_many_traces, fewer_traces, more_traces, wrong_when_traced

_REDRAWN = "the values differ, as they must: TensorFlow draws other numbers than {}; structure, dtypes and shapes agree"
_UNCOMPILED = re.compile(r"unsupported operations when trying to compile.*?: (\w*Random\w+) \(", re.DOTALL)
_SCRATCH = "{} is scratch space of the original, where gradients end: steps of training were not compared"
_SOME = 5
"""Written files that are named."""
PINNED = "each draw had the same numbers in both versions, by its place"


class VerdictStatus(enum.Enum):
    """What a run proves."""

    SAME = "SAME"
    FIXED = "FIXED"
    DIFFERENT = "DIFFERENT"
    INERT = "INERT"
    INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The finding for one mode. It has no truth value: name the status."""

    status: VerdictStatus
    mode: Mode
    device: str
    reason: str
    """One sentence."""
    how: str = ""
    """SAME and FIXED: the weakest comparison that was needed, ``bitwise`` or ``tolerance``."""
    comparisons: tuple[Comparison, ...] = ()
    evidence: tuple[str, ...] = ()
    """Sentences: the original's exception in this mode, the weights that it loses, what was not checked."""
    notes: tuple[str, ...] = ()
    """Properties that were not checked, and why."""
    costs_before: Costs | None = None
    """What the original takes in this mode; None where it does not run."""
    costs_after: Costs | None = None
    skipped: bool = False
    """INCONCLUSIVE because it was not run: ``reason`` says why this cell makes no sense."""
    by_accident: bool = False
    """A process was stopped, killed or ran out of memory: another run may end otherwise."""
    keras: str = ""
    """"2" or "3"."""
    precision: Precision = Precision.FLOAT32
    strategy: Strategy = Strategy.NONE

    def __bool__(self) -> bool:
        raise TypeError("a verdict has no truth value: ask for its status")

    @property
    def differences(self) -> tuple[Comparison, ...]:
        """The comparisons that failed, the worst first."""
        failed = [item for item in self.comparisons if item.status is Status.DIFFERENT]
        return tuple(sorted(failed, key=lambda item: -item.needed))


@dataclass(frozen=True, slots=True)
class _Judgement:
    status: VerdictStatus
    reason: str
    how: str = ""
    comparisons: tuple[Comparison, ...] = ()
    evidence: tuple[str, ...] = ()
    skipped: bool = False


def judge(
    claim: Claim, before: Mapping[Mode, ArmResult], after: Mapping[Mode, ArmResult]
) -> tuple[Verdict, ...]:
    """One verdict for each mode of ``after``; all results are of one device kind and one case."""
    verdicts = []
    accident = any(
        isinstance(result.outcome, TimedOut | Killed | OutOfMemory)
        for result in (*before.values(), *after.values())
    )
    for mode, result in after.items():
        found = _judge(claim, before, after, mode)
        written = _written(before.get(mode), result)
        verdicts.append(
            Verdict(
                found.status,
                mode,
                result.device,
                found.reason,
                found.how,
                found.comparisons,
                (*found.evidence, *written),
                unchecked(result.observation) if result.observation is not None else (),
                skipped=found.skipped,
                by_accident=accident,
                costs_before=_costs(before.get(mode)),
                costs_after=_costs(result),
            )
        )
    return tuple(verdicts)


def _costs(result: ArmResult | None) -> Costs | None:
    """What an arm that ran took."""
    seen = result.observation if result is not None else None
    return None if seen is None or any(stage.failure for stage in seen.stages) else seen.costs


def _judge(
    claim: Claim, before: Mapping[Mode, ArmResult], after: Mapping[Mode, ArmResult], mode: Mode
) -> _Judgement:
    original, rewritten = before.get(Mode.EAGER), after[mode]
    if mode is Mode.FIT:
        return _judge_training(claim, before, after)
    if skipped := _skipped(original, rewritten):
        return _Judgement(VerdictStatus.INCONCLUSIVE, skipped, skipped=True)
    if original is not None and original.second is not None and original.second.observation is not None:
        return _by_second(claim, original, original.second, after, mode, before.get(mode))
    if original is None or original.observation is None:
        how = says(original.outcome) if original else "was not run"
        return _Judgement(
            VerdictStatus.INCONCLUSIVE, f"there is no reference: the original's eager run {how}"
        )
    if rewritten.observation is None:
        return _process_failure(before.get(mode), rewritten)
    reference, other = original.observation, rewritten.observation
    if reference.fails:
        return _without_reference(claim, original, after, other)
    same_mode = before[mode].observation if mode in before else None
    both = _both_fail(reference, same_mode, other) if mode is not Mode.EAGER else None
    if both:
        return _Judgement(VerdictStatus.INCONCLUSIVE, both)
    comparisons = compare(reference, other, claim, same_mode)
    failed = [item for item in comparisons if item.status is Status.DIFFERENT]
    if failed and _unsteady(original, claim):
        reason = "two runs of the original itself differ: it is not deterministic"
        return _Judgement(VerdictStatus.INCONCLUSIVE, reason, comparisons=comparisons)
    if failed and claim.redraws and all(item.mismatched for item in failed):
        names = sorted(reference.unpinned | other.unpinned)
        if names or not reference.places:
            reason = _REDRAWN.format(", ".join(names) or "Python and NumPy")
            return _Judgement(VerdictStatus.INCONCLUSIVE, reason, comparisons=comparisons)
    if failed and (operation := _no_draws_in_xla(reference, other, failed)):
        reason = f"XLA does not compile {operation}, which the rewritten code draws with"
        return _Judgement(VerdictStatus.INCONCLUSIVE, reason, comparisons=comparisons)
    if failed:
        return _Judgement(VerdictStatus.DIFFERENT, _worst(failed), comparisons=comparisons)
    if lacks := next(chain(_broken_claims(claim, other, reference), broken(original, other)), None):
        return _Judgement(VerdictStatus.DIFFERENT, lacks, comparisons=comparisons)
    if more := more_traces(claim, original, other):
        return _Judgement(VerdictStatus.DIFFERENT, more, comparisons=comparisons)
    if empty := _proves_nothing(after, comparisons, reference):
        return empty
    if unshown := as_many_traces(claim, original, other):
        return _Judgement(VerdictStatus.INCONCLUSIVE, unshown, comparisons=comparisons)
    traced = tuple(filter(None, [fewer_traces(claim, original, other)]))
    how = _how(comparisons)
    evidence = tuple(_mended(original, same_mode, other, claim))
    unseen = tuple(_not_run(after))
    pinned = (PINNED,) if reference.places & other.places else ()
    if reference.scratch and not any(stage.training for stage in reference.stages):
        unseen = (*unseen, _SCRATCH.format(min(reference.scratch)))
    if evidence:
        said = (*evidence, *traced, *pinned, *unseen)
        return _Judgement(VerdictStatus.FIXED, evidence[0], how, comparisons, said)
    agrees = f"it agrees with the original's eager run ({how})"
    reason = "; ".join((agrees, *traced, *pinned, *unseen))
    return _Judgement(VerdictStatus.SAME, reason, how, comparisons)


def _written(original: ArmResult | None, rewritten: ArmResult) -> Iterator[str]:
    """What the versions wrote, for those who did not know."""
    names = dict.fromkeys(rewritten.outcome.wrote)
    names.update(dict.fromkeys(original.outcome.wrote if original is not None else ()))
    if names:
        some = ", ".join(list(names)[:_SOME]) + (
            f" and {len(names) - _SOME} more" if len(names) > _SOME else ""
        )
        yield f"it writes files, which went to a scratch folder: {some}"


def _skipped(*results: ArmResult | None) -> str:
    """Why an arm ran nothing, if one did not: there was nothing to run in it."""
    seen = [result.observation for result in results if result is not None]
    return next((one.skipped for one in seen if one is not None and not one.stages and one.skipped), "")


def _judge_training(
    claim: Claim, before: Mapping[Mode, ArmResult], after: Mapping[Mode, ArmResult]
) -> _Judgement:
    """Compiled training against the original's, run eagerly. An original that loses its weights trains others: then
    against the rewritten code's own, run eagerly."""
    original, rewritten, eager = before.get(Mode.EAGER), after[Mode.FIT], after.get(Mode.EAGER)
    if rewritten.observation is None:
        return _process_failure(before.get(Mode.FIT), rewritten)
    if skipped := _skipped(rewritten):
        return _Judgement(VerdictStatus.INCONCLUSIVE, skipped, skipped=True)
    theirs = original.observation if original is not None else None
    own = eager.observation if eager is not None else None
    is_theirs = _trains_as_much(theirs, own, claim)
    reference = _as_trained(theirs if is_theirs else own)
    if reference is None:
        why = next(
            (one.skipped for one in (own, theirs) if one is not None and one.skipped), "it does not run"
        )
        return _Judgement(
            VerdictStatus.INCONCLUSIVE, f"there is no training to compare with: run eagerly, {why}"
        )
    other = rewritten.observation
    same_mode = before[Mode.FIT].observation if Mode.FIT in before else None
    if both := _both_fail(reference, same_mode, other):
        return _Judgement(VerdictStatus.INCONCLUSIVE, both)
    comparisons = compare(reference, other, claim)
    failed = [item for item in comparisons if item.status is Status.DIFFERENT]
    if failed and is_theirs and original is not None and _unsteady(original, claim):
        reason = "two runs of the original itself differ: it is not deterministic"
        return _Judgement(VerdictStatus.INCONCLUSIVE, reason, comparisons=comparisons)
    if failed:
        return _Judgement(VerdictStatus.DIFFERENT, _worst(failed), comparisons=comparisons)
    if reference.fails:
        failure = reference.stages[0].failure
        said = f"training raises {failure.type} in both versions" if failure else "no step of training ran"
        return _Judgement(VerdictStatus.INCONCLUSIVE, said, comparisons=comparisons)
    how = _how(comparisons)
    evidence = tuple(_mended_training(claim, theirs, same_mode, reference, other))
    if evidence:
        return _Judgement(VerdictStatus.FIXED, evidence[0], how, comparisons, evidence)
    whose = "the original's" if is_theirs else "its own"
    return _Judgement(
        VerdictStatus.SAME,
        f"three steps of training agree with {whose}, run eagerly ({how})",
        how,
        comparisons,
    )


def _as_trained(observation: Observation | None) -> Observation | None:
    """The eager arm's training as an observation."""
    if observation is None or not observation.fit:
        return None
    return dataclasses.replace(observation, stages=observation.fit)


def _trains_as_much(theirs: Observation | None, own: Observation | None, claim: Claim) -> bool:
    """Whether the original's training is the reference: it runs, and trains what the rewritten code trains."""
    if theirs is None or not theirs.fit or theirs.fit[0].failure:
        return False
    if own is None or not claim.may_track_more:
        return True
    one, two = (
        {fact.key for fact in each.variables if fact.trainable and fact.tracked} for each in (theirs, own)
    )
    return not one < two


def _mended_training(
    claim: Claim,
    theirs: Observation | None,
    same_mode: Observation | None,
    reference: Observation,
    other: Observation,
) -> Iterator[str]:
    """What is wrong with the original's training, and is not any more."""
    for found, where in ((same_mode, ""), (_as_trained(theirs), ", run eagerly")):
        failed = _first_failure(found, reference) if found is not None else None
        if failed is not None and failed.failure is not None:
            yield f"the original raises {failed.failure.type} in {failed.name}{where}: {head(failed.failure.message)}"
    if same_mode is not None and same_mode.stages and not any(stage.failure for stage in same_mode.stages):
        wrong = [item for item in compare(reference, same_mode, claim) if item.status is Status.DIFFERENT]
        if wrong:
            yield f"the original differs from that in this mode: {_worst(wrong)}"
    moved = frozenset(fact.key for fact in other.variables if fact.trainable and fact.tracked)
    known = frozenset(fact.key for fact in theirs.variables if fact.tracked) if theirs is not None else moved
    if lost := sorted(moved - known):
        yield f"fit of the original does not train {lost[0]}" + (
            f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
        )


def _by_second(
    claim: Claim,
    original: ArmResult,
    second: Reference,
    after: Mapping[Mode, ArmResult],
    mode: Mode,
    same_mode: ArmResult | None,
) -> _Judgement:
    """The original does not run eagerly in this Keras flavour, but in the other one, where it is the reference."""
    rewritten, reference = after[mode], second.observation
    assert reference is not None
    if rewritten.observation is None:
        return _process_failure(same_mode, rewritten)
    other, said = rewritten.observation, _fails_eagerly(original)
    comparisons = compare(reference, other, claim)
    if failed := [item for item in comparisons if item.status is Status.DIFFERENT]:
        return _unlike_second(claim, original, second, after, other, failed)
    if lacks := next(chain(_broken_claims(claim, other, reference), broken(original, other)), None):
        return _Judgement(VerdictStatus.DIFFERENT, lacks, comparisons=comparisons, evidence=(said,))
    if empty := _proves_nothing(after, comparisons, reference):
        return empty
    how = _how(comparisons)
    agrees = f"it agrees with the original's eager run with {FLAVOURS[second.keras]} ({how})"
    return _Judgement(VerdictStatus.FIXED, said, how, comparisons, (said, agrees, *_not_run(after)))


def _unlike_second(
    claim: Claim,
    original: ArmResult,
    second: Reference,
    after: Mapping[Mode, ArmResult],
    other: Observation,
    failed: list[Comparison],
) -> _Judgement:
    """Other values than the original's in the other flavour: the rewrite's doing, if it shows there too."""
    assert second.observation is not None
    there = second.rewritten
    differs = f"it differs from the original's eager run with {FLAVOURS[second.keras]}: {_worst(failed)}"
    if there is None or there.fails:
        return _Judgement(VerdictStatus.INCONCLUSIVE, differs)
    if any(item.status is Status.DIFFERENT for item in compare(second.observation, there, claim)):
        return _Judgement(VerdictStatus.DIFFERENT, differs, comparisons=tuple(failed))
    flavours = f"the Keras flavours differ: {differs}; there the rewritten code agrees with it"
    if original.observation is None:
        return _Judgement(VerdictStatus.INCONCLUSIVE, flavours)
    found = _without_reference(claim, original, after, other)
    return dataclasses.replace(found, evidence=(*found.evidence, flavours))


def _fails_eagerly(original: ArmResult) -> str:
    if original.observation is None:
        return f"the original's eager run {says(original.outcome)}"
    failure = original.observation.stages[0].failure
    assert failure is not None
    return f"the original raises {failure.type} eagerly: {head(failure.message)}"


def _without_reference(
    claim: Claim, original: ArmResult, after: Mapping[Mode, ArmResult], other: Observation
) -> _Judgement:
    """The original fails in every eager call. Where that is what the rewrite is about, its properties are asked."""
    reference = original.observation
    assert reference is not None
    said = _fails_eagerly(original)
    nothing = _Judgement(VerdictStatus.INCONCLUSIVE, f"there is no reference: {said}")
    eager = after[Mode.EAGER].observation if Mode.EAGER in after else None
    if eager is None or not is_explained(reference, eager, claim):
        return nothing
    if doubt := next(doubts(eager, other, claim), None):
        return dataclasses.replace(nothing, evidence=(doubt,))
    if lacks := next(chain(_broken_claims(claim, other), broken(original, other)), None):
        return _Judgement(VerdictStatus.DIFFERENT, lacks, evidence=(said,))
    if inert := _inert(after):
        return _Judgement(VerdictStatus.INERT, inert)
    if _vacuous(eager):
        return nothing
    problem = original.second.problem if original.second is not None else ""
    missing = f"{NO_REFERENCE}; {problem}" if problem else NO_REFERENCE
    return _Judgement(VerdictStatus.FIXED, said, "", (), (said, missing, *_not_run(after)))


def _worst(failed: list[Comparison]) -> str:
    """The sentence of the first difference: stages are in the order in which they ran."""
    first = next((item for item in failed if item.stage), failed[0])
    more = f" (and {len(failed) - 1} more differences)" if len(failed) > 1 else ""
    return (f"{first.stage}: " if first.stage else "") + first.message + more


def says(outcome: Outcome) -> str:
    """How a process ended, as the end of a sentence."""
    if isinstance(outcome, TimedOut):
        return f"was stopped after {outcome.limit_s:g} s"
    if isinstance(outcome, Killed):
        return f"ended the process without a result ({outcome.signal})"
    if isinstance(outcome, OutOfMemory):
        return f"ran out of memory (limit {outcome.limit_mb} MiB)"
    if isinstance(outcome, ImportFailed | CannotBuildOutcome):
        return f"did not start: {outcome.message}"
    if isinstance(outcome, Raised):
        return f"raised {outcome.type}: {head(outcome.message)}"
    return "finished"


def _process_failure(original: ArmResult | None, rewritten: ArmResult) -> _Judgement:
    """The rewritten code gave no observation. It is a difference where the original did in the same mode."""
    reason = f"the rewritten code {says(rewritten.outcome)}"
    ran = original is not None and isinstance(original.outcome, Finished)
    if ran and isinstance(rewritten.outcome, Raised | Killed | ImportFailed | CannotBuildOutcome):
        return _Judgement(VerdictStatus.DIFFERENT, f"{reason}; the original does not")
    return _Judgement(VerdictStatus.INCONCLUSIVE, reason)


def _both_fail(reference: Observation, original: Observation | None, rewritten: Observation) -> str:
    """Graph modes: a call that the original's eager run answers fails in both versions. Nothing is lost or
    proved."""
    for stage in rewritten.stages:
        expected = reference.stage(stage.name)
        other = original.stage(stage.name) or original.stages[-1] if original and original.stages else None
        if stage.failure and expected and not expected.failure and other and other.failure:
            text = f"{stage.failure.type}: {head(stage.failure.message)}"
            sentence = f"neither version runs in this mode: the rewritten code raises {text}"
            if other.failure.type != stage.failure.type:
                sentence += f"; the original {other.failure.type}: {head(other.failure.message)}"
            return sentence
    return ""


def _first_failure(observation: Observation, reference: Observation | None) -> Stage | None:
    """The first stage that fails and does not in ``reference``."""
    for stage in observation.stages:
        expected = reference.stage(stage.name) if reference else None
        if stage.failure and not (expected and expected.failure):
            return stage
    return None


def _unsteady(original: ArmResult, claim: Claim) -> bool:
    if original.repeat is None or original.observation is None:
        return False
    pairs = [
        (original.observation, original.repeat),
        (_as_trained(original.observation), _as_trained(original.repeat)),
    ]
    return any(
        item.status is Status.DIFFERENT
        for one, two in pairs
        if one is not None and two is not None
        for item in compare(one, two, claim)
    )


def _broken_claims(
    claim: Claim, rewritten: Observation, reference: Observation | None = None
) -> Iterator[str]:
    """The properties that the codemod claims of its result."""
    if claim.constant_weight_count:
        calls = [
            stage
            for stage in rewritten.stages
            if not stage.training and not stage.name.startswith(AS_WRITTEN)
        ]
        steps = [
            stage for stage in rewritten.stages if stage.training and not stage.name.startswith(AS_WRITTEN)
        ]
        for stage in calls[1:] + steps[1:]:
            if stage.created and not _made_alike(rewritten, stage, reference):
                yield f"{stage.name} makes {stage.created} variables; none is to be made after the first call"
    if claim.may_track_more and rewritten.stateful:
        known = {f.key for f in reference.variables if not (f.tracked or f.created)} if reference else ()
        lost = [
            fact.key
            for fact in rewritten.variables
            if not fact.tracked and fact.trainable and fact.key not in known  # The original keeps it so.
        ]
        if lost:
            yield f"{lost[0]} is used and not tracked" + (
                f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
            )
    if rewritten.traces and len(rewritten.traces) >= 3 and rewritten.traces[-1] > rewritten.traces[-2]:
        yield f"it is traced anew for a call that was made before ({rewritten.traces[-1]} traces)"


def _no_draws_in_xla(reference: Observation, rewritten: Observation, failed: list[Comparison]) -> str:
    """The operation that draws and that XLA has not, if that is all that fails: code that draws so is not compiled."""
    if rewritten.mode is not Mode.XLA or not reference.places or any(c.how != "exception" for c in failed):
        return ""
    failures = [stage.failure for stage in rewritten.stages if stage.failure]
    found = [_UNCOMPILED.search(failure.message) for failure in failures]
    named = {match[1] for match in found if match}
    return " and ".join(sorted(named)) if all(found) else ""


def _made_alike(rewritten: Observation, stage: Stage, reference: Observation | None) -> bool:
    """Whether the original makes the same variables in the same stage, and keeps them: layers behind a drawn branch."""
    if reference is None or not reference.places:
        return False
    number = rewritten.stages.index(stage) + 1
    kept = {fact.key for fact in reference.variables if fact.tracked and fact.created == number}
    made = {fact.key for fact in rewritten.variables if fact.created == number}
    return len(made) == stage.created and made <= kept


def _proves_nothing(
    after: Mapping[Mode, ArmResult], comparisons: tuple[Comparison, ...], reference: Observation
) -> _Judgement | None:
    """Why the equality of everything that was compared says nothing of the rewrite."""
    if inert := _inert(after):
        return _Judgement(VerdictStatus.INERT, inert, comparisons=comparisons)
    if not any(item.numeric for item in comparisons):
        return _Judgement(VerdictStatus.INCONCLUSIVE, "no value was compared", comparisons=comparisons)
    if vacuous := _vacuous(reference):
        return _Judgement(VerdictStatus.INCONCLUSIVE, vacuous, comparisons=comparisons)
    return None


def _how(comparisons: tuple[Comparison, ...]) -> str:
    return "tolerance" if any(item.how == "tolerance" for item in comparisons) else "bitwise"


def _inert(after: Mapping[Mode, ArmResult]) -> str:
    eager = after.get(Mode.EAGER)
    if eager is None or eager.observation is None:
        return ""
    asked = {path: lines for path, lines in eager.observation.lines_asked.items() if lines}
    if asked and not any(eager.observation.lines_run.get(path) for path in asked):
        return "none of the rewritten lines ran: this case proves nothing about them"
    return ""


def _not_run(after: Mapping[Mode, ArmResult]) -> Iterator[str]:
    """Rewritten lines of which this case says nothing."""
    eager = after.get(Mode.EAGER)
    observation = eager.observation if eager is not None else None
    for path, asked in observation.lines_asked.items() if observation is not None else ():
        assert observation is not None
        left = sorted(asked - observation.lines_run.get(path, frozenset()))
        if left:
            lines = ", ".join(map(str, left[:10])) + (" ..." if len(left) > 10 else "")
            yield f"this case does not run the rewritten line{'s' if len(left) > 1 else ''} {lines}"


def _vacuous(reference: Observation) -> str:
    """Whether anything could have shown a difference: the outputs depend on a weight or an input."""
    good = [stage for stage in reference.stages if not stage.failure]
    for stage in good:
        if any(gradient is not None and np.any(gradient.array != 0) for gradient in stage.gradients.values()):
            return ""
    seen: dict[int, set[bytes]] = {}
    for stage in good:
        for number, leaf in enumerate(stage.leaves):
            seen.setdefault(number, set()).update(value.tobytes() for value in np.unique(leaf.array)[:3])
    if any(len(values) > 1 for values in seen.values()):
        return ""
    return "the outputs are constant: they depend on no weight and no input, so nothing could have differed"


def _mended(
    original: ArmResult, same_mode: Observation | None, rewritten: Observation, claim: Claim
) -> Iterator[str]:
    """What the original does wrong in this mode, and the rewritten code does not."""
    reference = original.observation
    if original.lock_lifted and original.locked is not None and rewritten.mode is Mode.EAGER:
        failed = _first_failure(original.locked, reference)
        if failed and failed.failure:
            yield f"the original raises {failed.failure.type} in {failed.name}: {head(failed.failure.message)}"
    if rewritten.mode is Mode.EAGER:
        yield from wrong_when_traced(original, claim)
    if same_mode is not None:
        failed = _first_failure(same_mode, reference)
        if failed and failed.failure:
            yield f"the original raises {failed.failure.type} in {failed.name}: {head(failed.failure.message)}"
        elif rewritten.mode is not Mode.EAGER and original.observation is not None:
            wrong = [
                c for c in compare(original.observation, same_mode, claim) if c.status is Status.DIFFERENT
            ]
            if wrong and same_mode.frozen:
                yield f"the original draws when it is traced, and never again: {_worst(wrong)}"
            elif wrong:
                yield f"the original differs from its own eager run in this mode: {_worst(wrong)}"
    if claim.may_track_more and original.observation is not None:
        before = {fact.key for fact in original.observation.variables if fact.tracked}
        found = [fact.key for fact in rewritten.variables if fact.tracked and fact.key not in before]
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            again = any(stage.created for stage in original.observation.stages[1:])
            how = "makes {}{} anew in each call and does not track it" if again else "does not track {}{}"
            yield "the original " + how.format(found[0], more)
