"""``--format junit``: JUnit XML as Jenkins, GitLab and others read it.

Of a verification, a suite for each symbol with a case for each verdict: DIFFERENT is a failure, what keeps ``verify``
from proving the symbol an error, any other verdict that proves nothing is skipped. Of ``diff`` and ``apply``, a suite
for each file with a case for each place: one that would be rewritten is a failure, one that was rewritten passes, one
that is left alone is skipped with the reason, and a file that could not be processed is an error.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tfmigrate.report.entries import FAILED, PROVED, Entry, Level, Told, label
from tfmigrate.report.text import summary
from tfmigrate.results import Patch

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""XML 1.0 has no way to write these."""


def document(told: Told) -> bytes:
    """The whole report."""
    root = ElementTree.Element("testsuites", name="tfmigrate")
    suites = [*_of_files(told), *_of_symbols(told)]
    if not suites:
        suites = [_suite("tfmigrate", [_case("tfmigrate", summary(told.command, told.report.counts))])]
    root.extend(suites)
    for kind in ("tests", "failures", "errors", "skipped"):
        root.set(kind, str(sum(int(suite.get(kind, "0")) for suite in suites)))
    ElementTree.indent(root)
    data: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return data + b"\n"


def _of_files(told: Told) -> Iterator[ElementTree.Element]:
    by_path: dict[str, list[ElementTree.Element]] = {}
    if told.command == "apply":
        for outcome in told.report.run.outcomes:
            if isinstance(outcome.result, Patch) and not told.report.failure(outcome):
                path = outcome.result.source.path
                for finding in outcome.result.findings:
                    if finding.refused is None:
                        site = finding.site
                        name = f"{site.code} {site.line}:{site.column} {site.symbol}".rstrip()
                        by_path.setdefault(path, []).append(_case(path, name))
    symbols = {id(entry) for entry, _ in told.verdicts}
    for entry in told.entries:
        if id(entry) not in symbols:
            by_path.setdefault(entry.place.path, []).append(_entry(entry))
    return (_suite(path, cases) for path, cases in sorted(by_path.items()))


def _entry(entry: Entry) -> ElementTree.Element:
    place = entry.place
    case = _case(place.path, f"{entry.code} {place.line}:{place.column} {entry.symbol}".rstrip())
    kind = "skipped" if entry.level is Level.NOTE else "error" if entry.code == FAILED else "failure"
    where = f"{place.path}:{place.line}:{place.column}: {entry.code} {entry.text}"
    _outcome(case, kind, entry.message.replace("\n", ": "), entry.name or entry.code, where)
    return case


def _of_symbols(told: Told) -> Iterator[ElementTree.Element]:
    by_symbol: dict[str, list[ElementTree.Element]] = {}
    for entry, verdict in told.verdicts:
        by_symbol.setdefault(entry.symbol, []).append(_verdict(entry, verdict))
    seconds = {
        symbol["symbol"]: sum(case["seconds"] for case in symbol["cases"])
        for symbol in (told.verification or {}).get("symbols", ())
    }
    return (_suite(symbol, cases, seconds[symbol]) for symbol, cases in by_symbol.items())


def _verdict(entry: Entry, verdict: Mapping[str, Any]) -> ElementTree.Element:
    how = label(verdict)
    name = f"{verdict['case']} ({how})" if verdict["case"] else "no case"
    case = _case(entry.symbol, name)
    status = verdict["status"]
    if status not in PROVED:
        kind = {Level.ERROR: "failure", Level.WARNING: "error", Level.NOTE: "skipped"}[entry.level]
        _outcome(case, kind, f"{status}: {verdict['reason']}", status, "\n".join(_evidence(entry, verdict)))
    else:
        lines = [f"{status}: {verdict['reason']}", *verdict.get("evidence", ())]
        ElementTree.SubElement(case, "system-out").text = _legal("\n".join(dict.fromkeys(lines)))
    return case


def _evidence(entry: Entry, verdict: Mapping[str, Any]) -> Iterator[str]:
    yield entry.message
    yield from (line for line in verdict.get("evidence", ()) if line != verdict["reason"])
    for item in verdict.get("differences", ()):
        yield ": ".join(part for part in (item["stage"], item["item"], item["message"]) if part)
    if entry.hint:
        yield entry.hint


def _case(suite: str, name: str) -> ElementTree.Element:
    return ElementTree.Element("testcase", classname=_legal(suite), name=_legal(name))


def _outcome(case: ElementTree.Element, kind: str, message: str, what: str, text: str) -> None:
    found = ElementTree.SubElement(case, kind, message=_legal(message))
    if kind != "skipped":
        found.set("type", what)
    found.text = _legal(text)


def _suite(
    name: str, cases: Iterable[ElementTree.Element], seconds: float | None = None
) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=_legal(name))
    suite.extend(cases)
    suite.set("tests", str(len(suite)))
    for kind, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(kind, str(len(suite.findall(f"testcase/{tag}"))))
    if seconds is not None:
        suite.set("time", f"{seconds:.3f}")
    return suite


def _legal(text: str) -> str:
    """``text`` with what XML cannot hold written as a Python escape."""
    return _NOT_XML.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
