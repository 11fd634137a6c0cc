"""The index as a whole: facts, files that do not parse, the cache, pickling, and new text for a file."""

from __future__ import annotations

import pickle

import pytest

from tfmigrate.kept import save
from tfmigrate.project import cache
from tfmigrate.project.extract import extract
from tfmigrate.project.index import Kind, build_index
from tfmigrate.source import from_bytes

NET = "from tensorflow import keras\nclass Net(keras.Model):\n    def call(self, x):\n        return self.h(x)\n"
HELPER = "    def h(self, x):\n        return x\n"


def test_function_facts(build):
    index = build(
        "import keras\n"
        "def f(a, /, b, c=1, *args, d, e=2, **kw):\n"
        "    g = lambda z: len(z)\n"
        "    é = self.übung(a)(b); x = keras.layers.Dense(3)(a)\n"
        "    yield x\n"
    )
    facts = index.function_facts("net.f")
    assert facts is not None
    assert facts.params == ("a", "b", "c", "args", "d", "e", "kw")
    assert [(p.kind, p.has_default) for p in facts.parameters] == [
        ("posonly", False),
        ("pos", False),
        ("pos", True),
        ("var", False),
        ("kwonly", False),
        ("kwonly", True),
        ("varkw", False),
    ]
    assert [(call.callee, call.line, call.column) for call in facts.calls] == [
        ("self.übung", 4, 9),
        ("", 4, 9),
        ("keras.layers.Dense", 4, 31),
        ("", 4, 31),
    ]
    assert facts.nested == ("f.<locals>.<lambda:3:9>",)
    assert (facts.line, facts.column, facts.end_line, facts.is_generator) == (2, 1, 5, True)
    inner = index.function_facts("net.f.<locals>.<lambda:3:9>")
    assert inner is not None
    assert [call.callee for call in inner.calls] == ["len"]


@pytest.mark.parametrize(
    "text",
    [
        "import keras\nclass (:\n",
        "# keras\n" + "(" * 5000 + ")" * 5000,
        "# keras\nx = " + "-" * 100_000 + "1\n",
    ],
    ids=["syntax", "parentheses", "unary"],
)
def test_a_file_that_does_not_parse_is_absent(build, text):
    index = build({"bad.py": text, "net.py": NET + HELPER})
    assert index.module_at("bad.py") is None
    assert index.kind("net.Net") is Kind.MODEL


def test_null_bytes_do_not_parse():
    assert extract("import keras\x00\n") is None


def test_long_sums_are_no_reason_to_give_up(build):
    index = build("import keras\nx = " + " + ".join(["f(1)"] * 700) + "\n")
    facts = index.function_facts("net.x")
    assert facts is None
    module = index.module_at("net.py")
    assert module is not None
    assert len(module.functions[""].calls) == 700


@pytest.mark.filterwarnings("error")
def test_warnings_of_the_parser_are_silent(build):
    assert build("import keras\nx = '\\d' is 1\n").module_at("net.py") is not None


def test_newlines_of_every_kind(build):
    index = build(
        {"net.py": "import keras\r\nclass A(keras.Model):\r  def call(self, x):\n    return x\x0c\n"}
    )
    facts = index.class_facts("net.A")
    assert facts is not None
    assert facts.methods["call"].line == 3


def test_pickles(build):
    index = build(NET + HELPER)
    copy = pickle.loads(pickle.dumps(index))
    assert copy.traced("net.py") == index.traced("net.py")
    assert copy.module_at("net.py") == index.module_at("net.py")
    assert copy.kind("net.Net") is Kind.MODEL


def test_new_text_is_seen_and_the_old_index_stays(build):
    index = build({"net.py": NET + HELPER, "use.py": "# keras\nfrom net import Net\nclass Mine(Net): pass\n"})
    text = NET.replace("self.h(x)", "self.k(x)") + HELPER + "    def k(self, x):\n        return x\n"
    source = from_bytes(text.encode(), "net.py")
    changed = index.with_source(source)
    assert set(changed.traced("net.py")) == {"Net.call", "Net.k"}
    assert set(index.traced("net.py")) == {"Net.call", "Net.h"}
    assert changed.kind("use.Mine") is Kind.MODEL
    assert changed.traced("net.py")["Net.k"].chain[-1] == "called from Net.call, net.py:4"
    broken = from_bytes(b"class (", "net.py")
    assert index.with_source(broken) is index
    assert index.with_source(from_bytes(b"x = 1", "elsewhere.py")) is index


def test_what_other_files_reach_stays_reached(build):
    index = build(
        {
            "net.py": NET.replace("self.h(x)", "ops.f(x)") + "import ops\n",
            "ops.py": "def f(x): return g(x)\ndef g(x): return x\ndef h(x): return x\n",
        }
    )
    assert set(index.traced("ops.py")) == {"f", "g"}
    changed = index.with_source(
        from_bytes(b"def f(x): return h(x)\ndef g(x): return x\ndef h(x): return x\n", "ops.py")
    )
    assert set(changed.traced("ops.py")) == {"f", "h"}
    assert set(changed.traced("net.py")) == {"Net.call"}


def facts_files(folder):
    return sorted(folder.iterdir()) if folder.exists() else []


def test_the_cache_gives_the_same_answers(build, tmp_path):
    folder = tmp_path / "cache"
    first = build(NET + HELPER, cache=folder)
    (kept,) = facts_files(folder)
    before = kept.read_bytes()
    second = build(NET + HELPER, cache=folder)
    assert kept.read_bytes() == before
    assert second.traced("net.py") == first.traced("net.py")
    third = build(NET + HELPER.replace("h", "k"), cache=folder)
    assert set(third.traced("net.py")) == {"Net.call"}
    assert kept.read_bytes() != before


def test_the_cache_is_really_used(build, tmp_path):
    folder = tmp_path / "cache"
    build(NET + HELPER, cache=folder)
    (kept,) = facts_files(folder)
    entries = cache.load(kept)
    other = build(NET.replace("Net", "Other") + HELPER, cache=tmp_path / "other")
    assert other.class_facts("net.Other") is not None
    (blob,) = cache.load(facts_files(tmp_path / "other")[0]).values()
    cache.save(kept, dict.fromkeys(entries, blob))
    assert build(NET + HELPER, cache=folder).class_facts("net.Other") is not None


@pytest.mark.parametrize(
    "damage", ["cut", "flipped", "empty", "other version", "pickle", "not a dict", "folder"]
)
def test_a_broken_or_foreign_cache_is_ignored(build, tmp_path, damage):
    folder = tmp_path / "cache"
    build(NET + HELPER, cache=folder)
    (kept,) = facts_files(folder)
    data = kept.read_bytes()
    if damage == "cut":
        kept.write_bytes(data[:-7])
    elif damage == "flipped":
        kept.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    elif damage == "empty":
        kept.write_bytes(b"")
    elif damage == "other version":
        kept.write_bytes(data.replace(b"tfmigrate facts", b"tfmigrate fucts"))
    elif damage == "pickle":
        kept.write_bytes(pickle.dumps({b"x": b"y"}))
    elif damage == "not a dict":
        save(kept, cache.header(), [1, 2])
    else:
        kept.unlink()
        kept.mkdir()
    assert cache.load(kept) == {}
    index = build(NET + HELPER, cache=folder)
    assert set(index.traced("net.py")) == {"Net.call", "Net.h"}


def test_an_unwritable_cache_is_no_failure(build, tmp_path):
    (tmp_path / "file").write_text("x")
    index = build(NET + HELPER, cache=tmp_path / "file" / "below")
    assert set(index.traced("net.py")) == {"Net.call", "Net.h"}


def test_a_pool_gives_the_same_answers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    padding = "# " + "x" * 120_000 + "\n"
    sources = [
        from_bytes((padding + NET.replace("Net", f"Net{i}") + HELPER).encode(), f"n{i}.py") for i in range(20)
    ]
    one = build_index(sources, [tmp_path], None, jobs=1)
    two = build_index(sources, [tmp_path], None, jobs=2)
    assert one.modules == two.modules
    assert all(one.traced(f"n{i}.py") == two.traced(f"n{i}.py") for i in range(20))
    assert set(two.traced("n7.py")) == {"Net7.call", "Net7.h"}
