"""One version of the user's code is imported in place of the files on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from subject_entries import evaluate

from tfmigrate.verify.model import CodeTree, Finished
from tfmigrate.verify.run import Zygote

pytestmark = pytest.mark.tf


@pytest.fixture
def root(tmp_path: Path) -> Path:
    package = tmp_path / "pkg"
    (package / "sub").mkdir(parents=True)
    (package / "__init__.py").write_text("from .a import A\n")
    (package / "a.py").write_text("from .b import B\nfrom pkg.sub import deep\nA = ('disk', B, deep.D)\n")
    (package / "b.py").write_text("B = 'disk'\n")
    (package / "sub" / "__init__.py").touch()
    (package / "sub" / "deep.py").write_text("from ..b import B\nD = B\n")
    (tmp_path / "script.py").write_text("import pkg\nS = ('disk', pkg.A)\n")
    return tmp_path


def run(zygote: Zygote, root: Path, overlay: dict[str, bytes | None], *questions: str) -> list[Any]:
    tree = CodeTree((str(root),), {str(root / name): data for name, data in overlay.items()})
    outcome = zygote.run(f"{evaluate.__module__}:evaluate", (tree, list(questions)), 60)
    assert isinstance(outcome, Finished), outcome
    found: list[Any] = outcome.value
    return found


def test_the_disk_without_an_overlay(keras3: Zygote, root: Path) -> None:
    assert run(keras3, root, {}, "script:S") == [("disk", ("disk", "disk", "disk"))]
    assert list(root.rglob("*.pyc")) == []


def test_changed_modules_import_each_other(keras3: Zygote, root: Path) -> None:
    overlay: dict[str, bytes | None] = {
        "pkg/b.py": b"B = 'new'\n",
        "pkg/sub/deep.py": b"from ..b import B\nfrom . import more\nD = 'new ' + B + more.M\n",
        "pkg/sub/more.py": b"from .. import b\nM = ' ' + b.__file__.rpartition('/')[2]\n",
        "script.py": b"import pkg\nS = ('new', pkg.A)\n",
    }
    answer = run(keras3, root, overlay, "script:S", "pkg.sub.more:__file__", "pkg.sub.more:__package__")
    assert answer == [
        ("new", ("disk", "new", "new new b.py")),
        str(root / "pkg/sub/more.py"),
        "pkg.sub",
    ]


def test_hidden_files_cannot_be_imported(keras3: Zygote, root: Path) -> None:
    overlay: dict[str, bytes | None] = {
        "pkg/sub/deep.py": None,
        "pkg/sub/__init__.py": None,
        "script.py": None,
    }
    overlay["pkg/a.py"] = b"A = 1\n"
    answer = run(keras3, root, overlay, "pkg:A", "pkg.sub.deep:D", "pkg.sub:1", "script:S")
    assert answer[0] == 1
    assert [text.partition(":")[0] for text in answer[1:]] == ["ModuleNotFoundError"] * 3


def test_a_package_becomes_a_module_and_back(keras3: Zygote, root: Path) -> None:
    overlay: dict[str, bytes | None] = {
        "pkg/sub/__init__.py": None,
        "pkg/sub/deep.py": None,
        "pkg/sub.py": b"class deep:\n    D = 'module'\n",
        "script.py": None,
        "script/__init__.py": b"from .inner import S\n",
        "script/inner.py": b"S = 'package'\n",
    }
    answer = run(keras3, root, overlay, "pkg:A", "script:S", "script.inner:__file__")
    assert answer == [("disk", "disk", "module"), "package", str(root / "script/inner.py")]


def test_folders_without_init(keras3: Zygote, root: Path) -> None:
    (root / "space").mkdir()
    (root / "space" / "one.py").write_text("V = 1\n")
    overlay: dict[str, bytes | None] = {
        "space/two.py": b"from . import one\nV = one.V + 1\n",
        "far/x/y.py": b"V = 9\n",
    }
    assert run(keras3, root, overlay, "space.two:V", "space.one:V", "far.x.y:V") == [2, 1, 9]


def test_sources_and_tracebacks_show_the_lines_that_run(keras3: Zygote, root: Path) -> None:
    source = "# coding: latin-1\nNAME = 'é'\n\n\ndef f():\n    return 1 / 0  # here\n"
    overlay: dict[str, bytes | None] = {"pkg/b.py": source.encode("latin-1") + b"B = 0\n"}
    questions = [
        "pkg.b:inspect.getsource(f)",
        "pkg.b:inspect.getsourcelines(f)[1]",
        "pkg.b:NAME",
        "pkg.b:[traceback.format_exc() for _ in [0] if run(f)]",
    ]
    overlay["pkg/b.py"] = (overlay["pkg/b.py"] or b"") + (
        b"def run(f):\n    try:\n        f()\n    except ZeroDivisionError as e:\n"
        b"        import traceback\n        return traceback.format_exc()\n"
    )
    questions[3] = "pkg.b:'return 1 / 0  # here' in run(f)"
    answer = run(keras3, root, overlay, *questions)
    assert answer == ["def f():\n    return 1 / 0  # here\n", 5, "é", True]


def test_autograph_converts_the_overlay(keras3: Zygote, root: Path) -> None:
    (root / "pkg" / "b.py").write_text("# another\n# text\nB = 0\n")
    overlay: dict[str, bytes | None] = {
        "pkg/b.py": b"import tensorflow as tf\nB = 0\n@tf.function\ndef f(x):\n    if tf.reduce_sum(x) > 0:\n"
        b"        return x + 1\n    else:\n        return x - 1\n"
    }
    questions = ["pkg.b:float(f(tf.constant(1.0)))", "pkg.b:float(f(tf.constant(-1.0)))"]
    assert run(keras3, root, overlay, *questions) == [2.0, -2.0]


def test_names_of_the_standard_library_are_the_users(keras3: Zygote, root: Path) -> None:
    (root / "queue.py").write_text("import tensorflow as tf\ndef step(x):\n    return x + 41.0\n")
    from subject_entries import calls

    from tfmigrate.verify.model import Case
    from tfmigrate.verify.recipes import CallSpec, DeclaredRecipe, Tensor

    case = Case("queue:step", "", "", False, DeclaredRecipe(calls=(CallSpec((Tensor((), values=1.0),)),)))
    outcome = keras3.run(f"{calls.__module__}:calls", (case, CodeTree((str(root),))), 60)
    assert isinstance(outcome, Finished), outcome
    assert outcome.value[0]["total"] == 42.0
