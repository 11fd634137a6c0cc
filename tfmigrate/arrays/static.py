"""Loops over ``tf.range`` of a size that is known while the graph is made: Python's ``range`` does, and the list with it."""

from __future__ import annotations

import ast

from tfmigrate.arrays.function import Function
from tfmigrate.arrays.loops import leaves_early, skips
from tfmigrate.draws.classes import attribute_value
from tfmigrate.walk import walk


def is_static_range(function: Function, node: ast.expr) -> bool:
    """Whether it is ``tf.range`` of numbers that Python knows: ``tf.range(x.shape[-1])``."""
    if not isinstance(node, ast.Call) or function.tensors.callee(node) != "tensorflow.range" or node.keywords:
        return False
    return bool(node.args) and all(is_static(function, argument) for argument in node.args)


def is_static(function: Function, node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return type(node.value) is int
        case ast.UnaryOp():
            return is_static(function, node.operand)
        case ast.BinOp():
            is_whole = isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod)
            return is_whole and is_static(function, node.left) and is_static(function, node.right)
        case ast.Name():
            value = function.bindings.only(node.id)
            return value is not None and is_static(function, value)
        case ast.Subscript():
            shape = node.value
            is_shape = isinstance(shape, ast.Attribute) and shape.attr == "shape"
            return is_shape and isinstance(node.slice, ast.Constant | ast.UnaryOp)
        case ast.Attribute():
            return attribute_value(function.unit, node) == "int"
        case ast.Call():
            is_len = function.tensors.callee(node) == "builtins.len" and len(node.args) == 1
            return (
                is_len
                and not function.tensors.is_tensor(node.args[0])
                and _is_made_here(function, node.args[0])
            )
    return False


def _is_made_here(function: Function, node: ast.expr) -> bool:
    """A list that is written out in this function."""
    return isinstance(function.bindings.resolved(node), ast.List | ast.Tuple | ast.ListComp)


def is_unrollable(function: Function, loop: ast.For) -> bool:
    """Whether the loop does the same with Python's numbers."""
    if not isinstance(loop.target, ast.Name) or leaves_early(loop) or skips(loop.body) or loop.orelse:
        return False
    parts: list[ast.AST] = list(loop.body)
    return does_with_numbers(function, loop.target.id, parts)


def does_with_numbers(function: Function, name: str, nodes: list[ast.AST]) -> bool:
    """Whether nothing is done with ``name`` that only a tensor can, or that a tensor does otherwise."""
    for node in (part for one in nodes for part in walk(one)):
        if not isinstance(node, ast.Name) or node.id != name:
            continue
        parent = function.unit.names.parent(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(parent, ast.Attribute | ast.FormattedValue):
            return False
        while isinstance(parent, ast.BinOp | ast.UnaryOp):
            if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Div | ast.Pow):
                return False
            parent = function.unit.names.parent(parent)
    return True
