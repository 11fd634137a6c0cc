"""What is known is not run again: which changes count, and which do not."""

from __future__ import annotations

import os
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_verify_session import index_of

from tfmigrate.codemod import Codemod
from tfmigrate.registry import codemods
from tfmigrate.verify.cases import Symbol
from tfmigrate.verify.closure import Reader
from tfmigrate.verify.engines import Engine
from tfmigrate.verify.known import digest
from tfmigrate.verify.model import CodeTree, Mode, Settings
from tfmigrate.verify.naming import in_shard
from tfmigrate.verify.proving import Work
from tfmigrate.verify.report import Report
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.session import Request, verify_trees
from tfmigrate.verify.trees import changed_between
from tfmigrate.verify.verdict import VerdictStatus

SAME, FIXED, DIFFERENT, INERT, INCONCLUSIVE = VerdictStatus


class TestClosure:
    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        files = {
            "shop/__init__.py": "",
            "shop/net.py": "from . import parts\nimport tensorflow as tf\ndef f():\n    from shop.deep.more import x\n",
            "shop/parts.py": "from .deep import helper as h\nimport shop.net\n",
            "shop/deep/__init__.py": "",
            "shop/deep/helper.py": "",
            "shop/deep/more.py": "import top\n",
            "top.py": "",
            "shop/unused.py": "",
            "tensorflow_addon.py": "",
        }
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return tmp_path.resolve()

    def test_files_that_are_imported_somehow(self, root: Path) -> None:
        found = Reader().closure(CodeTree((str(root),)), [str(root / "shop" / "net.py")])
        names = {os.path.relpath(path, root) for path in found}
        assert names == {
            "shop/__init__.py",
            "shop/net.py",
            "shop/parts.py",
            "shop/deep/__init__.py",
            "shop/deep/helper.py",
            "shop/deep/more.py",
            "top.py",
        }

    def test_an_overlay_replaces_adds_and_hides(self, root: Path) -> None:
        overlay = {
            str(root / "shop" / "net.py"): b"from shop import unused, gone, added\n",
            str(root / "shop" / "added.py"): b"\n",
            str(root / "shop" / "unused.py"): None,
        }
        tree = CodeTree((str(root),), overlay)
        found = Reader().closure(tree, [str(root / "shop" / "net.py")])
        names = {os.path.relpath(path, root) for path in found}
        assert names == {"shop/__init__.py", "shop/net.py", "shop/added.py"}
        assert found[str(root / "shop" / "net.py")].startswith(b"from shop import")


def test_a_digest_tells_values_and_types_apart() -> None:
    values: list[Any] = [1, 1.0, True, "1", b"1", (1,), [1], {1}, {1: 1}, {"1": 1}, None, ("a", "b"), ("ab",)]
    assert len({digest(value) for value in values}) == len(values)
    assert digest({"a": 1, "b": {2, 3}}) == digest({"b": {3, 2}, "a": 1})
    assert digest(Settings()) != digest(replace(Settings(), seed=1))
    with pytest.raises(TypeError, match="object is not plain"):
        digest(object())


def test_shards_are_a_partition_of_equal_parts() -> None:
    symbols = [Symbol("m", f"C{number}", "m.py", "/") for number in range(11)]
    parts = [in_shard(symbols, (number, 4)) for number in (1, 2, 3, 4)]
    assert frozenset().union(*parts) == frozenset(symbols) and sum(map(len, parts)) == 11
    assert {len(part) for part in parts} == {2, 3}
    assert parts[0] == in_shard(list(reversed(symbols)), (1, 4))
    assert in_shard(symbols, None) == frozenset(symbols)


# -- runs ----------------------------------------------------------------------------------------------------

NET = """\
from tensorflow import keras

from .parts import scale


class Net(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(3)

    def call(self, x):
        return self.dense(x) * scale()


class Other(keras.layers.Layer):
    def call(self, x):
        return x + scale()
"""
CASES = """\
import tensorflow as tf
import tfmigrate


@tfmigrate.case("shop.net:Net")
def small(module):
    return module.Net(), [tf.ones([n, 4]) * n for n in (2, 3, 2)]


@tfmigrate.case("shop.net:Other")
def other(module):
    return module.Other(), [tf.ones([n, 4]) * n for n in (2, 3, 2)]
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("old", "new"):
        package = tmp_path / folder / "shop"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "net.py").write_text(NET)
        (package / "parts.py").write_text("def scale():\n    return 2.0\n")
        (package / "unused.py").touch()
        (package / "tfmigrate_cases.py").write_text(CASES)
    net = tmp_path / "new" / "shop" / "net.py"
    net.write_text(
        NET.replace("self.dense(x) * scale()", "scale() * self.dense(x)").replace("x + sc", "0 + x + sc")
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verified(shop: Path, running: list[Engine] | None = None, **asked: Any) -> Report:
    new = shop / "new"
    changed = changed_between(shop / "old", new)
    settings = asked.pop("settings", Settings("3", (Mode.EAGER,)))
    request = Request(settings, command=("tfmigrate", "verify"), **asked)
    used: list[Codemod] = list(codemods())
    return verify_trees(changed, [new], index_of(new), used, request, None, running)


class Counting:
    """A zygote that counts what it is asked to run."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        self.count = 0
        self.keras, self.device = zygote.keras, zygote.device

    def submit(self, *arguments: Any) -> Any:
        self.count += 1
        return self._zygote.submit(*arguments)


@pytest.mark.tf
def test_an_unchanged_model_is_not_run_again(keras3: Zygote, shop: Path) -> None:
    cache = shop / "cache"
    settings = Settings("3", (Mode.EAGER,))

    def run(**asked: Any) -> tuple[dict[str, tuple[str, bool]], int]:
        counting = Counting(keras3)
        asked = {"cache_dir": cache, "settings": settings, **asked}
        engine: Any = (counting, asked["settings"])
        report = verified(shop, [engine], **asked)
        found = {s.symbol.partition(":")[2]: (s.status.value, s.known) for s in report.symbols}
        return found, counting.count

    first, count = run()
    assert first == {"Net": ("SAME", False), "Other": ("SAME", False)} and count == 4
    assert run() == ({"Net": ("SAME", True), "Other": ("SAME", True)}, 0)
    assert run(cache_dir=None) == (first, 4)
    # What neither version imports does not count, what one imports does.
    (shop / "new" / "shop" / "unused.py").write_text("x = 1\n")
    assert run()[1] == 0
    (shop / "new" / "shop" / "parts.py").write_text("def scale():\n    return 4.0 / 2\n")
    assert run()[1] > 0
    assert run()[1] == 0
    # The case, another option, another variable that TensorFlow reads.
    case = shop / "new" / "shop" / "tfmigrate_cases.py"
    case.write_text(case.read_text().replace("[n, 4]", "[n, 5]"))
    assert run()[1] > 0
    assert run(settings=replace(settings, seed=1))[1] > 0
    assert run(settings=replace(settings, seed=1))[1] == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XLA_FLAGS", "")
        assert run()[1] > 0
    # A difference is known, too.
    (shop / "new" / "shop" / "parts.py").write_text("def scale():\n    return 3.0\n")
    found, count = run()
    assert found["Net"] == ("DIFFERENT", False) and count > 0
    again, count = run()
    assert set(again) == {"Net", "Other", "scale"} and set(again.values()) == {("DIFFERENT", True)}
    assert count == 0
    # What is no report of ours is as good as none.
    for file in (cache / "verified").iterdir():
        file.write_bytes(file.read_bytes()[:-1])
    assert run()[1] > 0


@pytest.mark.tf
def test_an_accident_is_not_remembered(keras3: Zygote, shop: Path) -> None:
    parts = shop / "new" / "shop" / "parts.py"
    parts.write_text("import os\ndef scale():\n    os.kill(os.getpid(), 9)\n")
    settings = Settings("3", (Mode.EAGER,))
    for _ in range(2):
        report = verified(shop, [(keras3, settings)], cache_dir=shop / "cache", settings=settings)
        assert {symbol.symbol for symbol in report.symbols} >= {"shop.net:Net", "shop.net:Other"}
        assert {(symbol.status, symbol.known) for symbol in report.symbols} == {(DIFFERENT, False)}


class Tiny(Executor):
    """Runs each call when it is submitted, and remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[Any] = []

    def submit(self, function: Any, /, *arguments: Any, **more: Any) -> Future[Any]:
        self.given += arguments
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **more))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.mark.tf
@pytest.mark.parametrize(
    "make",
    [Tiny, lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(1)],
    ids=["tiny", "threads", "processes"],
)
def test_any_executor_can_take_the_place_of_the_local_pool(shop: Path, make: Any) -> None:
    with make() as executor:
        report = verified(shop, executor=executor, cache_dir=shop / "cache")
        assert [(s.symbol, s.status, s.known) for s in report.symbols] == [
            ("shop.net:Net", SAME, False),
            ("shop.net:Other", SAME, False),
        ]
        again = verified(shop, executor=executor, cache_dir=shop / "cache")
        assert [symbol.known for symbol in again.symbols] == [True, True]
        if isinstance(executor, Tiny):
            assert [work.target.symbol.qualname for work in executor.given] == ["Net", "Other"]
            assert all(isinstance(work, Work) for work in executor.given)


@pytest.mark.tf
def test_a_shard_of_the_symbols(keras3: Zygote, shop: Path) -> None:
    settings = Settings("3", (Mode.EAGER,))
    found = [
        [symbol.symbol for symbol in verified(shop, [(keras3, settings)], shard=(n, 2)).symbols]
        for n in (1, 2)
    ]
    assert found == [["shop.net:Net"], ["shop.net:Other"]]
