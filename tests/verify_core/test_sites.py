"""Draws of two versions are paired by their order in a function, and marked in the text without moving its lines."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

from tfmigrate.verify.model import CodeTree
from tfmigrate.verify.sites import MARK, marked, numbered

HEAD = "import random\nimport numpy as np\nimport tensorflow as tf\n"


def marks(before: str, after: str, head: str = HEAD) -> tuple[list[str], list[str]]:
    """What is marked in both versions: ``random.random 0``."""
    trees = [CodeTree((), {"/x/net.py": (head + text).encode()}) for text in (before, after)]
    found = numbered(*trees)
    return tuple(  # type: ignore[return-value]
        [
            f"{name} {' '.join(numbers.split(', '))}"
            for name, numbers in re.findall(
                rf"{MARK}\(([\w.]+), ([\d, ]+)\)", tree.overlay["/x/net.py"].decode()
            )
        ]
        for tree in (found.before, found.after)
    )


def test_draws_are_paired_in_their_order() -> None:
    before = "def f(x):\n    return x * random.random() + np.random.normal(0, 1)\n"
    after = "def f(x):\n    return x * tf.random.uniform([]) + tf.random.normal([], 0, 1)\n"
    assert marks(before, after) == (
        ["random.random 0", "np.random.normal 1"],
        ["tf.random.uniform 0", "tf.random.normal 1"],
    )


def test_local_function_counts_where_it_is_used() -> None:
    before = "def f(x):\n    if random.random() < 0.5:\n        x = x + random.gauss(0, 1)\n    return x\n"
    after = (
        "def f(x):\n    def arm():\n        return x + tf.random.normal([])\n\n"
        "    return tf.cond(tf.random.uniform([]) < 0.5, arm, lambda: x)\n"
    )
    assert marks(before, after)[1] == ["tf.random.normal 1", "tf.random.uniform 0"]


def test_draw_that_is_made_of_several() -> None:
    before = "def f(x):\n    return x + np.random.laplace() + random.random()\n"
    after = (
        "def f(x):\n    return x + tf.math.log1p(-tf.random.uniform([])) "
        "- tf.math.log1p(-tf.random.uniform([])) + tf.random.uniform([])\n"
    )
    assert marks(before, after) == (
        ["np.random.laplace 0 1", "random.random 2"],
        ["tf.random.uniform 0", "tf.random.uniform 1", "tf.random.uniform 2"],
    )


def test_draw_that_is_missing_leaves_the_others_their_numbers() -> None:
    before = "def f(x):\n    return random.random() + random.gauss(0, 1) + random.random()\n"
    after = "def f(x):\n    return tf.random.normal([], 0, 1) + tf.random.uniform([]) + tf.random.gamma([], 1.0)\n"
    assert marks(before, after)[1] == ["tf.random.normal 1", "tf.random.uniform 2", "tf.random.gamma 3"]


def test_unchanged_functions_and_draws_of_tensorflow_are_left_alone() -> None:
    before = "def f(x):\n    return random.random()\ndef g(x):\n    return tf.random.normal([2])\n"
    after = before.replace("[2]", "[3]").replace("return r", "y = 1\n    return r")
    trees = [CodeTree((), {"/x/net.py": (HEAD + text).encode()}) for text in (before, after)]
    found = numbered(*trees)
    assert (found.before, found.after, found.numbers) == (trees[0], trees[1], ())


def test_names_are_known_by_their_imports() -> None:
    head = "from random import gauss as g\nfrom numpy.random import rand\nimport tensorflow as tf\n"
    before = "def f(x, uniform):\n    return g(0, 1) + rand(3) + uniform() + tf.image.random(x)\n"
    after = "def f(x, uniform):\n    return tf.random.normal([]) + tf.random.uniform([3]) + uniform()\n"
    assert marks(before, after, head) == (["g 0", "rand 1"], ["tf.random.normal 0", "tf.random.uniform 1"])


def test_lines_stay_where_they_are() -> None:
    before = "def f(x):\n    é = ('é', random.uniform(\n        0, 1), (random\n            .random)())\n    return é\n"
    trees = [
        CodeTree((), {"/x/net.py": b"\xef\xbb\xbf" + (HEAD + text).replace("\n", "\r\n").encode()})
        for text in (before, "def f(x):\n    return tf.random.uniform([])\n")
    ]
    data = numbered(*trees).before.overlay["/x/net.py"]
    assert data is not None
    text = data.decode()
    assert text.count("\n") == (HEAD + before).count("\n")
    assert (
        f"('é', {MARK}(random.uniform, 0)(" in text and f"({MARK}(random\n            .random, 1))()" in text
    )
    ast.parse(text)


def test_one_tree_alone(tmp_path: Path) -> None:
    path = os.path.realpath(tmp_path / "net.py")
    Path(path).write_text(HEAD + "def f(x):\n    return x + random.random()\n")
    tree = CodeTree((str(tmp_path),))
    assert (
        marked(tree, path).overlay[path]
        == (HEAD + f"def f(x):\n    return x + {MARK}(random.random, 0)()\n").encode()
    )
    Path(path).write_text("def f(x):\n    return x\n")
    assert marked(tree, path) == tree
