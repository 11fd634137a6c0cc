"""Why a place has to stay as it is: a value, turned into a refusal with the codemod's own table of reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tfmigrate.codemod import Refusal, Site

Reasons = Mapping[str, tuple[str, str]]
"""Reason code -> (why, what the owner would have to change)."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """A reason code, and what exactly it is about (a name, an expression; may be empty)."""

    reason: str
    about: str = ""


def refusal(site: Site, blocked: Blocked, reasons: Reasons) -> Refusal:
    """The refusal of ``site`` for this reason."""
    why, hint = reasons[blocked.reason]
    return Refusal(site, blocked.reason, f"{why}: `{blocked.about}`" if blocked.about else why, hint)
