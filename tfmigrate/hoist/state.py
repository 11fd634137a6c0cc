"""Find what traced code makes and owns: layers, variables, and other objects with variables in them."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate import tables
from tfmigrate.blocked import Blocked
from tfmigrate.hoist.context import Binding, Context, Kept, context_of
from tfmigrate.hoist.makers import is_disguised
from tfmigrate.project.index import Kind, ProjectIndex
from tfmigrate.syntax import FunctionNode, own_nodes, parameters, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_NEVER_FACTORIES = frozenset(
    {"call", "build", "__init__", "__call__", "train_step", "test_step", "predict_step"}
)


class State(enum.Enum):
    """What is made."""

    LAYER = "layer"
    STATELESS = "stateless layer"
    KEPT_LAYER = "layer kept on self"
    VARIABLE = "variable"
    WEIGHT = "weight"
    FACTORY = "factory"
    """A call of a method that makes a layer and returns it."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Found:
    """A place that makes state in traced code. ``name``: the local that a variable is bound to."""

    kind: State
    call: ast.Call
    symbol: str
    blocked: Blocked | None = None
    """Known to stay, whatever is around it."""
    name: str = ""


def makes_state(index: ProjectIndex, name: str) -> bool:
    """Whether calling what has this canonical name makes a layer or an object with variables."""
    return _is_layer(index, name) or bool(_state_of(name))


def found_state(unit: Unit, symbol: str, function: FunctionNode) -> Iterator[Found]:
    """Everything that ``function`` itself makes, nested functions aside.

    What a factory method makes counts where the factory is called: that decides how often, and overrides decide what.
    """
    if _is_factory(unit, function):
        return
    for call in own_nodes(function):
        if not isinstance(call, ast.Call):
            continue
        name = unit.names.qualified(call.func) or ""
        if _is_fallback(unit, function, call):
            continue
        if _calls_factory(unit, function, call):
            yield Found(State.FACTORY, call, symbol)
        elif _is_layer(unit.index, name):
            yield from _found_layer(unit, symbol, function, call, name)
        elif is_disguised(unit, function, call, lambda made: _is_layer(unit.index, made)):
            yield Found(State.LAYER, call, symbol, Blocked("class-not-named", ast.unparse(call.func)))
        elif isinstance(call.func, ast.Attribute) and call.func.attr in ("add_weight", "add_variable"):
            yield Found(State.WEIGHT, call, symbol)
        elif (state := _state_of(name)) and not _is_right_already(unit, function, call):
            if state == "a variable":
                yield _found_variable(unit, symbol, function, call)
            elif name.startswith(tables.MODEL_MODULES):
                yield Found(State.OTHER, call, symbol, Blocked("functional-model"))
            else:
                yield Found(State.OTHER, call, symbol, Blocked("state-in-call", ast.unparse(call.func)))


def _is_fallback(unit: Unit, function: FunctionNode, call: ast.Call) -> bool:
    """Whether ``call`` is the second half of ``dense or Dense(3)``, for those who hand no layer over, or of
    ``dense if dense is not None else Dense(3)``."""
    match unit.names.parent(call):
        case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=name), second]) if second is call:
            given = name
        case ast.IfExp(
            test=ast.Compare(
                left=ast.Name(id=asked), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]
            ),
            body=ast.Name(id=name),
            orelse=second,
        ) if (
            second is call and asked == name
        ):
            given = name
        case _:
            return False
    return given in {parameter.arg for parameter in parameters(function)}


def _calls_factory(unit: Unit, function: FunctionNode, call: ast.Call) -> bool:
    """Whether ``call`` is ``self.make()`` and ``make`` is a factory of this class or of a base in this file."""
    receiver = function.args.args[0].arg if function.args.args else ""
    method = self_attribute(call.func, receiver)
    owner = unit.names.enclosing_class(function)
    if not method or owner is None:
        return False
    for name in unit.index.mro(unit.qualified(unit.names.qualname(owner))):
        node = unit.functions.get(f"{unit.local(name)}.{method}")
        if node is not None:
            return _is_factory(unit, node)
    return False


def _is_factory(unit: Unit, function: FunctionNode) -> bool:
    """Whether ``function`` is a method that does nothing but make a layer and return it."""
    owner = unit.names.enclosing_class(function)
    if not isinstance(function, ast.FunctionDef) or owner is None or function not in owner.body:
        return False
    returned = [node.value for node in own_nodes(function) if isinstance(node, ast.Return)]
    if not returned or function.name in _NEVER_FACTORIES or function.decorator_list:
        return False
    made = {
        node.targets[0].id
        for node in own_nodes(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _makes(unit, node.value)
    }
    sets = any(
        isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) for node in own_nodes(function)
    )
    return not sets and all(
        _makes(unit, value) or (isinstance(value, ast.Name) and value.id in made) for value in returned
    )


def _makes(unit: Unit, value: ast.expr | None) -> bool:
    if not isinstance(value, ast.Call):
        return False
    name = unit.names.qualified(value.func) or ""
    return _is_layer(unit.index, name) and name != "keras.Model"


def _found_layer(
    unit: Unit, symbol: str, function: FunctionNode, call: ast.Call, name: str
) -> Iterator[Found]:
    if _is_inside_layer(unit, call, function) or (name == "keras.layers.Lambda" and _wraps_state(unit, call)):
        return
    context = context_of(unit, call, function)
    if name == "keras.Model":
        yield Found(State.OTHER, call, symbol, Blocked("functional-model"))
    elif isinstance(context, Context) and isinstance(context.binding, Kept):
        if not _is_right_already(unit, function, call):
            yield Found(State.KEPT_LAYER, call, symbol)
    else:
        yield Found(State.STATELESS if _is_stateless(unit.index, name) else State.LAYER, call, symbol)


def _found_variable(unit: Unit, symbol: str, function: FunctionNode, call: ast.Call) -> Found:
    context = context_of(unit, call, function, is_layer=False)
    binding = context.binding if isinstance(context, Context) else None
    name = binding.name if isinstance(binding, Binding) else ""
    kept = binding.attribute if isinstance(binding, Kept) and not _is_lazy(unit, function, call) else ""
    if kept and any(is_set_again(node, kept) for node in walk(function)):
        return Found(State.VARIABLE, call, symbol, Blocked("variable-in-call"))
    return Found(State.VARIABLE, call, symbol, None, name)


def is_set_again(node: ast.AST, attribute: str) -> bool:
    """Whether ``node`` is ``....attribute.assign``: the variable would keep what the original started afresh."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr.startswith(("assign", "scatter_"))
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == attribute
    )


def _is_right_already(unit: Unit, function: FunctionNode, call: ast.Call) -> bool:
    """A first-call guard outside of Keras, which locks nothing there."""
    return _is_lazy(unit, function, call) and not _is_keras(unit, function)


def _is_layer(index: ProjectIndex, name: str) -> bool:
    if name.startswith("keras.layers."):
        return tables.is_class_name(name) and name.rpartition(".")[2] not in tables.NOT_LAYERS
    return bool(name) and index.kind(name) in (Kind.LAYER, Kind.MODEL)


def _state_of(name: str) -> str:
    if name in tables.STATE_CONSTRUCTORS:
        return tables.STATE_CONSTRUCTORS[name]
    owned = name.startswith(tables.STATE_MODULES) and ".schedules." not in name
    return "an object with variables" if owned and tables.is_class_name(name) else ""


def _is_stateless(index: ProjectIndex, name: str) -> bool:
    if name.startswith("keras.layers."):
        return name.rpartition(".")[2] in tables.STATELESS_LAYERS
    if index.class_facts(name) is None:
        return False
    return all(_makes_nothing(index, base) for base in index.mro(name))


def _makes_nothing(index: ProjectIndex, name: str) -> bool:
    facts = index.class_facts(name)
    if facts is None:
        return name in (
            "keras.layers.Layer",
            "builtins.object",
            "tensorflow.Module",
        ) or _is_stateless_library(name)
    return not any(
        call.callee.endswith(("add_weight", "add_variable", ".variable"))
        or (tables.is_class_name(call.callee) and not call.callee.endswith("Error"))
        for method in facts.methods.values()
        for call in method.calls
    )


def _is_stateless_library(name: str) -> bool:
    return name.startswith("keras.layers.") and name.rpartition(".")[2] in tables.STATELESS_LAYERS


def _is_inside_layer(unit: Unit, call: ast.Call, function: FunctionNode) -> bool:
    """Whether ``call`` stands among the arguments of another layer's constructor, and moves along with that."""
    child: ast.AST = call
    parent = unit.names.parent(call)
    while parent is not None and parent is not function:
        if isinstance(parent, ast.Call) and child is not parent.func:
            name = unit.names.qualified(parent.func) or ""
            if _is_layer(unit.index, name):
                return True
        child, parent = parent, unit.names.parent(parent)
    return False


def _wraps_state(unit: Unit, call: ast.Call) -> bool:
    """Whether the function of a ``Lambda`` layer makes a layer, which is a find of its own."""
    return any(
        isinstance(node, ast.Call) and makes_state(unit.index, unit.names.qualified(node.func) or "")
        for argument in call.args
        for node in walk(argument)
    )


def _is_lazy(unit: Unit, function: FunctionNode, call: ast.Call) -> bool:
    """Whether a condition around ``call`` asks for an attribute of the object, as a first-call guard does."""
    receiver = function.args.args[0].arg if function.args.args else ""
    node: ast.AST | None = unit.names.parent(call)
    while node is not None and node is not function:
        if isinstance(node, ast.If) and any(
            self_attribute(part, receiver)
            or (isinstance(part, ast.Call) and unit.names.qualified(part.func) == "builtins.hasattr")
            for part in walk(node.test)
        ):
            return True
        node = unit.names.parent(node)
    return False


def _is_keras(unit: Unit, function: FunctionNode) -> bool:
    """Whether the function belongs to a class that Keras may lock; elsewhere a first-call guard is right."""
    owner = unit.names.enclosing_class(function)
    if owner is None:
        return True
    return unit.index.kind(unit.qualified(unit.names.qualname(owner))) not in (Kind.MODULE, Kind.NONE)
