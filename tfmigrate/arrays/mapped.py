"""Loops without state from one turn to the next: ``tf.map_fn``, which works with and without AutoGraph."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass

from tfmigrate.arrays.bodies import block_text, carried, is_pure, is_read_outside
from tfmigrate.arrays.dtypes import Elements
from tfmigrate.arrays.function import Function
from tfmigrate.arrays.layout import fresh_name
from tfmigrate.arrays.lists import Grown
from tfmigrate.arrays.loops import Loop, Over
from tfmigrate.arrays.outcome import Draft
from tfmigrate.arrays.uses import Use, Uses, Wants
from tfmigrate.blocked import Blocked
from tfmigrate.syntax import bound_names, names_in
from tfmigrate.walk import walk

_NO = Blocked("no-autograph")


@dataclass(slots=True)
class Mapper:
    """Writes the loops of one function that Keras runs without AutoGraph."""

    function: Function
    draft: Draft

    def write(self, grown: Grown) -> Blocked | None:
        """Put ``tf.map_fn`` in the place of the loop around a list; or say why it cannot be."""
        loop = self.mappable(grown)
        if loop is None:
            return _NO
        assert isinstance(loop.node, ast.For) and isinstance(loop.node.target, ast.Name)
        value = grown.growths[0].values[0]
        elements = Elements(self.function, [value], None)
        dtype = elements.dtype()
        if isinstance(dtype, Blocked):
            return dtype
        node, counter = loop.node, loop.node.target.id
        source = self.rows_of(loop)
        text = self.function.dtype_text(dtype, node)
        mapped, parameter = self.header(loop, source, dtype, text)
        if not mapped:
            return Blocked("dtype-unknown", ast.unparse(value))
        uses = self.uses(grown, dtype, elements.rank())
        if isinstance(uses, Blocked):
            return uses
        if source and parameter != counter:
            self.write_rows(node, counter, parameter)
        one = fresh_name(self.function.bindings, ("one", "one_row", "row_of", "each_row"))
        body = self.body(grown, node)
        definition = f"def {one}({parameter}):\n{textwrap.indent(body, '    ')}\n"
        mapped = f"{self.function.tf}.map_fn({one}, {mapped})"
        self.write_uses(grown, uses, node, definition, mapped)
        return None

    # -- whether ---------------------------------------------------------------------------------------------------

    def mappable(self, grown: Grown) -> Loop | None:
        layouts = self.function.layouts
        if grown.blocked is not None or len(grown.growths) != 1 or grown.seeds or "." in grown.key:
            return None
        growth = grown.growths[0]
        path = layouts.paths(grown)[id(growth.statement)]
        if len(path) != 1 or len(growth.values) != 1 or growth.at_front or not isinstance(path[0], ast.For):
            return None
        node, loop = path[0], self.function.loops.of(path[0])
        if loop is None or loop.over not in (Over.RANGE, Over.ROWS) or not loop.is_certain:
            return None
        if not isinstance(node.target, ast.Name) or node.body[-1] is not growth.statement:
            return None
        calls = {id(part) for part in walk(growth.statement) if isinstance(part, ast.Call)} - {
            id(part) for part in walk(growth.values[0])
        }
        if not is_pure(self.function.unit, node, calls) or carried(node.body):
            return None
        bound = bound_names(part for statement in node.body for part in walk(statement)) | {node.target.id}
        if node.target.id in bound_names(part for s in node.body for part in walk(s)):
            return None
        if is_read_outside(self.function, node, bound - {grown.name}) or self.holds_graph(node):
            return None
        return loop

    def holds_graph(self, loop: ast.For) -> bool:
        """Whether the body holds a loop or a branch of the graph, for which it needs AutoGraph."""
        layouts, tensors = self.function.layouts, self.function.tensors
        for statement in loop.body:
            for part in walk(statement):
                if isinstance(part, ast.stmt) and layouts.is_of_graph(part):
                    return True
                if isinstance(part, ast.IfExp) and tensors.is_tensor(part.test):
                    return True
                if isinstance(part, ast.BoolOp) and tensors.is_tensor(part):
                    return True
                if isinstance(part, ast.comprehension) and tensors.is_tensor(part.iter):
                    return True
        return False

    # -- over what -------------------------------------------------------------------------------------------------

    def rows_of(self, loop: Loop) -> str:
        """``x`` where the loop only takes ``x[i]`` for each ``i`` of ``tf.range(tf.shape(x)[0])``."""
        if loop.over is Over.ROWS:
            return self.draft.rewriting.text(loop.sources[0])
        node = loop.node
        assert isinstance(node, ast.For) and isinstance(node.target, ast.Name)
        stop = self.function.bindings.resolved(loop.stop) if loop.stop is not None else None
        if (loop.start is not None and ast.unparse(loop.start) != "0") or loop.step is not None:
            return ""
        name = _counted(stop) if stop is not None else ""
        if not name or len(self.function.bindings.of(name)) > (name not in self.function.bindings.parameters):
            return ""
        for part in (part for statement in node.body for part in walk(statement)):
            is_either = isinstance(part, ast.Name) and part.id in (node.target.id, name)
            if (
                is_either
                and isinstance(part, ast.Name)
                and self.subscript(part, name, node.target.id) is None
            ):
                return ""
        return name

    def subscript(self, node: ast.Name, name: str, counter: str) -> ast.Subscript | None:
        """The ``x[i]`` or ``x[i, ...]`` that the name is a part of."""
        above = self.function.unit.names.parent(node)
        if isinstance(above, ast.Tuple):
            above = self.function.unit.names.parent(above)
        if (
            not isinstance(above, ast.Subscript)
            or not isinstance(above.value, ast.Name)
            or above.value.id != name
        ):
            return None
        first = above.slice.elts[0] if isinstance(above.slice, ast.Tuple) else above.slice
        is_first = isinstance(first, ast.Name) and first.id == counter
        rest = above.slice.elts[1:] if isinstance(above.slice, ast.Tuple) else []
        is_only = not any(names_in(part) & {name, counter} for part in rest)
        return above if is_first and is_only else None

    def header(self, loop: Loop, source: str, dtype: str, text: str) -> tuple[str, str]:
        """What is gone through (with the dtype of the results), and the name of the function's parameter."""
        node = loop.node
        assert isinstance(node, ast.For) and isinstance(node.target, ast.Name)
        if not source:
            return (
                (f"{self.draft.rewriting.text(node.iter)}, fn_output_signature={text}", node.target.id)
                if text
                else ("", "")
            )
        held = self.function.reading.before.get(id(node), {}).get(source)
        given = held.dtype if held is not None else ""
        if loop.over is Over.ROWS:
            given = self.function.reading.of(loop.sources[0]).dtype
        parameter = (
            node.target.id
            if loop.over is Over.ROWS
            else fresh_name(self.function.bindings, ("row", "item", "part"))
        )
        if not parameter or (dtype != given and not text):
            return "", ""
        same = dtype == given and bool(dtype)
        return source if same else f"{source}, fn_output_signature={text}", parameter

    def write_rows(self, loop: ast.For, counter: str, row: str) -> None:
        """``x[i]`` becomes ``row``, ``x[i, :, 0]`` becomes ``row[:, 0]``."""
        for part in (part for statement in loop.body for part in walk(statement)):
            if not isinstance(part, ast.Name) or part.id != counter:
                continue
            above = self.function.unit.names.parent(part)
            if isinstance(above, ast.Tuple):
                holder = self.function.unit.names.parent(above)
                assert isinstance(holder, ast.Subscript)
                rest = ", ".join(self.draft.rewriting.text(element) for element in above.elts[1:])
                self.draft.rewriting.replace(holder, f"{row}[{rest}]")
            elif isinstance(above, ast.Subscript):
                self.draft.rewriting.replace(above, row)

    # -- text ------------------------------------------------------------------------------------------------------

    def body(self, grown: Grown, loop: ast.For) -> str:
        growth = grown.growths[0]
        given = {id(growth.statement): f"return {self.draft.rewriting.text(growth.values[0])}"}
        return block_text(self.draft.rewriting, self.function.unit, loop, given)

    def uses(self, grown: Grown, dtype: str, rank: int | None) -> list[Use] | Blocked:
        reader = Uses(self.function, grown.key, grown.name, dtype, rank, False)
        found: list[Use] = []
        for node in grown.uses:
            use = reader.read(node)
            if isinstance(use, Blocked):
                return use
            if use.wants is not Wants.STACK:
                return Blocked("used-as-list", ast.unparse(use.node))
            found.append(use)
        return found

    def write_uses(self, grown: Grown, uses: list[Use], loop: ast.For, definition: str, mapped: str) -> None:
        block = self.function.unit.names.block_of(loop) or [loop]
        after = block[[id(one) for one in block].index(id(loop)) + 1 :][:1]
        is_next = len(uses) == 1 and not uses[0].more_than_once and bool(after)
        if is_next and self.function.unit.names.statement_of(uses[0].node) is after[0]:
            self.draft.rewriting.replace(uses[0].node, uses[0].write(mapped))
        else:
            definition += f"\n{grown.name} = {mapped}\n"
            for use in uses:
                self.draft.rewriting.replace(use.node, use.write(grown.name))
        self.draft.put_block(loop, definition)
        self.draft.put(grown.creation)


def _counted(node: ast.expr) -> str:
    """``x`` of ``tf.shape(x)[0]`` and ``x.shape[0]``."""
    if not isinstance(node, ast.Subscript) or ast.unparse(node.slice) != "0":
        return ""
    holder = node.value
    if isinstance(holder, ast.Call) and ast.unparse(holder.func).endswith(".shape") and len(holder.args) == 1:
        return holder.args[0].id if isinstance(holder.args[0], ast.Name) else ""
    is_shape = isinstance(holder, ast.Attribute) and holder.attr == "shape"
    return (
        holder.value.id
        if is_shape and isinstance(holder, ast.Attribute) and isinstance(holder.value, ast.Name)
        else ""
    )
