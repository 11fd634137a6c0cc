"""Which functions run inside a graph, and which only look as if they did."""

from __future__ import annotations

import pickle
import textwrap

import pytest

HEAD = """\
import functools
import tensorflow as tf
from tensorflow import keras
"""


def roots(index, path="net.py"):
    """Qualname -> root, lambdas without their place."""
    return {name.split("<lambda:")[0]: trace.root for name, trace in index.traced(path).items()}


MUST = {
    "call of a layer": (
        "class A(keras.layers.Layer):\n  def call(self, x): return x",
        {"A.call": "keras-call"},
    ),
    "steps of a model": (
        "class A(keras.Model):\n  def train_step(self, d): pass\n  def test_step(self, d): pass\n"
        "  def predict_step(self, d): pass",
        {"A.train_step": "keras-step", "A.test_step": "keras-step", "A.predict_step": "keras-step"},
    ),
    "metric and loss": (
        "class M(keras.metrics.Mean):\n  def update_state(self, x): pass\n  def result(self): pass\n"
        "class L(keras.losses.Loss):\n  def call(self, a, b): pass",
        {"M.update_state": "keras-metric", "M.result": "keras-metric", "L.call": "keras-loss"},
    ),
    "optimizer": (
        "class O(keras.optimizers.SGD):\n  def update_step(self, g, v, r): pass\n  def build(self, v): pass",
        {"O.update_step": "keras-optimizer"},
    ),
    "a base out of sight": (
        "import other\nclass A(other.Thing):\n  def call(self, x): return self.h(x)\n  def h(self, x): return x",
        {"A.call": "unknown-base", "A.h": "unknown-base"},
    ),
    "decorated": ("@tf.function\ndef f(x): return x", {"f": "tf.function"}),
    "decorated with arguments": ("@tf.function(jit_compile=True)\ndef f(x): return x", {"f": "tf.function"}),
    "decorated with partial": (
        "@functools.partial(tf.function, jit_compile=True)\ndef f(x): return x",
        {"f": "tf.function"},
    ),
    "decorated with a named partial": (
        "graph = functools.partial(tf.function, jit_compile=True)\n@graph\ndef f(x): return x",
        {"f": "tf.function"},
    ),
    "decorated with a named tf.function": (
        "graph = tf.function(jit_compile=True)\n@graph\ndef f(x): return x",
        {"f": "tf.function"},
    ),
    "imported by name": (
        "from tensorflow import function\n@function\ndef f(x): return x",
        {"f": "tf.function"},
    ),
    "decorated method of any class": (
        "class A:\n  @tf.function\n  def step(self): self.inner()\n  def inner(self): pass",
        {"A.step": "tf.function", "A.inner": "tf.function"},
    ),
    "tf_agents": (
        "from tf_agents.utils import common\n@common.function()\ndef f(x): return x",
        {"f": "tf.function"},
    ),
    "a wrapper of the project": (
        "def graph(*args, **kw):\n  return tf.function(*args, **kw)\n@graph(autograph=False)\ndef f(x): return x",
        {"f": "tf.function"},
    ),
    "a wrapper with an inner function": (
        "def graph(**kw):\n  def wrap(f):\n    return tf.function(f, **kw)\n  return wrap\n@graph()\n"
        "def f(x): return x",
        {"f": "tf.function"},
    ),
    "call form": ("def f(x): return x\ng = tf.function(f)", {"f": "tf.function"}),
    "call form with arguments first": (
        "def f(x): return x\ng = tf.function(jit_compile=True)(f)",
        {"f": "tf.function"},
    ),
    "call form on a method": (
        "class A:\n  def __init__(self):\n    self.f = tf.function(self._f)\n  def _f(self): pass",
        {"A._f": "tf.function"},
    ),
    "call form on a lambda": ("g = tf.function(lambda x: x)", {"": "tf.function"}),
    "call form on a partial": (
        "def f(x): return x\ng = tf.function(functools.partial(f, 1))",
        {"f": "tf.function"},
    ),
    "map_fn": ("def f(x): return x\ny = tf.map_fn(f, [1.0])", {"f": "tensorflow-callback"}),
    "while_loop": (
        "def c(i): return i\ndef b(i): return i\ntf.while_loop(c, b, [0])",
        {"c": "tensorflow-callback", "b": "tensorflow-callback"},
    ),
    "cond by keyword": (
        "def f(): return 1\ntf.cond(p, true_fn=f, false_fn=lambda: 2)",
        {"f": "tensorflow-callback", "": "tensorflow-callback"},
    ),
    "case and switch_case": (
        "def f(): pass\ndef g(): pass\ndef h(): pass\ntf.case([(p, f)], default=g)\ntf.switch_case(i, {0: h})",
        {"f": "tensorflow-callback", "g": "tensorflow-callback", "h": "tensorflow-callback"},
    ),
    "custom_gradient": (
        "@tf.custom_gradient\ndef f(x):\n  def grad(dy): return dy\n  return x, grad",
        {"f": "tensorflow-callback", "f.<locals>.grad": "tensorflow-callback"},
    ),
    "recompute_grad": ("def f(x): return x\ng = tf.recompute_grad(f)", {"f": "tensorflow-callback"}),
    "compat.v1": ("def f(x): return x\ntf.compat.v1.map_fn(f, [1])", {"f": "tensorflow-callback"}),
    "keras.ops": ("def f(x): return x\nkeras.ops.map(f, x)", {"f": "tensorflow-callback"}),
    "backend.rnn": (
        "from keras import backend as K\ndef f(x, s): return x, s\nK.rnn(f, x, [])",
        {"f": "tensorflow-callback"},
    ),
    "dataset chain": ("def f(x): return x\ntf.data.Dataset.range(3).batch(2).map(f)", {"f": "dataset"}),
    "dataset by name": (
        "def f(x): return x\ndef load(train_ds):\n  return train_ds.shuffle(3).map(f).filter(lambda x: x)",
        {"f": "dataset", "load.<locals>.": "dataset"},
    ),
    "dataset by keyword": (
        "def f(x): return x\ndef load(d):\n  return d.map(f, num_parallel_calls=4)",
        {"f": "dataset"},
    ),
    "dataset attribute": (
        "class A:\n  def f(self, x): return x\n  def go(self): self.dataset.map(self.f)",
        {"A.f": "dataset"},
    ),
    "dataset variable": (
        "def f(x): return x\ndef load():\n  d = tf.data.TFRecordDataset('x')\n  return d.map(f)",
        {"f": "dataset"},
    ),
    "dataset with partial": (
        "def f(x, n): return x\nds = make()\nds.map(functools.partial(f, n=1))",
        {"f": "dataset"},
    ),
    "strategy.run": ("def f(x): return x\nstrategy.run(f, args=(1,))", {"f": "strategy.run"}),
    "strategy attribute": (
        "class A:\n  def f(self): pass\n  def go(self): self._strategy.run(self.f)",
        {"A.f": "strategy.run"},
    ),
    "experimental_run_v2": ("def f(x): return x\ns.experimental_run_v2(f)", {"f": "strategy.run"}),
    "Lambda layer": ("def f(x): return x\nkeras.layers.Lambda(f)", {"f": "lambda-layer"}),
    "loss function": ("def f(a, b): return a\nmodel.compile('adam', loss=f)", {"f": "keras-loss"}),
    "through self": (
        "class A(keras.Model):\n  def call(self, x): return self.h(x)\n  def h(self, x): return self.k(x)\n"
        "  def k(self, x): return x",
        {"A.call": "keras-call", "A.h": "keras-call", "A.k": "keras-call"},
    ),
    "through super": (
        "class A(keras.Model):\n  def h(self, x): return x\nclass B(A):\n  def call(self, x): return super().h(x)\n"
        "class C(A):\n  def call(self, x): return super(C, self).h(x)",
        {"A.h": "keras-call", "B.call": "keras-call", "C.call": "keras-call"},
    ),
    "an overriding hook": (
        "class A(keras.Model):\n  def call(self, x): return self.h(x)\n  def h(self, x): return x\n"
        "class B(A):\n  def h(self, x): return 2 * x",
        {"A.call": "keras-call", "A.h": "keras-call", "B.h": "keras-call"},
    ),
    "a mixin's sibling": (
        "class M:\n  def call(self, x): return x\n  def start(self, x): return self.other(x)\n"
        "class N(M, keras.Model):\n  def call(self, x): return self.start(x)\n  def other(self, x): return x",
        {"N.call": "keras-call", "M.start": "keras-call", "N.other": "keras-call"},
    ),
    "functions, nested functions, lambdas": (
        "def util(x): return x\ndef only_passed(x): return x\nclass A(keras.Model):\n  def call(self, x):\n"
        "    def inner(y): return util(y)\n    tf.nest.map_structure(only_passed, x)\n"
        "    return (lambda z: z)(inner(x))",
        {
            "A.call": "keras-call",
            "util": "keras-call",
            "only_passed": "keras-call",
            "A.call.<locals>.inner": "keras-call",
            "A.call.<locals>.": "keras-call",
        },
    ),
    "an attribute that holds a function": (
        "def f(x): return x\nclass A(keras.Model):\n  def __init__(self):\n    self.f = f\n    self.g = lambda x: x\n"
        "  def call(self, x): return self.f(self.g(x))",
        {"A.call": "keras-call", "f": "keras-call", "A.__init__.<locals>.": "keras-call"},
    ),
    "a method of an attribute": (
        "class P:\n  def run(self, x): return x\n  def other(self, x): return x\nclass A(keras.Model):\n"
        "  def __init__(self):\n    self.p = P()\n  def call(self, x): return self.p.run(x)",
        {"A.call": "keras-call", "P.run": "keras-call"},
    ),
    "a method through a local": (
        "class A(keras.Model):\n  def call(self, x):\n    step = self.h\n    return step(x)\n"
        "  def h(self, x): return x",
        {"A.call": "keras-call", "A.h": "keras-call"},
    ),
    "a class attribute": (
        "def f(x): return x\nclass A(keras.Model):\n  act = staticmethod(f)\n  def call(self, x): return self.act(x)",
        {"A.call": "keras-call", "f": "keras-call"},
    ),
    "static and class methods": (
        "class A(keras.Model):\n  def call(self, x): return A.s(self.c(x))\n  @staticmethod\n  def s(x): return x\n"
        "  @classmethod\n  def c(cls, x): return cls.d(x)\n  @classmethod\n  def d(cls, x): return x",
        {"A.call": "keras-call", "A.s": "keras-call", "A.c": "keras-call", "A.d": "keras-call"},
    ),
    "both definitions of a name": (
        "class A(keras.Model):\n  def call(self, x):\n    if x:\n      def f(): return one()\n    else:\n"
        "      def f(): return two()\n"
        "    return f()\ndef one(): pass\ndef two(): pass",
        {"A.call": "keras-call", "A.call.<locals>.f": "keras-call", "one": "keras-call", "two": "keras-call"},
    ),
    "getattr with a literal": (
        "class A(keras.Model):\n  def call(self, x): return getattr(self, 'h')(x)\n  def h(self, x): return x",
        {"A.call": "keras-call", "A.h": "keras-call"},
    ),
}


@pytest.mark.parametrize("case", MUST)
def test_is_traced(build, case):
    text, expected = MUST[case]
    assert roots(build(HEAD + text + "\n")) == expected


MUST_NOT = {
    "functional builder": "def make():\n  i = keras.Input(3)\n  return keras.Model(i, keras.layers.Dense(3)(i))",
    "init, build, config": (
        "class A(keras.layers.Layer):\n  def __init__(self): self.h()\n  def build(self, s): self.h()\n"
        "  def h(self): pass\n"
        "  def get_config(self): return {}\n  def compute_output_shape(self, s): return s"
    ),
    "Sequence": "class S(keras.utils.Sequence):\n  def __getitem__(self, i): return i\n"
    "  def on_epoch_end(self): pass",
    "plain class with call": "class A:\n  def call(self, x): return x\n  def train_step(self, x): return x",
    "torch": "import torch\nclass A(torch.nn.Module):\n  def call(self, x): return x\n"
    "  def forward(self, x): return x",
    "tf.Module call": "class A(tf.Module):\n  def __call__(self, x): return x\n  def call(self, x): return x",
    "layer without steps": "class A(keras.layers.Layer):\n  def train_step(self, x): return x",
    "callback": "class C(keras.callbacks.Callback):\n  def on_epoch_end(self, e, logs): pass",
    "RL act": "class Agent:\n  def act(self, s): return self.model(s)",
    "from_generator": "def gen():\n  yield 1\ntf.data.Dataset.from_generator(gen, tf.int32)",
    "py_function outside": "def f(x): return x\ny = tf.py_function(f, [1], tf.int32)",
    "another function": "def function(f): return f\n@function\ndef f(x): return x",
    "shadowed function": "def make(function):\n  @function\n  def f(x): return x\n  return f",
    "an unknown common": "import common\n@common.function()\ndef f(x): return x",
    "jax": "import jax\n@jax.jit\ndef f(x): return x\njax.lax.cond(p, f, f, 1)\njax.lax.map(f, 1)",
    "builtin map": "def f(x): return x\nlist(map(f, [1]))\nlist(filter(f, [1]))\nfunctools.reduce(f, [1])",
    "pool and frame": "def f(x): return x\npool.map(f, [1])\ndf.map(f)\ndata.map(f)\nexecutor.run(f)\nasyncio.run(f)",
    "foreign datasets": "import datasets\ndef f(x): return x\ndef g(dataset): return dataset.map(f)",
    "dataset.apply": "def f(ds): return ds\ntf.data.Dataset.range(3).apply(f)",
    "positions that are no callbacks": "def f(x): return x\ntf.map_fn(None, f)\nkeras.layers.Lambda(None, f)\n"
    "strategy.run(None, f)",
    "a parameter of the same name": "def h(x): return x\nclass A(keras.Model):\n  def get(self, h): return h(1)",
    "re.compile and others": "import re\ndef f(x): return x\nre.compile(f)\nmodel.compile(optimizer=f)",
    "method never called": "class A(keras.Model):\n  def helper(self, x): return x",
    "docstring": '"""\n@tf.function\ndef f(x): return x\n"""',
}


@pytest.mark.parametrize("case", MUST_NOT)
def test_is_not_traced(build, case):
    assert roots(build(HEAD + MUST_NOT[case] + "\n")) == {}


CUT = {
    "py_function by name": "def f(x): return helper(x)\ndef helper(x): return x\nclass A(keras.Model):\n"
    "  def call(self, x): return tf.py_function(f, [x], tf.int32)",
    "py_function by keyword": "def f(x): return x\nclass A(keras.Model):\n"
    "  def call(self, x): return tf.py_function(func=f, inp=[x], Tout=tf.int32)",
    "numpy_function by method": "class A(keras.Model):\n"
    "  def call(self, x): return tf.numpy_function(self.f, [x], tf.int32)\n  def f(self, x): return x",
    "nested function": "class A(keras.Model):\n  def call(self, x):\n    def f(y): return y\n"
    "    return tf.py_function(f, [x], tf.int32)",
    "lambda": "class A(keras.Model):\n  def call(self, x): return tf.py_function(lambda y: y, [x], tf.int32)",
    "partial": "def f(x, n): return x\nclass A(keras.Model):\n"
    "  def call(self, x): return tf.py_function(functools.partial(f, 1), [x], tf.int32)",
    "init_scope": "def h(): pass\nclass A(keras.Model):\n  def call(self, x):\n    with tf.init_scope():\n      h()\n"
    "    return x",
    "construction": "class P:\n  def __init__(self): self.h()\n  def h(self): pass\nclass A(keras.Model):\n"
    "  def call(self, x): return P()",
    "build by hand": "class A(keras.Model):\n  def call(self, x): self.build(x)\n"
    "  def build(self, s): self.h()\n  def h(self): pass",
    "a layer that is called": "class B:\n  def __call__(self, x): return x\n  def other(self): pass\n"
    "class A(keras.Model):\n  def call(self, x): return self.unknown(x)",
    "an argument that hides it": "def h(x): return x\nclass A(keras.Model):\n  def call(self, h): return h(1)",
    "another's self": "class A(keras.Model):\n  def call(self, other): return other.h(1)\n  def h(self, x): return x",
    "property": "class A(keras.Model):\n  def call(self, x): return x * self.p\n  @property\n  def p(self): return 1",
}


@pytest.mark.parametrize("case", CUT)
def test_only_call_is_traced(build, case):
    assert roots(build(HEAD + CUT[case] + "\n")) == {"A.call": "keras-call"}


@pytest.mark.parametrize("name", ["test_net.py", "net_test.py", "tests/conftest.py"])
def test_tests_are_left_alone(build, name):
    text = HEAD + "class A(keras.Model):\n  def call(self, x): return x\n@tf.function\ndef f(x): return x\n"
    index = build({name: text, "net.py": "# keras\nimport net_test, test_net\n"})
    assert roots(index, name) == {}


def test_the_chain_crosses_files(build):
    index = build(
        {
            "pkg/__init__.py": "",
            "pkg/net.py": HEAD + textwrap.dedent("""
                from . import ops
                class Net(keras.Model):
                    def call(self, x):
                        return self.block(x)
                    def block(self, x):
                        return ops.scale(x)
                """),
            "pkg/ops.py": "def scale(x):\n    return inner(x)\n\ndef inner(x):\n    return x\n\n"
            "def unused(x):\n    return x\n",
        }
    )
    assert index.traced("pkg/ops.py")["inner"].chain == (
        "Net.call: Keras calls it inside a graph",
        "called from Net.call, pkg/net.py:8",
        "called from Net.block, pkg/net.py:10",
        "called from scale, pkg/ops.py:2",
    )
    assert set(index.traced("pkg/ops.py")) == {"scale", "inner"}
    assert set(index.traced("pkg/net.py")) == {"Net.call", "Net.block"}
    assert dict(index.traced("nowhere.py")) == {}


def test_a_hook_in_a_file_that_mentions_neither(build):
    index = build(
        {
            "base.py": HEAD
            + "class Base(keras.Model):\n  def call(self, x): return self.hook(x)\n  def hook(self, x): return x\n",
            "mine.py": "from base import Base\nclass Mine(Base):\n  def hook(self, x): return 2 * x\n",
            "far.py": "class Base:\n  def hook(self, x): return x\n",
        }
    )
    assert set(index.traced("mine.py")) == {"Mine.hook"}
    assert index.module_at("far.py") is None


def test_certain_roots_win_over_unknown_bases(build):
    text = (
        "import other\nclass A(other.T):\n  def call(self, x): return util(x)\ndef util(x): return x\n"
        "@tf.function\ndef f(x): return util(x)\n"
    )
    assert roots(build(HEAD + text)) == {"A.call": "unknown-base", "util": "tf.function", "f": "tf.function"}


def test_eager_execution_is_said(build):
    text = "class A(keras.Model):\n  def call(self, x): return x\nA().compile(run_eagerly=True)\n"
    assert build(HEAD + text).traced("net.py")["A.call"].chain == (
        "A.call: Keras calls it inside a graph (net.py:6 asks for eager execution)",
    )
    text = (
        "@tf.autograph.experimental.do_not_convert\n@tf.function\ndef f(x): return x\n"
        "tf.config.run_functions_eagerly(False)\n"
    )
    assert build(HEAD + text).traced("net.py")["f"].chain == (
        "f: decorated with tf.function (AutoGraph does not convert it)",
    )


def test_functions_that_the_user_names(build):
    text = (
        "import other\nclass A(other.T):\n  def call(self, x): return x\n"
        "class Net(tf.Module):\n  def penalty(self, x): return norm(x)\n  def other(self, x): return x\n"
        "def norm(x): return x\n@tf.function\ndef penalty(x): return x\ndef norms(x): return x\n"
    )
    found = build(HEAD + text, declared=("penalty", "net:A.*", "elsewhere:norms", "gone", "No.norm"))
    assert roots(found) == {
        "Net.penalty": "declared",
        "norm": "declared",
        "penalty": "tf.function",
        "A.call": "declared",
    }
    assert found.traced("net.py")["norm"].chain == (
        "Net.penalty: said to run inside a graph (traced = 'penalty')",
        "called from Net.penalty, net.py:8",
    )
    assert found.undefined == ("elsewhere:norms", "gone", "No.norm")
    again = pickle.loads(pickle.dumps(found))
    assert roots(again) == roots(found) and again.undefined == found.undefined
