"""A project of thirty models goes through record, diff, apply, commit and CI's verify, as a stranger's would.

``testdata/thirty`` has a package ``lantern``, written as such code is: layers made in calls, Python's random numbers in
graphs, lists that grow in loops, decisions by tensors; healthy models; and some that cannot be rewritten for certain.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.tf

PROJECT = Path(__file__).parent.parent / "testdata" / "thirty"
FIXED = ("FIXED", "FIXED", "FIXED")
FIXED_IN_GRAPHS = ("SAME", "FIXED", "FIXED")
NOT_IN_XLA = ("SAME", "FIXED", "INCONCLUSIVE")
"""XLA compiles no loop whose number of turns it cannot know where gradients flow through it, and no growing array."""

VERDICTS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "lantern.blocks:Affine": (("TFM103", "TFM103"), "fixed"),
    "lantern.blocks:ConvBlock": (("TFM101", "TFM101"), "fixed"),
    "lantern.blocks:EarlyScale": (("TFM108",), "same"),
    "lantern.blocks:LazyHead": (("TFM104",), "fixed"),
    "lantern.blocks:SqueezeExcite": (("TFM101", "TFM101"), "fixed"),
    "lantern.blocks:Tower": (("TFM101",), "fixed"),
    "lantern.blocks:Whitening": (("TFM106", "TFM106"), "fixed"),
    "lantern.control:Bucket": (("TFM401", "TFM401"), "graphs"),
    "lantern.control:ClipNorm": (("TFM401",), "graphs"),
    "lantern.control:EarlyExit": (("TFM401",), "graphs"),
    "lantern.control:HalveUntil": (("TFM402",), "no xla"),
    "lantern.control:SafeLog": (("TFM404",), "graphs"),
    "lantern.sequences:Cell": (("TFM301",), "graphs"),
    "lantern.sequences:LeakyIntegrator": (("TFM301",), "graphs"),
    "lantern.sequences:halvings": (("TFM301",), "no xla"),
    "lantern.text:AttentionPool": (("TFM101",), "fixed"),
    "lantern.text:BagOfWords": (("TFM101",), "fixed"),
    "lantern.text:Frozen": (("TFM107",), "graphs"),
    "lantern.text:WordDropout": (("TFM201",), "graphs"),
    "lantern.training:StochasticDepth": (("TFM203",), "graphs"),
    "lantern.training:error_of": (("TFM105",), "graphs"),
    "lantern.training:jitter": (("TFM202",), "graphs"),
    "lantern.training:update_weights": (("TFM105",), "fixed"),
}
"""What is rewritten and differs, and what comes out."""
MODES = {"fixed": FIXED, "graphs": FIXED_IN_GRAPHS, "no xla": NOT_IN_XLA, "same": ("SAME", "SAME", "SAME")}
REFUSED = {
    "lantern.blocks:Elastic": "depends-on-call-argument",
    "lantern.blocks:EarlyScale": "initial-value",
    "lantern.control:LoggedClip": "python-side-effect",
    "lantern.sequences:windows": "used-as-list",
    "lantern.training:rotate_phase": "no-equivalent",
}
CALLER = {"lantern.training:decay": ("TFM503",)}
"""Rewritten, but not run by itself: the function that calls ``decayed`` runs outside of graphs."""
HEALTHY = {"lantern.blocks:Residual", "lantern.sequences:Envelope"}
DECAYED = "lantern.training:decayed"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the project, committed."""
    folder = tmp_path_factory.mktemp("stranger") / "lantern"
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    (folder / ".gitignore").write_text("__pycache__/\n.pytest_cache/\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "as it was")
    return folder


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, input=stdin).stdout.decode()


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TFMIGRATE_CACHE_DIR": str(folder.parent / "cache"), "PYTHONHASHSEED": "0"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, env=environment, check=False
    )


def tfmigrate(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return python(folder, "-m", "tfmigrate", *arguments)


def suite(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return python(folder, "-m", "pytest", "-q", *arguments)


def owners(document: Mapping[str, Any]) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """From ``diff --format json``: codes of rewritten places, and reasons of refused ones, by symbol."""
    rewritten: dict[str, tuple[str, ...]] = {}
    refused: dict[str, str] = {}
    for file in document["files"]:
        module = file["path"].removesuffix(".py").replace("/", ".")
        for finding in file["findings"]:
            symbol = f"{module}:{finding['owner']}"
            if finding["refused"]:
                refused[symbol] = finding["refused"]["reason"]
            else:
                rewritten[symbol] = (*rewritten.get(symbol, ()), finding["code"])
    return rewritten, refused


def rewritten_table(report: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Words for eager, graph and XLA by symbol, from a verification as JSON."""
    table = {}
    for symbol in report["symbols"]:
        words: dict[str, str] = {}
        for case in symbol["cases"]:
            words |= {verdict["mode"]: verdict["status"] for verdict in case["verdicts"]}
        table[symbol["symbol"]] = tuple(words.get(mode, "-") for mode in ("eager", "graph", "xla"))
    return table


def test_as_a_stranger_would(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # What the project's own tests do with the models is recorded; they pass as ever.
    done = tfmigrate(project, "record", "-m", "pytest", "-q")
    assert done.returncode == 0 and "passed, 1 xfailed" in done.stdout, done.stdout + done.stderr
    assert "tfmigrate: recorded 23 classes, 9 tf.functions and " in done.stderr

    # The dry run says what becomes of each of the thirty, and git takes its diff.
    recording = ("--recording", "tfmigrate-recording.json")
    shown = tfmigrate(project, "diff", ".", *recording)
    assert shown.returncode == 1
    git(project, "apply", "--check", "-", stdin=shown.stdout.encode())
    told = tfmigrate(project, "diff", ".", *recording, "--format", "json")
    rewritten, refused = owners(json.loads(told.stdout))
    assert rewritten == {**{name: codes for name, (codes, _) in VERDICTS.items()}, **CALLER}
    assert refused == REFUSED
    assert len({*rewritten, *refused, *HEALTHY, DECAYED} - CALLER.keys()) == 30

    # Applied, its own tests still pass, and now the lazy head does, too.
    assert tfmigrate(project, "apply", ".", *recording, "-q").returncode == 0
    assert git(project, "diff") != "" and git(project, "status", "--porcelain", "--", ".tfmigrate") == ""
    done = suite(project)
    assert done.returncode == 0 and "passed, 1 xpassed" in done.stdout, done.stdout
    git(project, "add", "-A")
    git(project, "commit", "-qm", "rewritten by tfmigrate")

    # In CI: nothing differs, and all that was rewritten is proved.
    done = tfmigrate(project, "verify", "--base", "HEAD~1", "--format", "json")
    report = json.loads(done.stdout)["verification"]
    table = rewritten_table(report)
    with capsys.disabled():
        print(
            "", *(f"{name:36}{'  '.join(word.ljust(12) for word in table[name])}" for name in table), sep="\n"
        )
    assert table == {name: MODES[kind] for name, (_, kind) in VERDICTS.items()}
    assert report["notes"] == [f"no layer, model or traced function, so not run: {next(iter(CALLER))}"]
    assert done.returncode == 0, done.stderr

    # The same in the suite that CI runs anyway: here of what each codemod rewrote, one model, as a graph.
    some = ("Tower", "Bucket", "halvings", "WordDropout", "update_weights")
    done = suite(
        project,
        "--tfmigrate",
        "--tfmigrate-modes",
        "graph",
        "-m",
        "tfmigrate",
        "-k",
        " or ".join(some),
        "-v",
    )
    assert done.returncode == 0 and f"{len(some)} passed" in done.stdout, done.stdout
    assert "tfmigrate: 23 models and traced functions differ from the last apply, 5 items" in done.stdout

    # A slip in a migrated model: CI fails on that model and on no other.
    file = project / "lantern" / "control.py"
    file.write_text(file.read_text().replace("lambda: steps + 1.0", "lambda: steps + 1.5"))
    done = tfmigrate(project, "verify", "--only", "lantern.control", "--modes", "eager", "--format", "json")
    report = json.loads(done.stdout)["verification"]
    assert done.returncode == 1
    assert {s["symbol"] for s in report["symbols"] if s["status"] == "DIFFERENT"} == {
        "lantern.control:Bucket"
    }
    assert report["notes"][:1] == ["lantern/control.py was edited since the apply: that is compared, too"]

    # And all of it can be taken back.
    git(project, "checkout", "lantern/control.py")
    assert tfmigrate(project, "undo", "-q").returncode == 0
    assert git(project, "diff", "HEAD~1", "--", "lantern") == ""
