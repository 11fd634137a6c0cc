"""Whether the body of a function still does what it did when sizes are unknown while it is traced."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tfmigrate.blocked import Blocked
from tfmigrate.signatures.functions import GraphFunction, is_keras_object
from tfmigrate.signatures.sizes import Asked, Sizes, shape_around
from tfmigrate.syntax import FunctionNode, bound_names, dotted
from tfmigrate.tables import words
from tfmigrate.unit import Unit
from tfmigrate.walk import own, walk

_STATIC = frozenset(("shape", "get_shape", "num_elements", "as_list", "from_tensor_slices", "ragged"))
_NEEDS_SIZES = frozenset(
    ("len", "unstack", "range", "list", "tuple", "zip", "enumerate", "iter", "einsum_path")
)
_METHODS = words("""
    gradient jacobian watch apply_gradients minimize assign assign_add assign_sub update_state result reset_state
    write read stack concat gather size append items keys values numpy get get_shape as_list
    to_tensor to_sparse row_lengths row_starts row_limits value_rowids nrows bounding_shape with_values with_flat_values
    merge_dims
    """)
"""Methods of tapes, optimizers, metrics, variables and arrays, for which sizes do not matter."""


@dataclass(slots=True)
class Body:
    """One function, read for the axes whose sizes would be unknown: parameter -> axes."""

    unit: Unit
    function: GraphFunction
    unknown: Mapping[str, frozenset[int]]
    ranks: Mapping[str, int]
    any_rank: bool = False
    """Not even the number of axes would be known."""
    opaque: list[str] = field(default_factory=list)
    """Callees that are not seen, and get tensors with unknown sizes."""
    given: Mapping[str, str] = field(default_factory=dict)
    """Parameter -> its dtype, as far as that is known."""
    composite: frozenset[str] = frozenset()
    """Parameters that are ragged or sparse tensors."""
    asked: list[Asked] = field(default_factory=list)
    """Sizes that can be asked of the graph: ``tf.shape(x)[i]`` for ``x.shape[i]``."""

    def blocked(self) -> Blocked | None:
        """The first read of such a size, if there is one."""
        node = self.function.node
        rebound = bound_names(own(node))
        reads = self._reads(node, frozenset(self.unknown) - rebound, {id(node)})
        return next(reads, None)

    def _reads(self, node: FunctionNode, known: frozenset[str], seen: set[int]) -> Iterator[Blocked]:
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        parts = [part for statement in body for part in walk(statement)]
        for part in sorted(parts, key=lambda n: (getattr(n, "lineno", 0), getattr(n, "col_offset", 0))):
            if self._is_static(part, known):
                yield Blocked("static-shape", ast.unparse(part))
            elif isinstance(part, ast.For | ast.While):
                self.opaque.append("a loop")  # What it carries must keep its shape, as far as that is known.
            elif isinstance(part, ast.Call):
                yield from self._called(part, seen)

    def _is_static(self, part: ast.AST, known: frozenset[str]) -> bool:
        """Whether something is done that takes a size which would be unknown."""
        if isinstance(part, ast.Attribute):
            return part.attr in _STATIC and not self._is_fine(part, known)
        if isinstance(part, ast.Assign):
            return _unpacks(part)
        return _over_parameter(part, self.unknown)

    def _is_fine(self, read: ast.Attribute, known: frozenset[str]) -> bool:
        """``len(x.shape)``, ``x.shape.rank``, and ``x.shape[i]`` of a size that stays known."""
        if self.unit.names.qualified(read) == "tensorflow.shape":
            return True
        if self.any_rank:
            return self._is_asked(read, known, "")
        parent = self.unit.names.parent(read)
        if isinstance(parent, ast.Call) and ast.unparse(parent.func) == "len":
            return True
        if isinstance(parent, ast.Attribute) and parent.attr in ("rank", "ndims"):
            return True
        root = read.value
        while isinstance(root, ast.Call | ast.Attribute):
            root = root.func if isinstance(root, ast.Call) else root.value
        if not isinstance(root, ast.Name):
            return False
        if root.id not in _locals(self.function.node) and self._is_in(read, self.function.node):
            return True  # Of something that is there before.
        return self._is_asked(read, known, root.id)

    def _is_asked(self, read: ast.Attribute, known: frozenset[str], name: str) -> bool:
        """Whether each size that would be unknown can be a tensor as well; notes these."""
        if read.attr == "as_list":  # Seen as a whole where ``x.shape`` is.
            return isinstance(read.value, ast.Attribute | ast.Call)
        if read.attr not in ("shape", "get_shape") or not isinstance(read.value, ast.Name):
            return False
        name = name or read.value.id
        if name not in known:
            return False
        whole = shape_around(self.unit, read)
        rank = None if self.any_rank else self.ranks[name]
        unknown = None if self.any_rank else self.unknown[name]
        found = Sizes(self.unit, self.function, self.given).asked(whole, name, rank, unknown)
        if found is None or (found and name in self.composite):
            return False  # ``tf.shape`` of a ragged tensor is another thing, of int64.
        self.asked += found
        return True

    def _is_in(self, node: ast.AST, function: FunctionNode) -> bool:
        return function in (node, *self.unit.names.ancestors(node))

    def _called(self, call: ast.Call, seen: set[int]) -> Iterator[Blocked]:
        name = self.unit.names.qualified(call.func)
        last = dotted(call.func).rpartition(".")[2] or getattr(call.func, "attr", "")
        if (
            last in _NEEDS_SIZES
            and not _of_shape(call)
            and (name or "").startswith(("builtins.", "tensorflow.unstack"))
        ):
            yield Blocked("static-shape", ast.unparse(call))
        elif name is not None and name.startswith(("tensorflow.", "keras.", "math.", "numpy.", "builtins.")):
            return
        elif (target := self._target(call, name)) is not None:
            if id(target) not in seen:
                seen.add(id(target))
                yield from self._reads(target, frozenset(), seen)
        elif last not in _METHODS and not is_keras_object(self.unit, dotted(call.func)):
            self.opaque.append(ast.unparse(call.func))

    def _target(self, call: ast.Call, name: str | None) -> FunctionNode | None:
        """The function of this file that is called."""
        unit = self.unit
        if name is not None and name.startswith(f"{unit.module}."):
            return unit.functions.get(name.removeprefix(f"{unit.module}."))
        receiver, _, method = dotted(call.func).rpartition(".")
        if receiver and receiver == self.function.receiver:
            return unit.functions.get(f"{self.function.owner}.{method}")
        return unit.functions.get(f"{self.function.symbol}.<locals>.{method}") if not receiver else None


def _locals(function: FunctionNode) -> set[str]:
    """Names that the function or one inside of it binds."""
    return {arg.arg for arg in walk(function) if isinstance(arg, ast.arg)} | bound_names(walk(function))


def _unpacks(assign: ast.Assign) -> bool:
    """``a, b = x``: only a size that is known can be taken apart."""
    takes = any(isinstance(target, ast.Tuple | ast.List) for target in assign.targets)
    return takes and isinstance(assign.value, ast.Name)


def _of_shape(call: ast.Call) -> bool:
    """``len(x.shape)``: the rank stays known."""
    arguments = call.args
    return bool(arguments) and isinstance(arguments[0], ast.Attribute) and arguments[0].attr == "shape"


def _over_parameter(node: ast.AST, names: Mapping[str, frozenset[int]]) -> bool:
    if isinstance(node, ast.Starred):
        return isinstance(node.value, ast.Name) and node.value.id in names
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return any(isinstance(one.iter, ast.Name) and one.iter.id in names for one in node.generators)
    return False
