"""Whether two values can be joined in a graph, and numbers of Python that become tensors there.

``tf.cond`` and ``tf.while_loop`` take one dtype and one structure on all ways, and make tensors of Python's numbers, int32
and float32; a number that met float16 before must meet it as float16. https://www.tensorflow.org/api_docs/python/tf/cond
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.draws import ops
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.values import PYTHON_DTYPES, UNKNOWN, Environment, Kind, Value
from tfmigrate.flow.conditions import CannotLower
from tfmigrate.flow.kinds import Kinds
from tfmigrate.syntax import FunctionNode
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Joiner:
    """Joins values of one function."""

    unit: Unit
    kinds: Kinds
    function: FunctionNode
    tf: str

    @property
    def reading(self) -> Reading:
        return self.kinds.reading

    def casts(self, name: str, values: list[Value], env: Environment, region: set[int]) -> list[str]:
        """For each value the dtype to cast it to, as code; empty where it can stay as it is.

        ``name`` holds it afterwards; uses inside of ``region`` (ids of nodes) do not count.

        Raises:
            CannotLower: a graph cannot join them.
        """
        structures = [value for value in values if value.kind is Kind.TUPLE]
        if structures and len(structures) == len(values):
            if len({len(value.items) for value in values}) > 1:
                raise CannotLower("types-differ", name)
            for items in zip(*(value.items for value in values), strict=True):
                if any(self.casts(name, list(items), env, region)):
                    raise CannotLower("not-a-tensor", name)
            return ["" for _ in values]
        if not all(value.is_tensor or value.is_number for value in values):
            raise CannotLower("not-a-tensor", name)
        dtypes = {value.dtype for value in values if value.is_tensor}
        certain = {dtype for dtype in dtypes if dtype in ops.DTYPES}
        if len(certain) > 1:
            raise CannotLower("types-differ", name)
        if not any(value.is_number for value in values):
            return ["" for _ in values]
        if dtypes:
            wanted = self.dtype_text(certain or dtypes, env)
        else:
            wanted = self.met_dtype(name, values, env, region)
        return [self.cast(value, wanted, name) for value in values]

    def cast(self, value: Value, wanted: str, name: str) -> str:
        if value.is_tensor:
            return ""
        own = PYTHON_DTYPES.get(value.dtype, "")
        if not own or (own == "float32" and wanted.rpartition(".")[2] in ops.INTEGERS):
            raise CannotLower("types-differ", name)
        return "" if wanted == f"{self.tf}.{own}" else wanted

    def dtype_text(self, dtypes: set[str], env: Environment) -> str:
        """Code for the dtype that tensors have.

        Raises:
            CannotLower: there is no name to ask for it.
        """
        dtype = sorted(dtypes)[0]
        if dtype in ops.DTYPES:
            return f"{self.tf}.{dtype}"
        origin = dtype.partition("@")[0]
        names = [name for name, value in env.items() if value.is_tensor and value.dtype == dtype]
        if not dtype or not names:
            raise CannotLower("not-a-tensor", origin)
        return f"{origin if origin in names else sorted(names)[0]}.dtype"

    def met_dtype(self, name: str, values: list[Value], env: Environment, region: set[int]) -> str:
        """The dtype of the tensors that a name of a number is combined with.

        Raises:
            CannotLower: Python uses it otherwise, or it meets several dtypes.
        """
        met: set[str] = set()
        for node in walk(self.function):
            is_use = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
            if is_use and id(node) not in region:
                assert isinstance(node, ast.Name)
                met |= set(self.met(node, name))
        kinds = {value.dtype for value in values}
        own = "float32" if "float" in kinds else "int32" if "int" in kinds else "bool"
        met.discard("")
        if met - ops.DTYPES:
            return self.dtype_text(met, env) if len(met) == 1 else self.fail(name)
        if len(met) > 1:
            self.fail(name)
        return f"{self.tf}.{met.pop() if met else own}"

    def fail(self, name: str) -> str:
        raise CannotLower("types-differ", name)

    def met(self, node: ast.expr, name: str) -> Iterator[str]:
        """Dtypes that one use asks for; empty: any will do."""
        parent = self.unit.names.parent(node)
        if isinstance(parent, ast.BinOp | ast.Compare):
            parts = (
                [parent.left, *parent.comparators]
                if isinstance(parent, ast.Compare)
                else [parent.left, parent.right]
            )
            others = [self.kinds.of(part) for part in parts if part is not node]
            if all(other.is_tensor for other in others):
                yield from (other.dtype for other in others)
                return
            if isinstance(parent, ast.BinOp) and all(other.is_number for other in others):
                yield from self.met(parent, name)
                return
            if all(other.is_number for other in others):
                yield ""
                return
        elif isinstance(parent, ast.UnaryOp):
            yield from self.met(parent, name)
            return
        elif isinstance(parent, ast.AugAssign) and parent.value is node:
            target = self.reading.augmented.get(id(parent), UNKNOWN)
            if target.is_tensor:
                yield target.dtype
                return
        elif isinstance(parent, ast.Call) and self.takes_number(parent, node):
            yield ""
            return
        elif (
            isinstance(parent, ast.Subscript) and parent.slice is node and self.kinds.is_tensor(parent.value)
        ):
            yield "int32"
            return
        elif isinstance(parent, ast.Assign) and ast.unparse(parent.targets[0]) == name:
            yield ""  # `i = i + 1`, in the loop itself.
            return
        raise CannotLower("number-used-by-python", name)

    def takes_number(self, call: ast.Call, node: ast.expr) -> bool:
        name = self.unit.names.qualified(call.func) or ""
        position = next((str(i) for i, argument in enumerate(call.args) if argument is node), "")
        return bool(position) and ops.NUMBERS.get(name, {}).get(position) in ("any", "int", "bool")
