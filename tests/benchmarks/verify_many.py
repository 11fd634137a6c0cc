"""Memory and pace of one long verification: many models, one process that they are all forked from.

    python tests/benchmarks/verify_many.py [--models N] [--modes eager,graph,xla] [--jobs N]

Not a test: it prints. The models are of ten kinds (``verify_speed.py``), each under as many names as it takes.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from verify_speed import MODELS, write_models


def resident(pid: int) -> float:
    """MiB of memory that a process has."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def write_many(folder: Path, count: int) -> None:
    """``count`` models below ``folder/before``, in copies of the package."""
    for number in range(-(-count // len(MODELS))):
        part = folder / "before" / f"part{number}"
        write_models(part, min(len(MODELS), count - number * len(MODELS)))
        (part / "zoo").rename(part / f"zoo{number}")
        cases = part / "tfmigrate_cases.py"
        cases.write_text(cases.read_text().replace('"zoo.', f'"zoo{number}.'), encoding="utf-8")


def main() -> None:
    from tfmigrate.config import Config
    from tfmigrate.pipeline import migrate_paths
    from tfmigrate.runs import migrate_file
    from tfmigrate.verify.engines import Matrix, engines
    from tfmigrate.verify.model import Mode, Settings
    from tfmigrate.verify.session import Request, verify_patches

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--models", type=int, default=1000, metavar="N")
    parser.add_argument("--modes", default="eager")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    options = parser.parse_args()
    modes = tuple(mode for mode in Mode if mode.value in options.modes.split(","))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_many(folder, options.models)
        run = migrate_paths([folder / "before"], Config(root=folder, jobs=1))
        plan, files = run.plan, {patch.source.path: file for file, patch in run.patched}
        assert plan is not None
        settings = Settings("3", modes)
        with engines(settings, Matrix(devices=("CPU",))) as found:
            zygote: Any = found.running[0][0]
            started = time.perf_counter()
            print(f"{'models':>8}{'tfmigrate MiB':>15}{'TensorFlow MiB':>16}{'models/min':>12}")

            def progress(done: int, total: int, _: object) -> None:
                if done % max(1, total // 10) == 0:
                    pace = 60 * done / (time.perf_counter() - started)
                    own, theirs = resident(os.getpid()), resident(zygote.pid)
                    print(f"{done:8}{own:15.1f}{theirs:16.1f}{pace:12.0f}", flush=True)

            def remigrate(patch: Any, left_out: Any) -> Any:
                return migrate_file(files[patch.source.path], patch.source, plan, left_out).result

            request = Request(settings, jobs=options.jobs)
            done = verify_patches(
                run.patches, plan.index, plan.codemods, remigrate, request, progress, found.running
            )
        print({status.value: count for status, count in done.report.counts.items() if count})


if __name__ == "__main__":
    main()
