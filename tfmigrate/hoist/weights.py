"""``tf.Variable(...)`` in a layer as ``self.add_weight(...)``, which both flavours of Keras track.

Keras 3 does not track a ``tf.Variable``: it is not trained by ``fit``, not saved, not in ``weights``. The weight keeps the
variable's initial value, dtype, trainable flag, name and constraint. An initial value is only translated where an
initializer draws from the same distribution; the defaults of ``tf.random.normal`` and of ``RandomNormal`` differ.
https://keras.io/api/layers/base_layer/#addweight-method
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import dotted
from tfmigrate.unit import Unit

_VARIABLE_PARAMETERS = ("initial_value", "trainable")
_KEPT = frozenset({"trainable", "name", "dtype", "constraint"})
_FILLED = {"tensorflow.zeros": "zeros", "tensorflow.ones": "ones"}
_DRAWN = {
    "tensorflow.random.normal": ("RandomNormal", (("mean", "0.0"), ("stddev", "1.0"))),
    "tensorflow.random.truncated_normal": ("TruncatedNormal", (("mean", "0.0"), ("stddev", "1.0"))),
    "tensorflow.random.uniform": ("RandomUniform", (("minval", "0.0"), ("maxval", "1.0"))),
}
"""Function -> (initializer of the same distribution, its parameters with the function's own defaults)."""

Argument = tuple[str, "ast.expr | str"]
"""Keyword and value. A tuple without a place in the file (``lineno``) is a pair of parentheses around its one element."""


@dataclass(frozen=True, slots=True)
class Weight:
    """The keyword arguments of ``add_weight``: expressions of the original, or literal text. The name comes first."""

    arguments: tuple[Argument, ...]
    initializer: str
    """Text of the initializer up to its arguments; empty where ``arguments`` has it whole."""
    drawn: tuple[Argument, ...] = ()
    """The initializer's own arguments."""

    @property
    def expressions(self) -> tuple[ast.expr, ...]:
        """What has to be evaluated where the weight is made."""
        values = (unwrapped(value) for _, value in (*self.arguments, *self.drawn))
        return tuple(value for value in values if isinstance(value, ast.expr))


def unwrapped(value: ast.expr | str) -> ast.expr | str:
    """The expression of the file in ``value``."""
    return value.elts[0] if isinstance(value, ast.Tuple) and not hasattr(value, "lineno") else value


def weight_text(
    receiver: str, weight: Weight, default_name: str, text_of: Callable[[ast.expr | str], str]
) -> str:
    """``self.add_weight(...)`` as text. ``default_name`` is taken where the variable had no name; empty for none."""

    def text(value: ast.expr | str) -> str:
        return text_of(value) if unwrapped(value) is value else f"({text_of(unwrapped(value))},)"

    given = {name: text(value) for name, value in weight.arguments}
    if weight.drawn:
        drawn = ", ".join(f"{name}={text(value)}" for name, value in weight.drawn)
        given["initializer"] = f"{weight.initializer}({drawn})"
    if "name" not in given and default_name:
        given["name"] = f'"{default_name}"'
    first = [name for name in ("name", "shape", "initializer") if name in given]
    ordered = [*first, *(name for name in given if name not in first)]
    return f"{receiver}.add_weight({', '.join(f'{name}={given[name]}' for name in ordered)})"


def weight_of(unit: Unit, call: ast.Call) -> Weight | Blocked:
    """The weight that keeps what the ``tf.Variable`` of ``call`` holds at first."""
    given = dict(zip(_VARIABLE_PARAMETERS, call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    initial = given.pop("initial_value", None)
    odd = len(call.args) > len(_VARIABLE_PARAMETERS) or any(keyword.arg is None for keyword in call.keywords)
    if initial is None or odd or given.keys() - _KEPT:
        return Blocked("variable-in-call", ast.unparse(call))
    kept: list[Argument] = [
        (name, given[name]) for name in ("dtype", "trainable", "constraint") if name in given
    ]
    name: list[Argument] = [("name", given["name"])] if "name" in given else []
    start = _start(unit, call, initial, has_dtype="dtype" in given)
    if isinstance(start, Blocked):
        return start
    whole = "dtype" in given and re.search(r"int|bool", ast.unparse(given["dtype"])) is not None
    still: list[Argument] = [("trainable", "False")] if whole else []  # what is no float cannot be trained
    arguments = dict([*name, *start.arguments, *still, *kept])
    return Weight(tuple(arguments.items()), start.initializer, start.drawn)


def _start(unit: Unit, call: ast.Call, initial: ast.expr, has_dtype: bool) -> Weight | Blocked:
    """Shape, initializer and dtype of an initial value."""
    number = _number(initial)
    if number is not None:
        dtype: list[Argument] = [] if has_dtype else _dtype_of(number)
        return Weight(
            (("shape", "()"), ("initializer", _constant_initializer(unit, call, number)), *dtype), ""
        )
    if not isinstance(initial, ast.Call):
        return Blocked("initial-value", ast.unparse(initial))
    function = unit.names.qualified(initial.func) or ""
    if function in _FILLED:
        return _made(initial, f'"{_FILLED[function]}"')
    if function in _DRAWN:
        return _drawn(unit, call, initial, function)
    if isinstance(initial.func, ast.Call):
        maker = unit.names.qualified(initial.func.func) or ""
        if maker.startswith("keras.initializers."):
            return _made(initial, initial.func)
    return Blocked("initial-value", ast.unparse(initial))


def _made(initial: ast.Call, initializer: ast.expr | str) -> Weight | Blocked:
    given = _arguments(initial, ("shape", "dtype"))
    if given is None or "shape" not in given or given.keys() - {"shape", "dtype"}:
        return Blocked("initial-value", ast.unparse(initial))
    shape = _shape(given["shape"])
    if shape is None:
        return Blocked("initial-value", ast.unparse(initial))
    dtype: list[Argument] = [("dtype", given["dtype"])] if "dtype" in given else []
    return Weight((("shape", shape), ("initializer", initializer), *dtype), "")


def _drawn(unit: Unit, call: ast.Call, initial: ast.Call, function: str) -> Weight | Blocked:
    maker, defaults = _DRAWN[function]
    names = ("shape", *(name for name, _ in defaults), "dtype", "seed")
    given = _arguments(initial, names)
    home = initializers(unit, call)
    shape = _shape(given["shape"]) if given is not None and "shape" in given else None
    if given is None or shape is None or given.keys() - set(names) or not home:
        return Blocked("initial-value", ast.unparse(initial))
    drawn: list[Argument] = [(name, given.get(name, default)) for name, default in defaults]
    drawn += [("seed", given["seed"])] if "seed" in given else []
    dtype: list[Argument] = [("dtype", given["dtype"])] if "dtype" in given else []
    return Weight((("shape", shape), *dtype), f"{home}.{maker}", tuple(drawn))


def _shape(node: ast.expr) -> ast.expr | None:
    """A shape that Keras 3 takes too, which wants a tuple where TensorFlow takes one number; None if it may be either."""
    if isinstance(node, ast.Tuple | ast.List):
        return node
    is_axis = isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith((".shape", "as_list()"))
    if isinstance(node, ast.Constant) or is_axis:
        return ast.Tuple([node], ast.Load())
    return None


def _arguments(call: ast.Call, names: tuple[str, ...]) -> dict[str, ast.expr] | None:
    if len(call.args) > len(names) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    given = dict(zip(names, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in given:
            return None
        given[keyword.arg] = keyword.value
    return given


def _number(node: ast.expr) -> int | float | bool | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(node.operand)
        return -value if value is not None else None
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    return None


def _dtype_of(number: float) -> list[Argument]:
    """``tf.Variable(0)`` is an int32, ``tf.Variable(True)`` a bool; neither can be trained."""
    if isinstance(number, bool):
        return [("dtype", '"bool"'), ("trainable", "False")]
    return [("dtype", '"int32"'), ("trainable", "False")] if isinstance(number, int) else []


def _constant_initializer(unit: Unit, call: ast.Call, number: float) -> str:
    if number in (0, 1) and not isinstance(number, bool):
        return '"ones"' if number else '"zeros"'
    return f"{initializers(unit, call)}.Constant({number!r})"


def initializers(unit: Unit, call: ast.Call) -> str:
    """``tf.keras.initializers`` by the name under which ``call`` itself reaches TensorFlow or Keras; may be empty."""
    module = dotted(call.func).rpartition(".")[0]
    if not module:
        return ""
    qualified = unit.names.qualified(call.func) or ""
    return f"{module}.initializers" if qualified.startswith("keras.") else f"{module}.keras.initializers"


_KERAS2_WEIGHT = ("name", "shape", "dtype", "initializer", "regularizer", "trainable", "constraint")
"""The order in which ``add_weight`` of Keras 2 takes its arguments."""


def is_named_first(call: ast.Call) -> bool:
    """``self.add_weight("w", (3,))``: Keras 2 takes the name first, Keras 3 the shape, and both take keywords."""
    first = call.args[0] if call.args else None
    is_name = isinstance(first, ast.JoinedStr) or (
        isinstance(first, ast.Constant) and (first.value is None or isinstance(first.value, str))
    )
    plain = not any(isinstance(one, ast.Starred) for one in call.args)
    adds = isinstance(call.func, ast.Attribute) and call.func.attr == "add_weight"
    return adds and is_name and plain and len(call.args) <= len(_KERAS2_WEIGHT)


def by_keyword(text: str) -> str:
    """The call ``text`` of Keras 2's ``add_weight`` with all arguments given by name."""
    call = cst.ensure_type(cst.parse_expression(text), cst.Call)
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    names = iter(_KERAS2_WEIGHT)
    arguments = [
        one if one.keyword or one.star else one.with_changes(keyword=cst.Name(next(names)), equal=tight)
        for one in call.args
    ]
    return cst.Module([]).code_for_node(call.with_changes(args=arguments))
