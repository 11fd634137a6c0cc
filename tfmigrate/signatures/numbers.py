"""Arguments that are certainly Python numbers, and other ones in each turn of a loop."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate.signatures.expressions import Expressions
from tfmigrate.syntax import FunctionNode
from tfmigrate.tables import words
from tfmigrate.unit import Unit

_FLOATS = words("""
    builtins.float math.exp math.sqrt math.log math.log2 math.log10 math.pow math.sin math.cos math.tan math.tanh
    math.radians random.random random.uniform random.gauss time.time
    """)
_INTS = words("builtins.int builtins.len math.floor math.ceil random.randint random.randrange")
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)


@dataclass(slots=True)
class Numbers:
    """Reads expressions of one file, outside of graphs."""

    unit: Unit
    expressions: Expressions

    def kind(self, node: ast.expr, deep: int = 0) -> str:
        """``float``, ``int``, or empty: not certainly a Python number."""
        if deep > 6:
            return ""
        if isinstance(node, ast.Constant):
            return {int: "int", float: "float"}.get(type(node.value), "")
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            return self.kind(node.operand, deep + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
            kinds = {self.kind(node.left, deep + 1), self.kind(node.right, deep + 1)}
            if "" in kinds:
                return ""
            return "float" if "float" in kinds or isinstance(node.op, ast.Div) else "int"
        if isinstance(node, ast.Call):
            return self._called(node, deep)
        if isinstance(node, ast.Name):
            if self.counts(node) is not None:
                return "int"
            found = self.expressions.only_value(node)
            return self.kind(found, deep + 1) if found is not None else ""
        return ""

    def _called(self, node: ast.Call, deep: int) -> str:
        name = self.unit.names.qualified(node.func)
        if name in ("builtins.min", "builtins.max") and len(node.args) > 1 and not node.keywords:
            kinds = {self.kind(arg, deep + 1) for arg in node.args}
            return kinds.pop() if len(kinds) == 1 else ""
        return "float" if name in _FLOATS else "int" if name in _INTS else ""

    def counts(self, node: ast.Name) -> ast.AST | None:
        """The loop over ``range`` or ``enumerate`` around ``node`` that alone binds the name, as an index."""
        loops = list(self._loops(node))
        binding = [(loop, target, over) for loop, target, over in loops if _binds(target, node.id)]
        if len(binding) != 1 or _is_stored_in(binding[0][0], node.id):
            return None
        loop, target, over = binding[0]
        called = self.unit.names.qualified(over.func) if isinstance(over, ast.Call) else None
        if called == "builtins.range" and isinstance(target, ast.Name):
            return loop
        is_first = isinstance(target, ast.Tuple) and _binds(target.elts[0], node.id)
        return loop if called == "builtins.enumerate" and is_first else None

    def _loops(self, node: ast.AST) -> list[tuple[ast.AST, ast.expr, ast.expr]]:
        found: list[tuple[ast.AST, ast.expr, ast.expr]] = []
        above = self.unit.names.parent(node)
        while above is not None and not isinstance(above, FunctionNode | ast.ClassDef | ast.Module):
            if isinstance(above, ast.For):
                found.append((above, above.target, above.iter))
            elif isinstance(above, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
                found += [(above, one.target, one.iter) for one in above.generators]
            above = self.unit.names.parent(above)
        return found

    def varies(self, node: ast.expr, deep: int = 0) -> bool:
        """Whether the number is another one in each turn: it follows from the counter of a loop, or is drawn."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and deep < 6:
                if self.counts(part) is not None:
                    return True
                found = self.expressions.only_value(part)
                if found is not None and self.varies(found, deep + 1):
                    return True
            elif isinstance(part, ast.Call):
                name = self.unit.names.qualified(part.func) or ""
                if name.startswith(("random.", "time.")) and self._loops(node):
                    return True
        return False


def _binds(target: ast.AST, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(target))


def _is_stored_in(loop: ast.AST, name: str) -> bool:
    """Whether the body of a loop binds the name anew."""
    todo: list[ast.AST] = list(loop.body) if isinstance(loop, ast.For) else []
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            return True
        if not isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            todo.extend(ast.iter_child_nodes(node))
    return False
