"""All moves of one class as one edit: names, the new statements of ``__init__`` and ``build``, the places of use."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change
from tfmigrate.hoist.lines import removal
from tfmigrate.hoist.move import Move, Place
from tfmigrate.hoist.names import Namer
from tfmigrate.hoist.owner import Owner
from tfmigrate.hoist.rewrite import (
    ConstructionWriter,
    Moved,
    UseRewriter,
    added_method,
    added_statements,
)
from tfmigrate.project.index import Kind
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


def transplant(
    unit: Unit, owner: Owner, moves: Sequence[Move], given: dict[str, set[str]]
) -> tuple[list[Moved], tuple[AnyChange, ...]] | Blocked:
    """Move all of ``moves`` (in source order) into the ``__init__`` and the ``build`` of ``owner``.

    ``given`` collects the attribute names given out in this file, by class.
    """
    function = moves[0].function
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    receiver = owner.receiver(function)
    indices = _indices(owner, moves)
    if isinstance(indices, Blocked):
        return indices
    moved, used = UseRewriter(unit, receiver, moves, Namer(owner, given)).rewritten()
    changes: list[AnyChange] = [*used, *_placeholders(unit, moves)]
    for place in Place:
        placed = [one for one in moved if one.move.place is place]
        if placed:
            statements = ConstructionWriter(unit, receiver).statements(placed)
            changes.extend(_placed(unit, owner, place, indices[place], receiver, statements))
    return moved, tuple(changes)


def _placeholders(unit: Unit, moves: Sequence[Move]) -> list[Change]:
    """Takes out what ``__init__`` put in the place of objects that the first call made."""
    goes = {id(one): one for move in moves if move.first_call for one in move.first_call.placeholders}
    return [removal(unit, statement) for statement in goes.values()]


def _indices(owner: Owner, moves: Sequence[Move]) -> dict[Place, int] | Blocked:
    """Where in the bodies of ``__init__`` and ``build`` the statements go."""
    indices = {Place.INIT: 0, Place.BUILD: 0}
    for place in Place:
        mine = [move for move in moves if move.place is place]
        attributes = {name for move in mine for name in move.attributes}
        found: int | Blocked = 0
        if mine and place is Place.INIT and owner.init is not None:
            found = owner.insertion_index({move.symbol.rpartition(".")[2] for move in mine}, attributes)
        elif mine and place is Place.BUILD and owner.build is not None:
            found = owner.build_index(attributes)
        if isinstance(found, Blocked):
            return found
        indices[place] = found
    return indices


def _placed(
    unit: Unit, owner: Owner, place: Place, index: int, receiver: str, statements: str
) -> list[AnyChange]:
    if place is Place.INIT and owner.init is None:
        return added_method(unit, owner.node, _new_init_text(owner, receiver, statements))
    if place is Place.BUILD and owner.build is None:
        return added_method(unit, owner.node, _new_build_text(owner, receiver, statements), before="call")
    method = owner.init if place is Place.INIT else owner.build
    assert method is not None
    return added_statements(unit, method, index, statements)


def _new_build_text(owner: Owner, receiver: str, statements: str) -> str:
    body = "".join(f"    {line}\n" for line in statements.splitlines())
    shape = owner.shape_name
    return f"def build({receiver}, {shape}):\n{body}    super().build({shape})\n"


def _new_init_text(owner: Owner, receiver: str, statements: str) -> str:
    signature, forwarded = _signature(owner)
    body = "".join(f"    {line}\n" for line in statements.splitlines())
    separator = ", " if signature else ""
    first = f"    super().__init__({forwarded})\n" if forwarded is not None else ""
    return f"def __init__({receiver}{separator}{signature}):\n{first}{body}"


def _signature(owner: Owner) -> tuple[str, str | None]:
    """Parameters of a new ``__init__`` and what it hands to the base's (None: there is no base to call).

    A base's own parameters are repeated by name: Keras 3 rebuilds a layer from the names in its signature, and
    positional arguments must go on to work.
    """
    if owner.is_mixed_in:
        return "*args, **kwargs", "*args, **kwargs"
    inherited = owner.inherited_init
    if inherited is not None and _is_repeatable(inherited):
        return _repeated(owner.unit, inherited)
    if owner.kind is Kind.NONE and not owner.ancestors_with_init:
        return "", None
    if owner.has_plain_bases:
        return "**kwargs", "**kwargs"
    return "*args, **kwargs", "*args, **kwargs"


def _is_repeatable(init: ast.FunctionDef) -> bool:
    defaults = [*init.args.defaults, *(default for default in init.args.kw_defaults if default is not None)]
    return not init.args.posonlyargs and all(
        isinstance(node, ast.Constant | ast.Tuple | ast.UnaryOp | ast.Load | ast.USub)
        for default in defaults
        for node in walk(default)
    )


def _repeated(unit: Unit, init: ast.FunctionDef) -> tuple[str, str]:
    arguments = init.args
    names = [argument.arg for argument in arguments.args[1:]]
    defaults = dict(zip(reversed(names), reversed(arguments.defaults), strict=False))
    defaults |= {
        argument.arg: default
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    }
    keywords = [argument.arg for argument in arguments.kwonlyargs]
    star = [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    stars = [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []

    def declared(name: str) -> str:
        return f"{name}={_source(unit, defaults[name])}" if name in defaults else name

    bare = star or (["*"] if keywords else [])
    signature = [*map(declared, names), *bare, *map(declared, keywords), *stars]
    passed = [*names, *star, *(f"{name}={name}" for name in keywords), *stars]
    return ", ".join(signature), ", ".join(passed)


def _source(unit: Unit, default: ast.expr) -> str:
    text = ast.get_source_segment(unit.text, default) or ""
    return text if text and "\n" not in text and "\r" not in text else ast.unparse(default)
