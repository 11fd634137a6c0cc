"""The authoring API: what a codemod is, and what it says of the code that it read.

A codemod only reads. For each thing that it looked at it yields one :class:`Edit` or one :class:`Refusal`; the engine
applies the edits. One ``Edit`` is one unit of meaning: all of its changes land, or none.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import libcst as cst

    from tfmigrate.claim import Claim
    from tfmigrate.project.index import ProjectIndex
    from tfmigrate.unit import Unit


class Safety(enum.Enum):
    """How far a rewrite can be trusted before it was run (ruff's applicability)."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    MANUAL = "manual"


class Target(enum.Enum):
    """The Keras flavour that the rewritten code must be right on."""

    AUTO = "auto"
    KERAS2 = "keras2"
    KERAS3 = "keras3"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Example:
    """A small piece of code and what becomes of it: documentation and test at once.

    Exactly one of ``after`` (the rewritten text), ``refused`` (a refusal's reason code) and ``kept`` is given.
    """

    before: str
    after: str | None = None
    refused: str | None = None
    kept: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Site:
    """One place in the file that the codemod read. Lines and columns count from 1, columns in characters."""

    line: int
    column: int
    code: str
    end_line: int = field(compare=False)
    end_column: int = field(compare=False)
    message: str = field(compare=False)
    symbol: str = field(compare=False, default="")
    """Qualified name in the module of the function that holds the place (``Net.call``)."""
    owner: str = field(compare=False, default="")
    """Qualified name in the module of what has to be run to prove an edit here (the class ``Net``, a function)."""


@dataclass(frozen=True, slots=True)
class Change:
    """Put ``new`` in the place of ``node`` (found by identity among the nodes that ``Unit.cst`` gave); None removes it."""

    node: cst.CSTNode
    new: cst.CSTNode | None


@dataclass(frozen=True, slots=True)
class Update:
    """Put ``updated(node)`` in the place of ``node``, with the changes inside of it done: for what reaches into it."""

    node: cst.CSTNode
    updated: Callable[[cst.CSTNode], cst.CSTNode]


@dataclass(frozen=True, slots=True)
class Insertion:
    """Put ``statements`` before or after the statement ``anchor``, which other changes may reach into."""

    anchor: cst.CSTNode
    statements: tuple[cst.BaseStatement, ...]
    after: bool
    blank_lines: int = 0
    """Keep so many blank lines between ``statements`` and ``anchor``."""


AnyChange: TypeAlias = "Change | Update | Insertion"


@dataclass(frozen=True, slots=True)
class Edit:
    """All of ``changes`` together; ``sites`` are the places that they mend, each with its message."""

    changes: tuple[AnyChange, ...]
    sites: tuple[Site, ...]
    safety: Safety = Safety.SAFE


@dataclass(frozen=True, slots=True)
class Refusal:
    """A place that looks eligible and is left alone."""

    site: Site
    reason: str
    """Stable code in kebab-case, a key of ``Codemod.refusals``."""
    why: str
    hint: str
    """What the owner would have to change."""


Plan = Callable[["Unit"], Iterator["Edit | Refusal"]]
HasCandidates = Callable[["ProjectIndex", str], bool]


@dataclass(slots=True)
class Codemod:
    """One codemod. ``name`` is the module's ``__name__``; the part after the last dot is the public name.

    Raises:
        ValueError: the module docstring, the codes or the examples break the contract (checked by the registry).
    """

    module: str
    summary: str
    codes: Mapping[str, str]
    """Code -> name as a user would search for it (``{"TFM101": "layer-in-call"}``)."""
    refusals: Mapping[str, str]
    """Reason code -> one line of explanation."""
    safety: Safety
    marker: tuple[bytes, ...]
    """Bytes of which a file must hold at least one to be worth parsing."""
    examples: Sequence[Example]
    claim: Claim
    sabotage: Sequence[Example] = ()
    """Wrong rewrites (``before`` and a wrong ``after``) that the verifier must find DIFFERENT."""
    off_by_default: frozenset[str] = frozenset()
    """Codes that are only looked for when selected by name."""
    order: int = 100
    reference: Callable[[], Mapping[str, Sequence[tuple[str, str]]]] | None = None
    """Tables for ``explain``: heading -> rows of what is found and what becomes of it."""
    _plan: Plan | None = None
    _has_candidates: HasCandidates | None = None

    @property
    def name(self) -> str:
        return self.module.rpartition(".")[2]

    def plan(self, function: Plan) -> Plan:
        """Decorator: the function that reads a :class:`Unit` and yields edits and refusals."""
        self._plan = function
        return function

    def candidates(self, function: HasCandidates) -> HasCandidates:
        """Decorator: says from the project index alone whether a file (by path) can hold a site. Must be cheap."""
        self._has_candidates = function
        return function

    def planned(self, unit: Unit) -> Iterator[Edit | Refusal]:
        """Run the plan."""
        assert self._plan is not None, f"{self.name} has no @codemod.plan"
        return self._plan(unit)

    def may_apply(self, index: ProjectIndex, path: str) -> bool:
        """Whether the file at ``path`` is worth reading for this codemod."""
        return self._has_candidates is None or self._has_candidates(index, path)
