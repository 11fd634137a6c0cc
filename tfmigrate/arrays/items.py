"""Lists of fixed length whose items a loop of the graph sets: made anew by a comprehension, as AutoGraph carries lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.arrays.function import Function
from tfmigrate.arrays.lists import Lists, made_by
from tfmigrate.arrays.outcome import Draft, Place
from tfmigrate.blocked import Blocked
from tfmigrate.syntax import own_nodes
from tfmigrate.walk import walk


@dataclass(slots=True)
class Items:
    """The places in one function."""

    function: Function
    draft: Draft

    def places(self) -> Iterator[Place]:
        done: set[int] = set()
        for node in sorted(self.found(), key=lambda statement: statement.lineno):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            assert isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
            name = target.value.id
            message = f"items of the list `{name}` are set in a loop of the graph in `{self.function.symbol}`"
            loop = self.function.unit.names.parent(node)
            text = self.anew(loop, node, target, name) if isinstance(loop, ast.For) else ""
            if not text or id(loop) in done or not isinstance(loop, ast.For):
                yield Place(node, "TFM307", message, Blocked("items-set", ast.unparse(target)))
                continue
            done.add(id(loop))
            self.draft.put_block(loop, text)
            yield Place(node, "TFM307", f"{message}: the list is made anew each time")

    def found(self) -> Iterator[ast.Assign | ast.AugAssign]:
        for node in own_nodes(self.function.node):
            match node:
                case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=index)]):
                    pass
                case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name), slice=index)):
                    pass
                case _:
                    continue
            assert isinstance(node, ast.Assign | ast.AugAssign)
            if isinstance(index, ast.Slice | ast.Tuple) or not self.is_list(name):
                continue
            if self.is_in_graph_loop(node):
                yield node

    def is_list(self, name: str) -> bool:
        """Whether the name is a list made here, of whatever length, and nothing else."""
        bindings = self.function.bindings.of(name)
        lists = Lists(self.function.unit, self.function.bindings)
        made = lists.creations(name)
        others = [
            binding
            for binding in bindings
            if not isinstance(binding.value, ast.ListComp | ast.List)
            and not any(binding.statement is creation for creation in made)
        ]
        is_tuple = any(
            isinstance(part, ast.Tuple)
            for statement in made
            for part in [getattr(statement, "value", None)]
            if len(made_by(self.function.unit, statement)) == 1
        )
        return (
            bool(bindings) and not others and not is_tuple and name not in self.function.bindings.parameters
        )

    def is_in_graph_loop(self, node: ast.AST) -> bool:
        return any(
            isinstance(above, ast.For | ast.While) and self.function.loops.of(above) is not None
            for above in self.function.unit.names.ancestors(node, self.function.node)
        )

    def anew(self, loop: ast.For, node: ast.Assign | ast.AugAssign, target: ast.Subscript, name: str) -> str:
        """``xs = [f(xs[j]) for j in range(len(xs))]`` for a loop that sets ``xs[j]`` for each ``j``."""
        counter = loop.target.id if isinstance(loop.target, ast.Name) else ""
        is_whole = ast.unparse(loop.iter) == f"range(len({name}))" and loop.body == [node] and not loop.orelse
        if not counter or not is_whole or ast.unparse(target.slice) != counter:
            return ""
        names = self.function.unit.names
        for part in walk(node.value):
            if isinstance(part, ast.Name) and part.id == name:
                holder = names.parent(part)
                is_same = isinstance(holder, ast.Subscript) and ast.unparse(holder.slice) == counter
                if not is_same:
                    return ""
        inside = {id(part) for part in walk(loop)}
        is_left = any(
            isinstance(part, ast.Name) and part.id == counter and id(part) not in inside
            for part in walk(self.function.node)
        )
        if is_left:
            return ""
        value = self.draft.rewriting.text(node.value)
        if isinstance(node, ast.AugAssign):
            operator = ast.unparse(ast.BinOp(ast.Name("a"), node.op, ast.Name("b")))[1:-1]
            value = (
                f"{name}[{counter}]{operator}{value}"
                if _binds_tight(node)
                else f"{name}[{counter}]{operator}({value})"
            )
        return f"{name} = [{value} for {counter} in range(len({name}))]\n"


def _binds_tight(node: ast.AugAssign) -> bool:
    return isinstance(node.value, ast.Name | ast.Subscript | ast.Call | ast.Attribute | ast.Constant)
