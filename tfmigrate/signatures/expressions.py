"""Which tensor an expression makes, where the code itself says so: literals, conversions, makers with a written shape."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from tfmigrate.signatures.values import PythonOf, SeveralOf, TensorOf, Unknown, Value
from tfmigrate.syntax import FunctionNode
from tfmigrate.tables import words
from tfmigrate.unit import Unit
from tfmigrate.walk import own, walk

_DEEPEST = 6
_FILLED = {
    "tensorflow.zeros": ("float32", 1),
    "tensorflow.ones": ("float32", 1),
    "tensorflow.random.normal": ("float32", 3),
    "tensorflow.random.truncated_normal": ("float32", 3),
    "tensorflow.random.uniform": ("float32", 3),
    "numpy.zeros": ("float64", 1),
    "numpy.ones": ("float64", 1),
}
"""Maker -> its dtype without ``dtype=``, and the position of that argument. The first argument is the shape."""
_RANDOM = ("numpy.random.rand", "numpy.random.randn")
_CONSTANTS = ("tensorflow.constant", "tensorflow.convert_to_tensor")
_DTYPES = words("float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 bool string")


@dataclass
class Expressions:
    """Reads the expressions of one file."""

    unit: Unit

    @cached_property
    def outside(self) -> list[ast.AST]:
        """The nodes of the module's own body."""
        return _outside(self.unit.tree)

    def value(self, node: ast.expr, deep: int = 0) -> Value:
        """What is known of the value; Unknown rather than a guess."""
        if deep > _DEEPEST:
            return Unknown()
        if isinstance(node, ast.Constant):
            return PythonOf(ast.unparse(node))
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            return PythonOf(ast.unparse(node))
        if isinstance(node, ast.Name):
            found = self.only_value(node)
            return self.value(found, deep + 1) if found is not None else Unknown()
        if isinstance(node, ast.List | ast.Tuple):
            items = tuple(self.value(item, deep + 1) for item in node.elts)
            if all(isinstance(item, TensorOf | SeveralOf) for item in items) and items:
                return SeveralOf("list" if isinstance(node, ast.List) else "tuple", ("",) * len(items), items)
        if isinstance(node, ast.Dict) and node.keys and all(_text(key) is not None for key in node.keys):
            values = tuple(self.value(item, deep + 1) for item in node.values)
            return SeveralOf("dict", tuple(_text(key) or "" for key in node.keys), values)
        return self._made(node, deep) if isinstance(node, ast.Call) else Unknown()

    def only_value(self, node: ast.Name) -> ast.expr | None:
        """What the name is bound to, if that is one plain assignment."""
        scope: FunctionNode | ast.Module | None = self.unit.names.enclosing_function(node)
        while True:
            nodes = own(scope) if isinstance(scope, FunctionNode) else self.outside
            if isinstance(scope, FunctionNode) and any(
                arg.arg == node.id for arg in ast.walk(scope.args) if isinstance(arg, ast.arg)
            ):
                return None
            stores = [
                one
                for one in nodes
                if isinstance(one, ast.Name) and one.id == node.id and not isinstance(one.ctx, ast.Load)
            ]
            if stores:
                parent = self.unit.names.parent(stores[0])
                is_plain = (
                    isinstance(parent, ast.Assign) and parent.targets == [stores[0]] and len(stores) == 1
                )
                is_before = stores[0].lineno < node.lineno or not isinstance(scope, FunctionNode)
                return parent.value if is_plain and is_before and isinstance(parent, ast.Assign) else None
            if not isinstance(scope, FunctionNode):
                return None
            scope = self.unit.names.enclosing_function(scope)

    def _made(self, node: ast.Call, deep: int) -> Value:
        name = self.unit.names.qualified(node.func)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        if isinstance(node.func, ast.Attribute) and node.func.attr == "astype" and len(node.args) == 1:
            base = self.value(node.func.value, deep + 1)
            return self._as(base, self.dtype(node.args[0]))
        if name is None or any(isinstance(one, ast.Starred) for one in node.args) or None in keywords:
            return Unknown()
        if name in _RANDOM:
            return (
                TensorOf(tuple(self._size(one) for one in node.args), "float64") if node.args else Unknown()
            )
        if (
            name in _CONSTANTS
            and node.args
            and not keywords.keys() - {"dtype", "name"}
            and len(node.args) <= 2
        ):
            return self._constant(
                node.args[0], keywords.get("dtype", node.args[1] if node.args[1:] else None), deep
            )
        if name == "tensorflow.cast" and len(node.args) == 2:
            return self._constant(node.args[0], node.args[1], deep)
        if name not in _FILLED or not (node.args or "shape" in keywords):
            return Unknown()
        default, position = _FILLED[name]
        asked = keywords.get("dtype", node.args[position] if len(node.args) > position else None)
        dtype = default if asked is None else self.dtype(asked)
        shape = self._shape(node.args[0] if node.args else keywords["shape"], name.startswith("numpy."))
        return TensorOf(shape, dtype) if shape is not None and dtype else Unknown()

    def is_instance(self, node: ast.expr, owner: str) -> bool:
        """Whether a name is bound to a new object of the class ``owner`` of this file, and to nothing else."""
        found = self.only_value(node) if isinstance(node, ast.Name) else node
        made = found.func if isinstance(found, ast.Call) else None
        return made is not None and self.unit.names.qualified(made) == self.unit.qualified(owner)

    def _as(self, value: Value, dtype: str) -> Value:
        return TensorOf(value.shape, dtype) if isinstance(value, TensorOf) and dtype else Unknown()

    def _constant(self, node: ast.expr, asked: ast.expr | None, deep: int) -> Value:
        dtype = self.dtype(asked) if asked is not None else ""
        if asked is not None and not dtype:
            return Unknown()
        inner = self.value(node, deep + 1)
        if isinstance(inner, TensorOf):
            return TensorOf(inner.shape, dtype or inner.dtype)
        try:
            literal = ast.literal_eval(node)
        except (ValueError, TypeError):
            return Unknown()
        shape = _shape_of(literal)
        kinds = {type(leaf) for leaf in _flat(literal)}
        found = "float32" if kinds in ({float}, {float, int}) else ""
        found = found or {int: "int32", bool: "bool", str: "string"}.get(next(iter(kinds), object), "")
        if shape is None or not found or (len(kinds) > 1 and kinds != {float, int}):
            return Unknown()
        return TensorOf(shape, dtype or found)

    def dtype(self, node: ast.expr) -> str:
        """``float32`` for ``tf.float32``, ``np.float32`` and ``"float32"``; empty for what is not known."""
        text = node.value if isinstance(node, ast.Constant) else self.unit.names.qualified(node) or ""
        last = str(text).rpartition(".")[2]
        return last if last in _DTYPES else ""

    def _shape(self, node: ast.expr, is_numpy: bool) -> tuple[int | None, ...] | None:
        if isinstance(node, ast.Name):
            found = self.only_value(node)
            node = found if found is not None else node
        if isinstance(node, ast.List | ast.Tuple) and not any(
            isinstance(one, ast.Starred) for one in node.elts
        ):
            return tuple(self._size(one) for one in node.elts)
        return (self._size(node),) if is_numpy and isinstance(node, ast.Constant) else None

    def _size(self, node: ast.expr) -> int | None:
        if isinstance(node, ast.Name):
            found = self.only_value(node)
            node = found if found is not None else node
        is_number = isinstance(node, ast.Constant) and type(node.value) is int
        return node.value if is_number else None  # type: ignore[attr-defined]


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _outside(tree: ast.Module) -> list[ast.AST]:
    """The nodes of the module's own body."""
    inside = {
        id(part)
        for node in walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef)
        for part in ast.walk(node)
    }
    declared = {name for node in walk(tree) if isinstance(node, ast.Global) for name in node.names}
    return [
        node
        for node in walk(tree)
        if id(node) not in inside or (isinstance(node, ast.Name) and node.id in declared)
    ]


def _flat(value: object) -> list[object]:
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in _flat(item)]
    return [value]


def _shape_of(value: object) -> tuple[int, ...] | None:
    """The shape of nested lists; None where they are ragged."""
    if not isinstance(value, list | tuple):
        return ()
    shapes = {_shape_of(item) for item in value}
    if len(shapes) != 1 or None in shapes:
        return (0,) if not value else None
    (inner,) = shapes
    assert inner is not None
    return (len(value), *inner)


def is_in_loop(unit: Unit, node: ast.AST) -> list[str]:
    """Names that loops around ``node`` bind, within its function."""
    names: list[str] = []
    above = unit.names.parent(node)
    while above is not None and not isinstance(above, FunctionNode | ast.ClassDef | ast.Module):
        targets: list[ast.expr] = []
        if isinstance(above, ast.For | ast.AsyncFor):
            targets = [above.target]
        elif isinstance(above, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            targets = [one.target for one in above.generators]
        names += [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
        above = unit.names.parent(above)
    return names
