"""Options that several commands share, as fields of dataclasses: the command line shows each field as an option."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints


def grouped(command: Callable[..., int]) -> Callable[..., int]:
    """``command`` for typer: a parameter whose type is a dataclass stands for its fields, which it is made of again.

    All parameters become keywords, in the order in which they are written: help shows them so.
    """
    groups: dict[str, type[Any]] = {}
    shown: list[inspect.Parameter] = []
    hints = get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        kind = hints[name]
        if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
            shown.append(parameter.replace(annotation=kind, kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        groups[name] = kind
        own = get_type_hints(kind, include_extras=True)
        shown += [
            inspect.Parameter(
                field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=own[field.name]
            )
            for field in dataclasses.fields(kind)
        ]

    @functools.wraps(command)
    def called(**given: Any) -> int:
        for name, kind in groups.items():
            own = {field.name: given.pop(field.name) for field in dataclasses.fields(kind)}
            given[name] = kind(**own)
        return command(**given)

    vars(called)["__signature__"] = inspect.Signature(shown, return_annotation=int)
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in shown} | {"return": int}
    return called
