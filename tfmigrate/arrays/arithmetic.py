"""Sums of whole numbers as text: ``n - 1 + 1`` is ``n``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tfmigrate.draws.text import is_loose


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms with their factors, and a number."""

    terms: Mapping[str, int]
    constant: int = 0

    def __add__(self, other: Sum | int) -> Sum:
        more = other if isinstance(other, Sum) else Sum({}, other)
        terms = dict(self.terms)
        for term, factor in more.terms.items():
            terms[term] = terms.get(term, 0) + factor
        kept = {term: factor for term, factor in terms.items() if factor}
        return Sum(kept, self.constant + more.constant)

    def __mul__(self, factor: int) -> Sum:
        return Sum({term: own * factor for term, own in self.terms.items()}, self.constant * factor)

    def __sub__(self, other: Sum | int) -> Sum:
        return self + (other * -1)

    @property
    def text(self) -> str:
        positive = [_term(term, factor) for term, factor in self.terms.items() if factor > 0]
        negative = [_term(term, -factor, True) for term, factor in self.terms.items() if factor < 0]
        text = " + ".join(positive)
        if not text and (self.constant or not negative):
            text = str(self.constant)
            return "".join([text, *(f" - {one}" for one in negative)])
        text = "".join([text or f"-{negative.pop(0)}", *(f" - {one}" for one in negative)])
        if self.constant:
            text += f" {'+' if self.constant > 0 else '-'} {abs(self.constant)}"
        return text


def _term(text: str, factor: int, is_taken: bool = False) -> str:
    if factor != 1:
        return f"{factor} * {_tight(text)}"
    is_sum = isinstance(ast.parse(text, mode="eval").body, ast.BinOp | ast.UnaryOp)
    return text if is_sum and not is_taken else _tight(text)


def _tight(text: str) -> str:
    return f"({text})" if is_loose(text) else text


def summed(node: ast.expr, text: Callable[[ast.expr], str]) -> Sum:
    """An expression as a sum. ``text`` writes what is no sum."""
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return Sum({}, value)
        case ast.BinOp(op=ast.Add()):
            return summed(node.left, text) + summed(node.right, text)
        case ast.BinOp(op=ast.Sub()):
            return summed(node.left, text) - summed(node.right, text)
        case ast.UnaryOp(op=ast.USub()):
            return summed(node.operand, text) * -1
    return Sum({text(node): 1})
