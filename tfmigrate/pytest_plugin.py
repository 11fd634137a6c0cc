"""``pytest --tfmigrate``: each model that was changed, before and after, as an item for each mode.
``pytest --tfmigrate-record[=FILE]``: keep what the tests construct and call. Without these options, nothing happens.

Workers of pytest-xdist record too, each into a file of its own; the controlling process merges them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    from tfmigrate.record.session import Session

_OPTION = "--tfmigrate-record"
_NAME = "tfmigrate-recorder"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, shown by ``pytest --help``."""
    group = parser.getgroup("tfmigrate")
    group.addoption(
        "--tfmigrate",
        action="store_true",
        help="run each layer, model and traced function that differs from what `tfmigrate apply` found, before and after",
    )
    group.addoption(
        "--tfmigrate-base",
        default=None,
        metavar="REV",
        help="the same, but what differs from this git revision",
    )
    group.addoption(
        "--tfmigrate-modes",
        default=None,
        metavar="MODES",
        help="comma-separated; those of `tfmigrate verify` unless given",
    )
    group.addoption(
        _OPTION,
        nargs="?",
        const="",
        default=None,
        metavar="FILE",
        help="record what layers, models and tf.functions are made and called with, for tfmigrate to verify with"
        " (write --tfmigrate-record=FILE; tfmigrate-recording.json unless given)",
    )
    group.addoption(
        f"{_OPTION}-samples", action="store_true", help="keep the values of some calls, too (.npz files)"
    )


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Hook in before any conftest.py can import TensorFlow."""
    known = early_config.known_args_namespace
    wanted = getattr(known, "tfmigrate_record", None)
    samples = bool(getattr(known, "tfmigrate_record_samples", False))
    session = _begin(wanted, samples)
    if session is not None:
        early_config.pluginmanager.register(_Recording(session), _NAME)


def pytest_configure(config: pytest.Config) -> None:
    """Look for models if asked to; and record where the hook above does not run: in workers of pytest-xdist."""
    config.addinivalue_line("markers", "tfmigrate: a model that `tfmigrate` compares before and after")
    if config.getoption("--tfmigrate") or config.getoption("--tfmigrate-base") is not None:
        from tfmigrate.pytest_models import Models

        config.pluginmanager.register(Models(config), "tfmigrate-models")
    if config.pluginmanager.has_plugin(_NAME):
        return
    is_worker = hasattr(config, "workerinput")
    session = _begin(None if is_worker else config.getoption(_OPTION), False)
    if session is not None:
        config.pluginmanager.register(_Recording(session), _NAME)


class _Recording:
    """Ends the recording, and says where it is, when all tests have run."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def pytest_unconfigure(self) -> None:
        message = self._session.end()
        if message:
            import sys

            print(message, file=sys.stderr)


def _begin(wanted: Any, samples: bool) -> Session | None:
    if wanted is None and not os.environ.get("TFMIGRATE_RECORD"):
        return None
    from tfmigrate.record.options import inherited, options
    from tfmigrate.record.session import begin

    chosen = inherited(os.environ)
    if chosen is not None:
        # Below `tfmigrate record`: in its own process it records already.
        return None if chosen.is_owner else begin(chosen)
    return begin(options(wanted or None, samples=samples))
