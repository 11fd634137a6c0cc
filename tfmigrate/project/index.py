"""The project index: what modules, classes and functions a code base has, what names mean, and what runs inside a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tfmigrate.project import records as r
from tfmigrate.project.callers import Caller, CallerTable
from tfmigrate.project.classes import ClassTable, Place
from tfmigrate.project.disk import Disk
from tfmigrate.project.extract import extract
from tfmigrate.project.facts import (
    CallFacts,
    ClassFacts,
    Decorator,
    FunctionFacts,
    ModuleFacts,
    Parameter,
)
from tfmigrate.project.gather import gather, without_collector
from tfmigrate.project.keras import Kind
from tfmigrate.project.modules import ModuleTable
from tfmigrate.project.resolve import Resolver, View
from tfmigrate.project.roots import Roots, is_named
from tfmigrate.project.targets import Targets
from tfmigrate.project.traced import Step, Trace, Tracer

if TYPE_CHECKING:
    from tfmigrate.source import SourceFile

__all__ = [
    "CallFacts",
    "Caller",
    "ClassFacts",
    "Decorator",
    "FunctionFacts",
    "Kind",
    "ModuleFacts",
    "Parameter",
    "ProjectIndex",
    "Trace",
    "build_index",
]


class ProjectIndex:
    """Answers about a code base. Picklable; what it says never changes, though answers are computed when first asked for.

    Names are canonical: ``keras.layers.Dense``, ``tensorflow.function``, ``builtins.range``, and ``pkg.mod.Class`` for the
    project's own. The index reads no file and imports nothing.
    """

    def __init__(
        self,
        table: ModuleTable,
        records: Mapping[str, r.ModuleRecord],
        texts: Mapping[str, int],
        steps: dict[Place, Step] | None = None,
        declared: tuple[str, ...] = (),
    ) -> None:
        self._table = table
        self._records = records
        self._texts = texts
        self._resolver = Resolver(table, records)
        self._classes = ClassTable(self._resolver)
        self._targets = Targets(self._resolver, self._classes)
        self._paths = {name: table.by_name[name].path for name in records}
        self._names = {path: name for name, path in self._paths.items()}
        self._callers = CallerTable(self._resolver, self._targets, self._paths)
        self._facts: dict[str, ModuleFacts] = {}
        self._traces: dict[str, Mapping[str, Trace]] = {}
        self._declared = declared
        roots = Roots(self._resolver, self._classes, self._targets, declared)
        self._tracer = Tracer(roots, self._paths)
        if steps is None:
            self._tracer.run()
        else:
            self._tracer.steps = steps
        self._traced_by_module: dict[str, list[str]] = {}
        self._sort_traces()

    def _sort_traces(self) -> None:
        self._traced_by_module.clear()
        for module, qualname in self._tracer.steps:
            self._traced_by_module.setdefault(module, []).append(qualname)

    def __getstate__(self) -> tuple[Any, ...]:
        return self._table, self._records, self._texts, self._tracer.steps, self._declared

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        ProjectIndex.__init__(self, *state)

    # Files

    @property
    def modules(self) -> tuple[str, ...]:
        """Names of all modules that were read, in the order of reading."""
        return tuple(self._records)

    def module_at(self, path: str) -> ModuleFacts | None:
        """The module of ``SourceFile.path``; None for a file that does not parse or cannot matter."""
        name = self._names.get(path)
        return self._module(name) if name is not None else None

    def module_of(self, qualified: str) -> ModuleFacts | None:
        """The module that defines a project name."""
        place = self._resolver.split(qualified)
        return self._module(place[0]) if place is not None and place[0] in self._records else None

    def _module(self, name: str) -> ModuleFacts:
        if name not in self._facts:
            view = self._resolver.view(name)
            assert view is not None
            file = self._table.by_name[name]
            self._facts[name] = module_facts(view, file.path, file.is_package)
        return self._facts[name]

    def with_source(self, source: SourceFile) -> ProjectIndex:
        """:meth:`with_sources` for one file."""
        return self.with_sources((source,))

    def with_sources(self, sources: Iterable[SourceFile]) -> ProjectIndex:
        """The index after these files got new text; files that are unknown or do not parse stay as they were.

        Quick: other files are not traced anew, and what they were found to reach in these stays reached.
        """
        new: dict[str, r.ModuleRecord] = {}
        texts: dict[str, int] = {}
        for source in sources:
            name, record = self._names.get(source.path), extract(source.text)
            if name is not None and record is not None:
                new[name], texts[name] = record, hash(source.text)
        if not new:
            return self
        records = {**self._records, **new}
        steps = dict(self._tracer.steps)
        changed = ProjectIndex(self._table, records, {**self._texts, **texts}, steps, self._declared)
        changed._resolver.views.update((n, view) for n, view in self._resolver.views.items() if n not in new)
        changed._callers.take_over(self._callers, new)
        changed._tracer.retrace(set(new))
        changed._sort_traces()
        return changed

    @property
    def undefined(self) -> tuple[str, ...]:
        """Patterns of traced functions that no function's name matches."""
        views = [view for view in map(self._resolver.view, self._records) if view is not None]
        return tuple(
            pattern
            for pattern in self._declared
            if not any(is_named(pattern, view.name, name) for view in views for name in view.functions)
        )

    # Names

    def resolve(self, module: str, dotted: str, function: str = "") -> str | None:
        """The canonical name that ``dotted`` has inside ``function`` (a qualname, also of a class for its body).

        None where a local or a parameter hides it, where it is bound in several ways, or where nothing is known of it.
        """
        return self._resolver.resolve(module, dotted, function)

    def class_facts(self, qualified: str) -> ClassFacts | None:
        """A class that a project file defines."""
        place = self._resolver.split(qualified)
        if place is None or place[0] not in self._records:
            return None
        return self._module(place[0]).classes.get(place[1])

    def function_facts(self, qualified: str) -> FunctionFacts | None:
        """A function, method, nested function or lambda that a project file defines; not inherited ones."""
        place = self._resolver.split(qualified)
        if place is None or not place[1] or place[0] not in self._records:
            return None
        return self._module(place[0]).functions.get(place[1])

    # Classes

    def bases(self, qualified: str) -> tuple[str, ...]:
        """Direct bases by canonical name; ``?`` and the text for one that cannot be seen."""
        return self._classes.bases(qualified)

    def mro(self, qualified: str) -> tuple[str, ...]:
        """The visible linearisation, the class itself first."""
        return self._classes.mro(qualified)

    def subclasses(self, qualified: str) -> tuple[str, ...]:
        """Project classes below, transitively."""
        return self._classes.subclasses(qualified)

    def kind(self, qualified: str) -> Kind:
        """What a class is, the project's or a library's."""
        return self._classes.kind(qualified)

    # Traced code

    def traced(self, path: str) -> Mapping[str, Trace]:
        """Function qualname -> why it runs inside a graph, for the file at ``path``."""
        if path not in self._traces:
            name = self._names.get(path, "")
            traced = sorted(self._traced_by_module.get(name, ()))
            self._traces[path] = MappingProxyType({q: self._tracer.trace((name, q)) for q in traced})
        return self._traces[path]

    def callers(self, qualified_function: str) -> tuple[Caller, ...]:
        """All places that call the function or hand it on, tests left out; see :class:`Caller` for how sure each is."""
        place = self._resolver.split(qualified_function)
        view = self._resolver.view(place[0]) if place is not None else None
        if place is None or view is None or place[1] not in view.functions:
            return ()
        return self._callers.of(place)

    # For live names

    def record_of(self, module: str, text: str) -> r.ModuleRecord | None:
        """The facts of a module, if they were taken from this very text in this process."""
        return self._records.get(module) if self._texts.get(module) == hash(text) else None

    def resolver(self) -> Resolver:
        """The name resolution that this index is built on."""
        return self._resolver


def module_facts(view: View, path: str, is_package: bool) -> ModuleFacts:
    """The public form of a file's facts."""
    functions = {q: FunctionFacts(found[-1], view.name) for q, found in view.functions.items()}
    classes = {
        q: ClassFacts(owner, view.name, MappingProxyType({n: functions[f] for n, f in owner.methods.items()}))
        for q, owner in view.classes.items()
    }
    return ModuleFacts(
        view.name, path, is_package, view.record, MappingProxyType(classes), MappingProxyType(functions)
    )


def build_index(
    sources: Iterable[SourceFile],
    roots: Sequence[Path],
    cache_dir: Path | None,
    jobs: int = 1,
    disk: Disk | None = None,
    declared: tuple[str, ...] = (),
) -> ProjectIndex:
    """Read what matters of ``sources`` and link it.

    ``roots`` are the folders (or files) that the user named: loose scripts are named after their place below them, and
    imported files that are not among ``sources`` are looked for there. ``cache_dir`` keeps facts between runs; None keeps
    none. ``jobs`` processes parse. A file that does not parse is absent from the index. ``disk`` notes what was asked of the
    disk beyond ``sources``. ``declared`` are patterns of functions that are traced though no code shows it.
    """
    gathered = gather(sources, roots, cache_dir, jobs, Disk() if disk is None else disk)
    with without_collector():
        return ProjectIndex(gathered.table, gathered.records, gathered.texts, None, declared)
