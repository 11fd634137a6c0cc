"""What a ``tfmigrate_cases.py`` uses to say how a model is made and fed. Imports nothing heavy.

A case is a function that takes the module under test and returns the callable and its calls. It is run
unchanged on the code before and after a rewrite, so it takes everything from the module that it is given::

    import tensorflow as tf
    import tfmigrate

    @tfmigrate.case("shop.model:Net")
    def small_net(module):
        net = module.Net(units=4)
        return net, [tf.random.normal([2, 5, 8]), tf.random.normal([3, 7, 8])]

Each call is a tensor (the one argument), a tuple (positional arguments), a dict (keyword arguments) or
``tfmigrate.Inputs``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Inputs:
    """The arguments of one call: ``Inputs(x, training=False)``."""

    __slots__ = ("args", "kwargs")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args
        self.kwargs = kwargs

    def __repr__(self) -> str:
        shown = [repr(value) for value in self.args]
        shown += [f"{name}={value!r}" for name, value in self.kwargs.items()]
        return f"Inputs({', '.join(shown)})"


def case(symbol: str, *, name: str = "") -> Callable[[F], F]:
    """Mark a function of ``tfmigrate_cases.py`` as a case of ``symbol``.

    Args:
        symbol: ``"pkg.mod:Net"``, or ``"Net"`` for a class or function of a module in the same folder.
        name: what the case is called in reports and in ``--case``; the function's name if empty.

    The function itself is returned. Case files are found and read without running them, so ``symbol`` and
    ``name`` have to be written as string literals.
    """
    if not isinstance(symbol, str) or not symbol:
        raise TypeError(
            "tfmigrate.case takes the symbol as a string, for example @tfmigrate.case('pkg.mod:Net')"
        )

    def mark(function: F) -> F:
        return function

    return mark
