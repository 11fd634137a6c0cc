"""Does a method that a graph starts with run more than once in one call? Each time it would make another layer."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tfmigrate.syntax import FunctionNode, dotted, own_nodes, parameters, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


def is_repeated(unit: Unit, function: str, concrete: Iterable[str]) -> bool:
    """Whether ``function`` calls itself, a subclass's method of the same name calls it more than once, or a decorator
    does.

    ``concrete`` are the classes (qualified names) whose objects may run it.
    """
    qualified = unit.qualified(function)
    method = function.rpartition(".")[2]
    again = [
        caller
        for caller in unit.index.callers(qualified)
        if caller.is_certain and caller.is_call and caller.function.rpartition(".")[2] == method
    ]
    if any(caller.function == qualified or caller.in_loop for caller in again):
        return True
    for name in concrete:
        line = {name, *unit.index.mro(name)}
        if sum(caller.function.rpartition(".")[0] in line for caller in again) > 1:
            return True
    return _is_repeated_by_decorator(unit, function)


def first_call_guard(unit: Unit, function: str) -> str:
    """``not self.ready`` if all calls of the method in this file, ``super()``'s aside, stand behind such a condition."""
    method = function.rpartition(".")[2]
    guards: list[str] = []
    for caller in unit.index.callers(unit.qualified(function)):
        node = unit.functions.get(unit.local(caller.function))
        if caller.function.rpartition(".")[2] == method or not caller.is_certain or node is None:
            continue
        calls = (one for one in own_nodes(node) if isinstance(one, ast.Call))
        places = (one for one in calls if dotted(one.func).rpartition(".")[2] == method)
        guards.extend(_guard_around(unit, one, node) for one in places)
    return guards[0] if guards and all(guards) else ""


def _guard_around(unit: Unit, call: ast.Call, function: FunctionNode) -> str:
    receiver = function.args.args[0].arg if function.args.args else ""
    for node in unit.names.ancestors(call, function):
        match node:
            case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=asked) as test) | ast.If(
                test=ast.Compare(left=asked, ops=[ast.Is()], comparators=[ast.Constant(value=None)]) as test
            ):
                if self_attribute(asked, receiver):
                    return ast.unparse(test)
    return ""


def _is_repeated_by_decorator(unit: Unit, function: str) -> bool:
    """Whether a decorator of this module calls what it decorates more than once."""
    node = unit.functions[function]
    for decorator in [] if isinstance(node, ast.Lambda) else node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        qualified = unit.names.qualified(called) or ""
        maker = unit.functions.get(unit.local(qualified))
        if maker is not None and _calls_a_parameter_twice(maker):
            return True
    return False


def _calls_a_parameter_twice(function: FunctionNode) -> bool:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    nested = [node for node in walk(function) if isinstance(node, kinds)]
    names = {parameter.arg for node in nested for parameter in parameters(node)}
    calls = [
        node.func.id
        for node in walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    ]
    return len(calls) > len(set(calls))
