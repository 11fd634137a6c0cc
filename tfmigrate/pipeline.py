"""From paths to results: find, read and index the files, and put the engine over those that can matter.

Nothing here prints, writes source files or ends the process. Results are in the order of the paths; one bad file never
stops the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.config import Config
from tfmigrate.discovery import discover
from tfmigrate.engine import Options, parsed
from tfmigrate.project_files import import_roots, neighbours
from tfmigrate.results import Patch, Unparsable
from tfmigrate.runs import Outcome, Plan, Run, migrate_file, worker_count
from tfmigrate.selection import enabled_codes, ignored_in
from tfmigrate.settling import settled
from tfmigrate.source import SourceFile, from_bytes, printed_path, read_source
from tfmigrate.workers import Progress, migrate_files

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex

OWN_NAME = b"tfmigrate"
"""A file with our name in it may hold a skip comment that does nothing, which is to be said."""


def migrate_paths(paths: Sequence[Path], config: Config, progress: Progress | None = None) -> Run:
    """Rewrite, in memory, the files that ``paths`` name.

    Raises:
        ConfigError: a code or name in ``config`` means nothing.
    """
    selection = _Selection(config)
    found = discover(paths, config.excludes)
    reader = _Reader(selection.markers)
    sources = reader.read(found.files, neighbours(paths, found.files, config.excludes))
    plan = selection.plan(sources, import_roots(paths))
    named = {path for path in paths if not path.is_dir()}
    outcomes = {**reader.unread, **_unparsable(reader, named, plan.index)}
    candidates = [
        (file, source)
        for file, source in reader.kept.items()
        if file not in outcomes and _may_matter(source, plan)
    ]
    for outcome in settled(list(migrate_files(candidates, plan, progress)), plan):
        outcomes[outcome.file] = outcome
    ordered = tuple(outcomes[file] for file in found.files if file in outcomes and _tells(outcomes[file]))
    return Run(ordered, plan, len(found.files), found.missing)


def planned(paths: Sequence[Path], config: Config) -> Plan:
    """The index of the files that ``paths`` name and of their neighbours, without rewriting anything.

    Raises:
        ConfigError: a code or name in ``config`` means nothing.
    """
    selection = _Selection(config)
    files = discover(paths, config.excludes).files
    reader = _Reader(())
    return selection.plan(reader.read(files, neighbours(paths, files, config.excludes)), import_roots(paths))


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
        return Run((Outcome(file, source),), selection.plan([], ()), 1)
    beside = [] if name == "-" else neighbours([file], [file], config.excludes)
    sources = [source, *_Reader(selection.markers).read([], beside)]
    plan = selection.plan(sources, import_roots([file]))
    outcomes = settled([migrate_file(file, source, plan)], plan)
    return Run(tuple(filter(_tells, outcomes)), plan, 1)


class _Selection:
    """What is looked for. Resolved before a file is read, so that a misspelt code is said at once."""

    def __init__(self, config: Config) -> None:
        from tfmigrate.registry import codemods

        self._config = config
        self._codemods = codemods()
        self._options = Options(enabled_codes(config, self._codemods), config.target, config.unsafe)
        ignored_in(Path("any.py"), config, self._codemods)
        wanted = [codemod for codemod in self._codemods if self._options.codes & codemod.codes.keys()]
        self.markers = tuple({marker for codemod in wanted for marker in codemod.marker})

    def plan(self, sources: Iterable[SourceFile], roots: tuple[Path, ...]) -> Plan:
        from tfmigrate.project.index import build_index

        index = build_index(sources, roots, self._config.cache_dir, worker_count(self._config))
        return Plan(index, self._codemods, self._options, self._config, roots)


class _Reader:
    """Reads files one after the other and keeps only those that hold a codemod's marker."""

    def __init__(self, markers: Sequence[bytes]) -> None:
        self._markers = markers
        self.kept: dict[Path, SourceFile] = {}
        self.dropped: dict[Path, bool] = {}
        """Whether the file mentions TensorFlow all the same."""
        self.unread: dict[Path, Outcome] = {}

    def read(self, files: Iterable[Path], context: Iterable[Path]) -> Iterator[SourceFile]:
        from tfmigrate.project.gather import mentions_tensorflow

        for file in files:
            source = read_source(file)
            if not isinstance(source, SourceFile):
                self.unread[file] = Outcome(file, source)
                continue
            if any(marker in source.data for marker in self._markers) or OWN_NAME in source.data:
                self.kept[file] = source
            else:
                self.dropped[file] = mentions_tensorflow(source.data)
            yield source
        for file in context:
            source = read_source(file)
            if isinstance(source, SourceFile):
                yield source


def _unparsable(reader: _Reader, named: set[Path], index: ProjectIndex) -> dict[Path, Outcome]:
    """Files that the index left out because they cannot be read.

    It also leaves out files that do not mention TensorFlow, and tests; these are only parsed when named by
    the user.
    """
    from tfmigrate.project.gather import mentions_tensorflow
    from tfmigrate.project.roots import is_test_file

    outcomes: dict[Path, Outcome] = {}
    for file in (*reader.kept, *reader.dropped):
        source = reader.kept.get(file)
        printed = printed_path(file) if source is None else source.path
        if index.module_at(printed) is not None:
            continue
        mentioned = reader.dropped[file] if source is None else mentions_tensorflow(source.data)
        is_wanted = mentioned and not is_test_file(printed)
        if is_wanted or file in named:
            read = read_source(file) if source is None else source
            result = _unreadable(read, is_wanted) if isinstance(read, SourceFile) else read
            if result is not None:
                outcomes[file] = Outcome(file, result)
    return outcomes


def _unreadable(source: SourceFile, is_wanted: bool) -> Unparsable | None:
    """Why the index has not read this file; None if it only saw no use in it."""
    result = parsed(source)
    if isinstance(result, Unparsable):
        return result
    return Unparsable(source.path, 1, 1, "its code is nested too deeply to be read") if is_wanted else None


def _may_matter(source: SourceFile, plan: Plan) -> bool:
    return OWN_NAME in source.data or any(
        codemod.may_apply(plan.index, source.path)
        for codemod in plan.codemods
        if plan.options.codes & codemod.codes.keys()
    )


def _tells(outcome: Outcome) -> bool:
    result = outcome.result
    return (
        not isinstance(result, Patch)
        or result.changed
        or bool(result.findings or outcome.suppressed or outcome.comments)
    )
