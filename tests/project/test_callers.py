"""Who calls a function: how often, from a loop or not, and how sure that is."""

from __future__ import annotations

HEAD = "import functools\nimport tensorflow as tf\nfrom tensorflow import keras\n"


def places(index, name):
    return [
        (caller.function, caller.line, caller.in_loop, caller.is_call, caller.is_certain)
        for caller in index.callers(name)
    ]


def test_once_twice_and_in_loops(build):
    index = build(HEAD + """
class A(keras.Model):
    def call(self, x):
        x = self.once(x)
        for _ in self.first(x):
            x = self.loop(x)
        else:
            x = self.after(x)
        while self.test(x):
            pass
        return [self.comp(y) for y in self.source(x) if self.condition(y)]
    def once(self, x): return x
    def first(self, x): return x
    def loop(self, x): return x
    def after(self, x): return x
    def test(self, x): return x
    def comp(self, x): return x
    def source(self, x): return x
    def condition(self, x): return x
    def never(self, x): return x
""")
    loops = {
        name: [in_loop for _, _, in_loop, _, _ in places(index, f"net.A.{name}")]
        for name in ("once", "first", "loop", "after", "test", "comp", "source", "condition", "never")
    }
    assert loops == {
        "once": [False],
        "first": [False],
        "loop": [True],
        "after": [False],
        "test": [True],
        "comp": [True],
        "source": [False],
        "condition": [True],
        "never": [],
    }


def test_kinds_of_mention(build):
    index = build(
        {
            "net.py": HEAD
            + "class A(keras.Model):\n"
            + "  def call(self, x):\n"
            + "    f = self.h\n"
            + "    tf.map_fn(self.h, x)\n"
            + "    return f(self.h(x))\n"
            + "  def h(self, x): return x\n"
            + "class B(A):\n"
            + "  def call(self, x): return super().h(x)\n"
            + "  def h(self, x): return self.other(x)\n",
            "train.py": HEAD + "from net import A\nnet = A()\nnet.h(1)\nA.h(net, 1)\nunknown.h(2)\nh(3)\n",
            "test_net.py": HEAD + "from net import A\nA().h(1)\n",
        }
    )
    assert places(index, "net.A.h") == [
        ("net.A.call", 5, False, False, True),  # the alias, noted where the function begins
        ("net.A.call", 7, False, False, True),
        ("net.A.call", 8, False, True, True),
        ("net.A.call", 8, False, True, True),
        ("net.B.call", 11, False, True, True),
        ("train", 6, False, True, False),
        ("train", 7, False, True, True),
        ("train", 8, False, True, False),
    ]
    assert [found[:2] for found in places(index, "net.B.h") if found[4]] == [
        ("net.A.call", 5),
        ("net.A.call", 7),
        ("net.A.call", 8),
        ("net.A.call", 8),
    ]


def test_imported_under_another_name(build):
    index = build(
        {
            "ops.py": "# keras\ndef scale(x): return x\nalso = scale\n",
            "net.py": HEAD + "from ops import scale as s, also\nimport ops\ns(1)\nalso(2)\nops.scale(3)\n",
        }
    )
    assert [found[:2] for found in places(index, "ops.scale")] == [("net", 6), ("net", 7), ("net", 8)]


def test_unknown_functions_have_none(build):
    index = build(HEAD + "def f(): pass\nf()\n")
    assert index.callers("net.g") == ()
    assert index.callers("numpy.sum") == ()
    assert index.callers("net") == ()
