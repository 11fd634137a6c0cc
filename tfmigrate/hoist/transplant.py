"""All moves of one class as one edit: attribute names, the new ``__init__`` statements, the places of use."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tfmigrate.codemod import Change, Insertion
from tfmigrate.hoist.blocked import Blocked
from tfmigrate.hoist.move import Move
from tfmigrate.hoist.names import Namer
from tfmigrate.hoist.owner import Owner
from tfmigrate.hoist.rewrite import ConstructionWriter, Moved, UseRewriter, init_changes, new_init
from tfmigrate.project.index import Kind
from tfmigrate.unit import Unit


def transplant(
    unit: Unit, owner: Owner, moves: Sequence[Move], given: dict[str, set[str]]
) -> tuple[list[Moved], tuple[Change | Insertion, ...]] | Blocked:
    """Move all of ``moves`` (in source order) into the ``__init__`` of ``owner``.

    ``given`` collects the attribute names given out in this file, by class.
    """
    function = moves[0].function
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    receiver = owner.receiver(function)
    index = 0
    if owner.init is not None:
        attributes = {name for move in moves for name in move.needs.attributes}
        attributes |= {name for move in moves for guard in move.guards for name in guard.needs.attributes}
        methods = {move.symbol.rpartition(".")[2] for move in moves}
        place = owner.insertion_index(methods, attributes)
        if isinstance(place, Blocked):
            return place
        index = place
    moved, changes = UseRewriter(unit, receiver, moves, Namer(owner, given)).rewritten()
    statements = ConstructionWriter(unit, receiver).statements(moved)
    placed = (
        new_init(unit, owner.node, _new_init_text(owner, receiver, statements))
        if owner.init is None
        else init_changes(unit, owner.init, index, statements)
    )
    return moved, (*changes, *placed)


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
    inherited = owner.inherited_init
    if inherited is not None and _is_repeatable(inherited):
        return _repeated(inherited)
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
        for node in ast.walk(default)
    )


def _repeated(init: ast.FunctionDef) -> tuple[str, str]:
    arguments = init.args
    bare = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(argument.arg) for argument in arguments.args[1:]],
        vararg=ast.arg(arguments.vararg.arg) if arguments.vararg else None,
        kwonlyargs=[ast.arg(argument.arg) for argument in arguments.kwonlyargs],
        kw_defaults=arguments.kw_defaults,
        kwarg=ast.arg(arguments.kwarg.arg) if arguments.kwarg else None,
        defaults=arguments.defaults[-len(arguments.args[1:]) :] if arguments.args[1:] else [],
    )
    passed = [argument.arg for argument in arguments.args[1:]]
    passed += [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    passed += [f"{argument.arg}={argument.arg}" for argument in arguments.kwonlyargs]
    passed += [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
    return ast.unparse(bare), ", ".join(passed)
