"""What the uses of a name say of it: a tensor, a structure of tensors."""

from __future__ import annotations

import ast

from tfmigrate.draws import ops
from tfmigrate.draws.classes import attribute_value
from tfmigrate.syntax import FunctionNode
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


def operated_names(unit: Unit, function: FunctionNode) -> set[str]:
    """Names that operations on whole tensors, or layers, get first. A list would do there, but not beside a number."""
    names: set[str] = set()
    for call in walk(function):
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Name):
            callee = unit.names.qualified(call.func) or ""
            is_training = any(keyword.arg == "training" for keyword in call.keywords)
            is_layer = isinstance(call.func, ast.Attribute) and attribute_value(unit, call.func) == "layer"
            if callee in ops.WHOLE_TENSORS or is_training or is_layer:
                names.add(call.args[0].id)
    return names


def shaped_names(function: FunctionNode) -> set[str]:
    """Names whose ``shape`` or ``dtype`` is read: tensors or arrays."""
    return {
        node.value.id
        for node in walk(function)
        if isinstance(node, ast.Attribute)
        and node.attr in ("shape", "dtype", "get_shape", "set_shape")
        and isinstance(node.value, ast.Name)
    }


def structured_names(function: FunctionNode) -> set[str]:
    """Names that are used as a list, tuple or dict: unpacked, iterated, or indexed by one number or key."""
    names: set[str] = set()
    for node in walk(function):
        used: list[ast.expr | None] = []
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple | ast.List):
            used = [node.value]
        elif isinstance(node, ast.For | ast.comprehension):
            used = [node.iter]
        elif isinstance(node, ast.Starred) or (
            isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
        ):
            used = [node.value]
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in (
                "len",
                "isinstance",
                "zip",
                "enumerate",
                "list",
            ):
                used = list(node.args[:1])
            elif isinstance(node.func, ast.Attribute) and node.func.attr in (
                "items",
                "keys",
                "values",
                "pop",
                "get",
            ):
                used = [node.func.value]
        names.update(part.id for part in used if isinstance(part, ast.Name))
    return names
