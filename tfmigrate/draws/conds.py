"""Write ``tf.cond`` with named local functions in the place of an ``if`` on a draw."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from tfmigrate.blocked import Blocked
from tfmigrate.draws.branches import Branch
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.text import Rewriting, fresh, indented, is_loose, long_string
from tfmigrate.syntax import FunctionNode, bound_names
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Test:
    """A condition, parted: Python's half, which is known when the graph is made, and the tensor's."""

    python: tuple[str, ...]
    tensor: str
    is_or: bool = False
    """The draw only decides where Python's half says no."""


@dataclass(slots=True)
class Writer:
    """Writes the conditions of one function."""

    unit: Unit
    rewriting: Rewriting
    reading: Reading
    drawn: Reading
    """With draws as Python numbers: says which parts of a test are drawn."""
    function: FunctionNode
    tf: str
    taken: set[str]
    written: dict[int, str] = field(default_factory=dict)
    """Lines for an ``if`` on a draw inside of another one."""
    given_names: dict[int, tuple[str, str]] = field(default_factory=dict)

    # -- tests -----------------------------------------------------------------------------------------------------

    def test(self, node: ast.expr) -> Test | Blocked:
        """The test as a Python condition and a boolean tensor."""
        if isinstance(node, ast.BoolOp):
            python = tuple(self.operand(part) for part in node.values if not self.is_drawn(part))
            tensors = [self.tensor(part) for part in node.values if self.is_drawn(part)]
            return self.parted(node, python, tensors, isinstance(node.op, ast.Or))
        return self.parted(node, (), [self.tensor(node)], False)

    def parted(
        self, node: ast.expr, python: tuple[str, ...], tensors: list[str | None], is_or: bool
    ) -> Test | Blocked:
        texts = [text for text in tensors if text is not None]
        if len(texts) != len(tensors) or not texts:
            return Blocked("branch", ast.unparse(node))
        whole = texts[0]
        for text in texts[1:]:
            whole = f"{self.tf}.{'logical_or' if is_or else 'logical_and'}({whole}, {text})"
        return Test(python, whole, is_or)

    def operand(self, node: ast.expr) -> str:
        text = self.rewriting.text(node)
        return f"({text})" if isinstance(node, ast.BoolOp | ast.IfExp | ast.Lambda) else text

    def is_drawn(self, node: ast.expr) -> bool:
        return bool(self.drawn.of(node).draws) or any(
            isinstance(part, ast.expr) and self.drawn.of(part).draws for part in walk(node)
        )

    def tensor(self, node: ast.expr) -> str | None:
        """A boolean tensor for a test that is drawn."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.tensor(node.operand)
            return f"{self.tf}.logical_not({inner})" if inner is not None else None
        if isinstance(node, ast.BoolOp):
            parts = [self.tensor(part) if self.is_drawn(part) else None for part in node.values]
            if any(part is None for part in parts):
                return None
            name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
            whole = str(parts[0])
            for part in parts[1:]:
                whole = f"{self.tf}.{name}({whole}, {part})"
            return whole
        if isinstance(node, ast.Compare):
            return self.rewriting.text(node)
        text = self.rewriting.text(node)
        value = self.reading.of(node)
        if value.dtype == "bool":
            return text
        return f"({text}) != 0" if is_loose(text) else f"{text} != 0"

    def names_of(self, node: ast.If) -> tuple[str, str]:
        """Names for the functions of a branch: numbered in the order in which they are asked for first."""
        if id(node) not in self.given_names:
            self.given_names[id(node)] = (
                fresh("if_drawn", self.taken),
                fresh("otherwise", self.taken),
            )
        return self.given_names[id(node)]

    # -- statements ------------------------------------------------------------------------------------------------

    def statements(self, branch: Branch) -> str | Blocked:
        """The lines that replace the ``if`` (and, after an early return or ``continue``, the rest of its block)."""
        test = self.test(branch.node.test)
        if isinstance(test, Blocked):
            return test
        if any(long_string(statement) for statement in (*branch.body, *branch.other)):
            return Blocked("branch", ast.unparse(branch.node.test))
        yes, no = self.names_of(branch.node)
        lines = self.definition(branch, branch.body, yes)
        lines += self.definition(branch, branch.other, no)
        call = f"{self.tf}.cond({test.tensor}, {yes}, {no})"
        guard = (" or " if test.is_or else " and ").join(test.python)
        chosen = f"{yes}() if {guard} else {call}" if test.is_or else f"{call} if {guard} else {no}()"
        if branch.returns:
            return "\n".join([*lines, f"return {chosen}" if guard else f"return {call}"])
        target = ", ".join(branch.names)
        if not guard:
            lines.append(f"{target} = {call}")
        elif branch.other or test.is_or:
            lines.append(f"{target} = {chosen}")
        else:
            lines += [f"if {guard}:", f"{self.unit.parser_config.default_indent}{target} = {call}"]
        return "\n".join(lines)

    def definition(self, branch: Branch, way: Sequence[ast.stmt], name: str) -> list[str]:
        """A local function without arguments whose result is what the way assigns or returns."""
        statements = [statement for statement in way if not isinstance(statement, ast.Pass)]
        results = ", ".join(branch.names)
        single = statements[0] if len(statements) == 1 else None
        if (
            isinstance(single, ast.Assign)
            and len(single.targets) == 1
            and self.rewriting.text(single.targets[0]).strip("()") == results
        ):
            above, behind = self.rewriting.comments(single)
            lines = [*above, f"return {self.rewriting.text(single.value)}{behind}"]
            statements = []
        else:
            lines = []
            for statement in statements:
                lines += [""] if lines and id(statement) in self.written else []
                lines += self.lines(statement)
            if not branch.returns:
                lines.append(f"return {results}")
        given = self.given(branch, statements)
        head = f"def {name}({', '.join(f'{one}={one}' for one in given)}):"
        return [head, *indented(lines, str(self.unit.parser_config.default_indent)), ""]

    def given(self, branch: Branch, statements: Sequence[ast.stmt]) -> list[str]:
        """Names that the local function both reads and assigns: their values from outside come as defaults."""
        before = self.reading.before.get(id(branch.node), {})
        assigned = bound_names(part for statement in statements for part in walk(statement))
        return [name for name in sorted(assigned) if name in before]

    def lines(self, statement: ast.stmt) -> list[str]:
        """The statement's own lines, without its indentation."""
        if id(statement) in self.written:
            return [*self.rewriting.comments(statement)[0], *self.written[id(statement)].splitlines()]
        return self.rewriting.lines(statement)

    # -- expressions -----------------------------------------------------------------------------------------------

    def expression(self, node: ast.IfExp) -> str | Blocked:
        """``tf.cond`` for ``a if drawn else b``."""
        test = self.test(node.test)
        if isinstance(test, Blocked) or test.python:
            return Blocked("branch", ast.unparse(node))
        ways = [self.rewriting.text(way) for way in (node.body, node.orelse)]
        if any(isinstance(way, ast.Lambda | ast.IfExp) for way in (node.body, node.orelse)):
            return Blocked("branch", ast.unparse(node))
        return f"{self.tf}.cond({test.tensor}, lambda: {ways[0]}, lambda: {ways[1]})"
