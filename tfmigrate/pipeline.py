"""From paths to results: find, read and index the files, and put the engine over those that can matter.

Nothing here prints, writes source files or ends the process. Results are in the order of the paths; one bad file never
stops the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.config import Config, ConfigError
from tfmigrate.discovery import discover
from tfmigrate.engine import Options
from tfmigrate.project.disk import Disk
from tfmigrate.project_files import import_roots, neighbours
from tfmigrate.reading import Note, Reader
from tfmigrate.remembered import Memory
from tfmigrate.results import Patch
from tfmigrate.runs import Outcome, Plan, Run, migrate_file, worker_count
from tfmigrate.selection import enabled_codes, ignored_in
from tfmigrate.settling import settled
from tfmigrate.source import SourceFile, from_bytes, printed_path, text_at
from tfmigrate.workers import Progress, migrate_files

if TYPE_CHECKING:
    from tfmigrate.record.model import Recording


def migrate_paths(paths: Sequence[Path], config: Config, progress: Progress | None = None) -> Run:
    """Rewrite, in memory, the files that ``paths`` name.

    Raises:
        ConfigError: a code or name in ``config`` means nothing.
    """
    work = _Work(paths, config)
    return work.run(Reader(work.selection.markers), progress)


def dry_run(paths: Sequence[Path], config: Config, progress: Progress | None = None) -> Run:
    """As :func:`migrate_paths`; what an earlier run found in the very same files is only looked up.

    The run that comes back is for showing: it may have no plan, and nothing of it may be written into files.

    Raises:
        ConfigError: a code or name in ``config`` means nothing.
    """
    work = _Work(paths, config)
    if config.cache_dir is None:
        return work.run(Reader(work.selection.markers), progress)
    memory = Memory(config.cache_dir, paths, work.selection.options, config)
    remembered = memory.recall(work.found.files, work.beside)
    if remembered is not None:
        return Run(remembered, work.selection.codemods, len(work.found.files), work.found.missing)
    reader = Reader(work.selection.markers)
    run = work.run(reader, progress)
    if run.plan is None or not run.plan.index.undefined:
        memory.keep(reader.seen, run.outcomes)
    return run


def planned(paths: Sequence[Path], config: Config) -> Plan:
    """The index of the files that ``paths`` name and of their neighbours, without rewriting anything.

    Raises:
        ConfigError: a code or name in ``config`` means nothing.
    """
    work = _Work(paths, config)
    sources = Reader(()).read(work.found.files, work.beside)
    return work.selection.plan(sources, import_roots(paths))


def migrate_text(data: bytes, name: str, config: Config) -> Run:
    """Rewrite standard input, read as the file ``name``: the index holds that file and its neighbours on
    disk.

    Raises:
        ConfigError: a code or name in ``config`` means nothing.
    """
    selection = _Selection(config)
    file = Path(name)
    source = from_bytes(data, name if name == "-" else printed_path(file))
    if not isinstance(source, SourceFile):
        return Run((Outcome(file, source),), selection.codemods, 1)
    beside = [] if name == "-" else neighbours([file], [file], config.excludes)
    sources = [source, *Reader(selection.markers).read([], beside)]
    plan = selection.plan(sources, import_roots([file]))
    outcomes = settled([migrate_file(file, source, plan)], plan)
    return Run(tuple(filter(_tells, outcomes)), selection.codemods, 1, plan=plan)


class _Selection:
    """What is looked for. Resolved before a file is read, so that a misspelt code is said at once."""

    def __init__(self, config: Config) -> None:
        from tfmigrate.registry import codemods

        self._config = config
        self.codemods = codemods()
        codes = enabled_codes(config, self.codemods)
        asked = (config.target, config.unsafe, config.unrolled, _recording(config), text_at)
        self.options = Options(codes, *asked)
        ignored_in(Path("any.py"), config, self.codemods)
        wanted = [codemod for codemod in self.codemods if self.options.codes & codemod.codes.keys()]
        self.markers = tuple({marker for codemod in wanted for marker in codemod.marker})

    def plan(self, sources: Iterable[SourceFile], roots: tuple[Path, ...], disk: Disk | None = None) -> Plan:
        from tfmigrate.project.index import build_index

        config = self._config
        index = build_index(
            sources, roots, config.cache_dir, worker_count(config), disk, tuple(dict.fromkeys(config.traced))
        )
        return Plan(index, self.codemods, self.options, self._config, roots)


def _recording(config: Config) -> Recording | None:
    """The recording that was named, or the one in the project's folder, where ``tfmigrate record`` puts it.

    Raises:
        ConfigError: the file cannot be read, or is no recording.
    """
    from tfmigrate.record.format import FILE_NAME, RecordingError, load

    file = config.recording if config.recording is not None else config.root / FILE_NAME
    if config.recording is None and not file.is_file():
        return None
    try:
        return load(file)
    except RecordingError as error:
        raise ConfigError(str(error)) from error


class _Work:
    """The files that ``paths`` name, found but not read."""

    def __init__(self, paths: Sequence[Path], config: Config) -> None:
        self.selection = _Selection(config)
        self.paths = paths
        self.found = discover(paths, config.excludes)
        self.beside = neighbours(paths, self.found.files, config.excludes)

    def run(self, reader: Reader, progress: Progress | None) -> Run:
        """Read everything, and put the engine over what can matter."""
        sources = reader.read(self.found.files, self.beside)
        plan = self.selection.plan(sources, import_roots(self.paths), reader.seen.disk)
        named = {path for path in self.paths if not path.is_dir()}
        outcomes = reader.left_out(named, plan.index)
        wanted = [f for f, note in reader.notes.items() if f not in outcomes and _may_matter(note, plan)]
        candidates = list(reader.again(wanted))
        outcomes.update(reader.unread)
        for outcome in settled(list(migrate_files(candidates, plan, progress)), plan):
            outcomes[outcome.file] = outcome
        told = (outcomes[file] for file in self.found.files if file in outcomes)
        codemods = self.selection.codemods
        return Run(
            tuple(filter(_tells, told)), codemods, len(self.found.files), self.found.missing, plan=plan
        )


def _may_matter(note: Note, plan: Plan) -> bool:
    """Whether the engine has to read the file."""
    return note.names_us or (
        note.is_marked
        and any(
            codemod.may_apply(plan.index, note.printed)
            for codemod in plan.codemods
            if plan.options.codes & codemod.codes.keys()
        )
    )


def _tells(outcome: Outcome) -> bool:
    result = outcome.result
    return (
        not isinstance(result, Patch)
        or result.changed
        or bool(result.findings or outcome.suppressed or outcome.comments)
    )
