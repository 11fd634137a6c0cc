"""What the verifier's parts hand to each other: code trees, cases, jobs for one arm, and how a process ended.

Pure data without TensorFlow. Everything here is picklable: jobs go to the worker processes, outcomes come
back."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from tfmigrate.claim import Claim

if TYPE_CHECKING:
    from tfmigrate.verify.cases import Recipe
    from tfmigrate.verify.observe import Observation


FLAVOURS = {"2": "Keras 2 (tf_keras)", "3": "Keras 3"}


class Version(enum.Enum):
    """Which side of the rewrite an arm runs."""

    BEFORE = "before"
    AFTER = "after"


class Mode(enum.Enum):
    """How an arm runs the subject."""

    EAGER = "eager"
    GRAPH = "graph"
    XLA = "xla"
    FIT = "fit"
    """Keras's own compiled training, for a few steps; compared with the original's, run eagerly."""
    EXPORT = "export"
    """As a SavedModel that was written and loaded again."""


RUNNING = (Mode.EAGER, Mode.GRAPH, Mode.XLA)
"""The modes that are run unless others are asked for."""


class Precision(enum.Enum):
    """Keras's dtype policy while a subject is made. FLOAT32: none is set, the code's own counts."""

    FLOAT32 = "float32"
    MIXED_FLOAT16 = "mixed_float16"
    MIXED_BFLOAT16 = "mixed_bfloat16"
    FLOAT64 = "float64"


class Strategy(enum.Enum):
    """How a subject is spread over devices."""

    NONE = "none"
    MIRRORED = "mirrored"
    """tf.distribute.MirroredStrategy with two replicas: two GPUs, or two logical devices of the CPU."""


@dataclass(frozen=True, slots=True)
class CodeTree:
    """One version of the user's code: folders to import from, and contents that replace or hide files on
    disk."""

    roots: tuple[str, ...]
    """``sys.path`` entries, absolute."""
    overlay: Mapping[str, bytes | None] = field(default_factory=dict)
    """Absolute real path -> the bytes to import instead of the file on disk; None: the file is absent."""


@dataclass(frozen=True, slots=True)
class Case:
    """How to make one callable and feed it."""

    symbol: str
    """``pkg.mod:Net`` or ``pkg.mod:train_step``."""
    name: str
    """The case's own name, "" if it has none."""
    origin: str
    """Where the case comes from, as printed: ``shop/tfmigrate_cases.py:12``, ``get_example_inputs()`` ..."""
    guessed: bool
    recipe: Recipe


@dataclass(frozen=True, slots=True)
class ArmJob:
    """One run of one version in one mode, in a process of its own (``worker.arm.run_arm`` runs it)."""

    case: Case
    tree: CodeTree
    version: Version
    mode: Mode
    keras: str
    """"2" (tf_keras) or "3"."""
    device: str = "CPU"
    """TensorFlow's device kind: "CPU" or "GPU"."""
    precision: Precision = Precision.FLOAT32
    strategy: Strategy = Strategy.NONE
    deterministic: bool = True
    """Ask TensorFlow for operations that give the same bits in each run."""
    seed: int = 0
    """Chooses the pinned weights, draws and gradient directions."""
    known_paths: frozenset[str] | None = None
    """Attribute paths of layers, variables and modules that the other version has right after construction
    too: their weights are numbered by path. None: number by the subject's own paths (the before-arm)."""
    lift_lock: bool = False
    """Keras 3: let built layers take new state, so that a lazy original has a reference run at all."""
    as_written: bool = False
    """Eager mode: trace the code's own tf.functions instead of running them eagerly too. Weights that are made inside a
    first trace are baked into it. Only the stages that can show it are run."""
    stream: bool = False
    """With ``as_written``: make all calls, and count how often the code's own tf.functions are traced by them."""
    learned: Mapping[str, str] = field(default_factory=dict)
    """Names of variables, from an ``Observation.late``."""
    fresh_each_call: bool = False
    """Set all variables back before each call (``Claim.first_call_only``): what one call leaves behind is not
    compared."""
    scratch: frozenset[str] = frozenset()
    """Names of variables that are scratch space (``Observation.scratch``): they keep their own first values, and do not
    count."""
    across: bool = False
    """Compared with a run in the other Keras flavour: tell layers apart by class alone, not by configuration."""
    trains_and_saves: bool = False
    """Eager mode: check the version's own properties after the stages (``Claim.trains_and_saves``)."""
    fits: bool = False
    """Eager mode: train with Keras's ``fit``, eagerly too, as the reference for ``Mode.FIT`` (``Observation.fit``)."""
    numbers: tuple[int, ...] = ()
    """Places of draws that the tree's text is marked with (``sites.numbered``)."""
    changed_lines: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Absolute path -> the lines (from 1) of this version that the rewrite touched: were they run?"""


@dataclass(frozen=True, slots=True)
class Finished:
    """The entry function returned. ``wrote``: files that it left in its scratch folder, as the code calls them."""

    value: Any
    seconds: float
    stdout: str
    stderr: str
    wrote: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Raised:
    """The entry function raised, or user code called ``sys.exit``. ``message`` is str(exception)."""

    type: str
    message: str
    traceback: str
    seconds: float
    stdout: str
    stderr: str
    wrote: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The process was killed from outside because its time was over."""

    limit_s: float
    seconds: float
    stdout: str
    stderr: str
    wrote: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Killed:
    """The process ended without a result: by a signal (``SIGSEGV``, ``SIGABRT`` from XLA), or by
    ``os._exit``."""

    signal: str
    """Name of the signal, or ``exit N``."""
    seconds: float
    stdout: str
    stderr: str
    wrote: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """An allocation failed under the cap, or the kernel killed the process for memory."""

    limit_mb: int
    message: str
    seconds: float
    stdout: str
    stderr: str
    wrote: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportFailed:
    """The user's module, TensorFlow or the Keras flavour cannot be imported; ``message`` says what to do."""

    message: str
    traceback: str
    seconds: float
    stdout: str
    stderr: str
    wrote: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CannotBuildOutcome:
    """The case does not give a callable with inputs (``worker.subject.CannotBuild``); ``message`` is its
    sentence."""

    message: str
    traceback: str
    seconds: float
    stdout: str
    stderr: str
    wrote: tuple[str, ...] = ()


Outcome: TypeAlias = Finished | Raised | TimedOut | Killed | OutOfMemory | ImportFailed | CannotBuildOutcome


@dataclass(frozen=True, slots=True)
class Reference:
    """What the original does in the other flavour."""

    keras: str
    observation: Observation | None
    """None: it does not run there either, or there is no such flavour."""
    rewritten: Observation | None = None
    """The rewritten code, run eagerly there too: tells what the flavours do differently from what the rewrite does."""
    problem: str = ""
    """Why there is no observation, as a sentence."""


@dataclass(frozen=True, slots=True)
class ArmResult:
    """What came of one arm: an observation, or the way in which the process failed (``outcome``, never
    Finished then)."""

    version: Version
    mode: Mode
    device: str
    observation: Observation | None
    outcome: Outcome
    lock_lifted: bool = False
    """The observation was made with Keras 3's state lock lifted; ``locked`` is what happens without that."""
    locked: Observation | None = None
    second: Reference | None = None
    """The original, which does not run eagerly here, in the other Keras flavour."""
    as_written: Observation | None = None
    """The original's calls with its own tf.functions traced (``ArmJob.stream``)."""
    repeat: Observation | None = None
    """A second run of the same arm, made when something differs: do two runs of the same code agree?"""


@dataclass(frozen=True, slots=True)
class Check:
    """One rewrite to prove with one case."""

    case: Case
    before: CodeTree
    after: CodeTree
    claim: Claim
    changed_before: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Absolute path -> lines of the old text that the rewrite replaces or removes. Both empty: coverage is
    not asked."""
    changed_after: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Absolute path -> lines of the new text that the rewrite wrote."""
    numbers: tuple[int, ...] = ()
    """Places of draws that the trees' texts are marked with; :func:`tfmigrate.verify.arms.prove` does that."""
    scratch: frozenset[str] = frozenset()
    """Scratch variables of the original that the rewritten code does without; also found out by ``prove``."""
    across: bool = False
    """The reference is the original in the other Keras flavour; also found out by ``prove``."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How arms are run."""

    keras: str = "3"
    modes: tuple[Mode, ...] = RUNNING
    device: str = "CPU"
    precision: Precision = Precision.FLOAT32
    strategy: Strategy = Strategy.NONE
    seed: int = 0
    timeout_s: float = 120.0
    """Wall-clock seconds for one arm."""
    memory_mb: int = 4096
    """Address space that one arm may take on top of what TensorFlow took at import. 0: no cap."""
