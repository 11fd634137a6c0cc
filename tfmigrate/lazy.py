"""LibCST, loaded when it is first used: most runs rewrite nothing, and loading it costs more than a small project.

``from tfmigrate.lazy import libcst as cst`` instead of ``import libcst as cst``, in modules that are loaded to look for
something. It does not help where a module subclasses or calls it while it is being loaded.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import libcst as libcst
else:

    class _Deferred(ModuleType):
        def __getattr__(self, name: str) -> Any:
            import libcst as loaded

            vars(self).update(vars(loaded))  # From now on found without coming here.
            return getattr(loaded, name)

    libcst = _Deferred("libcst")
