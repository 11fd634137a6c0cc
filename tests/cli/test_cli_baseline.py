"""`--write-baseline` and `--baseline`: old findings are left alone, new ones are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_samples import NET, Tfmigrate
from schemas import check_ours

DENSE = "        return keras.layers.Dense(self.units)(x)\n"
OTHER = NET.replace("class Net", "class Other").partition("\n\n\n")[2]


def written(tfmigrate: Tfmigrate, *paths: str) -> None:
    done = tfmigrate("diff", *paths, "--write-baseline", "old.json")
    assert (done.code, done.out) == (0, "")


def test_old_findings_are_not_shown_counted_or_rewritten(tfmigrate: Tfmigrate, shop: Path) -> None:
    done = tfmigrate("diff", "shop", "--write-baseline", "old.json")
    assert done.err == "old.json: 2 findings written; --baseline old.json leaves them alone\n"
    for arguments in (("diff", "shop"), ("apply", "shop"), ("verify", "shop")):
        done = tfmigrate(*arguments, "--baseline", "old.json")
        assert (done.code, done.out) == (0, "")
        assert "TFM101" not in done.err
    done = tfmigrate("diff", "shop", "--baseline", "old.json")
    assert done.err == (
        "4 files checked: 0 files would be rewritten (0 places), 0 places refused, 2 places in the baseline,"
        " 0 skipped, 0 failed\n"
    )
    assert (shop / "net.py").read_text() == NET
    document = json.loads(tfmigrate("diff", "shop", "--baseline", "old.json", "--format", "json").out)
    check_ours(document)
    assert document["summary"]["baselined"] == 2
    assert {file["path"]: file["baselined"] for file in document["files"]} == {
        "shop/net.py": 1,
        "shop/sized.py": 1,
    }


def test_moved_and_reformatted_lines_are_still_old(tfmigrate: Tfmigrate, shop: Path) -> None:
    written(tfmigrate, "shop")
    broken = (
        "        return keras.layers.Dense(\n            self.units,\n        )(x)  # as black breaks it\n"
    )
    (shop / "net.py").write_text(f'"""New words."""\n\n{OTHER}\n\n{NET.replace(DENSE, broken)}')
    done = tfmigrate("diff", "shop", "--baseline", "old.json")
    assert done.code == 1
    assert done.err.count(": TFM101 ") == 1 and "`Other.call`" in done.err
    assert done.out.count("@@ ") == 1 and "as black breaks it" not in done.out


def test_an_equal_statement_more_is_a_new_finding(tfmigrate: Tfmigrate, shop: Path) -> None:
    line = "        x = keras.layers.Dense(self.units)(x)\n"
    (shop / "net.py").write_text(NET.replace(DENSE, line + "        return x\n"))
    written(tfmigrate, "shop")
    (shop / "net.py").write_text(NET.replace(DENSE, line + line + "        return x\n"))
    done = tfmigrate("apply", "shop", "--baseline", "old.json")
    assert "1 file rewritten (1 place), 0 places refused, 2 places in the baseline" in done.err
    assert (shop / "net.py").read_text().count("keras.layers.Dense(self.units)\n") == 1
    assert line + "        x = self.dense(x)\n" in (shop / "net.py").read_text()


def test_two_equal_places_in_one_statement_are_two_findings(tfmigrate: Tfmigrate, shop: Path) -> None:
    both = "        return keras.layers.Dense(4)(x) + keras.layers.Dense(4)(x)\n"
    (shop / "net.py").write_text(NET.replace(DENSE, both))
    written(tfmigrate, "shop/net.py")
    assert (
        len(
            {entry["fingerprint"] for entry in json.loads((shop.parent / "old.json").read_text())["findings"]}
        )
        == 2
    )


def test_a_finding_that_is_gone_is_told(tfmigrate: Tfmigrate, shop: Path) -> None:
    written(tfmigrate, "shop")
    (shop / "net.py").unlink()
    done = tfmigrate("diff", "shop", "--baseline", "old.json")
    assert done.code == 0
    assert (
        "old.json: shop/net.py: TFM101 in Net.call is not found any more: `keras.layers.Dense` is made"
        in done.err
    )
    assert "old.json: tfmigrate diff --write-baseline writes it anew\n" in done.err
    # What was not looked for is not gone.
    for arguments in (("shop/loss.py",), ("shop", "--select", "TFM2")):
        assert "not found any more" not in tfmigrate("diff", *arguments, "--baseline", "old.json").err
    (shop / "net.py").write_text("import tensorflow\nx = = 1\n")
    assert "not found any more" not in tfmigrate("diff", "shop", "--baseline", "old.json").err


def test_writing_again_keeps_what_was_not_looked_for(tfmigrate: Tfmigrate, shop: Path) -> None:
    written(tfmigrate, "shop")
    before = (shop.parent / "old.json").read_text()
    (shop / "net.py").write_text(f"\n\n{NET}")
    written(tfmigrate, "shop/net.py")
    assert (shop.parent / "old.json").read_text() == before
    written(tfmigrate, "shop", "--select", "TFM2")
    assert (shop.parent / "old.json").read_text() == before
    (shop / "net.py").write_text("x = 1\n")
    written(tfmigrate, "shop/net.py")
    entries = json.loads((shop.parent / "old.json").read_text())["findings"]
    assert [entry["path"] for entry in entries] == ["shop/sized.py"]
    (shop / "broken.py").write_text("import tensorflow\nx = = 1\n")
    done = tfmigrate("diff", "shop", "--write-baseline", "old.json")
    assert done.code == 3 and "shop/broken.py:2:5: error: invalid syntax" in done.err


def test_the_configuration_names_it_and_any_folder_will_do(tfmigrate: Tfmigrate, shop: Path) -> None:
    (shop.parent / "pyproject.toml").write_text('[tool.tfmigrate]\nbaseline = "ci/old.json"\n')
    done = tfmigrate("diff", "shop")
    assert done.code == 2
    assert (
        f"error: baseline {shop.parent / 'ci/old.json'}: cannot be read: No such file or directory; write it with"
        in done.err
    )
    (shop.parent / "ci").mkdir()
    assert tfmigrate("diff", "shop", "--write-baseline", "ci/old.json").code == 0
    for _ in range(2):  # The second time from what is remembered.
        assert tfmigrate("diff", "shop").code == 0
    assert tfmigrate("diff", ".", cwd=shop).code == 0
    assert tfmigrate("diff", "-", "--stdin-filename", "shop/net.py", stdin=NET.encode()).code == 0
    assert tfmigrate("diff", "shop", "--isolated").code == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            None,
            "baseline old.json: cannot be read: No such file or directory; write it with tfmigrate diff --write-b",
        ),
        ("{", "baseline old.json: is not JSON: "),
        (
            "[]",
            "baseline old.json: is no baseline (it has no schema 1); remove it and write it again with tfmigrate",
        ),
        ('{"schema": 1}', "baseline old.json: is no baseline ('findings'); remove it and write it again"),
        ('{"schema": 1, "findings": [{"path": 1}]}', "baseline old.json: is no baseline ("),
        ('{"schema": 2, "findings": []}', "baseline old.json: is of a newer tfmigrate than "),
    ],
)
def test_an_unreadable_baseline_is_a_usage_error(
    tfmigrate: Tfmigrate, shop: Path, content: str | None, message: str
) -> None:
    if content is not None:
        (shop.parent / "old.json").write_text(content)
        done = tfmigrate("diff", "shop", "--write-baseline", "old.json")
        assert done.code == 2 and message in done.err
        assert (shop.parent / "old.json").read_text() == content
    done = tfmigrate("apply", "shop", "--baseline", "old.json")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert (shop / "net.py").read_text() == NET


@pytest.mark.tf
def test_verification_leaves_old_findings_alone(tfmigrate: Tfmigrate, tmp_path: Path) -> None:
    net = NET.replace("def __init__(self, units):", "def __init__(self, units=4):")
    (tmp_path / "net.py").write_text(net)
    written(tfmigrate, "net.py")
    (tmp_path / "net.py").write_text(net + "\n\n" + OTHER.replace("(self, units):", "(self, units=4):"))
    options = ("--baseline", "old.json", "--modes", "eager", "--format", "json")
    document = json.loads(tfmigrate("diff", "net.py", "--verify", *options).out)
    assert [s["symbol"] for s in document["verification"]["symbols"]] == ["net:Other"]
    assert document["summary"]["baselined"] == 1
