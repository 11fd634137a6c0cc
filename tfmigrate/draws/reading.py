"""Read a traced function once, in the order of execution, for what is known of each of its values. Nothing is run.

Branches are joined, loop bodies read twice.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tfmigrate.draws import ops
from tfmigrate.draws.alike import are_alike_functions, are_alike_layers, function_of, layers_of
from tfmigrate.draws.among import Among, among
from tfmigrate.draws.classes import attribute_value, literal_kind
from tfmigrate.draws.evidence import operated_names, shaped_names, structured_names
from tfmigrate.draws.values import (
    PYTHON_DTYPES,
    UNKNOWN,
    Environment,
    Kind,
    Value,
    as_tensor_dtype,
    bound,
    combined,
    element,
    indexed,
    joined,
    leaves,
    merge,
    number,
    tensor,
    unpacked,
    without_foreign,
)
from tfmigrate.syntax import FunctionNode, bound_names, own_nodes, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(slots=True)
class Reading:
    """The result: values by the id of their expression, and what was known at each drawing call and each statement."""

    values: dict[int, Value] = field(default_factory=dict)
    before: dict[int, Environment] = field(default_factory=dict)
    """Names that are certainly bound before a statement, by its id."""
    after: dict[int, Environment] = field(default_factory=dict)
    """The same, after it."""
    at: dict[int, Environment] = field(default_factory=dict)
    """Names known at a drawing call, by its id."""
    augmented: dict[int, Value] = field(default_factory=dict)
    """What an augmented assignment gives, by the statement's id."""
    returned: list[Value] = field(default_factory=list)
    selections: dict[int, Among] = field(default_factory=dict)
    """Calls of what a draw picked, by their id, and what it picked from: certain to give the same types and shapes."""

    def of(self, node: ast.expr) -> Value:
        return self.values.get(id(node), UNKNOWN)


_COUNTS = re.compile(r"[kn]|(n|num|number_of)_\w+|\w+_count")
_INDICES = re.compile(r"(\w+_)?(ids|indices|indexes|labels)")


def is_counted(arg: ast.arg) -> bool:
    """Whether a parameter without an annotation is a number by its name, as ``k`` and ``num_samples`` are."""
    return arg.annotation is None and _COUNTS.fullmatch(arg.arg) is not None


def are_indices(node: ast.expr) -> bool:
    """Whether a name says that it stands for several whole numbers, as ``class_ids`` does."""
    return isinstance(node, ast.Name) and _INDICES.fullmatch(node.id) is not None


@dataclass(slots=True)
class Reader:
    """Reads one traced function. ``drawn`` says what each drawing call gives."""

    unit: Unit
    drawn: Mapping[int, Value]
    tensors: frozenset[int] = frozenset()
    """Ids of parameters that are tensors: TensorFlow or Keras calls the function."""
    reading: Reading = field(default_factory=Reading)
    depth: int = 0
    knows_counts: bool = False
    """Parameters are numbers if they are called so: for what is handed to draws of Python's and NumPy's, which take no
    tensor of a graph."""

    # -- statements ------------------------------------------------------------------------------------------------

    def function(self, node: FunctionNode, outer: Environment, given: Sequence[Value] = ()) -> None:
        """Read a function's body."""
        env = dict(outer)
        env.update(self.parameters(node))
        env.update(zip((arg.arg for arg in parameters(node)), given, strict=False))
        if isinstance(node, ast.Lambda):
            self.reading.returned.append(self.expression(node.body, env))
        else:
            self.block(node.body, env)

    def parameters(self, node: FunctionNode) -> Environment:
        args = node.args
        plain = [*args.posonlyargs, *args.args]
        defaults: dict[str, ast.expr | None] = dict(
            zip([arg.arg for arg in plain[len(plain) - len(args.defaults) :]], args.defaults, strict=True)
        )
        defaults.update(
            {arg.arg: value for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True)}
        )
        is_method = isinstance(self.unit.names.parent(node), ast.ClassDef)
        shaped, structured = shaped_names(node) | operated_names(self.unit, node), structured_names(node)
        env: Environment = {}
        for position, arg in enumerate([*plain, *args.kwonlyargs]):
            default = defaults.get(arg.arg)
            kind = literal_kind(default) if default is not None else self.annotated(arg)
            if self.knows_counts and not kind and default is None and arg.arg not in shaped:
                kind = "int" if is_counted(arg) else ""
            if position == 0 and is_method:
                env[arg.arg] = UNKNOWN
            elif kind:
                env[arg.arg] = number(kind)
            elif id(arg) in self.tensors and arg.arg in structured and arg.arg not in shaped:
                env[arg.arg] = Value(Kind.TENSORS)
            elif arg.arg in shaped or id(arg) in self.tensors or self.is_annotated_tensor(arg):
                env[arg.arg] = tensor(f"{arg.arg}@{arg.lineno}:{arg.col_offset}.dtype")
            else:
                env[arg.arg] = UNKNOWN
        for extra in (args.vararg, args.kwarg):
            if extra is not None:
                env[extra.arg] = UNKNOWN
        return env

    def is_annotated_tensor(self, arg: ast.arg) -> bool:
        return arg.annotation is not None and self.unit.names.qualified(arg.annotation) == "tensorflow.Tensor"

    def annotated(self, arg: ast.arg) -> str:
        """``int`` or ``bool`` where that is written. ``float`` often stands for tensors as well."""
        name = self.unit.names.qualified(arg.annotation) if arg.annotation is not None else None
        return (name or "").removeprefix("builtins.") if name in ("builtins.int", "builtins.bool") else ""

    def block(self, statements: Iterable[ast.stmt], env: Environment) -> None:
        known = bound(env)
        for statement in statements:
            self.reading.before[id(statement)] = known
            self.statement(statement, env)
            known = self.reading.after[id(statement)] = bound(env)

    def statement(self, node: ast.stmt, env: Environment) -> None:
        match node:
            case ast.Assign():
                value = self.expression(node.value, env)
                for target in node.targets:
                    self.bind(target, value, env)
            case ast.AnnAssign() if node.value is not None:
                self.bind(node.target, self.expression(node.value, env), env)
            case ast.AugAssign():
                left = self.expression(node.target, env)
                value = combined(left, self.expression(node.value, env), node.op)
                self.reading.augmented[id(node)] = value
                self.bind(node.target, value, env)
            case ast.For() | ast.AsyncFor():
                iterated = self.expression(node.iter, env)
                self.loop([node.target], element(iterated), node.body, env)
                self.block(node.orelse, env)
            case ast.While():
                self.expression(node.test, env)
                self.loop([], UNKNOWN, node.body, env)
                self.expression(node.test, env)
                self.block(node.orelse, env)
            case ast.If():
                tested = self.expression(node.test, env)
                one, other = dict(env), dict(env)
                self.block(node.body, one)
                self.block(node.orelse, other)
                ends = [leaves(node.body), leaves(node.orelse)]
                merge(
                    env, [e for e, left in zip((one, other), ends, strict=True) if not left] or [one, other]
                )
                if tested.draws:
                    self.mark(node, env)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    context = self.expression(item.context_expr, env)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, replace(context, kind=Kind.UNKNOWN), env)
                self.block(node.body, env)
            case ast.Try() | ast.Match():
                self.unordered(node, env)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                env[node.name] = UNKNOWN
                for default in (*node.args.defaults, *node.args.kw_defaults):
                    if default is not None:
                        self.expression(default, env)
                returned = self.reading.returned
                self.reading.returned = []
                self.function(node, env)
                self.reading.returned = returned
            case ast.Return():
                self.reading.returned.append(self.expression(node.value, env) if node.value else UNKNOWN)
            case ast.ClassDef():
                env[node.name] = UNKNOWN
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.expression(child, env)

    def mark(self, node: ast.If, env: Environment) -> None:
        """Numbers that a branch on a draw gives are as drawn as the draw: they end up in the graph with it."""
        for name in bound_names(
            part for block in (node.body, node.orelse) for s in block for part in ast.walk(s)
        ):
            value = env.get(name, UNKNOWN)
            if value.is_number and not value.draws:
                env[name] = replace(value, draws=frozenset((id(node),)))

    def loop(self, targets: list[ast.expr], element: Value, body: list[ast.stmt], env: Environment) -> None:
        for _ in range(2):
            inside = dict(env)
            for target in targets:
                self.bind(target, element, inside)
            self.block(body, inside)
            merge(env, [env, inside])

    def unordered(self, node: ast.stmt, env: Environment) -> None:
        """Blocks that may or may not run: what they bind is unknown afterwards."""
        for child in ast.iter_child_nodes(node):
            inside = dict(env)
            if isinstance(child, ast.stmt):
                self.block([child], inside)
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                self.block(child.body, inside)
            elif isinstance(child, ast.expr):
                self.expression(child, inside)
            for name, value in inside.items():
                env[name] = joined(env.get(name, UNKNOWN), value)
        for name in bound_names(walk(node)):
            env[name] = replace(env.get(name, UNKNOWN), kind=Kind.UNKNOWN, dtype="", items=())

    def bind(self, target: ast.expr, value: Value, env: Environment) -> None:
        if isinstance(target, ast.Name):
            if value.is_tensor and not value.dtype:
                # Its own type, whatever that is: code can say `name.dtype`.
                value = tensor(f"{target.id}@{target.lineno}:{target.col_offset}?.dtype")
            env[target.id] = value
        elif isinstance(target, ast.Starred):
            self.bind(target.value, Value(draws=value.draws), env)
        elif isinstance(target, ast.Tuple | ast.List):
            items = value.items if len(value.items) == len(target.elts) else None
            for position, element in enumerate(target.elts):
                self.bind(element, items[position] if items else unpacked(value), env)
        elif isinstance(target, ast.Attribute | ast.Subscript):
            self.expression(target, env)

    # -- expressions -----------------------------------------------------------------------------------------------

    def expression(self, node: ast.expr, env: Environment) -> Value:
        value = self.evaluated(node, env)
        self.reading.values[id(node)] = value
        return value

    def evaluated(self, node: ast.expr, env: Environment) -> Value:
        match node:
            case ast.Constant():
                kind = type(node.value).__name__
                return number(kind) if kind in PYTHON_DTYPES else UNKNOWN
            case ast.Name():
                return env[node.id] if node.id in env else self.constant(node)
            case ast.BinOp():
                return combined(self.expression(node.left, env), self.expression(node.right, env), node.op)
            case ast.UnaryOp():
                value = self.expression(node.operand, env)
                if isinstance(node.op, ast.Not):
                    return Value(Kind.NUMBER if not value.is_tensor else Kind.TENSOR, "bool", value.draws)
                return value
            case ast.Compare():
                values = [self.expression(part, env) for part in (node.left, *node.comparators)]
                draws = frozenset[int]().union(*(value.draws for value in values))
                if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
                    return Value(Kind.NUMBER, "bool", draws)
                if any(value.is_tensor for value in values):
                    return tensor("bool")
                is_number = all(value.is_number for value in values)
                return Value(Kind.NUMBER if is_number else Kind.UNKNOWN, "bool", draws)
            case ast.BoolOp():
                values = [self.expression(part, env) for part in node.values]
                draws = frozenset[int]().union(*(value.draws for value in values))
                return Value(Kind.UNKNOWN, "bool" if all(v.dtype == "bool" for v in values) else "", draws)
            case ast.IfExp():
                tested = self.expression(node.test, env)
                value = joined(self.expression(node.body, env), self.expression(node.orelse, env))
                marked = tested.draws and value.is_number and not value.draws
                return replace(value, draws=frozenset((id(node),))) if marked else value
            case ast.Tuple() | ast.List():
                items = tuple(self.expression(element, env) for element in node.elts)
                draws = frozenset[int]().union(*(item.draws for item in items))
                return Value(Kind.TUPLE, "", draws, items)
            case ast.Call():
                return self.call(node, env)
            case ast.Attribute():
                return self.attribute(node, env)
            case ast.Subscript():
                base = self.expression(node.value, env)
                index = self.expression(node.slice, env)
                return self.picked_by(node, base, index) or indexed(base, node.slice, index)
            case ast.Lambda():
                outer, self.reading.returned = self.reading.returned, []
                self.function(node, env)
                returned, self.reading.returned = self.reading.returned, outer
                return Value(draws=frozenset[int]().union(*(value.draws for value in returned)))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self.comprehension(node, env)
            case ast.NamedExpr():
                value = self.expression(node.value, env)
                self.bind(node.target, value, env)
                return value
        draws = frozenset[int]()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                draws |= self.expression(child, env).draws
        return Value(draws=draws)

    def constant(self, node: ast.Name) -> Value:
        """A number that the module binds once, to a literal."""
        bindings = [
            statement.value
            for statement in self.unit.tree.body
            if isinstance(statement, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == node.id for target in statement.targets)
        ]
        kind = literal_kind(bindings[0]) if len(bindings) == 1 else ""
        return number(kind) if kind else UNKNOWN

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, env: Environment
    ) -> Value:
        inside = dict(env)
        draws = frozenset[int]()
        for generator in node.generators:
            iterated = self.expression(generator.iter, inside)
            draws |= iterated.draws
            self.bind(generator.target, element(iterated), inside)
            for test in generator.ifs:
                draws |= self.expression(test, inside).draws
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            draws |= self.expression(part, inside).draws
        return Value(draws=draws)

    def attribute(self, node: ast.Attribute, env: Environment) -> Value:
        base = self.expression(node.value, env)
        if base.is_tensor and node.attr in ("T", "real"):
            return base
        kind = attribute_value(self.unit, node)
        if kind in ("layers", "layer"):
            return Value(Kind.LAYERS if kind == "layers" else Kind.LAYER)
        if kind == "variable":
            return tensor()
        if node.attr == "iterations" and ast.unparse(node.value).endswith("optimizer"):
            return tensor("int64")  # https://keras.io/api/optimizers/: a variable, in both flavours.
        if kind:
            return number(kind)
        return Value(draws=base.draws if node.attr not in ("shape", "dtype", "ndim") else frozenset())

    def call(self, node: ast.Call, env: Environment) -> Value:
        callee = self.expression(node.func, env)
        given = [self.expression(argument, env) for argument in node.args]
        named = {keyword.arg: self.expression(keyword.value, env) for keyword in node.keywords}
        if id(node) in self.drawn:
            self.reading.at[id(node)] = dict(env)
            return self.drawn[id(node)]
        if callee.kind is Kind.PICKED and callee.among is not None:
            return self.called_pick(node, callee, callee.among, given)
        draws = frozenset[int]().union(callee.draws, *(v.draws for v in (*given, *named.values())))
        name = self.unit.names.qualified(node.func) or ""
        first = given[0] if given else UNKNOWN
        if name.startswith(("tensorflow.", "keras.ops.", "tensorflow_addons.")):
            return self.operation(name, node, first, draws)
        if callee.kind is Kind.LAYER:
            return tensor(first.dtype if first.is_tensor else "")
        if name in ("builtins.enumerate", "builtins.zip", "builtins.reversed"):
            elements = tuple(element(value) for value in given)
            if name.endswith("reversed"):
                return replace(first)
            items = (number("int"), *elements[:1]) if name.endswith("enumerate") else elements
            return Value(Kind.UNKNOWN, "", draws, (Value(Kind.TUPLE, "", draws, items),))
        if (
            name in ("builtins.float", "builtins.int", "builtins.round", "builtins.len")
            and not first.is_tensor
        ):
            return Value(Kind.NUMBER, "float" if name.endswith("float") else "int", draws)
        return self.project_call(node, given, draws)

    def picked_by(self, node: ast.Subscript, base: Value, index: Value) -> Value | None:
        """What a draw picks as an index: one of several functions, tensors or numbers."""
        if not index.draws or base.draws or base.is_tensor:
            return None
        kinds = {(item.kind, item.dtype) for item in base.items}
        if kinds and len(kinds) == 1 and all(item.is_tensor and item.dtype for item in base.items):
            return tensor(base.items[0].dtype)
        if kinds == {(Kind.NUMBER, "float")}:
            return Value(Kind.NUMBER, "float", frozenset((id(node),)))
        found = among(self.unit, node.value) if not any(item.is_number for item in base.items) else None
        return Value(Kind.PICKED, "", index.draws, (), found) if found is not None else None

    def called_pick(self, node: ast.Call, callee: Value, found: Among, given: list[Value]) -> Value:
        """What a call of a function or layer that a draw picked gives, if all of them give the same."""
        is_plain = not any(value.draws for value in given) and not any(k.arg is None for k in node.keywords)
        is_plain = is_plain and not any(isinstance(argument, ast.Starred) for argument in node.args)
        made = layers_of(self.unit, found.elements)
        given = [self.as_used(*pair, found) for pair in enumerate(zip(node.args, given, strict=True))]
        is_alike = (
            are_alike_layers(self.unit, made) if made else are_alike_functions(self.unit, found.elements)
        )
        results = [self.result(element, node, given, bool(made)) for element in found.elements]
        if not is_plain or not is_alike or not all(_is_typed(result, results[0]) for result in results):
            return Value(draws=callee.draws)
        self.reading.selections[id(node)] = found
        return results[0]

    def as_used(self, position: int, argument: tuple[ast.expr, Value], found: Among) -> Value:
        """What an argument is, seen from the functions that get it: one takes it for a tensor, so it is one."""
        node, value = argument
        if value != UNKNOWN or not isinstance(node, ast.Name):
            return value
        for taker in found.elements:
            function = function_of(self.unit, taker)
            if function is None:
                continue
            names = [arg.arg for arg in parameters(function[0])][function[1] :][position : position + 1]
            if names and names[0] in shaped_names(function[0]) | operated_names(self.unit, function[0]):
                return tensor(f"{node.id}@{node.lineno}:{node.col_offset}?.dtype")
        return value

    def result(self, element: ast.expr, node: ast.Call, given: list[Value], is_layer: bool) -> Value:
        """What ``element`` gives for the arguments of ``node``."""
        first = given[0] if given else UNKNOWN
        if is_layer:
            return tensor(first.dtype if first.is_tensor else "")
        function = function_of(self.unit, element)
        if function is None:
            return self.operation(self.unit.names.qualified(element) or "", node, first, frozenset())
        keywords = [keyword.arg for keyword in node.keywords]
        if keywords not in ([], ["training"]) or self.depth > 2:
            return UNKNOWN
        return self.returned_by(function[0], [UNKNOWN, *given] if function[1] else given)

    def operation(self, name: str, node: ast.Call, first: Value, draws: frozenset[int]) -> Value:
        dtype = next((k.value for k in node.keywords if k.arg in ("dtype", "output_type")), None)
        if (
            name in ("tensorflow.cast", "tensorflow.constant", "tensorflow.convert_to_tensor")
            and len(node.args) > 1
        ):
            dtype = node.args[1]
        if name.endswith(("TensorShape", "Variable", ".TensorArray", "GradientTape", "TensorSpec")):
            return Value(draws=draws)
        if dtype is not None:
            return tensor(self.dtype_named(dtype))
        if name in ops.SAME_DTYPE:
            return tensor(first.dtype if first.is_tensor else as_tensor_dtype(first))
        if name in ("tensorflow.constant", "tensorflow.convert_to_tensor"):
            return tensor(as_tensor_dtype(first))
        if name in ops.FIXED_DTYPE:
            return tensor(ops.FIXED_DTYPE[name])
        match ops.returned_by(name):
            case ops.Returns.TENSOR:
                return tensor()
            case ops.Returns.TENSORS:
                return Value(Kind.TENSORS, "", draws)
            case _:
                return Value(draws=draws)

    def dtype_named(self, node: ast.expr) -> str:
        """The dtype that an argument means (``tf.float32``, ``"float32"``, ``np.int64``, ``x.dtype``)."""
        if isinstance(node, ast.Constant) and node.value in ops.DTYPES:
            return str(node.value)
        name = self.unit.names.qualified(node) or ""
        module, _, last = name.rpartition(".")
        if module in ("tensorflow", "numpy", "keras.backend", "tensorflow.dtypes") and last in ops.DTYPES:
            return {"half": "float16", "double": "float64"}.get(last, last)
        if isinstance(node, ast.Attribute) and node.attr == "dtype":
            return self.reading.of(node.value).dtype
        return ""

    def project_call(self, node: ast.Call, given: list[Value], draws: frozenset[int]) -> Value:
        """What a plain function of this file, or a method of this class, returns for these arguments."""
        if self.depth > 2 or draws or any(keyword.arg != "training" for keyword in node.keywords):
            return Value(draws=draws)
        found = function_of(self.unit, node.func)
        if found is None or isinstance(found[0], ast.Lambda):
            return Value(draws=draws)
        function, is_method = found
        if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in own_nodes(function)):
            return Value(draws=draws)
        return self.returned_by(function, [UNKNOWN, *given] if is_method else given)

    def returned_by(self, function: FunctionNode, given: list[Value]) -> Value:
        """What ``function`` returns for these arguments."""
        inside = Reader(self.unit, self.drawn, self.tensors, Reading(), self.depth + 1)
        inside.function(function, {}, given)
        returned = inside.reading.returned
        if not returned:
            return UNKNOWN
        value = returned[0]
        for other in returned[1:]:
            value = joined(value, other)
        return without_foreign(value, given)


def _is_typed(value: Value, other: Value) -> bool:
    """Whether both are tensors, or tuples of tensors, of the same known types."""
    if value.kind is Kind.TUPLE and other.kind is Kind.TUPLE and len(value.items) == len(other.items):
        return all(map(_is_typed, value.items, other.items))
    return value.is_tensor and other.is_tensor and value.dtype == other.dtype and value.dtype != ""
