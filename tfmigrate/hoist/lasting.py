"""Metrics and optimizers made in traced code: kept, a metric set back where it was made.

A metric that is made, updated and read in one call starts from nothing each time. Kept, with ``reset_state()`` in the place
of the constructor, it gives the same numbers (measured for all of Keras's metrics but those that make their variables
for the first data that they see: these stay). As an attribute of a layer, model or ``tf.Module`` it is tracked, though:
Keras shows it among the model's metrics and in the results of ``evaluate``; Keras 2 counts it among the weights, and does
not load older ones. That changes behaviour; as a global, or in a plain class, it does not.

An optimizer other than plain SGD starts its moments and step count afresh in each call; kept, it goes on from where it was,
which is what optimizers are made for, and another behaviour.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change, Insertion
from tfmigrate.hoist.context import Binding, Context
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import FunctionNode
from tfmigrate.tables import METRIC_MODULES, OPTIMIZER_MODULES
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_WAIT_FOR_DATA = frozenset(
    {"Metric", "MeanTensor", "F1Score", "FBetaScore", "MeanMetricWrapper", "SumOverBatchSizeMetricWrapper"}
)
_OF_A_METRIC = frozenset({"update_state", "result", "reset_state", "reset_states"})
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
_OTHER_SCOPE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

IN_KERAS = "is tracked there: its result is among the model's metrics and in what `evaluate` gives"
IN_MODULE = "is tracked there: its variables are among the module's"
OPTIMIZER = "keeps its state from one call to the next"
GLOBAL_OPTIMIZER = OPTIMIZER + " and serves the variables of its first call alone"


@dataclass(frozen=True, slots=True)
class Lasting:
    """How a metric or an optimizer is kept."""

    reset_at: ast.stmt | None
    """For a metric: the statement that makes it, or uses it at once."""
    replaces: bool
    """Setting back takes the place of that statement, instead of coming before it."""
    risk: str = ""
    """What changes, as the end of a sentence; empty: nothing."""


def is_metric(unit: Unit, call: ast.Call) -> bool:
    """Whether ``call`` makes one of Keras's metrics."""
    return (unit.names.qualified(call.func) or "").startswith(METRIC_MODULES)


def is_optimizer(unit: Unit, call: ast.Call) -> bool:
    """Whether ``call`` makes one of Keras's optimizers."""
    return (unit.names.qualified(call.func) or "").startswith(OPTIMIZER_MODULES)


def lasting_of(unit: Unit, function: FunctionNode, call: ast.Call, context: Context) -> Lasting | Blocked:
    """How what ``call`` makes can be kept, or why it cannot."""
    metric = is_metric(unit, call)
    blocked = Blocked("state-in-call", ast.unparse(call.func))
    if metric and _waits_for_data(unit, call):
        return blocked
    binding = context.binding
    if binding is None:
        return _applied_at_once(unit, call, metric) or blocked
    if (
        not isinstance(binding, Binding)
        or binding.statement is None
        or not unit.has_own_line(binding.statement)
    ):
        return blocked
    uses = [
        node
        for node in walk(function)
        if isinstance(node, ast.Name) and node.id == binding.name and isinstance(node.ctx, ast.Load)
    ]
    if not uses:
        return Blocked("never-applied", binding.name)
    if not all(_is_harmless(unit, use, metric) for use in uses):
        return blocked
    return Lasting(binding.statement if metric else None, metric)


def _waits_for_data(unit: Unit, call: ast.Call) -> bool:
    """Whether the metric makes its variables for the first data that it sees, and others for other data."""
    name = (unit.names.qualified(call.func) or "").rpartition(".")[2]
    return name in _WAIT_FOR_DATA or any(keyword.arg in (None, "multi_label") for keyword in call.keywords)


def _applied_at_once(unit: Unit, call: ast.Call, metric: bool) -> Lasting | None:
    """``Mean()(x)``, ``Adam().apply_gradients(...)``."""
    node: ast.AST = call
    parent = unit.names.parent(node)
    called = parent.func is call if isinstance(parent, ast.Call) else isinstance(parent, ast.Attribute)
    if not called or (metric and isinstance(parent, ast.Attribute)):
        return None
    while not isinstance(parent, ast.stmt):
        if parent is None or isinstance(parent, _OTHER_SCOPE):
            return None
        node, parent = parent, unit.names.parent(parent)
    if not isinstance(parent, _SIMPLE) or not unit.has_own_line(parent):
        return None
    return Lasting(parent if metric else None, False)


def _is_harmless(unit: Unit, use: ast.Name, metric: bool) -> bool:
    """Whether the object is asked or told something, and goes nowhere."""
    parent = unit.names.parent(use)
    above = unit.names.parent(parent) if parent is not None else None
    if isinstance(parent, ast.Call):
        return metric and parent.func is use
    if not isinstance(parent, ast.Attribute) or not isinstance(parent.ctx, ast.Load):
        return False
    is_called = isinstance(above, ast.Call) and above.func is parent
    return not metric or (is_called and parent.attr in _OF_A_METRIC)


def reset_change(unit: Unit, lasting: Lasting, access: str) -> AnyChange | None:
    """``reset_state()`` of the object that is ``access`` now; None for an optimizer."""
    if lasting.reset_at is None:
        return None
    line = unit.cst_statement(lasting.reset_at)
    assert isinstance(line, cst.SimpleStatementLine)
    reset = cst.ensure_type(cst.parse_statement(f"{access}.reset_state()"), cst.SimpleStatementLine)
    if not lasting.replaces:
        return Insertion(line, (reset,), after=False)
    blank = [one for one in line.leading_lines if one.comment is None]
    return Change(line, reset.with_changes(leading_lines=blank))
