"""What a dry run costs, beside ``ast.parse`` of the same files and LibCST's own runner with an empty codemod.

    python tests/benchmarks/dry_run.py PATH... [--repeat N] [--libcst N] [-j N]

Not a test: it prints, and judges nothing. Each figure comes from a child process of its own: CPU seconds are those of the
child and of its workers, user and system together; the peak is the resident memory of the largest single process. All
kinds of runs take turns, and figures and ratios are medians over the rounds. Ratios hold on other machines, seconds do
not, and neither holds on a busy one. LibCST's runner takes some eighty times as long as ``ast.parse``, so it gets every
n-th file only (``--libcst``: how many; 0: none), and its row for all files is scaled up by ``ast.parse``'s times.
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
COMPILE = """
import compileall, tfmigrate, tfmigrate.codemods
for folder in (*tfmigrate.__path__, *tfmigrate.codemods.__path__):
    compileall.compile_dir(folder, quiet=1)
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


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table: a command, and the files of the cache that it must not find (all, or some)."""

    title: str
    command: Sequence[str]
    forgets: str = ""


def measure(paths: list[str], jobs: int, repeats: int, folder: Path) -> tuple[list[str], float]:
    """Parsing, the index, and the whole dry run. Returns the files, and the seconds of ``ast.parse``."""
    listed = subprocess.run(python(LIST, *paths), capture_output=True, text=True, check=True).stdout
    files = listed.split("\n")[:-1]
    size = sum(os.path.getsize(file) for file in files)
    print(f"{len(files)} files, {size / 1e6:.1f} MB, Python {sys.version.split()[0]}, medians of {repeats}\n")
    cache, work = folder / "cache", folder / "work"
    work.mkdir()
    configured = work / "pyproject.toml"
    configured.write_text(f'[tool.tfmigrate]\ncache-dir = "{cache}"\n', encoding="utf-8")
    index = python(INDEX, str(cache), *paths)
    diff = [sys.executable, "-m", "tfmigrate", "diff", "-j", str(jobs), *paths]
    diff += ["--config", str(configured)]
    kinds = [
        Kind("ast.parse of all files", python(PARSE, *paths)),
        Kind("index, first time", index, forgets="*"),
        Kind("index, cached", index),
        Kind("tfmigrate diff, first time", diff, forgets="*"),
        Kind("tfmigrate diff, nothing changed since", diff),
        Kind("tfmigrate diff, something changed since", diff, forgets="runs-*"),
    ]
    costs: dict[str, list[Cost]] = {kind.title: [] for kind in kinds}
    for _ in range(repeats):
        for kind in kinds:
            for file in cache.glob(kind.forgets) if kind.forgets else ():
                file.unlink()
            costs[kind.title].append(run(kind.command, work))
    base = costs[kinds[0].title]
    header()
    for title, found in costs.items():
        row(title, found, base, len(files))
    return files, statistics.median(cost.cpu for cost in base)


def header() -> None:
    print(f"{'':<44}{'CPU s':>9}{'/ parse':>9}{'files/s':>10}{'MB peak':>9}")


def row(title: str, costs: Sequence[Cost], base: Sequence[Cost], files: int) -> None:
    cpu = statistics.median(cost.cpu for cost in costs)
    ratio = statistics.median(cost.cpu / one.cpu for cost, one in zip(costs, base, strict=True))
    peak = statistics.median(cost.peak for cost in costs)
    wrong = sorted({cost.status for cost in costs} - {0, 1})
    note = f"  exit status {', '.join(map(str, wrong))}" if wrong else ""
    print(f"{title:<44}{cpu:9.2f}{ratio:9.2f}{files / cpu:10.0f}{peak:9.0f}{note}", flush=True)


def measure_libcst(files: list[str], parse_s: float, count: int, folder: Path) -> None:
    """LibCST's runner on every n-th file, beside ``ast.parse`` of just these; ``parse_s`` is that of all files."""
    copies = folder / "libcst"
    copies.mkdir()
    sample = files[:: max(1, len(files) // count)][:count]
    for number, file in enumerate(sample):
        shutil.copyfile(file, copies / f"file_{number}.py")
    (copies / "empty_codemod.py").write_text(EMPTY, encoding="utf-8")
    (copies / ".libcst.codemod.yaml").write_text(
        "generated_code_marker: '@generated-by-nobody'\nformatter: []\nblacklist_patterns: []\n"
        "modules: ['libcst.codemod.commands', '']\nrepo_root: '.'\n",
        encoding="utf-8",
    )
    base = [run(python(PARSE, str(copies))) for _ in range(3)]
    runner = [sys.executable, "-m", "libcst.tool", "codemod", "-x", "empty_codemod.Empty"]
    cost = run([*runner, "--jobs", "1", "--hide-progress", "."], copies)
    print()
    header()
    row(f"ast.parse of {len(sample)} of the files", base, base, len(sample))
    row("LibCST's runner, empty codemod, on these", [cost] * len(base), base, len(sample))
    ratio = cost.cpu / statistics.median(one.cpu for one in base)
    print(f"LibCST's runner on all {len(files)} files, scaled: {ratio * parse_s:.0f} CPU s")


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
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="rounds (3)")
    parser.add_argument(
        "--libcst", type=int, default=100, metavar="N", help="files for LibCST's runner (100)"
    )
    parser.add_argument("-j", "--jobs", type=int, default=1, help="processes of tfmigrate (1)")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # An installed tfmigrate is compiled.
    subprocess.run(python(COMPILE), check=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [os.path.abspath(path) for path in options.paths]
        files, parse_s = measure(paths, options.jobs, options.repeat, folder)
        if options.libcst:
            measure_libcst(files, parse_s, min(options.libcst, len(files)), folder)
        measure_start()


if __name__ == "__main__":
    main()
