"""The page as a whole, and its sections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tfmigrate import __version__
from tfmigrate.report.entries import FAILED, Change, Told
from tfmigrate.report.html.markup import code, escaped, prose, section, verdict
from tfmigrate.report.html.sidebyside import files
from tfmigrate.report.html.verdicts import evidence, matrix, plotted
from tfmigrate.report.text import summary
from tfmigrate.results import Finding, Patch, Skipped

_ICON = "data:,"
"""Without one of its own, a browser asks the server for an icon."""


def document(told: Told) -> bytes:
    """The whole page."""
    sections = {
        "verdicts": section("verdicts", "Verdicts", matrix(told)),
        "evidence": section("evidence", "Evidence", evidence(told)),
        "changes": section("changes", "Changes", files(_changes(told))),
        "plots": section("plots", "Before and after", plotted(told)),
        "left": section("left", "Left alone", _refusals(told)),
        "problems": section("problems", "Not processed", _problems(told)),
    }
    names = ("Verdicts", "Evidence", "Changes", "Plots", "Left alone", "Not processed")
    links = "".join(
        f'<a href="#{key}">{name}</a>' for key, name in zip(sections, names, strict=True) if sections[key]
    )
    style = Path(__file__).with_name("style.css").read_text("utf-8")
    title = f"tfmigrate {told.command}"
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="{_ICON}">
<style>
{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p class="quiet">{escaped(_headline(told))}</p>
{_tiles(told)}
<nav aria-label="Sections">{links}</nav>
</header>
<main>
{chr(10).join(text for text in sections.values() if text)}
</main>
<footer><p class="quiet">tfmigrate {escaped(__version__)}, exit code {int(told.exit_code)}</p></footer>
</body>
</html>
"""
    return page.encode("utf-8", "replace")


def _headline(told: Told) -> str:
    parts = [summary(told.command, told.report.counts)] if told.report.run.checked else []
    if told.verification is None:
        return ". ".join([*parts, "Nothing was run: every rewrite is unproved"]) + "."
    found = told.verification
    many = len(found["symbols"])
    what = f"{many} models and functions" if many != 1 else "1 model or function"
    parts.append(f"{what} verified with Keras {found['keras']} in {found['seconds']:.0f} s")
    return ". ".join(parts) + "."


def _tiles(told: Told) -> str:
    counts = told.report.counts
    tiles: list[tuple[int, str]] = []
    if told.report.run.checked:
        done = "rewritten" if told.command == "apply" else "can be rewritten"
        tiles = [(counts.places, f"places {done}"), (counts.refused, "places left alone")]
        tiles += [
            (n, what)
            for n, what in ((counts.baselined, "in the baseline"), (counts.failed, "files failed"))
            if n
        ]
    items = [f"<li><b>{number}</b>{escaped(what)}</li>" for number, what in tiles]
    for status, number in (told.verification or {"counts": {}})["counts"].items():
        if number or status in ("FIXED", "SAME", "DIFFERENT"):
            items.append(f"<li><b>{number}</b>{verdict(status)}</li>")
    return f'<ul class="tiles">{"".join(items)}</ul>'


def _changes(told: Told) -> list[Change]:
    patches = told.report.run.patches
    return [Change(patch.source.path, patch.source.text, patch.after) for patch in patches] or list(
        told.changes
    )


def _refusals(told: Told) -> Iterator[str]:
    groups: dict[tuple[str, str], list[tuple[str, Finding]]] = defaultdict(list)
    known = {(c.name, reason): text for c in told.report.run.codemods for reason, text in c.refusals.items()}
    for outcome in told.report.run.outcomes:
        if isinstance(outcome.result, Patch):
            for finding in outcome.result.findings:
                if finding.refused is not None:
                    group = (finding.codemod, finding.refused.reason)
                    groups[group].append((outcome.result.source.path, finding))
    for (codemod, reason), found in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        text = known.get((codemod, reason), "")
        head = f'<span class="count">{len(found)}</span>{code(reason)} {prose(text)}'
        yield f'<details><summary>{head} <span class="quiet">{escaped(codemod)}</span></summary><ul class="plain">'
        for path, finding in found:
            refused = finding.refused
            assert refused is not None
            where = f"{path}:{finding.site.line}:{finding.site.column}"
            yield f"<li>{code(where)} {escaped(finding.site.code)} {prose(finding.site.message)}"
            yield f'<br><span class="quiet">{prose(refused.why)}</span>'
            if refused.hint:
                yield f'<br><span class="quiet">To change: {prose(refused.hint)}</span>'
            yield "</li>"
        yield "</ul></details>"


def _problems(told: Told) -> Iterator[str]:
    failed = [entry for entry in told.entries if entry.code == FAILED]
    skipped = [o.result for o in told.report.run.outcomes if isinstance(o.result, Skipped)]
    if failed or skipped:
        yield '<ul class="plain">'
        for entry in failed:
            yield f"<li>{code(f'{entry.place.path}:{entry.place.line}:{entry.place.column}')} {prose(entry.text)}</li>"
        yield from (f"<li>{code(result.path)} {prose(result.reason)}</li>" for result in skipped)
        yield "</ul>"
