"""`--format` and `--output-file`, each document read by what reads it elsewhere."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import junitparser
import pytest
from cli_samples import NET, Tfmigrate
from schemas import OURS, check_ours, check_sarif

TWO = NET.replace("\n\nclass", "\n\n# 🙂\nclass").replace(
    "        return keras.layers.Dense(self.units)(x)\n",
    '        x, s = keras.layers.Dense(self.units)(x), "🙂"; x = keras.layers.Dense(4)(x)\n        return x\n',
)


def sarif(tfmigrate: Tfmigrate, *arguments: str, **options: Any) -> Any:
    done = tfmigrate(*arguments, "--format", "sarif", **options)
    document = json.loads(done.out)
    check_sarif(document)
    (run,) = document["runs"]
    return run


def rewritten_by(fix: Any, folder: Path) -> dict[str, str]:
    """What a program makes of a fix that knows SARIF and not tfmigrate (3.57.4: regions of the original)."""
    files = {}
    for change in fix["artifactChanges"]:
        path = unquote(change["artifactLocation"]["uri"])
        text = (folder / path).read_bytes().decode()
        starts = [0]
        for line in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for replacement in reversed(change["replacements"]):
            region = replacement["deletedRegion"]
            start = starts[region["startLine"] - 1] + region["startColumn"] - 1
            end = starts[region["endLine"] - 1] + region["endColumn"] - 1
            text = text[:start] + replacement["insertedContent"]["text"] + text[end:]
        files[path] = text
    return files


def test_sarif_has_findings_with_fixes(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop / "two nets.py").write_bytes(TWO.rstrip("\n").replace("\n", "\r\n").encode())
    (shop / "broken.py").write_text("import tensorflow\nx = = 1\n")
    run = sarif(tfmigrate, "diff", "shop")
    places = [
        (
            unquote(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]),
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
            result["level"],
        )
        for result in run["results"]
    ]
    assert places == [
        ("shop/net.py", 11, "warning"),
        ("shop/sized.py", 9, "note"),
        ("shop/two nets.py", 12, "warning"),
        ("shop/two nets.py", 12, "warning"),
    ]
    assert all(run["tool"]["driver"]["rules"][r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"])
    marks = [result["partialFingerprints"]["tfmigrate/v1"] for result in run["results"]]
    # The same statement in the same function twice, and the two nets.
    assert len(set(marks)) == 4
    fixes = {
        path: fix
        for r in run["results"]
        for fix in r.get("fixes", ())
        for path in rewritten_by(fix, shop.parent)
    }
    assert set(fixes) == {"shop/net.py", "shop/two nets.py"}
    expected = {path: rewritten_by(fix, shop.parent)[path] for path, fix in fixes.items()}
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    assert run["invocations"][0]["executionSuccessful"] is False
    assert tfmigrate("apply", "shop").code == 3
    assert {path: (shop.parent / path).read_bytes().decode() for path in expected} == expected


def test_sarif_after_apply_has_what_is_left(tfmigrate: Tfmigrate, shop: Path) -> None:
    run = sarif(tfmigrate, "apply", "shop")
    assert [result["level"] for result in run["results"]] == ["note"]
    assert "left alone (depends-on-call-argument)" in run["results"][0]["message"]["text"]
    assert run["invocations"][0]["exitCode"] == 0


def test_columns_count_characters_and_standard_input_has_a_name(tfmigrate: Tfmigrate) -> None:
    run = sarif(tfmigrate, "diff", "-", "--stdin-filename", "shop/ä b.py", stdin=TWO.encode())
    second = run["results"][1]["locations"][0]["physicalLocation"]
    assert second["artifactLocation"] == {"uri": "shop/%C3%A4%20b.py", "uriBaseId": "%SRCROOT%"}
    line = TWO.splitlines()[second["region"]["startLine"] - 1]
    assert line[second["region"]["startColumn"] - 1 :].startswith("keras.layers.Dense(4)")


def test_junit_has_a_case_for_each_place(tfmigrate: Tfmigrate, shop: Path, tmp_path: Path) -> None:
    (shop / "bell.py").write_bytes(b"import tensorflow\nx = '\x07' = 1\n")
    (tmp_path / "report.xml").write_bytes(tfmigrate("diff", "shop", "--format", "junit").raw)
    report = junitparser.JUnitXml.fromfile(str(tmp_path / "report.xml"))
    assert (report.tests, report.failures, report.errors, report.skipped) == (3, 1, 1, 1)
    found = {suite.name: [(case.name, type(case.result[0]).__name__) for case in suite] for suite in report}
    assert found == {
        "shop/bell.py": [("not-processed 2:5", "Error")],
        "shop/net.py": [("TFM101 11:16 Net.call", "Failure")],
        "shop/sized.py": [("TFM101 9:16 Sized.call", "Skipped")],
    }
    (tmp_path / "report.xml").write_bytes(tfmigrate("apply", "shop/net.py", "--format", "junit").raw)
    report = junitparser.JUnitXml.fromfile(str(tmp_path / "report.xml"))
    assert [(case.name, case.result) for suite in report for case in suite] == [("TFM101 11:16 Net.call", [])]
    (tmp_path / "report.xml").write_bytes(tfmigrate("diff", "shop/loss.py", "--format", "junit").raw)
    report = junitparser.JUnitXml.fromfile(str(tmp_path / "report.xml"))
    (name,) = (case.name for suite in report for case in suite)
    assert (
        name == "1 file checked: 0 files would be rewritten (0 places), 0 places refused, 0 skipped, 0 failed"
    )


def test_github_shows_ten_annotations_the_worst_first_and_says_how_many_are_missing(
    tfmigrate: Tfmigrate, shop: Path, tmp_path: Path
) -> None:
    for number in range(12):
        (shop / f"net{number:02}.py").write_text(NET)
    (shop / "broken,50%: x.py").write_text("import tensorflow\nx = = 1\n")
    summary = tmp_path / "summary.md"
    summary.write_text("what another step wrote\n")
    done = tfmigrate("diff", "shop", "--format", "github", env={"GITHUB_STEP_SUMMARY": str(summary)})
    lines = done.out.splitlines()
    assert len(lines) == 11
    assert lines[0] == (
        "::error file=shop/broken%2C50%25%3A x.py,line=2,endLine=2,col=5,endColumn=6,title=not-processed"
        "::invalid syntax"
    )
    assert all(line.startswith("::warning file=shop/net") for line in lines[1:10])
    assert lines[10].startswith("tfmigrate: 17 files checked: 13 files would be rewritten (13 places), ")
    assert lines[10].endswith("; 10 of 15 annotated, 5 more are not shown here")
    text = summary.read_text()
    assert text.startswith("what another step wrote\n### tfmigrate diff\n")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "shop/" in line]
    assert len(rows) == 15 and all(row.count("|") - row.count("\\|") == 5 for row in rows)
    assert "<br>left alone (depends-on-call-argument): " in text


def test_github_escapes_the_newlines_of_messages(tfmigrate: Tfmigrate, shop: Path) -> None:
    lines = tfmigrate("diff", "shop/sized.py", "--format", "github").out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("::notice file=shop/sized.py,line=9,")
    assert "%0Aleft alone (depends-on-call-argument): " in lines[0]


def test_gitlab_tells_equal_findings_of_two_files_apart(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop / "copy.py").write_text(NET)
    issues = json.loads(tfmigrate("diff", "shop", "--format", "gitlab").out)
    assert [(issue["location"]["path"], issue["severity"]) for issue in issues] == [
        ("shop/copy.py", "minor"),
        ("shop/net.py", "minor"),
        ("shop/sized.py", "info"),
    ]
    assert len({issue["fingerprint"] for issue in issues}) == 3
    assert {type(issue["location"]["lines"]["begin"]) for issue in issues} == {int}
    assert all(issue["description"] and issue["check_name"] == "TFM101" for issue in issues)


def test_json_is_as_its_schema_says(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop / "broken.py").write_text("import tensorflow\nx = = 1\n")
    (shop / "book.ipynb").write_text("{}")
    (shop / "net.py").write_text(NET.replace("(x)\n", "(x)  # tfmigrate: skip[TFM103]\n", 1))
    for arguments in (("diff", "shop", "shop/book.ipynb"), ("apply", "shop")):
        check_ours(json.loads(tfmigrate(*arguments, "--format", "json").out))
    check_ours(json.loads(tfmigrate("list", "--format", "json").out))
    check_ours(json.loads(tfmigrate("explain", "TFM101", "--format", "json").out))
    check_ours(json.loads(tfmigrate("verify", "shop/loss.py", "--format", "json").out))
    assert OURS.is_file()


def test_the_result_goes_into_a_file_and_people_read_on(
    tfmigrate: Tfmigrate, shop: Path, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    file = tmp_path / "out" / "report.sarif"
    file.write_text("old")
    umask = os.umask(0o027)
    try:
        done = tfmigrate("diff", "shop", "--format", "sarif", "--output-file", str(file))
    finally:
        os.umask(umask)
    assert (done.code, done.out) == (1, "")
    assert "shop/net.py:11:16: TFM101 " in done.err
    check_sarif(json.loads(file.read_text()))
    assert [path.name for path in file.parent.iterdir()] == ["report.sarif"]
    assert file.stat().st_mode & 0o777 == 0o640
    done = tfmigrate("diff", "shop", "--output-file", "out/x.patch", "--color", "always")
    assert (done.out, (tmp_path / "out" / "x.patch").read_text().splitlines()[0]) == ("", "--- a/shop/net.py")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("diff", "shop", "--output-file", "nowhere/x.json"), "error: --output-file: there is no folder "),
        (
            ("diff", "shop", "--output-file", "shop"),
            "error: --output-file: shop is a folder; name a file in it",
        ),
        (("apply", "shop", "--output-file", "x.txt"), "apply prints no result as text; add --format json"),
        (("verify", "shop", "--output-file", "nowhere/x"), "error: --output-file: there is no folder "),
        (("diff", "shop", "--report", "nowhere/x.html"), "error: --report: there is no folder "),
        (("diff", "shop", "--format", "sarf"), "'sarf' is not one of"),
        (("list", "--format", "sarif"), "'sarif' is not one of"),
    ],
)
def test_usage_of_output(tfmigrate: Tfmigrate, shop: Path, arguments: tuple[str, ...], message: str) -> None:
    done = tfmigrate(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in " ".join(done.err.split())
    assert (shop / "net.py").read_text() == NET


def test_a_result_that_cannot_be_written_is_printed(tfmigrate: Tfmigrate, shop: Path) -> None:
    """The disk fills up while a verification runs: its result must not be lost."""
    done = tfmigrate(
        "diff", "shop", "--no-cache", "--format", "json", "--output-file", "x.json", file_limit=100
    )
    assert done.code == 3
    assert "error: x.json: cannot be written: File too large\n" in done.err
    assert json.loads(done.out)["summary"]["rewritten"] == 1
    assert sorted(path.name for path in shop.parent.iterdir()) == ["shop"]
