"""What dotted names mean: every import form that real code uses, and the names that only look like a library's."""

from __future__ import annotations

import pytest

MUST = [
    ("import tensorflow as tf", "tf.keras.layers.Dense", "keras.layers.Dense"),
    ("import tensorflow.compat.v2 as tf", "tf.keras.layers.Dense", "keras.layers.Dense"),
    ("import tensorflow.compat.v2 as tf", "tf.function", "tensorflow.function"),
    ("import tensorflow.compat.v1 as tf", "tf.layers.dense", "tensorflow.compat.v1.layers.dense"),
    ("import tensorflow.compat.v1 as tf", "tf.keras.layers.Dense", "keras.layers.Dense"),
    ("import keras", "keras.layers.Dense", "keras.layers.Dense"),
    ("import keras.layers", "keras.layers.Dense", "keras.layers.Dense"),
    ("import keras.layers as kl", "kl.Dense", "keras.layers.Dense"),
    ("import tf_keras as keras", "keras.Model", "keras.Model"),
    ("from tensorflow import keras", "keras.models.Model", "keras.Model"),
    ("from tensorflow import function", "function", "tensorflow.function"),
    ("from tensorflow.keras import layers as L", "L.Dense", "keras.layers.Dense"),
    ("from tensorflow.keras import backend as K", "K.rnn", "keras.backend.rnn"),
    ("from tensorflow.keras.layers import Dense as D", "D", "keras.layers.Dense"),
    ("from tensorflow.keras.models import Sequential", "Sequential", "keras.Sequential"),
    ("from tensorflow.python.keras.layers.core import Dense", "Dense", "keras.layers.Dense"),
    ("from tensorflow.python.keras.engine.training import Model", "Model", "keras.Model"),
    ("from tensorflow.python.keras.engine.base_layer import Layer", "Layer", "keras.layers.Layer"),
    ("from tensorflow.python.eager.def_function import function", "function", "tensorflow.function"),
    ("from keras.engine.base_layer import Layer", "Layer", "keras.layers.Layer"),
    ("from keras.src.layers.core.dense import Dense", "Dense", "keras.layers.Dense"),
    (
        "from keras.layers.experimental.preprocessing import Normalization",
        "Normalization",
        "keras.layers.Normalization",
    ),
    ("import keras", "keras.Layer", "keras.layers.Layer"),
    ("from keras.layers import *", "Dense", "keras.layers.Dense"),
    ("from keras.layers import *\nfrom keras.models import *", "Sequential", "keras.Sequential"),
    ("from keras.layers import *\nfrom keras.models import *", "Dense", "keras.layers.Dense"),
    ("import tensorflow as tf\ntfkl = tf.keras.layers", "tfkl.Dense", "keras.layers.Dense"),
    (
        "import tensorflow as tf\nlayers, models = tf.keras.layers, tf.keras.models",
        "models.Model",
        "keras.Model",
    ),
    (
        "import tensorflow as tf\nlayers = tf.keras.layers\nDense = layers.Dense",
        "Dense",
        "keras.layers.Dense",
    ),
    (
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None",
        "tf.Module",
        "tensorflow.Module",
    ),
    (
        "try:\n    from tensorflow import keras\nexcept ImportError:\n    import keras",
        "keras.Model",
        "keras.Model",
    ),
    ("try:\n    import gone\nexcept ImportError:\n    import keras as gone", "gone.Model", "keras.Model"),
    ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import keras", "keras.Model", "keras.Model"),
    ("import importlib\nk = importlib.import_module('tensorflow.keras')", "k.Model", "keras.Model"),
    (
        "from u import LazyLoader\ntf = LazyLoader('tf', globals(), 'tensorflow')",
        "tf.Module",
        "tensorflow.Module",
    ),
    ("from tensorflow_asr import tf, keras", "tf.function", "tensorflow.function"),
    ("from tensorflow_asr import tf, keras", "keras.Model", "keras.Model"),
    ("from ..modeling_tf_utils import keras", "keras.Model", "keras.Model"),
    ("import random", "random.random", "random.random"),
    ("import numpy as np", "np.random.rand", "numpy.random.rand"),
    ("x = 1", "range", "builtins.range"),
]


@pytest.mark.parametrize(("head", "dotted", "expected"), MUST)
def test_means(build, head, dotted, expected):
    index = build(f"{head}\n# keras\n")
    assert index.resolve("net", dotted) == expected


MUST_NOT = [
    ("from keras_cv.src.backend import random", "random.random", "keras_cv.src.backend.random.random"),
    ("from jax import random", "random.random", "jax.random.random"),
    ("from tensorflow import random", "random.normal", "tensorflow.random.normal"),
    ("random = make()", "random.random", None),
    ("import keras\nkeras = shim(keras)", "keras.Model", None),
    ("import a\nif flag:\n    from a import Dense\nelse:\n    from b import Dense", "Dense", None),
    ("def range(n):\n    return n", "range", "net.range"),
    ("import torch.nn as keras", "keras.Model", "torch.nn.Model"),
    ("from tensorflow_probability import layers", "layers.Dense", "tensorflow_probability.layers.Dense"),
    ("from keras.layers import *", "list", "builtins.list"),
    ("from keras.utils import *", "Dense", None),
    ("from keras.layers import *", "Exception", "builtins.Exception"),
    ("", "undefined.thing", None),
]


@pytest.mark.parametrize(("head", "dotted", "expected"), MUST_NOT)
def test_does_not_mean_a_library(build, head, dotted, expected):
    index = build(f"{head}\n# keras\n")
    assert index.resolve("net", dotted) == expected


LOCALS = """
import random
import tensorflow as tf
from tensorflow import keras

def parameter(random, *, keras=None, **tf):
    pass

def loop(items):
    for random in items:
        pass
    with open("x") as keras:
        pass
    tf += 1

def aliases():
    layers = tf.keras.layers
    Dense = layers.Dense
    import numpy as random
    def inner():
        keras = 1

def conditional(flag):
    if flag:
        layer = keras.layers.Dense
    else:
        layer = keras.layers.LSTM

def agreeing(flag):
    layers = None
    if flag:
        layers = keras.layers
    else:
        layers = tf.keras.layers

def comprehension(xs):
    return [random for random in xs]

def declared():
    global random
    import numpy.random as random

class Net:
    layers = keras.layers
    random = 3
    def method(self):
        pass
"""

SCOPED = [
    ("random.random", "parameter", None),
    ("keras.Model", "parameter", None),
    ("tf.Module", "parameter", None),
    ("random.random", "loop", None),
    ("keras.Model", "loop", None),
    ("tf.Module", "loop", None),
    ("layers.Dense", "aliases", "keras.layers.Dense"),
    ("Dense", "aliases", "keras.layers.Dense"),
    ("random.rand", "aliases", "numpy.rand"),
    ("Dense", "aliases.<locals>.inner", "keras.layers.Dense"),
    ("keras.Model", "aliases.<locals>.inner", None),
    ("layer", "conditional", None),
    ("layers.Dense", "agreeing", "keras.layers.Dense"),
    ("random.random", "comprehension", None),
    ("layers.Dense", "Net", "keras.layers.Dense"),
    ("random.random", "Net", None),
    ("layers.Dense", "Net.method", None),
    ("keras.Model", "Net.method", "keras.Model"),
    ("random.random", "no.such.scope", None),
]


@pytest.mark.parametrize(("dotted", "scope", "expected"), SCOPED)
def test_scopes(build, dotted, scope, expected):
    assert build(LOCALS).resolve("net", dotted, scope) == expected


def test_re_exports_through_three_files_a_star_and_a_package(build):
    index = build(
        {
            "pkg/__init__.py": "from .api import *\nfrom .deep import other as renamed\n",
            "pkg/api.py": "from .deep import tf, Block\n__all__ = ['tf', 'Block']\n",
            "pkg/deep/__init__.py": "from .block import Block, tf, other\n",
            "pkg/deep/block.py": "import tensorflow as tf\nclass Block: pass\ndef other(): pass\n",
            "use.py": "import pkg\nfrom pkg import tf, Block as B, renamed\nimport pkg.deep.block as m\n",
        }
    )
    assert index.resolve("use", "tf.keras.layers.Dense") == "keras.layers.Dense"
    assert index.resolve("use", "B") == "pkg.deep.block.Block"
    assert index.resolve("use", "pkg.Block") == "pkg.deep.block.Block"
    assert index.resolve("use", "pkg.deep.block.Block") == "pkg.deep.block.Block"
    assert index.resolve("use", "m.tf.function") == "tensorflow.function"
    assert index.resolve("use", "renamed") == "pkg.deep.block.other"
    assert index.resolve("use", "pkg.missing") is None


def test_star_imports_respect_all_and_underscores(build):
    index = build(
        {
            "a.py": "import keras\n_hidden = keras.Model\nshown = keras.Model\n",
            "b.py": "import keras\n__all__ = ['one']\n__all__ += ['two']\none = two = three = keras.Model\n",
            "use.py": "from a import *\nfrom b import *\n",
        }
    )
    assert index.resolve("use", "shown") == "keras.Model"
    assert index.resolve("use", "_hidden") is None
    assert index.resolve("use", "two") == "keras.Model"
    assert index.resolve("use", "three") is None


def test_cycles_end(build):
    index = build(
        {
            "a.py": "# keras\nfrom b import *\nfrom b import x\ny = x\n",
            "b.py": "from a import *\nfrom a import y\nx = y\nz = z\n",
        }
    )
    assert index.resolve("a", "x") is None
    assert index.resolve("a", "nothing") is None
    assert index.resolve("b", "z") is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/shop/nets/block.py", "shop.nets.block"),
        ("src/shop/nets/__init__.py", "shop.nets"),
        ("scripts/train.py", "scripts.train"),
        ("scripts/01.first-steps/train.py", "scripts.01_first-steps.train"),
    ],
)
def test_module_names(build, path, name):
    index = build(
        {
            "src/shop/__init__.py": "# keras\n",
            "src/shop/nets/__init__.py": "# keras\n",
            "src/shop/nets/block.py": "# keras\n",
            "scripts/train.py": "# keras\n",
            "scripts/01.first-steps/train.py": "# keras\n",
        }
    )
    found = index.module_at(path)
    assert found is not None
    assert found.name == name


def test_loose_scripts_import_the_sibling_and_not_the_stranger(build):
    index = build(
        {
            "one/layers.py": "import keras\nclass Mine(keras.Model): pass\n",
            "one/train.py": "# keras\nfrom layers import Mine\n",
            "two/layers.py": "import keras\nclass Mine(keras.Model): pass\n",
            "two/train.py": "# keras\nfrom layers import Mine\nimport random\n",
            "three/train.py": "# keras\nfrom layers import Mine\n",
            "pkg/__init__.py": "",
            "pkg/random.py": "# keras\n",
            "pkg/use.py": "import random  # keras\n",
        }
    )
    assert index.resolve("one.train", "Mine") == "one.layers.Mine"
    assert index.resolve("two.train", "Mine") == "two.layers.Mine"
    assert index.resolve("three.train", "Mine") == "layers.Mine"
    assert index.resolve("pkg.use", "random.random") == "random.random"


def test_a_namespace_package_is_found_by_the_end_of_the_path(build):
    index = build(
        {
            "work/official/vision/net.py": "import keras\nclass Net(keras.Model): pass\n",
            "work/official/train.py": "# keras\nfrom official.vision import net\nfrom official.vision.net import Net\n",
        }
    )
    assert index.resolve("work.official.train", "net.Net") == "work.official.vision.net.Net"
    assert index.resolve("work.official.train", "Net") == "work.official.vision.net.Net"


def test_two_packages_of_one_name_keep_apart(build):
    index = build(
        {
            "a/utils/__init__.py": "",
            "a/utils/m.py": "# keras\nclass A: pass\n",
            "a/train.py": "# keras\nfrom utils.m import A\n",
            "b/utils/__init__.py": "",
            "b/utils/m.py": "# keras\nclass B: pass\n",
            "b/train.py": "# keras\nfrom utils.m import B\n",
        }
    )
    assert index.resolve("a.train", "A") == "a.utils.m.A"
    assert index.resolve("b.train", "B") == "b.utils.m.B"
