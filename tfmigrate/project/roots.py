"""Where graphs begin: the methods that Keras traces, ``tf.function``, and functions given to TensorFlow to call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from tfmigrate.project import records as r
from tfmigrate.project.classes import ClassTable, Place
from tfmigrate.project.keras import Kind
from tfmigrate.project.resolve import Resolver, View
from tfmigrate.project.targets import Targets

UNKNOWN_BASE = "unknown-base"
DECLARED = "declared"
CUT = frozenset(("py_function", "numpy_function", "py_func", "eager_py_func", "from_generator"))
"""Last parts of callees whose callbacks run outside of the graph."""

_OPTIMIZER_STEPS = ("update_step", "_resource_apply_dense", "_resource_apply_sparse")
_KERAS_STEPS = ("train_step", "test_step", "predict_step")
_FIRST = frozenset(("0", "fn", "f", "func", "function", "step_function", "elems_fn"))
_BRANCHES = frozenset(("1", "2", "true_fn", "false_fn", "fn1", "fn2", "then_expression", "else_expression"))
_ALL: frozenset[str] = frozenset()

_CALLBACKS: Mapping[str, tuple[str, frozenset[str]]] = {
    "tensorflow.function": ("tf.function", _FIRST),
    "keras.layers.Lambda": ("lambda-layer", _FIRST),
    **{
        f"tensorflow.{n}": ("tensorflow-callback", _FIRST)
        for n in ["map_fn", "scan", "vectorized_map", "foldl", "foldr"]
    },
    "tensorflow.custom_gradient": ("tensorflow-callback", _FIRST),
    "tensorflow.recompute_grad": ("tensorflow-callback", _FIRST),
    "tensorflow.while_loop": ("tensorflow-callback", frozenset(("0", "1", "cond", "body"))),
    "tensorflow.cond": ("tensorflow-callback", _BRANCHES),
    "tensorflow.case": ("tensorflow-callback", _ALL),
    "tensorflow.switch_case": ("tensorflow-callback", frozenset(("1", "branch_fns", "2", "default"))),
    **{
        f"keras.ops.{n}": ("tensorflow-callback", _FIRST)
        for n in ["map", "scan", "vectorized_map", "associative_scan"]
    },
    "keras.ops.cond": ("tensorflow-callback", _BRANCHES),
    "keras.ops.while_loop": ("tensorflow-callback", frozenset(("0", "1", "cond", "body"))),
    "keras.ops.fori_loop": ("tensorflow-callback", frozenset(("2", "body_fun"))),
    "keras.ops.switch": ("tensorflow-callback", frozenset(("1", "branches"))),
    **{f"keras.backend.{n}": ("tensorflow-callback", _FIRST) for n in ["map_fn", "rnn", "foldl", "foldr"]},
    **{
        f"tensorflow.data.experimental.{n}": ("dataset", _ALL)
        for n in [
            "map_and_batch",
            "parallel_interleave",
            "group_by_window",
            "bucket_by_sequence_length",
            "scan",
            "take_while",
        ]
    },
}
"""Canonical callee -> (root, positions and keywords of the callbacks; none given means all)."""

_DATASET_METHODS = frozenset(
    [
        "map",
        "filter",
        "flat_map",
        "interleave",
        "reduce",
        "scan",
        "take_while",
        "group_by_window",
        "bucket_by_sequence_length",
    ]
)
_STRATEGY_METHODS = frozenset(("run", "experimental_run_v2", "call_for_each_replica"))
_LAST_PARTS = frozenset(name.rpartition(".")[2] for name in _CALLBACKS)
_DATASET_NAME = re.compile(r"(^|_)(ds|dataset)(\d|_|$)|dataset$", re.IGNORECASE)
_TEST_FILE = re.compile(r"(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$")
_FOREIGN_DATASETS = frozenset(("datasets", "torch", "apache_beam", "pyspark", "ray", "jax"))


@dataclass(frozen=True, slots=True)
class Root:
    place: Place
    kind: str
    why: str


def is_test_file(path: str) -> bool:
    """Whether a file is a test by its name; tests are no roots, whatever is in them."""
    return _TEST_FILE.search(path) is not None


def is_named(pattern: str, module: str, qualname: str) -> bool:
    """Whether a pattern (``train_step``, ``Net.penalty``, ``pkg.net:Net.*``) means the function."""
    of_module, has_module, name = pattern.rpartition(":")
    if has_module and not fnmatchcase(module, of_module):
        return False
    return fnmatchcase(qualname, name) or ("." not in name and fnmatchcase(qualname.rpartition(".")[2], name))


@dataclass(slots=True)
class Roots:
    """Finds the roots of each file."""

    resolver: Resolver
    classes: ClassTable
    targets: Targets
    declared: tuple[str, ...] = ()
    """Patterns of functions that the user says are traced."""
    wrappers: dict[str, bool] = field(default_factory=dict)

    def of_file(self, view: View, path: str) -> Iterator[Root]:
        """All roots that a file names; those of callbacks can lie in other files."""
        for owner in view.classes.values():
            yield from self.of_class(view, owner)
        for functions in view.functions.values():
            for function in functions:
                if function.decorators:
                    yield from self.of_decorators(view, function)
                for pattern in self.declared:
                    if is_named(pattern, view.name, function.qualname):
                        why = f"{function.qualname}: said to run inside a graph (traced = {pattern!r})"
                        yield Root((view.name, function.qualname), DECLARED, why)
                for call in function.calls:
                    if call.references or call.callee.endswith("()"):
                        yield from self.of_call(view, path, function, call)

    def of_class(self, view: View, owner: r.ClassRecord) -> Iterator[Root]:
        qualified = f"{view.name}.{owner.qualname}"
        for name, root, why in self.graph_methods(qualified, owner):
            yield Root((view.name, owner.methods[name]), root, f"{owner.methods[name]}: {why}")
        if "call" not in owner.methods:
            yield from self.of_mixin(qualified)

    def of_mixin(self, qualified: str) -> Iterator[Root]:
        """``call`` of a class that is itself no layer, mixed into one."""
        if self.classes.kind(qualified) not in (Kind.LAYER, Kind.MODEL):
            return
        for base in self.classes.mro(qualified)[1:]:
            place = self.classes.defined(base, "call")
            if place is not None:
                if self.classes.kind(base) is Kind.NONE:
                    last = qualified.rpartition(".")[2]
                    yield Root(place, "keras-call", f"{place[1]}: Keras calls it inside a graph, in {last}")
                return
            if self.classes.record(base) is None and base != "builtins.object":
                return

    def graph_methods(self, qualified: str, owner: r.ClassRecord) -> Iterator[tuple[str, str, str]]:
        methods = owner.methods
        if not methods:
            return
        kind = self.classes.kind(qualified)
        if kind in (Kind.LAYER, Kind.MODEL):
            if "call" in methods:
                yield "call", "keras-call", "Keras calls it inside a graph"
            if kind is Kind.MODEL:
                for name in _KERAS_STEPS:
                    if name in methods:
                        yield name, "keras-step", "Keras traces it in fit, evaluate or predict"
        elif kind is Kind.UNKNOWN:
            for name in ("call", *_KERAS_STEPS):
                if name in methods:
                    yield name, UNKNOWN_BASE, f"a base of {owner.qualname} cannot be seen; if it is Keras's, this is traced"
        mro = self.classes.mro(qualified)
        if any(base.startswith("keras.metrics.") for base in mro):
            for name in ("update_state", "result"):
                if name in methods:
                    yield name, "keras-metric", "Keras calls it inside a graph in fit and evaluate"
        if any(base.startswith("keras.optimizers.") for base in mro):
            for name in _OPTIMIZER_STEPS:
                if name in methods:
                    yield name, "keras-optimizer", "Keras traces it in fit"
        if "call" in methods and any(base.startswith("keras.losses.") for base in mro):
            yield "call", "keras-loss", "Keras calls it inside a graph in fit and evaluate"

    # tf.function and other decorators

    def of_decorators(self, view: View, function: r.FunctionRecord) -> Iterator[Root]:
        for decorator in function.decorators:
            name = self.decorator_name(view, function, decorator)
            if name is None:
                continue
            if self.is_graph_function(name):
                why = f"{function.qualname}: decorated with {decorator.dotted}"
                yield Root((view.name, function.qualname), "tf.function", why)
            elif name in _CALLBACKS and "0" in _CALLBACKS[name][1]:
                why = f"{function.qualname}: decorated with {decorator.dotted}"
                yield Root((view.name, function.qualname), _CALLBACKS[name][0], why)

    def decorator_name(
        self, view: View, function: r.FunctionRecord, decorator: r.DecoratorRecord
    ) -> str | None:
        """What a decorator applies: the canonical name, ``functools.partial`` seen through."""
        name = self.resolver.resolve_in(view, decorator.dotted, function.parent)
        if name == "functools.partial" and decorator.references:
            return self.plain(self.resolver.resolve_in(view, decorator.references[0], function.parent))
        if name is None:
            return self.partially_applied(view, decorator.dotted, function.parent)
        return self.plain(name)

    def partially_applied(self, view: View, dotted: str, scope: str) -> str | None:
        """``graph = functools.partial(tf.function, ...)``, ``graph = tf.function(jit_compile=True)``."""
        if "." in dotted:
            return None
        holder = view.functions.get(scope)
        bindings = (holder[-1].bindings if holder and scope else view.record.bindings).get(dotted)
        if not bindings and scope:
            bindings = view.record.bindings.get(dotted)
        for kind, text, _ in bindings or ():
            if kind in (r.PARTIAL, r.RESULT):
                return self.plain(self.resolver.resolve_in(view, text, scope))
        return None

    @staticmethod
    def plain(name: str | None) -> str | None:
        return name.replace("tensorflow.compat.v1.", "tensorflow.") if name is not None else None

    def is_graph_function(self, name: str) -> bool:
        """``tf.function`` itself, or a project function that applies it (``common.function``)."""
        if name == "tensorflow.function" or name.endswith(("contrib.eager.defun", "contrib.eager.function")):
            return True
        if name.startswith("tf_agents.") and name.rpartition(".")[2] in ("function", "function_in_tf1"):
            return True
        if name not in self.wrappers:
            self.wrappers[name] = False  # cuts cycles
            self.wrappers[name] = self.applies_function(name)
        return self.wrappers[name]

    def applies_function(self, name: str) -> bool:
        place = self.resolver.split(name)
        view = self.resolver.view(place[0]) if place is not None else None
        if place is None or view is None:
            return False
        waiting = list(view.functions.get(place[1], ()))
        while waiting:
            function = waiting.pop()
            for nested in function.nested:
                waiting.extend(view.functions.get(nested, ()))
            for call in function.calls:
                if "function" in call.callee:
                    callee = self.resolver.resolve_in(view, call.callee.removesuffix("()"), function.qualname)
                    if callee is not None and self.is_graph_function(callee):
                        return True
        return False

    # Functions given to TensorFlow

    def of_call(
        self, view: View, path: str, function: r.FunctionRecord, call: r.CallRecord
    ) -> Iterator[Root]:
        last = call.callee.rpartition(".")[2]
        found: tuple[str, frozenset[str]] | None = None
        if last in _LAST_PARTS or last.endswith("()") or "function" in last:
            found = self.named_callback(view, function, call.callee)
        if found is None and last in _DATASET_METHODS and self.is_dataset(view, function, call):
            found = ("dataset", _ALL)
        elif found is None and last in _STRATEGY_METHODS and self.is_strategy(call.callee):
            found = ("strategy.run", _FIRST)
        elif found is None and last == "compile" and self.uses_tensorflow(view):
            found = ("keras-loss", frozenset(("loss",)))
        if found is None:
            return
        root, keys = found
        for key, text in call.references:
            if not keys or key in keys:
                for place in self.targets.of(view, function, text):
                    why = f"{place[1]}: given to {call.callee.removesuffix('()')}, {path}:{call.line}"
                    yield Root(place, root, why)

    def named_callback(
        self, view: View, function: r.FunctionRecord, callee: str
    ) -> tuple[str, frozenset[str]] | None:
        name = self.resolver.resolve_in(view, callee.removesuffix("()"), function.qualname)
        if name is None:
            return None
        name = self.plain(name) or name
        if callee.endswith("()"):
            return ("tf.function", _FIRST) if self.is_graph_function(name) else None
        if name in _CALLBACKS:
            return _CALLBACKS[name]
        return ("tf.function", _FIRST) if "function" in callee and self.is_graph_function(name) else None

    def is_dataset(self, view: View, function: r.FunctionRecord, call: r.CallRecord) -> bool:
        receiver = call.callee.rpartition(".")[0]
        if not receiver:
            return False
        name = self.resolver.resolve_in(view, receiver.replace("()", ""), function.qualname)
        if name is not None:
            return name.startswith("tensorflow.data.")
        if not self.uses_tensorflow(view):
            return False
        if "num_parallel_calls" in call.keywords:
            return True
        head = receiver.partition(".")[0]
        holder = self.targets.holder(view, function, head)
        for kind, text, _ in holder.bindings[head] if holder is not None else ():
            made_by = (
                self.resolver.resolve_in(view, text.replace("()", ""), function.qualname)
                if kind == r.RESULT
                else None
            )
            if made_by is not None and made_by.startswith("tensorflow.data."):
                return True
        if any(
            root.partition(".")[0] in _FOREIGN_DATASETS for level, root in view.record.imports if not level
        ):
            return False
        return any(_DATASET_NAME.search(part) for part in receiver.replace("()", "").split("."))

    @staticmethod
    def is_strategy(callee: str) -> bool:
        receiver, _, method = callee.rpartition(".")
        return method != "run" or "strategy" in receiver.rpartition(".")[2].lower()

    @staticmethod
    def uses_tensorflow(view: View) -> bool:
        return any(
            module.partition(".")[0] in ("tensorflow", "keras", "tf_keras")
            or module.rpartition(".")[2] in ("tf", "keras")
            for _, module in view.record.imports
        )
