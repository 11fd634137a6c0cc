"""Input signatures as text: how people write specs, and which of them a file has names for."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.signatures.values import SeveralOf, TensorOf, Value
from tfmigrate.unit import Unit

_SPECS = ("tensorflow.TensorSpec", "tensorflow.RaggedTensorSpec", "tensorflow.SparseTensorSpec")


@dataclass(frozen=True, slots=True)
class WrittenSpec:
    """A spec that a signature spells out."""

    text: str
    tensorflow: str
    """The file's name for TensorFlow, as ``text`` has it."""
    of: TensorOf
    parameter: str
    """Of which parameter, or under which key of a dict; empty for what is in lists and tuples."""


def text(value: Value, tensorflow: str, named: dict[str, str]) -> str:
    """The spec as people write it; ``named`` are those that the file has names for."""
    if isinstance(value, SeveralOf):
        items = [text(item, tensorflow, named) for item in value.items]
        if value.kind == "dict":
            pairs = zip(value.names, items, strict=True)
            return (
                "{"
                + ", ".join(f"{json.dumps(name, ensure_ascii=False)}: {item}" for name, item in pairs)
                + "}"
            )
        comma = "," if len(items) == 1 and value.kind == "tuple" else ""
        return f"[{', '.join(items)}]" if value.kind == "list" else f"({', '.join(items)}{comma})"
    assert isinstance(value, TensorOf)
    shape = ", ".join(map(str, value.shape))
    spec = (
        f"{tensorflow}.{value.kind}Spec([{shape}], {tensorflow}.{value.dtype}{_of_rows(value, tensorflow)})"
    )
    return named.get(spec, spec)


def _of_rows(value: TensorOf, tensorflow: str) -> str:
    """The arguments that a ragged tensor's spec has besides."""
    if value.kind != "RaggedTensor":
        return ""
    splits = f", row_splits_dtype={tensorflow}.int32" if value.row_splits == "int32" else ""
    return f", ragged_rank={value.ragged_rank}{splits}"


def written_specs(specs: Iterable[tuple[str, Value]], tensorflow: str) -> Iterator[WrittenSpec]:
    """One for each tensor of a signature: parameter -> what it takes."""
    for parameter, value in specs:
        if isinstance(value, SeveralOf):
            yield from written_specs(zip(value.names, value.items, strict=True), tensorflow)
        elif isinstance(value, TensorOf):
            yield WrittenSpec(text(value, tensorflow, {}), tensorflow, value, parameter)


def named_specs(unit: Unit, function: GraphFunction) -> dict[str, str]:
    """Specs that the file has names for before it: ``IMAGES = tf.TensorSpec([None, 3], tf.float32)``; text -> name."""
    found: dict[str, str] = {}
    for statement in unit.tree.body:
        if statement.lineno > function.node.lineno or not isinstance(statement, ast.Assign):
            continue
        if not isinstance(statement.targets[0], ast.Name):
            continue
        value = statement.value
        if isinstance(value, ast.Call) and unit.names.qualified(value.func) in _SPECS:
            spec = ast.unparse(value).replace("shape=", "").replace("dtype=", "")
            if "name=" not in spec:
                found[spec.replace("((", "([").replace("),", "],")] = statement.targets[0].id
    return found
