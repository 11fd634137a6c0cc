"""``if`` on a draw: what its branches assign, whether both give the same types, and the ``tf.cond`` that says the same.

AutoGraph turns such an ``if`` of a plain ``tf.function`` into a ``tf.cond`` by itself; Keras 3 runs ``call`` and
``train_step`` without AutoGraph, so there it has to be written. https://www.tensorflow.org/api_docs/python/tf/cond
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfmigrate import tables
from tfmigrate.blocked import Blocked
from tfmigrate.draws.classes import called_method
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.values import Environment, Kind, Value, as_tensor_dtype
from tfmigrate.syntax import FunctionNode, bound_names
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_SIMPLE = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Pass


@dataclass(frozen=True, slots=True)
class Branch:
    """An ``if`` on a draw, read: two ways on, and the names that they give new values."""

    node: ast.If
    body: tuple[ast.stmt, ...]
    """What runs where the draw says yes."""
    other: tuple[ast.stmt, ...]
    """What runs where it says no; with an early ``return`` or ``continue``, the rest of the block."""
    names: tuple[str, ...]
    """Names that hold the result; empty where both ways return."""
    returns: bool
    rest: tuple[ast.stmt, ...]
    """Statements after the ``if`` that ``other`` took in."""
    kept: tuple[str, ...]
    """Names of ``names`` that exist before the ``if``."""


@dataclass(frozen=True, slots=True)
class Branches:
    """Reads the branches of one function."""

    unit: Unit
    function: FunctionNode
    reading: Reading

    def read(self, node: ast.If) -> Branch | Blocked:
        """The two ways of an ``if``, or why it cannot become part of a graph."""
        blocked = Blocked("branch", f"if {ast.unparse(node.test)}")
        block = self.unit.names.block_of(node)
        if not block or any(isinstance(part, ast.NamedExpr) for part in walk(node.test)):
            return blocked
        after = tuple(block[block.index(node) + 1 :])
        last = node.body[-1]
        if isinstance(last, ast.Return):
            return self.returning(node, after) or blocked
        if isinstance(last, ast.Continue) and not node.orelse and self.is_loop_body(block):
            return self.joining(node, tuple(node.body[:-1]), after, after) or blocked
        return self.joining(node, tuple(node.body), tuple(node.orelse), ()) or blocked

    def is_loop_body(self, block: list[ast.stmt]) -> bool:
        parent = self.unit.names.parent(block[0])
        return isinstance(parent, ast.For) and block is parent.body

    def returning(self, node: ast.If, after: tuple[ast.stmt, ...]) -> Branch | None:
        other = tuple(node.orelse) or after
        rest = () if node.orelse else after
        ends = [way[-1] if way else None for way in (node.body, other)]
        if (node.orelse and after) or self.unit.names.parent(node) is not self.function:
            return None
        if not all(isinstance(end, ast.Return) and end.value is not None for end in ends):
            return None
        if not all(self.is_pure(statement) for way in (node.body[:-1], other[:-1]) for statement in way):
            return None
        if any(self.has_effect(end) for end in ends if end is not None):
            return None
        return Branch(node, tuple(node.body), other, (), True, rest, ())

    def joining(
        self,
        node: ast.If,
        body: tuple[ast.stmt, ...],
        other: tuple[ast.stmt, ...],
        rest: tuple[ast.stmt, ...],
    ) -> Branch | None:
        ways = (*body, *other)
        if not ways or not all(self.is_pure(statement) for statement in ways):
            return None
        before = self.reading.before.get(id(node), {})
        assigned = bound_names(part for statement in ways for part in walk(statement))
        inside = {id(part) for statement in ways for part in walk(statement)}
        names = []
        for name in sorted(assigned, key=lambda name: _first(name, ways)):
            is_in_both = all(name in bound_names(p for s in way for p in walk(s)) for way in (body, other))
            if self.is_used_outside(name, inside) or not self.is_scratch(name, body, other):
                if name not in before and not is_in_both:
                    return None
                names.append(name)
        kept = tuple(name for name in names if name in before)
        return Branch(node, body, other, tuple(names), False, rest, kept) if names else None

    def is_scratch(self, name: str, *ways: tuple[ast.stmt, ...]) -> bool:
        """Whether each way that names it assigns it first."""
        for way in ways:
            uses = [n for s in way for n in walk(s) if isinstance(n, ast.Name) and n.id == name]
            first = next((s for s in way if any(use in walk(s) for use in uses)), None)
            if first is not None and not (
                isinstance(first, ast.Assign) and not any(use in walk(first.value) for use in uses)
            ):
                return False
        return True

    def is_used_outside(self, name: str, inside: set[int]) -> bool:
        return any(
            isinstance(part, ast.Name) and part.id == name and id(part) not in inside
            for part in walk(self.function)
        )

    def is_pure(self, statement: ast.stmt) -> bool:
        """Whether the statement only gives local names new values."""
        if isinstance(statement, ast.If):
            return self.is_pure_if(statement)
        if not isinstance(statement, _SIMPLE) or self.has_effect(statement):
            return False
        targets = (
            statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        )
        return all(
            isinstance(part, ast.Name | ast.Tuple | ast.List | ast.expr_context)
            for target in targets
            if target is not None
            for part in ast.walk(target)
        )

    def is_pure_if(self, statement: ast.If) -> bool:
        """An ``if`` inside of a branch: on a draw, or one that Python decides and that holds none on a draw."""
        inner = [part for part in ast.walk(statement) if isinstance(part, ast.If) and part is not statement]
        is_drawn = bool(self.reading.of(statement.test).draws)
        is_readable = is_drawn or not any(self.reading.of(part.test).draws for part in inner)
        return (
            is_readable
            and not self.has_effect(statement.test)
            and all(self.is_pure(part) for part in (*statement.body, *statement.orelse))
        )

    def has_effect(self, statement: ast.AST) -> bool:
        """Whether evaluating it may change something: a list, a variable, a printed line."""
        return any(self.is_effect(part) for part in ast.walk(statement))

    def is_effect(self, part: ast.AST) -> bool:
        if isinstance(part, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(part, ast.Call):
            return False
        name = self.unit.names.qualified(part.func) or ""
        if name.startswith(("tensorflow.", "keras.ops.", "numpy.")):
            return name in ("tensorflow.print", "tensorflow.py_function", "tensorflow.numpy_function")
        method = called_method(self.unit, part)
        if method is not None:
            return any(
                isinstance(node, ast.Attribute)
                and (not isinstance(node.ctx, ast.Load) or node.attr in tables.MUTATORS)
                for node in walk(self.unit.functions[method])
            )
        if isinstance(part.func, ast.Attribute):
            return part.func.attr in tables.MUTATORS or part.func.attr.startswith(
                ("assign", "apply_gradients")
            )
        return name in ("builtins.print", "builtins.setattr", "builtins.next", "builtins.exec")

    # -- types -----------------------------------------------------------------------------------------------------

    def pairs(self, branch: Branch) -> Iterator[tuple[Value, Value]]:
        """The values of each result in the two ways."""
        if branch.returns:
            ends = [way[-1] for way in (branch.body, branch.other)]
            one, other = (
                self.reading.of(end.value) for end in ends if isinstance(end, ast.Return) and end.value
            )
            yield from _flat(one, other)
            return
        before = self.reading.before.get(id(branch.node), {})
        for name in branch.names:
            yield from _flat(*(self.after(way, name, before) for way in (branch.body, branch.other)))

    def after(self, way: Sequence[ast.stmt], name: str, before: Environment) -> Value:
        """What ``name`` is after ``way``."""
        value = before.get(name, Value())
        for statement in way:
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    value = self.assigned(target, name, self.reading.of(statement.value), value)
            elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
                value = self.assigned(statement.target, name, self.reading.of(statement.value), value)
            elif isinstance(statement, ast.If):
                value = self.reading.after.get(id(statement), {}).get(name, Value())
            elif isinstance(statement, ast.AugAssign) and ast.unparse(statement.target) == name:
                value = self.reading.augmented.get(id(statement), Value())
        return value

    def assigned(self, target: ast.expr, name: str, given: Value, value: Value) -> Value:
        if isinstance(target, ast.Name):
            return given if target.id == name else value
        if isinstance(target, ast.Tuple | ast.List):
            for position, element in enumerate(target.elts):
                if isinstance(element, ast.Name) and element.id == name:
                    if len(given.items) == len(target.elts):
                        return given.items[position]
                    return Value(Kind.TENSOR, given.dtype) if given.is_tensor else Value()
        return value

    def is_typed_expression(self, node: ast.IfExp) -> bool:
        """Whether both values of ``a if drawn else b`` have the same types."""
        one, other = self.reading.of(node.body), self.reading.of(node.orelse)
        return all(_same(*pair) for pair in _flat(one, other))

    def is_typed(self, branch: Branch) -> bool:
        """Whether both ways give the same types."""
        pairs = list(self.pairs(branch))
        return bool(pairs) and all(_same(one, other) for one, other in pairs)


def _flat(one: Value, other: Value) -> Iterator[tuple[Value, Value]]:
    if one.kind is Kind.TUPLE and other.kind is Kind.TUPLE and len(one.items) == len(other.items):
        for pair in zip(one.items, other.items, strict=True):
            yield from _flat(*pair)
    else:
        yield one, other


def _same(one: Value, other: Value) -> bool:
    dtypes = {as_tensor_dtype(one), as_tensor_dtype(other)}
    return len(dtypes) == 1 and "" not in dtypes


def _first(name: str, ways: Sequence[ast.stmt]) -> tuple[int, int]:
    return min(
        (part.lineno, part.col_offset)
        for statement in ways
        for part in walk(statement)
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
    )
