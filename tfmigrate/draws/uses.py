"""What becomes of each draw: every place that its value reaches while it is still a Python or NumPy number.

A draw that meets a tensor ends there: the result was a tensor before, too. Where it goes on, each step is one that a
tensor can take as well, or the draw stays.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.draws import ops
from tfmigrate.draws.alike import are_alike_tensors
from tfmigrate.draws.among import among, is_within
from tfmigrate.draws.meetings import Meetings
from tfmigrate.draws.needs import Needs
from tfmigrate.draws.places import is_bound_once, is_drawn_itself, is_place, is_test, key_of
from tfmigrate.draws.table import Result
from tfmigrate.draws.values import Kind, Value
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(slots=True)
class Follower(Meetings):
    """Follows one draw."""

    def run(self, function: ast.AST) -> Needs | Blocked:
        """All uses, beginning with the call itself and with every name that holds its value."""
        if id(self.node) == self.key:
            self.follow(self.node)
        for node in walk(function):
            if isinstance(node, ast.Name) and self.key in self.reading.of(node).draws:
                if isinstance(node.ctx, ast.Load):
                    self.follow(node, self.reading.of(node).dtype == "bool")
                elif isinstance(self.unit.names.parent(node), ast.AugAssign):
                    self.counted(node)
        return self.blocked or self.needs

    # -- one step --------------------------------------------------------------------------------------------------

    def follow(self, node: ast.expr, is_bool: bool = False) -> None:
        """See what the expression around ``node`` does with its value."""
        parent = self.unit.names.parent(node)
        if self.reading.of(node).kind in (Kind.PICKED, Kind.SEVERAL):
            self.picked(node, parent)
            return
        match parent:
            case ast.BinOp():
                self.combined(node, parent, is_bool)
            case ast.UnaryOp() if not isinstance(parent.op, ast.Not):
                self.follow(parent, is_bool)
            case ast.UnaryOp() | ast.BoolOp():
                self.logical(parent)
            case ast.Compare():
                self.compared(node, parent)
            case ast.If() if node is parent.test:
                self.needs.conditions[id(parent)] = parent
                self.needs.in_test = True
            case ast.IfExp():
                if node is parent.test:
                    self.needs.conditions[id(parent)] = parent
                    self.needs.in_test = True
                else:
                    self.follow(parent, is_bool)
            case ast.Call():
                self.given(node, parent, is_bool)
            case ast.keyword():
                call = self.unit.names.parent(parent)
                if isinstance(call, ast.Call):
                    self.given(node, call, is_bool)
            case ast.Attribute():
                self.attribute(parent, is_bool)
            case ast.Subscript():
                self.subscript(node, parent, is_bool)
            case ast.Slice():
                self.block("structure", parent)
            case ast.Tuple() | ast.List():
                self.element(node, parent)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Return() | ast.Expr():
                self.statement(node, parent)
            case ast.Lambda():
                self.returned(parent)
            case ast.For() | ast.While() | ast.comprehension():
                self.block("structure", node)
            case ast.FormattedValue() | ast.JoinedStr() | ast.Assert():
                self.block("value-of-python", node)
            case _:
                self.block("kept", node)

    def logical(self, parent: ast.UnaryOp | ast.BoolOp) -> None:
        """``not``, ``and`` and ``or`` are taken apart in a test; elsewhere only ``not`` has an operation of its own."""
        top: ast.AST = parent
        above = self.unit.names.parent(top)
        while isinstance(above, ast.BoolOp) or (
            isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not)
        ):
            top, above = above, self.unit.names.parent(above)
        if isinstance(above, ast.If | ast.IfExp) and above.test is top:
            self.follow(above.test, True)
        elif isinstance(parent, ast.UnaryOp):
            self.needs.conversions[id(parent)] = (parent, "not")
            self.follow(parent, True)
        else:
            self.block("value-of-python", parent)

    def statement(self, node: ast.expr, parent: ast.stmt) -> None:
        if isinstance(parent, ast.Return):
            function = self.unit.names.enclosing_function(parent)
            self.returned(function)
        elif isinstance(parent, ast.AugAssign):
            target = self.reading.of(parent.target)
            if target.is_tensor and isinstance(parent.target, ast.Name):
                self.meet(target, parent)
                if target.dtype.endswith(".dtype"):
                    self.needs.meetings.append((node, f"{parent.target.id}.dtype", target.dtype))
            else:
                self.block("kept", parent)
        elif isinstance(parent, ast.Assign | ast.AnnAssign):
            for each in parent.targets if isinstance(parent, ast.Assign) else [parent.target]:
                self.assigned(each)

    def assigned(self, target: ast.expr) -> None:
        function = self.unit.names.enclosing_function(target)
        if not isinstance(target, ast.Name) or (
            function is not None
            and any(
                isinstance(node, ast.Global | ast.Nonlocal) and target.id in node.names
                for node in walk(function)
            )
        ):
            self.block("kept", target)

    def counted(self, target: ast.Name) -> None:
        statement = self.unit.names.parent(target)
        assert isinstance(statement, ast.AugAssign)
        self.met_by(self.reading.of(statement.value), statement.op, statement)

    def returned(self, function: ast.AST | None) -> None:
        is_plain = not self.is_array or self.explicit_dtype() != ""
        if id(function) not in self.entry.returns_tensors or not is_plain:
            self.block("returned")
            return
        for node in walk(function) if function is not None else ():
            if isinstance(node, ast.Return) and node.value is not None:
                value = self.reading.of(node.value)
                if value.is_tensor and value.dtype and not value.dtype.endswith(".dtype"):
                    self.needs.dtypes.add(value.dtype)

    # -- picks -----------------------------------------------------------------------------------------------------

    def picked(self, node: ast.expr, parent: ast.AST | None) -> None:
        """What becomes of a function, layer or tensor that the draw picks."""
        self.needs.whole = True
        self.needs.dtypes.add("int32")
        if isinstance(node, ast.Name | ast.Subscript):
            self.needs.positions[id(node)] = node
        is_several = self.reading.of(node).kind is Kind.SEVERAL
        if isinstance(parent, ast.Call) and node is parent.func and not is_several:
            if id(parent) in self.reading.selections:
                self.needs.selections[id(parent)] = parent
            else:
                self.block("choice-types", parent)
            return
        bound: ast.expr | None = None
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and not is_several:
            bound = parent.targets[0]
        elif isinstance(parent, ast.For) and node is parent.iter and is_several:
            bound = parent.target
        if isinstance(bound, ast.Name) and is_bound_once(self.unit, bound):
            self.needs.positions[id(bound)] = bound
        else:
            self.block("choice", node)

    def gathered(self, node: ast.expr, parent: ast.Subscript) -> bool:
        """Whether the draw picks, as the index, among functions, tensors or numbers; takes note of it."""
        found = among(self.unit, parent.value)
        draw = self.draws.get(self.key)
        if draw is None or found is None or not is_drawn_itself(self.unit, node, self.key):
            return False
        if not is_within(draw.call, draw.method == "randint" and not draw.is_numpy, found):
            return False
        value = self.reading.of(parent)
        if value.kind is Kind.PICKED:
            self.picked(parent, self.unit.names.parent(parent))
            return True
        is_plain = value.is_number or (value.is_tensor and are_alike_tensors(self.unit, found.elements))
        if is_plain and not found.is_open and id(parent) not in self.draws:
            self.needs.whole = True
            self.needs.gathers[id(parent)] = parent
            return True
        return False

    # -- arithmetic ------------------------------------------------------------------------------------------------

    def combined(self, node: ast.expr, parent: ast.BinOp, is_bool: bool) -> None:
        other = parent.right if node is parent.left else parent.left
        value = self.reading.of(other)
        if (
            isinstance(parent.op, ast.Mod)
            and isinstance(parent.left, ast.Constant | ast.JoinedStr)
            and isinstance(getattr(parent.left, "value", None), str)
        ):
            self.block("value-of-python", parent)
        elif is_bool:
            self.block("value-of-python", node)
        elif isinstance(parent.op, ast.BitAnd | ast.BitOr | ast.BitXor | ast.LShift | ast.RShift):
            self.block("value-of-python", parent)
        elif value.kind in (Kind.TUPLE, Kind.LAYERS):
            self.block("structure", parent)
        elif not self.met_by(value, parent.op, other):
            self.follow(parent)
        elif value.dtype.endswith(".dtype"):
            self.needs.meetings.append((node, self.type_in(other, value.dtype), value.dtype))
        elif not value.dtype and is_place(other):
            self.needs.meetings.append((node, f"{ast.unparse(other)}.dtype", ""))

    def compared(self, node: ast.expr, parent: ast.Compare) -> None:
        if len(parent.ops) != 1 or isinstance(parent.ops[0], ast.In | ast.NotIn | ast.Is | ast.IsNot):
            self.block("value-of-python", parent)
            return
        other = parent.comparators[0] if node is parent.left else parent.left
        value = self.reading.of(other)
        self.needs.meets |= value.draws
        if value.is_tensor:
            self.meet(value, other)
        else:
            if not (value.is_number and value.dtype == "int") and not value.draws:
                self.needs.fraction = True
            if not is_test(self.unit, parent):
                self.meet_unknown(value, other)
            self.follow(parent, True)

    # -- calls -----------------------------------------------------------------------------------------------------

    def given(self, node: ast.expr, call: ast.Call, is_bool: bool) -> None:
        """The value is an argument of ``call``."""
        name = self.unit.names.qualified(call.func) or ""
        key = key_of(node, call)
        if id(call) in self.draws:
            self.given_to_draw(call, key)
        elif name.startswith("builtins."):
            self.given_to_builtin(call, name, is_bool)
        elif name in ("numpy.float32", "numpy.float64", "numpy.float16") and not is_bool:
            self.needs.conversions[id(call)] = (call, "drop")
            self.follow(call)
        elif name.startswith("numpy."):
            self.block("numpy-operation", call.func)
        elif name.startswith("math."):
            self.block("value-of-python", call)
        elif name.startswith(("tensorflow.", "tensorflow_addons.")):
            self.given_to_operation(node, call, name, key, is_bool)
        elif self.is_array and not is_bool and key == "0" and self.is_model(call):
            return
        else:
            self.block("passed-on", call.func)

    def is_model(self, call: ast.Call) -> bool:
        if self.reading.of(call.func).kind is Kind.LAYER:
            return True
        return any(keyword.arg == "training" for keyword in call.keywords)

    def given_to_draw(self, call: ast.Call, key: str) -> None:
        other = self.draws[id(call)]
        if (
            other.row is None
            or self.is_array
            or (
                key == "size"
                or other.row.size == "*"
                or (key.isdigit() and int(key) >= len(other.row.parameters))
            )
            or (key.isdigit() and other.row.parameters[int(key)][0] == "size")
        ):
            self.block("structure", call)
        elif other.row.result is Result.INT:
            self.needs.whole = True
        else:
            self.needs.fraction = True
            self.needs.meets.add(id(call))

    def given_to_builtin(self, call: ast.Call, name: str, is_bool: bool) -> None:
        if name == "builtins.float" and not is_bool and not self.is_array:
            self.needs.conversions[id(call)] = (call, "drop")
            self.needs.fraction = True
            self.follow(call)
        elif name == "builtins.abs" and not is_bool:
            self.follow(call)
        elif name in ("builtins.range", "builtins.enumerate", "builtins.zip"):
            self.block("structure", call)
        else:
            self.block("value-of-python", call)

    def given_to_operation(self, node: ast.expr, call: ast.Call, name: str, key: str, is_bool: bool) -> None:
        first = self.reading.of(call.args[0]) if call.args else Value()
        wanted = ops.NUMBERS.get(name, {}).get(key, "")
        if name in ("tensorflow.constant", "tensorflow.convert_to_tensor") and key in ("0", "value"):
            self.needs.conversions[id(call)] = (call, "convert")
        elif wanted == "any" or (wanted == "bool" and is_bool):
            return
        elif is_bool:
            self.block("value-of-python", node)
        elif wanted == "first":
            self.meet(first, call)
        elif wanted == "int" and self.is_whole:
            self.needs.whole = True
        elif wanted in ("int32", "float32"):
            self.needs.dtypes.add(wanted)
        elif name in ops.ELEMENTWISE and key in ("0", "1", "x", "y"):
            self.elementwise(call, key)
        elif name in ops.FLOAT_FUNCTIONS and key in ("0", "x") and not self.is_whole:
            return
        elif key == "seed":
            self.block("op-seed", call.func)
        elif self.is_array and not self.is_whole and key == "0" and name in ops.SAME_DTYPE:
            return
        else:
            self.block("structure", call)

    # -- containers and attributes ---------------------------------------------------------------------------------

    def attribute(self, parent: ast.Attribute, is_bool: bool) -> None:
        call = self.unit.names.parent(parent)
        if parent.attr == "astype" and isinstance(call, ast.Call) and len(call.args) == 1:
            dtype = _dtype_text(self.unit, call.args[0])
            if is_bool and dtype:
                self.needs.conversions[id(call)] = (call, "cast")
            elif ops.is_float(dtype) and not self.is_whole:
                self.needs.conversions[id(call)] = (call, "drop")
                self.follow(call)
            else:
                self.block("value-of-python", call)
        else:
            self.block("numpy-operation" if self.is_array else "value-of-python", parent)

    def subscript(self, node: ast.expr, parent: ast.Subscript, is_bool: bool) -> None:
        if node is parent.value:
            index = self.reading.of(parent.slice)
            if not isinstance(parent.ctx, ast.Load) or index.draws:
                self.block("kept", parent)
            else:
                self.follow(parent, is_bool)
        elif self.reading.of(parent.value).is_tensor and self.is_whole and not self.is_array:
            self.needs.whole = True
        elif self.is_whole and not self.is_array and self.gathered(node, parent):
            return
        else:
            self.block("index", parent)

    def element(self, node: ast.expr, parent: ast.Tuple | ast.List) -> None:
        above = self.unit.names.parent(parent)
        position = parent.elts.index(node)
        if isinstance(above, ast.Assign) and len(above.targets) == 1:
            target = above.targets[0]
            if isinstance(target, ast.Tuple | ast.List) and len(target.elts) == len(parent.elts):
                self.assigned(target.elts[position])
                return
        if isinstance(above, ast.keyword):
            call = self.unit.names.parent(above)
            if isinstance(call, ast.Call) and above.arg == "seed" and self.is_whole:
                name = self.unit.names.qualified(call.func) or ""
                if name.startswith("tensorflow.") and ".stateless_" in name:
                    self.needs.whole = True
                    return
        if isinstance(above, ast.Call) and parent in above.args[:1]:
            name = self.unit.names.qualified(above.func) or ""
            if name in ("tensorflow.constant", "tensorflow.convert_to_tensor"):
                self.needs.conversions[id(above)] = (above, "convert")
                return
            if name == "tensorflow.stack":
                return
        if isinstance(above, ast.Return):
            self.returned(self.unit.names.enclosing_function(above))
        elif isinstance(above, ast.Subscript) and parent is above.slice:
            self.subscript(parent, above, False)
        else:
            self.block("kept", parent)

    def explicit_dtype(self) -> str:
        """The dtype that a conversion directly around the call asks for."""
        attribute = self.unit.names.parent(self.node)
        call = self.unit.names.parent(attribute) if isinstance(attribute, ast.Attribute) else attribute
        if isinstance(call, ast.Call) and id(call) in self.needs.conversions and call.args:
            name = self.unit.names.qualified(call.func) or ""
            if name.startswith("numpy."):
                return name.rpartition(".")[2]
            return _dtype_text(self.unit, call.args[-1])
        return ""


def _dtype_text(unit: Unit, node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and node.value in ops.DTYPES:
        return str(node.value)
    module, _, last = (unit.names.qualified(node) or "").rpartition(".")
    if module in ("tensorflow", "numpy") and last in ops.DTYPES:
        return last
    return {"builtins.float": "float32"}.get(unit.names.qualified(node) or "", "")
