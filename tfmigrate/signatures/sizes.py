"""Sizes that Python reads while a function is traced, and how they are asked of the graph in its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.signatures.uses import Uses
from tfmigrate.syntax import FunctionNode
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_SHAPES = {
    **dict.fromkeys(["reshape", "broadcast_to", "tile"], 1),
    **dict.fromkeys(
        ["zeros", "ones", "fill", "random.normal", "random.uniform", "random.truncated_normal"], 0
    ),
}
"""Functions of TensorFlow -> the position of a shape that may be made of tensors."""
_INTEGERS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_FLOATS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


@dataclass(frozen=True, slots=True)
class Asked:
    """An expression, and what stands in its place; ``{tf}`` is the file's name for TensorFlow."""

    node: ast.expr
    text: str
    of: str = ""
    """The parameter whose size it is; empty where a size is used."""


def shape_around(unit: Unit, read: ast.Attribute) -> ast.expr:
    """The whole of ``x.shape``, ``x.get_shape()``, ``x.shape.as_list()`` that ``read`` (``x.shape``) begins."""
    whole: ast.expr = read
    parent = unit.names.parent(whole)
    if read.attr == "get_shape" and isinstance(parent, ast.Call) and parent.func is whole:
        whole, parent = parent, unit.names.parent(parent)
    if isinstance(parent, ast.Attribute) and parent.attr == "as_list":
        call = unit.names.parent(parent)
        if isinstance(call, ast.Call) and call.func is parent:
            return call
    return whole


@dataclass(slots=True)
class Sizes:
    """Reads one function. ``given``: parameter -> dtype, as far as callers show."""

    unit: Unit
    function: GraphFunction
    given: Mapping[str, str]
    _casts: list[Asked] = field(default_factory=list)
    _deep: int = 0

    def asked(
        self, whole: ast.expr, name: str, rank: int | None, unknown: Set[int] | None
    ) -> list[Asked] | None:
        """What stands in the place of the sizes of ``name`` that ``whole`` reads, and of where they are used.

        Args:
            rank: how many axes there are; None where that is not known.
            unknown: the axes whose size is not known; None for all.

        Returns:
            None: a size is used for what only a Python number will do.
        """
        self._casts = []
        parent = self.unit.names.parent(whole)
        if isinstance(parent, ast.Subscript) and parent.value is whole:
            return self._one(parent, name, rank, unknown)
        target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
        if isinstance(target, ast.Tuple):
            return self._all(whole, target, name, rank, unknown)
        return None

    def _one(
        self, read: ast.Subscript, name: str, rank: int | None, unknown: Set[int] | None
    ) -> list[Asked] | None:
        axis = integer(read.slice)
        if axis is None or (rank is not None and not -rank <= axis < rank):
            return None
        if unknown is not None and rank is not None and axis % rank not in unknown:
            return []
        size = f"{{tf}}.shape({name})[{axis}]"
        if not self._takes_tensor(read, size):
            return None
        if any(cast.node is read for cast in self._casts):
            return self._casts
        return [Asked(read, size, name), *self._casts]

    def _all(
        self, whole: ast.expr, target: ast.Tuple, name: str, rank: int | None, unknown: Set[int] | None
    ) -> list[Asked] | None:
        names = [one for one in target.elts if isinstance(one, ast.Name)]
        if len(names) < len(target.elts) or (rank is not None and rank != len(names)):
            return None
        asked = [axis for axis in range(len(names)) if unknown is None or axis in unknown]
        if not all(self._is_kept_as_size(names[axis]) for axis in asked):
            return None
        if not asked:
            return []
        if len(asked) == len(names):
            return [Asked(whole, f"{{tf}}.unstack({{tf}}.shape({name}))", name), *self._casts]
        sizes = [f"{{tf}}.shape({name})" if axis in asked else f"{name}.shape" for axis in range(len(names))]
        text = ", ".join(f"{size}[{axis}]" for axis, size in enumerate(sizes))
        return [Asked(whole, text, name), *self._casts]

    def _takes_tensor(self, node: ast.expr, text: str) -> bool:
        """Whether ``node``, written as ``text`` when it is asked of the graph, may be a tensor of int32."""
        parent = self.unit.names.parent(node)
        if isinstance(parent, ast.Assign):
            target = parent.targets[0]
            return len(parent.targets) == 1 and isinstance(target, ast.Name) and self._is_kept_as_size(target)
        if isinstance(parent, ast.List | ast.Tuple):
            return self._is_shape(parent)
        if isinstance(parent, ast.BinOp):
            return self._computed(parent, node, text)
        return isinstance(parent, ast.Call) and self._is_handed(parent, node)

    def _is_kept_as_size(self, target: ast.Name) -> bool:
        """Whether the name is bound here alone, and a tensor will do wherever it is read."""
        if any(isinstance(one, ast.arg) and one.arg == target.id for one in walk(self.function.node)):
            return False
        names = _named(self.function.node, target.id)
        loads = [one for one in names if one is not target]
        return all(isinstance(one.ctx, ast.Load) and self._takes_tensor(one, target.id) for one in loads)

    def _is_shape(self, display: ast.List | ast.Tuple) -> bool:
        call = self.unit.names.parent(display)
        if not isinstance(call, ast.Call):
            return False
        name = self.unit.names.qualified(call.func) or ""
        position = _SHAPES.get(name.removeprefix("tensorflow."), -1) if name.startswith("tensorflow.") else -1
        is_there = 0 <= position < len(call.args) and call.args[position] is display
        return is_there or (
            position >= 0 and any(k.arg == "shape" and k.value is display for k in call.keywords)
        )

    def _computed(self, whole: ast.BinOp, node: ast.expr, text: str) -> bool:
        other = whole.right if whole.left is node else whole.left
        if isinstance(whole.op, _INTEGERS) and self._is_size(other):
            return self._goes_into_shape(whole)
        if isinstance(whole.op, _FLOATS) and Uses(self.unit, self.function, {}, self.given).dtype(other) == (
            "float32"
        ):
            self._casts.append(Asked(node, f"{{tf}}.cast({text}, {{tf}}.float32)"))
            return True
        return False

    def _goes_into_shape(self, whole: ast.BinOp) -> bool:
        """Products of sizes go into shapes only: elsewhere they may be more than an int32 holds."""
        parent = self.unit.names.parent(whole)
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, _INTEGERS):
            other = parent.right if parent.left is whole else parent.left
            return self._is_size(other) and self._goes_into_shape(parent)
        return isinstance(parent, ast.List | ast.Tuple) and self._is_shape(parent)

    def _is_size(self, node: ast.expr) -> bool:
        """Whether an expression is certainly a Python int, or a size that is asked of the graph."""
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, _INTEGERS) and self._is_size(node.left) and self._is_size(node.right)
        if isinstance(node, ast.Name):
            stores = [one for one in _named(self.function.node, node.id) if not isinstance(one.ctx, ast.Load)]
            above = self.unit.names.parent(stores[0]) if len(stores) == 1 else None
            if isinstance(above, ast.Tuple):
                assign = self.unit.names.parent(above)
                return isinstance(assign, ast.Assign) and _is_read(assign.value)
            return isinstance(above, ast.Assign) and self._is_size(above.value)
        return isinstance(node, ast.Subscript) and _is_read(node.value) and integer(node.slice) is not None

    def _is_handed(self, call: ast.Call, node: ast.expr) -> bool:
        name = self.unit.names.qualified(call.func) or ""
        if name == "tensorflow.range":
            return node in call.args
        if name == "tensorflow.cast":
            return call.args[0] is node
        target = self.unit.functions.get(self.unit.local(name)) if name else None
        if not isinstance(target, ast.FunctionDef) or target.decorator_list or self._deep > 2:
            return False
        return node in call.args and self._is_parameter_of_size(target, call.args.index(node))

    def _is_parameter_of_size(self, target: ast.FunctionDef, position: int) -> bool:
        """Whether a function of this file takes a tensor for a size as it is."""
        plain = [*target.args.posonlyargs, *target.args.args]
        if position >= len(plain) or target.args.vararg:
            return False
        inner = Sizes(
            self.unit, GraphFunction("", target, self.function.decorator, ""), {}, [], self._deep + 1
        )
        uses = list(_named(target, plain[position].arg))
        is_fine = all(isinstance(one.ctx, ast.Load) and inner._takes_tensor(one, "") for one in uses)
        return is_fine and not inner._casts


def _is_read(node: ast.expr) -> bool:
    """``x.shape``, ``x.get_shape()``, ``x.shape.as_list()``."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in ("get_shape", "as_list")
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def _named(function: FunctionNode, name: str) -> Iterator[ast.Name]:
    return (one for one in walk(function) if isinstance(one, ast.Name) and one.id == name)


def integer(node: ast.expr) -> int | None:
    """A whole number that is written out."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
