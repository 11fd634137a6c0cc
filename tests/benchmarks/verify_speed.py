"""Seconds for each verified model, beside the bare cost of making, calling and tracing it in forked processes.

    python tests/benchmarks/verify_speed.py [--keras 2|3] [--repeat N] [--models N]

Not a test: it prints, and judges nothing. It writes ten small models (a layer made in ``call`` in each) to a temporary
folder, rewrites them, and verifies them as ``tfmigrate apply --verify`` does: both versions, eagerly, as a graph and with
XLA. The bare runs are the same versions of the same models with the same inputs in the same three modes, each in a forked
process, too, but nothing is pinned, observed or compared. Importing TensorFlow, once for a whole run, is measured by itself
and taken off. CPU seconds are those of all processes, user and system together; figures are medians. Ratios hold on other
machines, seconds do not, and neither holds on a busy one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
VERSIONS = ("before", "after")
MODES = ("eager", "graph", "xla")

MODELS = {
    "dense": ("keras.layers.Dense(8, activation='relu')(x)", "[{n}, 4]"),
    "convolution": ("keras.layers.Conv2D(4, 3, padding='same')(x)", "[{n}, 8, 8, 3]"),
    "attention": ("keras.layers.MultiHeadAttention(2, 4)(x, x)", "[{n}, 5, 8]"),
    "recurrent": ("keras.layers.GRU(6)(x)", "[{n}, 5, 4]"),
    "dropout": ("keras.layers.Dropout(0.4)(keras.layers.Dense(8)(x), training=training)", "[{n}, 4]"),
    "batch_norm": ("keras.layers.BatchNormalization()(x, training=training)", "[{n}, 6]"),
    "layer_norm": ("keras.layers.LayerNormalization()(keras.layers.Dense(8)(x))", "[{n}, 4]"),
    "pooled": ("keras.layers.Dense(3)(keras.layers.GlobalAveragePooling1D()(x))", "[{n}, 5, 4]"),
    "separable": ("keras.layers.SeparableConv1D(4, 3, padding='same')(x)", "[{n}, 8, 3]"),
    "tower": ("keras.layers.Dense(2)(keras.layers.Dense(8)(keras.layers.Dense(8)(x)))", "[{n}, 4]"),
}
"""Name -> (what ``call`` returns, shape of the inputs for a batch of ``n``)."""
MODEL = """\
from tensorflow import keras


class Net(keras.Model):
    def call(self, x, training=False):
        return {body}
"""
CASE = """

@case("zoo.{name}:Net")
def {name}(module):
    return module.Net(), [tf.random.normal({small}), tf.random.normal({large}), tf.random.normal({small})]
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """``wall`` without the import of TensorFlow, ``cpu`` with it; ``said`` is what the child reports."""

    cpu: float
    wall: float
    said: str


def write_models(folder: Path, count: int) -> None:
    """A package ``zoo`` with a case file beside it."""
    (folder / "zoo").mkdir(parents=True)
    (folder / "zoo" / "__init__.py").touch()
    cases = "import tensorflow as tf\n\nfrom tfmigrate import case\n"
    for name, (body, shape) in list(MODELS.items())[:count]:
        (folder / "zoo" / f"{name}.py").write_text(MODEL.format(body=body), encoding="utf-8")
        cases += CASE.format(name=name, small=shape.format(n=2), large=shape.format(n=3))
    (folder / "tfmigrate_cases.py").write_text(cases, encoding="utf-8")


@contextmanager
def engines(keras: str) -> Iterator[list[Any]]:
    from tfmigrate.verify.engines import Matrix
    from tfmigrate.verify.engines import engines as started
    from tfmigrate.verify.model import Settings

    with started(Settings(keras=keras), Matrix(devices=("CPU",))) as found:
        yield found.running


def only_import(folder: Path, keras: str) -> dict[str, object]:
    with engines(keras):
        return {"wall": 0.0}


def session(folder: Path, keras: str) -> dict[str, object]:
    """Rewrite ``folder/before`` in memory and verify it."""
    from tfmigrate.config import Config
    from tfmigrate.pipeline import migrate_paths
    from tfmigrate.results import Patch
    from tfmigrate.runs import migrate_file
    from tfmigrate.verify.model import Settings
    from tfmigrate.verify.session import Request, verify_patches

    run = migrate_paths([folder / "before"], Config(root=folder, jobs=1))
    plan, files = run.plan, {patch.source.path: file for file, patch in run.patched}
    assert plan is not None

    def remigrate(patch: Patch, left_out: frozenset[tuple[str, int, int]]) -> object:
        return migrate_file(files[patch.source.path], patch.source, plan, left_out).result

    with engines(keras) as running:
        started = time.perf_counter()
        done = verify_patches(
            run.patches,
            plan.index,
            plan.codemods,
            remigrate,
            Request(Settings(keras=keras), jobs=2),
            running=running,
        )
        wall = time.perf_counter() - started
    counts = {status.value: count for status, count in done.report.counts.items() if count}
    return {"wall": wall, "said": ", ".join(f"{count} {status}" for status, count in counts.items())}


def bare(folder: Path, keras: str) -> dict[str, object]:
    """All versions and modes of a model at once, as the verifier runs them; one model after the other."""
    from bare_runs import BareRun

    os.environ["PYTHONPATH"] = str(HERE)
    names = [file.stem for file in sorted((folder / "before" / "zoo").glob("[a-z]*.py"))]
    problems: list[str] = []
    with engines(keras) as running:
        zygote, settings = running[0]
        started = time.perf_counter()
        for name in names:
            jobs = [
                BareRun(
                    str(folder / version),
                    str(folder / "before" / "tfmigrate_cases.py"),
                    f"zoo.{name}",
                    name,
                    mode,
                )
                for version in VERSIONS
                for mode in MODES
            ]
            waiting = [
                zygote.submit("bare_runs:run", job, settings.timeout_s, settings.memory_mb) for job in jobs
            ]
            for outcome in [future.result() for future in waiting]:
                problems.append(str(getattr(outcome, "value", outcome)))
        wall = time.perf_counter() - started
    after = [problem for problem in problems if problem.startswith("after") or len(problem) > 200]
    return {"wall": wall, "said": "; ".join(after) or "every rewritten model ran in all modes"}


STEPS = {"import": only_import, "bare": bare, "session": session}


def measured(step: str, folder: Path, keras: str) -> Cost:
    """One step in a process of its own, whose CPU time holds that of everything it started."""
    command = [sys.executable, __file__, "--step", step, "--folder", str(folder), "--keras", keras]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    last = process.stdout.read().strip().rpartition("\n")[2]
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{step}: exit status {process.returncode}")
    answer = json.loads(last)
    return Cost(usage.ru_utime + usage.ru_stime, answer["wall"], answer.get("said", ""))


def write_rewritten(folder: Path) -> int:
    """``folder/after``: what tfmigrate makes of ``folder/before``. How many files it rewrote."""
    from tfmigrate.config import Config
    from tfmigrate.pipeline import migrate_paths

    run = migrate_paths([folder / "before"], Config(root=folder, jobs=1))
    for file, patch in run.patched:
        (folder / "after" / file.relative_to(folder / "before")).write_text(patch.after, encoding="utf-8")
    return len(run.patched)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--keras", choices=["2", "3"], default="3")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each kind (3)")
    parser.add_argument("--models", type=int, default=len(MODELS), metavar="N", help="models (all)")
    parser.add_argument("--step", choices=list(STEPS), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        print(json.dumps(STEPS[options.step](options.folder, options.keras)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for version in VERSIONS:
            write_models(folder / version, options.models)
        count = write_rewritten(folder)
        print(
            f"{count} models, Keras {options.keras}, Python {sys.version.split()[0]}, medians of {options.repeat}"
        )
        found: dict[str, list[Cost]] = {step: [] for step in STEPS}
        for _ in range(options.repeat):
            for step in STEPS:
                found[step].append(measured(step, folder, options.keras))
        report(found, count)


def report(found: dict[str, list[Cost]], count: int) -> None:
    imported = statistics.median(cost.cpu for cost in found["import"])
    print(f"{'':<34}{'CPU s':>9}{'CPU s/model':>13}{'wall s/model':>14}{'models/min':>12}")
    print(f"{'importing TensorFlow, once':<34}{imported:9.2f}")
    cpu: dict[str, float] = {}
    wall: dict[str, float] = {}
    for step, title in (("bare", "bare: make, call, trace"), ("session", "verified")):
        cpu[step] = statistics.median(cost.cpu for cost in found[step]) - imported
        wall[step] = statistics.median(cost.wall for cost in found[step])
        print(
            f"{title:<34}{cpu[step]:9.2f}{cpu[step] / count:13.2f}{wall[step] / count:14.2f}"
            f"{60 * count / wall[step]:12.0f}"
        )
    print(
        f"{'verified / bare':<34}{'':9}{cpu['session'] / cpu['bare']:13.2f}{wall['session'] / wall['bare']:14.2f}"
    )
    for step in ("bare", "session"):
        for said in sorted({cost.said for cost in found[step]}):
            print(f"{step}: {said}")


if __name__ == "__main__":
    main()
