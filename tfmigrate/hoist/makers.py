"""Layers whose class no name says: ``functools.partial(Dense, ...)(3)``, ``Dense.from_config(...)``, ``self.kind(3)``."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tfmigrate.project import records
from tfmigrate.project.index import ClassFacts, FunctionFacts, ModuleFacts, ProjectIndex
from tfmigrate.syntax import FunctionNode, defaults, dotted, self_attribute
from tfmigrate.tables import is_class_name
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

IsLayer = Callable[[str], bool]
"""Whether a canonical name is that of a layer's class."""

_MAKERS = ("from_config", "deserialize")


def may_be_disguised(index: ProjectIndex, module: ModuleFacts, function: FunctionFacts) -> bool:
    """Whether ``function`` calls anything that :func:`is_disguised` has to look at. Cheap, and says yes too often."""
    for call in function.calls:
        last = call.callee.rpartition(".")[2]
        first = dict(call.references).get("0", "")
        if (
            call.callee in function.params[1:]
            or last in _MAKERS
            or (last == "partial" and first)
            or (last == "getattr" and first.endswith("layers"))
        ):
            return True
        if call.callee in module.record.bindings and any(
            kind == records.PARTIAL for kind, _, _ in module.record.bindings[call.callee]
        ):
            return True
        if call.callee.startswith(f"{_first(function)}.") and call.callee.count(".") == 1 and function.owner:
            owner = module.classes.get(function.owner)
            if owner is not None and last not in owner.methods and _may_hold_class(owner, last):
                return True
    return False


def _may_hold_class(owner: ClassFacts, attribute: str) -> bool:
    """Whether ``self.attribute`` was set to a partial, to a class, or to a parameter that may have one for its default."""
    bindings = owner.record.bindings.get(attribute, ())
    values = [(kind, text) for kind, text, _ in (*bindings, *owner.record.self_values.get(attribute, ()))]
    init = owner.methods.get("__init__")
    optional = {one.name for one in init.parameters if one.has_default} if init is not None else set()
    return any(
        kind == records.PARTIAL or (kind == records.ALIAS and (text in optional or is_class_name(text)))
        for kind, text in values
    )


def _first(function: FunctionFacts) -> str:
    return function.params[0] if function.params else ""


def is_disguised(unit: Unit, function: FunctionNode, call: ast.Call, is_layer: IsLayer) -> bool:
    """Whether ``call`` makes a layer of a class that is put together, looked up or handed in at run time."""
    func = call.func
    if isinstance(func, ast.Call):
        name = unit.names.qualified(func.func)
        first = func.args[0] if func.args else None
        if name == "functools.partial" and first is not None:
            return is_layer(unit.names.qualified(first) or "")
        return (
            name == "builtins.getattr" and first is not None and unit.names.qualified(first) == "keras.layers"
        )
    if isinstance(func, ast.Name) and (value := _value_of(unit, function, func.id)) is not None:
        return _is_class(unit, value, is_layer)
    name = unit.names.qualified(func) or ""
    if name == "keras.layers.deserialize" or (
        name.endswith(".from_config") and is_layer(name.removesuffix(".from_config"))
    ):
        return True
    return _is_class_on_self(unit, function, func, is_layer)


def _is_class(unit: Unit, value: ast.expr, is_layer: IsLayer) -> bool:
    if isinstance(value, ast.Call):
        is_partial = unit.names.qualified(value.func) == "functools.partial" and value.args
        return bool(is_partial) and is_layer(unit.names.qualified(value.args[0]) or "")
    return bool(dotted(value)) and is_layer(unit.names.qualified(value) or "")


def _value_of(unit: Unit, function: FunctionNode, name: str) -> ast.expr | None:
    """The default of the parameter ``name``, or what the module assigns to it."""
    found = _default(function, name)
    if found is not None or unit.names.enclosing_class(function) is None:
        return found
    for statement in unit.tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call() as value) if target == name:
                return value
    return None


def _default(function: FunctionNode, name: str) -> ast.expr | None:
    return defaults(function).get(name)


def _is_class_on_self(unit: Unit, function: FunctionNode, func: ast.expr, is_layer: IsLayer) -> bool:
    """``self.layer_class``, bound in the class body or to a parameter of ``__init__`` with a layer's class as default."""
    receiver = function.args.args[0].arg if function.args.args else ""
    attribute = self_attribute(func, receiver)
    owner = unit.names.enclosing_class(function)
    if not attribute or owner is None:
        return False
    for node in owner.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == attribute:
                return _is_class(unit, value, is_layer)
    init = unit.functions.get(f"{unit.names.qualname(owner)}.__init__")
    for part in walk(init) if init is not None else ():
        match part:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if name == attribute:
                default = (
                    _default(init, value.id) if init is not None and isinstance(value, ast.Name) else None
                )
                return _is_class(unit, default if default is not None else value, is_layer)
    return False
