"""`diff` and `apply`, run as users run them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from cli_samples import CLEAN, NET, REFUSED, Tfmigrate

REWRITTEN = NET.replace(
    "        self.units = units\n",
    "        self.units = units\n        self.dense = keras.layers.Dense(self.units)\n",
).replace("keras.layers.Dense(self.units)(x)", "self.dense(x)")
FINDING = (
    "shop/net.py:11:16: TFM101 `keras.layers.Dense` is made in `Net.call`,"
    " which runs inside a graph: moved to `self.dense`\n"
)


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, input=stdin).stdout.decode()


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and ".git/" not in f"{path}/"]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_diff_shows_and_writes_nothing(tfmigrate: Tfmigrate, shop: Path) -> None:
    before = snapshot(shop.parent)
    done = tfmigrate("diff", "shop")
    assert done.out == (
        "--- a/shop/net.py\n+++ b/shop/net.py\n"
        "@@ -6,6 +6,7 @@\n     def __init__(self, units):\n         super().__init__()\n"
        "         self.units = units\n+        self.dense = keras.layers.Dense(self.units)\n \n"
        "     def call(self, x):\n-        return keras.layers.Dense(self.units)(x)\n"
        "+        return self.dense(x)\n"
    )
    lines = done.err.splitlines(keepends=True)
    assert lines[0] == FINDING
    assert lines[1].startswith("shop/sized.py:9:16: TFM101 ")
    assert lines[2].startswith("    left alone (depends-on-call-argument): ")
    assert lines[3].startswith("    to change: ")
    assert lines[4:] == [
        "4 files checked: 1 file would be rewritten (1 place), 1 place refused, 0 skipped, 0 failed\n"
    ]
    assert done.code == 1
    assert snapshot(shop.parent) == before


def test_apply_writes_what_diff_shows_and_only_that(tfmigrate: Tfmigrate, shop: Path) -> None:
    git(shop.parent, "init", "-q")
    git(shop.parent, "add", ".")
    git(shop.parent, "commit", "-qm", "as it was")
    shown = tfmigrate("diff", "shop")
    before = snapshot(shop)
    done = tfmigrate("apply", "shop")
    assert (done.code, done.out) == (0, "")
    assert done.err.endswith(
        "4 files checked: 1 file rewritten (1 place), 1 place refused, 0 skipped, 0 failed\n"
    )
    after = snapshot(shop)
    assert (shop / "net.py").read_text() == REWRITTEN
    assert {name for name in before if before[name] != after[name]} == {str(shop / "net.py")}
    git(shop.parent, "checkout", "-q", "shop")
    git(shop.parent, "apply", "-", stdin=shown.raw)
    assert (shop / "net.py").read_text() == REWRITTEN


def test_a_diff_from_a_subfolder_applies_there(tfmigrate: Tfmigrate, shop: Path) -> None:
    git(shop.parent, "init", "-q")
    shown = tfmigrate("diff", ".", cwd=shop)
    assert shown.out.startswith("--- a/net.py\n")
    git(shop, "apply", "-", stdin=shown.raw)
    assert (shop / "net.py").read_text() == REWRITTEN


def test_a_second_apply_changes_nothing(tfmigrate: Tfmigrate, shop: Path) -> None:
    assert tfmigrate("apply", "shop").code == 0
    before = snapshot(shop)
    done = tfmigrate("apply", "shop")
    assert done.err.endswith("0 files rewritten (0 places), 1 place refused, 0 skipped, 0 failed\n")
    assert (done.code, snapshot(shop)) == (0, before)
    assert tfmigrate("diff", "shop").code == 0


@pytest.mark.parametrize(
    ("data", "after"),
    [
        (NET.replace("\n", "\r\n").encode(), REWRITTEN.replace("\n", "\r\n").encode()),
        (NET.replace("\n", "\r\n", 3).encode(), None),
        (b"\xef\xbb\xbf" + NET.encode(), b"\xef\xbb\xbf" + REWRITTEN.encode()),
        (
            b"# coding: latin-1\nNAME = '\xe9'\n" + NET.encode(),
            b"# coding: latin-1\nNAME = '\xe9'\n" + REWRITTEN.encode(),
        ),
        (NET.rstrip("\n").encode(), REWRITTEN.rstrip("\n").encode()),
        (NET.replace("\n\n\n", "\n\x0c\n").encode(), REWRITTEN.replace("\n\n\n", "\n\x0c\n").encode()),
        (b"x=  {1:2 ,\n 3 : 4}\n" + NET.encode(), b"x=  {1:2 ,\n 3 : 4}\n" + REWRITTEN.encode()),
    ],
    ids=["crlf", "mixed", "bom", "latin-1", "no final newline", "form feed", "unformatted neighbour"],
)
def test_bytes_that_are_not_rewritten_stay(
    tfmigrate: Tfmigrate, tmp_path: Path, data: bytes, after: bytes | None
) -> None:
    file = tmp_path / "net.py"
    file.write_bytes(data)
    file.chmod(0o750)
    (tmp_path / "link.py").symlink_to("net.py")
    git(tmp_path, "init", "-q")
    shown = tfmigrate("diff", "link.py")
    assert shown.code == 1
    assert tfmigrate("apply", "link.py").code == 0
    result = file.read_bytes()
    if (
        after is None
    ):  # Lines of both kinds: those that stay keep theirs, the new one has the kind of its neighbours.
        assert result.replace(b"\r\n", b"\n") == REWRITTEN.encode()
        assert result.startswith(data[:60]) and result.count(b"\r\n") == data.count(b"\r\n") == 3
    else:
        assert result == after
    assert file.stat().st_mode & 0o777 == 0o750
    assert os.readlink(tmp_path / "link.py") == "net.py"


def test_one_bad_file_never_stops_the_rest(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop / "broken.py").write_text("import tensorflow\nx = = 1\n")
    (shop / "latin.py").write_bytes(b"import tensorflow\nx = '\xe9'\n")
    done = tfmigrate("apply", "shop")
    assert done.code == 3
    assert "shop/broken.py:2:5: error: invalid syntax\n" in done.err
    assert "shop/latin.py:2:6: error: cannot be decoded as utf-8: invalid continuation byte" in done.err
    assert done.err.endswith(
        "6 files checked: 1 file rewritten (1 place), 1 place refused, 0 skipped, 2 failed\n"
    )
    assert (shop / "net.py").read_text() == REWRITTEN
    assert (shop / "broken.py").read_text() == "import tensorflow\nx = = 1\n"
    assert (shop / "latin.py").read_bytes() == b"import tensorflow\nx = '\xe9'\n"


def test_a_named_file_that_does_not_parse_is_said_whatever_it_holds(
    tfmigrate: Tfmigrate, tmp_path: Path
) -> None:
    (tmp_path / "test_x.py").write_text("print 'hello'\n")
    done = tfmigrate("diff", "test_x.py")
    assert done.code == 3
    assert done.err.startswith("test_x.py:1:1: error: Missing parentheses in call to 'print'")


def test_what_is_not_supported_is_skipped_and_said(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    (tmp_path / "n.ipynb").write_text("{}")
    (tmp_path / "big.py").write_bytes(b"import tensorflow\n" + b"#" * 2_000_000)
    (tmp_path / "data.py").write_bytes(b"import tensorflow\n\0\n")
    done = tfmigrate("diff", "n.ipynb", "big.py", "data.py")
    assert done.code == 0
    assert done.err.splitlines() == [
        "big.py: skipped, too large: 2,000,018 bytes, the limit is 2,000,000",
        "data.py: skipped, unsupported: binary (holds null bytes)",
        "n.ipynb: skipped, unsupported: a notebook; export it to a .py file",
        "3 files checked: 0 files would be rewritten (0 places), 0 places refused, 3 skipped, 0 failed",
    ]


def test_a_folder_without_python_is_said(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    done = tfmigrate("diff", "docs")
    assert done.code == 0
    assert done.err.startswith("no Python files found in docs\n")


def test_a_file_that_cannot_be_written_stays_and_the_others_are_written(
    tfmigrate: Tfmigrate, shop: Path
) -> None:
    """Files may not grow over a limit, as on a full disk."""
    text = NET + "#" * 10_000 + "\n"
    (shop / "large.py").write_text(text)
    done = tfmigrate("apply", "shop", "--no-cache", "--no-journal", file_limit=5_000)
    assert done.code == 3
    assert "shop/large.py: error: cannot be written: File too large\n" in done.err
    assert "1 file rewritten (1 place), 1 place refused, 0 skipped, 1 failed\n" in done.err
    assert (shop / "large.py").read_text() == text
    assert (shop / "net.py").read_text() == REWRITTEN
    assert sorted(path.name for path in shop.iterdir()) == [
        "__init__.py",
        "large.py",
        "loss.py",
        "net.py",
        "sized.py",
    ]


def test_a_dirty_file_is_warned_about(tfmigrate: Tfmigrate, shop: Path) -> None:
    git(shop.parent, "init", "-q")
    (shop / "other.py").write_text(NET)
    git(shop.parent, "add", "shop/other.py")
    git(shop.parent, "commit", "-qm", "other")
    done = tfmigrate("apply", "shop")
    warning = "shop/net.py: warning: has uncommitted changes; git cannot undo this rewrite alone\n"
    assert done.err.count("uncommitted") == 1 and warning in done.err
    assert done.code == 0 and (shop / "net.py").read_text() == REWRITTEN


def test_standard_input(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    data = NET.replace("\n", "\r\n").encode()
    done = tfmigrate("apply", "-", "--stdin-filename", "pkg/net.py", stdin=data)
    assert (done.code, done.raw) == (0, REWRITTEN.replace("\n", "\r\n").encode())
    assert done.err.startswith("pkg/net.py:11:16: TFM101 ")
    done = tfmigrate("diff", "-", "--stdin-filename", "pkg/net.py", stdin=data)
    assert (done.code, done.out.startswith("--- a/pkg/net.py\n")) == (1, True)
    done = tfmigrate("apply", "-", stdin=CLEAN.encode())
    assert (done.code, done.out) == (0, CLEAN)
    assert list(tmp_path.iterdir()) == []


def test_standard_input_that_cannot_be_rewritten_comes_back(tfmigrate: Tfmigrate) -> None:
    done = tfmigrate("apply", "-", stdin=b"import tensorflow\nx = = 1\n")
    assert (done.code, done.out) == (3, "import tensorflow\nx = = 1\n")
    assert done.err.startswith("-:2:5: error: invalid syntax\n")
    done = tfmigrate("apply", "-", "--stdin-filename", "n.ipynb", stdin=b"{}")
    assert (done.code, done.out) == (0, "{}")
    assert done.err.startswith("n.ipynb: skipped, unsupported: a notebook")


def test_a_base_class_beside_the_named_file_is_seen(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop / "base.py").write_text("from tensorflow import keras\n\n\nclass Base(keras.Model):\n    pass\n")
    text = NET.replace("class Net(keras.Model)", "class Net(Base)").replace(
        "import tensorflow as tf\n", "from shop.base import Base\n"
    )
    (shop / "net.py").write_text(text)
    assert tfmigrate("diff", "shop/net.py").code == 1
    assert tfmigrate("diff", "-", "--stdin-filename", "shop/net.py", stdin=text.encode()).code == 1


def test_skip_comments(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop / "net.py").write_text(NET.replace("(x)\n", "(x)  # tfmigrate: skip[TFM101]\n"))
    (shop / "sized.py").write_text("# tfmigrate: skip-file\n" + REFUSED)
    (shop / "loss.py").write_text(CLEAN + "# tfmigrate: skip-file[TFM999]\n")
    done = tfmigrate("diff", "shop", "-v")
    assert (done.code, done.out) == (0, "")
    assert "shop/loss.py:6:1: warning: unknown code or name 'TFM999'" in done.err
    assert "0 places refused, 2 places suppressed, 0 skipped" in done.err


def test_idle_skip_comments_are_told_with_v(tfmigrate: Tfmigrate, shop: Path) -> None:
    text = NET.replace("keras.layers.Dense(self.units)(x)", "tf.function(x)  # tfmigrate: skip[TFM101]")
    (shop / "net.py").write_text(text + "        # tfmigrate: skip[TFM999]\n")
    err = tfmigrate("diff", "shop/net.py", "-v").err
    assert "warning: this skip comment suppresses nothing; remove it" in err
    assert "warning: unknown code or name 'TFM999'" in err
    assert "warning" not in tfmigrate("diff", "shop/net.py").err


def test_json(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop / "broken.py").write_text("import tensorflow\nx = = 1\n")
    done = tfmigrate("diff", "shop", "--format", "json", "-q")
    document = json.loads(done.out)
    assert done.code == document["exit_code"] == 3
    assert (document["schema"], document["tool"]["name"], document["command"]) == (1, "tfmigrate", "diff")
    assert document["summary"] == {
        "checked": 5,
        "rewritten": 1,
        "places": 1,
        "refused": 1,
        "suppressed": 0,
        "baselined": 0,
        "skipped": 0,
        "failed": 1,
    }
    broken, net, sized = document["files"]
    assert [file["status"] for file in document["files"]] == ["unparsable", "rewritten", "unchanged"]
    assert (broken["path"], broken["line"], broken["column"], broken["reason"]) == (
        "shop/broken.py",
        2,
        5,
        "invalid syntax",
    )
    assert net["diff"] == tfmigrate("diff", "shop/net.py").out
    (finding,) = net["findings"]
    assert {key: finding[key] for key in ("code", "name", "codemod", "line", "column", "owner", "fixed")} == {
        "code": "TFM101",
        "name": "layer-in-call",
        "codemod": "layers_to_init",
        "line": 11,
        "column": 16,
        "owner": "Net",
        "fixed": True,
    }
    (refusal,) = sized["findings"]
    assert refusal["fixed"] is False
    assert refusal["refused"]["reason"] == "depends-on-call-argument"
    assert refusal["refused"]["hint"]


def test_results_do_not_depend_on_the_number_of_processes(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    for number in range(20):
        text = NET if number % 3 else REFUSED
        (tmp_path / f"net{number:02}.py").write_text(text.replace("Net", f"Net{number}"))
    one, four = (tfmigrate("diff", ".", "--no-cache", "--jobs", jobs) for jobs in ("1", "4"))
    assert one == four
    assert one.out.count("\n+++ ") == 13


def test_a_remembered_run_prints_the_same(tfmigrate: Tfmigrate, shop: Path) -> None:
    runs = [tfmigrate("diff", "shop"), tfmigrate("diff", "shop"), tfmigrate("diff", "shop", "--no-cache")]
    assert runs[0] == runs[1] == runs[2]
    assert runs[0].code == 1 and "1 place refused" in runs[0].err


def test_the_cache_is_not_in_the_code_base(tfmigrate: Tfmigrate, shop: Path) -> None:
    tfmigrate("diff", "shop")
    assert sorted(path.name for path in shop.parent.iterdir()) == ["shop"]
    assert list((shop.parent.parent / f"{shop.parent.name}-cache").iterdir())


DRAWS = """\
import random

import tensorflow as tf


def augment(image):
    return tf.image.adjust_brightness(image, random.uniform(-0.2, 0.2))


AUGMENTATIONS = [augment]
"""


def test_functions_are_traced_that_the_user_names(tmp_path: Path, tfmigrate: Tfmigrate) -> None:
    (tmp_path / "data.py").write_text(DRAWS)
    assert tfmigrate("diff", "data.py").code == 0
    done = tfmigrate("diff", "--traced", "augment", "data.py")
    assert (
        done.code == 1
        and "+    return tf.image.adjust_brightness(image, tf.random.uniform([], -0.2, 0.2))" in done.out
    )
    assert tfmigrate("diff", "data.py").code == 0
    for _ in range(2):
        done = tfmigrate("diff", "--traced", "augmnet", "data.py")
        assert (done.code, done.err.splitlines()[0]) == (
            0,
            "traced: no function is named 'augmnet'; write NAME, Class.name or module:name",
        )
    (tmp_path / "pyproject.toml").write_text('[tool.tfmigrate]\ntraced = ["data:aug*"]\n')
    assert tfmigrate("apply", "data.py").code == 0
    assert (tmp_path / "data.py").read_text() == DRAWS.replace("import random\n\n", "").replace(
        "random.uniform(", "tf.random.uniform([], "
    )
