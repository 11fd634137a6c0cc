"""The class that will own what is moved: its ``__init__``, its attributes, and who else depends on them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tfmigrate import tables
from tfmigrate.blocked import Blocked
from tfmigrate.hoist.changes import changes_held
from tfmigrate.hoist.inheritance import is_mixed_in, subclasses_blocked
from tfmigrate.hoist.repeated import first_call_guard, is_repeated
from tfmigrate.project.index import ClassFacts, Kind
from tfmigrate.syntax import FunctionNode, bound_names, defaults, own_nodes, parameters, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

MethodNode = ast.FunctionDef | ast.AsyncFunctionDef
_KERAS = (Kind.LAYER, Kind.MODEL)
_RUNS_CALL = frozenset(
    [
        "build",
        "call",
        "__call__",
        "summary",
        "compute_output_shape",
        "symbolic_call",
        "fit",
        "predict",
        "evaluate",
    ]
)
_INIT = frozenset({"__init__"})
_STEPS = frozenset({"train_step", "test_step", "predict_step"})
_PLAIN_BASES = frozenset(
    {
        "keras.layers.Layer",
        "keras.Model",
        "builtins.object",
        "tensorflow.Module",
        "abc.ABC",
        "typing.Generic",
        "typing.Protocol",
    }
)
_ITERATORS = frozenset(
    f"builtins.{name}" for name in ("iter", "zip", "map", "filter", "enumerate", "reversed")
)
_PLAIN_METACLASSES = frozenset({"abc.ABCMeta", "builtins.type"})
_HIDES_FROM_KERAS = "no_automatic_dependency_tracking"


class Owner:
    """One class of the module being read."""

    def __init__(self, unit: Unit, name: str) -> None:
        self.unit = unit
        self.name = name
        self.node = unit.classes[name]
        self.qualified = unit.qualified(name)
        self.kind = unit.index.kind(self.qualified)

    # -- the class and its relatives -----------------------------------------------------------------------------

    @cached_property
    def ancestors(self) -> tuple[str, ...]:
        """Qualified names of the visible base classes, nearest first."""
        return tuple(name for name in self.unit.index.mro(self.qualified) if name != self.qualified)

    @cached_property
    def descendants(self) -> tuple[str, ...]:
        return self.unit.index.subclasses(self.qualified)

    @cached_property
    def is_mixed_in(self) -> bool:
        """Whether a subclass mixes this class in before others: its ``__init__`` has to go on to theirs."""
        return is_mixed_in(self.unit, self.qualified)

    @cached_property
    def _facts(self) -> ClassFacts | None:
        return self.unit.index.class_facts(self.qualified)

    @cached_property
    def family(self) -> tuple[str, ...]:
        """Classes whose attributes may be on one object with this one's: bases, subclasses, and these one's bases."""
        above = (base for name in self.descendants for base in self.unit.index.mro(name))
        everyone = dict.fromkeys((*self.ancestors, *self.descendants, *above))
        return tuple(name for name in everyone if name != self.qualified)

    def _relatives(self, names: tuple[str, ...]) -> Iterator[ClassFacts]:
        for name in names:
            facts = self.unit.index.class_facts(name)
            if facts is not None:
                yield facts

    @cached_property
    def methods(self) -> dict[str, MethodNode]:
        """The methods that stand directly in the class body (the last of each name)."""
        return {
            node.name: node
            for node in self.node.body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }

    @cached_property
    def init(self) -> ast.FunctionDef | None:
        found = self.methods.get("__init__")
        return found if isinstance(found, ast.FunctionDef) else None

    def receiver(self, method: MethodNode) -> str:
        """What ``method`` calls its instance: ``self``; empty for static and class methods."""
        decorators = {self.unit.names.qualified(decorator) for decorator in method.decorator_list}
        if decorators & {"builtins.staticmethod", "builtins.classmethod"} or not method.args.args:
            return ""
        return method.args.args[0].arg

    # -- can it own anything? ------------------------------------------------------------------------------------

    def blocked(self) -> Blocked | None:
        """Why nothing can be added to this class's ``__init__``."""
        if self.kind is Kind.UNKNOWN or any(base.startswith("?") for base in self._all_bases()):
            return Blocked("base-not-visible", self._unseen_base())
        if self.kind is Kind.NONE and set(self.ancestors) - {"builtins.object"} - self._project_ancestors():
            return Blocked("class-not-supported", self.ancestors[0])
        if "keras.Sequential" in self.ancestors:
            return Blocked("class-not-supported", "keras.Sequential")
        if self._is_defined_twice():
            return Blocked("defined-twice", self.name)
        if self._is_dataclass() or self._hides_init() or self._makes_instances_differently():
            return Blocked("init-not-visible")
        if self._configured_from_everything():
            return Blocked("config-from-attributes")
        return self._init_blocked() or subclasses_blocked(self.unit, self.qualified)

    def _all_bases(self) -> tuple[str, ...]:
        chain = (self.qualified, *self._project_ancestors())
        return tuple(base for name in chain for base in self.unit.index.bases(name))

    def _project_ancestors(self) -> frozenset[str]:
        return frozenset(name for name in self.ancestors if self.unit.index.class_facts(name) is not None)

    def _unseen_base(self) -> str:
        unseen = [base[1:] for base in self._all_bases() if base.startswith("?")]
        return unseen[0] if unseen else ""

    def _is_dataclass(self) -> bool:
        named = (getattr(decorator, "func", decorator) for decorator in self.node.decorator_list)
        return any(
            (self.unit.names.qualified(decorator) or "").rpartition(".")[2] == "dataclass"
            for decorator in named
        )

    def _is_defined_twice(self) -> bool:
        """Whether another class of the same name stands in the module, say in the other branch of an ``if``."""
        same = (
            node
            for node in walk(self.unit.tree)
            if isinstance(node, ast.ClassDef) and node.name == self.node.name
        )
        return sum(self.unit.names.qualname(node) == self.name for node in same) > 1

    def _makes_instances_differently(self) -> bool:
        """By a metaclass of unknown ways, or by an ``__init__`` whose attributes Keras is told not to see."""
        metaclasses = (keyword.value for keyword in self.node.keywords if keyword.arg == "metaclass")
        if any(self.unit.names.qualified(node) not in _PLAIN_METACLASSES for node in metaclasses):
            return True
        decorators = self.init.decorator_list if self.init is not None else []
        return any(_HIDES_FROM_KERAS in ast.unparse(decorator) for decorator in decorators)

    def _configured_from_everything(self) -> bool:
        """Whether ``get_config`` (of this class or one of this module that it comes from) lists all attributes."""
        nodes = (node for method in self._versions("get_config") for node in walk(method))
        return any(
            (isinstance(node, ast.Attribute) and node.attr == "__dict__")
            or (isinstance(node, ast.Call) and self.unit.names.qualified(node.func) == "builtins.vars")
            for node in nodes
        )

    def _hides_init(self) -> bool:
        """``__init__`` is conditional, assigned, asynchronous or defined twice."""
        bound = 0
        for node in walk(self.node):
            owner = self.unit.names.enclosing_class(node)
            is_definition = (
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == "__init__"
            )
            is_assigned = (
                isinstance(node, ast.Name) and node.id == "__init__" and isinstance(node.ctx, ast.Store)
            )
            if (is_definition or is_assigned) and (owner is self.node or node in self.node.body):
                bound += 1
        return bound > (self.init is not None)

    def _init_blocked(self) -> Blocked | None:
        if self.init is None:
            return None
        if any(isinstance(node, ast.Return) for node in own_nodes(self.init)):
            return Blocked("init-returns-early")
        needs_super = self.kind in _KERAS or bool(self._project_ancestors()) or self.is_mixed_in
        if needs_super and self.super_index is None:
            return Blocked("init-without-super")
        return None

    # -- __init__ ------------------------------------------------------------------------------------------------

    @cached_property
    def super_index(self) -> int | None:
        """Index in ``__init__``'s body of the statement that calls the base's ``__init__``."""
        assert self.init is not None
        for index, statement in enumerate(self.init.body):
            for node in walk(statement):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr == "__init__"
                ):
                    return index
        return None

    def insertion_index(self, methods: set[str], attributes: set[str]) -> int | Blocked:
        """Where in ``__init__``'s body (before which statement) construction can go: as late as possible, but before
        ``__init__`` runs any of ``methods`` (or Keras runs them for it), and after ``attributes`` are set."""
        assert self.init is not None
        body = self.init.body
        end = next((i for i, statement in enumerate(body) if self._runs(statement, methods)), len(body))
        start = 0 if self.super_index is None else self.super_index + 1
        start = max(start, _after_last_store(body, self.receiver(self.init), attributes))
        index = _whole_line(body, start, end)
        return Blocked("init-runs-call") if index is None else index

    def _runs(self, statement: ast.stmt, methods: set[str]) -> bool:
        assert self.init is not None
        receiver = self.receiver(self.init)
        reaching = _RUNS_CALL | self._reaching(methods)
        for node in walk(statement):
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Name) and node.func.id == receiver:
                return True
            if self_attribute(node.func, receiver) in reaching:
                return True
            called_super = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call)
            if called_super and node.func.attr in _RUNS_CALL:  # type: ignore[attr-defined]
                return True
        return False

    def _reaching(self, methods: set[str]) -> set[str]:
        """The methods of this class that run one of ``methods``, through any number of calls."""
        reaching = set(methods)
        while True:
            more = {
                name
                for name, method in self.methods.items()
                if name not in reaching and name != "__init__" and self._calls_own(method) & reaching
            }
            if not more:
                return reaching
            reaching |= more

    def _calls_own(self, method: MethodNode) -> set[str]:
        receiver = self.receiver(method)
        calls = (node.func for node in walk(method) if isinstance(node, ast.Call))
        return {name for func in calls if (name := self_attribute(func, receiver))}

    @cached_property
    def names_in_init(self) -> set[str]:
        """Local names of ``__init__``, of a new one if there is none yet."""
        if self.init is not None:
            return _local_names(self.init)
        inherited = self.inherited_init
        repeated = {parameter.arg for parameter in parameters(inherited)} if inherited is not None else set()
        return repeated | {"args", "kwargs"}

    @cached_property
    def names_in_build(self) -> set[str]:
        """Local names of ``build``, of a new one if there is none yet."""
        return _local_names(self.build) if self.build is not None else {self.shape_name}

    # -- build --------------------------------------------------------------------------------------------------

    @cached_property
    def build(self) -> MethodNode | None:
        return self.methods.get("build")

    @property
    def shape_name(self) -> str:
        """What ``build`` calls the shape of the call's first argument."""
        arguments = self.build.args.args if self.build is not None else []
        return arguments[1].arg if len(arguments) > 1 else "input_shape"

    def build_blocked(self) -> Blocked | None:
        """Why nothing can be added to this class's ``build``."""
        for facts in self._relatives(self.descendants):
            build = facts.methods.get("build")
            if build is not None and not any(call.callee == "super().build" for call in build.calls):
                return Blocked("build-not-visible", facts.qualname)
        if self.build is None:
            return None
        returns = any(isinstance(node, ast.Return) for node in own_nodes(self.build))
        plain = isinstance(self.build, ast.FunctionDef) and len(self.build.args.args) > 1
        same_receiver = self.receiver(self.build) == self.receiver(self.methods["call"])
        return None if plain and same_receiver and not returns else Blocked("build-not-visible")

    def build_index(self, attributes: set[str]) -> int | Blocked:
        """Before which statement of ``build``'s body construction can go: before ``super().build()`` or
        ``self.built = True`` at its end, and after ``attributes`` are set."""
        assert self.build is not None
        body = self.build.body
        receiver = self.receiver(self.build)
        end = len(body)
        while end and _closes_build(body[end - 1], receiver):
            end -= 1
        start = _after_last_store(body, receiver, attributes)
        index = _whole_line(body, start, end)
        return Blocked("build-not-visible") if index is None else index

    # -- attributes ----------------------------------------------------------------------------------------------

    def attribute_blocked(self, attribute: str) -> Blocked | None:
        """Why ``self.attribute`` does not have its final value when ``__init__`` ends."""
        return self._attribute_blocked(attribute, _INIT)

    def attribute_blocked_in_build(self, attribute: str) -> Blocked | None:
        """Why ``self.attribute`` does not have its final value when ``build`` ends.

        What a subclass sets in its ``__init__`` is there by then, unlike what it sets in its own ``build``.
        """
        own_build = _INIT | {"build"} if self.build is not None else _INIT
        return self._attribute_blocked(attribute, own_build)

    def _attribute_blocked(self, attribute: str, early: frozenset[str]) -> Blocked | None:
        is_mangled = attribute.startswith("__") and not attribute.endswith("__")
        relatives = () if is_mangled else self.ancestors
        chain = [facts for facts in (self._facts, *self._relatives(relatives)) if facts is not None]
        below = [] if is_mangled else list(self._relatives(self.descendants))
        if any(attribute in facts.methods for facts in (*chain, *below)):
            return Blocked("argument-calls-code", f"self.{attribute}")
        setters = [(facts, setter) for facts in chain for setter in facts.self_attributes.get(attribute, ())]
        if any(setter not in (early if facts is self._facts else _INIT) for facts, setter in setters):
            return Blocked("attribute-changes-later", f"self.{attribute}")
        late = _INIT if "build" in early else frozenset[str]()
        if any(set(facts.self_attributes.get(attribute, ())) - late for facts in below):
            return Blocked("attribute-changes-later", f"self.{attribute}")
        if self._is_mutated(attribute, early) or self._is_used_up(attribute):
            return Blocked("attribute-changes-later", f"self.{attribute}")
        if setters or any(attribute in facts.class_attributes for facts in chain):
            return None
        return Blocked("attribute-not-set-in-init", f"self.{attribute}")

    def _is_used_up(self, attribute: str) -> bool:
        """Whether ``__init__`` sets the attribute to an iterator, which gives its values once."""
        receiver = self.receiver(self.init) if self.init is not None else ""
        for node in walk(self.init) if self.init is not None else ():
            if not isinstance(node, ast.Assign) or not any(
                self_attribute(target, receiver) == attribute for target in node.targets
            ):
                continue
            made = self.unit.names.qualified(node.value.func) if isinstance(node.value, ast.Call) else ""
            if isinstance(node.value, ast.GeneratorExp) or made in _ITERATORS:
                return True
        return False

    def may_be_none(self, attribute: str) -> bool:
        """Whether ``__init__`` (of this class or a base in this module) may set the attribute to None."""
        return any(
            attribute in _may_be_none(init, init.args.args[0].arg)
            for init in self._versions("__init__")
            if isinstance(init, ast.FunctionDef) and init.args.args
        )

    def _versions(self, method: str) -> list[FunctionNode]:
        """The method of this class and of those of this module that it comes from."""
        names = (self.unit.local(name) for name in (self.qualified, *self.ancestors))
        found = (self.unit.functions.get(f"{name}.{method}") for name in names)
        return [function for function in found if function is not None]

    def _is_mutated(self, attribute: str, early: frozenset[str]) -> bool:
        """Whether a method other than the ``early`` ones appends to it, pops from it or assigns an element."""
        prefix = f"self.{attribute}."
        for facts in self._relatives((*self.ancestors, *self.descendants)):
            for name, method in facts.methods.items():
                mutating = (
                    call.callee.removeprefix(prefix)
                    for call in method.calls
                    if call.callee.startswith(prefix)
                )
                if name != "__init__" and any(callee in tables.MUTATORS for callee in mutating):
                    return True
        return any(
            self._mutates(method, attribute) for name, method in self.methods.items() if name not in early
        )

    def _mutates(self, method: MethodNode, attribute: str) -> bool:
        receiver = self.receiver(method)
        return any(
            isinstance(node, ast.Attribute)
            and self_attribute(node, receiver) == attribute
            and isinstance(node.ctx, ast.Load)
            and changes_held(self.unit, node)
            for node in walk(method)
        )

    def setters(self, attribute: str) -> set[str]:
        """Names of this class's own methods that set the attribute."""
        return set(self._facts.self_attributes.get(attribute, ())) if self._facts is not None else set()

    def is_set_by_relatives(self, attribute: str) -> bool:
        """Whether a base, beside a plain placeholder in its ``__init__``, or a subclass sets the attribute."""
        above = self._relatives(self.ancestors)
        below = self._relatives(self.descendants)
        return any(
            attribute in facts.self_attributes or attribute in facts.methods for facts in (*above, *below)
        )

    @cached_property
    def taken(self) -> frozenset[str]:
        """Names that a new attribute must not have."""
        names = set(tables.RESERVED_ATTRIBUTES)
        for facts in self._relatives((self.qualified, *self.family)):
            names |= facts.methods.keys() | facts.class_attributes | facts.self_attributes.keys()
        for method in self.methods.values():
            receiver = self.receiver(method)
            names.update(self_attribute(node, receiver) for node in walk(method))
        names.update(
            node.target.id
            for node in self.node.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        )
        return frozenset(names - {""})

    @cached_property
    def made_up_names(self) -> tuple[str, ...]:
        """Beginnings of attribute names that are put together at run time: ``conv_`` of ``f"conv_{i}"``."""
        return tuple(
            beginning
            for method in self.methods.values()
            for node in walk(method)
            if isinstance(node, ast.Call)
            and self.unit.names.qualified(node.func) in ("builtins.setattr", "builtins.getattr")
            and len(node.args) > 1
            and (beginning := _beginning(node.args[1]))
        )

    # -- how often a method runs ---------------------------------------------------------------------------------

    def runs_once(self, function: str, seen: frozenset[str] = frozenset()) -> Blocked | None:
        """Whether the method with this qualified name runs at most once in a call of each concrete class."""
        module_function = self.unit.qualified(function)
        method = function.rpartition(".")[2]
        callers = self.unit.index.callers(module_function)
        if is_repeated(self.unit, function, (self.qualified, *self.descendants)):
            return Blocked("calls-itself", method)
        trace = self.unit.traced.get(function)
        if trace is not None and len(trace.chain) <= 1:
            return None
        more_than_once = Blocked("helper-called-more-than-once", method)
        if guard := first_call_guard(self.unit, function):
            more_than_once = Blocked("lazy-guard", guard)
        if module_function in seen or any(caller.in_loop for caller in callers):
            return more_than_once
        for concrete in (self.qualified, *self.descendants):
            line = {concrete, *self.unit.index.mro(concrete)}
            mine = [caller for caller in callers if caller.function.rpartition(".")[0] in line]
            if len(mine) > 1:
                return more_than_once
        for caller in callers:
            local = self.unit.local(caller.function)
            if local in self.unit.functions and local.rpartition(".")[0] in self.unit.classes:
                blocked = self.runs_once(local, seen | {module_function})
                if blocked:
                    return blocked
        return None

    def compiled_on_the_way(self, function: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether ``call`` reaches the method ``function`` through a method that is a ``tf.function`` of its own."""
        node = self.unit.functions.get(function)
        if node is None or isinstance(node, ast.Lambda) or function in seen:
            return False
        if node.name in _STEPS:
            return False
        if self.is_compiled(node):
            return True
        callers = self.unit.index.callers(self.unit.qualified(function))
        names = {self.unit.local(caller.function) for caller in callers}
        return any(self.compiled_on_the_way(name, seen | {function}) for name in names)

    def is_compiled(self, method: MethodNode) -> bool:
        """Whether the method is a ``tf.function`` of its own."""
        return any(self._is_tf_function(decorator) for decorator in method.decorator_list)

    def _is_tf_function(self, decorator: ast.expr) -> bool:
        func = decorator.func if isinstance(decorator, ast.Call) else decorator
        if self.unit.names.qualified(func) == "tensorflow.function":
            return True
        arguments = decorator.args if isinstance(decorator, ast.Call) else []
        return any(self.unit.names.qualified(argument) == "tensorflow.function" for argument in arguments)

    def call_site_arguments(self, function: str) -> dict[str, ast.expr]:
        """The arguments of the one call of a helper method, by parameter, where they are constants."""
        callers = self.unit.index.callers(self.unit.qualified(function))
        method = self.unit.functions[function]
        if len(callers) != 1 or isinstance(method, ast.Lambda) or self.name != function.rpartition(".")[0]:
            return {}
        local = self.unit.local(callers[0].function)
        caller = self.unit.functions.get(local)
        if caller is None or local.rpartition(".")[0] != self.name:
            return {}
        for node in own_nodes(caller):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == method.name
                and not any(isinstance(argument, ast.Starred) for argument in node.args)
            ):
                return _constants(node, method)
        return {}

    # -- a new __init__ ------------------------------------------------------------------------------------------

    @cached_property
    def inherited_init(self) -> ast.FunctionDef | None:
        """The ``__init__`` of the nearest base of this module that has one, if no other base comes before it."""
        for name in self.ancestors:
            local = name.removeprefix(f"{self.unit.module}.")
            if local not in self.unit.classes or name == local != name:
                return None
            owner = Owner(self.unit, local)
            if owner.init is not None:
                return owner.init
            if owner._hides_init():
                return None
        return None

    @property
    def ancestors_with_init(self) -> bool:
        """Whether a base other than ``object`` may have an ``__init__`` to call."""
        outside = set(self.ancestors) - self._project_ancestors() - {"builtins.object"}
        return bool(outside) or any(
            "__init__" in facts.methods for facts in self._relatives(tuple(self._project_ancestors()))
        )

    @property
    def has_plain_bases(self) -> bool:
        """Whether all base classes are Keras's ``Layer`` or ``Model``, ``tf.Module`` or ``object``, mixins aside."""
        visible = self._project_ancestors()
        plain = all("__init__" not in facts.methods for facts in self._relatives(tuple(visible)))
        outside = [base for base in self._all_bases() if base not in visible]
        return plain and all(base in _PLAIN_BASES for base in outside)


def _may_be_none(init: ast.FunctionDef, receiver: str) -> set[str]:
    """Attributes that are set to None, or to a parameter whose default is None."""
    optional = {name for name, value in defaults(init).items() if _is_none(value)}
    return {
        self_attribute(target, receiver)
        for node in walk(init)
        if isinstance(node, ast.Assign)
        for target, value in _pairs(node)
        if _is_none(value) or (isinstance(value, ast.Name) and value.id in optional)
    }


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _pairs(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """Targets with their values; ``a, b = c, d`` taken apart."""
    target = node.targets[0]
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        return list(zip(target.elts, node.value.elts, strict=False))
    return [(target, node.value) for target in node.targets]


def _beginning(text: ast.expr) -> str:
    """The literal text that a string which is put together begins with."""
    match text:
        case ast.JoinedStr(values=[ast.Constant(value=str() as first), *_]):
            return first
        case ast.BinOp(left=ast.Constant(value=str() as first), op=ast.Add()):
            return first
        case ast.BinOp(left=ast.Constant(value=str() as first), op=ast.Mod()):
            return first.partition("%")[0]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as first), attr="format")):
            return first.partition("{")[0]
    return ""


def _local_names(method: MethodNode) -> set[str]:
    return bound_names(own_nodes(method)) | {parameter.arg for parameter in parameters(method)}


def _whole_line(body: list[ast.stmt], start: int, end: int) -> int | None:
    """The last index from ``start`` to ``end`` that does not part statements of one line (``a; b``)."""
    for index in range(end, start - 1, -1):
        if not 0 < index < len(body) or body[index - 1].end_lineno != body[index].lineno:
            return index
    return None


def _after_last_store(body: list[ast.stmt], receiver: str, attributes: set[str]) -> int:
    """Index behind the last statement of ``body`` that sets one of ``attributes``."""
    after = 0
    for index, statement in enumerate(body):
        for node in walk(statement):
            is_store = isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
            if is_store and self_attribute(node, receiver) in attributes:
                after = index + 1
    return after


def _closes_build(statement: ast.stmt, receiver: str) -> bool:
    """``super().build(...)`` or ``self.built = True``."""
    if isinstance(statement, ast.Assign):
        return self_attribute(statement.targets[0], receiver) == "built"
    call = statement.value if isinstance(statement, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "build"
        and isinstance(call.func.value, ast.Call)
    )


def _constants(call: ast.Call, method: MethodNode) -> dict[str, ast.expr]:
    names = [parameter.arg for parameter in method.args.args[1:]]
    values: dict[str, ast.expr] = dict(zip(names, call.args, strict=False))
    values.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None})
    if any(keyword.arg is None for keyword in call.keywords):
        return {}
    defaults = dict(zip(reversed(names), reversed(method.args.defaults), strict=False))
    known = {parameter.arg for parameter in parameters(method)}
    return {
        name: value
        for name, value in {**defaults, **values}.items()
        if name in known and isinstance(value, ast.Constant)
    }
