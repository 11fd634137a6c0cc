"""One traced function with all that is known of it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tfmigrate.arrays.bindings import Bindings
from tfmigrate.arrays.layout import Layouts
from tfmigrate.arrays.loops import LoopNode, Loops
from tfmigrate.arrays.operations import CERTAIN
from tfmigrate.arrays.reader import LAYER, ArrayReader
from tfmigrate.arrays.tensors import Tensors
from tfmigrate.codemod import Target
from tfmigrate.draws.entries import Entries
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.text import Rewriting
from tfmigrate.draws.values import Value, named_dtype, tensor
from tfmigrate.syntax import FunctionNode, dotted, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_OF_LISTS = frozenset(("len", "isinstance", "zip", "enumerate", "list", "tuple", "reversed", "sorted"))
_OF_DICTS = frozenset(("items", "keys", "values", "pop", "get", "append"))


@dataclass
class Function:
    """Answers for one traced function, that AutoGraph converts or Keras runs as it stands."""

    unit: Unit
    entries: Entries
    symbol: str
    tf: str
    given: Mapping[str, Value] = field(default_factory=dict)
    """What is known of arguments from the outside."""

    @property
    def node(self) -> FunctionNode:
        return self.unit.functions[self.symbol]

    @cached_property
    def bindings(self) -> Bindings:
        return Bindings(self.unit, self.node)

    @cached_property
    def has_autograph(self) -> bool:
        """Whether AutoGraph converts the code: Keras 2 does everywhere, Keras 3 only what is a ``tf.function`` itself."""
        return (
            self.unit.target is Target.KERAS2
            or self.is_tf_function
            or self.entries.has_autograph(self.symbol)
        )

    @property
    def is_tf_function(self) -> bool:
        """Whether it is decorated with ``tf.function`` itself, whoever calls it."""
        trace = self.unit.traced[self.symbol]
        is_plain = not isinstance(self.node, ast.Lambda) and "autograph" not in self.entries.decorators(
            self.symbol
        )
        return is_plain and trace.root == "tf.function" and len(trace.chain) == 1

    @property
    def is_entered_as_graph(self) -> bool:
        """Whether TensorFlow or Keras calls it, and makes tensors of what it returns."""
        return id(self.node) in self.entries.returning

    @cached_property
    def outer(self) -> FunctionNode:
        """The outermost traced function around this one."""
        return self.unit.outermost_traced(self.node)

    # -- arguments -------------------------------------------------------------------------------------------------

    @cached_property
    def certain_arguments(self) -> frozenset[str]:
        """Parameters that are tensors by a signature, an annotation, or what callers in this file give."""
        names = {name for name, value in self.given.items() if value.is_tensor}
        for arg in parameters(self.node):
            annotation = self.unit.names.qualified(arg.annotation) if arg.annotation is not None else None
            if annotation in ("tensorflow.Tensor", "tensorflow.Variable"):
                names.add(arg.arg)
        names |= self.signed.keys()
        return frozenset(names | self.given_tensors | self.indexed_by_tensors | self.passed_tensors)

    @property
    def indexed_by_tensors(self) -> set[str]:
        """Parameters indexed by the number of a ``tf.range`` loop: inside a graph no list can be."""
        numbers = {
            node.target.id
            for node in walk(self.node)
            if isinstance(node, ast.For)
            and isinstance(node.target, ast.Name)
            and isinstance(node.iter, ast.Call)
            and self.unit.names.qualified(node.iter.func) == "tensorflow.range"
        }
        return {
            node.value.id
            for node in walk(self.node)
            if isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and isinstance(node.slice, ast.Name)
            and node.slice.id in numbers
            and node.value.id in self.bindings.parameters
            and not self.bindings.of(node.value.id)
        }

    @property
    def passed_tensors(self) -> set[str]:
        """Parameters that TensorFlow or Keras passes tensors for, as far as nothing says that they hold several."""
        as_list = _used_as_structure(self.node) | {
            node.iter.id
            for node in walk(self.node)
            if isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Name)
        }
        given = self.entries.tensor_parameters
        return {arg.arg for arg in parameters(self.node) if id(arg) in given and arg.arg not in as_list}

    @cached_property
    def signed(self) -> dict[str, ast.Call]:
        """Parameters with their ``tf.TensorSpec`` in an ``input_signature``."""
        decorators = [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list
        keywords = [k for one in decorators if isinstance(one, ast.Call) for k in one.keywords]
        signature = next((k.value for k in keywords if k.arg == "input_signature"), None)
        specs = signature.elts if isinstance(signature, ast.List | ast.Tuple) else []
        plain = self.node.args.args
        if isinstance(self.unit.names.parent(self.node), ast.ClassDef):
            plain = plain[1:]
        return {
            arg.arg: spec
            for arg, spec in zip(plain, specs, strict=False)
            if isinstance(spec, ast.Call) and self.unit.names.qualified(spec.func) == "tensorflow.TensorSpec"
        }

    @property
    def signed_ranks(self) -> dict[str, int]:
        shapes = {name: spec.args[0] for name, spec in self.signed.items() if spec.args}
        return {
            name: len(shape.elts) for name, shape in shapes.items() if isinstance(shape, ast.List | ast.Tuple)
        }

    @cached_property
    def given_tensors(self) -> set[str]:
        """Parameters that get a result of TensorFlow's wherever this file calls the function."""
        qualified = self.unit.qualified(self.symbol)
        calls = [
            node
            for node in walk(self.unit.tree)
            if isinstance(node, ast.Call) and self.unit.names.qualified(node.func) == qualified
        ]
        found: set[str] = set()
        for position, arg in enumerate(self.node.args.args):
            values = [call.args[position] if len(call.args) > position else None for call in calls]
            if values and all(
                isinstance(value, ast.Call) and self.unit.names.qualified(value.func) in CERTAIN
                for value in values
            ):
                found.add(arg.arg)
        return found

    @cached_property
    def uncertain_arguments(self) -> frozenset[str]:
        """Parameters of a ``tf.function`` itself that are perhaps tensors: nothing is done with them that says list."""
        if not self.is_tf_function:
            return frozenset()
        args = self.node.args
        plain = [*args.posonlyargs, *args.args]
        required = plain[: len(plain) - len(args.defaults)]
        if isinstance(self.unit.names.parent(self.node), ast.ClassDef):
            required = required[1:]
        as_list = _used_as_structure(self.node)
        return frozenset(
            arg.arg
            for arg in required
            if arg.annotation is None and arg.arg not in as_list and not self.bindings.of(arg.arg)
        )

    # -- what is known ---------------------------------------------------------------------------------------------

    def read(self, drawn: Mapping[int, Value]) -> Reading:
        reader = ArrayReader(self.unit, drawn, self.entries.tensor_parameters)
        reader.written = self.written_dtypes(reader)
        reader.of_graph = self.of_graph
        values = reader.parameters(self.node)
        for arg in parameters(self.node):
            if arg.arg in self.given:
                values[arg.arg] = self.given[arg.arg]
            elif arg.arg in reader.written and not values[arg.arg].dtype:
                values[arg.arg] = tensor(reader.written[arg.arg])
            elif arg.arg in self.certain_arguments and not values[arg.arg].is_tensor:
                values[arg.arg] = tensor(f"{arg.arg}@{arg.lineno}:{arg.col_offset}.dtype")
        if self.outer is not self.node:
            reader.function(self.outer, {})
            return reader.reading
        given = [values[arg.arg] for arg in parameters(self.node)]
        reader.function(self.node, {}, given)
        return reader.reading

    @cached_property
    def of_graph(self) -> frozenset[int]:
        """The loops and branches that are certainly of the graph, by their ids."""
        loops = Loops(self.unit, Reading, self.bindings, self.tensors, frozenset())
        nodes = list(walk(self.node))
        found = {id(node) for node in nodes if isinstance(node, LoopNode) and loops.of(node) is not None}
        tests = {id(node) for node in nodes if isinstance(node, ast.If) and self.tensors.is_tensor(node.test)}
        return frozenset(found | tests)

    def written_dtypes(self, reader: ArrayReader) -> dict[str, str]:
        arrays: dict[str, str] = {}
        for node in walk(self.node):
            made = node.value if isinstance(node, ast.Assign) else None
            if isinstance(node, ast.Assign) and isinstance(made, ast.Call) and made.args:
                is_array = self.unit.names.qualified(made.func) == "tensorflow.TensorArray"
                arrays.update({dotted(node.targets[0]): reader.dtype_named(made.args[0])} if is_array else {})
        found: dict[str, str] = {}
        for node in walk(self.node):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "write"
            ):
                dtype = arrays.get(dotted(node.func.value), "")
                value = node.args[1] if len(node.args) == 2 else None
                if dtype and isinstance(value, ast.Name):
                    found[value.id] = dtype
        return found

    @cached_property
    def reading(self) -> Reading:
        return self.read({})

    def learn(self, values: Mapping[int, Value]) -> None:
        """Read again, with what is known of these expressions."""
        self.reading = self.read(values)

    @cached_property
    def tensors(self) -> Tensors:
        return Tensors(self.unit, self.bindings, self.certain_arguments, self.signed_ranks)

    @cached_property
    def loops(self) -> Loops:
        return Loops(self.unit, lambda: self.reading, self.bindings, self.tensors, self.uncertain_arguments)

    @cached_property
    def rewriting(self) -> Rewriting:
        return Rewriting(self.unit)

    @cached_property
    def layouts(self) -> Layouts:
        return Layouts(self.loops, self.bindings, self.rewriting, self.tf)

    # -- dtypes ----------------------------------------------------------------------------------------------------

    def dtype_text(self, dtype: str, statement: ast.stmt) -> str:
        """Code for a dtype before ``statement``: its own name, or ``x.dtype`` for a tensor known there; or nothing."""
        if dtype.startswith(LAYER):
            return f"{dtype.removeprefix(LAYER).removesuffix('.dtype')}.compute_dtype"
        if not dtype.endswith(".dtype"):
            return f"{self.tf}.{dtype}" if dtype else ""
        return named_dtype(dtype, self.reading.before.get(id(statement), {}))


def _used_as_structure(function: FunctionNode) -> set[str]:
    """Names that are used as a list, a tuple or a dict, otherwise than by going through it one by one."""
    names: set[str] = set()
    for node in walk(function):
        used: list[ast.expr] = []
        if isinstance(node, ast.For | ast.comprehension):
            used = [node.iter] if not isinstance(node.target, ast.Name) else []
        elif (
            (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple | ast.List))
            or isinstance(node, ast.Starred)
            or (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant))
        ):
            used = [node.value]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OF_LISTS:
            used = list(node.args)
        elif isinstance(node, ast.Attribute) and node.attr in _OF_DICTS:
            used = [node.value]
        names.update(part.id for part in used if isinstance(part, ast.Name))
    return names
