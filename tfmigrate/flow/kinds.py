"""Who decides a condition: a tensor, or a value that Python knows while the graph is traced.

Only evidence counts: operations, layers, variables, arguments that Keras or TensorFlow passes. What is not certainly a
tensor is left to Python.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate.draws.reading import Reading
from tfmigrate.draws.values import Kind, Value
from tfmigrate.unit import Unit

_IDENTITY = ast.Is | ast.IsNot | ast.In | ast.NotIn


@dataclass(frozen=True, slots=True)
class Kinds:
    """Answers for the expressions of one function that was read."""

    unit: Unit
    reading: Reading

    def is_tensor(self, node: ast.expr) -> bool:
        """Whether the value is certainly a tensor; a condition made of several counts if one of them is."""
        match node:
            case ast.BoolOp(values=values):
                return any(self.is_tensor(value) for value in values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.is_tensor(operand)
            case ast.Compare(left=left, ops=operators, comparators=others):
                parts = [left, *others]
                if any(isinstance(operator, _IDENTITY) for operator in operators):
                    return False
                if any(self.is_static_rank(part) for part in parts):
                    return False
                return any(self.is_tensor(part) for part in parts) and not any(map(_is_none, parts))
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_tensor(body) and self.is_tensor(orelse)
            case ast.NamedExpr(value=value):
                return self.is_tensor(value)
        return self.reading.of(node).kind is Kind.TENSOR

    def is_static_rank(self, node: ast.expr) -> bool:
        """``tf.rank(x)`` compared with a number, in a condition: Python knows that from ``x.shape``."""
        if not isinstance(node, ast.Call) or self.unit.names.qualified(node.func) != "tensorflow.rank":
            return False
        compare = self.unit.names.parent(node)
        if len(node.args) != 1 or node.keywords or not isinstance(compare, ast.Compare):
            return False
        others = [part for part in (compare.left, *compare.comparators) if part is not node]
        is_number = all(self.reading.of(part).is_number for part in others)
        holder = node.args[0]
        while isinstance(holder, ast.Attribute):
            holder = holder.value
        is_plain = isinstance(holder, ast.Name) and self.reading.of(node.args[0]).is_tensor
        return is_number and is_plain and self.is_condition(compare)

    def is_condition(self, node: ast.expr) -> bool:
        """Whether Python asks whether it is true."""
        child: ast.AST = node
        parent = self.unit.names.parent(node)
        while isinstance(parent, ast.BoolOp | ast.UnaryOp):
            child, parent = parent, self.unit.names.parent(parent)
        return isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert) and parent.test is child

    def of(self, node: ast.expr) -> Value:
        """What is known of a value; comparisons and ``not`` of tensors are tensors of truth values."""
        value = self.reading.of(node)
        is_truth = isinstance(node, ast.Compare | ast.BoolOp) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        )
        return Value(Kind.TENSOR, "bool") if is_truth and self.is_tensor(node) else value

    def is_bool(self, node: ast.expr) -> bool:
        """Whether a tensor certainly holds truth values."""
        return self.of(node).dtype == "bool"

    def decides(self, node: ast.stmt | ast.expr) -> bool:
        """Whether a tensor decides which way this statement or expression goes."""
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test) | ast.IfExp(test=test):
                return self.is_tensor(test)
            case ast.For():
                return self.is_tensor_loop(node)
        return False

    def is_tensor_loop(self, node: ast.For) -> bool:
        """Whether the loop goes over ``tf.range`` or another tensor, or a Python ``range`` of one."""
        iterated = node.iter
        if isinstance(iterated, ast.Call):
            name = self.unit.names.qualified(iterated.func) or ""
            if name == "tensorflow.range":
                return True
            if name == "builtins.range":
                return any(self.is_tensor(argument) for argument in iterated.args)
            if name in ("builtins.enumerate", "builtins.zip"):
                return bool(iterated.args) and all(self.is_tensor(argument) for argument in iterated.args)
        return self.is_tensor(iterated)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str))


def mentions(node: ast.AST, *kinds: type[ast.AST]) -> bool:
    """Whether a node of one of these types is in it, outside of functions defined there."""
    todo = [node]
    while todo:
        one = todo.pop()
        if isinstance(one, kinds):
            return True
        if one is node or not isinstance(
            one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
        ):
            todo.extend(ast.iter_child_nodes(one))
    return False
