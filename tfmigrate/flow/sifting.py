"""A quick look at a function's syntax: whether anything in it can be decided by a tensor at all.

Reading a function for what its values are costs twenty times as much, and nine functions of ten only ask Python's values.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from tfmigrate import tables
from tfmigrate.syntax import FunctionNode, bound_names, defaults, own_nodes, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_ASKED = ast.If | ast.While | ast.IfExp | ast.Assert
_TENSORS = frozenset(("T", "real", "iterations"))
"""Attributes that are tensors where their holders are, or in themselves."""
_VARIABLE = re.compile(r"\.(\w+)\s*(?::[^=\n]+)?=\s*\(?\s*[\w.]*(?:add_weight|add_variable|Variable)\(")
_PYTHON_CALLS = tables.words("""
    isinstance issubclass hasattr getattr callable len type str repr bool any all list tuple dict set sorted is_tensor items
    keys values executing_eagerly is_fully_defined is_keras_tensor get_shape as_list floatx int_shape image_data_format
    startswith endswith lower get
    """)


@dataclass(frozen=True, slots=True)
class Sieve:
    """Looks at functions of one file."""

    unit: Unit
    variables: frozenset[str]
    """Attributes that hold variables, or tensors."""

    def may_decide(self, function: FunctionNode) -> bool:
        """Whether a tensor may decide something in ``function``; False is certain."""
        nodes = list(own_nodes(function))
        python = self.python_names(function, nodes)
        nodes += [part for node in nodes if isinstance(node, ast.Lambda) for part in walk(node.body)]
        return any(self.is_open(node, python) for node in nodes)

    def is_open(self, node: ast.AST, python: set[str]) -> bool:
        if isinstance(node, _ASKED):
            return self.may_be_tensor(node.test, python)
        if isinstance(node, ast.For):
            iterated = node.iter
            if isinstance(iterated, ast.Call) and _last(iterated) in ("range", "enumerate", "zip"):
                if isinstance(iterated.func, ast.Attribute):
                    return True
                return any(self.may_be_tensor(argument, python) for argument in iterated.args)
            return self.may_be_tensor(iterated, python)
        if isinstance(node, ast.BoolOp):
            return any(self.may_be_tensor(value, python) for value in node.values[:-1])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.may_be_tensor(node.operand, python)
        return (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("max", "min")
        )

    def python_names(self, function: FunctionNode, nodes: list[ast.AST]) -> set[str]:
        """Names to which the function gives nothing but what Python knows."""
        python = _defaulted(function) | {"training"}
        bound: dict[str, list[ast.expr | None]] = {}
        for node in nodes:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    whole = isinstance(target, ast.Name)
                    for name in bound_names(walk(target)):
                        bound.setdefault(name, []).append(
                            node.value if whole or _is_shape(node.value) else None
                        )
            elif isinstance(node, ast.For):
                for name in bound_names(walk(node.target)):
                    bound.setdefault(name, []).append(None)
            elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.NamedExpr):
                for name in bound_names(walk(node.target)):
                    bound.setdefault(name, []).append(node.value)
            elif isinstance(node, ast.With | ast.ExceptHandler | ast.comprehension):
                for name in bound_names(walk(node)):
                    bound.setdefault(name, []).append(None)
        arguments = {arg.arg for arg in parameters(function)} - python
        python -= bound.keys()
        for _ in range(2):
            for name, values in bound.items():
                known = all(value is not None and not self.may_be_tensor(value, python) for value in values)
                if known and name not in arguments:
                    python.add(name)
        return python

    def may_be_tensor(self, node: ast.expr, python: set[str]) -> bool:
        """Whether nothing in the expression's form says that Python knows it."""
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.List() | ast.Tuple() | ast.Dict() | ast.Set():
                return False
            case ast.Name(id=name):
                return name not in python
            case ast.Compare(left=left, ops=operators, comparators=others):
                parts = [left, *others]
                is_python = any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in operators)
                is_text = any(
                    isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts
                )
                return (
                    not is_python and not is_text and any(self.may_be_tensor(part, python) for part in parts)
                )
            case ast.BoolOp(values=values):
                return any(self.may_be_tensor(value, python) for value in values)
            case ast.UnaryOp(operand=operand):
                return self.may_be_tensor(operand, python)
            case ast.BinOp(left=left, right=right):
                return self.may_be_tensor(left, python) or self.may_be_tensor(right, python)
            case ast.Call():
                return _last(node) not in _PYTHON_CALLS
            case ast.Attribute(attr=attribute):
                return attribute in self.variables
            case ast.Subscript(value=value):
                return self.may_be_tensor(value, python)
        return True


def sieve(unit: Unit) -> Sieve:
    """The sieve for a file."""
    return Sieve(unit, _TENSORS | frozenset(_VARIABLE.findall(unit.text)))


def _last(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_shape(node: ast.expr) -> bool:
    """``x.shape`` and the like, which gives its parts to several names."""
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def _defaulted(function: FunctionNode) -> set[str]:
    """Parameters that are Python's by their default."""
    return {name for name, default in defaults(function).items() if isinstance(default, ast.Constant)}
