"""Modules that must not be imported: scripts that start to work when they are imported. Read with ``ast``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

WORKING_NAMES = frozenset(
    {"fit", "fit_generator", "train", "train_model", "run_training", "train_and_evaluate", "main", "evaluate"}
)
"""Last parts of called names that mean work: training, or a whole program."""


def find_import_side_effect(source: str | bytes) -> str:
    """Why a module that is no member of a package must not be imported; "" if nothing speaks against it.

    Only what is evident: a call of ``fit``, ``train``, ``main`` ... at top level, under no main guard. A file
    that does not parse gives "": importing it says what is wrong.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ""
    for call in _top_level_calls(tree.body):
        name = _last_name(call.func)
        if name in WORKING_NAMES:
            return (
                f"line {call.lineno} calls {name}() when the file is imported; "
                'put it under `if __name__ == "__main__":`'
            )
    return ""


def _top_level_calls(body: list[ast.stmt]) -> Iterator[ast.Call]:
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or is_main_guard(
            statement
        ):
            continue
        stack: list[ast.AST] = [statement]
        while stack:
            node = stack.pop()
            if isinstance(node, ast.Call):
                yield node
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                continue
            stack.extend(child for child in ast.iter_child_nodes(node) if not is_main_guard(child))


def is_main_guard(node: ast.AST) -> bool:
    """``if __name__ == "__main__":``, also turned round and with further conditions."""
    if not isinstance(node, ast.If):
        return False
    return any(
        isinstance(part, ast.Compare)
        and {"__name__", "__main__"}
        <= {getattr(side, "id", getattr(side, "value", None)) for side in (part.left, *part.comparators)}
        for part in ast.walk(node.test)
    )


def _last_name(func: ast.expr) -> str:
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else ""
