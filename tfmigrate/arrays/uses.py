"""What becomes of a list once it is complete: each use in terms of the array, or the reason why there is none."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable
from dataclasses import dataclass

from tfmigrate.arrays.function import Function
from tfmigrate.arrays.operations import PACKED, PACKING, SUMS
from tfmigrate.blocked import Blocked
from tfmigrate.draws import ops
from tfmigrate.draws.values import UNKNOWN, Value, tensor


class Wants(enum.Enum):
    """What a use needs of the array."""

    STACK = "one tensor of all elements"
    CONCAT = "the elements one behind the other"
    SIZE = "their number"
    READ = "the element written last"


@dataclass(frozen=True, slots=True)
class Use:
    """One use: the expression to be written anew, and how, given the text for what it wants."""

    node: ast.expr
    wants: Wants
    write: Callable[[str], str]
    more_than_once: bool = False
    """The text stands more than once in what is written."""
    turned: tuple[int, ...] = ()
    """The elements are to be transposed so before they are written."""
    value: Value = UNKNOWN
    """What is known of the result."""
    result: ast.expr | None = None
    """Where it is the result of more than is written anew."""

    @property
    def known(self) -> tuple[int, Value]:
        return id(self.result if self.result is not None else self.node), self.value


@dataclass(frozen=True, slots=True)
class Uses:
    """Reads the uses of one list. ``dtype`` and ``rank`` are its elements'."""

    function: Function
    key: str
    name: str
    dtype: str
    rank: int | None
    is_reversed: bool

    def read(self, node: ast.expr) -> Use | Blocked:
        names = self.function.unit.names
        whole, taken = node, ""
        parent = names.parent(whole)
        if isinstance(parent, ast.Subscript) and parent.value is whole:
            if not isinstance(parent.slice, ast.Slice):
                return self.element(parent)
            taken = self.slice(parent.slice)
            whole, parent = parent, names.parent(parent)
        if isinstance(parent, ast.keyword) and parent.arg in ("values", "value", "inputs", "input_tensor"):
            parent = names.parent(parent)
        if isinstance(parent, ast.Call) and whole is not parent.func:
            is_first = (parent.args and parent.args[0] is whole) or not parent.args
            if is_first:
                return self.called(parent, whole, taken)
        return self.refused(parent)

    def refused(self, parent: ast.AST | None) -> Blocked:
        names = self.function.unit.names
        while isinstance(parent, ast.Tuple | ast.List | ast.Dict | ast.keyword | ast.IfExp):
            parent = names.parent(parent)
        if isinstance(parent, ast.Return):
            return Blocked("returned-as-list", self.key)
        if isinstance(parent, ast.Assign) and any(isinstance(t, ast.Attribute) for t in parent.targets):
            return Blocked("kept-on-self", ast.unparse(parent.targets[0]))
        about = parent if isinstance(parent, ast.expr) else None
        return Blocked("used-as-list", ast.unparse(about) if about is not None else self.key)

    def slice(self, node: ast.Slice) -> str:
        parts = (node.lower, node.upper, node.step)
        if self.is_flip(node):
            return "flip"
        return ast.unparse(ast.Subscript(ast.Name("x"), node))[1:] if any(parts) else ""

    def is_flip(self, node: ast.Slice) -> bool:
        return node.lower is None and node.upper is None and ast.unparse(node).endswith("::-1")

    def element(self, node: ast.Subscript) -> Use | Blocked:
        if self.is_reversed:
            return Blocked("used-as-list", ast.unparse(node))
        index = self.function.rewriting.text(node.slice)
        is_number = isinstance(node.slice, ast.Constant | ast.UnaryOp | ast.Name)
        if not is_number:
            return Blocked("used-as-list", ast.unparse(node))
        return Use(node, Wants.STACK, lambda stacked: f"{stacked}[{index}]", value=tensor(self.dtype))

    # -- calls -----------------------------------------------------------------------------------------------------

    def called(self, call: ast.Call, whole: ast.expr, taken: str) -> Use | Blocked:
        name = self.function.tensors.callee(call)
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        rest = call.args[1:]
        if name == "builtins.len" and not taken:
            return self.length(call)
        if name in SUMS:
            is_plain = not rest and not keywords.keys() - {"inputs", "name"} and self.dtype != "bool"
            return self.sum(call, taken) if is_plain else Blocked("used-as-list", ast.unparse(call))
        if name in PACKING:
            axis = keywords.get("axis", rest[0] if rest and name == "tensorflow.stack" else None)
            is_typed = name == "tensorflow.convert_to_tensor" and (
                rest or keywords.keys() - {"value", "name"}
            )
            if is_typed:
                return Blocked("used-as-list", ast.unparse(call))
            return self.stacked(call, _number(axis) if axis is not None else 0, taken)
        if name == "tensorflow.concat":
            axis = keywords.get("axis", rest[0] if rest else None)
            return self.concatenated(call, _number(axis) if axis is not None else None, taken)
        if name in PACKED:
            return Use(
                whole,
                Wants.STACK,
                lambda stacked: self.of(stacked, taken),
                value=self.value(call),
                result=call,
            )
        return self.refused(call)

    def value(self, call: ast.Call) -> Value:
        """What is known of an operation's result on the stacked elements."""
        known = self.function.reading.of(call)
        same = self.function.tensors.callee(call) in ops.SAME_DTYPE
        return tensor(self.dtype) if same and not known.dtype else known

    def of(self, stacked: str, taken: str) -> str:
        """The text of the stacked elements, in the right order, as far as they are taken."""
        if self.is_reversed != (taken == "flip"):
            stacked = f"{self.function.tf}.reverse({stacked}, [0])"
        return stacked if taken == "flip" else f"{stacked}{taken}"

    def sum(self, call: ast.Call, taken: str) -> Use:
        axis = "" if self.rank == 0 else ", axis=0"
        tf = self.function.tf
        return Use(
            call,
            Wants.STACK,
            lambda stacked: f"{tf}.reduce_sum({self.of(stacked, taken) if taken != 'flip' else stacked}{axis})",
            value=tensor(self.dtype),
        )

    def stacked(self, call: ast.Call, axis: int | None, taken: str) -> Use | Blocked:
        about, tf, value = ast.unparse(call), self.function.tf, tensor(self.dtype)
        if axis is None:
            return Blocked("axis-of-unknown-rank", about)
        if axis == 0:
            return Use(call, Wants.STACK, lambda stacked: self.of(stacked, taken), value=value)
        if self.rank is None:
            return self.stacked_anywhere(call, axis, taken)
        rank = self.rank + 1
        axis += rank if axis < 0 else 0
        if not 0 <= axis < rank:
            return Blocked("axis-of-unknown-rank", about)
        order = [*range(1, axis + 1), 0, *range(axis + 1, rank)]
        turned = "" if rank == 2 else f", {order}"
        if axis == 0:
            return Use(call, Wants.STACK, lambda stacked: self.of(stacked, taken), value=value)
        return Use(
            call,
            Wants.STACK,
            lambda stacked: f"{tf}.transpose({self.of(stacked, taken)}{turned})",
            value=value,
        )

    def stacked_anywhere(self, call: ast.Call, axis: int, taken: str) -> Use | Blocked:
        """The new axis second, or last, whatever the rank of the elements."""
        tf = self.function.tf
        if axis not in (1, -1) or taken or self.is_reversed:
            return Blocked("axis-of-unknown-rank", ast.unparse(call))

        def write(stacked: str) -> str:
            order = f"[[1, 0], {tf}.range(2, {tf}.rank({stacked}))]"
            if axis == -1:
                order = f"[{tf}.range(1, {tf}.rank({stacked})), [0]]"
            return f"{tf}.transpose({stacked}, {tf}.concat({order}, axis=0))"

        return Use(call, Wants.STACK, write, more_than_once=True, value=tensor(self.dtype))

    def concatenated(self, call: ast.Call, axis: int | None, taken: str) -> Use | Blocked:
        about, tf = ast.unparse(call), self.function.tf
        if axis is None or taken or self.is_reversed:
            return Blocked("used-as-list", about)
        if axis < 0 and self.rank is not None:
            axis += self.rank
        if axis == 0:
            return Use(call, Wants.CONCAT, lambda joined: joined, value=tensor(self.dtype))
        if self.rank is None or not 0 < axis < self.rank:
            return Blocked("axis-of-unknown-rank", about)
        order = (axis, *(n for n in range(self.rank) if n != axis))
        back = [order.index(n) for n in range(self.rank)]
        turned = "" if self.rank == 2 else f", {back}"
        return Use(
            call,
            Wants.CONCAT,
            lambda joined: f"{tf}.transpose({joined}{turned})",
            turned=order,
            value=tensor(self.dtype),
        )

    # -- their number ----------------------------------------------------------------------------------------------

    def length(self, call: ast.Call) -> Use | Blocked:
        return Use(call, Wants.SIZE, lambda size: size, value=tensor("int32"))

    def length_text(self, use: Use, size: str, second: Callable[[ast.expr], Value]) -> str | Blocked:
        """The number of elements where it is used: a tensor of int32, or converted to the type of what it meets."""
        names, tf = self.function.unit.names, self.function.tf
        parent = names.parent(use.node)
        blocked = Blocked("used-as-list", ast.unparse(use.node))
        if isinstance(parent, ast.BinOp):
            other = parent.right if parent.left is use.node else parent.left
            met = second(other)
            is_division = isinstance(parent.op, ast.Div)
            if met.is_number:
                is_whole = met.dtype == "int" and not is_division
                return size if is_whole else f"{tf}.cast({size}, {tf}.float32)"
            if not met.is_tensor or (met.dtype in ops.INTEGERS and is_division):
                return blocked
            if met.dtype == "int32":
                return size
            dtype = self.function.dtype_text(met.dtype, self.function.unit.names.statement_of(use.node))
            if isinstance(other, ast.Name) and met.dtype.endswith(".dtype"):
                dtype = f"{other.id}.dtype"
            return f"{tf}.cast({size}, {dtype})" if dtype else blocked
        above = parent
        while isinstance(above, ast.Tuple | ast.List):
            above = names.parent(above)
        if isinstance(above, ast.Return) and self.function.is_entered_as_graph:
            return size
        if isinstance(parent, ast.Call) and parent.args[:1] == [use.node]:
            return size if self.function.tensors.callee(parent) == "tensorflow.cast" else blocked
        return blocked


def _number(node: ast.expr | None) -> int | None:
    try:
        value = ast.literal_eval(node) if node is not None else None
    except ValueError:
        return None
    return value if isinstance(value, int) else None
