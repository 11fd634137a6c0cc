"""The sections about a verification: the matrix, the evidence and the plots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tfmigrate.report.entries import PROVED, Told, label
from tfmigrate.report.html import plots
from tfmigrate.report.html.markup import code, dotted, escaped, prose, table, verdict
from tfmigrate.report.html.plots import Pair
from tfmigrate.report.matrix import Labels, rows, verdicts_of

_SHOWN = 5
"""Differences that are told of the first verdict of a case that has some."""
_KEY = '<p class="key"><span><i></i>before</span><span><i class="after"></i>after</span></p>'


def matrix(told: Told) -> Iterator[str]:
    """A row for each model, case and place, a column for each mode."""
    if told.verification is None:
        return
    labels = Labels(told)
    lines = []
    for row in rows(told, labels):
        words = ", ".join(filter(None, (row.case or "no case", row.place)))
        head = f'{dotted(row.symbol)}<br><span class="quiet">{escaped(words)}</span>'
        cells = [_cell(row.cells.get(mode)) for mode in labels.modes]
        lines.append([head, *(cells if row.cells else [verdict(row.status), *[""] * (len(cells) - 1)])])
    if lines:
        yield table(["Model and case", *(labels.modes or ["verdict"])], lines)
    if labels.common:
        yield f'<p class="quiet">All runs: {escaped(labels.common)}.</p>'
    for place in told.verification["taken_out"]:
        where = f"{place['path']}:{place['line']}:{place['column']}"
        yield f"<p>{code(where)}: {escaped(place['code'])} is left as it was: {prose(place['evidence'])}</p>"
    for note in (*told.verification["notes"], *(f"skipped: {why}" for why in told.verification["skipped"])):
        yield f'<p class="quiet">{prose(note)}</p>'


def _cell(one: Mapping[str, Any] | None) -> str:
    if one is None:
        return '<span class="quiet">-</span>'
    if one.get("skipped"):
        return f'<span class="quiet" title="{escaped(one["reason"])}">skipped</span>'
    return verdict(one["status"], one["reason"])


def evidence(told: Told) -> Iterator[str]:
    """What was seen, symbol by symbol; what is not proved is unfolded."""
    labels = Labels(told)
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


def _told_together(verdicts: Sequence[Mapping[str, Any]], labels: Labels) -> Iterator[str]:
    groups: dict[object, list[Mapping[str, Any]]] = defaultdict(list)
    for number, one in enumerate(verdicts):
        alone = number if one["differences"] else None
        groups[(one["status"], one["reason"], tuple(one["evidence"]), alone)].append(one)
    were_shown = False
    for alike in groups.values():
        first, is_skipped = alike[0], bool(alike[0].get("skipped"))
        modes = "; ".join(labels.of(one) for one in alike)
        yield f"<li>{_cell(first)} <b>{escaped(modes)}</b>: {prose(first['reason'])}"
        yield from (f"<br>{prose(line)}" for line in first["evidence"] if line != first["reason"])
        for item in first["differences"][: 0 if were_shown else _SHOWN]:
            place = ": ".join(part for part in (item["stage"], item["message"]) if part)
            yield f"<br>{prose(place)}"
        were_shown = were_shown or bool(first["differences"])
        if first["status"] not in PROVED and not is_skipped:
            yield f"<pre>{escaped(first['again'])}</pre>"
        yield "</li>"


def plotted(told: Told) -> Iterator[str]:
    """Errors, and what both versions take."""
    found = list(verdicts_of(told))
    if not found:
        return
    labels, errors = Labels(told), Counter[str]()
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
        '<p class="quiet">Measured once, beside other runs, with draws of random numbers pinned: on a busy machine, times of'
        " milliseconds can be ten times too long. Where the original does not run in a mode, there is no before.</p>"
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
    lines = []
    for symbol, case, one in found:
        row = [code(symbol["symbol"]), escaped(case["name"] or "unnamed"), escaped(label(one))]
        for name in ("step_seconds", "call_seconds", "traces", "nodes", "trace_seconds"):
            told = plots.seconds if name.endswith("seconds") else "{:,.0f}".format
            values = ["-" if value is None else told(value) if value else "0" for value in _both(one, name)]
            row.append(escaped(" → ".join(values)))
        lines.append(row)
    head = ["Model or function", "Case", "Run", "Step", "Call", "Traces", "Operations", "Tracing"]
    return table(head, lines, numbers=5)
