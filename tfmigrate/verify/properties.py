"""What the versions do by themselves, judged: properties that the rewrite breaks, and rewrites without a reference. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfmigrate.claim import Claim
from tfmigrate.verify.compare import AS_WRITTEN, Comparison, Status, compare, head, is_state_error, values
from tfmigrate.verify.model import ArmResult, Mode
from tfmigrate.verify.observe import Failure, Observation, Property, PropertyStatus

FIT, SAVE, CONFIG = "fit", "save_weights", "from_config"
NO_REFERENCE = "no reference: only properties were checked"
_ATTRIBUTE = re.compile(r"object has no attribute '(\w+)'")


def broken(original: ArmResult, rewritten: Observation) -> Iterator[str]:
    """Properties that the rewritten version should have and has not, as sentences.

    ``original``: what it cannot do itself is not asked of the rewritten version.
    """
    before = original.observation
    could = {item.name: item.status for item in before.properties} if before else {}
    for item in rewritten.properties:
        if item.status is PropertyStatus.BROKEN and _is_asked(item, could):
            yield f"{item.name}: {item.message}"
    if before is None or original.lock_lifted or not any(item.name == SAVE for item in rewritten.properties):
        return  # with the lock in its place the original has no weights to save
    for path, kind in before.weight_paths.items():
        there = rewritten.weight_paths.get(path)
        if there is None:
            yield f"the original's weight {path} is lost or renamed: weights saved by the original would not load"
        elif there != kind:
            yield f"the weight {path} is {there}, in the original {kind}: weights saved by it would not load"


def _is_asked(item: Property, could: dict[str, PropertyStatus]) -> bool:
    if item.name == CONFIG:
        return could.get(CONFIG) is PropertyStatus.HELD
    return not (item.name == SAVE and could.get(SAVE) is PropertyStatus.BROKEN)


def unchecked(observation: Observation) -> tuple[str, ...]:
    """What was not checked, and why: for those who want to know everything."""
    return tuple(
        f"{item.name} was not checked: {item.message}"
        for item in observation.properties
        if item.status is PropertyStatus.SKIPPED
    )


# -- without a reference -------------------------------------------------------------------------------------


def is_explained(original: Observation, rewritten: Observation, claim: Claim) -> bool:
    """Whether the original fails in every call for what the rewrite is about: state made in a call, or an attribute
    that only the rewritten version has."""
    failures = [stage.failure for stage in original.stages]
    return claim.may_fix_eager and all(
        failure is not None and (is_state_error(failure.message) or _is_defined(failure, original, rewritten))
        for failure in failures
    )


def _is_defined(failure: Failure, original: Observation, rewritten: Observation) -> bool:
    found = _ATTRIBUTE.search(failure.message)
    if failure.type != "AttributeError" or found is None:
        return False
    held = re.compile(rf"(?:^|\.){found[1]}\b")
    return any(map(held.search, (*rewritten.paths, *rewritten.weight_paths))) and not any(
        map(held.search, original.paths)
    )


def doubts(eager: Observation, other: Observation, claim: Claim) -> Iterator[str]:
    """Why the rewritten version, run eagerly and in the mode of ``other``, does not prove itself."""
    for stage in (*eager.stages, *other.stages):
        if stage.failure:
            yield f"the rewritten code raises {stage.failure.type} in {stage.name}: {head(stage.failure.message)}"
    yield from (f"its first call again: {item.message}" for item in _repeated(other) if _differs(item))
    if other is not eager or any(stage.name.startswith(AS_WRITTEN) for stage in eager.stages):
        yield from (
            f"the rewritten code differs between its runs: {item.message}"
            for item in compare(eager, other, claim)
            if _differs(item)
        )
    yield from (f"no gradient reaches {key} in the rewritten code" for key in _unreached(other))


def _differs(item: Comparison) -> bool:
    return item.status is Status.DIFFERENT


def _repeated(observation: Observation) -> Iterator[Comparison]:
    """The last call compared with the first, which it repeats."""
    calls = [stage for stage in observation.stages if re.fullmatch(r"call \d+", stage.name)]
    if len(calls) > 1 and observation.mode is not Mode.XLA:
        for number, (one, two) in enumerate(zip(calls[0].leaves, calls[-1].leaves, strict=False)):
            yield values(calls[-1].name, f"output {number}", one, two)


def _unreached(observation: Observation) -> Iterator[str]:
    """Trainable weights that get no gradient in any step, or in none as written."""
    steps = [stage for stage in observation.stages if stage.training]
    for as_written in (False, True):
        group = [stage for stage in steps if stage.name.startswith(AS_WRITTEN) is as_written]
        for fact in observation.variables if group else ():
            wanted = fact.trainable and fact.tracked and "float" in fact.dtype
            if wanted and all(stage.gradients.get(fact.key) is None for stage in group):
                yield fact.key
