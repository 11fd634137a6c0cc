"""Statements that a tensor decides, written with ``tf.cond`` and local functions; loops are in ``loops``.

What a branch assigns and later code needs comes back as its result; a name that it reads and assigns is handed in as a
default argument. https://www.tensorflow.org/api_docs/python/tf/cond
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tfmigrate.draws.text import Rewriting, fresh, indented
from tfmigrate.draws.values import UNKNOWN, Environment, Value
from tfmigrate.flow.conditions import CannotLower, Condition, Conditions
from tfmigrate.flow.effects import counted, refuse_effects
from tfmigrate.flow.kinds import Kinds, mentions
from tfmigrate.flow.liveness import Liveness, Names, liveness
from tfmigrate.flow.source import Source
from tfmigrate.flow.values import Joiner
from tfmigrate.imports import tensorflow_name
from tfmigrate.syntax import FunctionNode, bound_names
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

Block = Sequence[ast.stmt]
_EMPTY = ast.Pass | ast.Continue
_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


@dataclass(frozen=True, slots=True)
class TensorLoop:
    """The loop of a graph around a statement: what its next turn needs, and the name that says to stop it."""

    needed: Names
    stop: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """One way on: a local function, or just an expression."""

    lines: tuple[str, ...]
    name: str
    """How to hand it over: a function's name, or a lambda."""
    called: str
    """Its value where it is taken for certain."""


@dataclass
class Lowering:
    """Writes one function's statements. ``arrays`` are names of TensorArrays; ``written`` holds the new lines of statements
    by their id (an ``append`` that becomes ``xs = xs.write(...)``) and what these lines assign; ``counters`` the names that
    loops count with, by their id, where that is settled."""

    unit: Unit
    function: FunctionNode
    symbol: str
    kinds: Kinds
    rewriting: Rewriting
    in_call: bool = False
    """Whether Keras 3 may run it symbolically: then a variable that a branch assigns holds a value of that branch alone."""
    arrays: frozenset[str] = frozenset()
    written: Mapping[int, tuple[tuple[str, ...], frozenset[str]]] = field(default_factory=dict)
    counters: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def live(self) -> Liveness:
        return liveness(self.function)

    @cached_property
    def tf(self) -> str:
        """The file's name for TensorFlow there."""
        name = tensorflow_name(self.unit, self.symbol)
        return name.name if name is not None else ""

    @cached_property
    def taken(self) -> set[str]:
        """Names that the outermost function around uses."""
        nodes = list(walk(self.unit.names.outermost_function(self.function)))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        return names | bound_names(nodes) | {node.arg for node in nodes if isinstance(node, ast.arg)}

    @property
    def conditions(self) -> Conditions:
        return Conditions(self.kinds, self.rewriting, self.tf)

    @property
    def source(self) -> Source:
        return Source(self.unit, self.rewriting)

    @property
    def joiner(self) -> Joiner:
        return Joiner(self.unit, self.kinds, self.function, self.tf)

    def fresh(self, wanted: str) -> str:
        """``wanted``, or with a number if the file uses that name."""
        return fresh(wanted, self.taken)

    # -- blocks ----------------------------------------------------------------------------------------------------

    def block(self, statements: Block, loop: TensorLoop | None = None) -> list[str]:
        """The lines of statements that run one after the other.

        Raises:
            CannotLower: one of them cannot become part of a graph.
        """
        lines: list[str] = []
        for position, statement in enumerate(statements):
            if isinstance(statement, _EMPTY):
                continue
            if isinstance(statement, ast.Break) and loop is not None:
                lines.append(f"{loop.stop} = True")
                continue
            written, took_rest = self.statement(statement, statements[position + 1 :], loop)
            if lines and lines[-1] and written[0].startswith("def "):
                lines.append("")
            lines += written
            if took_rest:
                break
        return lines

    def statement(self, node: ast.stmt, rest: Block, loop: TensorLoop | None) -> tuple[list[str], bool]:
        """The lines of one statement, and whether they hold what follows it in its block, too."""
        if id(node) in self.written:
            above, behind = self.source.comments(node)
            first, *more = self.written[id(node)][0]
            return [*above, first + behind, *more], False
        if not self.holds_control(node, loop):
            return self.plain(node), False
        if self.kinds.decides(node):
            return self.controlled(node, rest, loop)
        if isinstance(node, ast.If):
            return self.python_if(node, rest, loop)
        if loop is not None and leaves_loop(node):
            raise CannotLower("loop-form", node)
        return self.python_compound(node), False

    def plain(self, node: ast.stmt) -> list[str]:
        """The lines of a statement in which no tensor decides."""
        if not isinstance(node, ast.FunctionDef) and any(id(part) in self.written for part in _own(node)):
            return (
                self.python_if(node, (), None)[0] if isinstance(node, ast.If) else self.python_compound(node)
            )
        return self.source.lines(node)

    def holds_control(self, node: ast.stmt, loop: TensorLoop | None) -> bool:
        """Whether the statement cannot stand as it is."""
        if loop is not None and leaves_loop(node):
            return True
        todo: list[ast.AST] = [node]
        while todo:
            one = todo.pop()
            if isinstance(one, ast.stmt):
                if self.kinds.decides(one):
                    return True
                if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    todo.extend(
                        c for c in ast.iter_child_nodes(one) if isinstance(c, ast.stmt | ast.ExceptHandler)
                    )
            elif isinstance(one, ast.ExceptHandler):
                todo.extend(one.body)
        return False

    def controlled(self, node: ast.stmt, rest: Block, loop: TensorLoop | None) -> tuple[list[str], bool]:
        from tfmigrate.flow.checks import assertion, raising
        from tfmigrate.flow.loops import for_loop, while_loop

        match node:
            case ast.If(body=[ast.Raise()], orelse=[]):
                return raising(self, node), False
            case ast.If():
                return self.tensor_if(node, rest, loop)
            case ast.While():
                return while_loop(self, node), False
            case ast.For():
                return for_loop(self, node), False
            case ast.Assert():
                return assertion(self, node), False
        raise CannotLower("unsupported-statement", node)

    def python_if(self, node: ast.If, rest: Block, loop: TensorLoop | None) -> tuple[list[str], bool]:
        """An ``if`` that Python decides, with something inside that it does not."""
        took_rest = loop is not None and leaves_loop(node)
        body, other = continued(node, rest) if took_rest else (node.body, node.orelse)
        above, _ = self.source.comments(node)
        lines = [*above, f"if {self.rewriting.text(node.test)}:"]
        lines += indented(self.block(body, loop) or ["pass"], self.source.indent)
        if other:
            lines += ["else:", *indented(self.block(other, loop) or ["pass"], self.source.indent)]
        return lines, took_rest

    def python_compound(self, node: ast.stmt) -> list[str]:
        text = self.rewriting.text
        above, _ = self.source.comments(node)
        match node:
            case ast.For(orelse=[]):
                head = f"for {text(node.target)} in {text(node.iter)}:"
            case ast.While(orelse=[]):
                head = f"while {text(node.test)}:"
            case ast.With():
                items = [
                    text(item.context_expr)
                    + (f" as {text(item.optional_vars)}" if item.optional_vars else "")
                    for item in node.items
                ]
                head = f"with {', '.join(items)}:"
            case _:
                raise CannotLower("unsupported-statement", node)
        return [*above, head, *indented(self.block(node.body), self.source.indent)]

    # -- branches --------------------------------------------------------------------------------------------------

    def tensor_if(self, node: ast.If, rest: Block, loop: TensorLoop | None) -> tuple[list[str], bool]:
        condition = self.conditions.parted(node.test)
        ways: tuple[Block, Block] = (node.body, node.orelse)
        counting = counted(self, node, condition)
        if counting is not None:
            return [*self.source.comments(node)[0], *counting], False
        if any(mentions_in(way, ast.Return) for way in ways):
            if loop is not None:
                raise CannotLower("return-in-loop", node.test)
            return self.returning(node, condition, rest), True
        if leaves_loop(node):
            if loop is None and not is_loop_body(self.unit, node):
                raise CannotLower("leaves-python-loop", node.test)
            ways = continued(node, rest, "leaves-python-loop" if loop is None else "")
            return self.joining(node, condition, *ways, self.needed_after(node, rest, loop), loop), True
        return self.joining(node, condition, *ways, self.live.after[id(node)], loop), False

    def needed_after(self, node: ast.stmt, rest: Block, loop: TensorLoop | None) -> Names:
        after = self.live.after[id(rest[-1] if rest else node)]
        return after | (loop.needed | {loop.stop} if loop is not None else frozenset())

    def joining(
        self,
        node: ast.If,
        condition: Condition,
        body: Block,
        other: Block,
        needed: Names,
        loop: TensorLoop | None,
    ) -> list[str]:
        """Both ways go on after the statement, with the values that they gave to names."""
        breaks = loop is not None and loop.stop and any(mentions_in(way, ast.Break) for way in (body, other))
        assigned = self.assigned(body) | self.assigned(other) | ({loop.stop} if breaks and loop else set())
        order = list(_in_order([*body, *other]))
        results = sorted(
            (name for name in assigned if name in needed or name in self.arrays),
            key=lambda name: order.index(name) if name in order else len(order),
        )
        casts = self.join_casts(node, body, other, results, loop)
        yes = self.way(node, body, results, casts[0], loop, "if_true")
        no = self.way(node, other, results, casts[1], loop, "if_false")
        lines = [*self.source.comments(node)[0], *yes.lines, *no.lines]
        call = f"{self.tf}.cond({condition.tensor}, {yes.name}, {no.name})"
        target = f"{', '.join(results)} = " if results else ""
        if condition.guard and not condition.is_or and not other and not any(casts[1].values()):
            return [*lines, f"if {condition.guard}:", *indented([target + call], self.source.indent)]
        return [*lines, target + guarded(condition, call, yes.called, no.called)]

    def join_casts(
        self, node: ast.If, body: Block, other: Block, results: Iterable[str], loop: TensorLoop | None
    ) -> tuple[dict[str, str], dict[str, str]]:
        before = self.kinds.reading.before.get(id(node), {})
        inside = {id(part) for statement in (*body, *other) for part in walk(statement)}
        casts: tuple[dict[str, str], dict[str, str]] = ({}, {})
        for name in results:
            if name in self.arrays or (loop is not None and name == loop.stop):
                continue
            values = [self.value_after(name, way, before) for way in (body, other)]
            if any(value is None for value in values):
                raise CannotLower("bound-in-one-branch", name)
            env = self.kinds.reading.after.get(id(node), before)
            found = self.joiner.casts(name, [value for value in values if value], {**before, **env}, inside)
            for one, cast in zip(casts, found, strict=True):
                one[name] = cast
        return casts

    def value_after(self, name: str, way: Block, before: Environment) -> Value | None:
        """What is known of ``name`` at the end of one way; None if it may have no value there."""
        statements = [statement for statement in way if not isinstance(statement, ast.Break | _EMPTY)]
        env = self.kinds.reading.after.get(id(statements[-1]), {}) if statements else before
        return env.get(name)

    def way(
        self,
        node: ast.If,
        statements: Block,
        results: Sequence[str],
        casts: Mapping[str, str],
        loop: TensorLoop | None,
        name: str,
    ) -> Way:
        """A local function without arguments whose result is what the way gives."""
        refuse_effects(self, statements)
        values = [f"{self.tf}.cast({one}, {casts[one]})" if casts.get(one) else one for one in results]
        single = [s for s in statements if not isinstance(s, ast.Pass | ast.Continue)]
        plain = self.plain_value(single, results, casts)
        if plain is not None:
            return Way((), f"lambda: {plain}", plain)
        lines = self.block(statements, loop)
        made = f"{results[0]} = {self.tf}.cond(" if len(results) == 1 and values == list(results) else ""
        if made and lines[-1].startswith(made):
            lines[-1] = lines[-1].removeprefix(f"{results[0]} = ")
            if len(lines) == 1:
                return Way((), f"lambda: {lines[0]}", lines[0])
            lines[-1] = f"return {lines[-1]}"
        elif values:
            lines.append(f"return {', '.join(values)}")
        return self.local_function(name, lines, self.given(node, statements, loop))

    def plain_value(self, statements: Block, results: Sequence[str], casts: Mapping[str, str]) -> str | None:
        """The expression that is all of the way, if it is that short."""
        if not statements:
            return f"({', '.join(results)})" if len(results) > 1 else "".join(results) or "None"
        if len(statements) != 1 or len(results) > 1:
            return None
        (only,) = statements
        if (
            not isinstance(only, ast.Assign)
            or only.lineno != only.end_lineno
            or any(self.source.comments(only))
        ):
            return None
        if [self.rewriting.text(target) for target in only.targets] != list(results):
            return None
        text, cast = self.rewriting.text(only.value), casts.get(results[0])
        return f"{self.tf}.cast({text}, {cast})" if cast else text

    def given(self, node: ast.stmt, statements: Block, loop: TensorLoop | None) -> list[str]:
        """Names that the local function both reads and assigns: their values from outside come as defaults."""
        before = set(self.kinds.reading.before.get(id(node), {})) | self.arrays
        stop = {loop.stop} if loop is not None and loop.stop and mentions_in(statements, ast.Break) else set()
        return [name for name in sorted(self.assigned(statements)) if name in before] + sorted(stop)

    def local_function(self, wanted: str, lines: list[str], given: Sequence[str]) -> Way:
        name = self.fresh(wanted)
        head = f"def {name}({', '.join(f'{one}={one}' for one in given)}):"
        return Way((head, *indented(lines, self.source.indent), ""), name, f"{name}()")

    def returning(self, node: ast.If, condition: Condition, rest: Block) -> list[str]:
        """Both ways return; what follows the statement belongs to the way that does not return before."""
        body = [*node.body, *([] if always_returns(node.body) else rest)]
        other = [*node.orelse, *([] if always_returns(node.orelse) else rest)]
        if not (always_returns(body) and always_returns(other)):
            raise CannotLower("return-in-branch", node.test)
        if not always_returns(node.body) and not always_returns(node.orelse):
            raise CannotLower("return-in-branch", node.test)
        ends = [self.return_value(way) for way in (body, other)]
        yes = self.returned_way(node, body, ends, 0)
        no = self.returned_way(node, other, ends, 1)
        call = f"{self.tf}.cond({condition.tensor}, {yes.name}, {no.name})"
        chosen = guarded(condition, call, yes.called, no.called)
        return [*self.source.comments(node)[0], *yes.lines, *no.lines, f"return {chosen}"]

    def return_value(self, way: Block) -> Value:
        """What is known of the value that a way returns."""
        returns = [part for s in way for part in walk(s) if isinstance(part, ast.Return)]
        values = [self.kinds.of(one.value) if one.value is not None else UNKNOWN for one in returns]
        if any(not value.is_tensor and not value.items for value in values[:-1]):
            raise CannotLower("not-a-tensor", returns[0])
        return values[-1]

    def returned_way(self, node: ast.If, way: Block, ends: list[Value], which: int) -> Way:
        refuse_effects(self, way)
        env = self.kinds.reading.before.get(id(node), {})
        last = way[-1]
        cast = self.joiner.casts("return", ends, env, set())[which]
        is_only_end = isinstance(last, ast.Return) and not mentions_in(way[:-1], ast.Return)
        if cast and not is_only_end:
            raise CannotLower("not-a-tensor", last)
        if is_only_end and isinstance(last, ast.Return) and last.value is not None:
            text = self.rewriting.text(last.value)
            value = f"{self.tf}.cast({text}, {cast})" if cast else text
            if len(way) == 1 and last.lineno == last.end_lineno and not any(self.source.comments(last)):
                is_bare = isinstance(last.value, ast.Tuple) and not text.startswith("(")
                value = f"({value})" if is_bare else value
                return Way((), f"lambda: {value}", value)
            above, behind = self.source.comments(last)
            self.source.refuse_long_strings(last)
            lines = [*self.block(way[:-1]), *above, f"return {value}{behind}"]
        else:
            lines = self.block(way)
            if len(lines) == 1 and lines[0].startswith(f"return {self.tf}.cond("):
                value = lines[0].removeprefix("return ")
                return Way((), f"lambda: {value}", value)
        return self.local_function("if_true" if not which else "if_false", lines, self.given(node, way, None))

    # -- what statements do to names -------------------------------------------------------------------------------

    def assigned(self, statements: Block) -> set[str]:
        """Names that the statements bind, in this function's own scope."""
        found: set[str] = set()
        for statement in statements:
            nodes = list(_own(statement))
            found |= bound_names(nodes)
            for node in nodes:
                found |= self.written[id(node)][1] if id(node) in self.written else frozenset()
        return found


def _own(statement: ast.stmt) -> Iterable[ast.AST]:
    """The nodes of a statement without those of functions defined in it (comprehensions have names of their own, too)."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _SCOPES):
            todo.extend(ast.iter_child_nodes(node))


def _in_order(statements: Block) -> Iterable[str]:
    stores = [
        (part.lineno, part.col_offset, part.id)
        for statement in statements
        for part in walk(statement)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    ]
    return [name for _, _, name in sorted(stores)]


def guarded(condition: Condition, call: str, yes: str, no: str) -> str:
    """The call, where Python's half of the condition lets it come to that."""
    if not condition.guard:
        return call
    return (
        f"{yes} if {condition.guard} else {call}"
        if condition.is_or
        else f"{call} if {condition.guard} else {no}"
    )


def mentions_in(statements: Block, *kinds: type[ast.AST]) -> bool:
    """Whether one of these kinds of nodes is among them, functions defined there left out."""
    return any(mentions(statement, *kinds) for statement in statements)


def leaves_loop(node: ast.stmt) -> bool:
    """Whether ``break`` or ``continue`` in it are those of a loop around it."""
    todo: list[ast.AST] = [node]
    while todo:
        one = todo.pop()
        if isinstance(one, ast.Break | ast.Continue):
            return True
        if isinstance(
            one, ast.For | ast.While | ast.AsyncFor | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ):
            continue
        if isinstance(one, ast.stmt | ast.ExceptHandler | ast.match_case):
            todo.extend(ast.iter_child_nodes(one))
    return False


def continued(node: ast.If, rest: Block, reason: str = "") -> tuple[Block, Block]:
    """Both ways up to the end of the loop's body: what follows belongs to the way that goes on.

    Raises:
        CannotLower: ``break`` or ``continue`` do not stand at the end of a way, or (with ``reason``) there is a ``break``.
    """
    ends = [bool(way) and isinstance(way[-1], ast.Break | ast.Continue) for way in (node.body, node.orelse)]
    inner = [way[:-1] if end else way for way, end in zip((node.body, node.orelse), ends, strict=True)]
    if any(
        leaves_loop(statement) and not isinstance(statement, ast.If) for way in inner for statement in way
    ):
        raise CannotLower(reason or "loop-form", node.test)
    if reason and (any(leaves_loop(s) for way in inner for s in way) or mentions(node, ast.Break)):
        raise CannotLower(reason, node.test)
    if not any(ends) and rest:
        raise CannotLower(reason or "loop-form", node.test)
    return [*node.body, *([] if ends[0] else rest)], [*node.orelse, *([] if ends[1] else rest)]


def is_loop_body(unit: Unit, node: ast.stmt) -> bool:
    parent = unit.names.parent(node)
    return isinstance(parent, ast.For) and node in parent.body


def always_returns(block: Block) -> bool:
    """Whether every way through it ends in ``return`` of a value."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.Return):
        return last.value is not None
    return isinstance(last, ast.If) and always_returns(last.body) and always_returns(last.orelse)
