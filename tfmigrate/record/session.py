"""One recorded run: begins before the program, ends after its last exit handler. Several processes take part.

Each process writes a part of its own; the one that began merges the parts. A process that is killed, or that leaves by
``os._exit``, writes nothing.
"""

from __future__ import annotations

import atexit
import os
import platform
import sys
from pathlib import Path

from tfmigrate.record.format import Recording, RecordingError, dump, load, merged
from tfmigrate.record.hooks import install
from tfmigrate.record.options import VARIABLE, Options
from tfmigrate.record.recorder import Recorder


class Session:
    """The recording of this process."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.recorder = Recorder(options)
        self._is_over = False

    def begin(self) -> None:
        """Hook in, and tell child processes that start with ``multiprocessing`` or as workers of pytest."""
        os.environ[VARIABLE] = self.options.exported()
        install(self.recorder)
        os.register_at_fork(after_in_child=self._begin_in_child)

    def _begin_in_child(self) -> None:
        """A forked process has what its parent saw so far; only what it sees itself is its part."""
        self.recorder.keeper.forget_calls()
        util = sys.modules.get("multiprocessing.util")
        if util is not None:
            # Such a child leaves without the exit handlers, and forgets what is to be finalised when it begins.
            util.register_after_fork(self, lambda own: util.Finalize(None, own.end, exitpriority=1))

    def end(self) -> str:
        """Write the part, or the whole; what is to be said about it, "" if nothing."""
        if self._is_over:
            return ""
        self._is_over = True
        recording = self.recorder.keeper.recording(_versions())
        try:
            if not self.options.is_owner:
                self._write_part(recording)
                return ""
            return self._write(recording)
        except (OSError, RecordingError) as error:
            return f"tfmigrate: nothing was recorded: {error}"

    def _write_part(self, recording: Recording) -> None:
        if recording.classes or recording.functions:
            dump(recording, Path(f"{self.options.output}.{self.options.owner}-{os.getpid()}.part"))

    def _write(self, recording: Recording) -> str:
        output = Path(self.options.output)
        parts = sorted(output.parent.glob(f"{output.name}.{self.options.owner}-*.part"))
        found = [recording, *(load(part) for part in parts)]
        if self.options.append and output.exists():
            found.insert(0, load(output))
        whole = merged(found)
        for part in parts:
            part.unlink()
        return self._said(whole, output)

    def _said(self, whole: Recording, output: Path) -> str:
        problem = self.recorder.problem
        trouble = f"\ntfmigrate: a bug of the recorder's, please report it:\n{problem}" if problem else ""
        if not whole.classes and not whole.functions:
            roots = ", ".join(self.options.roots)
            return (
                f"tfmigrate: nothing to record: no layer, model, tf.Module or tf.function below {roots} was used; "
                f"name the folders of your code with --source{trouble}"
            )
        dump(whole, output)
        names = {cls.name for cls in whole.classes}
        kept = [cls.calls for cls in whole.classes] + [function.calls for function in whole.functions]
        count = sum(call.count for calls in kept for call in calls)
        return (
            f"tfmigrate: recorded {_counted(len(names), 'class', 'classes')}, "
            f"{_counted(len(whole.functions), 'tf.function')} and {_counted(count, 'call')} "
            f"in {os.path.relpath(output)}{trouble}"
        )


def begin(options: Options) -> Session:
    """Start recording in this process; at its very end what was seen is written."""
    session = Session(options)

    def finish() -> None:
        message = session.end()
        if message:
            print(message, file=sys.stderr)

    atexit.register(finish)
    session.begin()
    return session


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("tensorflow", "keras", "tf_keras"):
        version = getattr(sys.modules.get(name), "__version__", None)
        if isinstance(version, str):
            found[name] = version
    return found
