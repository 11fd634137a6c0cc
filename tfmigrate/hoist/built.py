"""``build`` that does not say that it has run.

Measured: Keras 3 notes it by itself, and nothing depends on ``super().build()``. In Keras 2 only a call notes it: a layer
or model that was built by hand (``net.build(shape)``, or ``self.block.build(shape)`` in another ``build``) is built again
by its first call, with new weights; what was loaded or set in between is lost, a parent counts both sets of weights, and a
model has no ``weights``, ``summary`` or ``load_weights`` before the call. Where only calls build it, all is well.

A plain layer gets ``super().build(input_shape)``. In a Keras 2 model that runs ``call`` on stand-ins, and raises for inputs
that are integers or several; there, and where a base has a ``build`` of its own, it is ``self.built = True``.
"""

from __future__ import annotations

import ast

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange
from tfmigrate.hoist.owner import MethodNode, Owner
from tfmigrate.hoist.rewrite import added_statements
from tfmigrate.project.index import Kind
from tfmigrate.syntax import own_nodes, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

CODE = "TFM109"


def silent_build(owner: Owner) -> MethodNode | None:
    """The ``build`` of a Keras class that neither calls the base's nor sets ``built``."""
    build = owner.build
    if build is None or owner.kind not in (Kind.LAYER, Kind.MODEL):
        return None
    receiver = owner.receiver(build)
    for node in walk(build):
        if isinstance(node, ast.Raise) and node in build.body:
            return None  # It is not to be built by itself.
        if self_attribute(node, receiver) == "built":
            return None
        if isinstance(node, ast.Attribute) and node.attr == "build" and isinstance(node.value, ast.Call):
            return None
        if isinstance(node, ast.Call) and any(
            isinstance(argument, ast.Name) and argument.id == receiver for argument in node.args
        ):
            return None  # ``Base.build(self, input_shape)``
    makes = any(
        isinstance(node, ast.Call) or (isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load))
        for statement in build.body
        for node in walk(statement)
    )
    return build if makes else None


def built_changes(unit: Unit, owner: Owner, build: MethodNode) -> tuple[str, list[AnyChange]] | Blocked:
    """What is said at the end of ``build``, and the change; or why it stays."""
    receiver = owner.receiver(build)
    returns = any(isinstance(node, ast.Return | ast.Yield) for node in own_nodes(build))
    if not receiver or returns or not isinstance(build, ast.FunctionDef) or len(build.args.args) < 2:
        return Blocked("build-not-visible")
    if not unit.has_own_line(build.body[-1]) and not hasattr(build.body[-1], "body"):
        return Blocked("build-not-visible")
    shape = build.args.args[1].arg
    text = (
        f"super().build({shape})" if _may_call_base(unit, owner, build, shape) else f"{receiver}.built = True"
    )
    return text, added_statements(unit, build, len(build.body), text + "\n")


def _may_call_base(unit: Unit, owner: Owner, build: MethodNode, shape: str) -> bool:
    inherited = (unit.index.class_facts(name) for name in owner.ancestors)
    own_build = any(facts is not None and "build" in facts.methods for facts in inherited)
    outside = {name for name in owner.ancestors if unit.index.class_facts(name) is None}
    plain = outside <= {"keras.layers.Layer", "builtins.object"} and len(build.args.args) == 2
    stays = not any(
        isinstance(node, ast.Name) and node.id == shape and not isinstance(node.ctx, ast.Load)
        for node in walk(build)
    )
    return plain and not own_build and stays and owner.kind is Kind.LAYER
