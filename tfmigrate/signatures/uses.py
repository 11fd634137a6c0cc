"""Whether a parameter that gets Python numbers can get a tensor: what the body does with it, and which dtypes it meets."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tfmigrate.blocked import Blocked
from tfmigrate.signatures.expressions import Expressions
from tfmigrate.signatures.functions import GraphFunction, is_keras_object
from tfmigrate.syntax import bound_names, dotted
from tfmigrate.tables import words
from tfmigrate.unit import Unit
from tfmigrate.walk import own, walk

_KEEPING = words("""
    reduce_mean reduce_sum reduce_max reduce_min square sqrt abs exp log tanh sigmoid sin cos negative identity
    stop_gradient reshape transpose squeeze expand_dims math.exp math.log math.sqrt math.square math.tanh math.sigmoid
    math.abs math.reduce_mean math.reduce_sum nn.relu nn.softmax nn.sigmoid nn.tanh nn.l2_loss clip_by_value zeros_like
    ones_like matmul add multiply subtract divide maximum minimum pow concat stack random.uniform random.normal zeros
    ones linalg.matvec linalg.matmul gather tile boolean_mask reverse roll
    """)
"""Functions of TensorFlow whose result has the dtype of the first argument."""
_ELEMENTWISE = words(
    "add multiply subtract divide maximum minimum pow math.add math.multiply math.subtract math.divide"
)
_OTHER_FLOATS = ("float64", "float16", "mixed_", "set_floatx", "double")
_POLICIES = ("set_floatx", "set_global_policy", "set_dtype_policy", "set_policy", "set_experimental_policy")


@dataclass
class Uses:
    """One function. ``numbers``: the parameters that are to be tensors -> ``float`` or ``int``; ``given``: dtypes of
    others, as far as callers show."""

    unit: Unit
    function: GraphFunction
    numbers: Mapping[str, str]
    given: Mapping[str, str]

    def blocked(self) -> Blocked | None:
        """The first use that forbids it."""
        node = self.function.node
        nested = {
            id(one)
            for inner in walk(node)
            if isinstance(inner, ast.Lambda | ast.FunctionDef)
            for one in walk(inner)
            if inner is not node
        }
        if bound_names(own(node)) & self.numbers.keys():
            return Blocked("number-in-python", "assigned anew")
        for part in walk(node):
            if isinstance(part, ast.Name) and part.id in self.numbers and isinstance(part.ctx, ast.Load):
                if id(part) in nested:
                    return Blocked("number-in-python", "in an inner function")
                why = self._use(part, self.numbers[part.id])
                if why is not None:
                    return why
        return None

    def _use(self, node: ast.expr, kind: str) -> Blocked | None:
        """One use of a value that was a Python number and becomes a tensor."""
        parent = self.unit.names.parent(node)
        if isinstance(parent, ast.BinOp):
            other = parent.right if parent.left is node else parent.left
            return self._meets(parent, other, kind)
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
            return self._use(parent, kind)
        if isinstance(parent, ast.Compare) and len(parent.ops) == 1:
            other = parent.comparators[0] if parent.left is node else parent.left
            return self._compared(parent, other, kind)
        if isinstance(parent, ast.Call) and node in parent.args:
            return self._handed(parent, node, kind)
        if isinstance(parent, ast.Return):
            return None
        if isinstance(parent, ast.Assign | ast.AugAssign):
            return Blocked("number-in-python", ast.unparse(parent))
        return Blocked(
            "number-in-python", ast.unparse(parent) if isinstance(parent, ast.expr) else ast.unparse(node)
        )

    def _meets(self, whole: ast.BinOp, other: ast.expr, kind: str) -> Blocked | None:
        dtype = self.dtype(other)
        if isinstance(whole.op, ast.MatMult | ast.LShift | ast.RShift | ast.BitOr | ast.BitAnd | ast.BitXor):
            return Blocked("number-in-python", ast.unparse(whole))
        if kind == "float" and dtype in ("float32", "float", "int"):
            is_python = dtype != "float32"
        elif kind == "int" and dtype == "int" and not isinstance(whole.op, ast.Div):
            is_python = True
        else:
            return Blocked("number-meets-unknown", ast.unparse(whole))
        return self._use(whole, kind) if is_python else None

    def _compared(self, whole: ast.Compare, other: ast.expr, kind: str) -> Blocked | None:
        dtype = self.dtype(other)
        if isinstance(whole.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn):
            return Blocked("number-in-python", ast.unparse(whole))
        if dtype not in (("float32", "float", "int") if kind == "float" else ("int",)):
            return Blocked("number-meets-unknown", ast.unparse(whole))
        parent = self.unit.names.parent(whole)
        if dtype == "float32" and not isinstance(parent, ast.If):
            return None
        is_branch = isinstance(parent, ast.If) and parent.test is whole
        if (
            not is_branch
            or not isinstance(parent, ast.If)
            or not self._has_autograph
            or not self._is_smooth(parent)
        ):
            return Blocked("number-decides", ast.unparse(whole))
        return None

    @property
    def _has_autograph(self) -> bool:
        value = self.function.keywords.get("autograph")
        return value is None or (isinstance(value, ast.Constant) and value.value is True)

    def _is_smooth(self, branch: ast.If) -> bool:
        """``if w > 0: loss = loss + ...``: each arm only goes on with a tensor that is there before."""
        if branch.orelse:
            return False
        if self.unit.names.parent(branch) is not self.function.node and not isinstance(
            self.unit.names.parent(branch), ast.With
        ):
            return False
        for statement in branch.body:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            if isinstance(statement, ast.AugAssign):
                target, value = statement.target, statement.value
            elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                value = statement.value
            else:
                return False
            if not isinstance(target, ast.Name) or not self._is_pure(value):
                return False
            if isinstance(statement, ast.Assign) and not (
                isinstance(value, ast.BinOp)
                and isinstance(value.left, ast.Name)
                and value.left.id == target.id
            ):
                return False
            before = [one for one in self._assigned.get(target.id, ()) if one.lineno < branch.lineno]
            if len(before) != 1 or self.dtype(before[0].value) != "float32":
                return False
        return True

    def _is_pure(self, value: ast.expr) -> bool:
        """Whether it only computes: calls of TensorFlow's functions whose results keep the dtype."""
        return all(
            self._short(call) in _KEEPING for call in ast.walk(value) if isinstance(call, ast.Call)
        ) and not any(isinstance(one, ast.NamedExpr | ast.Await | ast.Lambda) for one in ast.walk(value))

    def _handed(self, call: ast.Call, node: ast.expr, kind: str) -> Blocked | None:
        name, text = self._short(call), dotted(call.func)
        if name == "cast" and call.args[0] is node:
            return None
        if kind == "int" and name == "range" and len(call.args) == 1:
            return None
        if kind == "float" and text.endswith((".learning_rate.assign", ".lr.assign")) and len(call.args) == 1:
            root = ast.unparse(call.func).rsplit(".", 2)[0]
            if is_keras_object(self.unit, root) and not self._has_other_floats:
                return None
        if kind == "float" and name in _ELEMENTWISE and len(call.args) == 2:
            other = call.args[1] if call.args[0] is node else call.args[0]
            return (
                None
                if self.dtype(other) in ("float32", "float")
                else Blocked("number-meets-unknown", ast.unparse(call))
            )
        if name in ("print", "summary.scalar"):
            return None
        return Blocked("number-in-python", ast.unparse(call))

    # -- dtypes ------------------------------------------------------------------------------------------------

    def dtype(self, node: ast.expr, deep: int = 0) -> str:
        """``float32``, or ``float`` and ``int`` for Python's; empty for all else."""
        if deep > 12:
            return ""
        if isinstance(node, ast.Constant):
            return {int: "int", float: "float"}.get(type(node.value), "")
        if isinstance(node, ast.UnaryOp):
            return self.dtype(node.operand, deep + 1)
        if isinstance(node, ast.BinOp):
            found = {self.dtype(node.left, deep + 1), self.dtype(node.right, deep + 1)}
            if "float32" in found:
                return "float32"  # The other one is too, or the sum would fail.
            return (
                "" if "" in found else "float" if "float" in found or isinstance(node.op, ast.Div) else "int"
            )
        if isinstance(node, ast.Subscript):
            found_dtype = self.dtype(node.value, deep + 1)
            return found_dtype if found_dtype == "float32" else ""
        if isinstance(node, ast.Name):
            return self._named(node, deep)
        return self._called(node, deep) if isinstance(node, ast.Call) else ""

    def _named(self, node: ast.Name, deep: int) -> str:
        if node.id in self.numbers:
            return "float32" if self.numbers[node.id] == "float" else ""
        assigned = self._assigned.get(node.id, ())
        if assigned:
            before = [one for one in assigned if one.lineno < node.lineno]
            first = {self.dtype(one.value, deep + 1) for one in before[:1]}
            later = [one for one in before[1:] if not _goes_on(one, node.id)]
            return first.pop() if first and not later else ""
        if node.id in self.given:
            return self.given[node.id]
        made = Expressions(self.unit).only_value(node)
        if (
            made is None
            or not isinstance(made, ast.Call)
            or self.unit.names.qualified(made.func) != "tensorflow.Variable"
        ):
            return ""
        return (
            self.dtype(made.args[0], deep + 1)
            if len(made.args) == 1 and not any(k.arg == "dtype" for k in made.keywords)
            else ""
        )

    def _called(self, call: ast.Call, deep: int) -> str:
        name = self._short(call)
        asked = [k.value for k in call.keywords if k.arg == "dtype"]
        if name == "cast" and len(call.args) == 2:
            asked = [call.args[1]]
        if asked or name == "cast":
            return "float32" if asked and Expressions(self.unit).dtype(asked[0]) == "float32" else ""
        if name in ("random.normal", "random.uniform", "zeros", "ones"):
            return "float32" if len(call.args) == 1 else ""
        if name in _KEEPING and call.args:
            first = call.args[0]
            return "float32" if self.dtype(first, deep + 1) == "float32" else ""
        if not name and is_keras_object(self.unit, dotted(call.func)) and not self._has_other_floats:
            return "float32"
        return ""

    def _short(self, call: ast.Call) -> str:
        name = self.unit.names.qualified(call.func) or ""
        return name.removeprefix("tensorflow.") if name.startswith("tensorflow.") else ""

    @cached_property
    def _assigned(self) -> dict[str, list[ast.Assign | ast.AugAssign]]:
        """Name -> its plain assignments, in order of lines. Names that are bound otherwise are not in it."""
        found: dict[str, list[ast.Assign | ast.AugAssign]] = {}
        others: set[str] = set()
        for node in own(self.function.node):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                parent = self.unit.names.parent(node)
                is_plain = isinstance(parent, ast.Assign) and parent.targets == [node]
                if is_plain or (isinstance(parent, ast.AugAssign) and parent.target is node):
                    assert isinstance(parent, ast.Assign | ast.AugAssign)
                    found.setdefault(node.id, []).append(parent)
                else:
                    others.add(node.id)
        return {
            name: sorted(all_, key=lambda s: s.lineno) for name, all_ in found.items() if name not in others
        }

    @cached_property
    def _has_other_floats(self) -> bool:
        """Whether Keras may compute with anything but float32 here."""
        if any(word in self.unit.text for word in _OTHER_FLOATS):
            return True
        resolver = self.unit.index.resolver()
        views = [view for view in map(resolver.view, self.unit.index.modules) if view is not None]
        return any(
            call.callee.rpartition(".")[2] in _POLICIES
            for view in views
            for functions in view.functions.values()
            for function in functions
            for call in function.calls
        )


def _goes_on(statement: ast.Assign | ast.AugAssign, name: str) -> bool:
    """``loss = loss + ...``, ``loss += ...``: the dtype stays."""
    if isinstance(statement, ast.AugAssign):
        return True
    value = statement.value
    return isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name) and value.left.id == name
