"""From the options of a verification to a request: which modes, devices, precisions, strategies, Keras and Python."""

from __future__ import annotations

import enum
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from tfmigrate.commands.request import Checks, Scope
from tfmigrate.exits import UsageError
from tfmigrate.runs import worker_count

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfmigrate.config import Config
    from tfmigrate.verify.engines import Matrix
    from tfmigrate.verify.session import Request

_ARMS_OF_A_SYMBOL = 4
"""A symbol keeps about so many processors busy."""
_FEWEST = 2
"""Symbols at a time: one's arms wait for each other."""
_DEVICES = ("cpu", "gpu", "all")
_KERAS = ("2", "3")
E = TypeVar("E", bound=enum.Enum)


def request(scope: Scope, checks: Checks, config: Config) -> Request:
    """What ``checks`` ask for.

    Raises:
        UsageError: a word that names nothing, or an interpreter that cannot be run.
    """
    from tfmigrate.verify.model import RUNNING, Mode, Settings
    from tfmigrate.verify.session import Request

    matrix, keras = _matrix(checks)
    workers = worker_count(config)
    modes = _chosen("mode", checks.modes, Mode) or (tuple(Mode) if checks.thorough else RUNNING)
    made = Settings(keras=keras, modes=modes)
    if checks.timeout_s is not None:
        made = replace(made, timeout_s=checks.timeout_s)
    base = ("--base", checks.base) if checks.base is not None else ()
    patch = ("--patch", str(checks.patch)) if checks.patch is not None else ()
    python = ("--python", checks.python) if checks.python is not None else ()
    return Request(
        settings=made,
        only=checks.only,
        cases=checks.case,
        recording=config.recording,
        jobs=max(_FEWEST if workers > 1 else 1, workers // _ARMS_OF_A_SYMBOL),
        matrix=matrix,
        executor=_executor(checks.executor),
        shard=_shard(checks.shard),
        cache_dir=config.cache_dir,
        command=("tfmigrate", "verify", *scope.paths, *base, *patch, *python),
    )


def _shard(text: str | None) -> tuple[int, int] | None:
    """``2/5`` as numbers."""
    if text is None:
        return None
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise UsageError(f"--shard {text}: write I/N, as in 1/4 for the first of four parts")
    return int(number), int(count)


def _executor(name: str | None) -> Executor | None:
    """What the function ``pkg.mod:function`` of the user's gives."""
    import pkgutil

    if name is None:
        return None
    where = f"--executor {name}"
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        made = pkgutil.resolve_name(name)()
    except Exception as error:
        raise UsageError(
            f"{where}: {type(error).__name__}: {error}; name a function without arguments, as in pkg.mod:function"
        ) from error
    if not callable(getattr(made, "submit", None)):
        raise UsageError(
            f"{where}: it gives {made!r}, which has no submit(): return a concurrent.futures.Executor"
        )
    return cast("Executor", made)


def _matrix(checks: Checks) -> tuple[Matrix, str]:
    """The matrix, and the Keras flavour that comes first."""
    from tfmigrate.verify.engines import Matrix
    from tfmigrate.verify.model import Precision, Strategy

    for word in checks.keras:
        _known("Keras", word, _KERAS)
    for word in checks.devices:
        _known("device", word, _DEVICES)
    python = _interpreter(checks.python)
    found = checks.keras or (_default_keras(checks.python),)
    every = checks.thorough
    if every and not checks.keras:
        found = (*found, *(word for word in _KERAS if word not in found))
    devices: tuple[str, ...] = tuple(dict.fromkeys(word.upper() for word in checks.devices))
    if "ALL" in devices or (every and not devices):
        devices = ("CPU", "GPU")
    precisions = _chosen("precision", checks.precisions, Precision)
    strategies = _chosen("strategy", checks.strategies, Strategy)
    return (
        Matrix(
            keras=tuple(dict.fromkeys(found)),
            devices=devices,
            precisions=precisions or (tuple(Precision) if every else (Precision.FLOAT32,)),
            strategies=strategies or (tuple(Strategy) if every else (Strategy.NONE,)),
            python=python,
            is_lenient=every and not checks.keras,
        ),
        found[0],
    )


def _default_keras(python: str | None) -> str:
    from tfmigrate.verify.interpreters import keras_of, versions
    from tfmigrate.verify.session import default_keras

    return default_keras() if python is None else keras_of(versions(_interpreter(python)))


def _interpreter(python: str | None) -> str:
    """The path of the interpreter; a folder is a virtual environment."""
    from tfmigrate.verify.interpreters import BadInterpreter, versions

    if python is None:
        return sys.executable
    path = Path(python)
    if path.is_dir():
        path = path / "bin" / "python"
    # Not resolved: a virtual environment's python is a link, and its place is what counts.
    found = os.path.abspath(path) if os.sep in python or path.exists() else python
    try:
        versions(found)
    except BadInterpreter as error:
        raise UsageError(f"--python: {error}") from error
    return found


def _chosen(what: str, words: Sequence[str], kind: type[E]) -> tuple[E, ...]:
    """The members of ``kind`` that ``words`` name, in their own order."""
    for word in words:
        _known(what, word, [item.value for item in kind])
    return tuple(item for item in kind if item.value in words)


def _known(what: str, word: str, known: Sequence[str]) -> None:
    from tfmigrate.config import nearest

    if word not in known:
        raise UsageError(f"unknown {what} {word!r}{nearest(word, known)}; there are {', '.join(known)}")
