"""Write a report, a recording or a baseline so that a reader sees the old file or the new one, never half of one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Make ``data`` the content of ``path``. A symlink stays one.

    Raises:
        OSError: it cannot be written; what was there is still there.
    """
    real = Path(os.path.realpath(path))
    if real.exists() and not real.is_file():
        real.write_bytes(data)  # /dev/stdout, a pipe: nothing that can be replaced.
        return
    handle, name = tempfile.mkstemp(prefix=f".{real.name}-", dir=real.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # mkstemp makes files that only their owner can read.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, real)
    except BaseException:
        os.unlink(name)
        raise
