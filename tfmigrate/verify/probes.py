"""What goes to worker/probe.py and what comes back: pure data, so that the parent never imports the worker."""

from __future__ import annotations

from dataclasses import dataclass

from tfmigrate.verify.model import Case, CodeTree
from tfmigrate.verify.recipes import Recipe


@dataclass(frozen=True, slots=True)
class ProbeJob:
    """Which guess to make. ``case.recipe`` is a GuessRecipe or an ExampleInputsRecipe."""

    case: Case
    tree: CodeTree


@dataclass(frozen=True, slots=True)
class Probed:
    """The recipe that runs, or why there is none."""

    recipe: Recipe | None
    reason: str = ""
