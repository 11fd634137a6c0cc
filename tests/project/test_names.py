"""Live names in a parsed file agree with the index, and see what only the tree can tell."""

from __future__ import annotations

import ast

from tfmigrate.project.names import Names

TEXT = """\
import random
from tensorflow import keras as k

class Net(k.Model):
    layers = k.layers
    Dense = layers.Dense
    def call(self, x, random=random.random()):
        local = k.layers
        f = lambda k, d=k.Input: k.Model
        xs = [random.a for random in x if k.losses]
        ys = {k: k.Model for k in k.utils.these}
        def inner():
            import numpy as np
            return np.zeros, local.LSTM, layers.GRU
        return self.k, random.b, k.Sequential
"""


def names_of(build, text=TEXT):
    tree = ast.parse(text)
    return tree, Names(tree, "net", build(text))


def by_text(tree, text):
    return [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and ast.unparse(node) == text]


def test_qualified(build):
    tree, names = names_of(build)

    def meaning(text):
        return [names.qualified(node) for node in by_text(tree, text)]

    assert meaning("layers.Dense") == ["keras.layers.Dense"]
    assert meaning("random.random") == ["random.random"]
    assert meaning("k.Input") == ["keras.Input"]
    assert meaning("k.Model") == [
        "keras.Model",
        None,
        None,
    ]  # the base, the lambda's parameter, the comprehension's name
    assert meaning("random.a") == [None]
    assert meaning("random.b") == [None]
    assert meaning("k.losses") == ["keras.losses"]
    assert meaning("k.utils.these") == ["keras.utils.these"]
    assert meaning("np.zeros") == ["numpy.zeros"]
    assert meaning("local.LSTM") == ["keras.layers.LSTM"]
    assert meaning("layers.GRU") == [None]
    assert meaning("self.k") == [None]
    assert meaning("k.Sequential") == ["keras.Sequential"]


def test_a_name_bound_by_a_comprehension_elsewhere_is_free_here(build):
    tree, names = names_of(
        build, "import keras\ndef f(xs):\n    a = [keras for keras in xs]\n    return keras.Model\n"
    )
    (node,) = by_text(tree, "keras.Model")
    assert names.qualified(node) == "keras.Model"


def test_qualnames_are_those_of_the_index(build):
    tree, names = names_of(build)
    nodes = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.Lambda, ast.ClassDef))]
    module = build(TEXT).module_at("net.py")
    assert module is not None
    assert {names.qualname(n) for n in nodes} == (set(module.functions) | set(module.classes)) - {""}
    assert names.qualname(tree) == ""


def test_what_encloses_a_node(build):
    tree, names = names_of(build)
    (node,) = by_text(tree, "np.zeros")
    inner = names.enclosing_function(node)
    assert isinstance(inner, ast.FunctionDef)
    assert inner.name == "inner"
    outer = names.enclosing_function(inner)
    assert isinstance(outer, ast.FunctionDef)
    assert outer.name == "call"
    owner = names.enclosing_class(node)
    assert owner is tree.body[2]
    assert names.parent(owner) is tree
    assert names.enclosing_class(owner) is None
    assert names.enclosing_function(owner) is None


def test_a_newer_text_than_the_index(build):
    index = build("x = 1  # keras\n")
    tree = ast.parse("import keras\nkeras.Model\n")
    (node,) = by_text(tree, "keras.Model")
    assert Names(tree, "net", index).qualified(node) == "keras.Model"
    assert Names(tree, "stranger", index).qualified(node) == "keras.Model"
