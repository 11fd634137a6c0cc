"""``choice``, ``choices``, ``sample``, ``permutation``: positions in a range, elements of written-out numbers or a tensor.

Among other Python objects (strings, layers, functions) a tensor cannot pick, so those stay.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.draws.alike import are_alike_tensors, function_of, layers_of
from tfmigrate.draws.among import Among, among
from tfmigrate.draws.reading import Reading, are_indices
from tfmigrate.draws.shapes import Dimensions
from tfmigrate.draws.sources import Draw
from tfmigrate.draws.table import Result, Row, picked
from tfmigrate.draws.values import Kind, Value, number, tensor

_SIGNATURES: Mapping[tuple[bool, str], tuple[str, ...]] = {
    (False, "choice"): ("seq",),
    (False, "choices"): ("seq", "weights", "k"),
    (False, "sample"): ("seq", "k"),
    (True, "choice"): ("seq", "k", "replace", "p"),
    (True, "permutation"): ("seq",),
}
"""(NumPy's, method) -> positional parameters, by the names used here."""
_KEYWORDS = {"population": "seq", "a": "seq", "x": "seq", "size": "k", "seq": "seq"}


@dataclass(frozen=True, slots=True)
class Pick:
    """How TensorFlow picks the same. ``text`` has the dtype ``own``."""

    row: Row
    text: str
    own: str
    value: Value
    """What the pick is: numbers that Python or NumPy picked, or an element of a tensor."""
    is_array: bool


@dataclass(frozen=True, slots=True)
class Picker:
    """Reads picks of one function."""

    reading: Reading
    dimensions: Dimensions
    tf: str

    def pick(self, draw: Draw) -> Pick | Blocked:
        """The pick, or why it has to stay."""
        blocked = Blocked("in-place" if draw.method == "shuffle" else "choice", ast.unparse(draw.call))
        given = self.given(draw)
        if given is None or "seq" not in given:
            return blocked
        found = self.among(given["seq"])
        if found is not None and draw.method == "permutation":
            return blocked
        count = found.count if found is not None else self.count(given["seq"])
        positions = self.positions(draw, given, count) if count is not None else None
        if count is not None and "k" in given and self.size(given["k"]) is None:
            return Blocked("size-not-understood", ast.unparse(draw.call))
        if count is None or positions is None:
            return blocked
        text, is_array = positions
        if found is not None:
            return self.picked_among(draw, given, found, text, is_array) or blocked
        return self.picked(draw, given["seq"], text, is_array)

    def among(self, node: ast.expr) -> Among | None:
        """The functions or layers that it picks from."""
        found = among(self.dimensions.unit, node)
        if found is None or self.reading.of(node).is_tensor:
            return None
        is_function = all(
            function_of(self.dimensions.unit, element) is not None
            or (self.dimensions.unit.names.qualified(element) or "").startswith("tensorflow.")
            for element in found.elements
        )
        return found if is_function or layers_of(self.dimensions.unit, found.elements) else None

    def picked_among(
        self, draw: Draw, given: Mapping[str, ast.expr], found: Among, positions: str, is_array: bool
    ) -> Pick | None:
        """The position of a function or layer, or several positions, one by one."""
        drawn = frozenset((id(draw.call),))
        own = "int64" if ".categorical(" in positions else "int32"
        if not is_array:
            return Pick(picked(Result.INT), positions, own, Value(Kind.PICKED, "", drawn, (), found), False)
        size = self.size(given["k"]) if "k" in given else "1"
        value = self.reading.of(given["k"]) if "k" in given else number("int")
        if size is None or "(" in size or not value.is_number or own != "int32":
            return None
        text = f"{self.tf}.unstack({positions}, num={size})"
        return Pick(picked(Result.INT), text, own, Value(Kind.SEVERAL, "", drawn, (), found), False)

    def given(self, draw: Draw) -> dict[str, ast.expr] | None:
        names = _SIGNATURES.get((draw.is_numpy, draw.method))
        call = draw.call
        if names is None or any(isinstance(argument, ast.Starred) for argument in call.args):
            return None
        positional = names[:1] if draw.method == "choices" else names
        given = dict(zip(positional, call.args, strict=False))
        for keyword in call.keywords:
            given[_KEYWORDS.get(keyword.arg or "", keyword.arg or "**")] = keyword.value
        is_complete = len(given) == len(call.args) + len(call.keywords)
        return given if is_complete and given.keys() <= set(names) else None

    def count(self, node: ast.expr) -> str | None:
        """How many there are to pick among; None where that is unknown."""
        value = self.reading.of(node)
        if value.is_tensor:
            return f"{self.tf}.shape({self.dimensions.rewriting.text(node)})[0]"
        if isinstance(node, ast.List | ast.Tuple):
            is_plain = bool(value.items) and all(item.is_number and not item.draws for item in value.items)
            is_plain = is_plain or self.are_alike_tensors(node, value)
            return (
                str(len(node.elts)) if is_plain and len({item.dtype for item in value.items}) == 1 else None
            )
        if isinstance(node, ast.Call):
            name = self.dimensions.unit.names.qualified(node.func)
            if name in ("builtins.range", "numpy.arange") and len(node.args) == 1 and not node.keywords:
                return self.dimensions.dimension(node.args[0])
            if name == "builtins.len":
                return self.dimensions.dimension(node)
        if self.are_numbers(node):
            return f"len({self.dimensions.rewriting.text(node)})"
        is_dimension = self.dimensions.read(node) is not None or (value.is_number and value.dtype == "int")
        return self.dimensions.dimension(node) if is_dimension else None

    def are_numbers(self, node: ast.expr) -> bool:
        """Whether it is a list or an array of whole numbers by its name."""
        return are_indices(node) and self.reading.of(node).kind is Kind.UNKNOWN

    def are_alike_tensors(self, node: ast.List | ast.Tuple, value: Value) -> bool:
        is_typed = bool(value.items) and all(item.is_tensor and item.dtype for item in value.items)
        return is_typed and are_alike_tensors(self.dimensions.unit, node.elts)

    def positions(self, draw: Draw, given: Mapping[str, ast.expr], count: str) -> tuple[str, bool] | None:
        """Positions among ``count``, and whether they are several."""
        if draw.method == "permutation":
            return f"{self.tf}.random.shuffle({self.tf}.range({count}))", True
        size = self.size(given["k"]) if "k" in given else "1" if draw.method == "choices" else ""
        weights = next(
            (given[name] for name in ("p", "weights") if name in given and not _is_none(given[name])), None
        )
        if size is None:
            return None
        is_without = draw.method == "sample" or (draw.method == "choice" and _is_false(given.get("replace")))
        is_known = "replace" not in given or isinstance(given["replace"], ast.Constant)
        if not is_known or (is_without and (weights is not None or not size)):
            return None
        if is_without:
            return f"{self.tf}.random.shuffle({self.tf}.range({count}))[:{size}]", True
        if weights is not None:
            text = f"[{self.dimensions.rewriting.text(weights)}]"
            if not self.are_fractions(weights):
                text = f"{self.tf}.cast({text}, {self.tf}.float32)"
            drawn = f"{self.tf}.random.categorical({self.tf}.math.log({text}), {size or 1})"
            return drawn + ("[0]" if size else "[0, 0]"), bool(size)
        return f"{self.tf}.random.uniform([{size}], 0, {count}, dtype={self.tf}.int32)", bool(size)

    def are_fractions(self, node: ast.expr) -> bool:
        """Whether the weights are written out and one of them with a point, which makes all of them float32."""
        value = self.reading.of(node)
        return bool(value.items) and any(item.dtype == "float" for item in value.items)

    def size(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Constant) and node.value is None:
            return ""
        text = self.dimensions.shape(node)
        return text[1:-1] if text is not None and text.startswith("[") and "," not in text else None

    def picked(self, draw: Draw, node: ast.expr, positions: str, is_array: bool) -> Pick:
        """Positions themselves, or what stands there."""
        value = self.reading.of(node)
        drawn = frozenset((id(draw.call),))
        own = "int64" if ".categorical(" in positions else "int32"
        if value.is_tensor:
            whole = f"{self.tf}.gather({self.dimensions.rewriting.text(node)}, {positions})"
            return Pick(picked(Result.FLOAT), whole, value.dtype, tensor(value.dtype), is_array)
        if self.are_numbers(node):
            chosen = f"{self.tf}.gather({self.dimensions.rewriting.text(node)}, {positions})"
            whole = f"{self.tf}.cast({chosen}, {self.tf}.int32)"
            return Pick(picked(Result.INT), whole, "int32", Value(Kind.NUMBER, "int", drawn), is_array)
        if isinstance(node, ast.List | ast.Tuple):
            kind = value.items[0].dtype
            if value.items[0].is_tensor:
                whole = f"{self.tf}.gather({self.dimensions.rewriting.text(node)}, {positions})"
                return Pick(picked(Result.FLOAT), whole, kind, tensor(kind), is_array)
            result = Result.FLOAT if kind == "float" else Result.INT
            whole = f"{self.tf}.gather({self.dimensions.rewriting.text(node)}, {positions})"
            own = {"float": "float32", "int": "int32"}.get(kind, "bool")
            return Pick(picked(result), whole, own, Value(Kind.NUMBER, kind, drawn), is_array)
        return Pick(
            picked(Result.INT), positions, own, Value(Kind.NUMBER, number("int").dtype, drawn), is_array
        )


def _is_false(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
