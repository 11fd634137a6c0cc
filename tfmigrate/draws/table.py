"""What each function of ``random`` and ``numpy.random`` draws, and the TensorFlow expression that draws the same.

One row for each function. Bounds and definitions are those of the two libraries' documentation:
https://docs.python.org/3/library/random.html and https://numpy.org/doc/stable/reference/random/legacy.html
Each row is held against the original's distribution in tests/draws/test_distributions.py.

In an expression ``{tf}`` is the file's name of TensorFlow, ``{random}`` is ``tf.random`` or a ``tf.random.Generator``,
``{shape}`` and ``{dtype}`` are the result's, and a parameter's name stands for its argument (``{shape_}`` for one that is
called ``shape``). ``{b+1}`` is one more than the argument and ``{2**k}`` a power of two: ``tf.random.uniform`` leaves its
upper bound out. XLA compiles no gamma and no Poisson draws (measured with TensorFlow 2.21).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass


class Result(enum.Enum):
    """What kind of number a draw is."""

    FLOAT = "float"
    INT = "int"


@dataclass(frozen=True, slots=True)
class Row:
    """How to draw the same with TensorFlow."""

    result: Result
    parameters: tuple[tuple[str, str | None], ...]
    """Name and default (as code) in the order of the original; None: the argument is required."""
    expression: str
    samples: tuple[str, ...]
    """Arguments that the distribution test draws with."""
    support: str
    """The values that can come, as a condition on ``v`` and the parameters; empty: all numbers."""
    size: str
    """The parameter that holds the shape; ``*``: all positional arguments are the shape; empty: always one number."""
    short: str
    """What to write instead of ``expression`` where all parameters have their defaults."""
    twice: tuple[str, ...]
    """Parameters that the expression evaluates more than once: only literals and names may stand there."""
    only: tuple[tuple[str, str], ...]
    """Parameters for which only one literal is supported, and that literal."""
    xla: bool
    """Whether XLA can compile the op."""
    generator: bool
    """Whether ``tf.random.Generator`` has the methods that the expression calls."""
    vector: bool
    """Whether one draw is a vector: the parameters are vectors too."""


def _row(
    result: Result,
    parameters: str,
    expression: str,
    samples: tuple[str, ...] = ("",),
    support: str = "",
    size: str = "",
    short: str = "",
    twice: tuple[str, ...] = (),
    only: tuple[tuple[str, str], ...] = (),
    xla: bool = True,
    vector: bool = False,
) -> Row:
    pairs: list[tuple[str, str | None]] = []
    for part in parameters.split():
        name, has_default, default = part.partition("=")
        pairs.append((name, default if has_default else None))
    generator = xla and "{tf}.random" not in expression
    return Row(
        result, tuple(pairs), expression, samples, support, size, short, twice, only, xla, generator, vector
    )


_F, _I = Result.FLOAT, Result.INT
_LOG = "{tf}.math.log1p(-{random}.uniform({shape}, dtype={dtype}))"
"""The logarithm of a number in (0, 1]: the negative of a standard exponential draw."""
_UNIFORM = "{random}.uniform({shape}, dtype={dtype})"
_NORMAL = "{random}.normal({shape}, dtype={dtype})"
_BETA = (
    "{tf}.sigmoid({tf}.math.log({random}.gamma({shape}, {a+1}, dtype={dtype}) / "
    "{random}.gamma({shape}, {b+1}, dtype={dtype}))"
    f" + {_LOG} / {{a}} - {_LOG} / {{b}})"
)
"""From the logarithms of two gamma draws: for small parameters these draws themselves are 0 in float32."""
_UNIT = "0 <= v < 1"


def _bounded(low: str, high: str) -> str:
    return f"{{random}}.uniform({{shape}}, {low}, {high}, dtype={{dtype}})"


def _normal(mean: str, stddev: str) -> str:
    return f"{{random}}.normal({{shape}}, {mean}, {stddev}, dtype={{dtype}})"


def _gamma(alpha: str) -> str:
    return f"{{random}}.gamma({{shape}}, {alpha}, dtype={{dtype}})"


_TWO_UNIFORMS = f"({_UNIFORM} + {_UNIFORM}) / 2"

PYTHON: Mapping[str, Row] = {
    "random": _row(_F, "", _UNIFORM, support=_UNIT),
    "uniform": _row(_F, "a b", _bounded("{a}", "{b}"), ("-2.0, 3.0", "0, 1"), "a <= v <= b"),
    "randint": _row(_I, "a b", _bounded("{a}", "{b+1}"), ("3, 7", "-1, 1"), "a <= v <= b"),
    "randrange": _row(_I, "start stop", _bounded("{start}", "{stop}"), ("3, 7", "5"), "start <= v < stop"),
    "getrandbits": _row(_I, "k", _bounded("0", "{2**k}"), ("4",), "0 <= v < 2 ** k"),
    "gauss": _row(_F, "mu=0.0 sigma=1.0", _normal("{mu}", "{sigma}"), ("", "2.0, 0.5"), short=_NORMAL),
    "normalvariate": _row(_F, "mu=0.0 sigma=1.0", _normal("{mu}", "{sigma}"), ("", "2.0, 0.5"), short=_NORMAL),
    "lognormvariate": _row(
        _F, "mu=0.0 sigma=1.0", "{tf}.exp(" + _normal("{mu}", "{sigma}") + ")", ("0.0, 0.5",), "v > 0"
    ),
    "expovariate": _row(_F, "lambd=1.0", "-" + _LOG + " / {lambd}", ("2.5",), "v >= 0", short="-" + _LOG),
    "weibullvariate": _row(
        _F, "alpha beta", "{alpha} * (-" + _LOG + ") ** (1.0 / {beta})", ("2.0, 1.5",), "v >= 0"
    ),
    "paretovariate": _row(_F, "alpha", "{tf}.exp(-" + _LOG + " / {alpha})", ("3.0",), "v >= 1"),
    "betavariate": _row(
        _F, "alpha beta", _BETA.replace("{a", "{alpha").replace("{b", "{beta"), ("2.0, 5.0",), "0 <= v <= 1",
        twice=("alpha", "beta"), xla=False,
    ),
    "gammavariate": _row(_F, "alpha beta", "{beta} * " + _gamma("{alpha}"), ("2.0, 0.5",), "v >= 0", xla=False),
    "triangular": _row(
        _F, "low=0.0 high=1.0", "{low} + ({high} - {low}) * " + _TWO_UNIFORMS, ("", "-1.0, 3.0"),
        "low <= v <= high", short=_TWO_UNIFORMS, twice=("low",),
    ),
}  # fmt: skip
"""Functions of Python's ``random``, which are also the methods of ``random.Random``."""

_BOTH: Mapping[str, Row] = {
    "random": _row(_F, "size=None", _UNIFORM, support=_UNIT, size="size"),
    "standard_normal": _row(_F, "size=None", _NORMAL, size="size"),
    "standard_exponential": _row(_F, "size=None", "-" + _LOG, support="v >= 0", size="size"),
    "standard_gamma": _row(
        _F, "shape size=None", _gamma("{shape_}"), ("2.0",), "v >= 0", "size", xla=False
    ),
    "uniform": _row(
        _F, "low=0.0 high=1.0 size=None", _bounded("{low}", "{high}"), ("", "-2.0, 3.0"), "low <= v <= high",
        "size", short=_UNIFORM,
    ),
    "normal": _row(
        _F, "loc=0.0 scale=1.0 size=None", _normal("{loc}", "{scale}"), ("", "2.0, 0.5"), "", "size", short=_NORMAL
    ),
    "lognormal": _row(
        _F, "mean=0.0 sigma=1.0 size=None", "{tf}.exp(" + _normal("{mean}", "{sigma}") + ")", ("0.0, 0.5",),
        "v > 0", "size",
    ),
    "binomial": _row(
        _I, "n p size=None", "{tf}.cast({random}.uniform({shape}) < {p}, {dtype})", ("1, 0.3",), "0 <= v <= n",
        "size", only=(("n", "1"),),
    ),
    "poisson": _row(
        _I, "lam=1.0 size=None", "{random}.poisson({shape}, {lam}, dtype={dtype})", ("3.5",), "v >= 0", "size",
        xla=False,
    ),
    "exponential": _row(
        _F, "scale=1.0 size=None", "-{scale} * " + _LOG, ("2.5",), "v >= 0", "size", short="-" + _LOG
    ),
    "laplace": _row(
        _F, "loc=0.0 scale=1.0 size=None", "{loc} + {scale} * (" + _LOG + " - " + _LOG + ")", ("1.0, 2.0",), "",
        "size", short=_LOG + " - " + _LOG,
    ),
    "rayleigh": _row(
        _F, "scale=1.0 size=None", "{scale} * {tf}.sqrt(-2.0 * " + _LOG + ")", ("2.0",), "v >= 0", "size",
        short="{tf}.sqrt(-2.0 * " + _LOG + ")",
    ),
    "weibull": _row(_F, "a size=None", "(-" + _LOG + ") ** (1.0 / {a})", ("1.5",), "v >= 0", "size"),
    "pareto": _row(_F, "a size=None", "{tf}.math.expm1(-" + _LOG + " / {a})", ("3.0",), "v >= 0", "size"),
    "power": _row(_F, "a size=None", _UNIFORM + " ** (1.0 / {a})", ("2.5",), "0 <= v <= 1", "size"),
    "beta": _row(
        _F, "a b size=None", _BETA, ("2.0, 5.0", "0.05, 0.05"), "0 <= v <= 1", "size", twice=("a", "b"), xla=False
    ),
    "gamma": _row(
        _F, "shape scale=1.0 size=None", "{scale} * " + _gamma("{shape_}"), ("2.0, 0.5", "3.0"), "v >= 0", "size",
        xla=False,
    ),
    "chisquare": _row(
        _F, "df size=None", "2.0 * " + _gamma("{df} / 2.0"), ("3.0",), "v >= 0", "size", xla=False
    ),
    "dirichlet": _row(
        _F, "alpha size=None", "{tf}.nn.softmax({tf}.math.log(" + _gamma("{alpha}") + "))", ("[1.0, 2.0, 3.0]",),
        "0 <= v <= 1", "size", xla=False, vector=True,
    ),
    "multinomial": _row(
        _I, "n pvals",
        "{tf}.reduce_sum({tf}.one_hot({tf}.random.categorical({tf}.math.log({tf}.cast([{pvals}], {tf}.float32)), "
        "{n})[0], len({pvals}), dtype={dtype}), axis=0)",
        ("4, [0.2, 0.3, 0.5]",), "0 <= v <= n", twice=("pvals",), vector=True,
    ),
}  # fmt: skip
"""What NumPy's legacy functions and its ``Generator`` have in common."""

_SIZED = _row(_F, "size=None", _UNIFORM, support=_UNIT, size="size")

NUMPY: Mapping[str, Row] = {
    **_BOTH,
    "rand": _row(_F, "", _UNIFORM, support=_UNIT, size="*"),
    "randn": _row(_F, "", _NORMAL, size="*"),
    "random_sample": _SIZED,
    "sample": _SIZED,
    "ranf": _SIZED,
    "randint": _row(
        _I, "low high size=None", _bounded("{low}", "{high}"), ("3, 7", "5"), "low <= v < high", "size"
    ),
}
"""Functions of ``numpy.random``, which are also the methods of ``RandomState``."""

GENERATOR: Mapping[str, Row] = {
    **_BOTH,
    "integers": _row(
        _I, "low high size=None", _bounded("{low}", "{high}"), ("3, 7", "5"), "low <= v < high", "size"
    ),
}
"""Methods of ``numpy.random.Generator``."""

ONE_BOUND = frozenset(("randrange", "randint", "integers"))
"""Functions that, given one bound, count from 0 up to it (not Python's ``randint``, which needs both)."""

PICKS = frozenset(("choice", "choices", "sample", "permutation", "permuted", "shuffle"))
"""Functions that pick from, or reorder, what they are given."""

SEEDS = frozenset(("seed",))

# fmt: off
OTHERS = frozenset((
    "binomialvariate", "bytes", "f", "geometric", "gumbel", "hypergeometric", "logistic", "logseries",
    "multivariate_hypergeometric", "multivariate_normal", "negative_binomial", "noncentral_chisquare",
    "noncentral_f", "randbytes", "random_integers", "standard_cauchy", "standard_t", "triangular",
    "vonmises", "vonmisesvariate", "wald", "zipf",
))
# fmt: on
"""Draws without a row."""


def picked(result: Result) -> Row:
    """A row for numbers that are picked out of others; the expression is made for each."""
    return _row(result, "", "")


def row_of(library: str, method: str) -> Row | None:
    """The row of a function; ``library`` is ``random``, ``numpy.random`` or ``numpy.random.Generator``."""
    return {"random": PYTHON, "numpy.random": NUMPY, "numpy.random.Generator": GENERATOR}[library].get(method)
