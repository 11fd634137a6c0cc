"""Whether the body of a function still does what it did when sizes are unknown while it is traced."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tfmigrate.blocked import Blocked
from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.syntax import FunctionNode, bound_names, dotted
from tfmigrate.tables import words
from tfmigrate.unit import Unit
from tfmigrate.walk import own, walk

_STATIC = frozenset(("shape", "get_shape", "num_elements", "as_list", "from_tensor_slices", "ragged"))
_NEEDS_SIZES = frozenset(
    ("len", "unstack", "range", "list", "tuple", "zip", "enumerate", "iter", "einsum_path")
)
_SHAPES = {
    **dict.fromkeys(["reshape", "broadcast_to", "tile"], 1),
    **dict.fromkeys(
        ["zeros", "ones", "fill", "random.normal", "random.uniform", "random.truncated_normal"], 0
    ),
}
"""Functions of TensorFlow -> the position of a shape that may be made of tensors."""
_METHODS = words("""
    gradient jacobian watch apply_gradients minimize assign assign_add assign_sub update_state result reset_state
    write read stack concat gather size append items keys values numpy get
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
    asked: list[ast.Subscript] = field(default_factory=list)
    """``x.shape[i]`` that can be ``tf.shape(x)[i]``."""

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
        if self.any_rank:
            return self.unit.names.qualified(read) == "tensorflow.shape"
        parent = self.unit.names.parent(read)
        if isinstance(parent, ast.Call) and ast.unparse(parent.func) == "len":
            return True
        if isinstance(parent, ast.Attribute) and parent.attr in ("rank", "ndims"):
            return True
        if self.unit.names.qualified(read) == "tensorflow.shape":
            return True
        if not isinstance(read.value, ast.Name):
            return False
        name = read.value.id
        if name not in _locals(self.function.node) and self._is_in(read, self.function.node):
            return True  # Of something that is there before.
        if name not in known or read.attr != "shape" or not isinstance(parent, ast.Subscript):
            return False
        axis = _integer(parent.slice)
        if axis is None:
            return False
        rank = self.ranks[name]
        if not -rank <= axis < rank:
            return False
        if axis % rank in self.unknown[name]:
            if not takes_tensor(self.unit, self.function, parent):
                return False
            self.asked.append(parent)
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


def takes_tensor(unit: Unit, function: GraphFunction, node: ast.expr) -> bool:
    """Whether a size may be a tensor as well: in a shape that is written out, for ``tf.range``, or kept for these."""
    parent = unit.names.parent(node)
    if isinstance(parent, ast.Assign):
        target = parent.targets[0]
        if len(parent.targets) != 1 or not isinstance(target, ast.Name):
            return False
        names = [one for one in walk(function.node) if isinstance(one, ast.Name) and one.id == target.id]
        loads = [one for one in names if one is not target]
        return all(
            isinstance(one.ctx, ast.Load) and _is_size(unit, one, unit.names.parent(one)) for one in loads
        )
    return _is_size(unit, node, parent)


def _is_size(unit: Unit, node: ast.expr, parent: ast.AST | None) -> bool:
    call = unit.names.parent(parent) if isinstance(parent, ast.List | ast.Tuple) else parent
    if not isinstance(call, ast.Call):
        return False
    name = unit.names.qualified(call.func)
    if call is parent:
        return name in ("tensorflow.range", "tensorflow.cast") and call.args[0] is node
    position = _SHAPES.get((name or "").removeprefix("tensorflow."), -1)
    is_there = 0 <= position < len(call.args) and call.args[position] is parent
    return is_there or (position >= 0 and any(k.arg == "shape" and k.value is parent for k in call.keywords))


def is_keras_object(unit: Unit, text: str) -> bool:
    """A model, layer, loss or optimizer that is made in this file by a class of Keras, and nothing else of that name."""
    made = [
        node.value
        for node in walk(unit.tree)
        if isinstance(node, ast.Assign) and any(dotted(target) == text for target in node.targets)
    ]
    if not text or not made:
        return False
    names = [unit.names.qualified(one.func) if isinstance(one, ast.Call) else None for one in made]
    return all(name is not None and name.startswith("keras.") for name in names)


def _integer(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


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
