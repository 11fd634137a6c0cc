"""`--report`: the page, in a real browser, in both colour schemes and on a phone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from browser import Page, browser, executable

from tfmigrate.codemod import Safety, Site
from tfmigrate.exits import Exit
from tfmigrate.registry import codemods
from tfmigrate.report.entries import Change, Told
from tfmigrate.report.html import plots
from tfmigrate.report.html.page import document
from tfmigrate.report.outcome import Report as RunReport
from tfmigrate.results import Finding, Patch, Refused, Skipped, Unparsable
from tfmigrate.runs import Outcome, Run
from tfmigrate.source import SourceFile
from tfmigrate.verify.compare import Comparison, Status
from tfmigrate.verify.model import Case, Mode
from tfmigrate.verify.observe import Costs
from tfmigrate.verify.recipes import GuessRecipe
from tfmigrate.verify.report import CaseReport, Report, SymbolReport, TakenOut, as_json
from tfmigrate.verify.verdict import Verdict, VerdictStatus

TOP = Path(__file__).parent.parent.parent
EVIL = "</style></code><script>document.title='run'</script><img src='https://example.org/x.png'>\x00\x1b"
LONG = "a_very_long_name_that_no_browser_may_break" * 4
SCHEMES = ("light", "dark")
MODES = (Mode.EAGER, Mode.GRAPH, Mode.XLA)


def verdicts_of(number: int) -> tuple[Verdict, ...]:
    """One of each status; what was measured differs by number and mode."""
    found = []
    for place, (mode, status) in enumerate(zip(MODES * 2, VerdictStatus, strict=False)):
        compared = tuple(
            Comparison(
                *(
                    "call 1",
                    "output 0",
                    Status.EQUAL if needed < 1 else Status.DIFFERENT,
                    "tolerance",
                    EVIL,
                    1,
                    12,
                ),
                needed=needed,
            )
            for needed in (0.0, 0.02, 0.4, *([30.0] if status is VerdictStatus.DIFFERENT else []))
        )
        costs = Costs(3, 10 * 4**place, 0.02 * (number + 1), 0.0004, 0.003)
        device = "CPU" if place < len(MODES) else "GPU"
        found.append(
            Verdict(
                *(status, mode, device, f"because of `x` {EVIL}", "", compared, ("the proof", LONG)),
                costs_before=costs if place % 2 else None,
                costs_after=Costs(9, 8000, 2.5, 0.02, 0.00005),
            )
        )
    why = "it has no weights to train"
    skipped = Verdict(VerdictStatus.INCONCLUSIVE, Mode.FIT, "CPU", why, skipped=True)
    return (*found, skipped)


def told(symbols: int) -> Told:
    """A page with all that can be on one, some of it hostile or too wide."""
    reports = [
        SymbolReport(
            f"shop.models.deep:{LONG if number == 1 else f'Net{number}'}",
            "shop/models/deep.py",
            (
                CaseReport(
                    Case("shop:Net", "small", "cases.py:3", number % 2 == 0, GuessRecipe()),
                    verdicts_of(number),
                    1.0,
                ),
            ),
        )
        for number in range(symbols)
    ]
    reports.append(SymbolReport("shop:Base", "shop/base.py", reason="no inputs", hint=f"write\n  {LONG}"))
    taken = (TakenOut("shop/net.py", 3, 4, "TFM101", EVIL),)
    report = Report(tuple(reports), "3", ("tfmigrate", "verify", LONG), taken, ("new.py is new",), 12.0)
    before = "".join(f"line_{n} = {n}\n" for n in range(30)) + f"x = {LONG}(1)\n"
    after = before.replace("line_9 = 9\n", "").replace("line_20 = 20", "line_20 = 21\nline_21_more = '<b>'")
    site = Site(4, 2, "TFM101", 4, 9, "`Dense` is made", "Net.call", "Net")
    refused = [
        Finding("layers_to_init", site, Safety.MANUAL, Refused(reason, f"why {EVIL}", f"hint {LONG}"))
        for reason in ("depends-on-call-argument", "depends-on-call-argument", "in-a-loop")
    ]
    source = SourceFile("shop/net.py", before.encode(), before, "utf-8", False)
    patch = Patch(source, after, (Finding("layers_to_init", site, Safety.SAFE), *refused))
    outcomes = (
        Outcome(Path("shop/net.py"), patch, baselined=frozenset({("TFM101", 1, 1)})),
        Outcome(Path("shop/book.ipynb"), Skipped("shop/book.ipynb", "unsupported: a notebook")),
        Outcome(Path("shop/broken.py"), Unparsable("shop/broken.py", 2, 5, f"invalid {EVIL}")),
    )
    return Told(RunReport("diff", Run(outcomes, codemods(), 9), {}), Exit.FAILED, as_json(report))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = executable()
    if found is None:
        if os.environ.get("TFMIGRATE_BROWSER"):
            pytest.fail(f"TFMIGRATE_BROWSER is {os.environ['TFMIGRATE_BROWSER']!r}: there is no such browser")
        pytest.skip("no browser: put chromium or google-chrome on PATH (Debian: apt-get install chromium)")
    with browser(found, tmp_path_factory.mktemp("browser") / "profile") as opened:
        yield opened


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_bytes(document(told(5)))
    return path


WIDE = """(() => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  const most = document.documentElement.clientWidth;
  const wide = [...document.body.querySelectorAll("*")].filter(e => !e.closest(".scroll table, svg")
    && e.getBoundingClientRect().right > most + 0.5).map(e => e.outerHTML.slice(0, 120));
  return {scroll: document.documentElement.scrollWidth, most, wide};
})()"""

FAINT = """(() => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  const numbers = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = rgb => rgb.slice(0, 3).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const rgba = numbers(getComputedStyle(e).backgroundColor);
      if (rgba.length === 3 || rgba[3] === 1) return rgba;
    }
    return [255, 255, 255];
  };
  const faint = [];
  let seen = 0;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || e.localName === "title" || !e.getClientRects().length) continue;
    const style = getComputedStyle(e);
    const one = light(numbers(e.namespaceURI.endsWith("svg") ? style.fill : style.color)), other = light(behind(e));
    const contrast = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
    seen += 1;
    if (contrast < 4.5) faint.push([contrast, texts.currentNode.data.trim().slice(0, 40), e.className]);
  }
  return {seen, faint, page: light(behind(document.body))};
})()"""


@pytest.mark.parametrize("width", [320, 390, 760, 1280])
def test_the_page_is_never_wider_than_the_window(page: Page, file: Path, width: int) -> None:
    page.open(file, width, 844, "light")
    found = page.evaluate(WIDE)
    assert found["wide"] == []
    assert found["scroll"] == found["most"] > width - 20


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_text_can_be_read_in_both_colour_schemes(page: Page, file: Path, scheme: str) -> None:
    page.open(file, 1280, 900, scheme)
    found = page.evaluate(FAINT)
    assert found["faint"] == []
    assert found["seen"] > 500
    assert (found["page"] > 0.9) is (scheme == "light") and (found["page"] < 0.1) is (scheme == "dark")


def test_nothing_is_loaded_run_or_complained_about(page: Page, file: Path) -> None:
    page.open(file, 1280, 900, "dark")
    assert page.evaluate("document.title") == "tfmigrate diff"
    assert page.evaluate("document.querySelectorAll('script, img, iframe, link:not([rel=icon])').length") == 0
    assert page.requests == [file.as_uri()]
    assert page.complaints == []
    assert "\\x1b" in page.evaluate("document.body.textContent")


def test_versions_stand_side_by_side_and_on_a_phone_one_below_the_other(page: Page, file: Path) -> None:
    two = "[...document.querySelectorAll('.gone, .come')].slice(0, 2)"
    where = f"{two}.map(e => [e.getBoundingClientRect().left > 300, e.className])"
    tops = f"new Set({two}.map(e => e.getBoundingClientRect().top)).size"
    page.open(file, 1280, 900, "light")
    assert page.evaluate(where) == [[False, "gone"], [True, "come"]] and page.evaluate(tops) == 1
    page.open(file, 390, 844, "light")
    assert page.evaluate(where) == [[False, "gone"], [False, "come"]] and page.evaluate(tops) == 2
    assert page.evaluate("getComputedStyle(document.querySelector('.kept')).display") == "none"
    marked = page.evaluate("[...document.querySelectorAll('mark')].map(e => e.textContent)")
    assert marked[:2] == ["20", "21"]


def test_the_page_holds_verdicts_plots_and_refusals(page: Page, file: Path, tmp_path: Path) -> None:
    page.open(file, 390, 844, "dark")
    rows = page.evaluate(
        "[...document.querySelector('#verdicts').parentElement.querySelectorAll('tr')].map(r => r.innerText.split('\\t'))"
    )
    assert rows[0] == ["Model and case", "eager", "graph", "xla", "fit"]
    assert len(rows) == 1 + 5 * 2 + 1  # Two devices, and a model without a case.
    words = {word for row in rows[1:] for cell in row[1:] for word in cell.split()}
    assert words >= {status.value for status in VerdictStatus} | {"skipped"}
    captions = page.evaluate("[...document.querySelectorAll('figcaption')].map(e => e.firstChild.data)")
    assert captions == [
        *("Errors", "Seconds of a step", "Seconds of a call"),
        *("Traces", "Size of the graph", "Seconds of tracing"),
    ]
    assert page.evaluate(
        "[...document.querySelectorAll('svg')].every(e => e.getBoundingClientRect().height > 60)"
    )
    outside = """[...document.querySelectorAll('svg')].flatMap(svg => {
      const box = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('circle, rect, text')].filter(e => {
        const part = e.getBoundingClientRect();
        return part.left < box.left - 1 || part.right > box.right + 1
          || part.top < box.top - 1 || part.bottom > box.bottom + 1;
      }).map(e => e.outerHTML);
    })"""
    assert page.evaluate(outside) == []
    assert page.evaluate("document.querySelectorAll('circle.before').length") < page.evaluate(
        "document.querySelectorAll('circle.after').length"
    )
    groups = page.evaluate(
        "[...document.querySelector('#left').parentElement.querySelectorAll('summary')].map(e => e.innerText)"
    )
    assert [text.split()[:2] for text in groups] == [["2", "depends-on-call-argument"], ["1", "in-a-loop"]]
    page.screenshot(tmp_path / "phone.png")
    assert (tmp_path / "phone.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_large_report_is_a_page_that_a_browser_shows(page: Page, tmp_path: Path) -> None:
    big = tmp_path / "big.html"
    big.write_bytes(document(told(300)))
    assert big.stat().st_size < 5_000_000
    page.open(big, 390, 844, "light")
    assert (
        page.evaluate("document.body.textContent").count("with the largest change; all are in the table") == 5
    )
    assert page.evaluate("document.querySelectorAll('figure').length") == 6


# -- without a browser ---------------------------------------------------------------------------------------


class Counter(HTMLParser):
    """Which elements there are, and whether they are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)
        if tag not in ("meta", "link", "br", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_elements_are_closed_in_order_and_nothing_comes_from_outside() -> None:
    text = document(told(3)).decode()
    counter = Counter()
    counter.feed(text)
    assert counter.open == []
    assert {"script", "img", "iframe", "object"} & set(counter.seen) == set()
    assert "url(" not in text and "@import" not in text


def test_a_comparison_of_versions_shows_what_differs() -> None:
    changes = (
        Change("a.py", "x = 1\n", "x = 2\n"),
        Change("new.py", None, "y = 1\n"),
        Change("old.py", "z\n", None),
    )
    empty = Told(RunReport("verify", Run((), codemods(), 0), {}), Exit.DONE, None, changes)
    text = document(empty).decode()
    assert "a.py</code></summary>" in text and "(new)" in text and "(removed)" in text
    assert "Nothing was run: every rewrite is unproved." in text


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (2.0, "2 s"),
        (0.0123, "12.3 ms"),
        (0.00099996, "1 ms"),
        (4.2e-5, "42 µs"),
        (3e-8, "30 ns"),
        (120.0, "120 s"),
    ],
)
def test_seconds_have_units(value: float, told: str) -> None:
    assert plots.seconds(value) == told


@pytest.mark.tf
def test_report_of_real_runs(tmp_path: Path, page: Page) -> None:
    shutil.copytree(TOP / "testdata" / "quickstart", tmp_path / "code")
    command = ["diff", "--verify", "code/shop/blocks.py", "--report", "report.html", "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-m", "tfmigrate", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)["verification"]
    page.open(tmp_path / "report.html", 390, 844, "dark")
    assert page.evaluate(WIDE)["wide"] == [] and page.evaluate(FAINT)["faint"] == []
    assert page.requests == [(tmp_path / "report.html").as_uri()] and page.complaints == []
    rows = page.evaluate(
        "[...document.querySelectorAll('#verdicts ~ .scroll tbody tr')].map(r => r.innerText.split('\\t'))"
    )
    assert {row[0].split("\n")[0]: row[1:] for row in rows} == {
        symbol["symbol"]: [v["status"] for v in symbol["cases"][0]["verdicts"]] for symbol in found["symbols"]
    }
    assert page.evaluate("document.querySelectorAll('circle.before, circle.after').length") > 10
