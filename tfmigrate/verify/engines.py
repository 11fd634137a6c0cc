"""The processes in which arms run: one that imported TensorFlow for each device kind that is present."""

from __future__ import annotations

import contextlib
import dataclasses
import glob
from collections.abc import Iterator
from typing import TypeAlias

from tfmigrate.verify.model import Finished, Settings
from tfmigrate.verify.prover import PRELOAD
from tfmigrate.verify.run import Zygote

Engine: TypeAlias = tuple[Zygote, Settings]

_ACCELERATORS = ("/dev/nvidia[0-9]*", "/dev/kfd")
KINDS = "tfmigrate.verify.worker.devices:kinds"


@contextlib.contextmanager
def engines(settings: Settings, devices: tuple[str, ...] = ()) -> Iterator[list[Engine]]:
    """A zygote and the settings for each of ``devices``; without any given, the CPU and what else is present.

    Raises:
        ZygoteFailed: TensorFlow or the Keras flavour cannot be imported.
    """
    wanted = devices or (("CPU", "GPU") if any(glob.glob(pattern) for pattern in _ACCELERATORS) else ("CPU",))
    with contextlib.ExitStack() as stack:
        found = []
        for device in wanted:
            zygote = stack.enter_context(Zygote(settings.keras, device=device, preload=PRELOAD))
            if device == "CPU" or devices or _has(zygote, device):
                found.append((zygote, dataclasses.replace(settings, device=device)))
        yield found


def _has(zygote: Zygote, device: str) -> bool:
    """Whether TensorFlow itself sees a device of this kind; asked in a child, because asking starts its driver."""
    outcome = zygote.run(KINDS, None, 120.0, 0)
    return isinstance(outcome, Finished) and device in outcome.value
