"""The reading of :mod:`tfmigrate.draws.reading`, more careful where a dtype is to be written down."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from tfmigrate.draws import ops
from tfmigrate.draws.classes import assignments, method_of, receiver_of
from tfmigrate.draws.reading import Reader
from tfmigrate.draws.values import (
    UNKNOWN,
    Environment,
    Kind,
    Value,
    as_tensor_dtype,
    merge,
    number,
    tensor,
)
from tfmigrate.syntax import self_attribute

LAYER = "layer:"
"""Begins the dtype of what one of Keras's own layers returns."""
_POSITIONS: Mapping[str, int] = {
    "tensorflow.zeros": 1,
    "tensorflow.ones": 1,
    "tensorflow.zeros_like": 1,
    "tensorflow.ones_like": 1,
    "tensorflow.shape": 1,
    "tensorflow.size": 1,
    "tensorflow.argmax": 2,
    "tensorflow.argmin": 2,
    "tensorflow.math.argmax": 2,
    "tensorflow.math.argmin": 2,
    "tensorflow.eye": 3,
    "tensorflow.random.uniform": 3,
    "tensorflow.random.normal": 3,
    "tensorflow.random.truncated_normal": 3,
    "tensorflow.one_hot": 5,
}
"""Where operations take their result's dtype by position."""
_OF_SECOND = frozenset(("tensorflow.where", "tensorflow.einsum"))
_OF_PARTS = frozenset(("tensorflow.stack", "tensorflow.concat", "tensorflow.add_n"))


@dataclass(slots=True)
class ArrayReader(Reader):
    """Knows of Keras's own layers of what type their results are: their ``compute_dtype``, whatever comes in."""

    written: dict[str, str] = field(default_factory=dict)
    """Names that are written into arrays of a known dtype: they are of that dtype, or the code fails as it is."""
    of_graph: frozenset[int] = frozenset()
    """Ids of loops and branches of the graph: what they carry keeps its dtype, or the graph cannot be made."""
    _bodies: set[int] = field(default_factory=set)

    def statement(self, node: ast.stmt, env: Environment) -> None:
        if id(node) not in self.of_graph:
            Reader.statement(self, node, env)
            return
        if isinstance(node, ast.For | ast.While):
            self._bodies.add(id(node.body))
        kept = {name: value for name, value in env.items() if value.is_tensor and value.dtype}
        Reader.statement(self, node, env)
        for name, value in kept.items():
            if env[name].is_tensor and not env[name].dtype:
                env[name] = value

    def loop(self, targets: list[ast.expr], element: Value, body: list[ast.stmt], env: Environment) -> None:
        if id(body) not in self._bodies:
            Reader.loop(self, targets, element, body, env)
            return
        kept = {name: value for name, value in env.items() if value.is_tensor and value.dtype}
        for _ in range(2):
            inside = dict(env)
            for target in targets:
                self.bind(target, element, inside)
            self.block(body, inside)
            merge(env, [env, inside])
            env.update(kept)

    def bind(self, target: ast.expr, value: Value, env: Environment) -> None:
        if isinstance(target, ast.Name) and target.id in self.written and not value.dtype:
            value = tensor(self.written[target.id])
        Reader.bind(self, target, value, env)

    def evaluated(self, node: ast.expr, env: Environment) -> Value:
        value = Reader.evaluated(self, node, env)
        if isinstance(node, ast.BinOp) and value.is_tensor:
            one, other = self.reading.of(node.left), self.reading.of(node.right)
            return tensor(_dtype_of_two(one, other, value.dtype, node.op))
        return value

    def call(self, node: ast.Call, env: Environment) -> Value:
        value = Reader.call(self, node, env)
        if self.unit.names.qualified(node.func) == "builtins.range":
            return Value(items=(self.numbers(node),))
        if id(node) not in self.drawn and self.reading.of(node.func).kind is Kind.LAYER:
            return tensor(f"{LAYER}{ast.unparse(node.func)}.dtype") if self.is_kerass(node.func) else tensor()
        return value

    def numbers(self, node: ast.Call) -> Value:
        """The numbers of a range."""
        values = [self.reading.of(argument) for argument in node.args]
        dtypes = {value.dtype for value in values if value.is_tensor}
        is_known = all(value.is_tensor or (value.is_number and value.dtype == "int") for value in values)
        if not is_known or len(dtypes) > 1:
            return tensor() if dtypes else UNKNOWN
        return tensor(dtypes.pop()) if dtypes else number("int")

    def operation(self, name: str, node: ast.Call, first: Value, draws: frozenset[int]) -> Value:
        value = Reader.operation(self, name, node, first, draws)
        typed = next((keyword.value for keyword in node.keywords if keyword.arg == "out_type"), None)
        if typed is not None:
            return tensor(self.dtype_named(typed))
        position = _POSITIONS.get(name)
        if position is not None and len(node.args) > position:
            return tensor(self.dtype_named(node.args[position]))
        if name == "tensorflow.one_hot" and (
            len(node.args) > 2 or any(keyword.arg in ("on_value", "off_value") for keyword in node.keywords)
        ):
            return tensor()
        if name == "tensorflow.range" and not node.keywords:
            return tensor(as_tensor_dtype(self.numbers(node)))
        if name in _OF_SECOND and len(node.args) > 1:
            second = self.reading.of(node.args[1])
            return tensor(second.dtype if second.is_tensor else "")
        if name in _OF_PARTS and first.items:
            dtypes = {item.dtype if item.is_tensor else "" for item in first.items}
            return tensor(dtypes.pop() if len(dtypes) == 1 else "")
        return value

    def is_kerass(self, node: ast.expr) -> bool:
        """Whether the class makes this layer, and it is one of Keras's."""
        method = method_of(self.unit, node)
        attribute = self_attribute(node, receiver_of(method)) if method is not None else ""
        made = (
            [statement.value for _, statement in assignments(self.unit, node, attribute)] if attribute else []
        )
        names = [self.unit.names.qualified(call.func) for call in made if isinstance(call, ast.Call)]
        starts = ("keras.layers.", "tensorflow.keras.layers.", "tf_keras.layers.")
        return (
            bool(names) and len(names) == len(made) and all((name or "").startswith(starts) for name in names)
        )


def _dtype_of_two(one: Value, other: Value, dtype: str, operator: ast.operator) -> str:
    """TensorFlow's operators take two tensors of one dtype; a division makes a fraction of whole numbers."""
    tensors = [value.dtype for value in (one, other) if value.is_tensor and value.dtype]
    concrete = [name for name in tensors if not name.endswith(".dtype")]
    if concrete:
        dtype = concrete[0]
    if not isinstance(operator, ast.Div):
        return dtype
    is_fraction = ops.is_float(dtype) or dtype.startswith(LAYER)
    is_fraction |= any(value.is_number and value.dtype == "float" for value in (one, other))
    return dtype if is_fraction else ""
