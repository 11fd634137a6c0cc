"""The command line is run as users run it: another process, real files."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from cli_samples import CLEAN, NET, REFUSED, Done, Tfmigrate


@pytest.fixture
def tfmigrate(tmp_path: Path) -> Tfmigrate:
    """Run ``tfmigrate`` in ``tmp_path``, with a cache of its own and no colours from outside."""

    def run(
        *arguments: str,
        stdin: bytes = b"",
        cwd: Path = tmp_path,
        env: Mapping[str, str] = {},
        file_limit: int | None = None,
    ) -> Done:
        def limit() -> None:
            if file_limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

        environment = {
            **{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE")},
            "TFMIGRATE_CACHE_DIR": str(tmp_path.parent / f"{tmp_path.name}-cache"),
            **env,
        }
        done = subprocess.run(
            [sys.executable, "-m", "tfmigrate", *arguments],
            input=stdin,
            capture_output=True,
            cwd=cwd,
            env=environment,
            preexec_fn=limit,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode(), done.stdout)

    return run


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A package with one file to rewrite, one to refuse and one with nothing in it."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "net.py").write_text(NET)
    (folder / "sized.py").write_text(REFUSED)
    (folder / "loss.py").write_text(CLEAN)
    return folder
