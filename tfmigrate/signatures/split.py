"""Functions that check their Python numbers before they compute with them: Python keeps the checks, the graph gets tensors.

``if lower > upper: raise`` has to be Python's, and each pair of numbers is a trace. So the checks stay in a plain function
of the same name and interface, which hands the numbers as tensors to a ``tf.function`` with the rest of the body.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfmigrate.codemod import AnyChange, Insertion, Update
from tfmigrate.imports import tensorflow_name
from tfmigrate.lazy import libcst as cst
from tfmigrate.signatures.callsites import Sites
from tfmigrate.signatures.expressions import is_in_loop
from tfmigrate.signatures.found import Found
from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.syntax import bound_names
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_COMPUTES = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_COMPARES = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


@dataclass(frozen=True, slots=True)
class Split:
    """The first statements of the body, which stay Python's, and what becomes of the numbers: name -> the tensor that it
    meets, whose dtype it gets."""

    docstring: int
    checked: int
    """How many statements after the docstring."""
    numbers: dict[str, str]


def split_finding(unit: Unit, sites: Sites, function: GraphFunction) -> Found | None:
    """The finding, if the function is one of these and a loop hands it numbers."""
    varied = list(_varied(unit, sites, function))
    name = tensorflow_name(unit, function.symbol)
    if not varied or name is None or name.after is not None or not _is_only_called(unit, function):
        return None
    split = _split(unit, function, varied)
    helper = _helper_name(function)
    if split is None or helper in _names(unit):
        return None

    def changes(unit: Unit) -> Iterator[AnyChange]:
        yield from _changes(unit, function, split, helper, name.name)

    names = ", ".join(f"`{one}`" for one in varied)
    message = (
        f"`{function.symbol}` is traced anew for each value of {names}: checked in Python, and handed as "
        f"{'tensors' if len(split.numbers) > 1 else 'a tensor'} to a tf.function with the rest"
    )
    return Found("TFM503", function.decorator, function.symbol, function.owner, message, changes)


def _varied(unit: Unit, sites: Sites, function: GraphFunction) -> Iterator[str]:
    """Parameters with a number as default that a call in a loop hands something of its turn."""
    args = function.node.args
    if function.owner or "<locals>" in function.symbol or args.vararg or args.kwarg or args.kwonlyargs:
        return
    names = [arg.arg for arg in function.parameters]
    for name, default in function.defaults.items():
        if not isinstance(default, ast.UnaryOp | ast.Constant):
            continue
        try:
            value = ast.literal_eval(default)
        except ValueError:
            continue
        if type(value) is not float:
            continue
        for call, _ in sites.of(function).sure:
            given = dict(zip(names, call.args, strict=False))
            given.update((one.arg, one.value) for one in call.keywords if one.arg in names)
            turning = set(is_in_loop(unit, call))
            used = (
                {one.id for one in ast.walk(given[name]) if isinstance(one, ast.Name)}
                if name in given
                else set()
            )
            if used & turning:
                yield name
                break


def _is_only_called(unit: Unit, function: GraphFunction) -> bool:
    """Whether nobody asks the ``tf.function`` for more than to be called (``step.get_concrete_function``)."""
    name = function.node.name
    if re.search(rf"\b{name}\s*\.", unit.text):
        return False
    resolver = unit.index.resolver()
    views = [view for view in map(resolver.view, unit.index.modules) if view is not None]
    return not any(
        f"{name}." in call.callee
        for view in views
        for functions in view.functions.values()
        for one in functions
        for call in one.calls
    )


def _split(unit: Unit, function: GraphFunction, varied: Sequence[str]) -> Split | None:
    body = function.node.body
    docstring = int(ast.get_docstring(function.node) is not None)
    checked, checks, tensors = 0, 0, set[str]()
    for statement in body[docstring:]:
        converted = _converted(unit, function, statement)
        if converted:
            tensors.add(converted)
        elif _is_check(unit, statement, set(varied)):
            checks += 1
        else:
            break
        checked += 1
    rest = body[docstring + checked :]
    if not checks or not rest:
        return None
    inside = [node for statement in rest for node in walk(statement)]
    if bound_names(inside) & (tensors | set(varied)):
        return None
    numbers: dict[str, str] = {}
    for node in inside:
        if isinstance(node, ast.arg) and node.arg in (*varied, *tensors):
            return None
        if isinstance(node, ast.Name) and node.id in varied:
            met = _met(unit, node)
            if met not in tensors or numbers.setdefault(node.id, met) != met:
                return None
    return Split(docstring, checked, numbers) if numbers.keys() == set(varied) else None


def _converted(unit: Unit, function: GraphFunction, statement: ast.stmt) -> str:
    """``x`` of ``x = tf.convert_to_tensor(x)``."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return ""
    target, call = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(call, ast.Call) or len(call.args) != 1:
        return ""
    is_own = isinstance(call.args[0], ast.Name) and call.args[0].id == target.id
    is_parameter = any(arg.arg == target.id for arg in function.parameters)
    is_made = unit.names.qualified(call.func) == "tensorflow.convert_to_tensor"
    return target.id if is_own and is_parameter and is_made and not call.keywords else ""


def _is_check(unit: Unit, statement: ast.stmt, numbers: set[str]) -> bool:
    """``if lower > upper: raise ...``, of nothing but the numbers."""
    if not isinstance(statement, ast.If) or statement.orelse:
        return False
    if len(statement.body) != 1 or not isinstance(statement.body[0], ast.Raise):
        return False
    read = [node for node in ast.walk(statement.test) if isinstance(node, ast.Name)]
    called = any(isinstance(node, ast.Call | ast.NamedExpr) for node in ast.walk(statement.test))
    return bool(read) and not called and {one.id for one in read} <= numbers


def _met(unit: Unit, node: ast.Name) -> str:
    """The name of what a number is computed or compared with; converted as that is."""
    parent = unit.names.parent(node)
    other: ast.expr | None = None
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, _COMPUTES):
        other = parent.right if parent.left is node else parent.left
    elif isinstance(parent, ast.Compare) and len(parent.ops) == 1 and isinstance(parent.ops[0], _COMPARES):
        other = parent.comparators[0] if parent.left is node else parent.left
    return other.id if isinstance(other, ast.Name) else ""


def _helper_name(function: GraphFunction) -> str:
    name = function.node.name
    return f"{name}_of_tensors" if name.startswith("_") else f"_{name}"


def _names(unit: Unit) -> set[str]:
    arguments = {one.arg for one in walk(unit.tree) if isinstance(one, ast.arg)}
    return arguments | bound_names(walk(unit.tree))


def _changes(
    unit: Unit, function: GraphFunction, split: Split, helper: str, tensorflow: str
) -> Iterator[AnyChange]:
    old = unit.cst(function.node, cst.FunctionDef)
    block = cst.ensure_type(old.body, cst.IndentedBlock)
    first = split.docstring + split.checked
    rest = [statement.deep_clone() for statement in block.body[first:]]
    rest[0] = rest[0].with_changes(
        leading_lines=[line for line in getattr(rest[0], "leading_lines", ()) if line.comment is not None]
    )
    new = cst.ensure_type(old.deep_clone(), cst.FunctionDef)
    params = [one.with_changes(default=None, equal=cst.MaybeSentinel.DEFAULT) for one in new.params.params]
    compiled = new.with_changes(
        name=cst.Name(helper),
        params=new.params.with_changes(params=[_plain(one, split) for one in params]),
        leading_lines=[],
        returns=new.returns,
        body=block.with_changes(body=rest),
    )
    arguments = [
        (
            f"{tensorflow}.convert_to_tensor({arg.arg}, {split.numbers[arg.arg]}.dtype)"
            if arg.arg in split.numbers
            else arg.arg
        )
        for arg in function.parameters
    ]
    call = cst.parse_statement(f"return {helper}({', '.join(arguments)})", unit.parser_config)
    kept = [statement.deep_clone() for statement in block.body[:first]]
    yield Insertion(old, (compiled,), after=False, blank_lines=2)
    whole = block.with_changes(body=[*kept, call], footer=[])
    yield Update(old, lambda node: node.with_changes(decorators=[], body=whole))


def _plain(param: cst.Param, split: Split) -> cst.Param:
    """A parameter that is a tensor now, without what its annotation said."""
    return param.with_changes(annotation=None) if param.name.value in split.numbers else param
