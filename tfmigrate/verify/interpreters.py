"""Which Python and which packages an interpreter has, without importing them."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata

PACKAGES = (
    "tensorflow",
    "tensorflow-cpu",
    "tf-nightly",
    "keras",
    "tf-keras",
    "numpy",
    "ml-dtypes",
)
_ASK = f"""
import json, sys
from importlib import metadata
found = {{"python": ".".join(map(str, sys.version_info[:3]))}}
for name in {PACKAGES!r}:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
"""
_OLDEST = (3, 10)


class BadInterpreter(ValueError):
    """It cannot be run, or is too old; the message says what to do."""


def versions(python: str = sys.executable) -> Mapping[str, str]:
    """``python`` and the packages that it has of :data:`PACKAGES` -> their versions.

    Raises:
        BadInterpreter: ``python`` cannot be run, or is older than Python 3.10.
    """
    if python == sys.executable:
        return _here()
    try:
        done = subprocess.run(
            [python, "-c", _ASK], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )
        found: dict[str, str] = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise BadInterpreter(f"{python} is no Python interpreter that can be run: {error}") from error
    if tuple(map(int, found["python"].split(".")[:2])) < _OLDEST:
        raise BadInterpreter(f"{python} is Python {found['python']}; runs need 3.10 or newer")
    return found


def _here() -> Mapping[str, str]:
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def keras_of(found: Mapping[str, str]) -> str:
    """The flavour: "2" where TF_USE_LEGACY_KERAS is set or TensorFlow is older than 2.16."""
    if os.environ.get("TF_USE_LEGACY_KERAS") in ("1", "true", "True"):
        return "2"
    for name in PACKAGES[:3]:
        with contextlib.suppress(KeyError, ValueError):
            major, minor = found[name].split(".")[:2]
            return "2" if (int(major), int(minor)) < (2, 16) else "3"
    return "3"
