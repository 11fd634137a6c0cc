"""Random small layers, in the forms that move layers about: guards, loops, helpers, locals, several statements a line."""

from __future__ import annotations

from hypothesis import strategies as st

HEAD = '''"""Text before."""
from tensorflow.keras.layers import Dense, Dropout, Layer

WIDTH = 5
n, m, u, i = 2, 3, 4, 1


'''
TAIL = """

def after(x):
    return  x   # untouched
"""
_INITS = (
    """\
def __init__(self, units, sizes, flag, mode, maybe=None):
>super().__init__()
>self.units = units
>self.sizes = sizes
>self.flag = flag
>self.mode = mode
>self.maybe = maybe
>self.options = {"units": units}
>self.lazy = None
""",
    """\
def __init__(self, units, sizes, flag, mode, maybe=None):
>self.units = units; self.sizes = sizes
>self.flag, self.mode = flag, mode
>super().__init__(); self.maybe = maybe
>self.options = {"units": units}; self.lazy = None
""",
)
_ARGUMENTS = """\
3
self.units
self.units * 2
WIDTH
len(self.sizes)
self.sizes[-1] + 1
units=self.units
**self.options
n
u
i + 1
max(self.units, 4)
4, name="head"
3, activation=lambda t: t
self.units if self.flag else 7
k
self.later
self.maybe
self.doubled
""".splitlines()
_CONDITIONS = """\
self.flag
not self.flag
3 < self.units
self.mode == "a"
self.mode in ("a", "b")
training
k is None
self.maybe is not None
self.flag and training
self.flag or 3 < self.units
3 < n
self.maybe is None
0 < self.units <= 4
""".splitlines()
_LOOPS = """\
for u in self.sizes:
for i in range(2):
for i, u in enumerate(self.sizes):
for u in (3, 4):
for u, v in zip(self.sizes, self.sizes):
for i in range(self.units):
for u in k or []:
for u in sorted(self.sizes):
for i in range(len(self.sizes)):
""".splitlines()
_COMPREHENSIONS = ("u in self.sizes", "_ in range(2)", "i in range(self.units)", "u in (1, 2)")
_LOCALS = ("3", "self.units", "self.units + 1", "WIDTH * 2", "len(self.sizes)", "u", "k")
_SIMPLE = (
    ["x = {c}(x)"] * 6
    + ["x = {c}({d}(x))", "d = {c}\nx = d(x)", "head = {c}  # twice\nx = head(head(x))", "e = {c}; x = e(x)"]
    + ["n = {local}", "n = {local}\nx = Dense(n)(x)", "n += 1", "x = {c}(x) if {if} else x"]
    + ["x = (w := {c})(x)\nx = w(x)", "# a word\nx = {c}(x)  # behind\n", "x = total([{c}(x) for {for}])"]
    + ["x = {if} and {c}(x) or x", "x = total([{c}(x), {d}(x)])", "p, q = {c}, {d}\nx = q(p(x))"]
    + ["x = Dense(\n>self.units,  # why\n)(\n>x\n)", "self.kept = {c}\nx = self.kept(x)"]
    + [
        "if self.lazy is None:\n>self.lazy = {c}\nx = self.lazy(x)",
        "if {if}: x = {c}(x)",
        "if {if}:\n>return x",
    ]
)
_BLOCKS = (
    "if {if}:\n{block}",
    "if {if}:\n{block}\nelse:\n{more}",
    "{loop}\n{block}",
    "with scope():\n{block}",
    "if {if}:\n{block}\nelif {elif}:\n{more}",
    "try:\n{block}\nfinally:\n>pass",
)
_HELPERS = ("x = self.helper(x)", "x = self.sized(x, 3)")


@st.composite
def _constructor(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(["Dense", "Dense", "Dense", "Dropout"]))
    return f"{name}({draw(st.sampled_from(_ARGUMENTS))})"


@st.composite
def _block(draw: st.DrawFn, depth: int, calls_helpers: bool) -> str:
    forms = [*_SIMPLE, *(_BLOCKS * 2 if depth < 2 else ()), *(_HELPERS if calls_helpers else ())]
    statements = []
    for _ in range(draw(st.integers(1, 2 if depth else 5))):
        form = draw(st.sampled_from(forms))
        for name, strategy in (
            ("{c}", _constructor()),
            ("{d}", _constructor()),
            ("{local}", st.sampled_from(_LOCALS)),
            ("{if}", st.sampled_from(_CONDITIONS)),
            ("{elif}", st.sampled_from(_CONDITIONS)),
            ("{for}", st.sampled_from(_COMPREHENSIONS)),
            ("{loop}", st.sampled_from(_LOOPS)),
        ):
            form = form.replace(name, draw(strategy)) if name in form else form
        for name in ("{block}", "{more}"):
            form = (
                form.replace(name, _indented(draw(_block(depth + 1, calls_helpers))))
                if name in form
                else form
            )
        statements.append(form)
    return "\n".join(statements)


def _indented(text: str) -> str:
    return "\n".join(f">{line}" if line else line for line in text.split("\n"))


@st.composite
def modules(draw: st.DrawFn) -> str:
    """A module with one layer, ``Block``, between :data:`HEAD` and :data:`TAIL`."""
    members = [
        draw(st.sampled_from(_INITS)),
        "@property\ndef doubled(self):\n>return self.units * 2\n",
        f"def call(self, x, k=None, training=False):\n{_indented(draw(_block(0, True)))}\n>return x\n",
        f"def helper(self, x):\n{_indented(draw(_block(1, False)))}\n>return x\n",
        "def sized(self, x, n):\n>return Dense(n)(x)",
    ]
    if draw(st.booleans()):
        members.insert(1, "def change(self):\n>self.later = 3\n")
    indent = draw(st.sampled_from(["    ", "  ", "\t"]))
    return HEAD + ("class Block(Layer):\n" + _indented("\n".join(members)) + "\n").replace(">", indent) + TAIL
