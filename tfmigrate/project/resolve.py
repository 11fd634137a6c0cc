"""What a dotted name means at a place: through scopes, aliases, imports, re-exports and star imports."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field

from tfmigrate.project import records as r
from tfmigrate.project.canonical import LIBRARY_ROOTS, canonical
from tfmigrate.project.modules import ModuleTable

_BUILTINS = frozenset(dir(builtins))
_LIBRARY_EXPORTS = {"tf": "tensorflow", "keras": "keras"}
"""Names that mean the library even when the module that re-exports them is not at hand."""


@dataclass(frozen=True, slots=True)
class View:
    """One file's facts by qualname."""

    name: str
    folder: str
    record: r.ModuleRecord
    functions: Mapping[str, tuple[r.FunctionRecord, ...]]
    """All definitions of a qualname, in order."""
    classes: Mapping[str, r.ClassRecord]


def view_of(name: str, folder: str, record: r.ModuleRecord) -> View:
    functions: dict[str, tuple[r.FunctionRecord, ...]] = {}
    for function in record.functions:
        functions[function.qualname] = (*functions.get(function.qualname, ()), function)
    return View(name, folder, record, functions, {c.qualname: c for c in record.classes})


@dataclass(slots=True)
class Resolver:
    """Resolves names. Holds caches, so it belongs to one index; results depend on the files alone."""

    table: ModuleTable
    records: Mapping[str, r.ModuleRecord]
    views: dict[str, View] = field(default_factory=dict)
    cache: dict[tuple[str, str, str], str | None] = field(default_factory=dict)
    places: dict[str, tuple[str, str] | None] = field(default_factory=dict)
    open: set[tuple[str, str, str]] = field(default_factory=set)
    met_cycle: bool = False

    def view(self, module: str) -> View | None:
        found = self.views.get(module)
        if found is None and module in self.records:
            folder = self.table.by_name[module].folder
            found = self.views[module] = view_of(module, folder, self.records[module])
        return found

    def resolve(self, module: str, dotted: str, scope: str = "", skip_class: bool = False) -> str | None:
        """The canonical absolute name of ``dotted`` as seen from ``scope`` (a function's or class's qualname)."""
        view = self.view(module)
        return None if view is None else self.resolve_in(view, dotted, scope, skip_class)

    def resolve_in(self, view: View, dotted: str, scope: str = "", skip_class: bool = False) -> str | None:
        """The same in a file that may be newer than the index has it."""
        head, _, rest = dotted.partition(".")
        if "(" in dotted or not head:
            return None
        found = self.lookup(view, head, scope, skip_class)
        if found is None or not rest:
            return found
        return self.extend(found, rest.split("."))

    def lookup(self, view: View, name: str, scope: str, skip_class: bool = False) -> str | None:
        """What a single name means in a scope."""
        is_first = not skip_class
        while scope:
            functions = view.functions.get(scope)
            if functions is not None:
                function = functions[-1]
                hidden = name in function.hidden or name in function.comprehended
                if hidden or name in function.bindings:
                    return None if hidden else self.agreed(view, function.bindings[name], name, scope)
                scope = function.parent
            elif scope in view.classes:
                owner = view.classes[scope]
                if is_first and (name in owner.hidden or name in owner.bindings):
                    hidden = name in owner.hidden
                    return None if hidden else self.agreed(view, owner.bindings[name], name, scope)
                scope = owner.parent
            else:
                return None
            is_first = False
        found, value = self.global_name(view, name)
        if found:
            return value
        return f"builtins.{name}" if name in _BUILTINS else None

    def agreed(self, view: View, bindings: tuple[r.Binding, ...], name: str, scope: str) -> str | None:
        """What all bindings of a local name agree on."""
        values = {self.bound(view, binding, name, scope) for binding in bindings}
        return values.pop() if len(values) == 1 else None

    def bound(self, view: View, binding: r.Binding, name: str, scope: str) -> str | None:
        """What one binding means, cycles cut."""
        key = (view.name, scope, f"{name} {binding[0]} {binding[1]}")
        if key in self.open:
            self.met_cycle = True
            return None
        self.open.add(key)
        try:
            return self.bound_value(view, binding, scope)
        finally:
            self.open.discard(key)

    def bound_value(self, view: View, binding: r.Binding, scope: str) -> str | None:
        kind, payload, _ = binding
        if kind == r.FROM:
            return self.imported(view, *payload)
        if kind == r.IMPORT:
            return self.absolute(payload, view.folder)
        if kind == r.ALIAS:
            return self.resolve_in(view, payload, scope)
        if kind in (r.FUNCTION, r.CLASS):
            return f"{view.name}.{payload}"
        return None

    def imported(self, view: View, level: int, module: str, name: str) -> str | None:
        """``from module import name``."""
        found: str | None
        if level:
            base = self.table.relative(view.name, level, module)
            found = self.member(base, [name]) if base is not None else None
            if found is None:
                path = f"{module}.{name}" if module else name
                submodule = self.table.relative(view.name, level, path)
                found = submodule if submodule is not None else None
        else:
            found = self.absolute(f"{module}.{name}", view.folder)
            if found == f"{module}.{name}" and name in _LIBRARY_EXPORTS and not self.is_project(found):
                found = None
        if found is None and name in _LIBRARY_EXPORTS:
            return _LIBRARY_EXPORTS[name]
        return found

    def is_project(self, qualified: str) -> bool:
        return self.split(qualified) is not None

    def absolute(self, dotted: str, folder: str) -> str | None:
        """An absolute dotted path, from a file in ``folder``. None for what a project module does not have."""
        head = dotted.partition(".")[0]
        if head in LIBRARY_ROOTS or head not in self.table.tops:
            return canonical(dotted)
        parts = dotted.split(".")
        for length in range(len(parts), 0, -1):
            module = self.table.find(".".join(parts[:length]), folder)
            if module is not None:
                return self.member(module, parts[length:]) if length < len(parts) else module
        return canonical(dotted)

    def member(self, module: str, rest: list[str]) -> str | None:
        """``module.rest`` where ``module`` is a file of the project."""
        view = self.view(module)
        if view is None:
            return None
        found, value = self.global_name(view, rest[0])
        if not found:
            value = self.submodule(module, rest[0])
            if value is None and rest[0] in _LIBRARY_EXPORTS:
                value = _LIBRARY_EXPORTS[rest[0]]
        return self.extend(value, rest[1:]) if value is not None else None

    def submodule(self, module: str, name: str) -> str | None:
        file = self.table.by_name[module]
        if not file.is_package:
            return None
        return self.table.by_stem.get(f"{file.folder}/{name}")

    def extend(self, found: str, rest: list[str]) -> str | None:
        """``found.rest`` where ``found`` is canonical: a module, a class, a function or a library's name."""
        if not rest:
            return found
        if found in self.table.by_name:
            return self.member(found, rest)
        place = self.split(found)
        if place is not None:
            view = self.view(place[0])
            owner = view.classes.get(place[1]) if view is not None else None
            binding = owner.bindings.get(rest[0]) if owner is not None else None
            if view is not None and binding is not None and binding[-1][0] in (r.ALIAS, r.CLASS):
                value = self.agreed(view, binding, rest[0], place[1])
                return self.extend(value, rest[1:]) if value is not None else None
        return canonical(".".join([found, *rest]))

    def split(self, qualified: str) -> tuple[str, str] | None:
        """(module, qualname) of a project name; the qualname is "" for a module itself."""
        if qualified not in self.places:
            self.places[qualified] = self._split(qualified)
        return self.places[qualified]

    def _split(self, qualified: str) -> tuple[str, str] | None:
        names = self.table.by_name
        if qualified in names:
            return qualified, ""
        end = len(qualified)
        while True:
            end = qualified.rfind(".", 0, end)
            if end < 0:
                return None
            if qualified[:end] in names:
                return qualified[:end], qualified[end + 1 :]

    def global_name(self, view: View, name: str) -> tuple[bool, str | None]:
        """(is bound, meaning) of a module-level name, star imports included."""
        key = (view.name, "", name)
        is_indexed = self.views.get(view.name) is view
        if is_indexed and key in self.cache:
            return True, self.cache[key]
        outermost = not self.open
        if outermost:
            self.met_cycle = False
        found, value = self.find_global(view, name)
        if found and is_indexed and (outermost or not self.met_cycle):
            self.cache[key] = value
        return found, value

    def find_global(self, view: View, name: str) -> tuple[bool, str | None]:
        record = view.record
        if name in record.hidden:
            return True, None
        bindings = record.bindings.get(name)
        if bindings is not None:
            return True, self.chosen(view, bindings, name)
        for level, module in reversed(record.stars):
            found, value = self.from_star(view, level, module, name)
            if found:
                return True, value
        return False, None

    def chosen(self, view: View, bindings: tuple[r.Binding, ...], name: str) -> str | None:
        """A module-level name that was bound more than once: try/except imports, rebinding, branches."""
        values = [self.bound(view, binding, name, "") for binding in bindings]
        known = [value for value in dict.fromkeys(values) if value is not None]
        if len(known) <= 1 and (
            len(known) == len(set(values)) or any(b[2] in (r.TRIED, r.HANDLER) for b in bindings)
        ):
            return known[0] if known else None
        if all(binding[2] == r.PLAIN for binding in bindings):
            return values[-1]
        if any(binding[2] in (r.TRIED, r.HANDLER) for binding in bindings):
            ours = [v for v in known if self.is_project(v) or v.partition(".")[0] in LIBRARY_ROOTS]
            return next(iter(ours or known), None)
        return None

    def from_star(self, view: View, level: int, module: str, name: str) -> tuple[bool, str | None]:
        key = (view.name, "*", f"{level} {module} {name}")
        if key in self.open:
            self.met_cycle = True
            return False, None
        target = (
            self.table.relative(view.name, level, module) if level else self.table.find(module, view.folder)
        )
        source = self.view(target) if target is not None else None
        if source is None:
            return self.from_library_star(level, module, name)
        exported = source.record.exported
        if name not in exported if exported is not None else name.startswith("_"):
            return False, None
        self.open.add(key)
        try:
            found, value = self.global_name(source, name)
        finally:
            self.open.discard(key)
        if not found and target is not None and exported is not None:
            value = self.submodule(target, name)
            found = value is not None
        return found, value

    @staticmethod
    def from_library_star(level: int, module: str, name: str) -> tuple[bool, str | None]:
        """``from tensorflow.keras.layers import *``: only classes of the namespaces that everybody star-imports."""
        if level or not name[:1].isupper() or name in _BUILTINS:
            return False, None
        origin = canonical(module)
        if origin in ("keras.layers", "keras.models") and (
            origin == "keras.layers" or name in ("Model", "Sequential")
        ):
            return True, canonical(f"{origin}.{name}")
        return False, None
