"""Reading a function whose control flow will be written anew: what a tensor decides is a tensor afterwards."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate.draws.reading import Reader
from tfmigrate.draws.values import UNKNOWN, Environment, Kind, Value, tensor
from tfmigrate.flow.kinds import Kinds
from tfmigrate.syntax import bound_names
from tfmigrate.walk import walk


@dataclass(slots=True)
class FlowReader(Reader):
    """A number that changes in a branch or loop of a tensor comes out of ``tf.cond`` and ``tf.while_loop`` as a tensor."""

    def statement(self, node: ast.stmt, env: Environment) -> None:
        before = dict(env)
        Reader.statement(self, node, env)
        if isinstance(node, ast.If | ast.While | ast.For) and Kinds(self.unit, self.reading).decides(node):
            blocks = [block for block in (node.body, node.orelse) if block]
            for name in bound_names(part for block in blocks for s in block for part in walk(s)):
                self.joined(name, [block[-1] for block in blocks], before, env)

    def evaluated(self, node: ast.expr, env: Environment) -> Value:
        """``a and b`` becomes ``tf.logical_and`` where Python would ask ``a``, a tensor, whether it is true."""
        value = Reader.evaluated(self, node, env)
        if isinstance(node, ast.BoolOp) and value.dtype == "bool":
            asked = any(self.reading.of(part).is_tensor for part in node.values[:-1])
            return tensor("bool") if asked else value
        return value

    def joined(self, name: str, ends: list[ast.stmt], before: Environment, env: Environment) -> None:
        """What ``name`` is after the statement, from what it is at the ends of the ways through it."""
        if name not in env or env[name].kind is Kind.UNBOUND:
            return
        values = [self.reading.after[id(end)].get(name, UNKNOWN) for end in ends]
        values += [before[name]] if name in before else []
        if all(value.is_tensor or value.is_number for value in values):
            dtypes = {value.dtype for value in values if value.is_tensor}
            env[name] = tensor(dtypes.pop() if len(dtypes) == 1 else "")
