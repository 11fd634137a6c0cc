"""What a loop goes through, and whether it is one of the graph: AutoGraph makes a ``tf.while_loop`` of it, Keras 3 fails."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable
from dataclasses import dataclass

from tfmigrate.arrays.bindings import Bindings, From
from tfmigrate.arrays.tensors import Tensors, shape_holder
from tfmigrate.draws.reading import Reading
from tfmigrate.syntax import bound_names, names_in
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

LoopNode = ast.For | ast.While


class Over(enum.Enum):
    """What a loop goes through."""

    RANGE = "numbers"
    ROWS = "the rows of a tensor"
    ENUMERATED = "the rows of a tensor, numbered"
    ZIPPED = "the rows of several tensors"
    DATASET = "a dataset"
    TEST = "as long as a tensor says so"


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of the graph."""

    node: LoopNode
    over: Over
    is_certain: bool = True
    """Otherwise it is one if the function's own argument is a tensor, and a Python loop if that is a list."""
    start: ast.expr | None = None
    stop: ast.expr | None = None
    step: ast.expr | None = None
    sources: tuple[ast.expr, ...] = ()
    index_dtype: str = ""
    """Of the numbers of a range, where known."""


@dataclass(frozen=True, slots=True)
class Loops:
    """Tells the loops of one function apart. ``arguments``: names that are perhaps tensors."""

    unit: Unit
    read: Callable[[], Reading]
    """What is known of all values: it takes long to find out, and few functions need it."""
    bindings: Bindings
    tensors: Tensors
    arguments: frozenset[str]
    unrolled: frozenset[int] = frozenset()
    """Ids of loops that Python runs, and that are to become loops of the graph."""

    def of(self, node: LoopNode) -> Loop | None:
        """The loop as part of the graph; None where Python runs it while the graph is made."""
        if isinstance(node, ast.While):
            return Loop(node, Over.TEST) if self.tensors.is_tensor(node.test) else None
        return self.over(node, node.iter)

    def over(self, node: ast.For, iterated: ast.expr) -> Loop | None:
        value = self.bindings.resolved(iterated)
        if isinstance(value, ast.Call):
            name = self.tensors.callee(value)
            is_range = name == "tensorflow.range"
            is_tensor = name == "builtins.range" and any(map(self.tensors.is_tensor, value.args))
            if is_range or is_tensor or id(node) in self.unrolled:
                return self.range(node, value)
            if name == "builtins.enumerate" and len(value.args) == 1 and not value.keywords:
                is_rows = self.tensors.is_tensor(value.args[0])
                return Loop(node, Over.ENUMERATED, sources=(value.args[0],)) if is_rows else None
            if name == "builtins.zip" and value.args and all(map(self.tensors.is_tensor, value.args)):
                return Loop(node, Over.ZIPPED, sources=tuple(value.args))
        if self.is_dataset(iterated):
            return Loop(node, Over.DATASET)
        if self.tensors.is_tensor(iterated):
            return Loop(node, Over.ROWS, sources=(iterated,))
        if isinstance(iterated, ast.Name) and iterated.id in self.arguments:
            return Loop(node, Over.ROWS, False, sources=(iterated,))
        return None

    def range(self, node: ast.For, call: ast.Call) -> Loop | None:
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        if any(isinstance(argument, ast.Starred) for argument in call.args) or None in keywords:
            return Loop(node, Over.ROWS, sources=(call,))
        given = list(call.args)
        start, stop, step = (None, given[0], None) if len(given) == 1 else (*given, None, None, None)[:3]
        start, stop = keywords.get("start", start), keywords.get("limit", stop)
        step = keywords.get("delta", step)
        if stop is None and start is not None:
            start, stop = None, start
        if stop is None:
            return None
        whole = {self.index_dtype(part) for part in (start, stop, step) if part is not None}
        dtype = next(iter(whole)) if len(whole) == 1 else ""
        if "dtype" in keywords:
            dtype = ast.unparse(keywords["dtype"]).rpartition(".")[2]
        return Loop(node, Over.RANGE, True, start, stop, step, (), dtype)

    def index_dtype(self, node: ast.expr) -> str:
        """``int32`` where the number is certainly that (or a Python number, of which ``tf.range`` makes int32)."""
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Div):
            kinds = {self.index_dtype(node.left), self.index_dtype(node.right)}
            is_known = len(kinds) == 1 or "int32" in kinds  # TensorFlow adds only numbers of one type.
            return "int32" if is_known and self.is_whole(node) else ""
        if isinstance(node, ast.UnaryOp):
            return self.index_dtype(node.operand)
        return "int32" if self.is_whole(node) else ""

    def is_whole(self, node: ast.expr) -> bool:
        value = self.read().of(node)
        if value.is_tensor and value.dtype == "int32":
            return True
        if value.is_number and value.dtype == "int":
            return True
        bindings = self.bindings.of(node.id) if isinstance(node, ast.Name) else []
        if len(bindings) == 1 and bindings[0].how is From.PART:
            return shape_holder(bindings[0].value) != ""
        resolved = self.bindings.resolved(node)
        if isinstance(resolved, ast.Subscript):
            shape = resolved.value
            return isinstance(shape, ast.Attribute) and shape.attr == "shape"
        return isinstance(resolved, ast.Call) and self.tensors.callee(resolved) == "builtins.len"

    def is_dataset(self, node: ast.expr) -> bool:
        """Whether it is made with ``tf.data``, seen from here."""
        value: ast.expr = self.bindings.resolved(node)
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            if (self.unit.names.qualified(value.func) or "").startswith("tensorflow.data."):
                return True
            value = self.bindings.resolved(value.func.value)
        if isinstance(value, ast.Name) and value.id in self.bindings.parameters:
            annotation = self.bindings.parameters[value.id].annotation
            name = self.unit.names.qualified(annotation) if annotation is not None else None
            return (name or "").startswith("tensorflow.data.")
        return False


def leaves_early(loop: LoopNode) -> bool:
    """Whether the loop has a ``break`` of its own, or returns."""
    return any(isinstance(node, ast.Break | ast.Return) for node in _own_jumps(loop))


def skips(statements: list[ast.stmt]) -> bool:
    """Whether a ``continue`` of the loop around stands in the statements."""
    return any(isinstance(node, ast.Continue) for one in statements for node in _jumps(one))


def _own_jumps(loop: LoopNode) -> list[ast.AST]:
    return [node for one in loop.body for node in _jumps(one)]


def _jumps(statement: ast.stmt) -> list[ast.AST]:
    """``break``, ``continue`` and ``return`` that leave ``statement``."""
    if isinstance(statement, ast.Break | ast.Continue | ast.Return):
        return [statement]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return []
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):
            found += _jumps(child)
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            found += [node for one in child.body for node in _jumps(one)]
    if isinstance(statement, ast.For | ast.While):
        return [node for node in found if isinstance(node, ast.Return)]
    return found


def is_rebound(name: str, statements: list[ast.stmt]) -> bool:
    return any(name in bound_names(walk(statement)) for statement in statements)


def is_used(name: str, statements: list[ast.stmt]) -> bool:
    return any(name in names_in(statement) for statement in statements)
