"""Small pure LibCST and ``ast`` helpers that codemods share."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from tfmigrate.lazy import libcst as cst
from tfmigrate.walk import own, walk

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def substituted(
    expression: cst.BaseExpression, replacements: Mapping[int, cst.BaseExpression]
) -> cst.BaseExpression:
    """A fresh copy of ``expression`` in which the nodes with these ids are replaced."""
    from tfmigrate.substitution import Substitution

    result = expression.visit(Substitution(replacements))
    assert isinstance(result, cst.BaseExpression)
    return result.deep_clone()


def parenthesized(expression: cst.BaseExpression) -> cst.BaseExpression:
    """``expression`` in parentheses, unless it binds tightest already."""
    atoms = (
        *(cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.BaseNumber, cst.BaseString),
        *(cst.List, cst.Dict, cst.Set),
    )
    if isinstance(expression, atoms) or expression.lpar:
        return expression
    return expression.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def dotted(node: ast.expr) -> str:
    """``a.b.c`` for a chain of names, else the empty string."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def self_attribute(node: ast.AST, receiver: str) -> str:
    """``attr`` where ``node`` is ``<receiver>.attr``, else the empty string."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == receiver:
        return node.attr
    return ""


def snake_case(class_name: str) -> str:
    """The name that Keras itself would give an instance: ``Conv2DTranspose`` -> ``conv2d_transpose``."""
    name = re.sub(r"\W+", "", class_name)
    name = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower().lstrip("_")


def plural(name: str) -> str:
    """``dense`` -> ``dense_layers``, ``member`` -> ``members``: a list's name from one element's."""
    if name in ("variable", "weight"):
        return f"{name}_list"  # Keras has `variables` and `weights` of its own.
    if name.endswith(("s", "x", "z", "ch", "sh", "_layer")) or re.search(
        r"(dense|conv\w*|dropout|norm\w*|\d)$", name
    ):
        return f"{name}s" if name.endswith("_layer") else f"{name}_layers"
    return f"{name}s"


def own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """Every node that runs when ``function`` runs: its body without the bodies of functions and classes defined in it."""
    return iter(own(function))


def parameters(function: FunctionNode) -> list[ast.arg]:
    """All parameters in order, ``*args`` and ``**kwargs`` included."""
    args = function.args
    extra = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *extra]


def defaults(function: FunctionNode) -> dict[str, ast.expr]:
    """Parameter -> its default, for those that have one."""
    args = function.args
    plain = [*args.posonlyargs, *args.args]
    found = {arg.arg: value for arg, value in zip(plain[::-1], args.defaults[::-1], strict=False)}
    keyword_only = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    return found | {arg.arg: value for arg, value in keyword_only if value is not None}


def names_in(node: ast.AST) -> set[str]:
    """The names that stand in ``node``, read or bound."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def single_target(node: ast.Assign) -> str:
    """The name that an assignment binds, where that is one and nothing else; else the empty string."""
    target = node.targets[0]
    return target.id if len(node.targets) == 1 and isinstance(target, ast.Name) else ""


def bound_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that these nodes bind (assignments, loops, ``with``, imports, ``except``, walrus, definitions)."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            names.update(node.names)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and node.name is not None:
            names.add(node.name)
    return names
