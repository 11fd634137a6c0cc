"""Write TensorFlow's draw in the place of Python's or NumPy's: its arguments, shape and dtype."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.draws import table
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.shapes import Dimensions
from tfmigrate.draws.sources import Draw
from tfmigrate.draws.table import Result, Row
from tfmigrate.draws.text import Rewriting, is_loose
from tfmigrate.draws.values import Kind

_INT32_MAX = 2**31 - 1
_INT64_MAX = 2**63 - 1
_PLACEHOLDER = re.compile(r"\{([\w+*]+)\}")


@dataclass(frozen=True, slots=True)
class Bound:
    """The arguments of a drawing call by parameter."""

    given: Mapping[str, ast.expr]
    size: ast.expr | list[ast.expr] | None
    dtype: ast.expr | None


@dataclass(frozen=True, slots=True)
class Builder:
    """Writes the draws of one function. ``tf`` is the name of TensorFlow there."""

    rewriting: Rewriting
    reading: Reading
    dimensions: Dimensions
    tf: str

    def bound(self, draw: Draw, row: Row) -> Bound | Blocked:
        """The arguments by parameter, or why they cannot be told apart."""
        call = draw.call
        blocked = Blocked("arguments-not-understood", ast.unparse(call))
        if any(keyword.arg is None for keyword in call.keywords):
            return blocked
        keywords = {keyword.arg or "": keyword.value for keyword in call.keywords}
        if row.size == "*":
            return blocked if keywords else Bound({}, list(call.args), None)
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return blocked
        names = [name for name, _ in row.parameters]
        is_legacy_dtype = draw.is_numpy and draw.method in ("randint", "integers", "random")
        dtype = keywords.pop("dtype", None) if is_legacy_dtype else None
        if len(call.args) > len(names) or keywords.keys() - set(names):
            return blocked
        given = dict(zip(names, call.args, strict=False)) | keywords
        if len(given) != len(call.args) + len(keywords):
            return blocked
        if (
            names[:1]
            and draw.method in table.ONE_BOUND
            and "{b+1}" not in row.expression
            and names[1] not in given
        ):
            given[names[1]] = given.pop(names[0], ast.Constant(None))
            given[names[0]] = ast.Constant(0)
        if any(default is None and name not in given for name, default in row.parameters):
            return blocked
        return Bound(given, given.pop(row.size, None), dtype)

    def shape(self, draw: Draw, bound: Bound, is_test: bool) -> str | Blocked:
        """The text of the draw's shape."""
        if bound.size is None or bound.size == []:
            return "[]"
        if isinstance(bound.size, list):
            if len(bound.size) == 1 and isinstance(bound.size[0], ast.Starred):
                return self.dimensions.shape_of(bound.size[0].value) or Blocked(
                    "size-not-understood", ast.unparse(draw.call)
                )
            text = self.dimensions.listed(bound.size)
        else:
            text = self.dimensions.shape(bound.size)
        if text is None:
            return Blocked("size-not-understood", ast.unparse(draw.call))
        return "[]" if is_test and text == "[1]" else text

    def expression(
        self, draw: Draw, row: Row, bound: Bound, shape: str, dtype: str, random: str
    ) -> str | Blocked:
        """The whole expression. ``dtype`` is a dtype's name, or code for one."""
        values = dict(row.parameters)
        texts: dict[str, str] = {}
        for name, default in values.items():
            if name == row.size:
                continue
            node = bound.given.get(name)
            text = default if node is None else self.argument(node, row)
            if text is None or any(name == only and text != value for only, value in row.only):
                return Blocked("no-equivalent", ast.unparse(draw.call))
            if node is not None and not self.is_one_number(draw, row, node, shape):
                return Blocked("arguments-not-understood", ast.unparse(node))
            if name in row.twice and node is not None and not _is_simple(node):
                return Blocked("arguments-not-understood", ast.unparse(node))
            texts["shape_" if name == "shape" else name] = text
        limit = _largest(bound, row)
        if row.result is Result.INT and limit is not None and limit > _INT64_MAX:
            return Blocked("no-equivalent", ast.unparse(draw.call))
        template = row.short if row.short and not bound.given else row.expression
        wanted = dtype if "." in dtype else f"{self.tf}.{dtype}"
        inner = self.own_dtype(row, bound, template, dtype) or wanted
        fixed = {"tf": self.tf, "random": random, "shape": shape, "dtype": inner}
        text = filled(template, fixed, texts)
        if row.result is Result.FLOAT:
            text = text.replace(f", dtype={self.tf}.float32", "")
        is_index = dtype == "int32" and inner == f"{self.tf}.int64"
        return text if inner == wanted or is_index else f"{self.tf}.cast({text}, {wanted})"

    def own_dtype(self, row: Row, bound: Bound, template: str, dtype: str) -> str:
        """The dtype that the operation draws with, where that is not the one that is wanted."""
        if row.result is Result.FLOAT:
            return ""
        if ".poisson(" in template:
            return "" if dtype in ("float32", "float64", "int32", "int64") else f"{self.tf}.float32"
        if ".uniform({shape}, " not in template:
            return ""
        limit = _largest(bound, row)
        if limit is not None and limit > _INT32_MAX:
            return f"{self.tf}.int64"
        return "" if dtype in ("int32", "int64") else f"{self.tf}.int32"

    def argument(self, node: ast.expr, row: Row) -> str:
        if not hasattr(node, "lineno"):
            return ast.unparse(node)
        return self.dimensions.dimension(node) if row.result is Result.INT else self.rewriting.text(node)

    def is_one_number(self, draw: Draw, row: Row, node: ast.expr, shape: str) -> bool:
        """Whether the argument is a number, not an array that NumPy would draw an array for."""
        if row.vector or not hasattr(node, "lineno"):
            return True
        value = self.reading.of(node)
        if value.kind is Kind.TUPLE:
            return False
        is_scalar = value.is_number or bool(value.draws) or not draw.is_numpy or row.result is Result.INT
        return (
            is_scalar
            or (shape != "[]" and not value.is_tensor)
            or _is_arithmetic_of_numbers(self.reading, node)
        )


def _is_arithmetic_of_numbers(reading: Reading, node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and all(reading.of(part).is_number for part in (node.left, node.right))


def _is_simple(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute | ast.UnaryOp):
        node = node.value if isinstance(node, ast.Attribute) else node.operand
    return isinstance(node, ast.Name | ast.Constant | ast.List | ast.Tuple)


def filled(template: str, fixed: Mapping[str, str], texts: Mapping[str, str]) -> str:
    """A row's expression with its placeholders replaced: ``fixed`` as they are, ``texts`` as arguments."""

    def text_of(match: re.Match[str]) -> str:
        name = match[1]
        if name in fixed:
            return fixed[name]
        plain = name.removesuffix("+1").removeprefix("2**")
        text = texts[plain]
        if name.endswith("+1"):
            return _one_more(text)
        if name.startswith("2**"):
            return str(2 ** int(text)) if text.isdigit() else f"2 ** ({text})"
        alone = template[: match.start()].endswith(("(", "[", ", ")) and template[
            match.end() : match.end() + 1
        ] in (",", ")", "]")
        return f"({text})" if not alone and is_loose(text) else text

    return _PLACEHOLDER.sub(text_of, template)


def _one_more(text: str) -> str:
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        return repr(node.value + 1)
    value = _number(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _number(node.right) == 1:
        return ast.get_source_segment(text, node.left) or ast.unparse(node.left)
    if value is not None:
        return str(value + 1)
    return (
        f"{text} + 1"
        if not isinstance(node, ast.IfExp | ast.Lambda | ast.BoolOp | ast.Compare)
        else f"({text}) + 1"
    )


def _number(node: ast.expr) -> int | None:
    """The value of an integer expression of literals."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(node.operand)
        return -value if value is not None else None
    if isinstance(node, ast.BinOp):
        left, right = _number(node.left), _number(node.right)
        if left is not None and right is not None:
            match node.op:
                case ast.Add():
                    return left + right
                case ast.Sub():
                    return left - right
                case ast.Mult():
                    return left * right
                case ast.Pow() if 0 <= right < 256:
                    return int(left**right)
    return None


def _largest(bound: Bound, row: Row) -> int | None:
    """The largest upper bound that is written out, if the row has bounds."""
    found = []
    for name, node in bound.given.items():
        value = _number(node)
        if value is not None:
            exponent = f"{{2**{name}}}" in row.expression
            found.append(
                2**value if exponent and value < 1024 else value + (f"{{{name}+1}}" in row.expression)
            )
    return max(found) if found else None
