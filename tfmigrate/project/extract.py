"""One pass over a file's ``ast`` that takes out the facts of :mod:`tfmigrate.project.records`.

The pass is written by hand, without ``ast.NodeVisitor``: it sees every node of every file, and a generic walk alone costs a
third of parsing. Names and constants are never dispatched, and each handler goes to its own fields only.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from tfmigrate.project import records as r
from tfmigrate.project.scopes import Decorators, Finish, Scope, frozen, parameters, plain_class
from tfmigrate.project.syntax_facts import base_texts, dotted, imported_module, lambda_name, names_a_class

_Handler = Callable[["_Extractor", Any], None]

_POSITIONS = tuple(map(str, range(8)))
CALLBACK_TAKERS = frozenset(
    [
        "function",
        "partial",
        "map_fn",
        "while_loop",
        "cond",
        "case",
        "switch_case",
        "scan",
        "vectorized_map",
        "custom_gradient",
        "recompute_grad",
        "foldl",
        "foldr",
        "map",
        "filter",
        "flat_map",
        "interleave",
        "reduce",
        "take_while",
        "run",
        "experimental_run_v2",
        "Lambda",
        "fori_loop",
        "switch",
        "rnn",
        "associative_scan",
        "py_function",
        "numpy_function",
        "py_func",
        "from_generator",
        "group_by_window",
        "bucket_by_sequence_length",
        "map_and_batch",
        "parallel_interleave",
        "compile",
        "defun",
        "map_structure",
        "map_flat_values",
        "apply_to_structure",
        "pfor",
        "vectorize_map",
        "jit_scope",
        "in_train_phase",
        "in_test_phase",
        "call_for_each_replica",
        "tf_function",
    ]
)
"""Last parts of callees whose arguments are kept whole: dotted names, lambdas, also inside lists, tuples and dicts."""


def parse(text: str) -> ast.Module | None:
    """The tree of a file, without warnings; None if Python cannot parse it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def extract(text: str) -> r.ModuleRecord | None:
    """The facts of a file; None if it does not parse or is nested too deeply to be read."""
    plain = extract_plain(text)
    return r.from_plain(plain) if plain is not None else None


def extract_plain(text: str) -> tuple[Any, ...] | None:
    """The same as plain tuples, for ``marshal``."""
    tree = parse(text)
    if tree is None:
        return None
    try:
        return _Extractor(text).module(tree)
    except RecursionError:
        return None


def extract_tree(tree: ast.Module, text: str = "") -> r.ModuleRecord:
    """The facts of a parsed file. Without ``text`` the columns count UTF-8 bytes."""
    return r.from_plain(_Extractor(text).module(tree))


class _Extractor:
    def __init__(self, text: str) -> None:
        self.text = text
        self.scope = Scope(None, "", None)
        self.top = self.scope
        self.function = self.scope  # where calls count to
        self.in_loop = False
        self.where = r.PLAIN
        self.functions: list[tuple[Scope, Any, Decorators]] = []
        self.classes: list[tuple[Scope, tuple[str, ...], Decorators]] = []
        self.stars: list[tuple[int, str]] = []
        self.imports: dict[tuple[int, str], None] = {}
        self.exported: list[str] | None = None
        self.eager_line = 0
        self.stack: list[tuple[Scope, Scope, bool, int]] = []

    # Walking

    def visit(self, node: ast.AST | None) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node)

    def visit_all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            handler = _HANDLERS.get(type(node))
            if handler is not None:
                handler(self, node)

    def on_Expr(self, node: ast.Expr) -> None:
        self.visit(node.value)

    on_Await = on_Starred = on_FormattedValue = on_Expr

    def on_Attribute(self, node: ast.Attribute) -> None:
        value: ast.expr = node.value
        while type(value) is ast.Attribute:
            value = value.value
        handler = _HANDLERS.get(type(value))
        if handler is not None:
            handler(self, value)

    def on_Return(self, node: ast.Return) -> None:
        self.visit(node.value)

    def on_Yield(self, node: ast.Yield | ast.YieldFrom) -> None:
        self.function.is_generator = True
        self.visit(node.value)

    on_YieldFrom = on_Yield

    def on_BinOp(self, node: ast.BinOp) -> None:
        rights = [node.right]
        left = node.left
        while type(left) is ast.BinOp:  # "a" + "b" + ... can be thousands deep
            rights.append(left.right)
            left = left.left
        self.visit(left)
        for right in reversed(rights):
            self.visit(right)

    def on_UnaryOp(self, node: ast.UnaryOp) -> None:
        self.visit(node.operand)

    def on_BoolOp(self, node: ast.BoolOp) -> None:
        self.visit_all(node.values)

    on_JoinedStr = on_BoolOp

    def on_Compare(self, node: ast.Compare) -> None:
        self.visit(node.left)
        self.visit_all(node.comparators)

    def on_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        self.visit(node.slice)

    def on_Slice(self, node: ast.Slice) -> None:
        self.visit(node.lower)
        self.visit(node.upper)
        self.visit(node.step)

    def on_List(self, node: ast.List | ast.Tuple | ast.Set) -> None:
        for item in node.elts:
            handler = _HANDLERS.get(type(item))
            if handler is not None:
                handler(self, item)

    on_Tuple = on_Set = on_List

    def on_Dict(self, node: ast.Dict) -> None:
        self.visit_all(node.keys)
        self.visit_all(node.values)

    def on_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        self.visit(node.body)
        self.visit(node.orelse)

    def on_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.bind_value(node.target, node.value)

    def on_comprehension_expression(self, node: Any, results: list[ast.expr]) -> None:
        outer = self.in_loop
        for index, generator in enumerate(node.generators):
            self.in_loop = outer or index > 0
            self.visit(generator.iter)
            self.in_loop = True
            self.comprehend(generator.target)
            self.visit_all(generator.ifs)
        self.visit_all(results)
        self.in_loop = outer

    def comprehend(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.scope.comprehended.add(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for item in target.elts:
                self.comprehend(item)
        elif isinstance(target, ast.Starred):
            self.comprehend(target.value)

    def on_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
        self.on_comprehension_expression(node, [node.elt])

    on_SetComp = on_GeneratorExp = on_ListComp

    def on_DictComp(self, node: ast.DictComp) -> None:
        self.on_comprehension_expression(node, [node.key, node.value])

    # Statements

    def on_If(self, node: ast.If) -> None:
        self.visit(node.test)
        outer = self.where
        self.where = outer or r.BRANCH
        self.visit_all(node.body)
        self.visit_all(node.orelse)
        self.where = outer

    def on_Try(self, node: Any) -> None:
        outer = self.where
        self.where = r.TRIED
        self.visit_all(node.body)
        self.where = r.HANDLER
        for handler in node.handlers:
            self.visit(handler.type)
            if handler.name:
                self.scope.comprehended.add(handler.name)
            self.visit_all(handler.body)
        self.where = r.TRIED
        self.visit_all(node.orelse)
        self.where = outer
        self.visit_all(node.finalbody)

    on_TryStar = on_Try

    def on_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)
        self.bind(node.target)
        self.loop(node)

    on_AsyncFor = on_For

    def on_While(self, node: ast.While) -> None:
        outer = self.in_loop
        self.in_loop = True
        self.visit(node.test)
        self.in_loop = outer
        self.loop(node)

    def loop(self, node: Any) -> None:
        outer, where = self.in_loop, self.where
        self.in_loop = True
        self.where = where or r.BRANCH
        self.visit_all(node.body)
        self.in_loop = outer
        self.visit_all(node.orelse)
        self.where = where

    def on_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars)
            called = item.context_expr
            if isinstance(called, ast.Call) and (dotted(called.func) or "").endswith("init_scope"):
                self.function.lifted.append((node.lineno, node.end_lineno or node.lineno))
        self.visit_all(node.body)

    on_AsyncWith = on_With

    def on_Assert(self, node: ast.Assert) -> None:
        self.visit(node.test)
        self.visit(node.msg)

    def on_Raise(self, node: ast.Raise) -> None:
        self.visit(node.exc)
        self.visit(node.cause)

    def on_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self.bind(target)

    def on_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.scope.globals.update(node.names)

    on_Nonlocal = on_Global

    def on_Match(self, node: Any) -> None:
        self.visit(node.subject)
        outer = self.where
        self.where = outer or r.BRANCH
        for case in node.cases:
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    self.hide(name)
            self.visit(case.guard)
            self.visit_all(case.body)
        self.where = outer

    def on_Assign(self, node: ast.Assign) -> None:
        value = node.value
        handler = _HANDLERS.get(type(value))
        if handler is not None:
            handler(self, value)
        for target in node.targets:
            self.bind_value(target, value)

    def on_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            if not isinstance(node.target, ast.Name):
                self.bind(node.target)
            return
        self.visit(node.value)
        self.bind_value(node.target, node.value)

    def on_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        if self.scope is self.top and isinstance(node.target, ast.Name) and node.target.id == "__all__":
            self.export(node.value, add=True)
        self.bind(node.target)

    # Binding names

    def bind(self, target: ast.expr) -> None:
        """A target of which no value is known."""
        kind = type(target)
        if kind is ast.Name:
            self.hide(target.id)  # type: ignore[attr-defined]
        elif kind is ast.Attribute:
            self.assign_attribute(target, None)  # type: ignore[arg-type]
        elif kind is ast.Tuple or kind is ast.List:
            for item in target.elts:  # type: ignore[attr-defined]
                self.bind(item)
        elif kind is ast.Starred:
            self.bind(target.value)  # type: ignore[attr-defined]
        else:
            self.visit(target)

    def bind_value(self, target: ast.expr, value: ast.expr) -> None:
        kind = type(target)
        if kind is ast.Name:
            name: str = target.id  # type: ignore[attr-defined]
            if name == "__all__" and self.scope is self.top:
                self.export(value, add=False)
            described = self.describe(value)
            if described is not None:
                self.add(name, *described)
            elif self.scope.is_class or not (type(value) is ast.Constant and value.value is None):
                self.hide(name)
        elif kind is ast.Attribute:
            self.assign_attribute(target, value)  # type: ignore[arg-type]
        elif kind in (ast.Tuple, ast.List) and self.pairs(target, value):
            for item, part in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]
                self.bind_value(item, part)
        else:
            self.bind(target)

    @staticmethod
    def pairs(target: Any, value: Any) -> bool:
        return (
            type(value) in (ast.Tuple, ast.List)
            and len(value.elts) == len(target.elts)
            and not any(type(item) is ast.Starred for item in (*target.elts, *value.elts))
        )

    def describe(self, value: ast.expr) -> tuple[str, Any] | None:
        """(binding kind, text) of a value that can be followed."""
        kind = type(value)
        if kind is ast.Name or kind is ast.Attribute:
            text = dotted(value)
            return (r.ALIAS, text) if text is not None else None
        if kind is ast.Lambda:
            return r.FUNCTION, self.function.prefix + lambda_name(value)  # type: ignore[arg-type]
        if kind is not ast.Call:
            return None
        call: Any = value
        callee = dotted(call.func)
        if callee is None:
            return None
        module = imported_module(call, callee)
        if module is not None:
            return r.IMPORT, module
        if callee.rpartition(".")[2] == "partial" and call.args:
            first = dotted(call.args[0])
            return (r.PARTIAL, first) if first is not None else None
        if callee in ("staticmethod", "classmethod") and len(call.args) == 1:
            return self.describe(call.args[0])
        if callee == "function" or callee.endswith(".function"):
            first = dotted(call.args[0]) if call.args else None
            return (r.PARTIAL, first) if first is not None else (r.RESULT, callee)
        return (r.RESULT, callee) if names_a_class(callee) else None

    def add(self, name: str, kind: str, text: Any) -> None:
        scope = self.top if name in self.scope.globals else self.scope
        scope.bindings.setdefault(name, []).append((kind, text, self.where))

    def hide(self, name: str) -> None:
        scope = self.scope
        if name in scope.globals:
            scope = self.top
        if self.where != r.HANDLER or name not in scope.bindings:
            scope.hidden.add(name)

    def assign_attribute(self, target: ast.Attribute, value: ast.expr | None) -> None:
        base = target.value
        owner = self.function.owner
        if type(base) is not ast.Name or owner is None or base.id != self.function.self_name:
            self.visit(base)
            return
        self.note_attribute(target.attr)
        described = self.describe(value) if value is not None else None
        if described is not None:
            found = (described[0], described[1], self.function.qualname)
            owner.attribute_values.setdefault(target.attr, []).append(found)

    def note_attribute(self, attribute: str) -> None:
        function = self.function
        owner = function.owner
        assert owner is not None
        method = function.qualname[len(owner.prefix) :].partition(".")[0]
        owner.self_attributes.setdefault(attribute, {})[method] = None

    def export(self, value: ast.expr, add: bool) -> None:
        names = value.elts if isinstance(value, (ast.List, ast.Tuple)) else None
        if names is None or not all(isinstance(n, ast.Constant) and isinstance(n.value, str) for n in names):
            self.exported = None
            return
        literals = [n.value for n in names if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        if not add:
            self.exported = literals
        elif self.exported is not None:
            self.exported += literals

    # Imports

    def on_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.imports[(0, alias.name)] = None
            if alias.asname:
                self.add(alias.asname, r.IMPORT, alias.name)
            else:
                self.add(alias.name.partition(".")[0], r.IMPORT, alias.name.partition(".")[0])

    def on_ImportFrom(self, node: ast.ImportFrom) -> None:
        module, level = node.module or "", node.level
        self.imports[(level, module)] = None
        for alias in node.names:
            if alias.name == "*":
                self.stars.append((level, module))
                continue
            self.imports[(level, f"{module}.{alias.name}" if module else alias.name)] = None
            self.add(alias.asname or alias.name, r.FROM, (level, module, alias.name))

    # Classes and functions

    def on_ClassDef(self, node: ast.ClassDef) -> None:
        decorators = self.decorators(node.decorator_list)
        self.visit_all(node.bases)
        for keyword in node.keywords:
            self.visit(keyword.value)
        outer = self.scope
        scope = Scope(node, outer.prefix + node.name, outer, is_class=True)
        self.add(node.name, r.CLASS, scope.qualname)
        self.classes.append((scope, base_texts(node.bases), decorators))
        where = self.where
        self.scope, self.where = scope, r.PLAIN
        self.visit_all(node.body)
        self.scope, self.where = outer, where

    def on_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        decorators = self.decorators(node.decorator_list)
        outer = self.scope
        scope = Scope(node, outer.prefix + node.name, outer)
        self.add(node.name, r.FUNCTION, scope.qualname)
        if outer.is_class:
            outer.methods[node.name] = scope.qualname
        self.enter(scope, node.args, decorators)
        self.visit_all(node.body)
        self.leave()

    on_AsyncFunctionDef = on_FunctionDef

    def on_Lambda(self, node: ast.Lambda) -> None:
        holder = self.function if self.scope.is_class else self.scope
        scope = Scope(node, holder.prefix + lambda_name(node), holder)
        self.enter(scope, node.args, ())
        self.visit(node.body)
        self.leave()

    def enter(self, scope: Scope, arguments: ast.arguments, decorators: Decorators) -> None:
        self.visit_all(arguments.defaults)
        self.visit_all(arguments.kw_defaults)
        scope.params = parameters(arguments)
        names = [name for name, _, _ in scope.params]
        scope.hidden.update(names)
        outer = self.scope
        if outer.is_class and isinstance(scope.node, ast.Lambda):
            outer = self.function
        if outer.is_class:
            scope.owner = outer
            static = any(d[0] == "staticmethod" for d in decorators)
            first = scope.params[0] if scope.params else ("", "", False)
            scope.self_name = first[0] if first[1] in ("posonly", "pos") and not static else ""
        else:
            scope.owner = outer.owner
            scope.self_name = "" if outer.self_name in names else outer.self_name
            self.function.nested.append(scope.qualname)
        self.functions.append((scope, scope.node, decorators))
        self.stack.append((self.scope, self.function, self.in_loop, self.where))
        self.scope = self.function = scope
        self.in_loop, self.where = False, r.PLAIN

    def leave(self) -> None:
        self.scope, self.function, self.in_loop, self.where = self.stack.pop()

    def decorators(self, nodes: list[ast.expr]) -> Decorators:
        found = []
        for node in nodes:
            self.visit(node)
            if isinstance(node, ast.Call):
                references = tuple(text for text in map(dotted, node.args) if text is not None)
                found.append((dotted(node.func) or "?", True, references))
            else:
                found.append((dotted(node) or "?", False, ()))
        return tuple(found)

    # Calls

    def on_Call(self, node: ast.Call) -> None:
        func = node.func
        kind = type(func)
        if kind is ast.Name:
            callee: str = func.id  # type: ignore[attr-defined]
        else:
            callee = dotted(func) or ""
            self.visit(func)
        last = callee.rpartition(".")[2]
        takes_callback = last in CALLBACK_TAKERS or not last or last.endswith("()")
        references: list[tuple[str, str]] = []
        for position, argument in enumerate(node.args):
            if type(argument) is ast.Name:
                references.append((_POSITIONS[position] if position < 8 else str(position), argument.id))
            elif type(argument) is not ast.Constant:
                self.argument(str(position), argument, references, takes_callback)
        names: tuple[str, ...] = ()
        if node.keywords:
            for keyword in node.keywords:
                self.argument(keyword.arg or "**", keyword.value, references, takes_callback)
                if keyword.arg == "run_eagerly" and self.is_true(keyword.value):
                    self.eager_line = self.eager_line or node.lineno
            if takes_callback:
                names = tuple(keyword.arg for keyword in node.keywords if keyword.arg)
        if last in ("setattr", "getattr", "run_functions_eagerly"):
            self.special(node, last, references)
        where = (node.lineno, node.col_offset)
        self.function.calls.append((callee, *where, self.in_loop, references, names, takes_callback))

    def argument(self, key: str, node: ast.expr, found: list[tuple[str, str]], whole: bool) -> None:
        kind = type(node)
        if kind is ast.Name:
            found.append((key, node.id))  # type: ignore[attr-defined]
            return
        handler = _HANDLERS.get(kind)
        if handler is None:
            return
        handler(self, node)
        if kind is ast.Lambda:
            found.append((key, self.lambda_qualname(node)))  # type: ignore[arg-type]
        elif kind is ast.Attribute:
            value = node.value  # type: ignore[attr-defined]
            if whole or (type(value) is ast.Name and value.id == self.function.self_name):
                text = dotted(node)
                if text is not None:
                    found.append((key, text))
        elif whole and kind in (ast.List, ast.Tuple, ast.Dict, ast.Call, ast.IfExp, ast.Starred):
            self.inner_references(key, node, found)

    def inner_references(self, key: str, node: Any, found: list[tuple[str, str]]) -> None:
        """Functions inside a list, a tuple, a dict, a conditional, or the first argument of a wrapper (``partial(f)``)."""
        kind = type(node)
        if kind is ast.Lambda:
            found.append((key, self.lambda_qualname(node)))
        elif kind is ast.Name or kind is ast.Attribute:
            text = dotted(node)
            if text is not None:
                found.append((key, text))
        elif kind is ast.List or kind is ast.Tuple:
            for item in node.elts:
                self.inner_references(key, item, found)
        elif kind is ast.Dict:
            for item in node.values:
                self.inner_references(key, item, found)
        elif kind is ast.IfExp:
            self.inner_references(key, node.body, found)
            self.inner_references(key, node.orelse, found)
        elif kind is ast.Starred:
            self.inner_references(key, node.value, found)
        elif kind is ast.Call and node.args:
            callee = dotted(node.func)
            if callee is not None and callee.rpartition(".")[2] in _WRAPPERS:
                self.inner_references(key, node.args[0], found)

    def lambda_qualname(self, node: ast.Lambda) -> str:
        holder = self.function if self.scope.is_class else self.scope
        return holder.prefix + lambda_name(node)

    @staticmethod
    def is_true(node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) and node.value is True

    def special(self, node: ast.Call, last: str, references: list[tuple[str, str]]) -> None:
        """``setattr(self, "x", ...)``, ``getattr(self, "x")`` and ``run_functions_eagerly(True)``."""
        arguments = node.args
        if last == "run_functions_eagerly":
            if arguments and self.is_true(arguments[0]):
                self.eager_line = self.eager_line or node.lineno
            return
        if len(arguments) < 2 or not isinstance(arguments[0], ast.Name) or self.function.owner is None:
            return
        name = arguments[1].value if isinstance(arguments[1], ast.Constant) else None
        if arguments[0].id != self.function.self_name or not isinstance(name, str):
            return
        if last == "setattr":
            self.note_attribute(name)
        else:
            references.append(("getattr", f"{arguments[0].id}.{name}"))

    # The end

    def module(self, tree: ast.Module) -> tuple[Any, ...]:
        """The whole file, in the order of the fields of :class:`records.ModuleRecord`."""
        self.visit_all(tree.body)
        self.functions.insert(0, (self.top, tree, ()))
        finish = Finish(self.text, [scope for scope, _, _ in self.functions])
        return (
            frozen(self.top.bindings),
            frozenset(self.top.hidden),
            tuple(self.exported) if self.exported is not None else None,
            tuple(self.stars),
            tuple(self.imports),
            tuple(plain_class(*found) for found in self.classes),
            tuple(finish.function(*found) for found in self.functions),
            self.eager_line,
        )


_HANDLERS: dict[type, _Handler] = {
    getattr(ast, name[3:]): method
    for name, method in vars(_Extractor).items()
    if name.startswith("on_") and hasattr(ast, name[3:])
}

_WRAPPERS = frozenset(
    [
        "partial",
        "function",
        "to_graph",
        "recompute_grad",
        "custom_gradient",
        "do_not_convert",
        "wraps",
        "checkpoint",
    ]
)
