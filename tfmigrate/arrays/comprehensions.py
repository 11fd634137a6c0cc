"""Comprehensions over tensors, which AutoGraph does not convert: Python's ``range`` where that does, else ``tf.map_fn``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tfmigrate.arrays.function import Function
from tfmigrate.arrays.layout import fresh_name
from tfmigrate.arrays.loops import Loop, Over
from tfmigrate.arrays.outcome import Draft, Place
from tfmigrate.arrays.static import does_with_numbers, is_static_range
from tfmigrate.arrays.uses import Uses, Wants
from tfmigrate.blocked import Blocked
from tfmigrate.draws.text import is_loose
from tfmigrate.draws.values import tensor
from tfmigrate.syntax import names_in, own_nodes
from tfmigrate.walk import walk

Comprehension = ast.ListComp | ast.GeneratorExp


@dataclass(slots=True)
class Comprehensions:
    """Those of one function."""

    function: Function
    draft: Draft

    def find(self) -> list[tuple[Comprehension, Loop]]:
        found = []
        for node in own_nodes(self.function.node):
            if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
                for generator in node.generators:
                    loop = self.loop(generator)
                    if loop is not None and isinstance(node, ast.ListComp | ast.GeneratorExp):
                        found.append((node, loop))
                        break
        return sorted(found, key=lambda pair: (pair[0].lineno, pair[0].col_offset))

    def loop(self, generator: ast.comprehension) -> Loop | None:
        node = ast.For(generator.target, generator.iter, [], [])
        return self.function.loops.over(node, generator.iter)

    def places(self) -> Iterator[Place]:
        for node, loop in self.find():
            blocked = self.write(node, loop)
            message = f"a comprehension in `{self.function.symbol}` goes through a tensor"
            if not loop.is_certain and blocked is not None:
                continue
            done = ": " + ("over Python numbers" if self.is_static(node) else "written with tf.map_fn")
            yield Place(node, "TFM303", message + ("" if blocked else done), blocked)

    def is_static(self, node: Comprehension) -> bool:
        generator = node.generators[0]
        is_plain = len(node.generators) == 1 and isinstance(generator.target, ast.Name)
        if not is_plain or not is_static_range(self.function, generator.iter):
            return False
        assert isinstance(generator.target, ast.Name)
        return does_with_numbers(self.function, generator.target.id, [node.elt, *generator.ifs])

    def write(self, node: Comprehension, loop: Loop) -> Blocked | None:
        generator = node.generators[0]
        blocked = Blocked("comprehension", ast.unparse(node))
        if self.is_static(node):
            assert isinstance(generator.iter, ast.Call)
            self.draft.rewriting.replace(generator.iter.func, "range")
            return None
        is_plain = len(node.generators) == 1 and isinstance(generator.target, ast.Name) and not generator.ifs
        if not is_plain or loop.over not in (Over.RANGE, Over.ROWS):
            return blocked
        value = self.function.reading.of(node.elt)
        iterated = self.function.reading.of(generator.iter)
        own = [name for name in names_in(generator.target) if self.function.bindings.of(name)]
        rank = None if own else self.function.tensors.rank(node.elt)
        use = Uses(self.function, "the elements", "", value.dtype, rank, False).read(node)
        if isinstance(use, Blocked) or use.wants is not Wants.STACK or use.more_than_once:
            return blocked
        if not loop.is_certain:
            return self.uncertain(node, use.node, use.write)
        if not value.is_tensor or not value.dtype:
            return Blocked("dtype-unknown", ast.unparse(node.elt))
        return self.mapped(node, use.node, use.write, value.dtype, iterated.dtype)

    def uncertain(self, node: Comprehension, whole: ast.expr, write: Callable[[str], str]) -> Blocked | None:
        """Over an argument that is perhaps a list of numbers: of that ``tf.stack`` would make the same tensor."""
        source = node.generators[0].iter
        assert isinstance(source, ast.Name)
        symbol = f"{source.id}.dtype"
        function = replace(self.function, given={source.id: tensor(symbol)})
        if function.reading.of(node.elt).dtype != symbol:
            return Blocked("dtype-unknown", ast.unparse(node.elt))
        text = f"{self.function.tf}.convert_to_tensor({source.id})"
        return self.mapped(node, whole, write, symbol, symbol, text)

    def mapped(
        self,
        node: Comprehension,
        whole: ast.expr,
        write: Callable[[str], str],
        dtype: str,
        given: str,
        source: str = "",
    ) -> Blocked | None:
        generator, tf = node.generators[0], self.function.tf
        statement = self.function.unit.names.statement_of(node)
        if self.has_branch(node) and not self.function.has_autograph:
            return Blocked("no-autograph")
        assert isinstance(generator.target, ast.Name)
        text = ""
        if dtype != given:
            text = self.function.dtype_text(dtype, statement)
            if not text:
                return Blocked("dtype-unknown", ast.unparse(node.elt))
            text = f", fn_output_signature={text}"
        source = source or self.draft.rewriting.text(generator.iter)
        element = self.draft.rewriting.text(node.elt)
        function = f"lambda {generator.target.id}: {element}"
        if self.has_branch(node) or len(element) > 50 or "\n" in element:
            name = fresh_name(self.function.bindings, ("one", "each", "one_element"))
            if not isinstance(statement, ast.Assign | ast.Return | ast.AugAssign | ast.Expr | ast.AnnAssign):
                return Blocked("comprehension", ast.unparse(node))
            element = f"({element})" if "\n" in element and is_loose(element) else element
            self.draft.put_before(statement, f"def {name}({generator.target.id}):\n    return {element}\n")
            function = name
        self.draft.rewriting.replace(whole, write(f"{tf}.map_fn({function}, {source}{text})"))
        return None

    def has_branch(self, node: Comprehension) -> bool:
        """Whether AutoGraph has to convert the element: it is one of two, by what a tensor says."""
        return any(isinstance(part, ast.IfExp | ast.BoolOp) for part in walk(node.elt))
