"""Black on the statements that a rewrite touched, and on nothing else.

Each simple statement, and each head of a compound one, on a changed line is formatted alone: without its
indentation, in what the line length leaves, and then indented again as the file does it. A statement that black
cannot be trusted with stays as it was written.
"""

from __future__ import annotations

import ast
import difflib
import io
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfmigrate.source import split_lines
from tfmigrate.toml import nearest_pyproject, read_toml

if TYPE_CHECKING:
    from black.mode import Mode

_BLACK_INDENT = 4


@dataclass(frozen=True, slots=True)
class Style:
    """What matters of ``[tool.black]``. Without that table quotes stay as they are."""

    line_length: int = 88
    string_normalization: bool = False
    magic_trailing_comma: bool = True
    target_versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Statement:
    """``lines[first:last]`` hold one simple statement, the head of a compound one (``if ...:``) or a decorator, and
    nothing else but a comment at its end."""

    first: int
    last: int
    indent: str
    body: str = ""
    """What has to follow for it to be read alone."""


def format_changed(before: str, after: str, path: Path | None) -> str:
    """``after`` with black run on its simple statements that touch lines which ``before`` does not have.

    Options come from ``[tool.black]`` of the ``pyproject.toml`` nearest to ``path``. Untouched lines stay
    byte for byte. A statement stays as it is when it shares a line with another, holds a string over several
    lines, stands between ``# fmt: off`` and ``# fmt: on``, or would change its meaning. Text that does not
    parse comes back as it is.
    """
    lines = split_lines(after)
    changed = changed_lines(split_lines(before), lines)
    if not changed:
        return after
    try:
        tree = ast.parse(after)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return after
    found = list(_statements(tree, lines, changed))
    style = read_style(path)
    unit = _indent_unit(tree, lines)
    for statement in reversed(found):
        new = _formatted(lines[statement.first : statement.last], statement, unit, style)
        if new is not None:
            lines[statement.first : statement.last] = new
    return "".join(lines)


def changed_lines(before: Sequence[str], after: Sequence[str]) -> frozenset[int]:
    """Indexes of the lines of ``after`` that are new or different."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    matcher = difflib.SequenceMatcher(
        None, before[start : len(before) - end], after[start : len(after) - end], autojunk=False
    )
    return frozenset(
        start + index
        for tag, _, _, first, last in matcher.get_opcodes()
        if tag in ("replace", "insert")
        for index in range(first, last)
    )


def read_style(path: Path | None) -> Style:
    """The style of the project that ``path`` belongs to. A configuration that cannot be read counts as
    none.
    """
    config = nearest_pyproject(path) if path is not None else None
    if config is None:
        return Style()
    try:
        tool = read_toml(config).get("tool", {})
    except (OSError, ValueError):
        return Style()
    options = tool.get("black") if isinstance(tool, Mapping) else None
    if isinstance(options, Mapping):
        return _black_style(options)
    ruff = tool.get("ruff") if isinstance(tool, Mapping) else None
    length = ruff.get("line-length") if isinstance(ruff, Mapping) else None
    return Style(line_length=length) if isinstance(length, int) and length > 0 else Style()


def _black_style(options: Mapping[str, Any]) -> Style:
    """Black accepts its option names with dashes or underscores."""
    named = {name.replace("_", "-"): value for name, value in options.items()}
    length = named.get("line-length")
    versions = named.get("target-version", ())
    return Style(
        line_length=length if isinstance(length, int) and length > 0 else 88,
        string_normalization=not named.get("skip-string-normalization", False),
        magic_trailing_comma=not named.get("skip-magic-trailing-comma", False),
        target_versions=tuple(str(version) for version in versions) if isinstance(versions, list) else (),
    )


def _statements(tree: ast.Module, lines: Sequence[str], changed: frozenset[int]) -> Iterator[_Statement]:
    """The simple statements on ``changed`` lines that may be formatted, in order of lines."""
    off = _switched_off(lines)
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        yield from _decorators(node, lines, changed, off)
        first, last = node.lineno - 1, node.end_lineno or node.lineno
        if not _is_simple(node):
            last = getattr(node, "body", [node])[0].lineno - 1
        if off & set(range(first, last)) or not any(index in changed for index in range(first, last)):
            continue
        indent = lines[first].encode()[: node.col_offset].decode()
        if not _is_simple(node):
            if head := _head_length(lines[first:last], indent):
                yield _Statement(first, first + head, indent, "    pass\n")
        elif _is_alone(node, lines):
            yield _Statement(first, last, indent)


def _decorators(
    node: ast.stmt, lines: Sequence[str], changed: frozenset[int], off: set[int]
) -> Iterator[_Statement]:
    """The decorators on ``changed`` lines that may be formatted."""
    for decorator in getattr(node, "decorator_list", []):
        first, last = decorator.lineno - 1, decorator.end_lineno
        span = set(range(first, last))
        indent, _, space = lines[first].encode()[: decorator.col_offset].decode().rpartition("@")
        tail = lines[last - 1].encode()[decorator.end_col_offset :].decode().strip()
        is_alone = not (indent + space).strip(" \t") and (not tail or tail.startswith("#"))
        text = "".join(lines[first:last]).lstrip(" \t")
        if span & changed and not span & off and is_alone and not _has_multiline_string(text):
            yield _Statement(first, last, indent, "def f():\n    pass\n")


def _head_length(lines: Sequence[str], indent: str) -> int:
    """How many of ``lines`` are the head of a compound statement; 0 if it is not there as a whole or shares a line."""
    if indent.strip(" \t") or _has_multiline_string("".join(lines).lstrip(" \t")):
        return 0
    for length in range(1, len(lines) + 1):
        text = "".join(_without_indent(line, indent) for line in lines[:length])
        try:
            ast.parse(text.rstrip("\r\n") + "\n    pass\n")
        except SyntaxError:
            continue
        return length
    return 0


def _is_simple(node: ast.stmt) -> bool:
    return not hasattr(node, "body") and not hasattr(node, "cases")


def _is_alone(node: ast.stmt, lines: Sequence[str]) -> bool:
    """Whether no other statement, and no docstring, is on the lines of ``node``."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head = lines[first].encode()[: node.col_offset].decode()
    tail = lines[last].encode()[node.end_col_offset :].decode().strip()
    return (
        not head.strip(" \t")
        and (not tail or tail.startswith("#"))
        and not (first and lines[first - 1].rstrip("\r\n").endswith("\\"))
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        and not _has_multiline_string("".join(lines[first : last + 1]).lstrip(" \t"))
    )


def _has_multiline_string(text: str) -> bool:
    """Whether a string of this one statement goes over a line end. What cannot be read counts as one."""
    opened: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            name = tokenize.tok_name[token.type]
            if name == "STRING" and token.start[0] != token.end[0]:
                return True
            if name in ("FSTRING_START", "TSTRING_START"):
                opened.append(token.start[0])
            if name in ("FSTRING_END", "TSTRING_END") and opened.pop() != token.end[0]:
                return True
    except (tokenize.TokenError, SyntaxError, IndexError):
        return True
    return False


def _switched_off(lines: Sequence[str]) -> set[int]:
    """Indexes of the lines from ``# fmt: off`` to ``# fmt: on``."""
    off: set[int] = set()
    is_off = False
    for index, line in enumerate(lines):
        comment = line.strip().replace(" ", "")
        if comment in ("#fmt:off", "#yapf:disable"):
            is_off = True
        elif comment in ("#fmt:on", "#yapf:enable"):
            is_off = False
        if is_off:
            off.add(index)
    return off


def _indent_unit(tree: ast.Module, lines: Sequence[str]) -> str:
    """What this file indents a block with: the first block that starts on its own line decides."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(node, ast.stmt) or not isinstance(body, list) or body[0].lineno == node.lineno:
            continue
        outer = lines[node.lineno - 1].encode()[: node.col_offset].decode()
        line: str = lines[body[0].lineno - 1]
        inner = line[: len(line) - len(line.lstrip(" \t"))]
        if inner.startswith(outer) and len(inner) > len(outer) and not outer.strip(" \t"):
            return inner[len(outer) :]
    return " " * _BLACK_INDENT


def _formatted(lines: Sequence[str], statement: _Statement, unit: str, style: Style) -> list[str] | None:
    """The lines of one statement, formatted; None to leave it."""
    import black
    from black.parsing import InvalidInput
    from black.report import NothingChanged

    indent = statement.indent
    text = "".join(_without_indent(line, indent).rstrip("\r\n") + "\n" for line in lines)
    text += statement.body
    try:
        new = black.format_str(text, mode=_mode(style, indent))
        same = ast.dump(ast.parse(text)) == ast.dump(ast.parse(new))
    except (InvalidInput, NothingChanged, SyntaxError, ValueError, RecursionError):
        return None
    if not same:
        return None
    new = new.removesuffix(statement.body)
    newline = _newline(lines[0]) or "\n"
    result = [indent + _reindented(line, unit) + newline for line in new.rstrip("\n").split("\n")]
    if not _newline(lines[-1]):
        result[-1] = result[-1].removesuffix(newline)
    return result


def _mode(style: Style, indent: str) -> Mode:
    from black.mode import Mode, TargetVersion

    known = {version.name.lower(): version for version in TargetVersion}
    return Mode(
        target_versions={known[name.lower()] for name in style.target_versions if name.lower() in known},
        line_length=max(1, style.line_length - len(indent.expandtabs(_BLACK_INDENT))),
        string_normalization=style.string_normalization,
        magic_trailing_comma=style.magic_trailing_comma,
    )


def _without_indent(line: str, indent: str) -> str:
    """``line`` without as much of ``indent`` as it has; lines within brackets may have less."""
    if line.startswith(indent):
        return line[len(indent) :]
    return line.lstrip(" \t")


def _reindented(line: str, unit: str) -> str:
    """Black indents with four spaces, this file with ``unit``."""
    body = line.lstrip(" ")
    levels, rest = divmod(len(line) - len(body), _BLACK_INDENT)
    return unit * levels + " " * rest + body


def _newline(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
