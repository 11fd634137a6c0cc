"""The facts of one file as plain tuples: what is extracted, cached (``marshal``) and linked.

The public, friendlier form is :mod:`tfmigrate.project.facts`. Lines count from 1. Columns count from 1 in characters,
except inside the qualname of a lambda (``<lambda:LINE:COLUMN>``), where the column counts UTF-8 bytes as ``ast`` does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

# Kinds of a binding; the second field of the tuple is:
IMPORT = "i"  # the absolute name of a module (`import a.b as c`; `import a.b` binds a)
FROM = "f"  # (level, module, name) of `from ..module import name`
ALIAS = "a"  # the dotted text on the right of `x = a.b.c`
RESULT = "c"  # the dotted callee of `x = a.B(...)`, kept where it can name a class or a dataset
PARTIAL = "P"  # the dotted first argument of `x = functools.partial(f, ...)`
FUNCTION = "d"  # the qualname of a `def` or of a lambda
CLASS = "k"  # the qualname of a `class`

# Where a binding stands: what else may have bound the same name.
PLAIN, BRANCH, TRIED, HANDLER = 0, 1, 2, 3

Binding = tuple[str, Any, int]
Bindings = dict[str, tuple[Binding, ...]]


class CallRecord(NamedTuple):
    """``callee`` keeps ``()`` for inner calls: ``super().call``, ``tf.data.Dataset.range().map``, ``tf.function()``."""

    callee: str
    line: int
    column: int
    in_loop: bool
    references: tuple[tuple[str, str], ...]
    """(position or keyword, dotted name or lambda qualname) of arguments that may be functions."""
    keywords: tuple[str, ...]
    """Names of the keywords; only for the calls that may take a callback."""


class DecoratorRecord(NamedTuple):
    dotted: str
    called: bool
    references: tuple[str, ...]
    """Dotted positional arguments (``functools.partial(tf.function, ...)``)."""


class FunctionRecord(NamedTuple):
    qualname: str
    """Empty for the module's own body, to which class bodies count too."""
    owner: str
    """Qualname of the class whose method this is, or whose method holds it; empty otherwise."""
    parent: str
    """Qualname of the scope that holds it: a function, a class, or empty."""
    self_name: str
    """What the enclosing method calls its instance (or class); empty outside of methods and where it is hidden."""
    line: int
    column: int
    end_line: int
    params: tuple[tuple[str, str, bool], ...]
    """(name, kind, has a default); kind is one of ``posonly pos var kwonly varkw``."""
    decorators: tuple[DecoratorRecord, ...]
    hidden: frozenset[str]
    """Local names of which nothing is known: parameters, loop variables ..."""
    comprehended: frozenset[str]
    """Names that are only bound inside comprehensions."""
    bindings: Bindings
    calls: tuple[CallRecord, ...]
    nested: tuple[str, ...]
    """Qualnames of the functions and lambdas that stand directly in it."""
    is_generator: bool
    lifted: tuple[tuple[int, int], ...]
    """First and last lines of its ``with tf.init_scope():`` blocks, whose code runs outside of the graph."""


class ClassRecord(NamedTuple):
    qualname: str
    parent: str
    line: int
    end_line: int
    bases: tuple[str, ...]
    """As written; ``?`` for a base that is no dotted name, ``make()`` for the result of a call."""
    decorators: tuple[DecoratorRecord, ...]
    methods: dict[str, str]
    """Name -> qualname of the function (the last definition)."""
    hidden: frozenset[str]
    bindings: Bindings
    self_attributes: dict[str, tuple[str, ...]]
    """Attribute -> names of the methods that assign it."""
    self_values: dict[str, tuple[tuple[str, str, str], ...]]
    """Attribute -> (binding kind, text, qualname of the function) of what is assigned to it."""


class ModuleRecord(NamedTuple):
    bindings: Bindings
    hidden: frozenset[str]
    exported: tuple[str, ...] | None
    """``__all__`` if it is a literal."""
    stars: tuple[tuple[int, str], ...]
    imports: tuple[tuple[int, str], ...]
    """(level, module) of everything that is imported anywhere in the file, names of `from` imports included."""
    classes: tuple[ClassRecord, ...]
    functions: tuple[FunctionRecord, ...]
    eager_line: int
    """Line of ``run_eagerly=True`` or ``run_functions_eagerly(True)``; 0 if there is none."""


def from_plain(plain: tuple[Any, ...]) -> ModuleRecord:
    """Give the fields of the extraction's plain tuples their names."""
    functions = tuple(map(_function, plain[6]))
    classes = tuple(map(_class, plain[5]))
    return ModuleRecord._make((*plain[:5], classes, functions, *plain[7:]))


def _class(plain: tuple[Any, ...]) -> ClassRecord:
    decorators = tuple(map(DecoratorRecord._make, plain[5]))
    return ClassRecord._make((*plain[:5], decorators, *plain[6:]))


def _function(plain: tuple[Any, ...]) -> FunctionRecord:
    decorators = tuple(map(DecoratorRecord._make, plain[8])) if plain[8] else ()
    calls = tuple(map(CallRecord._make, plain[12])) if plain[12] else ()
    return FunctionRecord._make((*plain[:8], decorators, *plain[9:12], calls, *plain[13:]))
