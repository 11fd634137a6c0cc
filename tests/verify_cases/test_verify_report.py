"""The report: which word stands for a symbol, which exit code for all, and what is printed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tfmigrate.exits import Exit
from tfmigrate.verify.compare import Comparison, Status
from tfmigrate.verify.model import Case, Mode, Precision, Strategy
from tfmigrate.verify.recipes import GuessRecipe
from tfmigrate.verify.report import (
    CaseReport,
    Report,
    SymbolReport,
    TakenOut,
    as_json,
    describe,
    render,
    summary,
)
from tfmigrate.verify.verdict import Verdict, VerdictStatus

SAME, FIXED, DIFFERENT, INERT, INCONCLUSIVE = VerdictStatus
EAGER, GRAPH, XLA, FIT, EXPORT = Mode
COMPARISON = Comparison(
    "call 2",
    "output 0",
    Status.DIFFERENT,
    "values",
    "6 differ",
    6,
    12,
    0.5,
    0.25,
    (1, 2),
    "2.0",
    "2.5",
    1e-5,
    25_000.0,
)


def symbol(
    name: str, *words: tuple[Mode, VerdictStatus], guessed: bool = False, device: str = "CPU"
) -> SymbolReport:
    case = Case(f"shop.model:{name}", "small", "shop/tfmigrate_cases.py:4", guessed, GuessRecipe())
    verdicts = tuple(
        Verdict(status, mode, device, "because", comparisons=(COMPARISON,), evidence=("because", "the proof"))
        for mode, status in words
    )
    return SymbolReport(f"shop.model:{name}", "shop/model.py", (CaseReport(case, verdicts, 1.5),))


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ([(EAGER, SAME), (GRAPH, FIXED)], FIXED),
        ([(EAGER, SAME), (GRAPH, INERT)], INERT),
        ([(EAGER, FIXED), (GRAPH, INCONCLUSIVE)], INCONCLUSIVE),
        ([(EAGER, INCONCLUSIVE), (XLA, DIFFERENT)], DIFFERENT),
        ([(EAGER, SAME), (XLA, INCONCLUSIVE)], SAME),
        ([(XLA, INCONCLUSIVE)], INCONCLUSIVE),
        ([], INCONCLUSIVE),
    ],
)
def test_the_worst_verdict_is_the_symbols(
    words: list[tuple[Mode, VerdictStatus]], status: VerdictStatus
) -> None:
    assert symbol("Net", *words).status is status


@pytest.mark.parametrize(
    ("statuses", "code"),
    [
        ([], Exit.DONE),
        ([SAME, FIXED], Exit.DONE),
        ([SAME, INCONCLUSIVE], Exit.UNVERIFIED),
        ([INERT], Exit.UNVERIFIED),
        ([INCONCLUSIVE, DIFFERENT], Exit.DIFFERENCE),
    ],
)
def test_exit_codes(statuses: list[VerdictStatus], code: Exit) -> None:
    symbols = tuple(symbol(str(n), (EAGER, status)) for n, status in enumerate(statuses))
    assert Report(symbols, "3").exit is code


def test_a_place_that_was_taken_out_is_a_difference() -> None:
    taken = TakenOut("shop/model.py", 3, 5, "TFM101", "eager: differs")
    report = Report((symbol("Net", (EAGER, SAME)),), "3", taken_out=(taken,))
    assert report.exit is Exit.DIFFERENCE
    assert "shop/model.py:3:5: TFM101 is left as it was: eager: differs\n" in render(report)


def test_the_text_has_a_table_and_the_evidence() -> None:
    report = Report(
        (
            symbol("Net", (EAGER, SAME), (GRAPH, FIXED), (XLA, FIXED)),
            symbol("Odd", (EAGER, DIFFERENT), guessed=True),
            SymbolReport(
                "shop.model:Base", "shop/model.py", reason="no inputs can be guessed", hint="write\n  this"
            ),
        ),
        "2",
        ("tfmigrate", "verify", "my code"),
        notes=("shop/new.py is new",),
        seconds=12.4,
    )
    assert render(report) == """\
symbol           eager      graph  xla    case
shop.model:Net   SAME       FIXED  FIXED  small
shop.model:Odd   DIFFERENT  -      -      small (guessed)
shop.model:Base  -          -      -      none

shop.model:Net (shop/model.py): FIXED
  case small, shop/tfmigrate_cases.py:4
    eager: SAME: because
      the proof
    graph, xla: FIXED: because
      the proof

shop.model:Odd (shop/model.py): DIFFERENT
  case small, shop/tfmigrate_cases.py:4
    eager: DIFFERENT: because
      the proof
      call 2: output 0: 6 of 12 values differ; worst at [1, 2]: 2.0 became 2.5 (absolute 0.5, \
relative 0.25); rtol 0.25 would pass
      again: tfmigrate verify 'my code' --only shop.model:Odd --case small --modes eager --keras 2

shop.model:Base (shop/model.py): INCONCLUSIVE
  no inputs can be guessed
  write
    this

note: shop/new.py is new
3 symbols verified with Keras 2 in 12 s: 1 FIXED, 1 INCONCLUSIVE, 1 DIFFERENT
"""


def test_devices_have_rows_of_their_own() -> None:
    one = symbol("Net", (EAGER, SAME))
    other = symbol("Net", (EAGER, DIFFERENT), device="GPU")
    report = Report((SymbolReport(one.symbol, one.path, one.cases + other.cases),), "3")
    assert render(report).splitlines()[:3] == [
        "symbol          run with  eager      case",
        "shop.model:Net  cpu       SAME       small",
        "                gpu       DIFFERENT",
    ]
    assert "--device gpu" in render(report)


def cell(mode: Mode, status: VerdictStatus, **where: Any) -> Verdict:
    return Verdict(
        status, mode, "CPU", where.pop("reason", "because"), keras=where.pop("keras", "3"), **where
    )


def test_the_matrix_says_what_was_skipped_and_why() -> None:
    half = {"precision": Precision.MIXED_FLOAT16}
    mirrored = {"strategy": Strategy.MIRRORED}
    one = CaseReport(
        Case("shop.model:Net", "small", "here", False, GuessRecipe()),
        (
            cell(EAGER, SAME),
            cell(FIT, FIXED),
            cell(EAGER, SAME, **half),
            cell(FIT, INCONCLUSIVE, **half),
            cell(EAGER, SAME, keras="2"),
            cell(FIT, INCONCLUSIVE, keras="2", skipped=True, reason="it has no weights"),
            cell(EAGER, SAME, **mirrored),
            cell(EXPORT, INCONCLUSIVE, skipped=True, reason="what is exported is the same", **mirrored),
        ),
        1.0,
    )
    other = CaseReport(
        Case("shop.model:f", "guess", "here", True, GuessRecipe()),
        (cell(EAGER, SAME), cell(FIT, INCONCLUSIVE, skipped=True, reason="it has no weights")),
        1.0,
    )
    symbols = (
        SymbolReport("shop.model:Net", "shop/model.py", (one,)),
        SymbolReport("shop.model:f", "shop/model.py", (other,)),
    )
    report = Report(symbols, "2, 3", skipped=("gpu: TensorFlow sees none here",))
    assert render(report).partition("\n\n")[0].splitlines() == [
        "symbol          run with                    eager  fit           export  case",
        "shop.model:Net  Keras 2, float32            SAME   - [1]         -       small",
        "                Keras 3, float32            SAME   FIXED         -",
        "                Keras 3, mixed_float16      SAME   INCONCLUSIVE  -",
        "                Keras 3, float32, mirrored  SAME   -             - [2]",
        "shop.model:f    Keras 3, float32            SAME   - [1]         -       guess (guessed)",
        "[1] skipped: it has no weights",
        "[2] skipped: what is exported is the same",
        "skipped: gpu: TensorFlow sees none here",
    ]
    assert [symbol.status for symbol in report.symbols] == [FIXED, SAME]
    assert report.exit is Exit.DONE
    data = as_json(report)
    assert data["skipped"] == ["gpu: TensorFlow sees none here"]
    cells = data["symbols"][0]["cells"]
    assert [c["status"] for c in cells] == [
        "SAME",
        None,
        "SAME",
        "FIXED",
        "SAME",
        "INCONCLUSIVE",
        "SAME",
        None,
    ]
    assert cells[1] == {
        "mode": "fit",
        "keras": "2",
        "device": "CPU",
        "precision": "float32",
        "strategy": "none",
        "status": None,
        "reason": "it has no weights",
    }
    again = data["symbols"][0]["cases"][0]["verdicts"][3]["again"]
    assert again.endswith("--modes fit --keras 3 --precision mixed_float16")


def test_differences_without_values() -> None:
    gone = Comparison("step 1", "gradient of a", Status.DIFFERENT, "missing", "it does not arrive")
    assert describe(gone) == "step 1: gradient of a: it does not arrive"


def test_json_holds_all_of_it_and_finite_numbers_only() -> None:
    endless = Comparison(
        "call 1", "output 0", Status.DIFFERENT, "values", "nan", 1, 1, float("inf"), 0.0, (0,)
    )
    verdict = Verdict(DIFFERENT, EAGER, "CPU", "because", comparisons=(endless,))
    case = Case("shop.model:Sub", "guess", "guessed", True, GuessRecipe())
    report = Report(
        (SymbolReport("shop.model:Net", "shop/model.py", (CaseReport(case, (verdict,), 1.0),)),), "3"
    )
    data = json.loads(json.dumps(as_json(report), allow_nan=False))
    assert data["exit_code"] == 1
    assert data["counts"] == {"SAME": 0, "FIXED": 0, "DIFFERENT": 1, "INERT": 0, "INCONCLUSIVE": 0}
    (found,) = data["symbols"][0]["cases"]
    assert (found["symbol"], found["guessed"]) == ("shop.model:Sub", True)
    assert found["verdicts"][0]["differences"][0]["worst_absolute"] is None
    assert found["verdicts"][0]["again"].endswith(
        "--only shop.model:Net --case guess --modes eager --keras 3"
    )


def test_the_summary_of_nothing() -> None:
    assert summary(Report((), "3")) == "0 symbols verified with Keras 3 in 0 s: nothing to compare"
