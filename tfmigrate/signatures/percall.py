"""``tf.function``s that a function makes anew whenever it is called: each is traced again."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change, Insertion, Safety, Update
from tfmigrate.lazy import libcst as cst
from tfmigrate.signatures.found import Changes, Found
from tfmigrate.signatures.functions import is_tf_function
from tfmigrate.signatures.made import closed_up, names_of
from tfmigrate.signatures.recorded import recorded_function
from tfmigrate.signatures.settled import Settled, free_names, is_tensor, runs_when_traced
from tfmigrate.syntax import self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import own, walk

_FEW = 2
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


@dataclass(frozen=True, slots=True)
class PerCall:
    """One of them. ``call``: ``tf.function(f)``; None for a decorated function."""

    outer: ast.FunctionDef
    inner: ast.FunctionDef
    call: ast.Call | None
    why: str
    """How it is known that ``outer`` is called often."""
    others: tuple[ast.Call, ...] = ()
    """Further calls that make the same, in whichever function."""


def per_call_findings(unit: Unit) -> Iterator[Found]:
    """One for each that is known to be made often."""
    for made in _joined(_made(unit)):
        symbol = unit.names.qualname(made.outer)
        owner = unit.names.enclosing_class(made.outer)
        proof = unit.names.qualname(owner) if owner is not None else symbol
        what = f"tf.function({made.inner.name})" if made.call is not None else made.inner.name
        message = f"`{what}` is a new tf.function in each call of `{symbol}` ({made.why}), and traced in each"
        decided = _decided(unit, made)
        outcome: Blocked | Changes
        safety = Safety.SAFE
        if isinstance(decided, Blocked):
            outcome = decided
        else:
            outcome, where, safety = decided
            message += f": made once, {where}"
        place = made.call or made.inner
        yield Found("TFM505", place, symbol, proof, message, outcome, safety)


def _made(unit: Unit) -> Iterator[PerCall]:
    for outer in walk(unit.tree):
        if not isinstance(outer, ast.FunctionDef) or isinstance(unit.names.parent(outer), ast.FunctionDef):
            continue
        if unit.names.qualname(outer) in unit.traced:
            continue
        for node in own(outer):
            if isinstance(node, ast.FunctionDef) and len(node.decorator_list) == 1:
                decorator = node.decorator_list[0]
                name = decorator.func if isinstance(decorator, ast.Call) else decorator
                made = PerCall(outer, node, None, "") if is_tf_function(unit, name) else None
            elif isinstance(node, ast.Call) and is_tf_function(unit, node.func) and len(node.args) == 1:
                named = unit.names.qualified(node.args[0]) if isinstance(node.args[0], ast.Name) else None
                inner = unit.functions.get(unit.local(named)) if named is not None else None
                is_global = isinstance(inner, ast.FunctionDef) and inner in unit.tree.body
                made = (
                    PerCall(outer, inner, node, "")
                    if is_global and isinstance(inner, ast.FunctionDef)
                    else None
                )
            else:
                continue
            why = _often(unit, made) if made is not None and _stays(unit, made) else ""
            if made is not None and why:
                yield PerCall(made.outer, made.inner, made.call, why)


def _joined(found: Iterable[PerCall]) -> Iterable[PerCall]:
    """The same ``tf.function(f)`` in several places is one."""
    first: dict[str, PerCall] = {}
    for made in found:
        key = ast.unparse(made.call) if made.call is not None else f"{made.inner.lineno}"
        known = first.get(key)
        if known is None:
            first[key] = made
        elif made.call is not None:
            first[key] = replace(known, others=(*known.others, made.call))
    return first.values()


def _stays(unit: Unit, made: PerCall) -> bool:
    """Whether the tf.function is only called, by ``outer`` itself and not in a loop that makes it anew."""
    node = made.call or made.inner
    above = unit.names.parent(node)
    around = [
        one for one in unit.names.ancestors(node) if isinstance(one, (*_LOOPS, ast.FunctionDef, ast.If))
    ]
    if not around or around[0] is not made.outer:
        return False
    if made.call is None:
        return _is_only_called(unit, made.outer, made.inner.name, made.inner)
    if isinstance(above, ast.Call) and above.func is node:
        return True
    target = above.targets[0] if isinstance(above, ast.Assign) and len(above.targets) == 1 else None
    return isinstance(target, ast.Name) and _is_only_called(unit, made.outer, target.id, target)


def _is_only_called(unit: Unit, outer: ast.FunctionDef, name: str, binding: ast.AST) -> bool:
    uses = [
        node for node in walk(outer) if isinstance(node, ast.Name) and node.id == name and node is not binding
    ]
    called = [unit.names.parent(node) for node in uses]
    return bool(uses) and all(
        isinstance(call, ast.Call) and call.func is node and isinstance(node.ctx, ast.Load)
        for call, node in zip(called, uses, strict=True)
    )


def _often(unit: Unit, made: PerCall) -> str:
    if unit.recording is not None:
        found = recorded_function(unit.recording, unit.path, unit.names.qualname(made.inner))
        if found is not None:
            return f"{found.wrappers} of them were recorded" if found.wrappers > _FEW else ""
    for caller in unit.index.callers(unit.qualified(unit.names.qualname(made.outer))):
        if caller.is_call and caller.in_loop and caller.is_certain:
            where = f"line {caller.line}" if caller.path == unit.path else f"{caller.path}:{caller.line}"
            return f"called in a loop, {where}"
    return ""


def _decided(unit: Unit, made: PerCall) -> Blocked | tuple[Changes, str, Safety]:
    why = runs_when_traced(unit, made.inner)
    if why is not None:
        return why
    receiver = _receiver(unit, made.outer)
    free = free_names(made.inner)
    if made.call is not None:
        free |= {one.id for one in ast.walk(made.call) if isinstance(one, ast.Name)}
    if made.call is None and receiver in free and receiver:
        return _as_method(unit, made, free - {receiver})
    local = _locals(made.outer) & free if made.call is None else set[str]()
    settled = Settled(unit)
    for name in settled.unsettled(free - local):
        return Blocked("state-outside", name)
    for name in sorted(local):
        if not is_tensor(unit, made.outer, name):
            return Blocked("closure", name)
    args = made.inner.args
    if local and (args.defaults or args.vararg or args.kwonlyargs or args.kwarg):
        return Blocked("closure", min(local))
    safety = Safety.SAFE if _is_in_sight(unit, made.inner) else Safety.UNSAFE
    if made.call is not None:
        if made.inner.lineno > made.outer.lineno:
            return Blocked("name-taken", f"{made.inner.name}, which is defined below")
        name = f"{made.inner.name}_function"
        if name in names_of(unit):
            return Blocked("name-taken", name)
        return _wrapped_once(made, name), f"as `{name}`", safety
    name = _free_name(unit, made)
    if not name:
        return Blocked("name-taken", made.inner.name)
    where = "at the top of the module"
    if local:
        where += f", with {', '.join(f'`{one}`' for one in sorted(local))} handed over"
    return _hoisted(made, name, sorted(local), ""), where, safety


def _as_method(unit: Unit, made: PerCall, others: set[str]) -> Blocked | tuple[Changes, str, Safety]:
    """A method in its place: its traces are kept with each instance."""
    owner = unit.names.enclosing_class(made.outer)
    receiver = _receiver(unit, made.outer)
    assert owner is not None
    if local := _locals(made.outer) & others:
        return Blocked("closure", min(local))
    for name in Settled(unit).unsettled(others):
        return Blocked("state-outside", name)
    read = {self_attribute(node, receiver) for node in walk(made.inner)} - {""}
    bare = [
        node
        for node in walk(made.inner)
        if isinstance(node, ast.Name)
        and node.id == receiver
        and not isinstance(unit.names.parent(node), ast.Attribute)
    ]
    if bare:
        return Blocked("closure", receiver)
    if changed := read & _stored_later(unit, owner):
        return Blocked("state-outside", f"{receiver}.{min(changed)}")
    name = made.inner.name if made.inner.name.startswith("_") else f"_{made.inner.name}"
    if any(name in (getattr(one, "name", ""), getattr(one, "attr", "")) for one in walk(unit.tree)):
        return Blocked("name-taken", name)
    safety = Safety.SAFE if _is_in_sight(unit, made.inner, receiver) else Safety.UNSAFE
    return _hoisted(made, name, [], receiver), f"as the method `{name}`, for each instance", safety


def _stored_later(unit: Unit, owner: ast.ClassDef) -> set[str]:
    """Attributes that anything but ``__init__`` of this class stores, here or on any object of the file."""
    init = [one for one in owner.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    inside = {id(node) for one in init for node in walk(one)}
    return {
        node.attr
        for node in walk(unit.tree)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and id(node) not in inside
    }


def _receiver(unit: Unit, outer: ast.FunctionDef) -> str:
    is_method = isinstance(unit.names.parent(outer), ast.ClassDef) and not outer.decorator_list
    return outer.args.args[0].arg if is_method and outer.args.args else ""


def _locals(outer: ast.FunctionDef) -> set[str]:
    arguments = {arg.arg for arg in ast.walk(outer.args) if isinstance(arg, ast.arg)}
    stored = {
        node.id for node in own(outer) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    return arguments | stored | {node.name for node in own(outer) if isinstance(node, ast.FunctionDef)}


def _is_in_sight(unit: Unit, inner: ast.FunctionDef, receiver: str = "") -> bool:
    """Whether all that it calls is TensorFlow's, Keras's, or of this file; or an attribute that ``__init__`` alone sets."""
    for node in walk(inner):
        if isinstance(node, ast.Call):
            name = unit.names.qualified(node.func) or ""
            is_known = name.startswith(("tensorflow.", "keras.", "math.", "builtins.", f"{unit.module}."))
            is_method = isinstance(node.func, ast.Attribute) and not name
            if not is_known and not (is_method and receiver and self_attribute(node.func, receiver)):
                return False
    return True


def _free_name(unit: Unit, made: PerCall) -> str:
    """The function's own name if nothing else in the file has it, or one with the outer function's."""
    others = [
        node
        for node in walk(unit.tree)
        if made.inner.name in (getattr(node, "name", ""), getattr(node, "arg", ""))
        or (isinstance(node, ast.Name) and node.id == made.inner.name and not isinstance(node.ctx, ast.Load))
    ]
    if others == [made.inner]:
        return made.inner.name
    name = f"_{made.outer.name}_{made.inner.name}"
    return name if name not in names_of(unit) else ""


def _top(unit: Unit, node: ast.FunctionDef) -> ast.stmt:
    return next(one for one in unit.tree.body if one is node or one in unit.names.ancestors(node))


def _calls(made: PerCall) -> Iterator[ast.Call]:
    for node in walk(made.outer):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == made.inner.name:
            yield node


def _hoisted(made: PerCall, name: str, handed: Sequence[str], receiver: str) -> Changes:
    def changes(unit: Unit) -> Iterator[AnyChange]:
        old = unit.cst(made.inner, cst.FunctionDef)
        new = cst.ensure_type(old.deep_clone(), cst.FunctionDef)
        params = [*new.params.params, *(cst.Param(cst.Name(one)) for one in handed)]
        if receiver:
            params.insert(0, cst.Param(cst.Name(receiver)))
        lines = [line for line in new.leading_lines if line.comment is not None]
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        spaced = [one.with_changes(comma=comma) for one in params[:-1]]
        spaced += [one.with_changes(comma=cst.MaybeSentinel.DEFAULT) for one in params[-1:]]
        new = new.with_changes(
            name=cst.Name(name), params=new.params.with_changes(params=spaced), leading_lines=lines
        )
        yield Change(old, None)
        yield from closed_up(unit, made.inner)
        anchor = unit.cst_statement(made.outer if receiver else _top(unit, made.outer))
        yield Insertion(anchor, (new,), after=False, blank_lines=1 if receiver else 2)
        for call in _calls(made):
            if name != made.inner.name or receiver:
                text = f"{receiver}.{name}" if receiver else name
                yield Change(unit.cst_expression(call.func), cst.parse_expression(text, unit.parser_config))
            if handed:
                yield from _handed(unit, call, handed)

    return changes


def _handed(unit: Unit, call: ast.Call, handed: Sequence[str]) -> Iterator[AnyChange]:
    """``inner(x)`` becomes ``inner(x, weights=weights)``."""

    def with_more(node: cst.CSTNode) -> cst.CSTNode:
        found = cst.ensure_type(node, cst.Call)
        text = f"f({', '.join(f'{one}={one}' for one in handed)})"
        more = cst.ensure_type(cst.parse_expression(text, unit.parser_config), cst.Call).args
        args = list(found.args)
        if args:
            args[-1] = args[-1].with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
        return found.with_changes(args=[*args, *more])

    yield Update(unit.cst(call, cst.Call), with_more)


def _wrapped_once(made: PerCall, name: str) -> Changes:
    def changes(unit: Unit) -> Iterator[AnyChange]:
        assert made.call is not None
        new = cst.parse_statement(f"{name} = {ast.unparse(made.call)}", unit.parser_config)
        anchor = unit.cst_statement(_top(unit, made.outer))
        yield Insertion(anchor, (new,), after=False, blank_lines=2)
        for call in (made.call, *made.others):
            yield Change(unit.cst_expression(call), cst.Name(name))

    return changes
