"""The functions of a file that ``tf.function`` decorates."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.project.index import Kind
from tfmigrate.syntax import dotted
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_NAMES = ("tensorflow.function", "tensorflow.compat.v2.function")
KERAS_METHODS = ("call", "train_step", "test_step", "predict_step", "__call__")


def is_tf_function(unit: Unit, node: ast.expr) -> bool:
    """Whether an expression names ``tf.function``."""
    return isinstance(node, ast.Name | ast.Attribute) and unit.names.qualified(node) in _NAMES


@dataclass(frozen=True, slots=True)
class GraphFunction:
    """One of them, decorated once and with nothing else."""

    symbol: str
    node: ast.FunctionDef
    decorator: ast.expr
    """``tf.function`` or the call of it."""
    owner: str
    """The qualname of the class whose method it is; empty for others."""

    @property
    def keywords(self) -> dict[str, ast.expr]:
        """The decorator's arguments."""
        if not isinstance(self.decorator, ast.Call):
            return {}
        return {keyword.arg: keyword.value for keyword in self.decorator.keywords if keyword.arg}

    @property
    def has_signature(self) -> bool:
        value = self.keywords.get("input_signature")
        return value is not None and not (isinstance(value, ast.Constant) and value.value is None)

    @property
    def is_relaxed(self) -> bool:
        return bool(self.keywords.keys() & {"reduce_retracing", "experimental_relax_shapes"})

    @property
    def parameters(self) -> list[ast.arg]:
        """The positional ones, without ``self``."""
        args = self.node.args
        plain = [*args.posonlyargs, *args.args]
        return plain[1:] if self.owner else plain

    @property
    def defaults(self) -> dict[str, ast.expr]:
        args = self.node.args
        plain = [*args.posonlyargs, *args.args]
        tail = plain[len(plain) - len(args.defaults) :]
        return {arg.arg: value for arg, value in zip(tail, args.defaults, strict=True)}

    @property
    def receiver(self) -> str:
        """What a method calls its instance."""
        args = self.node.args
        plain = [*args.posonlyargs, *args.args]
        return plain[0].arg if self.owner and plain else ""


def graph_functions(unit: Unit) -> Iterator[GraphFunction]:
    """In the order of the file's names. Left out: those with other decorators beside, whose effect is not known."""
    for symbol, trace in unit.traced.items():
        node = unit.functions.get(symbol)
        if len(trace.chain) != 1 or not isinstance(node, ast.FunctionDef) or symbol in unit.redefined:
            continue
        if len(node.decorator_list) != 1:
            continue
        decorator = node.decorator_list[0]
        name = decorator.func if isinstance(decorator, ast.Call) else decorator
        if not is_tf_function(unit, name):
            continue
        if isinstance(decorator, ast.Call) and (
            decorator.args or any(k.arg is None for k in decorator.keywords)
        ):
            continue
        parent = unit.names.parent(node)
        owner = unit.names.qualname(parent) if isinstance(parent, ast.ClassDef) else ""
        yield GraphFunction(symbol, node, decorator, owner)


def is_keras_method(unit: Unit, function: GraphFunction) -> bool:
    """Whether Keras calls it, with arguments of its own."""
    if function.node.name not in KERAS_METHODS or not function.owner:
        return False
    return unit.index.kind(unit.qualified(function.owner)) in (Kind.LAYER, Kind.MODEL, Kind.UNKNOWN)


def is_exported(unit: Unit, function: GraphFunction) -> bool:
    """Whether the function may be part of a SavedModel's interface."""
    if "saved_model" in unit.text or "get_concrete_function" in unit.text or ".export(" in unit.text:
        return True
    return bool(function.owner) and "tensorflow.Module" in unit.index.mro(unit.qualified(function.owner))


def is_keras_object(unit: Unit, text: str) -> bool:
    """A model, layer, loss or optimizer that is made in this file by a class of Keras, and nothing else of that name."""
    made = [
        node.value
        for node in walk(unit.tree)
        if isinstance(node, ast.Assign) and any(dotted(target) == text for target in node.targets)
    ]
    if not text or not made:
        return False
    names = [unit.names.qualified(one.func) if isinstance(one, ast.Call) else None for one in made]
    return all(name is not None and name.startswith("keras.") for name in names)
