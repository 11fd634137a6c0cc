"""Can an expression of ``call`` be evaluated in ``__init__`` (or ``build``), and is its value the same there?

The answer is a list of what it needs (attributes, global names) and of the local names that have to be replaced by
their definitions, or the reason why not. Anything not known to be safe is a reason.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tfmigrate import tables
from tfmigrate.blocked import Blocked
from tfmigrate.hoist.changes import is_changed_in_place, is_global_changed
from tfmigrate.hoist.shapes import InputShapes
from tfmigrate.project.index import Kind
from tfmigrate.syntax import FunctionNode, bound_names, own_nodes, parameters, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_PLAIN = (
    ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.JoinedStr, ast.FormattedValue, ast.UnaryOp, ast.BinOp,
    ast.BoolOp, ast.Compare, ast.IfExp, ast.Slice, ast.keyword,
)  # fmt: skip
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_PURE_METHODS = frozenset(
    [
        "format",
        "lower",
        "upper",
        "strip",
        "join",
        "replace",
        "split",
        "get",
        "keys",
        "values",
        "items",
        "index",
        "count",
        "copy",
        "startswith",
        "endswith",
    ]
)
_SHAPE_READERS = frozenset(["shape", "get_shape", "as_list", "rank", "ndim", "dims"])
_SHAPE_CALLS = frozenset(
    [
        "tensorflow.shape",
        "keras.ops.shape",
        "keras.backend.int_shape",
        "keras.backend.shape",
        "tensorflow.rank",
    ]
)
_READABLE_PROPERTIES = frozenset(
    ["name", "dtype", "compute_dtype", "variable_dtype", "dtype_policy", "trainable"]
)


@dataclass(slots=True)
class Needs:
    """What an expression needs in order to be evaluated in ``__init__``."""

    attributes: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    inlined: dict[ast.Name, ast.expr] = field(default_factory=dict)
    """Local name as it stands in the expression -> the definition that takes its place (which may hold such names)."""
    loop_names: set[str] = field(default_factory=set)
    shapes: dict[ast.expr, str] = field(default_factory=dict)
    """Reading of the input's shape -> what ``build`` says in its place."""

    @property
    def is_constant(self) -> bool:
        """Whether evaluating it cannot fail for want of a sensible attribute or loop value."""
        return not self.attributes and not self.loop_names

    def add(self, more: Needs) -> None:
        """Take in what ``more`` needs."""
        self.attributes |= more.attributes
        self.globals |= more.globals
        self.inlined |= more.inlined
        self.loop_names |= more.loop_names
        self.shapes |= more.shapes


AttributeCheck = Callable[[str], "Blocked | None"]


class Portability:
    """Reads expressions of one function.

    ``given`` are parameters with one known value. ``shapes`` is there when ``build`` is the place to move to.
    ``makes_tensors``: a variable moves as it is, with the functions that make its initial value. ``given_by`` reads the
    function that the given values come from, ``outer`` the one around a nested function.
    """

    def __init__(
        self,
        unit: Unit,
        function: FunctionNode,
        receiver: str,
        check_attribute: AttributeCheck,
        given: Mapping[str, ast.expr] | None = None,
        shapes: InputShapes | None = None,
        makes_tensors: bool = False,
        given_by: Portability | None = None,
        outer: Portability | None = None,
    ) -> None:
        self._unit = unit
        self._function = function
        self._receiver = receiver
        self._check_attribute = check_attribute
        self._given = given or {}
        self._shapes = shapes
        self._makes_tensors = makes_tensors
        self._given_by = given_by or self
        self._outer = outer
        self._own = list(own_nodes(function))
        self._parameters = {parameter.arg for parameter in parameters(function)}
        self._locals = bound_names(self._own)

    def needs(self, expression: ast.expr, loop_names: frozenset[str] = frozenset()) -> Needs | Blocked:
        """What ``expression`` needs, or why it cannot move."""
        needs = Needs()
        blocked = self._read(expression, loop_names, frozenset(), needs)
        return blocked or needs

    def _read(
        self, node: ast.AST, loops: frozenset[str], inner: frozenset[str], needs: Needs
    ) -> Blocked | None:
        if self._shapes is not None and isinstance(node, ast.expr):
            text = self._shapes.text(node)
            if isinstance(text, Blocked):
                return text
            if text is not None:
                needs.shapes[node] = text
                return None
        match node:
            case ast.Constant(lineno=first, end_lineno=last):
                return None if first == last else Blocked("unsupported-argument", "a string of several lines")
            case ast.Name():
                return self._read_name(node, loops, inner, needs)
            case ast.Attribute():
                return self._read_attribute(node, loops, inner, needs)
            case ast.Subscript(value=value, slice=index):
                return self._read(value, loops, inner, needs) or self._read(index, loops, inner, needs)
            case ast.Call():
                return self._read_call(node, loops, inner, needs)
            case ast.Lambda():
                return self._read_lambda(node, loops, inner, needs)
            case _ if isinstance(node, _COMPREHENSIONS):
                names = frozenset(bound_names(walk(node)))
                outermost = node.generators[0].iter
                blocked = self._read(outermost, loops, inner, needs)
                return blocked or self._read_all(ast.iter_child_nodes(node), loops, inner | names, needs)
            case ast.comprehension(is_async=0):
                return self._read_all([node.iter, *node.ifs], loops, inner, needs)
            case _ if isinstance(node, _PLAIN):
                return self._read_all(ast.iter_child_nodes(node), loops, inner, needs)
            case ast.operator() | ast.unaryop() | ast.boolop() | ast.cmpop() | ast.expr_context():
                return None
        return Blocked("unsupported-argument", ast.unparse(node))

    def _read_all(
        self, nodes: object, loops: frozenset[str], inner: frozenset[str], needs: Needs
    ) -> Blocked | None:
        for node in nodes:  # type: ignore[attr-defined]
            blocked = self._read(node, loops, inner, needs)
            if blocked:
                return blocked
        return None

    def _read_lambda(
        self, node: ast.Lambda, loops: frozenset[str], inner: frozenset[str], needs: Needs
    ) -> Blocked | None:
        """The body runs when the function is called, as before; only what it takes from around it matters."""
        defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        blocked = self._read_all(defaults, loops, inner, needs)
        own = {parameter.arg for parameter in parameters(node)} | bound_names(walk(node.body))
        for part in walk(node.body):
            if blocked:
                break
            if isinstance(part, ast.Lambda):
                own |= {parameter.arg for parameter in parameters(part)}
            if isinstance(part, ast.Constant) and part.lineno != part.end_lineno:
                blocked = Blocked("unsupported-argument", "a string of several lines")
            elif isinstance(part, ast.Name) and part.id not in own | {self._receiver}:
                late = part.id in inner or part.id in loops
                blocked = (
                    Blocked("unsupported-argument", ast.unparse(node))
                    if late
                    else self._read_name(part, frozenset(), frozenset(), needs)
                )
        return blocked

    def _read_name(
        self, node: ast.Name, loops: frozenset[str], inner: frozenset[str], needs: Needs
    ) -> Blocked | None:
        name = node.id
        if name in inner:
            return None
        if name in loops:
            needs.loop_names.add(name)
            return None
        if name == self._receiver:
            return Blocked("unsupported-argument", name)
        if name in self._given:
            needs.inlined[node] = self._given[name]
            return self._given_by._read(self._given[name], loops, frozenset(), needs)
        if name in self._parameters:
            return Blocked("depends-on-call-argument", name)
        if any(isinstance(one, ast.Global | ast.Nonlocal) and name in one.names for one in self._own):
            return Blocked("global-changes", name)
        if name in self._locals:
            return self._read_local(node, loops, needs)
        if self._outer is not None and name in self._outer._parameters | self._outer._locals:
            return self._outer._read_name(node, loops, inner, needs)
        return self._read_global(name, needs)

    def _read_local(self, node: ast.Name, loops: frozenset[str], needs: Needs) -> Blocked | None:
        stores = [
            other
            for other in self._own
            if isinstance(other, ast.Name) and other.id == node.id and not isinstance(other.ctx, ast.Load)
        ]
        parents = [self._unit.names.parent(store) for store in stores]
        for parent in filter(None, parents):
            value = getattr(parent, "value", None) or getattr(self._unit.names.parent(parent), "value", None)
            if self._shapes is None and isinstance(value, ast.expr) and self._reads_shape(value):
                return Blocked("depends-on-input-shape", node.id)
        if len(stores) != 1 or not isinstance(parents[0], ast.Assign) or len(parents[0].targets) != 1:
            return Blocked("depends-on-local", node.id)
        if parents[0].targets[0] is not stores[0] or stores[0].lineno > node.lineno:
            return Blocked("depends-on-local", node.id)
        if is_changed_in_place(self._unit, self._function, node.id, parents[0].value):
            return Blocked("depends-on-local", node.id)
        return self._inline(node, parents[0].value, loops, needs)

    def _inline(self, name: ast.Name, value: ast.expr, loops: frozenset[str], needs: Needs) -> Blocked | None:
        needs.inlined[name] = value
        return self._read(value, loops, frozenset(), needs)

    def _read_global(self, name: str, needs: Needs) -> Blocked | None:
        around = self._bindings_around(name)
        if around:
            needs.globals.add(name)
            return None if around == 1 else Blocked("global-changes", name)
        nodes = [node for statement in self._unit.tree.body for node in _module_level(statement)]
        assigned = sum(
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
            for node in nodes
        )
        rebound = any(isinstance(node, ast.Global) and name in node.names for node in walk(self._unit.tree))
        if assigned > 1 or rebound or is_global_changed(self._unit, name):
            return Blocked("global-changes", name)
        if not hasattr(builtins, name):
            if not {name, "*"} & bound_names(nodes):
                return Blocked("unsupported-argument", name)  # Defined nowhere.
            needs.globals.add(name)
        return None

    def _bindings_around(self, name: str) -> int:
        """How often the functions around the class bind ``name``; a loop counts as more than once."""
        found = 0
        function = self._unit.names.enclosing_function(self._function)
        while function is not None:
            found += sum(parameter.arg == name for parameter in parameters(function))
            for node in walk(function):
                if isinstance(node, ast.Nonlocal) and name in node.names:
                    found += 2
            for node in own_nodes(function):
                if isinstance(node, ast.For | ast.While) and name in bound_names(walk(node)):
                    found += 2
                found += isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
            function = self._unit.names.enclosing_function(function)
        return found

    def _read_attribute(
        self, node: ast.Attribute, loops: frozenset[str], inner: frozenset[str], needs: Needs
    ) -> Blocked | None:
        if self._reads_shape(node):
            return Blocked("depends-on-input-shape", ast.unparse(node))
        if isinstance(node.value, ast.Name) and node.value.id == self._receiver:
            if node.attr in _READABLE_PROPERTIES:
                return None
            needs.attributes.add(node.attr)
            return self._check_attribute(node.attr)
        return self._read(node.value, loops, inner, needs)

    def _reads_shape(self, node: ast.expr) -> bool:
        """Whether ``node`` is the shape of something that the call was given or computed."""
        for part in walk(node):
            if isinstance(part, ast.Attribute) and part.attr in _SHAPE_READERS:
                root = part.value
                while isinstance(root, ast.Attribute | ast.Subscript):
                    root = root.value
                if isinstance(root, ast.Name) and root.id in self._parameters | self._locals - {
                    self._receiver
                }:
                    return root.id != self._receiver
            if isinstance(part, ast.Call) and self._unit.names.qualified(part.func) in _SHAPE_CALLS:
                return True
        return False

    def _read_call(
        self, node: ast.Call, loops: frozenset[str], inner: frozenset[str], needs: Needs
    ) -> Blocked | None:
        qualified = self._unit.names.qualified(node.func) or ""
        is_pure = self._is_pure(node, qualified)
        if self._reads_shape(node) and not (is_pure and self._shapes):
            return Blocked("depends-on-input-shape", ast.unparse(node))
        if is_pure:
            if self_attribute(node.func, self._receiver):
                return Blocked("argument-calls-code", ast.unparse(node.func))
            return self._read_all([node.func, *node.args, *node.keywords], loops, inner, needs)
        if qualified.startswith(("tensorflow.", "keras.ops.", "keras.backend.")):
            return Blocked("depends-on-tensor", ast.unparse(node))
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        blocked = self._read_all(arguments, loops, inner, Needs())
        if blocked and blocked.reason.startswith("depends-on"):
            return blocked
        return Blocked("argument-calls-code", ast.unparse(node.func))

    def _is_pure(self, node: ast.Call, qualified: str) -> bool:
        if self._makes_tensors and qualified in tables.TENSOR_MAKERS:
            return True
        if tables.is_pure_call(qualified):
            return True
        if qualified and self._unit.index.kind(qualified) in (Kind.LAYER, Kind.MODEL):
            return True
        return isinstance(node.func, ast.Attribute) and node.func.attr in _PURE_METHODS and not qualified


def _module_level(statement: ast.stmt) -> list[ast.AST]:
    """The nodes of a module-level statement that run at import, without the bodies of functions and classes."""
    found: list[ast.AST] = []
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))
    return found
