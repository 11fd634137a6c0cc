"""Verification from end to end: patches, bisecting, a git revision, two folders, and code that cannot be run."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from tfmigrate.claim import Claim
from tfmigrate.codemod import Change, Codemod, Edit, Example, Refusal, Safety
from tfmigrate.engine import Options, SiteKey, migrate
from tfmigrate.exits import Exit, UsageError
from tfmigrate.project.index import ProjectIndex, build_index
from tfmigrate.registry import codemods
from tfmigrate.results import FileResult, Patch
from tfmigrate.source import SourceFile, read_source
from tfmigrate.unit import Unit
from tfmigrate.verify.model import Mode, Settings
from tfmigrate.verify.report import Report, SymbolReport
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.session import Request, Verified, default_keras, verify_patches, verify_trees
from tfmigrate.verify.trees import changed_between, changed_since
from tfmigrate.verify.verdict import VerdictStatus

pytestmark = pytest.mark.tf

SAME, FIXED, DIFFERENT, INERT, INCONCLUSIVE = VerdictStatus
MODES = (Mode.EAGER, Mode.GRAPH)

# Replaces tf.identity(x) by x, which is right, and tf.square(x) by x, which is wrong.
fake = Codemod(
    "tests.drop_calls",
    summary="Drop calls.",
    codes={"TFM901": "dropped-call"},
    refusals={},
    safety=Safety.SAFE,
    marker=(b"tf.",),
    examples=[Example(before="", kept=True)],
    claim=Claim(),
)


@fake.plan
def _plan(unit: Unit) -> Iterator[Edit | Refusal]:
    for node in ast.walk(unit.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("tf.identity", "tf.square"):
            if not unit.is_wanted("TFM901", node):
                continue
            call = unit.cst(node, cst.Call)
            owner = unit.names.enclosing_class(node)
            assert owner is not None
            site = unit.site(node, "TFM901", "dropped", f"{owner.name}.call", owner.name)
            yield Edit((Change(call, call.args[0].value),), (site,))


PARTS = """\
import tensorflow as tf
from tensorflow import keras


class Half(keras.layers.Layer):
    def call(self, x):
        return tf.identity(x) / 2.0
"""
MODEL = """\
import tensorflow as tf
from tensorflow import keras

from .parts import Half


class Net(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(3)
        self.half = Half()

    def call(self, x):
        a = tf.identity(self.dense(x))
        b = tf.square(a)
        return tf.identity(b) + self.half(a)
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "shop" / "parts.py").write_text(PARTS)
    (tmp_path / "shop" / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sources(root: Path) -> list[SourceFile]:
    found = [read_source(path) for path in sorted(root.rglob("*.py"))]
    return [source for source in found if isinstance(source, SourceFile)]


def index_of(root: Path) -> ProjectIndex:
    return build_index(sources(root), [root], None)


def verify(
    zygote: Zygote,
    root: Path,
    *,
    codemod: Codemod = fake,
    only: tuple[str, ...] = (),
    timeout_s: float = 60,
) -> Verified:
    index = index_of(root)
    options = Options(frozenset(codemod.codes))

    def remigrate(patch: Patch, left_out: frozenset[SiteKey]) -> FileResult:
        return migrate(patch.source, index, [codemod], options, left_out)

    results = [migrate(source, index, [codemod], options) for source in sources(root)]
    patches = [result for result in results if isinstance(result, Patch) and result.changed]
    settings = Settings(zygote.keras, MODES, timeout_s=timeout_s)
    request = Request(settings, only, command=("tfmigrate", "verify", "shop"))
    return verify_patches(patches, index, [codemod], remigrate, request, None, [(zygote, settings)])


def by_name(report: Report) -> dict[str, SymbolReport]:
    return {symbol.symbol.partition(":")[2]: symbol for symbol in report.symbols}


def test_the_wrong_place_is_taken_out_and_the_rest_is_kept(zygote: Zygote, shop: Path) -> None:
    verified = verify(zygote, shop)
    after = {patch.source.path: patch.after for patch in verified.patches}
    assert after["shop/parts.py"] == PARTS.replace("tf.identity(x)", "x")
    assert after["shop/model.py"] == MODEL.replace("tf.identity(self.dense(x))", "self.dense(x)").replace(
        "tf.identity(b)", "b"
    )
    model = next(patch for patch in verified.patches if patch.source.path == "shop/model.py")
    assert [(f.site.line, f.refused.reason if f.refused else None) for f in model.findings] == [
        (14, None),
        (15, "verified-different"),
        (16, None),
    ]
    refused = model.findings[1].refused
    assert refused is not None and "shop.model:Net, eager: call 1:" in refused.why
    assert [(t.path, t.line, t.column, t.code) for t in verified.report.taken_out] == [
        ("shop/model.py", 15, 13, "TFM901")
    ]
    assert {name: symbol.status for name, symbol in by_name(verified.report).items()} == {
        "Half": SAME,
        "Net": SAME,
    }
    assert verified.report.exit is Exit.DIFFERENCE


def test_only_one_symbol(keras3: Zygote, shop: Path) -> None:
    report = verify(keras3, shop, only=("shop.parts",)).report
    assert list(by_name(report)) == ["Half"]
    assert report.exit is Exit.DONE
    with pytest.raises(UsageError, match=r"did you mean shop\.model:Net"):
        verify(keras3, shop, only=("shop.model:Nett",))


def test_layers_moved_to_init_are_fixed_with_a_case_file(zygote: Zygote, shop: Path) -> None:
    (shop / "shop" / "model.py").write_text(
        "from tensorflow import keras\nfrom .parts import Half\n\n\nclass Net(keras.layers.Layer):\n"
        "    def __init__(self, mode: str):\n        super().__init__()\n        self.half = Half()\n\n"
        "    def call(self, x):\n        return self.half(keras.layers.Dense(4)(x))\n"
    )
    (shop / "shop" / "tfmigrate_cases.py").write_text(
        "import tensorflow as tf\nimport tfmigrate\n\n@tfmigrate.case('Net')\ndef small(module):\n"
        "    return module.Net('a'), [tf.random.stateless_normal([n, 3], [n, 1]) for n in (2, 3, 2)]\n"
    )
    report = verify(zygote, shop, codemod=codemods()[0]).report
    (net,) = report.symbols
    assert (net.symbol, net.status) == ("shop.model:Net", FIXED)
    assert [(c.case.name, c.case.guessed, c.case.origin) for c in net.cases] == [
        ("small", False, "shop/tfmigrate_cases.py:5")
    ]
    assert {v.mode: v.status for v in net.cases[0].verdicts} == {Mode.EAGER: FIXED, Mode.GRAPH: FIXED}


def test_a_base_class_is_run_through_what_inherits_from_it_or_uses_it(keras3: Zygote, shop: Path) -> None:
    (shop / "shop" / "parts.py").write_text(
        "import tensorflow as tf\nfrom tensorflow import keras\n\n\nclass Base(keras.layers.Layer):\n"
        "    def call(self, x):\n        return tf.identity(self.body(x))\n"
        "    def body(self, x):\n        raise NotImplementedError\n\n\n"
        "class Odd(keras.layers.Layer):\n    def __init__(self, mode: str):\n        super().__init__()\n"
        "    def call(self, x):\n        return tf.identity(x) * 2.0\n"
    )
    (shop / "shop" / "model.py").write_text(
        "from tensorflow import keras\nfrom . import parts\n\n\nclass Sub(parts.Base):\n"
        "    def body(self, x):\n        return x + 1.0\n\n\nclass User(keras.Model):\n"
        "    def __init__(self):\n        super().__init__()\n        self.odd = parts.Odd('a')\n"
        "    def call(self, x):\n        return self.odd(x)\n"
    )
    found = by_name(verify(keras3, shop).report)
    assert [(s.status, s.cases[0].case.symbol) for s in (found["Base"], found["Odd"])] == [
        (SAME, "shop.model:Sub"),
        (SAME, "shop.model:User"),
    ]


def test_code_without_inputs_says_what_to_write(keras3: Zygote, shop: Path) -> None:
    (shop / "shop" / "parts.py").write_text(
        PARTS.replace(
            "    def call", "    def __init__(self, mode: str):\n        super().__init__()\n\n    def call"
        )
    )
    (shop / "shop" / "model.py").write_text("")
    report = verify(keras3, shop).report
    (half,) = report.symbols
    assert (half.status, half.cases) == (INCONCLUSIVE, ())
    assert half.reason == "no value can be guessed for the constructor of Half: mode"
    assert '@tfmigrate.case("shop.parts:Half")' in half.hint
    assert report.exit is Exit.UNVERIFIED


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("import no_such_dependency", "No module named 'no_such_dependency'"),
        ("import sys; sys.exit(2)", "calls sys.exit(2)"),
        ("while True: pass", "was stopped after 3 s"),
    ],
)
def test_modules_that_cannot_be_imported(keras3: Zygote, shop: Path, line: str, reason: str) -> None:
    (shop / "shop" / "model.py").write_text("")
    (shop / "shop" / "parts.py").write_text(f"{line}\n{PARTS}")
    verified = verify(keras3, shop, timeout_s=3)
    (half,) = verified.report.symbols
    assert half.status is INCONCLUSIVE
    assert reason in half.reason
    assert (half.hint == "") == ("import" in line)
    assert verified.patches[0].changed


# -- two versions --------------------------------------------------------------------------------------------


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


def compare(zygote: Zygote, root: Path, before: str | Path) -> Report:
    changed = changed_since(before, [root]) if isinstance(before, str) else changed_between(before, root)
    settings = Settings(zygote.keras, MODES, timeout_s=60)
    request = Request(settings, command=("tfmigrate", "verify"))
    return verify_trees(changed, [root], index_of(root), codemods(), request, None, [(zygote, settings)])


def test_the_working_tree_against_a_revision(zygote: Zygote, shop: Path) -> None:
    git(shop, "init", "-q")
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "one")
    parts, model = shop / "shop" / "parts.py", shop / "shop" / "model.py"
    assert compare(zygote, shop, "HEAD").symbols == ()

    parts.write_text(PARTS.replace("tf.identity(x) / 2.0", "0.5 * x").replace("class Half", "class Third"))
    parts.write_text(parts.read_text() + "\n\nHalf = Third\n")
    model.write_text(MODEL.replace("tf.square(a)", "a * a"))
    report = compare(zygote, shop, "HEAD")
    assert {name: symbol.status for name, symbol in by_name(report).items()} == {"Net": SAME}
    assert report.notes == ("shop.parts:Third is new: there is nothing to compare it with",)

    model.write_text(MODEL.replace("tf.square(a)", "a * 2.0"))
    report = compare(zygote, shop, "HEAD")
    (net,) = report.symbols
    assert (net.status, report.exit) == (DIFFERENT, Exit.DIFFERENCE)


def test_two_folders_and_layers_moved_by_hand(keras3: Zygote, shop: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    (shop / "shop").rename(old)
    new = tmp_path / "new" / "shop"
    new.mkdir(parents=True)
    (new / "__init__.py").touch()
    lazy = "from tensorflow import keras\n\n\nclass Net(keras.layers.Layer):\n    def call(self, x):\n"
    moved = lazy.replace(
        "    def call",
        "    def __init__(self, **kwargs):\n        super().__init__(**kwargs)\n"
        "        self.d = keras.layers.Dense(4)\n\n    def call",
    )
    for folder, text in (
        (old, lazy + "        return keras.layers.Dense(4)(x)\n"),
        (new, moved + "        return self.d(x)\n"),
    ):
        (folder / "model.py").write_text(text)
        (folder / "parts.py").write_text(PARTS)
    report = compare(keras3, new, old)
    assert {name: symbol.status for name, symbol in by_name(report).items()} == {"Net": FIXED}
    assert report.exit is Exit.DONE


def test_versions_that_do_not_parse_are_noted(keras3: Zygote, shop: Path) -> None:
    git(shop, "init", "-q")
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "one")
    (shop / "shop" / "parts.py").write_text("def f(:\n")
    (shop / "shop" / "new.py").write_text(PARTS)
    report = compare(keras3, shop, "HEAD")
    assert [note.partition(":")[0] for note in report.notes] == ["shop/new.py is new", "shop/parts.py"]
    assert report.symbols == ()


def test_the_flavour_of_this_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)
    assert default_keras() == "3"
    monkeypatch.setenv("TF_USE_LEGACY_KERAS", "1")
    assert default_keras() == "2"
