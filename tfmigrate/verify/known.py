"""What symbols came out as, kept between runs: an unchanged model is not run again.

A report is found again by a digest of all that decides it: both versions of the symbol's file and of what it imports
inside the project, the cases and what they import, recordings and samples, the interpreter's packages, our own code, the
environment variables that TensorFlow and Keras read, and all options. What a model reads beside Python code (weights,
data files) is not seen: ``--no-cache`` runs everything.
"""

from __future__ import annotations

import dataclasses
import enum
import glob
import hashlib
import io
import os
import pickle
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

import tfmigrate
from tfmigrate import kept
from tfmigrate.verify.cases import CaseFinder, Found
from tfmigrate.verify.closure import Reader
from tfmigrate.verify.interpreters import versions
from tfmigrate.verify.prover import Target
from tfmigrate.verify.recipes import FunctionRecipe, RecordedRecipe
from tfmigrate.verify.report import SymbolReport
from tfmigrate.verify.run import PlainUnpickler
from tfmigrate.verify.standins import stand_ins
from tfmigrate.verify.trees import path_of

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex
    from tfmigrate.verify.session import Request

_MOST = 5000
"""Reports that are kept."""
_VARIABLES = ("TF_", "KERAS_", "XLA_", "CUDA_", "PYTHON", "NVIDIA_")
_ACCELERATORS = ("/dev/nvidia[0-9]*", "/dev/kfd")


class Known(Protocol):
    """Where reports are looked up."""

    def key(self, target: Target) -> str:
        """What stands for everything that decides the report on ``target``; "" if that cannot be told."""

    def recall(self, key: str) -> tuple[SymbolReport, tuple[str, ...]] | None:
        """The report with this key, and what was skipped as a whole; None if there is none."""

    def keep(self, key: str, report: SymbolReport, skipped: tuple[str, ...]) -> None:
        """Remember a report, unless it could be another one the next time."""


class Nothing:
    """Remembers nothing."""

    def key(self, target: Target) -> str:
        """Nothing is looked up."""
        return ""

    def recall(self, key: str) -> None:
        """Nothing is known."""

    def keep(self, key: str, report: SymbolReport, skipped: tuple[str, ...]) -> None:
        """Nothing is kept."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is the same for all symbols of a verification."""

    request: Request
    index: ProjectIndex


class Files:
    """Reports in files of a cache folder, one each."""

    def __init__(self, folder: Path, asked: Asked) -> None:
        self._folder = folder / "verified"
        self._asked = asked
        self._reader = Reader()
        self._finder = CaseFinder(asked.index, asked.request.recording)
        ours = Path(tfmigrate.__file__).parent
        self._header = kept.header("verified", sorted((ours / "verify").rglob("*.py")))
        self._common = digest((_options(asked.request), _surroundings(asked.request.matrix.python)))

    def key(self, target: Target) -> str:
        """As of :class:`Known`."""
        found = self._finder.find(target.symbol)
        starts = [target.symbol.path, *self._through(target), *_case_files(found)]
        contents = [self._reader.closure(tree, starts) for tree in (target.before, target.after)]
        facts = (
            self._common,
            target.symbol,
            target.printed,
            target.before.roots,
            target.claims,
            target.written,
            contents,
            found,
            _samples(found),
        )
        return digest(facts)

    def _through(self, target: Target) -> Iterator[str]:
        """Files of what may be run in the symbol's place."""
        index = self._asked.index
        for name in stand_ins(index, f"{target.symbol.module}.{target.symbol.qualname}"):
            facts = index.module_of(name)
            if facts is not None:
                yield path_of(facts.path)

    def recall(self, key: str) -> tuple[SymbolReport, tuple[str, ...]] | None:
        """As of :class:`Known`."""
        data = kept.load(self._file(key), self._header)
        if not isinstance(data, bytes):
            return None
        try:
            report, skipped = PlainUnpickler(io.BytesIO(data)).load()
        except (pickle.UnpicklingError, TypeError, ValueError, EOFError, AttributeError):
            return None
        return dataclasses.replace(report, known=True), skipped

    def keep(self, key: str, report: SymbolReport, skipped: tuple[str, ...]) -> None:
        """As of :class:`Known`."""
        verdicts = [verdict for case in report.cases for verdict in case.verdicts]
        if not verdicts or any(verdict.by_accident for verdict in verdicts):
            return
        kept.save(self._file(key), self._header, pickle.dumps((report, skipped)))

    def tidy(self) -> None:
        """Remove the oldest reports beyond a number."""
        try:
            files = sorted(self._folder.glob("*.bin"), key=lambda file: file.stat().st_mtime)
            for file in files[:-_MOST]:
                file.unlink(missing_ok=True)
        except OSError:
            return

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.bin"


def _options(request: Request) -> object:
    return request.settings, request.matrix, request.cases


def _surroundings(python: str) -> object:
    variables = {name: value for name, value in os.environ.items() if name.startswith(_VARIABLES)}
    accelerators = sorted(path for pattern in _ACCELERATORS for path in glob.glob(pattern))
    return dict(versions(python)), variables, accelerators, platform.platform(), os.getcwd()


def _case_files(found: Found) -> Iterator[str]:
    for case in found.cases:
        if isinstance(case.recipe, FunctionRecipe):
            yield case.recipe.path


def _samples(found: Found) -> dict[str, bytes]:
    """The content of the samples that cases are made of."""
    paths = {
        call.sample
        for case in found.cases
        if isinstance(case.recipe, RecordedRecipe)
        for call in case.recipe.calls
        if call.sample is not None
    }
    return {path: Path(path).read_bytes() if os.path.isfile(path) else b"" for path in paths}


def digest(value: object) -> str:
    """Stands for plain data of dataclasses and containers: equal data have equal digests in all processes.

    Raises:
        TypeError: something in it is not plain.
    """
    state = hashlib.blake2b(digest_size=20)
    for part in _parts(value):
        state.update(b"%d:" % len(part) + part)
    return state.hexdigest()


def _parts(value: Any) -> Iterator[bytes]:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield type(value).__name__.encode()
        for field in dataclasses.fields(value):
            yield from _parts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        yield b"mapping"
        for key, item in sorted(value.items(), key=lambda pair: digest(pair[0])):
            yield from (*_parts(key), *_parts(item))
        yield b"end"
    elif isinstance(value, set | frozenset):
        yield from (b"set", *sorted(digest(item).encode() for item in value), b"end")
    elif isinstance(value, list | tuple):
        yield type(value).__name__.encode()
        for item in value:
            yield from _parts(item)
        yield b"end"
    elif isinstance(value, np.ndarray):
        yield from (b"array", value.dtype.str.encode(), str(value.shape).encode(), value.tobytes())
    elif isinstance(value, bytes):
        yield from (b"bytes", value)
    elif value is None or isinstance(value, bool | int | float | complex | str | enum.Enum | os.PathLike):
        yield f"{type(value).__name__} {value!r}".encode("utf-8", "surrogateescape")
    elif isinstance(value, np.generic):
        yield f"{value.dtype} {value!r}".encode()
    else:
        raise TypeError(f"{type(value).__name__} is not plain data")
