"""Build the changes of one class: construction in ``__init__``, attributes at the places of use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tfmigrate.codemod import AnyChange, Change, Insertion
from tfmigrate.hoist.context import Binding, Kept, Loop
from tfmigrate.hoist.guards import KeptGuard, guard_text
from tfmigrate.hoist.handing import HandedOver
from tfmigrate.hoist.lasting import reset_change
from tfmigrate.hoist.lines import removal
from tfmigrate.hoist.loops import LoopPlan, Style, loop_plan
from tfmigrate.hoist.move import Move
from tfmigrate.hoist.names import Namer, singular
from tfmigrate.hoist.portable import Needs
from tfmigrate.hoist.weights import Weight, by_keyword, is_named_first, weight_text
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import FunctionNode, bound_names, parameters, parenthesized, substituted
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_TO_A_TOOL = re.compile(
    r"#\s*(type|fmt|yapf|isort|pylint|mypy|ruff|pyright|pragma|tfmigrate|region|endregion)\b"
)


@dataclass(frozen=True, slots=True)
class Moved:
    """A move with the attribute that it got, and the comments that go along."""

    move: Move
    attribute: str
    leading: tuple[str, ...]
    trailing: str


@dataclass(slots=True)
class _FunctionState:
    """What is decided for one method: local names that are taken, statements that go."""

    function: FunctionNode
    taken: set[str]
    removed: list[ast.stmt] = field(default_factory=list)
    gone: list[ast.AST] = field(default_factory=list)
    plans: dict[int, LoopPlan] = field(default_factory=dict)


class UseRewriter:
    """Rewrites the methods from which constructions move."""

    def __init__(self, unit: Unit, receiver: str, moves: Sequence[Move], namer: Namer) -> None:
        self._unit = unit
        self._receiver = receiver
        self._moves = moves
        self._namer = namer
        self._states: dict[int, _FunctionState] = {}
        self._changes: list[AnyChange] = []
        self._handed = HandedOver(unit)

    def rewritten(self) -> tuple[list[Moved], list[AnyChange]]:
        """Each move with its attribute, and the changes at the places of use."""
        for move in self._moves:
            if move.passed is None:
                self._state(move).gone.append(move.call)
        for move in self._moves:
            self._drop_binding(move)
        for state in self._states.values():
            self._drop_dead_locals(state)
        moved = [self._moved(move) for move in self._moves]
        for state in self._states.values():
            self._changes.extend(self._headers(state))
            self._changes.extend(self._removals(state))
        self._changes.extend(self._handed.changes())
        return moved, self._changes

    def _state(self, move: Move) -> _FunctionState:
        key = id(move.function)
        if key not in self._states:
            taken = bound_names(walk(move.function)) | {arg.arg for arg in parameters(move.function)}
            taken |= {node.id for node in walk(move.function) if isinstance(node, ast.Name)}
            self._states[key] = _FunctionState(move.function, taken)
        return self._states[key]

    # -- statements that go ---------------------------------------------------------------------------------------

    def _drop_binding(self, move: Move) -> None:
        """``d = Dense(3)`` goes where ``self.d`` or a loop variable ``d`` can stand for every use of ``d``."""
        binding = move.context.binding
        state = self._state(move)
        if move.first_call is not None and move.first_call.goes not in state.removed:
            state.removed.append(move.first_call.goes)
            state.gone.append(move.first_call.goes)
        if not isinstance(binding, Binding) or binding.statement is None:
            return
        if move.lasting is not None and move.lasting.replaces:
            state.gone.append(binding.statement)
        elif self._is_removable(state, binding.statement):
            state.removed.append(binding.statement)
            state.gone.append(binding.statement)

    def _is_removable(self, state: _FunctionState, statement: ast.stmt) -> bool:
        block = self._unit.names.block_of(statement)
        stays = [other for other in block if other is not statement and other not in state.removed]
        return bool(stays) and self._has_own_line(statement)

    def _has_own_line(self, statement: ast.stmt) -> bool:
        """Whether the statement can go with its line: nothing else is on it, nor a word to a tool above it."""
        line = self._unit.cst_statement(statement)
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
            return False
        comments = (blank.comment.value for blank in line.leading_lines if blank.comment)
        return not any(_TO_A_TOOL.match(comment) for comment in comments)

    def _drop_dead_locals(self, state: _FunctionState) -> None:
        """A local whose only uses moved away, with its definition, is not left behind."""
        definitions = {
            name.id for move in self._moves if move.function is state.function for name in move.needs.inlined
        }
        while True:
            dead = [s for s in self._definitions(state, definitions) if self._is_removable(state, s)]
            if not dead:
                return
            state.removed.append(dead[0])
            state.gone.append(dead[0])

    def _definitions(self, state: _FunctionState, names: set[str]) -> Iterator[ast.stmt]:
        gone = {id(node) for root in state.gone for node in walk(root)}
        living = [
            node for node in walk(state.function) if isinstance(node, ast.Name) and id(node) not in gone
        ]
        for node in living:
            if node.id not in names or isinstance(node.ctx, ast.Load):
                continue
            statement = self._unit.names.parent(node)
            used = any(other.id == node.id and isinstance(other.ctx, ast.Load) for other in living)
            if isinstance(statement, ast.Assign) and not used:
                yield statement

    def _removals(self, state: _FunctionState) -> Iterator[Change]:
        for statement in state.removed:
            yield from self._removal(state, statement)

    def _removal(self, state: _FunctionState, statement: ast.stmt) -> Iterator[Change]:
        """Takes ``statement`` out; a block that would be empty keeps a ``pass``."""
        block = self._unit.names.block_of(statement)
        is_last = all(other in state.removed for other in block) and statement is block[-1]
        yield removal(self._unit, statement, keeps_pass=is_last)

    # -- places of use ---------------------------------------------------------------------------------------------

    def _moved(self, move: Move) -> Moved:
        attribute = self._namer.attribute(move)
        state = self._state(move)
        if move.passed is not None:
            self._handed.add(move.passed, move.call, singular(move), self._access(move, attribute, ""))
            return Moved(move, attribute, (), "")
        binding = move.context.binding
        if isinstance(binding, Kept):
            if binding.also:
                self._replace_uses(state.function, binding.also, f"{self._receiver}.{attribute}")
            return Moved(move, attribute, *self._comments(binding.statement))
        reset = move.lasting is not None and move.lasting.replaces
        goes = binding is not None and (reset or binding.statement in state.removed)
        dropped = binding.statement if binding is not None and goes else None
        access = self._access(move, attribute, binding.name if dropped and binding else "")
        if move.lasting is not None and (change := reset_change(self._unit, move.lasting, access)):
            self._changes.append(change)
        if binding is None or dropped is None:
            self._replace(self._unit.cst_expression(move.call), access)
            return Moved(move, attribute, (), "")
        if access != binding.name:
            self._replace_uses(state.function, binding.name, access)
        return Moved(move, attribute, *self._comments(dropped))

    def _comments(self, statement: ast.stmt) -> tuple[tuple[str, ...], str]:
        """The comments above a statement and behind it."""
        line = self._unit.cst_statement(statement)
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
            return (), ""
        trailing = line.trailing_whitespace.comment
        above = tuple(blank.comment.value for blank in line.leading_lines if blank.comment)
        return above, trailing.value if trailing else ""

    def _replace_uses(self, function: FunctionNode, name: str, access: str) -> None:
        for node in walk(function):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                self._replace(self._unit.cst_expression(node), access)

    def _replace(self, node: cst.BaseExpression, access: str) -> None:
        new = cst.parse_expression(access)
        self._changes.append(Change(node, new.with_changes(lpar=node.lpar, rpar=node.rpar)))

    def _access(self, move: Move, attribute: str, local: str) -> str:
        """The expression that is the layer at the place of use; loops on the way get their new variables."""
        state = self._state(move)
        base = f"{self._receiver}.{attribute}"
        for depth, loop in enumerate(move.context.loops):
            plan = self._plan(state, loop)
            if plan.style is Style.INDEX:
                base = f"{base}[{plan.index}]"
                continue
            innermost = depth == len(move.context.loops) - 1
            name = local if innermost and local else self._fresh(state, singular(move), innermost)
            plan.added.append((name, base))
            base = name
        return base

    def _plan(self, state: _FunctionState, loop: Loop) -> LoopPlan:
        key = id(loop.node)
        if key not in state.plans:
            inner = [
                other.iter
                for move in self._moves
                for other in move.context.loops
                if other.node is not loop.node and self._is_replaced(state, other)
            ]
            state.plans[key] = loop_plan(self._unit, state.function, loop, [*state.gone, *inner])
        return state.plans[key]

    def _is_replaced(self, state: _FunctionState, loop: Loop) -> bool:
        plan = state.plans.get(id(loop.node)) or loop_plan(self._unit, state.function, loop, state.gone)
        return plan.style is Style.ELEMENT

    def _fresh(self, state: _FunctionState, name: str, innermost: bool) -> str:
        wanted = name if innermost else f"{name}_row"
        chosen, count = wanted, 0
        while chosen in state.taken:
            count += 1
            chosen = f"{wanted}_{count}"
        state.taken.add(chosen)
        return chosen

    def _headers(self, state: _FunctionState) -> Iterator[Change]:
        for plan in state.plans.values():
            if not plan.added:
                continue
            target, iterable = self._header_nodes(plan.loop)
            new_target, new_iterable = plan.header(code_of(target), code_of(iterable))
            yield Change(target, cst.parse_expression(new_target))
            yield Change(iterable, cst.parse_expression(new_iterable))

    def _header_nodes(self, loop: Loop) -> tuple[cst.BaseExpression, cst.BaseExpression]:
        if isinstance(loop.node, ast.For):
            header: cst.For | cst.CompFor = self._unit.cst(loop.node, cst.For)
        else:
            element = loop.node.key if isinstance(loop.node, ast.DictComp) else loop.node.elt
            comprehension = self._unit.cst_parent(self._unit.cst_expression(element))
            assert isinstance(comprehension, cst.BaseComp)
            header = comprehension.for_in
        target = header.target
        assert isinstance(target, cst.BaseExpression)
        return target, header.iter


def code_of(node: cst.CSTNode) -> str:
    """The text of ``node``."""
    return cst.Module([]).code_for_node(node)


class ConstructionWriter:
    """Writes the statements for ``__init__``."""

    def __init__(self, unit: Unit, receiver: str) -> None:
        self._unit = unit
        self._receiver = receiver
        self._negated_guard = ""

    def statements(self, moved: Iterable[Moved]) -> str:
        """The text of the statements, not indented, LF newlines, in the order of ``moved``."""
        lines: list[str] = []
        open_guard = ""
        for one in moved:
            guard = self._guard(one)
            if guard != open_guard:
                is_else = bool(open_guard) and guard == self._negated_guard
                lines.extend(["else:" if is_else else f"if {guard}:"] if guard else [])
                open_guard = guard
                self._negated_guard = "" if is_else else self._opposite(one)
            indent = "    " if guard else ""
            lines.extend(f"{indent}{comment}" for comment in one.leading)
            trailing = f"  {one.trailing}" if one.trailing else ""
            lines.append(f"{indent}{self._receiver}.{one.attribute} = {self._value(one)}{trailing}")
        return "\n".join(lines) + "\n"

    def _guard(self, one: Moved) -> str:
        """All conditions in one, empty if there is none."""
        texts = [self._guard_text(guard, guard.holds) for guard in one.move.guards if guard.is_said]
        return texts[0] if len(texts) == 1 else " and ".join(map(_operand, texts))

    def _opposite(self, one: Moved) -> str:
        """The condition of an ``else`` branch to this one's ``if``."""
        guards = [guard for guard in one.move.guards if guard.is_said]
        return self._guard_text(guards[0], not guards[0].holds) if len(guards) == 1 else ""

    def _guard_text(self, guard: KeptGuard, holds: bool) -> str:
        return guard_text(guard.test, self._code(guard.test, guard.needs), holds)

    def _value(self, one: Moved) -> str:
        move = one.move
        text = self._code(move.makes, move.needs) if move.weight is None else self._weight(one, move.weight)
        if move.weight is None and is_named_first(move.makes):
            text = by_keyword(text)
        used = {node.id for node in walk(move.makes) if isinstance(node, ast.Name)}
        used |= {
            node.id
            for value in move.needs.inlined.values()
            for node in walk(value)
            if isinstance(node, ast.Name)
        }
        for loop in reversed(move.context.loops):
            names = bound_names(walk(loop.target))
            target = _target_text(loop.target) if names & used else "_"
            text = f"[{text} for {target} in {self._code(loop.iter, move.needs)}]"
            used |= {node.id for node in walk(loop.iter) if isinstance(node, ast.Name)}
        return text

    def _weight(self, one: Moved, weight: Weight) -> str:
        name = "" if one.move.context.loops else one.attribute
        return weight_text(self._receiver, weight, name, lambda value: self._argument(value, one))

    def _argument(self, value: ast.expr | str, one: Moved) -> str:
        return value if isinstance(value, str) else self._code(value, one.move.needs)

    def _code(self, expression: ast.expr, needs: Needs) -> str:
        return code_of(self._translated(expression, needs))

    def _translated(self, expression: ast.expr, needs: Needs) -> cst.BaseExpression:
        """``expression`` with local names replaced by their definitions, and shapes of the input by ``build``'s."""
        if expression in needs.shapes:
            return cst.parse_expression(needs.shapes[expression])
        replacements: dict[int, cst.BaseExpression] = {}
        for node in _outermost(expression, needs):
            original = self._unit.cst_expression(node)
            if node in needs.shapes:
                replacements[id(original)] = cst.parse_expression(needs.shapes[node])
            else:
                assert isinstance(node, ast.Name)
                value = self._translated(needs.inlined[node], needs)
                is_argument = isinstance(self._unit.names.parent(node), ast.Call | ast.keyword | ast.Assign)
                replacements[id(original)] = value if is_argument else parenthesized(value)
        return substituted(self._unit.cst_expression(expression), replacements)


def _outermost(expression: ast.AST, needs: Needs) -> Iterator[ast.expr]:
    """The nodes in ``expression`` that have a replacement, not looking inside of them."""
    if isinstance(expression, ast.expr) and (expression in needs.shapes or expression in needs.inlined):
        yield expression
        return
    for child in ast.iter_child_nodes(expression):
        yield from _outermost(child, needs)


def _target_text(target: ast.expr) -> str:
    """A loop's target as it is usually written: a tuple without parentheses."""
    text = ast.unparse(target)
    return text[1:-1] if isinstance(target, ast.Tuple) and len(target.elts) > 1 else text


def _operand(text: str) -> str:
    """``text`` as an operand of ``and``."""
    loose = isinstance(ast.parse(text, mode="eval").body, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr)
    return f"({text})" if loose else text


def added_statements(
    unit: Unit, method: ast.FunctionDef | ast.AsyncFunctionDef, index: int, statements: str
) -> list[AnyChange]:
    """Put ``statements`` before the statement number ``index`` of the body of ``method``."""
    new = tuple(parsed_statements(unit, statements))
    after = index > 0
    anchor = unit.cst_statement(method.body[index - 1] if after else method.body[0])
    return [Insertion(anchor, new, after)]


def added_method(unit: Unit, owner: ast.ClassDef, text: str, before: str = "") -> list[AnyChange]:
    """Put a new method before the method named ``before``, or before the first method of the class."""
    methods = [node for node in owner.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    named = [node for node in methods if node.name == before]
    first = (named or methods or owner.body[-1:])[0]
    method = parsed_statements(unit, text)[0]
    if first is not owner.body[0]:
        method = method.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    anchor = unit.cst_statement(first)
    return [Insertion(anchor, (method,), after=not methods, blank_lines=1)]


def parsed_statements(unit: Unit, text: str) -> Sequence[cst.BaseStatement]:
    """Statements in the file's own indentation and newlines."""
    config = unit.parser_config
    module = cst.parse_module(_in_style(text, unit), config)
    statements = [statement for statement in module.body if isinstance(statement, cst.BaseStatement)]
    if module.header:  # comments above the first statement belong to the module, for LibCST
        leading = [*module.header, *getattr(statements[0], "leading_lines", ())]
        statements[0] = statements[0].with_changes(leading_lines=leading)
    return statements


def _in_style(text: str, unit: Unit) -> str:
    """Generated text has 4 spaces and LF; the file may have others."""
    indent, newline = unit.parser_config.default_indent, unit.parser_config.default_newline
    lines = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        depth = (len(line) - len(line.lstrip(" "))) // 4
        lines.append(str(indent) * depth + line[4 * depth :])
    return str(newline).join(lines)
