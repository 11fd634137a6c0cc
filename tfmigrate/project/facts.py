"""The facts of one file as codemods read them: frozen, picklable, without syntax trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tfmigrate.project import records as r


class CallFacts(NamedTuple):
    """One call. ``callee`` is dotted as written (``self.helper``, ``super().call``), "" where it is no dotted name."""

    callee: str
    line: int
    column: int
    """1-based, in characters; where the whole call expression begins."""
    in_loop: bool = False
    """Inside a ``for``, a ``while`` or a comprehension of the function that holds it."""
    references: tuple[tuple[str, str], ...] = ()
    """(position or keyword, dotted name or lambda's qualname) of arguments that may be functions."""


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kind: str
    """``posonly``, ``pos``, ``var`` (``*args``), ``kwonly`` or ``varkw`` (``**kwargs``)."""
    has_default: bool


@dataclass(frozen=True, slots=True)
class Decorator:
    """``dotted`` as written; ``references`` are the dotted positional arguments of a decorator that is called."""

    dotted: str
    called: bool
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """A function, method or lambda. The module's own body has the qualname ""."""

    record: r.FunctionRecord
    module: str

    @property
    def qualname(self) -> str:
        return self.record.qualname

    @property
    def qualified(self) -> str:
        return f"{self.module}.{self.record.qualname}"

    @property
    def name(self) -> str:
        return self.record.qualname.rpartition(".")[2]

    @property
    def owner(self) -> str:
        """Qualname of the class whose method this is, or whose method holds it; "" otherwise."""
        return self.record.owner

    @property
    def parent(self) -> str:
        """Qualname of the scope that directly holds it; "" for the module."""
        return self.record.parent

    @property
    def self_name(self) -> str:
        """The instance's name in here (``self``); "" where there is none."""
        return self.record.self_name

    @property
    def line(self) -> int:
        return self.record.line

    @property
    def column(self) -> int:
        return self.record.column

    @property
    def end_line(self) -> int:
        return self.record.end_line

    @property
    def params(self) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.record.params)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(Parameter(*found) for found in self.record.params)

    @property
    def decorators(self) -> tuple[Decorator, ...]:
        return tuple(Decorator(d.dotted, d.called, d.references) for d in self.record.decorators)

    @property
    def calls(self) -> tuple[CallFacts, ...]:
        return tuple(
            [
                CallFacts("" if callee.endswith("()") else callee, line, column, in_loop, references)
                for callee, line, column, in_loop, references, _ in self.record.calls
            ]
        )

    @property
    def nested(self) -> tuple[str, ...]:
        return self.record.nested

    @property
    def is_generator(self) -> bool:
        return self.record.is_generator


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """A class; also one that is defined inside a function."""

    record: r.ClassRecord
    module: str
    methods: Mapping[str, FunctionFacts]

    @property
    def qualname(self) -> str:
        return self.record.qualname

    @property
    def qualified(self) -> str:
        return f"{self.module}.{self.record.qualname}"

    @property
    def line(self) -> int:
        return self.record.line

    @property
    def end_line(self) -> int:
        return self.record.end_line

    @property
    def bases(self) -> tuple[str, ...]:
        """Dotted as written; ``?`` for what is no dotted name, ``make()`` for the result of a call."""
        return self.record.bases

    @property
    def decorators(self) -> tuple[Decorator, ...]:
        return tuple(Decorator(d.dotted, d.called, d.references) for d in self.record.decorators)

    @property
    def class_attributes(self) -> frozenset[str]:
        """Names bound in the class body, methods and nested classes included."""
        return self.record.hidden | frozenset(self.record.bindings)

    @property
    def self_attributes(self) -> Mapping[str, tuple[str, ...]]:
        """Attribute -> names of the methods that assign, augment or delete it (``setattr`` with a literal included)."""
        return self.record.self_attributes


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    name: str
    path: str
    is_package: bool
    record: r.ModuleRecord
    classes: Mapping[str, ClassFacts]
    """By qualname."""
    functions: Mapping[str, FunctionFacts]
    """By qualname: functions, methods, nested functions and lambdas; "" is the module's own body."""

    @property
    def imports(self) -> tuple[tuple[int, str], ...]:
        """(level, module or module.name) of every import in the file."""
        return self.record.imports
