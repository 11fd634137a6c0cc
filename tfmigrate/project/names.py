"""Live name resolution in one parsed file, which may be newer than the index has it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tfmigrate.project.extract import extract_tree
from tfmigrate.project.resolve import View, view_of
from tfmigrate.project.syntax_facts import dotted, lambda_name
from tfmigrate.walk import blocks, children, walk

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex

_NONE: frozenset[str] = frozenset()
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Names:
    """What names mean at a node, and where a node stands. ``module`` is the file's name in the index.

    With the ``text`` of the tree, the index's own facts are used if they are from that text.
    """

    def __init__(self, tree: ast.Module, module: str, index: ProjectIndex, text: str = "") -> None:
        self.tree = tree
        self.module = module
        self._resolver = index.resolver()
        file = self._resolver.table.by_name.get(module)
        folder = file.folder if file is not None else ""
        record = index.record_of(module, text) or extract_tree(tree)
        # Names bound by comprehensions are told apart here by where the node stands.
        functions = tuple(f._replace(comprehended=_NONE) if f.comprehended else f for f in record.functions)
        self._view: View = view_of(module, folder, record._replace(functions=functions))
        self._parents: dict[ast.AST, ast.AST] = {}
        self._qualnames: dict[ast.AST, str] = {}
        self._index(tree)

    def _index(self, tree: ast.Module) -> None:
        parents = self._parents
        for node in walk(tree):
            for child in children(node):
                parents[child] = node

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that directly holds ``node``."""
        return self._parents.get(node)

    def enclosing_function(self, node: ast.AST) -> FunctionNode | None:
        """The nearest function or lambda whose body (or defaults, decorators) holds ``node``, not ``node`` itself."""
        above = self._parents.get(node)
        while above is not None and not isinstance(above, _FUNCTIONS):
            above = self._parents.get(above)
        return above if isinstance(above, _FUNCTIONS) else None

    def ancestors(self, node: ast.AST, end: ast.AST | None = None) -> Iterator[ast.AST]:
        """The parents of ``node``, innermost first, below ``end``."""
        above = self._parents.get(node)
        while above is not None and above is not end:
            yield above
            above = self._parents.get(above)

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that ``node`` is or stands in."""
        while not isinstance(node, ast.stmt):
            node = self._parents[node]
        return node

    def block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The list of statements that ``statement`` stands in; empty where that is none of a compound statement's."""
        return next((block for block in blocks(self._parents.get(statement)) if statement in block), [])

    def functions_around(self, node: ast.AST) -> Iterator[FunctionNode]:
        """All functions and lambdas that hold ``node``, not ``node`` itself; the nearest first."""
        function = self.enclosing_function(node)
        while function is not None:
            yield function
            function = self.enclosing_function(function)

    def outermost_function(self, function: FunctionNode) -> FunctionNode:
        """The last of the functions around ``function``; itself where there is none."""
        return [function, *self.functions_around(function)][-1]

    def enclosing_class(self, node: ast.AST) -> ast.ClassDef | None:
        """The nearest class that holds ``node`` at any depth, not ``node`` itself."""
        above = self._parents.get(node)
        while above is not None and not isinstance(above, ast.ClassDef):
            above = self._parents.get(above)
        return above if isinstance(above, ast.ClassDef) else None

    def qualname(self, node: ast.AST) -> str:
        """The qualname of a function, lambda or class, as in the index; of the module, ""."""
        if node not in self._qualnames:
            self._qualnames[node] = self._qualname(node)
        return self._qualnames[node]

    def _qualname(self, node: ast.AST) -> str:
        if isinstance(node, ast.Module):
            return ""
        is_lambda = isinstance(node, ast.Lambda)
        name = lambda_name(node) if isinstance(node, ast.Lambda) else getattr(node, "name", "")
        holder = self._scope_of(node, skip_classes=is_lambda)
        if holder is None:
            return str(name)
        middle = "." if isinstance(holder, ast.ClassDef) else ".<locals>."
        return f"{self.qualname(holder)}{middle}{name}"

    def _scope_of(self, node: ast.AST, skip_classes: bool = False) -> ast.AST | None:
        """The function or class in whose scope ``node`` is evaluated; defaults, decorators and bases belong outside."""
        child = node
        above = self._parents.get(node)
        while above is not None:
            if isinstance(above, _FUNCTIONS) and _is_inside(above, child):
                return above
            if isinstance(above, ast.ClassDef) and not skip_classes and child in above.body:
                return above
            child, above = above, self._parents.get(above)
        return None

    def qualified(self, node: ast.expr) -> str | None:
        """The canonical name of a ``Name`` or attribute chain at its place; None if a local hides it or it is unknown."""
        text = dotted(node)
        if text is None or "(" in text:
            return None
        head = text.partition(".")[0]
        if self._is_comprehended(node, head):
            return None
        scope = self._scope_of(node)
        return self._lookup(text, self.qualname(scope) if scope is not None else "")

    def _lookup(self, text: str, scope: str) -> str | None:
        return self._resolver.resolve_in(self._view, text, scope)

    def _is_comprehended(self, node: ast.AST, name: str) -> bool:
        child, above = node, self._parents.get(node)
        while above is not None and not isinstance(above, (*_FUNCTIONS, ast.Module)):
            if isinstance(above, _COMPREHENSIONS) and child is not above.generators[0]:
                for generator in above.generators:
                    targets = ast.walk(generator.target)
                    if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                        return True
            child, above = above, self._parents.get(above)
        return False


def _is_inside(function: FunctionNode, child: ast.AST) -> bool:
    if isinstance(function, ast.Lambda):
        return child is function.body
    return child in function.body
