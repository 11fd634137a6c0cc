"""Verdicts in the formats that other programs read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import junitparser
import pytest
from schemas import check_ours, check_sarif

from tfmigrate.commands.output import rendered
from tfmigrate.commands.request import Format
from tfmigrate.exits import Exit
from tfmigrate.registry import codemods
from tfmigrate.report.entries import Told
from tfmigrate.report.github import step_summary
from tfmigrate.report.outcome import Report as RunReport
from tfmigrate.runs import Run
from tfmigrate.verify.compare import Comparison, Status
from tfmigrate.verify.model import Case, Mode
from tfmigrate.verify.recipes import GuessRecipe
from tfmigrate.verify.report import CaseReport, Report, SymbolReport, TakenOut, as_json
from tfmigrate.verify.verdict import Verdict, VerdictStatus

SAME, FIXED, DIFFERENT, INERT, INCONCLUSIVE = VerdictStatus
MODEL = '''import tensorflow as tf


class Base(tf.keras.Model):
    """Lines 4 and 8 begin the classes."""


class Net(Base):
    class Inner:
        pass
'''


def reported(name: str, *words: tuple[Mode, VerdictStatus]) -> SymbolReport:
    case = Case(f"model:{name}", "small", "tfmigrate_cases.py:4", False, GuessRecipe())
    comparison = Comparison(
        "call 2", "output 0", Status.DIFFERENT, "values", "6 of 12 | <b> differ", 6, 12, 0.5, float("inf")
    )
    verdicts = tuple(
        Verdict(
            status,
            mode,
            "CPU",
            f"100% {status.value},\x1b\n",
            comparisons=(comparison,),
            evidence=("the proof",),
        )
        for mode, status in words
    )
    return SymbolReport(f"model:{name}", "model.py", (CaseReport(case, verdicts, 1.5),))


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    """Every status; one symbol without a case; one place taken out."""
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    report = Report(
        (
            reported("Base", (Mode.EAGER, SAME), (Mode.GRAPH, FIXED), (Mode.XLA, INCONCLUSIVE)),
            reported("Net", (Mode.EAGER, DIFFERENT), (Mode.GRAPH, INERT)),
            SymbolReport(
                "model:Net.Inner", "model.py", reason="no inputs can be guessed", hint="write\n  this"
            ),
        ),
        "3",
        ("tfmigrate", "verify", "."),
        taken_out=(TakenOut("model.py", 4, 1, "TFM101", "eager: differs"),),
    )
    run = Run((), codemods(), 0)
    return Told(RunReport("verify", run, {}), report.exit, as_json(report))


def document(told: Told, format: Format) -> Any:
    return json.loads(rendered(told, format))


def test_json(told: Told) -> None:
    check_ours(document(told, Format.JSON))


def test_sarif_has_what_is_wrong_as_results_and_what_is_proved_as_notifications(told: Told) -> None:
    found = document(told, Format.SARIF)
    check_sarif(found)
    (run,) = found["runs"]
    results = [
        (
            result["ruleId"],
            result["level"],
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
            result["locations"][0].get("logicalLocations", [{"fullyQualifiedName": ""}])[0][
                "fullyQualifiedName"
            ],
        )
        for result in run["results"]
    ]
    assert results == [
        ("TFM101", "error", 4, ""),
        ("verified-inconclusive", "note", 4, "model:Base"),
        ("verified-different", "error", 8, "model:Net"),
        ("verified-inert", "warning", 8, "model:Net"),
        ("verified-inconclusive", "warning", 9, "model:Net.Inner"),
    ]
    assert len({result["partialFingerprints"]["tfmigrate/v1"] for result in run["results"]}) == 5
    notifications = run["invocations"][0]["toolExecutionNotifications"]
    assert [n["descriptor"]["id"] for n in notifications] == ["verified-same", "verified-fixed"]
    assert run["invocations"][0]["exitCode"] == Exit.DIFFERENCE
    assert "again: tfmigrate verify . --only model:Net" in run["results"][2]["message"]["text"]


def test_junit_has_a_case_for_each_verdict(told: Told, tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_bytes(rendered(told, Format.JUNIT))
    report = junitparser.JUnitXml.fromfile(str(tmp_path / "report.xml"))
    found = {
        suite.name: [(case.name, [type(result).__name__ for result in case.result]) for case in suite]
        for suite in report
    }
    assert found == {
        "model.py": [("TFM101 4:1", ["Failure"])],
        "model:Base": [
            ("small (eager, CPU)", []),
            ("small (graph, CPU)", []),
            ("small (xla, CPU)", ["Skipped"]),
        ],
        "model:Net": [("small (eager, CPU)", ["Failure"]), ("small (graph, CPU)", ["Error"])],
        "model:Net.Inner": [("no case", ["Error"])],
    }
    assert (report.tests, report.failures, report.errors, report.skipped) == (7, 2, 2, 1)
    failure = next(case for suite in report if suite.name == "model:Net" for case in suite).result[0]
    assert failure.message.startswith("DIFFERENT: 100% DIFFERENT,\\x1b")
    assert "call 2: output 0: 6 of 12 | <b> differ" in failure.text
    assert next(suite.time for suite in report if suite.name == "model:Net") == 1.5


def test_github(told: Told) -> None:
    lines = rendered(told, Format.GITHUB).decode().splitlines()
    assert [line.split(" ")[0] for line in lines] == [
        *["::error"] * 2,
        "::warning",
        "::notice",
        "tfmigrate:",
    ]
    assert "::model:Net is DIFFERENT (case small, eager, CPU): 100%25 DIFFERENT,\x1b%0A%0Aagain: " in lines[1]
    assert lines[1].startswith(
        "::error file=model.py,line=8,endLine=8,col=1,endColumn=2,title=verified-different::"
    )
    assert lines[1].endswith(" --keras 3%0A1 more of its runs are not proved")
    assert lines[-1] == "tfmigrate: verified with Keras 3: 1 FIXED, 1 DIFFERENT, 1 INCONCLUSIVE"


def test_the_step_summary_has_the_matrix(told: Told) -> None:
    lines = step_summary(told).splitlines()
    assert "| model | case | eager | graph | xla |" in lines
    assert "All runs: CPU." in lines
    assert "| `model:Base` | small | ✅ SAME | 🔧 FIXED | ❔ INCONCLUSIVE |" in lines
    assert "| `model:Net` | small | ❌ DIFFERENT | 💤 INERT | - |" in lines
    assert "| `model:Net.Inner` | none | ❔ INCONCLUSIVE |  |  |" in lines
    widths = {line.count("|") - line.count("\\|") for line in lines if line.startswith("| `")}
    assert widths == {6}


def test_gitlab(told: Told) -> None:
    issues = document(told, Format.GITLAB)
    assert [
        (issue["check_name"], issue["severity"], issue["location"]["lines"]["begin"]) for issue in issues
    ] == [
        ("TFM101", "critical", 4),
        ("verified-inconclusive", "info", 4),
        ("verified-different", "critical", 8),
        ("verified-inert", "minor", 8),
        ("verified-inconclusive", "minor", 9),
    ]
    assert len({issue["fingerprint"] for issue in issues}) == 5


def test_paths_that_no_uri_can_hold_as_they_are(told: Told, tmp_path: Path) -> None:
    name = os.fsdecode(b"a\xff b.py")
    (tmp_path / name).write_text(MODEL)
    report = Report((SymbolReport("a:Net", name), SymbolReport("b:Net", str(tmp_path / name))), "3")
    odd = Told(told.report, report.exit, as_json(report))
    found = document(odd, Format.SARIF)
    check_sarif(found)
    places = [r["locations"][0]["physicalLocation"]["artifactLocation"] for r in found["runs"][0]["results"]]
    assert {place["uri"].rpartition("/")[2] for place in places} == {"a%FF%20b.py"}
    assert {place.get("uriBaseId") for place in places} == {"%SRCROOT%", None}
    rendered(odd, Format.JUNIT)
    rendered(odd, Format.GITHUB)
