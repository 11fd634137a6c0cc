"""How the traced functions of a file are entered: whether AutoGraph converts them, who else calls them, what they get."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from tfmigrate.blocked import Blocked
from tfmigrate.project.index import Kind
from tfmigrate.unit import Unit

_AUTOGRAPH = ("tf.function", "dataset")
_GRAPH_DECORATORS = ("tensorflow.function", "tensorflow.compat.v2.function", "functools.partial")
_METHODS = ("keras-call", "keras-step", "keras-metric", "keras-loss", "keras-optimizer")
_KERAS_METHODS = ("call", "train_step", "test_step", "predict_step")


@dataclass
class Entries:
    """Answers for one file."""

    unit: Unit

    @cached_property
    def returning(self) -> frozenset[int]:
        """Ids of functions whose results become tensors whatever they are."""
        return frozenset(
            id(self.unit.functions[symbol])
            for symbol, trace in self.unit.traced.items()
            if symbol in self.unit.functions and trace.root in _AUTOGRAPH and len(trace.chain) == 1
        )

    @cached_property
    def tensor_parameters(self) -> frozenset[int]:
        """Ids of parameters that TensorFlow or Keras passes tensors for."""
        found: set[int] = set()
        for symbol, trace in self.unit.traced.items():
            function = self.unit.functions.get(symbol)
            if function is None or len(trace.chain) != 1:
                continue
            args = function.args
            plain = [*args.posonlyargs, *args.args]
            required = plain[: len(plain) - len(args.defaults)]
            if trace.root == "tf.function" and "input_signature" in self.decorators(symbol):
                method = isinstance(self.unit.names.parent(function), ast.ClassDef)
                found.update(id(arg) for arg in required[method:])
            elif trace.root == "dataset":
                found.update(id(arg) for arg in required)
            elif trace.root in ("keras-call", "keras-step"):
                found.update(id(arg) for arg in required[1:2])
            elif trace.root in ("keras-loss", "keras-metric"):
                first = 1 if isinstance(self.unit.names.parent(function), ast.ClassDef) else 0
                found.update(id(arg) for arg in required[first : first + 2])
        return frozenset(found)

    def has_autograph(self, symbol: str) -> bool:
        """Whether AutoGraph certainly converts the function, however it is entered."""
        trace = self.unit.traced[symbol]
        if trace.root not in _AUTOGRAPH or any("AutoGraph does not convert" in why for why in trace.chain):
            return False
        if isinstance(self.unit.functions[symbol], ast.Lambda) or "autograph=False" in self.decorators(
            symbol
        ):
            return False
        if len(trace.chain) == 1 and "function" in self.decorators(symbol) and not self.is_wrapped(symbol):
            return True  # Its own tf.function converts it, whoever calls it (measured with Keras 3.15, too).
        return not self.is_called_by_keras(symbol)

    def is_wrapped(self, symbol: str) -> bool:
        """Whether a function of the project's own applies tf.function, who knows how."""
        function = self.unit.functions[symbol]
        decorators = [] if isinstance(function, ast.Lambda) else function.decorator_list
        asked = "autograph=True" in self.decorators(symbol)
        names = [
            self.unit.names.qualified(one.func if isinstance(one, ast.Call) else one) for one in decorators
        ]
        return not asked and not any(name in _GRAPH_DECORATORS for name in names)

    def is_called_by_keras(self, symbol: str) -> bool:
        """Whether Keras's ``call`` or ``train_step`` can lead here too."""
        index = self.unit.index
        seen, todo = set[str](), [self.unit.qualified(symbol)]
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            facts = index.function_facts(name)
            if facts is not None and facts.name in _KERAS_METHODS and facts.owner:
                kind = index.kind(f"{facts.module}.{facts.owner}")
                if kind in (Kind.LAYER, Kind.MODEL, Kind.UNKNOWN):
                    return True
            todo.extend(caller.function for caller in index.callers(name))
        return False

    def is_compiled(self, symbol: str) -> bool:
        """Whether XLA is asked to compile the function."""
        may_compile = self.unit.traced[symbol].root != "dataset"
        return may_compile and ("jit_compile" in self.unit.text or "experimental_compile" in self.unit.text)

    def may_be_compiled(self, symbol: str) -> bool:
        """Whether Keras compiles the function with XLA where there is a GPU; perhaps, where it is unknown who calls it."""
        return self.unit.traced[symbol].root in (*_METHODS, "declared")

    def is_never_compiled(self, symbol: str) -> bool:
        """Whether the function runs in data pipelines only, which XLA does not compile."""
        return self.unit.traced[symbol].root == "dataset" and not self.is_called_by_keras(symbol)

    def decorators(self, symbol: str) -> str:
        function = self.unit.functions[symbol]
        if isinstance(function, ast.Lambda):
            return ""
        return " ".join(ast.unparse(decorator) for decorator in function.decorator_list)

    def blocked(self, symbol: str) -> Blocked | None:
        """Why the function may run outside of a graph too."""
        trace = self.unit.traced[symbol]
        if trace.root == "unknown-base":
            return Blocked("maybe-traced")
        if any("asks for eager execution" in why for why in trace.chain):
            return Blocked("runs-eagerly")
        if len(trace.chain) == 1 and (trace.root in _METHODS or self.decorators(symbol)):
            return None
        index = self.unit.index
        for caller in index.callers(self.unit.qualified(symbol)):
            if not caller.is_call or not caller.is_certain:
                continue
            facts = index.function_facts(caller.function)
            if facts is None or facts.qualname not in index.traced(caller.path):
                return Blocked("also-runs-untraced", f"{caller.path}:{caller.line}")
        return None
