"""Small pure questions to ``ast`` expressions, shared by the extraction and by live names."""

from __future__ import annotations

import ast

IMPORTERS = ("import", "lazy", "loader")


def dotted(node: ast.expr) -> str | None:
    """``a.b.c`` as text; an inner call is written ``a.b().c``; None for anything else. ``super(A, self)`` is ``super()``."""
    parts: list[str] = []
    while True:
        kind = type(node)
        if kind is ast.Attribute:
            parts.append(node.attr)  # type: ignore[attr-defined]
            node = node.value  # type: ignore[attr-defined]
        elif kind is ast.Name:
            parts.append(node.id)  # type: ignore[attr-defined]
            break
        elif kind is ast.Call:
            inner = dotted(node.func)  # type: ignore[attr-defined]
            if inner is None:
                return None
            parts.append(inner + "()")
            break
        else:
            return None
    if len(parts) == 1:
        return parts[0]
    parts.reverse()
    return ".".join(parts)


def base_texts(nodes: list[ast.expr]) -> tuple[str, ...]:
    """A class's bases as written: generics without their arguments, ``make()`` for calls, ``?`` for the rest."""
    found: list[str] = []
    for node in nodes:
        while isinstance(node, ast.Subscript):
            node = node.value
        text = dotted(node) or "?"
        if isinstance(node, ast.Call) and text.endswith("with_metaclass()"):
            found.extend(base_texts(node.args[1:]))
        else:
            found.append(text)
    return tuple(found)


def lambda_name(node: ast.Lambda) -> str:
    return f"<lambda:{node.lineno}:{node.col_offset + 1}>"


def imported_module(call: ast.Call, callee: str) -> str | None:
    """The module that ``importlib.import_module("m")``, ``LazyLoader("tf", globals(), "m")`` and the like give."""
    last = callee.rpartition(".")[2].lower()
    if not any(word in last for word in IMPORTERS):
        return None
    literals = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if not literals or literals[-1].startswith("."):
        return None
    name: str = literals[-1]
    return name if all(part.isidentifier() for part in name.split(".")) else None


def names_a_class(callee: str) -> bool:
    """Whether a call's result is worth remembering: the callee looks like a class, or like a dataset's origin."""
    last = callee.rpartition(".")[2].lstrip("_")
    return last[:1].isupper() or "data." in callee or "ataset" in callee
