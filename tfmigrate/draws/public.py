"""Functions that draw, compute with TensorFlow on what they are given, and are called by nothing in the project.

Who calls them is in another project, or in no file yet; what they do is what functions given to ``Dataset.map`` or
``tf.function`` do. In 10 packages from PyPI (6,000 files) three functions are of this kind and in none a draw would change.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmigrate.draws.alike import function_of
from tfmigrate.draws.among import among
from tfmigrate.draws.table import GENERATOR, NUMPY, OTHERS, PICKS, PYTHON
from tfmigrate.project.index import FunctionFacts, ModuleFacts, ProjectIndex, Trace
from tfmigrate.syntax import names_in, own_nodes, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_DRAWS = frozenset((*PYTHON, *NUMPY, *GENERATOR, *OTHERS, *PICKS))
_LIBRARIES = ("random.", "numpy.random.")
_NO_GRAPH = (
    "tensorflow.Variable",
    "tensorflow.constant_initializer",
    "tensorflow.data.",
    "tensorflow.io.",
    "tensorflow.compat.v1.",
    "tensorflow.gfile.",
    "tensorflow.train.",
    "tensorflow.estimator.",
    "tensorflow.keras.",
)
"""What is called outside of graphs, or may be."""
_EAGER_METHODS = frozenset({"numpy", "fit", "predict", "evaluate", "save", "compile", "item", "tolist"})


def public_functions(unit: Unit) -> dict[str, Trace]:
    """Qualified name -> why it is taken to run inside a graph."""
    module = unit.index.module_at(unit.path)
    if module is None:
        return {}
    return {
        facts.qualname: Trace(
            "declared", (f"{facts.qualname}: draws, and computes with TensorFlow on its arguments",)
        )
        for facts in _may_be(unit.index, module, unit.path)
        if facts.qualname in unit.functions
        and facts.qualname not in unit.redefined
        and not _is_named(unit, facts.name)
        and _computes_on_arguments(unit, facts.qualname)
    }


def has_public(index: ProjectIndex, path: str) -> bool:
    """Whether the file may have such a function; from the index alone."""
    module = index.module_at(path)
    return module is not None and next(_may_be(index, module, path), None) is not None


def _may_be(index: ProjectIndex, module: ModuleFacts, path: str) -> Iterator[FunctionFacts]:
    traced = index.traced(path)
    for qualname, facts in module.functions.items():
        name = facts.name
        is_plain = qualname and not facts.decorators and "<" not in qualname
        if not is_plain or qualname in traced or name.startswith(("__", "test", "main")):
            continue
        drawn = [call for call in facts.calls if call.callee.rpartition(".")[2] in _DRAWS]
        if not any(
            (index.resolve(module.name, call.callee, qualname) or "").startswith(_LIBRARIES) for call in drawn
        ):
            continue
        called = [index.resolve(module.name, call.callee, qualname) or "" for call in facts.calls]
        picks = any(call.callee.rpartition(".")[2] in PICKS for call in drawn)
        computes = any(one.startswith("tensorflow.") for one in called)
        if not (computes or picks) or any(one.startswith(_NO_GRAPH) for one in called):
            continue
        if not index.callers(facts.qualified):
            yield facts


def _is_named(unit: Unit, name: str) -> bool:
    """Whether the file names the function anywhere, say in a list of augmentations."""
    return any(
        (isinstance(node, ast.Name) and node.id == name)
        or (isinstance(node, ast.Attribute) and node.attr == name)
        for node in walk(unit.tree)
    )


def _computes_on_arguments(unit: Unit, symbol: str) -> bool:
    """Whether an operation of TensorFlow's takes one of the function's arguments, or what was made of it; so does a
    function that is picked among those of the file which do."""
    function = unit.functions[symbol]
    made = {one.arg for one in parameters(function)} - {"self", "cls"}
    nodes = sorted(
        (node for node in own_nodes(function) if isinstance(node, ast.expr | ast.stmt)),
        key=lambda node: (node.lineno, node.col_offset),
    )
    if any(isinstance(node, ast.Attribute) and node.attr in _EAGER_METHODS for node in nodes):
        return False
    found = False
    for node in nodes:
        if isinstance(node, ast.Assign) and made & names_in(node.value):
            made |= {
                part.id for target in node.targets for part in walk(target) if isinstance(part, ast.Name)
            }
        elif isinstance(node, ast.Call):
            name = unit.names.qualified(node.func) or ""
            is_pick = name.startswith(_LIBRARIES) and name.rpartition(".")[2] in PICKS
            if name.startswith("tensorflow."):
                found = found or any(made & names_in(argument) for argument in node.args)
            elif is_pick and node.args and not found:
                found = _are_operations(unit, node.args[0])
    return found


def _are_operations(unit: Unit, node: ast.expr) -> bool:
    """Whether ``node`` is a list of functions of this file, one of which computes with TensorFlow on its arguments."""
    listed = among(unit, node)
    functions = [function_of(unit, element) for element in listed.elements] if listed is not None else []
    symbols = [unit.names.qualname(found[0]) for found in functions if found is not None]
    is_plain = bool(symbols) and len(symbols) == len(functions)
    return is_plain and any(_computes_on_arguments(unit, symbol) for symbol in symbols)
