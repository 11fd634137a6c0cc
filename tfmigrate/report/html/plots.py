"""Plots as inline SVG. Colours come from the style sheet; what colours say, shapes and words say too."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tfmigrate.report.html.markup import escaped

WIDTH = 340
"""Units of a plot: pixels on a phone."""
_LEFT, _RIGHT = 12, 14
_ROW = 34
_MOST_ROWS = 24
_MOST_TICKS = 8

Scale = Callable[[float], float]
Told = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Pair:
    """A quantity of one model in one mode, before and after; None where it is not known."""

    label: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float:
        """By how many decades it differs."""
        if not self.before or not self.after:
            return 0.0
        return abs(math.log10(self.after / self.before))


def histogram(errors: Mapping[str, int]) -> str:
    """Compared arrays by their largest error, as ``tfmigrate.verify.report`` counts them."""
    decades = [int(key) for key in errors if key != "exact"]
    low, high = min([-4, *decades]), max([0, *decades])
    columns = [
        ("exact", errors.get("exact", 0)),
        *((str(d), errors.get(str(d), 0)) for d in range(low, high + 1)),
    ]
    top = max(1, *(count for _, count in columns))
    step = (WIDTH - _LEFT - _RIGHT) / len(columns)
    height, base = 190, 150
    parts = []
    for number, (key, count) in enumerate(columns):
        x = _LEFT + number * step
        tall = (base - 24) * count / top
        is_wrong = key != "exact" and int(key) >= 0
        if count:
            kind = "bar wrong" if is_wrong else "bar"
            parts.append(
                f'<rect class="{kind}" x="{x + 3:.1f}" y="{base - max(tall, 1.5):.1f}" width="{step - 6:.1f}"'
                f' height="{max(tall, 1.5):.1f}"><title>{escaped(_bin(key))}: {count}</title></rect>'
            )
            parts.append(_text(x + step / 2, base - tall - 5, str(count), anchor="middle"))
        if len(columns) <= _MOST_TICKS or number == 0 or (number > 1 and not int(key) % 2):
            parts.append(_text(x + step / 2, base + 15, _short_bin(key), "axis", "middle"))
    parts.append(f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{base}" y2="{base}"/>')
    limit = _LEFT + (1 + (0 - low)) * step
    parts.append(f'<line class="limit" x1="{limit:.1f}" x2="{limit:.1f}" y1="12" y2="{base}"/>')
    parts.append(_text(limit - 4, 14, "allowed", "axis", "end"))
    parts.append(_text(limit + 4, 14, "differs", "axis"))
    parts.append(
        _text(WIDTH / 2, base + 34, "largest error, as a share of what is allowed", "axis", "middle")
    )
    return _svg(
        height, parts, "Histogram of errors: " + ", ".join(f"{_bin(k)}: {c}" for k, c in columns if c)
    )


def _bin(key: str) -> str:
    return "no error" if key == "exact" else f"from {_ten(int(key))} to {_ten(int(key) + 1)}"


def _short_bin(key: str) -> str:
    return "exact" if key == "exact" else f"10{_superscript(int(key))}"


def _superscript(number: int) -> str:
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _ten(power: int) -> str:
    return f"{10.0**power:g}"


def counts(pairs: Sequence[Pair]) -> str:
    """Whole numbers on a scale that begins at 0."""
    top = max([1.0, *(value for pair in pairs for value in (pair.before, pair.after) if value is not None)])
    step = _round_step(top)
    ticks = [step * number for number in range(math.ceil(top / step) + 1)]
    return _pairs(
        pairs, lambda value: value / ticks[-1], [(tick, f"{tick:g}") for tick in ticks], "{:g}".format
    )


def _round_step(top: float) -> float:
    raw = top / 4
    size = 10 ** math.floor(math.log10(raw)) if raw > 1 else 1
    return next(float(size * factor) for factor in (1, 2, 5, 10) if size * factor >= raw)


def magnitudes(pairs: Sequence[Pair], in_seconds: bool) -> str:
    """Numbers above 0 on a logarithmic scale."""
    values = [value for pair in pairs for value in (pair.before, pair.after) if value]
    low = math.floor(math.log10(min(values)))
    high = max(low + 1, math.ceil(math.log10(max(values))))
    told = seconds if in_seconds else "{:,.0f}".format
    every = 1 if high - low <= 5 else 2
    ticks = [(10.0**power, told(10.0**power)) for power in range(low, high + 1, every)]
    return _pairs(
        pairs, lambda value: (math.log10(value) - low) / (high - low) if value else 0.0, ticks, told
    )


def seconds(value: float) -> str:
    """A time with its unit: ``3.4 ms``."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if value * factor >= 0.9995:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def _pairs(pairs: Sequence[Pair], place: Scale, ticks: Sequence[tuple[float, str]], told: Told) -> str:
    """One row for each pair, those with the largest change first if there are too many."""
    shown = list(pairs)
    if len(shown) > _MOST_ROWS:
        largest = sorted(range(len(shown)), key=lambda n: -shown[n].change)[:_MOST_ROWS]
        shown = [shown[number] for number in sorted(largest)]
    height = len(shown) * _ROW + 30
    span = WIDTH - _LEFT - _RIGHT

    def at(value: float) -> float:
        return _LEFT + span * place(value)

    parts = []
    for value, name in ticks:
        x = at(value)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="6" y2="{height - 22}"/>')
        anchor, edge = ("start", 2.0) if x < 30 else ("end", WIDTH - 2.0) if x > WIDTH - 30 else ("middle", x)
        parts.append(_text(edge, height - 6, name, "axis", anchor))
    for number, pair in enumerate(shown):
        parts.extend(_row(pair, 20 + number * _ROW, at, told))
    described = "; ".join(_sentence(pair, told) for pair in shown)
    more = len(pairs) - len(shown)
    note = f'<p class="quiet">The {len(shown)} of {len(pairs)} with the largest change; all are in the table.</p>'
    return _svg(height, parts, described) + (note if more else "")


def _row(pair: Pair, y: float, at: Scale, told: Told) -> Iterator[str]:
    yield _text(_LEFT, y, _fitted(pair.label, 44 if None not in (pair.before, pair.after) else 30))
    line = y + 11
    if pair.before is None or pair.after is None:
        missing = "before" if pair.before is None else "after"
        yield _text(WIDTH - _RIGHT, y, f"does not run {missing}", "axis", "end")
    if pair.before is not None and pair.after is not None:
        yield f'<line class="way" x1="{at(pair.before):.1f}" x2="{at(pair.after):.1f}" y1="{line}" y2="{line}"/>'
    for kind, value, radius in (("before", pair.before, 5), ("after", pair.after, 3.5)):
        if value is not None:
            title = f"{escaped(pair.label)}, {kind}: {escaped(told(value))}"
            yield f'<circle class="{kind}" cx="{at(value):.1f}" cy="{line}" r="{radius}"><title>{title}</title></circle>'


def _sentence(pair: Pair, told: Told) -> str:
    words = [
        f"{kind} {told(v)}" for kind, v in (("before", pair.before), ("after", pair.after)) if v is not None
    ]
    return f"{pair.label}: {', '.join(words)}"


def _fitted(text: str, most: int) -> str:
    """``text`` cut in the middle."""
    if len(text) <= most:
        return text
    return f"{text[: most // 2 - 1]}...{text[-(most - most // 2 - 2) :]}"


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    which = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{which} text-anchor="{anchor}">{escaped(text)}</text>'


def _svg(height: float, parts: Sequence[str], described: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escaped(described)}">{"".join(parts)}</svg>'
