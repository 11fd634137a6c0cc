"""What there is to say of the ``tf.function``s of one file."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Safety
from tfmigrate.imports import is_imported, tensorflow_name
from tfmigrate.record.model import CallMode
from tfmigrate.signatures.callsites import Sites, keys
from tfmigrate.signatures.containers import container_findings
from tfmigrate.signatures.conversions import conversions
from tfmigrate.signatures.counted import number_findings
from tfmigrate.signatures.decide import Signature, signature
from tfmigrate.signatures.decorators import asked_of_graph, with_argument
from tfmigrate.signatures.dtypes import cast_changes, casts, said
from tfmigrate.signatures.equal import equal_findings
from tfmigrate.signatures.found import Changes, Found
from tfmigrate.signatures.functions import GraphFunction, graph_functions, is_exported
from tfmigrate.signatures.made import made_findings
from tfmigrate.signatures.percall import per_call_findings
from tfmigrate.signatures.recorded import has_lists, recorded_function, seen_calls
from tfmigrate.signatures.relaxed import MENDABLE, is_relaxable, sizes_to_ask, switches
from tfmigrate.signatures.sizes import Asked
from tfmigrate.signatures.specs import WrittenSpec, named_specs, text, written_specs
from tfmigrate.signatures.split import split_finding
from tfmigrate.signatures.values import PythonOf, Seen, Unknown
from tfmigrate.unit import Unit

_FEW = 2
"""So many traces are not worth a contract."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Calls that are known of, and how it is said."""

    calls: tuple[Seen, ...]
    said: str
    is_recorded: bool
    has_lists: bool = False
    """Lists of numbers were handed over, which have a trace for each content, and that a signature makes tensors."""


@dataclass
class Work:
    """What is found out about one file."""

    unit: Unit
    named: dict[str, str] = field(default_factory=dict)
    """Specs that get a name in this file -> that; known once all findings are."""

    @cached_property
    def sites(self) -> Sites:
        return Sites(self.unit)

    @cached_property
    def functions(self) -> tuple[GraphFunction, ...]:
        return tuple(graph_functions(self.unit))

    @cached_property
    def is_closed(self) -> bool:
        """Whether nobody else calls what is in here: a script that no other file imports."""
        return _is_script(self.unit) and not is_imported(self.unit)


def findings(work: Work) -> Iterator[Found]:
    """All of them."""
    yield from made_findings(work.unit)
    yield from per_call_findings(work.unit)
    for function in work.functions:
        if not function.has_signature and function.parameters:
            split = split_finding(work.unit, work.sites, function)
            numbers = [split] if split is not None else list(number_findings(work.unit, work.sites, function))
            numbers = numbers or list(container_findings(work.unit, work.sites, function))
            numbers += equal_findings(work.unit, work.sites, function)
            yield from numbers
            if not numbers:
                yield from _without_signature(work, function)


def _without_signature(work: Work, function: GraphFunction) -> Iterator[Found]:
    evidence = _recorded(work, function) or _written(work, function)
    unit = work.unit
    name = tensorflow_name(unit, function.symbol)
    if evidence is None:
        names = switches(unit, function)
        if names:
            why = f"{_quoted(names)} is Python's to decide by"
            yield _relaxed(function, why if len(names) == 1 else why.replace(" is ", " are "))
            return
        is_open = name is not None and name.after is None and not _is_seen_enough(work, function)
        asked = sizes_to_ask(unit, function) if is_open else ()
        if asked and name is not None:
            yield _asking(function, asked, name.name)
        return
    outcome: Blocked | Changes
    specs: tuple[WrittenSpec, ...] = ()
    decided = signature(unit, function, evidence.calls, evidence.has_lists)
    if isinstance(decided, Signature) and (passed := _passed_by_others(work, function, decided)):
        decided = Blocked("pinned-by-default", passed)
    safety = Safety.SAFE
    if decided is None:
        return
    message = f"`{function.symbol}` is traced anew for each shape ({evidence.said})"
    if isinstance(decided, Blocked) and decided.reason == "dtypes-differ":
        yield _of_dtypes(work, function, evidence, decided)
        return
    if isinstance(decided, Blocked):
        if is_relaxable(unit, function, decided, evidence.calls):
            found = _relaxed(function, f"{evidence.said}; {decided.about}")
            yield replace(found, owner=function.symbol) if evidence.is_recorded else found
            return
        if function.is_relaxed and decided.reason in MENDABLE:
            return
        outcome = decided
    elif name is None or name.after is not None:
        outcome = Blocked("no-tensorflow-name")
    else:
        outcome = _given(work, function, decided, name.name)
        specs = _specs(unit, function, decided, name.name)
        message += ": given an input signature"
        safety = _safety(work, function, evidence, decided)
    proof = function.symbol if evidence.is_recorded else function.owner
    yield Found("TFM501", function.decorator, function.symbol, proof, message, outcome, safety, specs)


def _safety(work: Work, function: GraphFunction, evidence: Evidence, found: Signature) -> Safety:
    """A signature is a contract: are all known who it binds?"""
    is_known = evidence.is_recorded or work.is_closed or function.node.name.startswith("_")
    is_known |= ".<locals>." in function.symbol
    is_known &= not _pins_unseen(work, function, found)
    is_open = not is_known or bool(found.opaque) or is_exported(work.unit, function)
    return Safety.UNSAFE if is_open else Safety.SAFE


def _of_dtypes(work: Work, function: GraphFunction, evidence: Evidence, why: Blocked) -> Found:
    """Tensors of several dtypes: cast at the callers where that is all that the function does; and the signature then."""
    unit = work.unit
    name = tensorflow_name(unit, function.symbol)
    sites = work.sites.of(function)
    is_here = not evidence.is_recorded and not sites.elsewhere
    found = casts(unit, function, sites.calls) if is_here else None
    message = f"`{function.symbol}` is traced anew for each dtype ({evidence.said})"
    if found is None or name is None or name.after is not None:
        blocked = Blocked("dtypes-differ", said(evidence.calls) or why.about)
        return Found("TFM507", function.decorator, function.symbol, function.owner, message, blocked)
    decided = signature(unit, function, found.calls)
    signed = decided if isinstance(decided, Signature) else None
    if signed and (
        _passed_by_others(work, function, signed)
        or _safety(work, function, evidence, signed) is not Safety.SAFE
    ):
        signed = None

    def changes(unit: Unit) -> Iterator[AnyChange]:
        yield from cast_changes(unit, found.nodes, name.name)
        if signed is not None:
            yield from _given(work, function, signed, name.name)(unit)

    message += ": cast at the callers" + (", and given an input signature" if signed else "")
    specs = _specs(unit, function, signed, name.name) if signed else ()
    return Found("TFM507", function.decorator, function.symbol, function.owner, message, changes, specs=specs)


def _left(function: GraphFunction, found: Signature) -> set[str]:
    """The parameters that the signature pins to their defaults."""
    return {arg.arg for arg in function.parameters[len(found.specs) :]}


def _passed_by_others(work: Work, function: GraphFunction, found: Signature) -> str:
    """A parameter that would be pinned, and that a call in this file passes (those that are known of do not).

    A switch (``training=False``) counts as passed: it is there for those who throw it.
    """
    left = _left(function, found)
    for name, switch in function.defaults.items():
        if name in left and isinstance(switch, ast.Constant) and isinstance(switch.value, bool | str):
            return name
    for _, call in work.sites.of(function).sure:
        for name, value in call.given:
            default = function.defaults.get(name)
            if name in left and (default is None or value != PythonOf(ast.unparse(default))):
                return name
    return ""


def _pins_unseen(work: Work, function: GraphFunction, found: Signature) -> bool:
    """Whether a parameter would be pinned that calls in other files, whose arguments are not seen, may pass."""
    if work.sites.of(function).is_whole:
        return False
    callers = work.unit.index.callers(work.unit.qualified(function.symbol))
    return bool(_left(function, found)) and any(caller.path != work.unit.path for caller in callers)


def _relaxed(function: GraphFunction, why: str) -> Found:
    def changes(unit: Unit) -> Iterator[AnyChange]:
        yield with_argument(unit, function.decorator, "reduce_retracing=True")

    message = f"`{function.symbol}` is traced anew for each shape, and can have no signature ({why}): shapes relaxed"
    return Found("TFM502", function.decorator, function.symbol, function.owner, message, changes)


def _asking(function: GraphFunction, asked: Sequence[Asked], tensorflow: str) -> Found:
    def changes(unit: Unit) -> Iterator[AnyChange]:
        yield with_argument(unit, function.decorator, "reduce_retracing=True")
        yield from asked_of_graph(unit, asked, tensorflow)

    message = (
        f"`{function.symbol}` reads sizes of its arguments in Python, and is traced anew for each: "
        "shapes relaxed, and the graph asked for the sizes"
    )
    return Found("TFM502", function.decorator, function.symbol, function.owner, message, changes)


def _is_seen_enough(work: Work, function: GraphFunction) -> bool:
    """Whether graphs call it, or all of its calls are known of, and they have it traced once or twice."""
    found = work.sites.of(function)
    is_known = all(not isinstance(value, Unknown) for call in found.seen for _, value in call.given)
    return found.is_traced or bool(found.seen and is_known and keys(found) <= _FEW)


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _recorded(work: Work, function: GraphFunction) -> Evidence | None:
    recording = work.unit.recording
    found = recorded_function(recording, work.unit.path, function.symbol) if recording is not None else None
    if found is None or found.traces <= _FEW * found.wrappers:
        return None
    if all(call.mode is CallMode.GRAPH for call in found.calls):
        return None  # It is traced as part of other functions.
    made = conversions(work.unit, function)
    calls = tuple(seen_calls(found, function, made))
    count = sum(call.count for call in found.calls)
    places = dict.fromkeys(call.where for call in calls)
    said = f"{found.traces} traces in {count} recorded calls, {_some(list(places))}"
    return Evidence(calls, said, True, has_lists(found, made)) if calls else None


def _written(work: Work, function: GraphFunction) -> Evidence | None:
    if function.is_relaxed:
        return None  # So it is traced twice.
    found = work.sites.of(function)
    if not found.is_whole or found.is_traced or keys(found) <= _FEW:
        return None
    calls = found.seen
    return Evidence(calls, f"called in {_some([call.where for call in calls])}", False)


def _some(places: Sequence[str]) -> str:
    return ", ".join(places[:3]) + (" ..." if len(places) > 3 else "")


def _specs(unit: Unit, function: GraphFunction, found: Signature, tensorflow: str) -> tuple[WrittenSpec, ...]:
    """Those that the file has no name for yet."""
    named = named_specs(unit, function)
    return tuple(spec for spec in written_specs(found.specs, tensorflow) if spec.text not in named)


def _given(work: Work, function: GraphFunction, found: Signature, tensorflow: str) -> Changes:
    def changes(unit: Unit) -> Iterator[AnyChange]:
        named = {**work.named, **named_specs(unit, function)}
        specs = ", ".join(text(value, tensorflow, named) for _, value in found.specs)
        yield with_argument(unit, function.decorator, f"input_signature=[{specs}]")
        yield from asked_of_graph(unit, found.asked, tensorflow)

    return changes


def _is_script(unit: Unit) -> bool:
    """Whether the file runs something when it is run: calls at its top level, or a ``__main__`` guard."""
    for statement in unit.tree.body:
        if isinstance(statement, ast.If) and "__main__" in ast.unparse(statement.test):
            return True
        if isinstance(statement, ast.For | ast.While):
            return True
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return True
    return False
