"""Changes of a ``tf.function`` that go along with a signature: the decorator's arguments, and reads of sizes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfmigrate.codemod import Change
from tfmigrate.lazy import libcst as cst
from tfmigrate.signatures.sizes import Asked
from tfmigrate.unit import Unit


def with_argument(unit: Unit, decorator: ast.expr, argument: str) -> Change:
    """``tf.function`` with this argument before the others it has, or in the place of one of the same name that is None."""
    new = cst.ensure_type(cst.parse_expression(f"f({argument})", unit.parser_config), cst.Call).args[0]
    old = unit.cst_expression(decorator)
    if not isinstance(old, cst.Call):
        return Change(old, cst.Call(old, [new]))
    assert new.keyword is not None
    args = list(old.args)
    for number, one in enumerate(args):
        if one.keyword is not None and one.keyword.value == new.keyword.value:
            args[number] = one.with_changes(value=new.value)
            return Change(old, old.with_changes(args=args))
    if args:
        new = new.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
    return Change(old, old.with_changes(args=[new, *args]))


def asked_of_graph(unit: Unit, reads: Sequence[Asked], tensorflow: str) -> Iterator[Change]:
    """The reads of sizes in the function, as what the graph is asked."""
    for read in reads:
        new = cst.parse_expression(read.text.format(tf=tensorflow), unit.parser_config)
        yield Change(unit.cst_expression(read.node), new)
