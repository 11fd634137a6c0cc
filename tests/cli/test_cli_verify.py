"""`verify` and `--verify` from the command line, with real TensorFlow."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli_samples import NET, Done, Tfmigrate
from schemas import check_ours, check_sarif

SMALL = ("--modes", "eager,graph")
WITH_DEFAULT = NET.replace("def __init__(self, units):", "def __init__(self, units=4):")
SCALED = """

class Scaled(keras.layers.Layer):
    def call(self, x):
        return x * 2.0


class Shifted(keras.layers.Layer):
    def call(self, x):
        return x + 2.0
"""

LYING = '''"""For the test of what becomes of lies: 2.0 becomes 3.0 in products (a lie), 2.00 in sums (none).

https://example.org/
"""

import ast
from collections.abc import Iterator

import libcst as cst

from tfmigrate.claim import Claim
from tfmigrate.codemod import Change, Codemod, Edit, Example, Refusal, Safety
from tfmigrate.unit import Unit

codemod = Codemod(
    __name__,
    summary="lie",
    codes={"TFM999": "lie"},
    refusals={},
    safety=Safety.SAFE,
    marker=(b"2.0",),
    examples=[Example(before="x = 1", kept=True)],
    claim=Claim(),
)


@codemod.plan
def plan(unit: Unit) -> Iterator[Edit | Refusal]:
    for node in ast.walk(unit.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant) and node.right.value == 2.0:
            if not unit.is_wanted("TFM999", node):
                continue
            owner = "Scaled" if isinstance(node.op, ast.Mult) else "Shifted"
            old = unit.cst_expression(node.right)
            new = cst.Float("3.0" if owner == "Scaled" else "2.00")
            site = unit.site(node, "TFM999", "lied", f"{owner}.call", owner)
            yield Edit((Change(old, new),), (site,))
'''

WITH_LYING = """
import sys
import tfmigrate.codemods
tfmigrate.codemods.__path__.append(sys.argv[1])
from tfmigrate.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(folder), *arguments]
    subprocess.run(command, check=True, capture_output=True)


def lying(folder: Path, *arguments: str) -> Done:
    codemods = folder / "more_codemods"
    codemods.mkdir(exist_ok=True)
    (codemods / "lying.py").write_text(LYING)
    done = subprocess.run(
        [sys.executable, "-c", WITH_LYING, str(codemods), *arguments, "--no-cache"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode(), done.stdout)


@pytest.mark.tf
def test_a_rewrite_that_differs_is_not_written_and_the_rest_of_the_file_is(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(WITH_DEFAULT + SCALED)
    done = lying(tmp_path, "apply", "--verify", "net.py", *SMALL)
    text = file.read_text()
    assert "self.dense = keras.layers.Dense(self.units)" in text
    assert "x * 2.0" in text and "3.0" not in text
    assert "x + 2.00" in text
    assert done.code == 1
    assert ": TFM999 lied\n    left alone (verified-different): " in done.err
    assert "1 file checked: 1 file rewritten (2 places), 1 place refused, 0 skipped, 0 failed\n" in done.err
    assert lying(tmp_path, "diff", "net.py", "--ignore", "TFM999").code == 0


@pytest.mark.tf
def test_diff_and_verify_give_verdicts(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(WITH_DEFAULT)
    done = tfmigrate("diff", "--verify", "net.py", *SMALL, "--format", "json", "-q")
    document = json.loads(done.out)
    check_ours(document)
    assert (done.code, document["exit_code"]) == (1, 1)
    assert [file["status"] for file in document["files"]] == ["rewritten"]
    verification = document["verification"]
    assert (verification["keras"], verification["exit_code"]) == ("3", 0)
    (symbol,) = verification["symbols"]
    assert (symbol["symbol"], symbol["status"]) == ("net:Net", "FIXED")
    verdicts = [verdict for case in symbol["cases"] for verdict in case["verdicts"]]
    assert {(v["mode"], v["status"]) for v in verdicts} == {("eager", "FIXED"), ("graph", "FIXED")}
    done = tfmigrate(
        "verify", "net.py", *SMALL, "--keras", "2", "--format", "sarif", "--output-file", "x.sarif"
    )
    assert (done.code, done.out) == (0, "")
    assert "net:Net" in done.err and "1 symbol verified with Keras 2" in done.err
    log = json.loads((tmp_path / "x.sarif").read_text())
    check_sarif(log)
    notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert [note["descriptor"]["id"] for note in notes] == ["verified-fixed"] * 2
    assert (tmp_path / "net.py").read_text() == WITH_DEFAULT


@pytest.mark.tf
def test_two_versions_are_compared(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    header = "from tensorflow import keras\n"
    for name, text in (
        ("old", SCALED),
        ("new", SCALED.replace("x * 2.0", "x * 3.0").replace("x + 2.0", "2.0 + x")),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "net.py").write_text(header + text)
    done = tfmigrate("verify", "old", "new", *SMALL, "--format", "json")
    check_ours(json.loads(done.out))
    symbols = {s["symbol"]: s["status"] for s in json.loads(done.out)["verification"]["symbols"]}
    (case,) = json.loads(done.out)["verification"]["symbols"][1]["cases"]
    eager, graph = case["verdicts"]
    assert set(eager["errors"]) == {"exact"}
    for version in ("before", "after"):
        assert eager["costs"][version]["nodes"] == 0 and eager["costs"][version]["step_seconds"] > 0
        costs = graph["costs"][version]
        assert costs["traces"] == 2 and costs["nodes"] > 2
        assert 0 < costs["call_seconds"] < costs["trace_seconds"]
    assert (done.code, symbols) == (1, {"net:Scaled": "DIFFERENT", "net:Shifted": "SAME"})
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "-q")
    (work / "net.py").write_text(header + SCALED)
    git(work, "add", ".")
    git(work, "commit", "-qm", "before")
    (work / "net.py").write_text((tmp_path / "new" / "net.py").read_text())
    done = tfmigrate("verify", ".", "--base", "HEAD", "--only", "net:Shifted", *SMALL, cwd=work)
    assert done.code == 0
    assert "net:Shifted (net.py): SAME\n" in done.out and "Scaled" not in done.out


@pytest.mark.tf
def test_the_last_apply_and_a_patch_are_compared_in_the_commit_after(
    tfmigrate: Tfmigrate, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "net.py").write_text(WITH_DEFAULT)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "before")
    patch = tmp_path / "migrate.patch"
    patch.write_bytes(tfmigrate("diff", ".").raw)
    table = "net:Net  FIXED  FIXED  guess (guessed)\n"
    unapplied = tfmigrate("verify", "--patch", "migrate.patch", *SMALL)
    assert (unapplied.code, table in unapplied.out) == (0, True)
    assert (tmp_path / "net.py").read_text() == WITH_DEFAULT
    assert tfmigrate("apply", ".", "-q").code == 0
    git(tmp_path, "commit", "-qam", "rewritten")
    for arguments in ((), ("--patch", "migrate.patch"), ("--base", "HEAD~1")):
        done = tfmigrate("verify", *arguments, *SMALL)
        assert (done.code, table in done.out) == (0, True), arguments
    # What was edited since is compared, too, and said.
    text = (tmp_path / "net.py").read_text()
    (tmp_path / "net.py").write_text(text.replace("self.dense(x)", "self.dense(x) + 1.0"))
    done = tfmigrate("verify", *SMALL)
    assert done.code == 1
    assert "note: net.py was edited since the apply: that is compared, too\n" in done.out
    assert "again: tfmigrate verify --only net:Net --case guess --modes eager --keras 3\n" in done.out


def test_nothing_to_verify(tfmigrate: Tfmigrate, shop: Path) -> None:
    git(shop.parent, "init", "-q")
    git(shop.parent, "add", ".")
    git(shop.parent, "commit", "-qm", "before")
    done = tfmigrate("verify", "shop", "--base", "HEAD")
    assert done.code == 0
    assert "no layer, model or traced function differs: there was nothing to verify\n" in done.err
    done = tfmigrate("verify", "shop/loss.py")
    assert (done.code, done.out) == (0, "")
    assert (
        "nothing would be rewritten: to compare with the last apply, run `tfmigrate verify` alone; with a git"
        " revision, give --base REV\n"
    ) in done.err
    done = tfmigrate("verify")
    assert (done.code, done.out) == (2, "")
    assert f"error: {shop.parent} has no journal of an apply to compare with; give --base REV, " in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("diff", "--verify", "shop", "--modes", "grph"),
            "unknown mode 'grph' (did you mean 'graph'?); there are eager, graph, xla, fit, export",
        ),
        (
            ("diff", "--verify", "shop", "--device", "npu"),
            "unknown device 'npu' (did you mean 'gpu'?); there are cpu, gpu, all",
        ),
        (("verify", "shop", "--base", "HEAD"), "is in no git repository"),
        (("diff", "--verify", "shop", "--only", "net:Nett"), "Nett"),
        (("diff", "--verify", "shop", "--keras", "4"), "unknown Keras '4'; there are 2, 3"),
        (
            ("diff", "--verify", "shop", "--precision", "mixed_flaot16"),
            "unknown precision 'mixed_flaot16' (did you mean 'mixed_float16'?)",
        ),
        (
            ("diff", "--verify", "shop", "--strategy", "tpu"),
            "unknown strategy 'tpu'; there are none, mirrored",
        ),
        (("diff", "--verify", "shop", "--python", "no/such"), "--python: "),
    ],
)
def test_usage(tfmigrate: Tfmigrate, shop: Path, arguments: tuple[str, ...], message: str) -> None:
    done = tfmigrate(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_without_tensorflow_nothing_is_written_and_the_message_says_what_to_do(
    tfmigrate: Tfmigrate, shop: Path, tmp_path: Path
) -> None:
    hidden = tmp_path.parent / f"{tmp_path.name}-hidden" / "tensorflow"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'tensorflow'\", name='tensorflow')\n"
    )
    done = tfmigrate("apply", "--verify", "shop", env={"PYTHONPATH": str(hidden.parent)})
    assert (done.code, done.out) == (4, "")
    assert done.err.startswith("error: nothing was verified, shown or written: ")
    assert "tfmigrate[verify]" in done.err and "Traceback" not in done.err
    assert (shop / "net.py").read_text() == NET


def test_draws_are_proved_with_the_same_numbers(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    """A draw of TensorFlow's is proved against Python's, and what came out is said at once."""
    head = "import random\n\nimport tensorflow as tf\n\n\n@tf.function\ndef draw(x: tf.Tensor):\n"
    (tmp_path / "drawn.py").write_text(head + "    return x * random.uniform(0.5, 1.5)\n")
    (tmp_path / "tfmigrate_cases.py").write_text(
        "import tensorflow as tf\n\nfrom tfmigrate import case\n\n\n"
        "@case('drawn:draw')\ndef draw(module):\n    return module.draw, [tf.ones((n, 3)) for n in (2, 3, 2)]\n"
    )
    done = tfmigrate("apply", "--verify", "drawn.py", *SMALL)
    assert done.err.startswith("verified 1 of 1: drawn:draw FIXED\n")
    assert "drawn:draw  SAME   FIXED  draw\n" in done.err and "the same numbers in both versions" in done.err
    assert "tf.random.uniform" in (tmp_path / "drawn.py").read_text()
    assert done.code == 0
