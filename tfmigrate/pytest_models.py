"""The items of ``pytest --tfmigrate``: one for each model that differs and each mode. Loaded only if asked for.

pytest's own process imports neither TensorFlow nor the models: each run is a process of its own, as in ``tfmigrate verify``.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tfmigrate.config import nearest
from tfmigrate.exits import UsageError
from tfmigrate.verify.cases import Symbol
from tfmigrate.verify.model import Mode
from tfmigrate.verify.report import Report, evidence
from tfmigrate.verify.session import OneByOne
from tfmigrate.verify.table import worst
from tfmigrate.verify.verdict import VerdictStatus

_PROVED = frozenset({VerdictStatus.SAME, VerdictStatus.FIXED})
_EXPECTED = frozenset({Mode.EAGER, Mode.GRAPH})
"""Not everything can be compiled, trained or exported."""
_SAID = {Mode.XLA: "XLA"}


class Models:
    """Finds what differs when tests are collected, and holds the processes that run it."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._base: str | None = config.getoption("--tfmigrate-base")
        self._modes = _modes(config.getoption("--tfmigrate-modes"))
        self._versions: OneByOne | None = None
        self._notes: tuple[str, ...] = ()
        self._proved: dict[tuple[Symbol, tuple[Mode, ...]], Report] = {}

    @property
    def versions(self) -> OneByOne:
        """What differs; found once.

        Raises:
            pytest.UsageError: there is nothing to compare with.
        """
        if self._versions is None:
            try:
                self._versions, self._notes = _differing(self._base)
            except UsageError as error:
                raise pytest.UsageError(f"--tfmigrate: {error}") from error
        return self._versions

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Put the models beside what the arguments name, unless an argument names the file of one."""
        report = yield
        if isinstance(collector, pytest.Session) and not self._named():
            report.result = [*(report.result or ()), *self._files(collector, self._paths())]
        return report

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> ModelFile | None:
        """The models of a file that an argument names: ``pytest --tfmigrate shop/net.py::Net[graph]``."""
        if file_path.resolve() in self._named():
            return next(self._files(parent, [str(file_path.resolve())]), None)
        return None

    def pytest_report_collectionfinish(self, items: Sequence[pytest.Item]) -> list[str]:
        """What is compared with what, and what cannot be."""
        if self._versions is None:
            return []
        against = f"git's {self._base}" if self._base is not None else "the last apply"
        count = len(self._versions.targets)
        chosen = sum(isinstance(item, ModelItem) for item in items)
        noun = "model or traced function differs" if count == 1 else "models and traced functions differ"
        line = f"tfmigrate: {count} {noun} from {against}, {chosen} items"
        return [line, *(f"tfmigrate: {note}" for note in (*self._notes, *self._versions.notes))]

    def pytest_sessionfinish(self) -> None:
        """End the processes."""
        if self._versions is not None:
            self._versions.close()

    def report(self, item: ModelItem) -> Report:
        """The report on an item's model, in all modes that are going to be asked for."""
        if hasattr(self._config, "workerinput"):  # The model's other items may be another worker's.
            modes: tuple[Mode, ...] = (item.mode,)
        else:
            modes = tuple(
                other.mode
                for other in item.session.items
                if isinstance(other, ModelItem) and other.symbol == item.symbol
            )
        key = (item.symbol, modes)
        if key not in self._proved:
            self._proved[key] = self.versions.prove(item.symbol, modes)
        return self._proved[key]

    def _paths(self) -> list[str]:
        return list(dict.fromkeys(symbol.path for symbol in self.versions.targets))

    def _named(self) -> set[Path]:
        """Files with models that are arguments of pytest."""
        known = {Path(path) for path in self._paths()}
        folder = self._config.invocation_params.dir
        return known & {(folder / argument.partition("::")[0]).resolve() for argument in self._config.args}

    def _files(self, parent: pytest.Collector, paths: Sequence[str]) -> Iterator[ModelFile]:
        for path in paths:
            symbols = [symbol for symbol in self.versions.targets if symbol.path == path]
            file: ModelFile = ModelFile.from_parent(parent, path=Path(path))
            file.models, file.symbols, file.modes = self, symbols, self._modes
            yield file


class ModelFile(pytest.File):
    """A file with models that differ."""

    models: Models
    symbols: Sequence[Symbol]
    modes: Sequence[Mode]

    def collect(self) -> Iterator[ModelItem]:
        """An item for each model and mode."""
        for symbol in self.symbols:
            for mode in self.modes:
                item: ModelItem = ModelItem.from_parent(self, name=f"{symbol.qualname}[{mode.value}]")
                item.models, item.symbol, item.mode = self.models, symbol, mode
                item.add_marker("tfmigrate")
                yield item


class NotProved(Exception):
    """The message is the report."""


class ModelItem(pytest.Item):
    """One model in one mode. It passes if it is proved. What cannot be compiled, trained or exported is skipped if other
    modes are proved."""

    models: Models
    symbol: Symbol
    mode: Mode

    def runtest(self) -> None:
        """
        Raises:
            NotProved: it came out DIFFERENT, INERT or INCONCLUSIVE.
            ZygoteFailed: there is no TensorFlow to run it with.
        """
        report = self.models.report(self)
        (proved,) = report.symbols
        found = [v for case in proved.cases for v in case.verdicts if v.mode is self.mode]
        ran = [verdict for verdict in found if not verdict.skipped]
        status = worst(ran)
        if status in _PROVED:
            return
        if found and not ran:
            pytest.skip(f"{self.symbol} in {self.mode.value}: {found[0].reason}")
        is_extra = self.mode not in _EXPECTED and status is VerdictStatus.INCONCLUSIVE
        if is_extra and found and self._is_proved_elsewhere(report):
            pytest.skip(f"{self.symbol} in {_SAID.get(self.mode, self.mode.value)}: {found[0].reason}")
        raise NotProved(evidence(report, self.mode))

    def _is_proved_elsewhere(self, report: Report) -> bool:
        (proved,) = report.symbols
        verdicts = [v for case in proved.cases for v in case.verdicts if v.mode in _EXPECTED]
        if not verdicts:  # It was run alone.
            (proved,) = self.models.versions.prove(self.symbol, (Mode.EAGER,)).symbols
        return proved.status in _PROVED

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report itself instead of a traceback through tfmigrate."""
        from tfmigrate.verify.run import ZygoteFailed

        if isinstance(excinfo.value, (NotProved, ZygoteFailed)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Shown above a failure."""
        return self.path, None, f"{self.symbol} [{self.mode.value}]"


def _modes(text: str | None) -> tuple[Mode, ...]:
    from tfmigrate.verify.model import Settings

    if text is None:
        return Settings().modes
    known = [mode.value for mode in Mode]
    words = [word.strip() for word in text.split(",") if word.strip()]
    for word in words:
        if word not in known:
            raise pytest.UsageError(
                f"--tfmigrate-modes: unknown mode {word!r}{nearest(word, known)}; there are {', '.join(known)}"
            )
    return tuple(mode for mode in Mode if mode.value in words)


def _differing(base: str | None) -> tuple[OneByOne, tuple[str, ...]]:
    """
    Raises:
        UsageError: there is nothing to compare with, or the configuration is wrong.
    """
    from tfmigrate.config import load_config
    from tfmigrate.pipeline import planned
    from tfmigrate.verify.against import find_versions
    from tfmigrate.verify.model import Settings
    from tfmigrate.verify.session import Request, default_keras

    config = load_config(Path("."))
    versions = find_versions((), base, None, config.excludes)
    assert versions is not None, "without paths it is the journal or the revision"
    plan = planned(versions.paths, config)
    command = ("tfmigrate", "verify", *(("--base", base) if base is not None else ()))
    request = Request(replace(Settings(), keras=default_keras()), recording=config.recording, command=command)
    found = OneByOne(versions.changed, versions.paths, plan.index, plan.codemods, request, versions.on_disk)
    return found, versions.notes
