"""The other Keras flavour as the reference, for an original that does not run in the one that is asked for.

``self.add_weight("w", (3,))`` is Keras 2, a layer kept before ``super().__init__()`` is Keras 3: the rewrite makes them
right in both, and what they compute is to be seen where the original runs. Variables have the same names and numbers in
both flavours if layers are told apart by their classes alone, and not by configurations, which flavours write differently.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future

from tfmigrate.verify.model import FLAVOURS, ArmJob, Finished, Outcome, Reference, Settings
from tfmigrate.verify.observe import Observation
from tfmigrate.verify.run import Zygote, ZygoteFailed

OTHER = {"2": "3", "3": "2"}


class SecondFlavour:
    """A process with the other flavour, started when it is first needed. May be used from several threads."""

    def __init__(
        self,
        settings: Settings,
        preload: tuple[str, ...],
        stack: contextlib.ExitStack,
        running: Zygote | None = None,
        python: str = sys.executable,
    ) -> None:
        self.keras = OTHER[settings.keras]
        self.problem = ""
        """Why it cannot be started."""
        self._preload = preload
        self._stack = stack
        self._lock = threading.Lock()
        self._zygote = running
        self._python = python

    def submit(self, entry: str, job: ArmJob, settings: Settings) -> Future[Outcome] | None:
        """Run ``job``; None if the flavour cannot be started."""
        with self._lock:
            if self._zygote is None and not self.problem:
                try:
                    zygote = Zygote(self.keras, python=self._python, preload=self._preload)
                    self._zygote = self._stack.enter_context(zygote)
                except ZygoteFailed as error:
                    self.problem = str(error).splitlines()[0]
            if self._zygote is None:
                return None
            return self._zygote.submit(entry, job, settings.timeout_s, settings.memory_mb)


@contextlib.contextmanager
def second_flavour(
    settings: Settings,
    preload: tuple[str, ...],
    running: Zygote | None = None,
    python: str = sys.executable,
) -> Iterator[SecondFlavour]:
    """The other flavour for as long as the context lasts; ``running``: a process that has it."""
    with contextlib.ExitStack() as stack:
        yield SecondFlavour(settings, preload, stack, running, python)


def reference(
    second: SecondFlavour, entry: str, before: ArmJob, after: ArmJob, settings: Settings
) -> Reference:
    """What the original does in the other flavour, and the rewritten code there.

    ``before`` and ``after`` are jobs for the eager runs of the flavour that was asked for.
    """
    found = _run(second, entry, _there(before, second.keras), settings)
    if not isinstance(found, Observation):
        return Reference(second.keras, None, None, found)
    if found.fails:
        failure = found.stages[0].failure
        assert failure is not None
        return Reference(second.keras, None, None, f"with {FLAVOURS[second.keras]} it raises {failure.type}")
    job = dataclasses.replace(_there(after, second.keras), known_paths=found.paths)
    rewritten = _run(second, entry, job, settings)
    # What it can save or be rebuilt from is asked in the flavour in question.
    found = dataclasses.replace(found, properties=(), weight_paths={})
    return Reference(second.keras, found, rewritten if isinstance(rewritten, Observation) else None)


def _there(job: ArmJob, keras: str) -> ArmJob:
    return dataclasses.replace(
        job,
        keras=keras,
        device="CPU",
        across=True,
        trains_and_saves=False,
        lift_lock=keras == "3",
        changed_lines={},
    )


def _run(second: SecondFlavour, entry: str, job: ArmJob, settings: Settings) -> Observation | str:
    future = second.submit(entry, job, settings)
    if future is None:
        return f"{FLAVOURS[second.keras]} is not there to run it ({second.problem})"
    outcome = future.result()
    if isinstance(outcome, Finished) and isinstance(outcome.value, Observation):
        return outcome.value
    return f"with {FLAVOURS[second.keras]} it does not run either"
