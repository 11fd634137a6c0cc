"""One parsed module, as a codemod sees it: read-only questions, LibCST only for the statements that it asks for.

Questions are answered with ``ast`` and the project index, which cost a tenth of LibCST. ``cst`` finds the LibCST
counterpart of an ``ast`` node; it parses the top-level statement around the node and nothing else, so all other bytes
of the file stay out of reach of an edit.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from tfmigrate.codemod import Site, Target
from tfmigrate.project.names import Names
from tfmigrate.source import SourceFile, split_lines
from tfmigrate.syntax import FunctionNode
from tfmigrate.walk import walk

if TYPE_CHECKING:
    import libcst
    from libcst.metadata import CodeRange

    from tfmigrate.project.index import ProjectIndex, Trace
    from tfmigrate.record.model import Recording


class CannotKeep(Exception):
    """Lines that have to be edited would not stay as they are elsewhere; says why."""


Node = TypeVar("Node", bound="libcst.CSTNode")
Place = tuple[int, int, int, int]
"""First line and column, last line and column: lines from 1, columns from 0."""


@dataclass(frozen=True, slots=True)
class Region:
    """The lines of one top-level statement (first..last, from 1) and their LibCST tree.

    The tree does without the end of the last line: LibCST drops a lone CR there.
    """

    first: int
    last: int
    module: libcst.Module
    at: Mapping[tuple[int, int, str], libcst.CSTNode]
    """(line, column, LibCST type) -> the outermost such node that starts there."""
    spans: Mapping[tuple[int, int, int, int, str], libcst.CSTNode]
    members: Mapping[int, Place]
    """``id`` of every node -> where it stands."""
    parents: dict[int, libcst.CSTNode]


def _parents(root: libcst.CSTNode) -> dict[int, libcst.CSTNode]:
    parents: dict[int, libcst.CSTNode] = {}
    todo = [root]
    while todo:
        node = todo.pop()
        for child in node.children:
            parents[id(child)] = node
            todo.append(child)
    return parents


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


_OF_THE_TEXT = ("lines", "module", "names", "functions", "redefined", "classes", "traced", "parser_config")
"""What a Unit finds out when first asked, and does not depend on the codemod."""


class Unit:
    """A module being read by one codemod.

    ``wanted(code, line, column)`` says whether the user asked for findings of ``code`` there (selection, ``# tfmigrate:
    skip`` comments, places left out while bisecting).
    """

    def __init__(
        self,
        text: str,
        tree: ast.Module,
        path: str,
        index: ProjectIndex,
        wanted: Callable[[str, int, int], bool],
        target: Target = Target.BOTH,
        unsafe: bool = False,
        unrolled: int | None = None,
        recording: Recording | None = None,
        read: Callable[[str], str | None] | None = None,
    ) -> None:
        self.text = text
        self.tree = tree
        self.path = path
        self.index = index
        self.target = target
        self.unsafe = unsafe
        self.unrolled = unrolled
        self.recording = recording
        self.read = read
        self._others: dict[str, Unit | None] = {}
        self._wanted = wanted
        self._regions: dict[int, Region] = {}

    def read_again(self, wanted: Callable[[str, int, int], bool]) -> Unit:
        """The same module for another codemod: what was found out about its text stays known."""
        options = (self.target, self.unsafe, self.unrolled, self.recording, self.read)
        other = Unit(self.text, self.tree, self.path, self.index, wanted, *options)
        known = vars(self)
        vars(other).update({name: known[name] for name in _OF_THE_TEXT if name in known})
        return other

    def with_text(self, text: str) -> Unit:
        """The module with another text, for trying what can be said of that; everything in it is wanted."""
        source = SourceFile(self.path, text.encode(), text, "utf-8", False)
        index = self.index.with_source(source)
        options = (self.target, self.unsafe, self.unrolled, self.recording, self.read)
        return Unit(text, ast.parse(text), self.path, index, lambda *place: True, *options)

    def other(self, path: str) -> Unit | None:
        """Another file of the project, to be looked at only; None for one that is not in sight."""
        if path not in self._others:
            text = self.read(path) if self.read is not None else None
            self._others[path] = self._looked_at(path, text) if text is not None else None
        return self._others[path]

    def _looked_at(self, path: str, text: str) -> Unit | None:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return None
        return Unit(text, tree, path, self.index, lambda *place: False)

    def tracing_too(self, more: Mapping[str, Trace]) -> Unit:
        """The same module, with ``more`` functions that are taken to run inside a graph; edits of both are one's."""
        if not more:
            return self
        other = copy.copy(self)
        vars(other)["traced"] = {**self.traced, **more}
        return other

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends."""
        return split_lines(self.text)

    @cached_property
    def module(self) -> str:
        """Dotted name of the module; the empty string when the index does not have it."""
        facts = self.index.module_at(self.path)
        return facts.name if facts is not None else ""

    @cached_property
    def names(self) -> Names:
        """Name resolution in this module."""
        return Names(self.tree, self.module, self.index, self.text)

    @cached_property
    def functions(self) -> Mapping[str, FunctionNode]:
        """Qualified name -> node, for every function and lambda of the module; the last of each name."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        return {self.names.qualname(node): node for node in walk(self.tree) if isinstance(node, kinds)}

    @cached_property
    def redefined(self) -> Mapping[str, list[FunctionNode]]:
        """Qualified name -> the definitions that do not count in ``functions``."""
        others: dict[str, list[FunctionNode]] = {}
        for node in walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                name = self.names.qualname(node)
                if self.functions[name] is not node:
                    others.setdefault(name, []).append(node)
        return others

    @cached_property
    def classes(self) -> Mapping[str, ast.ClassDef]:
        """Qualified name -> node, for every class of the module."""
        nodes = (node for node in walk(self.tree) if isinstance(node, ast.ClassDef))
        return {self.names.qualname(node): node for node in nodes}

    @cached_property
    def traced(self) -> Mapping[str, Trace]:
        """Qualified name -> why, for the functions of this module that run inside a graph."""
        return self.index.traced(self.path)

    def outermost_traced(self, function: FunctionNode) -> FunctionNode:
        """The outermost traced function that holds ``function``; itself where there is none."""
        traced = [f for f in self.names.functions_around(function) if self.names.qualname(f) in self.traced]
        return traced[-1] if traced else function

    def qualified(self, local: str) -> str:
        """The project-wide name of this module's ``local`` qualified name."""
        return f"{self.module}.{local}" if self.module else local

    def local(self, qualified: str) -> str:
        """The inverse of :meth:`qualified`; a name of another module is nobody's here."""
        return qualified.removeprefix(f"{self.module}.") if self.module else qualified

    def column(self, line: int, byte_offset: int) -> int:
        """``ast`` counts columns in UTF-8 bytes from 0; people and LibCST count characters. From 1."""
        text = self.lines[line - 1]
        if text.isascii():
            return byte_offset + 1
        return len(text.encode()[:byte_offset].decode(errors="replace")) + 1

    def site(self, node: ast.expr | ast.stmt, code: str, message: str, symbol: str, owner: str) -> Site:
        """The printable place of ``node``."""
        end_line, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        column, end_column = self.column(node.lineno, node.col_offset), self.column(end_line, end_offset)
        return Site(node.lineno, column, code, end_line, end_column, message, symbol, owner)

    def is_wanted(self, code: str, node: ast.expr | ast.stmt) -> bool:
        """Whether a finding of ``code`` at ``node`` was asked for."""
        return self._wanted(code, node.lineno, self.column(node.lineno, node.col_offset))

    # -- LibCST --------------------------------------------------------------------------------------------------

    def cst(self, node: ast.AST, kind: type[Node]) -> Node:
        """The LibCST node of type ``kind`` at the place of ``node``.

        Raises:
            LookupError: there is none; a codemod asked for the wrong type.
        """
        assert isinstance(node, ast.expr | ast.stmt | ast.arg)
        region = self._region(node.lineno)
        line, column = node.lineno - region.first + 1, self.column(node.lineno, node.col_offset) - 1
        found: libcst.CSTNode | None
        if isinstance(node, ast.stmt):
            found = region.at.get((line, column, kind.__name__))
        else:
            end_line, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
            end = (end_line - region.first + 1, self.column(end_line, end_offset) - 1)
            found = region.spans.get((line, column, *end, kind.__name__))
        if not isinstance(found, kind):
            raise LookupError(f"no {kind.__name__} at {self.path}:{node.lineno}:{column + 1}")
        return found

    def cst_expression(self, node: ast.expr) -> libcst.BaseExpression:
        """The LibCST expression that spans exactly the place of ``node``."""
        import libcst

        region = self._region(node.lineno)
        start = (node.lineno - region.first + 1, self.column(node.lineno, node.col_offset) - 1)
        end_line, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        end = (end_line - region.first + 1, self.column(end_line, end_offset) - 1)
        found = region.spans.get((*start, *end, "BaseExpression"))
        if not isinstance(found, libcst.BaseExpression):
            raise LookupError(f"no expression at {self.path}:{node.lineno}:{start[1] + 1}")
        return found

    def cst_statement(self, node: ast.stmt) -> libcst.BaseStatement | libcst.SimpleStatementSuite:
        """The LibCST statement that is ``node``; for a simple one the whole line that holds it, ``;`` included."""
        import libcst

        for kind in (*libcst.BaseStatement.__subclasses__(), *libcst.BaseCompoundStatement.__subclasses__()):
            found = self._starting_with(node, kind)
            if found is not None:
                return found
        line = self.cst_parent(self.cst_small(node))
        assert isinstance(line, libcst.SimpleStatementLine | libcst.SimpleStatementSuite)
        return line

    def cst_small(self, node: ast.stmt) -> libcst.BaseSmallStatement:
        """The LibCST node of a simple statement without the rest of its line."""
        import libcst

        for kind in libcst.BaseSmallStatement.__subclasses__():
            found = self._starting_with(node, kind)
            if found is not None:
                return found
        raise LookupError(f"no statement at {self.path}:{node.lineno}")

    def has_own_line(self, node: ast.stmt) -> bool:
        """Whether a simple statement has its line to itself: no ``;``, no ``if x:`` before it."""
        import libcst

        line = self.cst_statement(node)
        return isinstance(line, libcst.SimpleStatementLine) and len(line.body) == 1

    def _starting_with(self, node: ast.stmt, kind: type[Node]) -> Node | None:
        region = self._region(node.lineno)
        place = (node.lineno - region.first + 1, self.column(node.lineno, node.col_offset) - 1)
        found = region.at.get((*place, kind.__name__))
        return found if isinstance(found, kind) else None

    def cst_parent(self, node: libcst.CSTNode) -> libcst.CSTNode:
        """The LibCST node that directly holds ``node``."""
        for region in self._regions.values():
            if id(node) in region.members:
                if id(node) not in region.parents:
                    region.parents.update(_parents(region.module))
                return region.parents[id(node)]
        raise LookupError(f"a {type(node).__name__} of no region of {self.path}")

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions that were asked for, in order."""
        return tuple(self._regions[first] for first in sorted(self._regions))

    def _region(self, line: int) -> Region:
        for region in self._regions.values():
            if region.first <= line <= region.last:
                return region
        first, last = self._statement_lines(line)
        region = self._parsed(first, last)
        self._regions[first] = region
        return region

    def _statement_lines(self, line: int) -> tuple[int, int]:
        for statement in self.tree.body:
            decorators = getattr(statement, "decorator_list", [])
            first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
            last = statement.end_lineno or statement.lineno
            if first <= line <= last:
                return first, last
        raise LookupError(f"no statement at {self.path}:{line}")

    def _parsed(self, first: int, last: int) -> Region:
        import libcst
        from libcst.metadata import MetadataWrapper, PositionProvider

        text = "".join(self.lines[first - 1 : last]).rstrip("\r\n")
        try:
            module = libcst.parse_module(text, self.parser_config)
        except libcst.ParserSyntaxError as error:
            raise CannotKeep(f"LibCST cannot read lines {first} to {last}: {error.message}") from error
        if module.code != text:
            raise CannotKeep(f"LibCST does not give lines {first} to {last} back as they are (a form feed?)")
        # `MetadataWrapper.resolve` would go through the whole tree once more, on behalf of no visitor at all.
        found = PositionProvider()._gen(MetadataWrapper(module, unsafe_skip_copy=True))
        positions = cast("Mapping[libcst.CSTNode, CodeRange]", found)
        at: dict[tuple[int, int, str], libcst.CSTNode] = {}
        spans: dict[tuple[int, int, int, int, str], libcst.CSTNode] = {}
        members: dict[int, Place] = {}
        for node, code_range in positions.items():
            start, end = code_range.start, code_range.end
            members[id(node)] = (start.line, start.column, end.line, end.column)
        for node in positions:
            span = members[id(node)]
            kind = type(node).__name__
            at.setdefault((*span[:2], kind), node)
            spans.setdefault((*span, kind), node)
            if isinstance(node, libcst.BaseExpression):
                if isinstance(node, libcst.Tuple | libcst.GeneratorExp) and node.lpar:
                    # `ast` counts their own parentheses in, LibCST does not.
                    span = (*members[id(node.lpar[-1])][:2], *members[id(node.rpar[0])][2:])
                    spans.setdefault((*span, kind), node)
                whole = (*span, "BaseExpression")
                spans[whole] = node
        return Region(first, last, module, at, spans, members, {})

    @cached_property
    def parser_config(self) -> libcst.PartialParserConfig:
        """For LibCST's parser: this file's own newline and indentation."""
        import libcst

        return libcst.PartialParserConfig(default_newline=self._newline, default_indent=self._indent)

    @cached_property
    def _newline(self) -> str:
        first = self.lines[0] if self.lines else ""
        return first[len(first.rstrip("\r\n")) :] or "\n"

    @cached_property
    def _indent(self) -> str:
        for node in walk(self.tree):
            body = getattr(node, "body", None)
            if (
                isinstance(node, ast.stmt)
                and isinstance(body, list)
                and body
                and body[0].lineno > node.lineno
            ):
                text = self.lines[body[0].lineno - 1]
                indent = _indent_of(text)
                outer = _indent_of(self.lines[node.lineno - 1])
                if indent.startswith(outer) and len(indent) > len(outer):
                    return indent[len(outer) :]
        return "    "
