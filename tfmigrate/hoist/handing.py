"""Layers as arguments: new keyword-only parameters of a function, and what its uses hand over."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tfmigrate.codemod import AnyChange, Change, Update
from tfmigrate.hoist.lines import removal
from tfmigrate.hoist.move import Passed
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import bound_names, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(slots=True)
class _Function:
    """A function that gets layers: constructor call -> (parameter, how it is bound inside)."""

    passed: Passed
    parameters: dict[ast.Call, tuple[str, Passed]] = field(default_factory=dict)


class HandedOver:
    """Collects who hands what to whom; all changes come out at the end, since uses can stand inside one another."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._functions: dict[int, _Function] = {}
        self._arguments: dict[int, tuple[ast.Call, list[tuple[str, str]]]] = {}

    def add(self, passed: Passed, made: ast.Call, name: str, access: str) -> None:
        """``access`` is the layer that ``passed.use`` hands over for the one that ``made`` makes."""
        function = self._functions.setdefault(id(passed.function), _Function(passed))
        if made not in function.parameters:
            function.parameters[made] = (self._parameter(function, name), passed)
        parameter, _ = function.parameters[made]
        self._arguments.setdefault(id(passed.use), (passed.use, []))[1].append((parameter, access))

    def _parameter(self, function: _Function, name: str) -> str:
        node = function.passed.function
        binding = function.passed.binding
        taken = bound_names(walk(node)) | {parameter.arg for parameter in parameters(node)}
        taken |= {name.id for name in walk(node) if isinstance(name, ast.Name)}
        taken -= {binding.name} if binding is not None and binding.statement is not None else set()
        taken |= {given for given, _ in function.parameters.values()}
        chosen, count = name, 0
        while chosen in taken:
            count += 1
            chosen = f"{name}_{count}"
        return chosen

    def changes(self) -> Iterator[AnyChange]:
        """Parameters, what stands in the place of the constructors, and the arguments at the uses."""
        for function in self._functions.values():
            yield from self._inside(function)
            kind = cst.Lambda if isinstance(function.passed.function, ast.Lambda) else cst.FunctionDef
            names = [name for name, _ in function.parameters.values()]
            node = self._unit.cst(function.passed.function, kind)
            yield Update(node, _with_parameters(names, function.passed.is_optional))
        for use, given in self._arguments.values():
            yield Update(self._unit.cst(use, cst.Call), _with_arguments(given))

    def _may_be_false(self, made: ast.Call) -> bool:
        """Whether a layer of this class may count as false: a class of the project that has a length."""
        index, name = self._unit.index, self._unit.names.qualified(made.func) or ""
        found = (index.class_facts(base) for base in index.mro(name)) if index.class_facts(name) else ()
        return any(facts is not None and {"__len__", "__bool__"} & facts.methods.keys() for facts in found)

    def _inside(self, function: _Function) -> Iterator[AnyChange]:
        for made, (name, passed) in function.parameters.items():
            node = self._unit.cst_expression(made)
            statement = passed.binding.statement if passed.binding is not None else None
            if passed.is_optional:
                yield Change(node, _either(name, cst.ensure_type(node, cst.Call), self._may_be_false(made)))
            elif statement is not None and passed.binding is not None and passed.binding.name == name:
                block = self._unit.names.block_of(statement)
                yield removal(self._unit, statement, keeps_pass=len(block) == 1)
            else:
                yield Change(node, cst.Name(name))


def _either(name: str, made: cst.Call, may_be_false: bool) -> cst.BaseExpression:
    """The layer that was handed over, or else a new one."""
    new: cst.BaseExpression = cst.BooleanOperation(cst.Name(name), cst.Or(), made)
    if may_be_false:
        given = cst.Comparison(cst.Name(name), [cst.ComparisonTarget(cst.IsNot(), cst.Name("None"))])
        new = cst.IfExp(given, cst.Name(name), made)
    return new.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _with_parameters(names: list[str], is_optional: bool) -> Callable[[cst.CSTNode], cst.CSTNode]:
    default = cst.Name("None") if is_optional else None

    def updated(node: cst.CSTNode) -> cst.CSTNode:
        assert isinstance(node, cst.FunctionDef | cst.Lambda)
        new = [cst.Param(cst.Name(name), default=default) for name in names]
        star: cst.Param | cst.ParamStar | cst.MaybeSentinel = node.params.star_arg
        if not isinstance(star, cst.Param | cst.ParamStar):
            star = cst.ParamStar()
        params = node.params.with_changes(star_arg=star, kwonly_params=[*node.params.kwonly_params, *new])
        return node.with_changes(params=params)

    return updated


def _with_arguments(given: list[tuple[str, str]]) -> Callable[[cst.CSTNode], cst.CSTNode]:
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))

    def updated(node: cst.CSTNode) -> cst.CSTNode:
        assert isinstance(node, cst.Call)
        new = [cst.Arg(cst.parse_expression(access), cst.Name(name), tight) for name, access in given]
        return node.with_changes(args=[*node.args, *new])

    return updated
