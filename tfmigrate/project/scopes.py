"""What is known of a function or a class while a file is read, and the plain tuples that become of it."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from tfmigrate.project import records as r

if TYPE_CHECKING:
    from collections.abc import Iterable

_LINE_END = re.compile(r"\r\n|\r|\n")
Decorators = tuple[tuple[str, bool, tuple[str, ...]], ...]


class Scope:
    """A function (or lambda, or the module's body) or a class while it is read."""

    __slots__ = (
        "attribute_values",
        "bindings",
        "calls",
        "comprehended",
        "globals",
        "hidden",
        "is_class",
        "is_generator",
        "lifted",
        "methods",
        "nested",
        "node",
        "owner",
        "params",
        "parent",
        "prefix",
        "qualname",
        "self_attributes",
        "self_name",
    )

    def __init__(self, node: Any, qualname: str, parent: Scope | None, is_class: bool = False) -> None:
        self.node = node
        self.qualname = qualname
        self.parent = parent
        self.is_class = is_class
        self.prefix = "" if not qualname else f"{qualname}." if is_class else f"{qualname}.<locals>."
        self.bindings: dict[str, list[r.Binding]] = {}
        self.hidden: set[str] = set()
        self.comprehended: set[str] = set()
        self.globals: set[str] = set()
        self.calls: list[tuple[Any, ...]] = []
        self.nested: list[str] = []
        self.params: tuple[tuple[str, str, bool], ...] = ()
        self.is_generator = False
        self.lifted: list[tuple[int, int]] = []
        self.owner: Scope | None = None
        self.self_name = ""
        self.methods: dict[str, str] = {}
        self.self_attributes: dict[str, dict[str, None]] = {}
        self.attribute_values: dict[str, list[tuple[str, str, str]]] = {}


class Finish:
    """Turns scopes into records, when it is known which names are functions in this file."""

    def __init__(self, text: str, scopes: Iterable[Scope]) -> None:
        self.known: set[str] = set()
        for scope in scopes:
            self.known.add(scope.qualname.rpartition(".")[2])
            for name, found in scope.bindings.items():
                if any(kind != r.CLASS and kind != r.RESULT and kind != r.IMPORT for kind, _, _ in found):
                    self.known.add(name)
        self.lines: list[str] = [] if text.isascii() else _LINE_END.split(text)

    def column(self, line: int, offset: int) -> int:
        """1-based character column of a 0-based UTF-8 offset."""
        if self.lines and line <= len(self.lines) and not self.lines[line - 1].isascii():
            return (
                len(self.lines[line - 1].encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace"))
                + 1
            )
        return offset + 1

    def function(self, scope: Scope, node: Any, decorators: Decorators) -> tuple[Any, ...]:
        """In the order of the fields of :class:`records.FunctionRecord`."""
        is_module = not scope.qualname
        return (
            scope.qualname,
            scope.owner.qualname if scope.owner is not None else "",
            scope.parent.qualname if scope.parent is not None else "",
            scope.self_name,
            1 if is_module else node.lineno,
            1 if is_module else self.column(node.lineno, node.col_offset),
            0 if is_module else node.end_lineno or node.lineno,
            scope.params,
            decorators,
            frozenset(scope.hidden),
            frozenset(scope.comprehended),
            {} if is_module else frozen(scope.bindings),
            tuple(map(self.call, scope.calls)) if self.lines else self.ascii_calls(scope),
            tuple(scope.nested),
            scope.is_generator,
            tuple(scope.lifted),
        )

    def ascii_calls(self, scope: Scope) -> tuple[tuple[Any, ...], ...]:
        """The common case, without a function call for each."""
        kept = self.kept
        return tuple(
            [
                (callee, line, offset + 1, in_loop, kept(references, whole) if references else (), keywords)
                for callee, line, offset, in_loop, references, keywords, whole in scope.calls
            ]
        )

    def call(self, found: tuple[Any, ...]) -> tuple[Any, ...]:
        callee, line, offset, in_loop, references, keywords, whole = found
        return (callee, line, self.column(line, offset), in_loop, self.kept(references, whole), keywords)

    def kept(self, references: list[tuple[str, str]], whole: bool) -> tuple[tuple[str, str], ...]:
        """The references that can be functions."""
        if whole:
            return tuple(references)
        known = self.known
        return tuple([found for found in references if found[1].rpartition(".")[2] in known])


def plain_class(scope: Scope, bases: tuple[str, ...], decorators: Decorators) -> tuple[Any, ...]:
    """In the order of the fields of :class:`records.ClassRecord`."""
    return (
        scope.qualname,
        scope.parent.qualname if scope.parent is not None else "",
        scope.node.lineno,
        scope.node.end_lineno or scope.node.lineno,
        bases,
        decorators,
        scope.methods,
        frozenset(scope.hidden),
        frozen(scope.bindings),
        {name: tuple(methods) for name, methods in scope.self_attributes.items()},
        {name: tuple(values) for name, values in scope.attribute_values.items()},
    )


def frozen(bindings: dict[str, list[r.Binding]]) -> r.Bindings:
    return {name: tuple(found) for name, found in bindings.items()}


def parameters(arguments: ast.arguments) -> tuple[tuple[str, str, bool], ...]:
    """(name, kind, has a default) in order."""
    if not (
        arguments.args or arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg
    ):
        return ()
    positional = [(a.arg, "posonly") for a in arguments.posonlyargs] + [
        (a.arg, "pos") for a in arguments.args
    ]
    required = len(positional) - len(arguments.defaults)
    found = [(name, kind, index >= required) for index, (name, kind) in enumerate(positional)]
    if arguments.vararg is not None:
        found.append((arguments.vararg.arg, "var", False))
    found += [
        (a.arg, "kwonly", default is not None)
        for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg is not None:
        found.append((arguments.kwarg.arg, "varkw", False))
    return tuple(found)
