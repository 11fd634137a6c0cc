"""Which expressions of a function are certainly tensors, and of what rank. In doubt the answer is no, and unknown.

The reading of :mod:`tfmigrate.draws.reading` says "a tensor" of each result of TensorFlow; here a list of tensors is told
apart, for a loop over a list is a Python loop.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tfmigrate.arrays import operations
from tfmigrate.arrays.bindings import Binding, Bindings, From
from tfmigrate.draws.evidence import shaped_names
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass
class Tensors:
    """Answers for one function. ``known``: parameters that are tensors on other grounds."""

    unit: Unit
    bindings: Bindings
    known: frozenset[str] = frozenset()
    ranks: Mapping[str, int] = field(default_factory=dict)
    """Ranks of parameters that a signature gives."""
    _deciding: set[str] = field(default_factory=set)
    _ranking: set[str] = field(default_factory=set)
    _known: dict[str, bool] = field(default_factory=dict)
    """Answers that rest on no assumption."""

    # -- is it a tensor --------------------------------------------------------------------------------------------

    @cached_property
    def parameters(self) -> set[str]:
        """Parameters that are used as only a tensor can be."""
        found = set(self.known) | shaped_names(self.bindings.function)
        for node in walk(self.bindings.function):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
                found |= {node.value.id} if isinstance(node.slice, ast.Tuple) else set()
            elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name):
                is_shape = self.unit.names.qualified(node.func) in ("tensorflow.shape", "tensorflow.size")
                found |= {node.args[0].id} if is_shape else set()
        return {name for name in found if name in self.bindings.parameters}

    def is_tensor(self, node: ast.expr) -> bool:
        match node:
            case ast.Name():
                return self.is_tensor_name(node.id)
            case ast.BinOp():
                return self.is_tensor(node.left) or self.is_tensor(node.right)
            case ast.UnaryOp():
                return self.is_tensor(node.operand)
            case ast.Compare():
                is_about_kind = any(
                    isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops
                )
                return not is_about_kind and any(map(self.is_tensor, (node.left, *node.comparators)))
            case ast.BoolOp():
                return any(map(self.is_tensor, node.values))
            case ast.IfExp():
                return self.is_tensor(node.body) and self.is_tensor(node.orelse)
            case ast.Subscript():
                return self.is_tensor(node.value)
            case ast.Call():
                return self.callee(node) in operations.CERTAIN
        return False

    def is_tensor_name(self, name: str) -> bool:
        if name in self._deciding:
            return True
        if name in self._known:
            return self._known[name]
        answer = self._decided(name)
        if not self._deciding:
            self._known[name] = answer
        return answer

    def _decided(self, name: str) -> bool:
        if name in self.bindings.parameters and name not in self.parameters:
            return False
        bindings = self.bindings.of(name)
        if not bindings:
            return name in self.bindings.parameters
        self._deciding.add(name)
        try:
            return all(self.gives_tensor(binding) for binding in bindings)
        finally:
            self._deciding.discard(name)

    def gives_tensor(self, binding: Binding) -> bool:
        value = binding.value
        if value is None:
            return False
        if binding.how is From.GROWN:
            return True  # Whatever the others say.
        if binding.how is From.PART:
            is_parts = isinstance(value, ast.Call) and self.callee(value) in (
                "tensorflow.unstack",
                "tensorflow.split",
            )
            return is_parts or self.is_tensor(value)
        return self.is_tensor(value)

    def callee(self, node: ast.Call) -> str:
        return self.unit.names.qualified(node.func) or ""

    # -- of what rank ----------------------------------------------------------------------------------------------

    def rank(self, node: ast.expr) -> int | None:
        """The number of dimensions; a Python number has none."""
        match node:
            case ast.Constant():
                return 0 if isinstance(node.value, int | float) else None
            case ast.Name():
                return self.rank_of_name(node.id)
            case ast.UnaryOp():
                return self.rank(node.operand)
            case ast.BinOp() | ast.Compare():
                parts = (
                    [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left, *node.comparators]
                )
                return self.highest(parts)
            case ast.IfExp():
                one, other = self.rank(node.body), self.rank(node.orelse)
                return one if one == other else None
            case ast.Subscript():
                return self.rank_of_part(node)
            case ast.Call():
                return self.rank_of_result(node)
        return None

    def highest(self, parts: list[ast.expr]) -> int | None:
        ranks = [self.rank(part) for part in parts]
        known = [rank for rank in ranks if rank is not None]
        return max(known) if len(known) == len(ranks) else None

    def rank_of_name(self, name: str) -> int | None:
        if name in self._ranking:
            return None
        is_signed = name in self.ranks and not self.bindings.of(name)
        dimensions = self.ranks[name] if is_signed else self.dimensions.get(name)
        if dimensions is not None or name in self.bindings.parameters:
            return dimensions
        self._ranking.add(name)
        try:
            ranks = {self.rank_given(binding) for binding in self.bindings.of(name)}
        finally:
            self._ranking.discard(name)
        return ranks.pop() if len(ranks) == 1 else None

    def rank_given(self, binding: Binding) -> int | None:
        if binding.value is None:
            return None
        if binding.how is From.WHOLE:
            return self.rank(binding.value)
        if binding.how is From.ELEMENT:
            if isinstance(binding.value, ast.Call) and self.callee(binding.value) in (
                "tensorflow.range",
                "builtins.range",
            ):
                return 0
            rank = self.rank(binding.value)
            return rank - 1 if rank else None
        return None

    @cached_property
    def dimensions(self) -> dict[str, int]:
        """Names of parameters and others whose shape is taken apart: ``b, t, c = x.shape``."""
        found: dict[str, int] = {}
        for bindings in self.bindings.of_names.values():
            for binding in bindings:
                holder = shape_holder(binding.value)
                if binding.how is From.PART and holder and len(self.bindings.of(holder)) <= 1:
                    is_parameter = holder in self.bindings.parameters
                    if not (is_parameter and self.bindings.of(holder)):
                        found[holder] = binding.count
        return found

    def rank_of_part(self, node: ast.Subscript) -> int | None:
        rank = self.rank(node.value)
        if rank is None or not self.is_tensor(node.value):
            return None
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            is_new = isinstance(part, ast.Constant) and part.value is None
            is_new = is_new or self.unit.names.qualified(part) == "tensorflow.newaxis"
            if is_new:
                rank += 1
            elif isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value is ...):
                continue
            elif self.is_index(part):
                rank -= 1
            else:
                return None
        return rank if rank >= 0 else None

    def is_index(self, node: ast.expr) -> bool:
        """Whether an index takes one element: not a mask, not a tensor of several."""
        return not isinstance(node, ast.Compare) and self.rank(node) == 0

    def rank_of_result(self, node: ast.Call) -> int | None:
        name = self.callee(node)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        first = node.args[0] if node.args else None
        if name in operations.SCALARS:
            return 0
        if name == "tensorflow.shape":
            return 1
        if first is None:
            return None
        if name in operations.REDUCTIONS:
            is_whole = len(node.args) == 1 and not {"axis", "keepdims", "ord", "keep_dims"} & keywords.keys()
            return 0 if is_whole else self.rank_of_reduction(first, node.args[1:], keywords)
        if name in operations.SHAPED or name == "tensorflow.reshape":
            shape = (node.args[1] if len(node.args) > 1 else None) if name.endswith("reshape") else first
            if not isinstance(shape, ast.List | ast.Tuple):
                return None
            return None if any(isinstance(part, ast.Starred) for part in shape.elts) else len(shape.elts)
        if name in ("tensorflow.constant", "tensorflow.convert_to_tensor"):
            return _nesting(first) if not isinstance(first, ast.Name) else self.rank(first)
        if name in operations.SAME_RANK:
            return self.rank(first)
        if name in ("tensorflow.argmax", "tensorflow.argmin", "tensorflow.math.argmax"):
            rank = self.rank(first)
            return rank - 1 if rank else None
        if name == "tensorflow.expand_dims":
            rank = self.rank(first)
            return rank + 1 if rank is not None else None
        if name == "tensorflow.matmul" and len(node.args) == 2:
            ranks = [self.rank(argument) for argument in node.args]
            return 2 if ranks == [2, 2] else None
        if name in operations.BESIDE and len(node.args) == 2:
            return self.highest(node.args)
        return None

    def rank_of_reduction(
        self, first: ast.expr, rest: list[ast.expr], keywords: dict[str | None, ast.expr]
    ) -> int | None:
        rank = self.rank(first)
        axis = keywords.get("axis", rest[0] if rest else None)
        if rank is None or "keepdims" in keywords or len(rest) > 1 or axis is None:
            return None
        if isinstance(axis, ast.List | ast.Tuple):
            return max(rank - len(axis.elts), 0)
        return rank - 1 if rank and isinstance(axis, ast.Constant | ast.UnaryOp) else None


def shape_holder(node: ast.expr | None) -> str:
    """``x`` of ``x.shape``, ``tf.shape(x)``, ``tf.unstack(tf.shape(x))`` and ``x.shape.as_list()``."""
    while isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("as_list", "get_shape"):
            is_getter = node.func.attr == "get_shape"
            node = node.func.value
            if is_getter:
                return node.id if isinstance(node, ast.Name) else ""
        elif ast.unparse(node.func).endswith((".unstack", ".shape")) and node.args:
            is_shape = ast.unparse(node.func).endswith(".shape")
            node = node.args[0]
            if is_shape:
                return node.id if isinstance(node, ast.Name) else ""
        else:
            return ""
    is_shape = isinstance(node, ast.Attribute) and node.attr == "shape"
    return (
        node.value.id
        if is_shape and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        else ""
    )


def _nesting(node: ast.expr) -> int | None:
    depth = 0
    while isinstance(node, ast.List | ast.Tuple):
        if not node.elts:
            return None
        depth, node = depth + 1, node.elts[0]
    return depth if isinstance(node, ast.Constant | ast.UnaryOp) else None
