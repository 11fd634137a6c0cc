"""LibCST expressions with some of their nodes replaced. Loaded only when something is rewritten."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst


class Substitution(cst.CSTTransformer):
    """Replaces nodes by identity (``id(node)`` -> new expression)."""

    def __init__(self, replacements: Mapping[int, cst.BaseExpression]) -> None:
        super().__init__()
        self._replacements = replacements

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode:
        return self._replacements.get(id(original_node), updated_node)
