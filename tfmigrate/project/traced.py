"""Which functions run inside a graph, and why: everything that the roots reach."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tfmigrate.project import records as r
from tfmigrate.project.classes import Place
from tfmigrate.project.resolve import View
from tfmigrate.project.roots import CUT, DECLARED, UNKNOWN_BASE, Root, Roots, is_test_file

_NOT_FOLLOWED = frozenset(
    [
        "build",
        "__init__",
        "__new__",
        "get_config",
        "from_config",
        "compute_output_shape",
        "compute_output_spec",
        "compute_output_signature",
        "compute_mask",
        "__getitem__",
        "__init_subclass__",
    ]
)
"""Methods that do not run as part of the graph even where traced code names them, or run while objects are made."""


_RANKS = {"tensorflow-callback": 1, DECLARED: 1, UNKNOWN_BASE: 2}
"""A callback inside of a layer's ``call`` is the layer's; a base that cannot be seen proves nothing; what the user says of a
function says less of how it is entered than what the code shows."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a function is traced."""

    root: str
    """``keras-call``, ``keras-step``, ``keras-metric``, ``keras-loss``, ``keras-optimizer``, ``tf.function``,
    ``dataset``, ``tensorflow-callback``, ``strategy.run``, ``lambda-layer``, ``declared`` (the user says so), or
    ``unknown-base`` (only if a base that is out of sight is Keras's)."""
    chain: tuple[str, ...]
    """From the root to this function."""


@dataclass(frozen=True, slots=True)
class Step:
    """How a function was reached."""

    root: str
    why: str
    before: Place | None


@dataclass(slots=True)
class Tracer:
    """Follows calls from the roots through the project. Roots that are certain go first."""

    roots: Roots
    paths: Mapping[str, str]
    """Module -> path as printed."""
    steps: dict[Place, Step] = field(default_factory=dict)

    def run(self) -> None:
        """Fill ``steps``."""
        self.follow_all([root for module, path in self.paths.items() for root in self.roots_in(module, path)])

    def retrace(self, modules: set[str]) -> None:
        """Bring ``steps`` up to date after some modules changed. What the others reach in them stays reached."""
        old = {place: step for place, step in self.steps.items() if place[0] in modules}
        for place, step in old.items():
            is_from_here = step.before is not None and step.before[0] in modules
            if is_from_here or not self.may_be_traced(place):
                del self.steps[place]
        roots = [root for module in sorted(modules) for root in self.roots_in(module, self.paths[module])]
        roots += [Root(place, self.steps[place].root, "") for place in old if place in self.steps]
        self.follow_all(roots)

    def roots_in(self, module: str, path: str) -> Iterator[Root]:
        view = self.roots.resolver.view(module)
        if view is not None and not is_test_file(path):
            yield from self.roots.of_file(view, path)

    def follow_all(self, roots: list[Root]) -> None:
        """Roots of the same weight together, those first that say most about how the function runs."""
        for rank in range(3):
            self.follow([root for root in roots if _RANKS.get(root.kind, 0) == rank])

    def follow(self, roots: list[Root]) -> None:
        waiting: deque[Place] = deque()
        for root in roots:
            if root.place not in self.steps and self.may_be_traced(root.place):
                self.steps[root.place] = Step(root.kind, root.why + self.remark(root.place), None)
                waiting.append(root.place)
            elif not root.why:
                waiting.append(root.place)
        while waiting:
            place = waiting.popleft()
            kind = self.steps[place].root
            for target, why in self.reached_from(place):
                if target not in self.steps and self.may_be_traced(target):
                    self.steps[target] = Step(kind, why, place)
                    waiting.append(target)

    def may_be_traced(self, place: Place) -> bool:
        view = self.roots.resolver.view(place[0])
        name = place[1].rpartition(".")[2]
        known = view is not None and place[1] in view.functions
        return known and name not in _NOT_FOLLOWED and not is_test_file(self.paths.get(place[0], ""))

    def remark(self, place: Place) -> str:
        """What speaks against it: the file asks for eager execution, or AutoGraph is kept out."""
        view = self.roots.resolver.view(place[0])
        if view is None:
            return ""
        notes = []
        if view.record.eager_line:
            notes.append(f"{self.paths[place[0]]}:{view.record.eager_line} asks for eager execution")
        if any("do_not_convert" in d.dotted for f in view.functions[place[1]] for d in f.decorators):
            notes.append("AutoGraph does not convert it")
        return f" ({'; '.join(notes)})" if notes else ""

    def reached_from(self, place: Place) -> Iterator[tuple[Place, str]]:
        view = self.roots.resolver.view(place[0])
        if view is not None:
            for function in view.functions[place[1]]:
                yield from self.edges(view, function)

    def edges(self, view: View, function: r.FunctionRecord) -> Iterator[tuple[Place, str]]:
        """What one function calls, passes on, or defines; callbacks of ``py_function`` and the like are left out, and
        what runs under ``tf.init_scope``, outside of the graph."""
        of = self.roots.targets.of
        here = f"{function.qualname}, {self.paths[view.name]}"
        cut = {
            text
            for call in function.calls
            if call.references and call.callee.rpartition(".")[2] in CUT
            for _, text in call.references
        }
        for call in function.calls:
            if any(first <= call.line <= last for first, last in function.lifted):
                continue
            for target in of(view, function, call.callee):
                yield target, f"called from {here}:{call.line}"
            for _, text in call.references:
                if text not in cut:
                    for target in of(view, function, text):
                        yield target, f"passed on as a function in {here}:{call.line}"
        outside = {place[1] for text in cut for place in of(view, function, text)}
        for nested in function.nested:
            if nested not in outside:
                yield (view.name, nested), f"defined in {here}:{view.functions[nested][-1].line}"

    def trace(self, place: Place) -> Trace:
        """The chain of a traced function."""
        step = self.steps[place]
        root = step.root
        chain = [step.why]
        while step.before is not None:
            step = self.steps[step.before]
            chain.append(step.why)
        return Trace(root, tuple(reversed(chain)))
