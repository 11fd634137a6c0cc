"""``Claim.fewer_traces``, judged: how often the code's own ``tf.function``s are traced by the same calls. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from tfmigrate.claim import Claim
from tfmigrate.verify.compare import AS_WRITTEN, Status, compare, head
from tfmigrate.verify.model import ArmResult, Mode
from tfmigrate.verify.observe import Observation


def more_traces(claim: Claim, original: ArmResult, rewritten: Observation) -> str:
    """Why the claim is wrong; empty where it is not."""
    before, after = _counts(claim, original, rewritten)
    if after <= before:
        return ""
    return f"its tf.functions are traced {_times(after)} by these calls, the original's {_times(before)}"


def as_many_traces(claim: Claim, original: ArmResult, rewritten: Observation) -> str:
    """Why these calls do not show what is claimed; empty where they do."""
    before, after = _counts(claim, original, rewritten)
    if not before or before != after:
        return ""
    return (
        f"the values agree, but these calls have tf.functions traced {_times(after)} in both versions, which shows no "
        "fewer traces: record the program's own calls (tfmigrate record), or write a case with more shapes or values"
    )


def fewer_traces(claim: Claim, original: ArmResult, rewritten: Observation) -> str:
    """The claim with its numbers; empty where there is none."""
    before, after = _counts(claim, original, rewritten)
    return f"traced {_times(after)} by these calls, before {_times(before)}" if after < before else ""


def _counts(claim: Claim, original: ArmResult, rewritten: Observation) -> tuple[int, int]:
    traced = original.as_written
    if not claim.fewer_traces or traced is None or rewritten.mode is not Mode.EAGER:
        return 0, 0
    if next(wrong_when_traced(original, claim), None):
        return 0, 0  # It has one trace for what needs several.
    return sum(traced.own_traces.values()), sum(rewritten.own_traces.values())


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times" if count else "never"


def wrong_when_traced(original: ArmResult, claim: Claim) -> Iterator[str]:
    """What the original's own tf.functions make other than the same code without them."""
    reference, traced = original.observation, original.as_written
    if reference is None or traced is None:
        return
    for stage in traced.stages:
        expected = reference.stage(stage.name.removeprefix(AS_WRITTEN))
        if stage.failure and expected is not None and not expected.failure:
            yield f"the original raises {stage.failure.type} in {expected.name}: {head(stage.failure.message)}"
            return
    for item in compare(reference, traced, claim):
        if item.status is Status.DIFFERENT and item.stage.startswith(AS_WRITTEN):
            name = item.stage.removeprefix(AS_WRITTEN)
            yield f"the original's tf.functions give something else than its eager run: {name}: {item.message}"
            return
