"""Lists, dicts and strings that are made anew for each call of a ``tf.function``: a trace for each content."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change
from tfmigrate.imports import tensorflow_name
from tfmigrate.lazy import libcst as cst
from tfmigrate.signatures.callsites import Sites
from tfmigrate.signatures.conversions import Conversion, Place, conversions
from tfmigrate.signatures.expressions import is_in_loop
from tfmigrate.signatures.found import Changes, Found
from tfmigrate.signatures.functions import GraphFunction, is_keras_method
from tfmigrate.signatures.numbers import Numbers
from tfmigrate.signatures.values import Unknown
from tfmigrate.unit import Unit

Given = Mapping[Place, ast.expr]


def container_findings(unit: Unit, sites: Sites, function: GraphFunction) -> Iterator[Found]:
    """One for each call in a loop that hands over what may be another Python value in each turn."""
    if is_keras_method(unit, function):
        return
    known: Mapping[Place, Conversion] | None = None
    for call in (*(call for call, _ in sites.of(function).sure), *sites.likely(function)):
        scope = unit.names.enclosing_function(call)
        if scope is not None and unit.names.qualname(scope) in unit.traced:
            continue
        turning = set(is_in_loop(unit, call))
        given = {place: node for place, node in _given(function, call).items() if _turns(node, turning)}
        if not given:
            continue
        known = known if known is not None else conversions(unit, function)
        certain = {place for place, node in given.items() if _is_python(unit, sites, node)}
        made = {
            place: known[place]
            for place in given
            if place in known and (place in certain or _may_be_python(sites, given[place], known[place]))
        }
        if made or certain:
            yield _found(unit, function, call, given, made, certain)


def _given(function: GraphFunction, call: ast.Call) -> Given:
    """What the call hands over, by parameter; a dict that is written out by its items."""
    names = [arg.arg for arg in function.parameters]
    if any(isinstance(one, ast.Starred) for one in call.args) or any(
        one.arg is None for one in call.keywords
    ):
        return {}
    given = dict(zip(names, call.args, strict=False))
    given.update((one.arg, one.value) for one in call.keywords if one.arg in names)
    found: dict[Place, ast.expr] = {}
    for name, node in given.items():
        keys = (
            [one.value if isinstance(one, ast.Constant) else None for one in node.keys]
            if (isinstance(node, ast.Dict))
            else []
        )
        if isinstance(node, ast.Dict) and keys and all(isinstance(key, str) and key for key in keys):
            found.update(((name, str(key)), value) for key, value in zip(keys, node.values, strict=True))
        else:
            found[name, ""] = node
    return found


def _turns(node: ast.expr, turning: set[str]) -> bool:
    return any(isinstance(one, ast.Name) and one.id in turning for one in ast.walk(node))


def _may_be_python(sites: Sites, node: ast.expr, conversion: Conversion) -> bool:
    """Whether it is not certainly a tensor or an array already: what is cast is one mostly, what is converted is none."""
    if conversion.maker == "cast" or not isinstance(sites.expressions.value(node), Unknown):
        return False
    name = sites.unit.names.qualified(node.func) if isinstance(node, ast.Call) else None
    return not (name or "").startswith(("tensorflow.", "numpy.", "keras."))


def _is_python(unit: Unit, sites: Sites, node: ast.expr) -> bool:
    """Whether it certainly is a Python value of another content in each turn."""
    numbers = Numbers(unit, sites.expressions)
    if isinstance(node, ast.List | ast.Tuple):
        return any(_is_python(unit, sites, item) for item in node.elts)
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.Call) and unit.names.qualified(node.func) == "builtins.str":
        return True
    return bool(numbers.kind(node)) and numbers.varies(node)


def _found(
    unit: Unit,
    function: GraphFunction,
    call: ast.Call,
    given: Given,
    made: Mapping[Place, Conversion],
    certain: set[Place],
) -> Found:
    scope = unit.names.enclosing_function(call)
    symbol = unit.names.qualname(scope) if scope is not None else ""
    owner = unit.names.enclosing_class(scope) if scope is not None else None
    name = tensorflow_name(unit, symbol)
    left = sorted(certain - made.keys())
    names = ", ".join(f"`{_said(place)}`" for place in (left or made))
    message = f"`{function.symbol}` is traced anew for each content of {names}"
    outcome: Blocked | Changes
    if left:
        is_text = all(not isinstance(given[place], ast.List | ast.Tuple) for place in left)
        outcome = Blocked("text-retraces" if is_text else "container-in-python", _said(left[0]))
    elif name is None or name.after is not None:
        outcome = Blocked("no-tensorflow-name")
    else:
        outcome = _converted(given, made, name.name)
        message += ": made a tensor at the caller" if len(made) == 1 else ": made tensors at the caller"
    proof = unit.names.qualname(owner) if owner is not None else ""
    return Found("TFM506", call, symbol or function.symbol, proof, message, outcome)


def _said(place: Place) -> str:
    return f'{place[0]}["{place[1]}"]' if place[1] else place[0]


def _converted(given: Given, made: Mapping[Place, Conversion], tensorflow: str) -> Changes:
    def changes(unit: Unit) -> Iterator[AnyChange]:
        for place, conversion in made.items():
            old = unit.cst_expression(given[place])
            new = cst.parse_expression(conversion.text("x", tensorflow), unit.parser_config)
            new = cst.ensure_type(new, cst.Call)
            args = [new.args[0].with_changes(value=old.deep_clone()), *new.args[1:]]
            yield Change(old, new.with_changes(args=args))

    return changes
