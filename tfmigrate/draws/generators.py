"""Generators that the code keeps: with a seed they become ``tf.random.Generator``, without one they are not needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfmigrate.draws.classes import literal_kind
from tfmigrate.draws.sources import Draw, Holder, Where
from tfmigrate.imports import is_imported
from tfmigrate.syntax import defaults, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Keeper:
    """Answers for the draws of one function."""

    unit: Unit
    draws: Sequence[Draw]

    def can_become_tensorflows(self, draw: Draw) -> bool:
        """Whether nothing but these draws uses the draw's generator, and its seed is a whole number."""
        holder = draw.holder
        if holder is None or not isinstance(holder.seed, ast.expr) or not self.is_whole_number(holder.seed):
            return False
        if holder.where is Where.GLOBAL and is_imported(self.unit):
            return False
        if holder.where is Where.SELF and self.is_inherited(holder):
            return False
        return self.is_used_here_only(holder)

    def is_whole_number(self, seed: ast.expr) -> bool:
        if literal_kind(seed) == "int":
            return not isinstance(seed, ast.UnaryOp)
        function = self.unit.names.enclosing_function(seed)
        if not isinstance(seed, ast.Name) or function is None:
            return False
        default = defaults(function).get(seed.id)
        return default is not None and literal_kind(default) == "int"

    def is_inherited(self, holder: Holder) -> bool:
        owner = self.unit.names.enclosing_class(holder.statement)
        name = self.unit.qualified(self.unit.names.qualname(owner)) if owner is not None else ""
        return owner is None or bool(self.unit.index.subclasses(name))

    def is_used_here_only(self, holder: Holder) -> bool:
        receivers = {
            id(draw.call.func.value)
            for draw in self.draws
            if draw.holder == holder and isinstance(draw.call.func, ast.Attribute)
        }
        uses = list(self.uses(holder))
        return bool(uses) and all(id(node) in receivers for node in uses)

    def uses(self, holder: Holder) -> Iterator[ast.expr]:
        """Every place that reads the generator, or may: an attribute of that name on anything."""
        for node in walk(self.unit.tree):
            if holder.where is Where.SELF and isinstance(node, ast.Attribute) and node.attr == holder.name:
                if isinstance(node.ctx, ast.Load):
                    yield node
            elif holder.where is not Where.SELF and isinstance(node, ast.Name) and node.id == holder.name:
                is_here = holder.where is Where.GLOBAL or self.is_in_scope(node, holder)
                if isinstance(node.ctx, ast.Load) and is_here:
                    yield node

    def is_in_scope(self, node: ast.expr, holder: Holder) -> bool:
        scope = self.unit.names.enclosing_function(holder.statement)
        function = self.unit.names.enclosing_function(node)
        while function is not None and function is not scope:
            if any(arg.arg == holder.name for arg in parameters(function)):
                return False
            function = self.unit.names.enclosing_function(function)
        return function is scope

    def random(self, draw: Draw, tf: str) -> str:
        """What the draw's methods are called on."""
        if draw.holder is None or draw.holder.seed is None or not isinstance(draw.call.func, ast.Attribute):
            return f"{tf}.random"
        return ast.unparse(draw.call.func.value)

    def changes(self, tf: str) -> tuple[tuple[tuple[ast.expr, str], ...], tuple[ast.stmt, ...]]:
        """New constructors of generators, and statements that made one which is not needed any more."""
        made: dict[int, tuple[ast.expr, str]] = {}
        removed: dict[int, ast.stmt] = {}
        for draw in self.draws:
            holder = draw.holder
            if holder is None:
                continue
            if holder.seed is not None:
                text = f"{tf}.random.Generator.from_seed({ast.unparse(holder.seed)})"
                made[id(holder.made)] = (holder.made, text)
            elif holder.where is Where.LOCAL and self.is_used_here_only(holder):
                removed[id(holder.statement)] = holder.statement
        return tuple(made.values()), tuple(removed.values())
