"""Which classes are Keras layers or models, across files, mixins, generics and cycles."""

from __future__ import annotations

import pytest

from tfmigrate.project.index import Kind

CLASSES = """
import abc
import collections
import enum
import threading
import typing
import keras
import numpy as np
import six
import tensorflow as tf
import tensorflow_addons as tfa
import torch
from keras.layers import *

T = typing.TypeVar("T")
Base = keras.layers.Layer
BASES = [Base]
class Plain: pass
class Mixin: pass
class Aliased(Base): pass
class Mixed(Mixin, keras.Model): pass
class Both(keras.layers.Layer, keras.Model): pass
class Generic(keras.layers.Layer[T]): pass
class Mine(typing.Generic[T]): pass
class Deep(Aliased, Mine[int]): pass
class Made(make_base(keras.layers.Layer)): pass
class Subscripted(BASES[0]): pass
class Addon(tfa.layers.Thing): pass
class MadeMixed(make_base(), keras.layers.Layer): pass
class Six(six.with_metaclass(abc.ABCMeta, keras.layers.Layer)): pass
class Meta(keras.layers.Layer, metaclass=abc.ABCMeta): pass
class Module(tf.Module): pass
class Torch(torch.nn.Module): pass
class Thread(threading.Thread): pass
class Named(collections.namedtuple("N", "a b")): pass
class Color(enum.Enum): pass
class Metric(keras.metrics.Metric): pass
class Loss(keras.losses.Loss): pass
class Sequence(keras.utils.Sequence): pass
class Starred(Dense): pass
class Loop(Loop2): pass
class Loop2(Loop): pass
class Missing(nowhere.Layer): pass
def outer():
    class Local(keras.layers.Layer): pass
"""


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Plain", Kind.NONE),
        ("Aliased", Kind.LAYER),
        ("Mixed", Kind.MODEL),
        ("Both", Kind.MODEL),
        ("Generic", Kind.LAYER),
        ("Mine", Kind.NONE),
        ("Deep", Kind.LAYER),
        ("Made", Kind.UNKNOWN),
        ("Subscripted", Kind.UNKNOWN),
        ("Addon", Kind.UNKNOWN),
        ("MadeMixed", Kind.LAYER),
        ("Six", Kind.LAYER),
        ("Meta", Kind.LAYER),
        ("Module", Kind.MODULE),
        ("Torch", Kind.NONE),
        ("Thread", Kind.NONE),
        ("Named", Kind.NONE),
        ("Color", Kind.NONE),
        ("Metric", Kind.NONE),
        ("Loss", Kind.NONE),
        ("Sequence", Kind.NONE),
        ("Starred", Kind.LAYER),
        ("Loop", Kind.NONE),
        ("Missing", Kind.UNKNOWN),
        ("outer.<locals>.Local", Kind.LAYER),
    ],
)
def test_kind(build, name, kind):
    assert build(CLASSES).kind(f"net.{name}") is kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("keras.layers.Dense", Kind.LAYER),
        ("keras.layers.Layer", Kind.LAYER),
        ("keras.layers.add", Kind.NONE),
        ("keras.layers.InputSpec", Kind.NONE),
        ("keras.layers.deserialize", Kind.NONE),
        ("keras.Model", Kind.MODEL),
        ("keras.Sequential", Kind.MODEL),
        ("keras.Input", Kind.NONE),
        ("keras.metrics.Mean", Kind.NONE),
        ("keras.applications.ResNet50", Kind.NONE),
        ("tensorflow.Module", Kind.MODULE),
        ("tensorflow.Variable", Kind.NONE),
        ("keras_nlp.layers.TransformerEncoder", Kind.UNKNOWN),
        ("builtins.object", Kind.NONE),
    ],
)
def test_kind_of_library_names(build, name, kind):
    assert build("import keras").kind(name) is kind


def test_through_files_that_mention_neither_library(build):
    index = build(
        {
            "pkg/__init__.py": "",
            "pkg/mixins.py": "class Helper:\n    def helper(self, x): return x\n",
            "pkg/base.py": "from pkg.shim import Root\nfrom .mixins import Helper\nclass Base(Helper, Root): pass\n",
            "pkg/shim.py": "from tensorflow import keras\nRoot = keras.layers.Layer\n",
            "pkg/net.py": "from . import base\nclass Net(base.Base):\n    def call(self, x): return self.helper(x)\n",
        }
    )
    assert index.kind("pkg.net.Net") is Kind.LAYER
    assert index.mro("pkg.net.Net") == (
        "pkg.net.Net",
        "pkg.base.Base",
        "pkg.mixins.Helper",
        "keras.layers.Layer",
    )
    assert index.subclasses("pkg.mixins.Helper") == ("pkg.base.Base", "pkg.net.Net")
    assert set(index.traced("pkg/net.py")) == {"Net.call"}
    assert set(index.traced("pkg/mixins.py")) == {"Helper.helper"}


def test_bases_say_what_cannot_be_seen(build):
    index = build(CLASSES)
    assert index.bases("net.Made") == ("?make_base()",)
    assert index.bases("net.Subscripted") == ("?BASES",)
    assert index.bases("net.Missing") == ("?nowhere.Layer",)
    assert index.bases("net.Addon") == ("tensorflow_addons.layers.Thing",)
    assert index.bases("net.Both") == ("keras.layers.Layer", "keras.Model")


def test_a_base_beside_the_only_file_named_is_read_from_disk(build):
    files = {
        "pkg/__init__.py": "",
        "pkg/base.py": "import keras\nclass Base(keras.layers.Layer): pass\n",
        "pkg/net.py": "# keras\nfrom .base import Base\nfrom pkg.base import Base as Other\nclass Net(Base): pass\n"
        "class Two(Other): pass\n",
        "loose.py": "# keras\nfrom pkg.base import Base\nclass Net(Base): pass\n",
    }
    index = build(files, only=("pkg/net.py",))
    assert index.kind("pkg.net.Net") is Kind.LAYER
    assert index.kind("pkg.net.Two") is Kind.LAYER
    index = build(files, only=("loose.py",))
    assert index.kind("loose.Net") is Kind.LAYER
    assert index.module_at("pkg/base.py") is not None


def test_class_facts(build):
    index = build("""
        import keras
        class Net(keras.Model):
            size = 3
            def __init__(self):
                self.a, (self.b, *self.c) = 1, (2, 3)
                self.d: int = 4
                self.e += 1
                self.other.f = 5
            def build(self, shape):
                del self.g
                for self.h in shape: pass
                with open("x") as self.i: pass
                setattr(self, "j", 1)
                setattr(self, name, 1)
            def call(this, x):
                this.a = x
                self.k = x
                def inner(y):
                    this.l = y
                    def deeper(this):
                        this.m = y
            @staticmethod
            def make(self):
                self.n = 1
        """)
    facts = index.class_facts("net.Net")
    assert facts is not None
    assert facts.self_attributes == {
        "a": ("__init__", "call"),
        "b": ("__init__",),
        "c": ("__init__",),
        "d": ("__init__",),
        "e": ("__init__",),
        "g": ("build",),
        "h": ("build",),
        "i": ("build",),
        "j": ("build",),
        "l": ("call",),
    }
    assert facts.class_attributes == {"size", "__init__", "build", "call", "make"}
    assert sorted(facts.methods) == ["__init__", "build", "call", "make"]
    assert facts.methods["call"].params == ("this", "x")
    assert index.class_facts("keras.Model") is None
