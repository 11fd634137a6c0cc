"""Finds arguments with which unknown code runs, by trying the guesses of synthesis.py eagerly.

The first guess wins that runs on calls with two batch sizes and whose output is neither empty, nor constant,
nor without dependence on the input. Keras 3's state lock is lifted for the probe: originals make layers in
``call``."""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

from tfmigrate.verify.probes import Probed, ProbeJob
from tfmigrate.verify.recipes import (
    CallSpec,
    DeclaredRecipe,
    ExampleInputsRecipe,
    Structure,
    Tensor,
    bind_call,
    dim_names,
    tensors,
)
from tfmigrate.verify.sites import marked
from tfmigrate.verify.synthesis import (
    init_candidates,
    read_shape,
    size_hints,
)
from tfmigrate.verify.worker import drawing
from tfmigrate.verify.worker.drawing import ENDS
from tfmigrate.verify.worker.overlay import find_module_file
from tfmigrate.verify.worker.signatures import (
    default_sizes,
    is_users,
    parameters_of,
    source_of,
    templates,
)
from tfmigrate.verify.worker.streams import Ends
from tfmigrate.verify.worker.subject import (
    CannotBuild,
    bound_method,
    build,
    build_call,
    find_object,
    import_module,
    install_tree,
    last_line,
)

BUDGET_S = 30.0
"""Seconds after which no further guess is started."""
MOST = 120
"""Guesses that are tried."""
METHODS = ("call", "forward", "predict", "step", "__call__")
_DIMS = (
    ({"b": 2, "t": 5}, {"b": 3, "t": 7}, {"b": 2, "t": 5}),
    ({"b": 2, "t": 5}, {"b": 3, "t": 5}, {"b": 2, "t": 5}),
    ({"b": 2, "t": 12}, {"b": 3, "t": 12}, {"b": 2, "t": 12}),
    ({"b": 2, "t": 5}, {"b": 2, "t": 5}, {"b": 2, "t": 5}),
)


def run_probe(job: ProbeJob) -> Probed:
    """Entry for the zygote.

    Raises:
        SubjectImportError: the user's module cannot be imported.
    """
    name = job.case.symbol.partition(":")[0]
    file = find_module_file(job.tree, name)
    tree = marked(job.tree, os.path.realpath(file[0])) if file is not None else job.tree
    drawing.install()
    install_tree(tree)
    module = import_module(name, tree)
    _lift_lock()
    try:
        if isinstance(job.case.recipe, ExampleInputsRecipe):
            cls, _ = find_object(job.case.symbol, module)
            with _quiet():
                return Probed(replace(job.case.recipe, init_kwargs=construct(cls)[1]))
        return Probed(guess(job.case.symbol, module, tree is not job.tree))
    except CannotBuild as error:
        return Probed(None, str(error))


def guess(symbol: str, module: ModuleType, drawn: bool = False) -> DeclaredRecipe:
    """Constructor arguments and calls with which ``symbol`` runs; ``drawn``: whatever its marked draws give.

    Raises:
        CannotBuild: none was found; the message says how far it came.
    """
    found, holder = find_object(symbol, module)
    deadline = time.monotonic() + BUDGET_S
    attempts = _Attempts(deadline, drawn)
    with _quiet():
        if inspect.isclass(found) or holder is not None:
            method = symbol.rpartition(".")[2] if holder is not None else ""
            return _guess_class(holder or found, method, attempts)
        for template in templates(found, read_shape(source_of(found)), ()):
            calls = attempts.run(lambda: found, template)
            if calls:
                return DeclaredRecipe(calls=calls)
    raise CannotBuild(attempts.reason())


def construct(cls: type) -> tuple[Any, dict[str, Structure]]:
    """An instance, made with the first guess that the constructor takes, and that guess.

    Raises:
        CannotBuild: no guess fits.
    """
    reasons: list[str] = []
    for _, kwargs, instance in _instances(cls, reasons):
        return instance, kwargs
    raise CannotBuild(_not_constructed(cls, reasons))


def _not_constructed(cls: type, reasons: list[str]) -> str:
    if reasons:
        return f"{cls.__name__} is made with none of the guessed arguments; the last said {reasons[-1]}"
    names = [p.name for p in parameters_of(cls.__init__) if p.required]  # type: ignore[misc]
    return f"no value can be guessed for the constructor of {cls.__name__}: {', '.join(names)}"


def _instances(
    cls: type, reasons: list[str]
) -> Iterator[tuple[Callable[[], Any], dict[str, Structure], Any]]:
    if inspect.isabstract(cls):
        reasons.append(f"{cls.__name__} is abstract")
        return
    for kwargs in init_candidates(parameters_of(cls.__init__)):  # type: ignore[misc]

        def make(kwargs: Mapping[str, Structure] = kwargs) -> Any:
            return cls(**{name: build(value, f"init.{name}", 0) for name, value in kwargs.items()})

        try:
            instance = make()
        except Exception as error:
            reasons.append(last_line(error))
            continue
        yield make, kwargs, instance


def _guess_class(cls: type, method: str, attempts: _Attempts) -> DeclaredRecipe:
    reasons: list[str] = []
    source = "\n".join(source_of(base) for base in cls.__mro__ if is_users(base))
    defaults = default_sizes(cls.__init__)  # type: ignore[misc]
    constructed = 0
    for make, kwargs, instance in _instances(cls, reasons):
        constructed += 1
        for name in [method] if method else _methods(cls, instance):
            function = getattr(cls, "call" if name == "" and hasattr(cls, "call") else name or "__call__")
            shape = read_shape(source_of(function))
            shape = replace(shape, words=shape.words | read_shape(source).words)
            sizes = (*size_hints(kwargs), *defaults)
            for template in templates(function, shape, sizes, instance, skip_self=True):
                calls = attempts.run(_bound(make, name), template)
                if calls:
                    return DeclaredRecipe((), kwargs, calls, name)
        if attempts.over():
            break
    if not constructed:
        raise CannotBuild(_not_constructed(cls, reasons))
    raise CannotBuild(attempts.reason())


def _bound(make: Callable[[], Any], method: str) -> Callable[[], Any]:
    return (lambda: bound_method(make(), method)) if method else make


def _methods(cls: type, instance: Any) -> list[str]:
    """What to call: the object itself (""), or methods of a class without ``__call__``."""
    if callable(instance):
        return [""]
    return [name for name in METHODS if callable(getattr(cls, name, None))] + [
        name
        for name, value in vars(cls).items()
        if hasattr(value, "get_concrete_function") or hasattr(value, "python_function")
    ]


class _Attempts:
    """Runs templates of calls and remembers how the last one failed."""

    def __init__(self, deadline: float, drawn: bool) -> None:
        self._deadline = deadline
        self._drawn = drawn
        self._count = 0
        self._constant = 0
        self._last = ""

    def over(self) -> bool:
        return time.monotonic() > self._deadline or self._count >= MOST or self._constant >= 6

    def reason(self) -> str:
        if not self._count:
            return "no inputs can be guessed"
        return f"none of {self._count} guessed inputs runs; the last said {self._last}"

    def run(self, make: Callable[[], Any], template: CallSpec) -> tuple[CallSpec, ...]:
        """The calls of ``template`` that run, or none. ``make`` gives the callable."""
        if self.over():
            return ()
        self._count += 1
        ranges = ((None, None), (0.1, 1.0)) if _has_floats(template) else ((None, None),)
        for low, high in ranges:
            ranged = _ranged(template, low, high)
            first = bind_call(ranged, {name: _DIMS[0][0].get(name, 4) for name in dim_names(ranged)})
            problem = self._problem(make, (first,))
            if problem.startswith("!"):
                self._last = problem[1:]
                if "NaN" in problem:
                    continue
                return self._with_fixed_length(make, ranged)
            if self._drawn and (problem := self._ends(make, first)):
                self._last = problem
                return ()
            for sizes in _DIMS:
                calls = tuple(bind_call(ranged, size) for size in sizes)
                problem = self._problem(make, calls)
                if not problem:
                    return calls
            self._constant += not problem.startswith("!")
            self._last = problem.lstrip("!")
        return ()

    def _with_fixed_length(self, make: Callable[[], Any], template: CallSpec) -> tuple[CallSpec, ...]:
        """A length other than 5 may be asked for by the constructor's arguments (``seq_len=12``)."""
        if "t" not in dim_names(template):
            return ()
        calls = tuple(bind_call(template, size) for size in _DIMS[2])
        return () if self._problem(make, calls) else calls

    def _problem(self, make: Callable[[], Any], calls: tuple[CallSpec, ...]) -> str:
        """Why these calls are not to be believed; "" if they are. "!" before it: they do not run."""
        import numpy as np
        import tensorflow as tf

        outputs = []
        try:
            tf.keras.utils.set_random_seed(1)
            target = make()
            for number, call in enumerate(calls):
                tf.keras.utils.set_random_seed(1)
                built = build_call(call, number)
                outputs.append(_arrays(target(*built.args, **built.kwargs)))
        except Exception as error:
            return "!" + last_line(error)[:200]
        if not any(array.size for array in outputs[0]):
            return "the output is empty"
        if any(np.isnan(array).any() for array in outputs[0] if array.dtype.kind in "fc"):
            return "!the output is NaN"
        if len(calls) < 2:
            return ""
        first, last = outputs[0], outputs[-1]  # Of equal shapes, with other values.
        alike = len(first) == len(last) and all(map(_equal, first, last))
        return "the output does not depend on the input" if alike else ""

    def _ends(self, make: Callable[[], Any], call: CallSpec) -> str:
        """Why this call is not to be believed where draws decide: it must run with the largest and the smallest ones.

        Whether arms of a branch fit each other shows in the shape of the output; some are for training only.
        """
        target = make()
        takes_training = "training" in inspect.signature(getattr(target, "call", target)).parameters
        for more in ({}, {"training": True}) if takes_training else ({},):
            shapes = []
            for largest in (False, True):
                token = ENDS.set(Ends(largest))
                try:
                    target, built = make(), build_call(call, 0)
                    output = target(*built.args, **{**built.kwargs, **more})
                    shapes.append([array.shape for array in _arrays(output)])
                except Exception as error:
                    return last_line(error)[:200]
                finally:
                    ENDS.reset(token)
            if shapes[0] != shapes[1]:
                return "the shape of the output depends on a draw"
        return ""


def _arrays(value: Any) -> list[Any]:
    """Arrays of a (nested) output; what is no number counts not at all."""
    import numpy as np
    import tensorflow as tf

    found = []
    for leaf in tf.nest.flatten(value, expand_composites=True):
        if leaf is None or isinstance(leaf, (str, bytes)):
            continue
        array = np.asarray(leaf)
        if array.dtype.kind == "V":
            array = array.astype(np.float32)
        if array.dtype.kind in "fciubSO" and array.size:
            found.append(array)
    return found


def _equal(left: Any, right: Any) -> bool:
    import numpy as np

    return bool(left.shape == right.shape and np.array_equal(left, right))


def _has_floats(template: CallSpec) -> bool:
    return any(
        tensor.dtype.startswith("float") and tensor.low is None
        for tensor in tensors((*template.args, *template.kwargs.values()))
    )


def _ranged(template: CallSpec, low: float | None, high: float | None) -> CallSpec:
    """``template`` with this range for its floats."""

    def ranged(structure: Structure) -> Structure:
        if isinstance(structure, Tensor) and structure.dtype.startswith("float") and structure.low is None:
            return replace(structure, low=low, high=high)
        if isinstance(structure, dict):
            return {key: ranged(value) for key, value in structure.items()}
        if isinstance(structure, list):
            return [ranged(value) for value in structure]
        if isinstance(structure, tuple):
            return tuple(ranged(value) for value in structure)
        return structure

    return CallSpec(
        tuple(ranged(value) for value in template.args),
        {name: ranged(value) for name, value in template.kwargs.items()},
    )


# -- Keras and output ----------------------------------------------------------------------------------------


def _lift_lock() -> None:
    """Keras 3: let built layers take new state. A private name; where it is missing, nothing is lifted."""
    try:
        from keras.src.layers.layer import Layer
    except ImportError:
        return
    if hasattr(Layer, "_lock_state"):
        Layer._lock_state = lambda self: None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What the tried code prints is of no interest."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield
