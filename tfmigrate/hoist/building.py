"""``@tf.function`` on ``call``: a ``build`` that builds the sublayers before the function is traced.

In Keras 3 the first call traces ``call`` symbolically. Under its own ``tf.function`` that trace is kept, with the initial
weights of every sublayer that was built in it as constants: gradients are None, ``assign`` and ``load_weights`` change
nothing. Measured with Keras 3.15; a ``build`` that builds the sublayers and then calls ``super().build`` cures it in
layers and models alike. The shapes are followed through ``call``; where they cannot be, the class stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfmigrate import tables
from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange
from tfmigrate.hoist.owner import MethodNode, Owner
from tfmigrate.hoist.rewrite import added_method
from tfmigrate.project.index import Kind
from tfmigrate.syntax import self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_RANDOM = tables.words("""
    Dropout AlphaDropout GaussianDropout GaussianNoise SpatialDropout1D SpatialDropout2D SpatialDropout3D
    """)
_UNBUILT = tables.STATELESS_LAYERS | _RANDOM
_SAME_SHAPE = _RANDOM | tables.words("Activation ReLU LeakyReLU ELU Identity")
_ELEMENTWISE = tables.words("""
    relu gelu elu selu silu swish tanh sigmoid softplus softsign softmax log_softmax identity leaky_relu exp abs square
    sqrt sin cos cast stop_gradient dropout
    """)


class _Unknown(Exception):
    """A sublayer is applied to something whose shape cannot be told."""


def compiled_call(unit: Unit, owner: Owner) -> MethodNode | None:
    """The ``call`` of a Keras class that is a ``tf.function`` and uses layers that nothing has built by then."""
    call = owner.methods.get("call")
    if call is None or owner.kind not in (Kind.LAYER, Kind.MODEL) or not owner.is_compiled(call):
        return None
    inherited = (unit.index.class_facts(name) for name in owner.ancestors)
    if owner.build is not None or any(facts is not None and "build" in facts.methods for facts in inherited):
        return None  # It may build them; the verifier can tell.
    used = {self_attribute(node, owner.receiver(call)) for node in walk(call)}
    return call if used & _Sublayers(unit, owner).needy else None


def build_changes(unit: Unit, owner: Owner, call: MethodNode) -> list[AnyChange] | Blocked:
    """The new ``build``, or why its shapes cannot be told."""
    blocked = owner.blocked() or owner.build_blocked()
    if blocked is not None:
        return blocked
    try:
        lines = _Follower(unit, owner, call).lines()
    except _Unknown as unknown:
        return Blocked("build-not-derivable", str(unknown))
    receiver, shape = owner.receiver(call), "input_shape"
    body = "".join(f"    {line}\n" for line in lines)
    text = f"def build({receiver}, {shape}):\n{body}    super().build({shape})\n"
    return added_method(unit, owner.node, text, before="call")


def library_layers(unit: Unit, owner: Owner) -> set[str]:
    """The attributes that hold layers of Keras's own."""
    return {attribute for attribute, name in _Sublayers(unit, owner).single.items() if name != "?"}


class _Sublayers:
    """The layers that ``__init__`` keeps as attributes: attribute -> class name; lists of layers apart."""

    def __init__(self, unit: Unit, owner: Owner) -> None:
        self.single: dict[str, str] = {}
        self.lists: dict[str, str] = {}
        for statement in owner.init.body if owner.init is not None else ():
            if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
                continue
            assert owner.init is not None
            attribute = self_attribute(statement.targets[0], owner.receiver(owner.init))
            value = statement.value
            if attribute and (name := _layer_class(unit, value)):
                self.single[attribute] = name
            elif attribute and isinstance(value, ast.ListComp) and (name := _layer_class(unit, value.elt)):
                self.lists[attribute] = name
            elif attribute and isinstance(value, ast.List) and value.elts:
                names = {_layer_class(unit, element) for element in value.elts}
                if "" not in names:
                    self.lists[attribute] = names.pop() if len(names) == 1 else "?"

    @property
    def needy(self) -> set[str]:
        """Attributes of layers that own weights and have to be built."""
        return {attribute for attribute, name in (self.single | self.lists).items() if name not in _UNBUILT}


def _layer_class(unit: Unit, value: ast.expr) -> str:
    """Class name of a library layer, ``?`` for the user's own, empty if ``value`` makes no layer."""
    if not isinstance(value, ast.Call):
        return ""
    name = unit.names.qualified(value.func) or ""
    if name.startswith("keras.layers.") and tables.is_class_name(name):
        return name.rpartition(".")[2]
    return "?" if name and unit.index.kind(name) in (Kind.LAYER, Kind.MODEL) else ""


class _Follower:
    """Follows the input's shape through ``call``. A shape is the text of an expression in ``build``."""

    def __init__(self, unit: Unit, owner: Owner, call: MethodNode) -> None:
        self._unit = unit
        self._receiver = owner.receiver(call)
        self._sublayers = _Sublayers(unit, owner)
        self._call = call
        self._others = [
            method for name, method in owner.methods.items() if name not in ("call", "__init__", "build")
        ]
        self._lines: list[str] = []

    def lines(self) -> list[str]:
        """Statements that build every layer that ``call`` uses.

        Raises:
            _Unknown: a shape cannot be told.
        """
        for method in self._others:
            for node in walk(method):
                if self_attribute(node, self._receiver) in self._sublayers.needy:
                    raise _Unknown(f"{method.name}()")
        arguments = self._call.args.args
        if len(arguments) - len(self._call.args.defaults) != 2:
            raise _Unknown("call")  # With several inputs, `build` is told the shape of the first alone.
        self._block(self._call.body, {arguments[1].arg: "input_shape"})
        return _without_unused(self._lines)

    def _block(self, statements: Sequence[ast.stmt], shapes: dict[str, str]) -> None:
        for statement in statements:
            self._statement(statement, shapes)

    def _statement(self, statement: ast.stmt, shapes: dict[str, str]) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._set(shapes, name, self._shape(value, shapes))
            case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.Expr(value=value):
                self._shape(value, shapes)
                for node in walk(statement):
                    if (
                        isinstance(node, ast.Name)
                        and isinstance(node.ctx, ast.Store)
                        and not isinstance(statement, ast.AugAssign)
                    ):
                        shapes.pop(node.id, None)
            case ast.Return(value=value):
                if value is not None:
                    self._shape(value, shapes)
            case ast.If(test=test, body=body, orelse=orelse):
                self._shape(test, shapes)
                one, other = dict(shapes), dict(shapes)
                self._block(body, one)
                self._block(orelse, other)
                shapes.clear()
                shapes.update({name: shape for name, shape in one.items() if other.get(name) == shape})
            case ast.For(
                target=ast.Name(id=layer),
                iter=iterated,
                body=[ast.Assign(targets=[ast.Name(id=name)], value=value)],
            ):
                self._loop(layer, iterated, name, value, shapes)
            case ast.With(body=body):
                self._block(body, shapes)
            case _:
                if self._uses_layer(statement):
                    raise _Unknown(ast.unparse(statement).splitlines()[0])

    def _set(self, shapes: dict[str, str], name: str, shape: str) -> None:
        if shape:
            shapes[name] = shape
        else:
            shapes.pop(name, None)

    def _loop(
        self, layer: str, iterated: ast.expr, name: str, value: ast.expr, shapes: dict[str, str]
    ) -> None:
        """``for layer in self.blocks: x = layer(x)``."""
        attribute = self_attribute(iterated, self._receiver)
        applied = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == layer
        start = self._shape(value.args[0], shapes) if isinstance(value, ast.Call) and value.args else ""
        known = self._sublayers.lists.get(attribute, "?")
        if not applied or known == "?" or not start or ast.unparse(value.args[0]) != name:  # type: ignore[attr-defined]
            raise _Unknown(f"for {layer} in {ast.unparse(iterated)}")
        shape = f"{attribute}_shape"
        self._lines.append(f"{shape} = {start}")
        self._lines.append(f"for {layer} in {self._receiver}.{attribute}:")
        if known not in _UNBUILT:
            self._lines.append(f"    {layer}.build({shape})")
        self._lines.append(f"    {shape} = {layer}.compute_output_shape({shape})")
        shapes[name] = shape

    def _uses_layer(self, node: ast.AST) -> bool:
        return any(self_attribute(part, self._receiver) in self._sublayers.needy for part in walk(node))

    def _shape(self, node: ast.expr, shapes: dict[str, str]) -> str:
        """The shape of ``node``, empty where it cannot be told. Building lines for the layers in it are added."""
        match node:
            case ast.Name(id=name):
                return shapes.get(name, "")
            case ast.Call(func=func, args=[first, *rest]) if (
                self_attribute(func, self._receiver) in self._sublayers.single
            ):
                for other in (*rest, *(keyword.value for keyword in node.keywords)):
                    self._shape(other, shapes)
                return self._applied(self_attribute(func, self._receiver), first, shapes)
            case ast.Call(func=func, args=[first, *_]) if self._is_elementwise(func):
                return self._shape(first, shapes)
            case ast.BinOp(left=left, right=right):
                first_shape, second_shape = self._shape(left, shapes), self._shape(right, shapes)
                numbers = isinstance(left, ast.Constant) or isinstance(right, ast.Constant)
                return first_shape or second_shape if numbers or first_shape == second_shape else ""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._shape(child, shapes)
        if isinstance(node, ast.Attribute) and self_attribute(node, self._receiver) in self._sublayers.needy:
            raise _Unknown(ast.unparse(node))
        return ""

    def _applied(self, attribute: str, argument: ast.expr, shapes: dict[str, str]) -> str:
        name = self._sublayers.single[attribute]
        shape = self._shape(argument, shapes)
        if name in _SAME_SHAPE:
            return shape
        if name in _UNBUILT and not shape:
            return ""
        if name == "?" or not shape:
            raise _Unknown(f"self.{attribute}({ast.unparse(argument)})")
        if name not in _UNBUILT:
            self._lines.append(f"{self._receiver}.{attribute}.build({shape})")
        self._lines.append(f"{attribute}_shape = {self._receiver}.{attribute}.compute_output_shape({shape})")
        return f"{attribute}_shape"

    def _is_elementwise(self, func: ast.expr) -> bool:
        name = self._unit.names.qualified(func) or ""
        home = name.startswith(("tensorflow.", "keras.activations.", "keras.ops."))
        return home and name.rpartition(".")[2] in _ELEMENTWISE


def _without_unused(lines: list[str]) -> list[str]:
    """Drops shapes that nothing reads, from the last to the first."""
    kept: list[str] = []
    for line in reversed(lines):
        name, equals, _ = line.partition(" = ")
        is_shape = bool(equals) and name.isidentifier()
        if is_shape and not any(name in _words(later) for later in kept):
            continue
        kept.append(line)
    return kept[::-1]


def _words(line: str) -> Iterator[str]:
    tree = ast.parse(line.strip() + (" pass" if line.strip().endswith(":") else ""))
    yield from (
        node.id for node in walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )
