"""The sections about a verification: the matrix, the evidence and the plots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tfmigrate.report.entries import AXES, PROVED, Told, axis_word, label
from tfmigrate.report.html import plots
from tfmigrate.report.html.markup import code, dotted, escaped, prose, table, verdict
from tfmigrate.report.html.plots import Pair

_SHOWN = 5
"""Differences that are told of one verdict."""
_KEY = '<p class="key"><span><i></i>before</span><span><i class="after"></i>after</span></p>'


class _Labels:
    """Names of runs by what tells them apart: ``graph`` where all ran on one device, ``graph, GPU`` otherwise."""

    def __init__(self, told: Told) -> None:
        runs = [one for _, _, one in _verdicts_of(told)]
        values = {axis: {axis_word(one, axis) for one in runs} for axis in AXES}
        self._axes = [axis for axis, found in values.items() if axis == "mode" or len(found) > 1]
        alike = (word for axis, found in values.items() if axis not in self._axes for word in found)
        self.common = ", ".join(filter(None, alike))
        """What all runs have in common."""

    def of(self, one: Mapping[str, Any]) -> str:
        return ", ".join(filter(None, (axis_word(one, axis) for axis in self._axes)))


def _verdicts_of(told: Told) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]]]:
    """Symbol, case, verdict."""
    for symbol in (told.verification or {"symbols": ()})["symbols"]:
        for case in symbol["cases"]:
            for one in case["verdicts"]:
                yield symbol, case, one


def matrix(told: Told) -> Iterator[str]:
    """A row for each symbol and case, a column for each way of running it."""
    if told.verification is None:
        return
    labels = _Labels(told)
    columns = list(dict.fromkeys(labels.of(one) for _, _, one in _verdicts_of(told)))
    rows = []
    for symbol in told.verification["symbols"]:
        called = dotted(symbol["symbol"])
        if not symbol["cases"]:
            missing = [f'{called}<br><span class="quiet">no case</span>', verdict(symbol["status"])]
            rows.append([*missing, *[""] * (len(columns) - 1)])
        for case in symbol["cases"]:
            cells = {labels.of(one): _cell(one) for one in case["verdicts"]}
            guessed = " (guessed)" if case["guessed"] else ""
            shown = f'{called}<br><span class="quiet">{escaped((case["name"] or "unnamed") + guessed)}</span>'
            rows.append([shown, *(cells.get(column, '<span class="quiet">-</span>') for column in columns)])
    if rows:
        yield table(["Model and case", *(columns or ["verdict"])], rows)
    if labels.common:
        yield f'<p class="quiet">All runs: {escaped(labels.common)}.</p>'
    for place in told.verification["taken_out"]:
        where = f"{place['path']}:{place['line']}:{place['column']}"
        yield f"<p>{code(where)}: {escaped(place['code'])} is left as it was: {prose(place['evidence'])}</p>"
    for note in (*told.verification["notes"], *(f"skipped: {why}" for why in told.verification["skipped"])):
        yield f'<p class="quiet">{prose(note)}</p>'


def _cell(one: Mapping[str, Any]) -> str:
    if one.get("skipped"):
        return f'<span class="quiet" title="{escaped(one["reason"])}">skipped</span>'
    return verdict(one["status"], one["reason"])


def evidence(told: Told) -> Iterator[str]:
    """What was seen, symbol by symbol; what is not proved is unfolded."""
    labels = _Labels(told)
    for symbol in (told.verification or {"symbols": ()})["symbols"]:
        is_open = "" if symbol["status"] in PROVED else " open"
        yield f"<details{is_open}><summary>{verdict(symbol['status'])} {code(symbol['symbol'])} <span class=\"quiet\">"
        yield f"{escaped(symbol['path'])}</span></summary>"
        yield from (f"<p>{prose(problem)}</p>" for problem in symbol["problems"])
        if symbol["reason"]:
            yield f"<p>{prose(symbol['reason'])}</p>"
        if symbol["hint"]:
            yield f"<pre>{escaped(symbol['hint'])}</pre>"
        for case in symbol["cases"]:
            name, origin = escaped(case["name"] or "unnamed"), escaped(case["origin"])
            yield f'<h3>case {name} <span class="quiet">{origin}</span></h3>'
            yield '<ul class="plain">'
            yield from _told_together(case["verdicts"], labels)
            yield "</ul>"
        yield "</details>"


def _told_together(verdicts: Sequence[Mapping[str, Any]], labels: _Labels) -> Iterator[str]:
    groups: dict[object, list[Mapping[str, Any]]] = defaultdict(list)
    for number, one in enumerate(verdicts):
        alone = number if one["differences"] else None
        groups[(one["status"], one["reason"], tuple(one["evidence"]), alone)].append(one)
    for alike in groups.values():
        first = alike[0]
        modes = "; ".join(labels.of(one) for one in alike)
        yield f"<li>{verdict(first['status'])} <b>{escaped(modes)}</b>: {prose(first['reason'])}"
        yield from (f"<br>{prose(line)}" for line in first["evidence"] if line != first["reason"])
        for item in first["differences"][:_SHOWN]:
            place = ": ".join(part for part in (item["stage"], item["message"]) if part)
            yield f"<br>{prose(place)}"
        if first["status"] not in PROVED:
            yield f"<pre>{escaped(first['again'])}</pre>"
        yield "</li>"


def plotted(told: Told) -> Iterator[str]:
    """Errors, and what both versions take."""
    found = list(_verdicts_of(told))
    if not found:
        return
    labels, errors = _Labels(told), Counter[str]()
    for _, _, one in found:
        errors.update(one["errors"])
    yield '<div class="plots">'
    if errors:
        many = sum(errors.values())
        yield _figure("Errors", f"{many} compared arrays", plots.histogram(errors), key=False)
    quantities: Sequence[tuple[str, str, str, Callable[[Sequence[Pair]], str]]] = (
        ("step_seconds", "Seconds of a step", "one step of gradient descent, all traced", _times),
        ("call_seconds", "Seconds of a call", "one call, all traced", _times),
        ("traces", "Traces", "how often it was traced for its calls", plots.counts),
        ("nodes", "Size of the graph", "operations, those of branches and loops included", _sizes),
        ("trace_seconds", "Seconds of tracing", "all traces for its calls", _times),
    )
    for name, title, text, plot in quantities:
        pairs = [Pair(_name(s, labels.of(one)), *_both(one, name)) for s, _, one in found]
        pairs = [pair for pair in pairs if pair.before or pair.after]
        if pairs:
            yield _figure(title, text, plot(pairs))
    yield "</div>"
    yield (
        '<p class="quiet">Measured once, beside other runs, with draws of random numbers pinned: shows what changes'
        " tenfold, not what changes by a tenth. Where the original does not run in a mode, there is no before.</p>"
    )
    yield "<details><summary>All numbers</summary>" + _numbers(found) + "</details>"


def _times(pairs: Sequence[Pair]) -> str:
    return plots.magnitudes(pairs, True)


def _sizes(pairs: Sequence[Pair]) -> str:
    return plots.magnitudes(pairs, False)


def _figure(title: str, text: str, plot: str, key: bool = True) -> str:
    shown = f"<figcaption>{escaped(title)}<small>{escaped(text)}</small></figcaption>"
    return f"<figure>{shown}{_KEY if key else ''}{plot}</figure>"


def _name(symbol: Mapping[str, Any], run: str) -> str:
    return f"{symbol['symbol'].rpartition(':')[2]} ({run})"


def _both(one: Mapping[str, Any], name: str) -> tuple[float | None, float | None]:
    before, after = one["costs"]["before"], one["costs"]["after"]
    return (None if before is None else before[name]), (None if after is None else after[name])


def _numbers(found: Sequence[tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]]]) -> str:
    rows = []
    for symbol, case, one in found:
        row = [code(symbol["symbol"]), escaped(case["name"] or "unnamed"), escaped(label(one))]
        for name in ("step_seconds", "call_seconds", "traces", "nodes", "trace_seconds"):
            told = plots.seconds if name.endswith("seconds") else "{:,.0f}".format
            values = ["-" if value is None else told(value) if value else "0" for value in _both(one, name)]
            row.append(escaped(" → ".join(values)))
        rows.append(row)
    head = ["Model or function", "Case", "Run", "Step", "Call", "Traces", "Operations", "Tracing"]
    return table(head, rows, numbers=5)
