"""What a dry run costs, beside ``ast.parse`` of the same files and LibCST's own runner with an empty codemod.

    python tests/benchmarks/dry_run.py PATH...

Not a test: it prints, and judges nothing. Each figure comes from a child process of its own: CPU seconds are those of the
child and of its workers, user and system together; the peak is the resident memory of the largest single process. Ratios
hold on other machines, seconds do not. ``--libcst N`` sets how many files LibCST's runner gets (0: none), since it takes
some eighty times as long as ``ast.parse``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

REPEATS = 3
STARTS = 9

READ = """
import sys
from pathlib import Path
from tfmigrate.discovery import Excludes, discover
from tfmigrate.source import SourceFile, read_source
roots = [Path(name) for name in sys.argv[1:]]
files = discover(roots, Excludes()).files
"""
PARSE = READ + """
import ast, warnings
warnings.simplefilter("ignore")
for file in files:
    source = read_source(file)
    if isinstance(source, SourceFile):
        try:
            ast.parse(source.text)
        except (SyntaxError, ValueError, RecursionError):
            pass
"""
LIST = READ + "print(*files, sep=chr(10))"
INDEX = READ + """
from tfmigrate.project.index import build_index
cache = Path(sys.argv.pop(1))
roots = [Path(name) for name in sys.argv[1:]]
files = discover(roots, Excludes()).files
sources = (s for s in map(read_source, files) if isinstance(s, SourceFile))
build_index(sources, roots, cache)
"""
EMPTY = """
from libcst.codemod import VisitorBasedCodemodCommand
class Empty(VisitorBasedCodemodCommand):
    DESCRIPTION = "nothing"
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """One child process: CPU seconds, wall seconds, peak memory in MB, exit status."""

    cpu: float
    wall: float
    peak: float
    status: int


def run(command: Sequence[str], folder: Path | None = None) -> Cost:
    """Run to the end, without its output."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    peak = usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    return Cost(usage.ru_utime + usage.ru_stime, wall, peak, process.returncode)


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def best(command: Sequence[str], folder: Path | None = None, repeats: int = REPEATS) -> Cost:
    """The run with the least CPU time."""
    return min((run(command, folder) for _ in range(repeats)), key=lambda cost: cost.cpu)


def row(name: str, cost: Cost, files: int, base: Cost) -> None:
    rate = files / cost.cpu if cost.cpu else 0
    note = "" if cost.status in (0, 1) else f"  exit status {cost.status}"
    print(
        f"{name:<44}{cost.cpu:9.2f}{cost.cpu / base.cpu:9.2f}{rate:10.0f}{cost.peak:9.0f}{note}", flush=True
    )


def measure(paths: list[str], jobs: int, folder: Path) -> list[str]:
    """Parsing, the index, and the whole dry run. Returns the files."""
    listed = subprocess.run(python(LIST, *paths), capture_output=True, text=True, check=True).stdout
    files = listed.split("\n")[:-1]
    size = sum(os.path.getsize(file) for file in files)
    print(f"{len(files)} files, {size / 1e6:.1f} MB, Python {sys.version.split()[0]}\n")
    print(f"{'':<44}{'CPU s':>9}{'/ parse':>9}{'files/s':>10}{'MB peak':>9}")
    base = best(python(PARSE, *paths))
    row("ast.parse of all files", base, len(files), base)
    cache = str(folder / "index")
    row("index, first time", run(python(INDEX, cache, *paths)), len(files), base)
    row("index, cached", best(python(INDEX, cache, *paths)), len(files), base)
    command = [sys.executable, "-m", "tfmigrate", "diff", "-j", str(jobs), *map(os.path.abspath, paths)]
    work = folder / "work"
    work.mkdir()
    row("tfmigrate diff --no-cache", best([*command, "--no-cache"], work), len(files), base)
    configured = work / "pyproject.toml"
    configured.write_text(f'[tool.tfmigrate]\ncache-dir = "{folder / "kept"}"\n', encoding="utf-8")
    command += ["--config", str(configured)]
    row("tfmigrate diff, first time", run(command, work), len(files), base)
    row("tfmigrate diff, cached", best(command, work), len(files), base)
    return files


def measure_libcst(files: list[str], count: int, folder: Path) -> None:
    """LibCST's runner on every n-th file, beside ``ast.parse`` of just these."""
    copies = folder / "libcst"
    copies.mkdir()
    for number, file in enumerate(files[:: max(1, len(files) // count)][:count]):
        shutil.copyfile(file, copies / f"file_{number}.py")
    (copies / "empty_codemod.py").write_text(EMPTY, encoding="utf-8")
    (copies / ".libcst.codemod.yaml").write_text(
        "generated_code_marker: '@generated-by-nobody'\nformatter: []\nblacklist_patterns: []\n"
        "modules: ['libcst.codemod.commands', '']\nrepo_root: '.'\n",
        encoding="utf-8",
    )
    base = best(python(PARSE, str(copies)))
    print()
    row(f"ast.parse of {count} of the files", base, count, base)
    tool = [
        sys.executable,
        "-m",
        "libcst.tool",
        "codemod",
        "-x",
        "empty_codemod.Empty",
        "--jobs",
        "1",
        "--hide-progress",
    ]
    row("LibCST's runner, empty codemod", run([*tool, "."], copies), count, base)


def measure_start() -> None:
    """``--help`` beside the import that it cannot do without."""
    print()
    commands = {
        "python -c pass": python("pass"),
        "python -c 'import typer'": python("import typer"),
        "tfmigrate --help": [sys.executable, "-m", "tfmigrate", "--help"],
    }
    walls: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(STARTS):
        for name, command in commands.items():
            walls[name].append(run(command).wall)
    for name, found in walls.items():
        print(f"{name:<44}{statistics.median(found) * 1000:7.0f} ms wall, median of {STARTS}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument(
        "--libcst", type=int, default=100, metavar="N", help="files for LibCST's runner (100)"
    )
    parser.add_argument("-j", "--jobs", type=int, default=1, help="processes of tfmigrate (1)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = measure(options.paths, options.jobs, folder)
        if options.libcst:
            measure_libcst(files, min(options.libcst, len(files)), folder)
        measure_start()


if __name__ == "__main__":
    main()
