"""The processes in which arms run, and the settings for each way in which a case is to be run.

One process that imported TensorFlow for each Keras flavour and device kind; precisions and strategies are set in its
children.
"""

from __future__ import annotations

import contextlib
import dataclasses
import glob
import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from tfmigrate.verify.model import FLAVOURS, Finished, Precision, Settings, Strategy
from tfmigrate.verify.prover import PRELOAD
from tfmigrate.verify.run import Zygote, ZygoteFailed

Engine: TypeAlias = tuple[Zygote, Settings]

_ACCELERATORS = ("/dev/nvidia[0-9]*", "/dev/kfd")
KINDS = "tfmigrate.verify.worker.devices:kinds"
NO_GPU = "gpu: TensorFlow sees none here"


@dataclass(frozen=True, slots=True)
class Matrix:
    """Every case is run in each combination of these."""

    keras: tuple[str, ...] = ()
    """Empty: that of the settings."""
    devices: tuple[str, ...] = ()
    """TensorFlow's device kinds; empty: all that are present."""
    precisions: tuple[Precision, ...] = (Precision.FLOAT32,)
    strategies: tuple[Strategy, ...] = (Strategy.NONE,)
    python: str = sys.executable
    """The interpreter that has TensorFlow."""
    is_lenient: bool = False
    """A Keras flavour that is missing is skipped, as long as there is another."""


@dataclass(frozen=True, slots=True)
class Engines:
    """What runs, the plainest first, and what was asked for and cannot run."""

    running: list[Engine] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def skip(self, reason: str) -> None:
        """Note once what cannot run."""
        if reason not in self.skipped:
            self.skipped.append(reason)

    @property
    def flavours(self) -> dict[str, Zygote]:
        """A process of each Keras flavour, for the CPU where there is one."""
        found: dict[str, Zygote] = {}
        for zygote, settings in self.running:
            found.setdefault(settings.keras, zygote)
        return found


@contextlib.contextmanager
def engines(settings: Settings, matrix: Matrix = Matrix()) -> Iterator[Engines]:
    """The processes and settings for all of ``matrix``.

    Raises:
        ZygoteFailed: TensorFlow or the Keras flavour cannot be imported, or no device of the kind is there.
    """
    with contextlib.ExitStack() as stack:
        found = Engines()
        problem: ZygoteFailed | None = None
        for keras in matrix.keras or (settings.keras,):
            try:
                zygotes = list(_of_flavour(stack, keras, matrix, found))
            except ZygoteFailed as error:
                if not matrix.is_lenient:
                    raise
                problem = error
                found.skipped.append(f"{FLAVOURS[keras]}: {str(error).splitlines()[0]}")
                continue
            for zygote, strategy, precision in itertools.product(
                zygotes, matrix.strategies, matrix.precisions
            ):
                more = {"keras": keras, "device": zygote.device, "precision": precision, "strategy": strategy}
                found.running.append((zygote, dataclasses.replace(settings, **more)))  # type: ignore[arg-type]
        if not found.running:
            raise problem or ZygoteFailed(f"{found.skipped[0]}; leave out --device, or ask for cpu")
        yield found


def _of_flavour(stack: contextlib.ExitStack, keras: str, matrix: Matrix, found: Engines) -> Iterator[Zygote]:
    is_there = any(glob.glob(pattern) for pattern in _ACCELERATORS)
    for device in matrix.devices or (("CPU", "GPU") if is_there else ("CPU",)):
        if device != "CPU" and not is_there:
            found.skip(NO_GPU)
            continue
        zygote = stack.enter_context(Zygote(keras, device=device, python=matrix.python, preload=PRELOAD))
        if device == "CPU" or _has(zygote, device):
            yield zygote
        elif matrix.devices:
            found.skip(NO_GPU)


def _has(zygote: Zygote, device: str) -> bool:
    """Whether TensorFlow itself sees a device of this kind; asked in a child, because asking starts its driver."""
    outcome = zygote.run(KINDS, None, 120.0, 0)
    return isinstance(outcome, Finished) and device in outcome.value
