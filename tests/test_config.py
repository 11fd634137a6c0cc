"""[tool.tfmigrate]: found, checked, merged; and the selection of codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate.claim import Claim
from tfmigrate.codemod import Codemod, Safety, Target
from tfmigrate.config import Config, ConfigError, load_config, merged
from tfmigrate.discovery import DEFAULT_EXCLUDE
from tfmigrate.selection import codes_of, enabled_codes, ignored_in


def codemod(name: str, off: tuple[str, ...] = (), **codes: str) -> Codemod:
    return Codemod(
        f"tfmigrate.codemods.{name}",
        name,
        codes,
        {},
        Safety.SAFE,
        (b"x",),
        (),
        Claim(),
        off_by_default=frozenset(off),
    )


CODEMODS = (
    codemod("layers_to_init", TFM101="layer-in-call", TFM102="layer-in-loop"),
    codemod("random_to_tf", ("TFM202",), TFM201="python-random", TFM202="numpy-random"),
)


def write(folder: Path, table: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "pyproject.toml"
    file.write_text(table)
    return file


def test_the_nearest_pyproject_is_read(tmp_path: Path) -> None:
    write(tmp_path, "[tool.tfmigrate]\njobs = 1\n")
    inner = write(tmp_path / "a", "[tool.tfmigrate]\njobs = 2\n")
    config = load_config(tmp_path / "a" / "b" / "c.py")
    assert (config.jobs, config.file, config.root) == (2, inner, tmp_path / "a")
    assert load_config(tmp_path / "d.py").jobs == 1


def test_a_nearer_pyproject_without_the_table_ends_the_search(tmp_path: Path) -> None:
    write(tmp_path, "[tool.tfmigrate]\njobs = 1\n")
    write(tmp_path / "a", "[tool.other]\n")
    assert load_config(tmp_path / "a").file is None


def test_every_key(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        """
[tool.tfmigrate]
select = ["TFM1"]
ignore = ["layer-in-loop"]
exclude = ["old"]
extend-exclude = ["gen/*"]
force-exclude = true
per-file-ignores = {"tests/*" = ["ALL"]}
target = "keras3"
unsafe = true
jobs = 3
traced = ["augment_*", "pkg.net:Net.penalty"]
required-version = ">=0.1,<99"
cache-dir = "cache"
[[tool.tfmigrate.case]]
symbol = "pkg.net:Net"
""",
    )
    assert load_config(tmp_path) == Config(
        file=file,
        root=tmp_path,
        select=("TFM1",),
        ignore=("layer-in-loop",),
        exclude=("old",),
        extend_exclude=("gen/*",),
        force_exclude=True,
        per_file_ignores=(("tests/*", ("ALL",)),),
        target=Target.KERAS3,
        unsafe=True,
        jobs=3,
        traced=("augment_*", "pkg.net:Net.penalty"),
        cache_dir=tmp_path / "cache",
        cases=({"symbol": "pkg.net:Net"},),
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ignored = []", "unknown key 'ignored' in [tool.tfmigrate] (did you mean 'ignore'?)"),
        (
            "per_file_ignore = {}",
            "unknown key 'per_file_ignore' in [tool.tfmigrate] (did you mean 'per-file-ignores'?)",
        ),
        ("zzz = 1", "unknown key 'zzz' in [tool.tfmigrate]"),
        ('select = "TFM101"', 'select: must be a list of strings, like ["TFM101"]'),
        ("jobs = -1", "jobs: must be a whole number, 0 for one per processor"),
        ("jobs = true", "jobs: must be a whole number, 0 for one per processor"),
        ('target = "keras-3"', "target: must be one of auto, keras2, keras3, both (did you mean 'keras3'?)"),
        ("force-exclude = 1", "force-exclude: must be true or false"),
        (
            'required-version = ">=99"',
            "required-version: asks for tfmigrate >=99, but this is 0.1.0; install the one it asks for",
        ),
        ('required-version = "new"', "required-version: 'new' is no version comparison; write \">=0.1,<1\""),
        ("case = 1", "case: must be an array of tables: [[tool.tfmigrate.case]]"),
        ("select = [", "not valid TOML: "),
    ],
)
def test_mistakes_are_errors_that_say_what_to_write(tmp_path: Path, line: str, message: str) -> None:
    file = write(tmp_path, f"[tool.tfmigrate]\n{line}\n")
    with pytest.raises(ConfigError) as raised:
        load_config(tmp_path)
    assert str(raised.value).startswith(f"{file}: {message}")


def test_a_broken_file_of_another_tool_is_not_our_problem(tmp_path: Path) -> None:
    write(tmp_path, "[tool.black\n")
    assert load_config(tmp_path).file is None


def test_a_named_file_must_have_the_table(tmp_path: Path) -> None:
    file = write(tmp_path, "[tool.black]\n")
    with pytest.raises(ConfigError, match=r"has no \[tool\.tfmigrate\] table; add one"):
        load_config(tmp_path, file)
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_config(tmp_path, tmp_path / "none.toml")


def test_isolated_reads_nothing(tmp_path: Path) -> None:
    write(tmp_path, "[tool.tfmigrate]\njobs = 7\n")
    assert (load_config(tmp_path, isolated=True).jobs, load_config(tmp_path).jobs) == (0, 7)


def test_options_win_over_the_file(tmp_path: Path) -> None:
    write(tmp_path, "[tool.tfmigrate]\njobs = 7\nunsafe = true\n")
    config = merged(load_config(tmp_path), jobs=1, unsafe=None)
    assert (config.jobs, config.unsafe) == (1, True)
    assert config.excludes.patterns == DEFAULT_EXCLUDE


@pytest.mark.parametrize(
    ("select", "ignore", "codes"),
    [
        ((), (), {"TFM101", "TFM102", "TFM201"}),
        (("ALL",), (), {"TFM101", "TFM102", "TFM201"}),
        (("TFM",), (), {"TFM101", "TFM102", "TFM201"}),
        (("TFM1",), (), {"TFM101", "TFM102"}),
        (("TFM202",), (), {"TFM202"}),
        (("numpy-random",), (), {"TFM202"}),
        (("ALL", "TFM202"), (), {"TFM101", "TFM102", "TFM201", "TFM202"}),
        (("layers_to_init",), (), {"TFM101", "TFM102"}),
        (("layer-in-call",), (), {"TFM101"}),
        (("tfm1",), ("TFM101",), {"TFM102"}),
        (("TFM101",), ("TFM1",), {"TFM101"}),
        ((), ("ALL",), set()),
        ((), ("TFM1",), {"TFM201"}),
        (("TFM101",), ("TFM101",), set()),
    ],
)
def test_selection(select: tuple[str, ...], ignore: tuple[str, ...], codes: set[str]) -> None:
    assert enabled_codes(Config(select=select, ignore=ignore), CODEMODS) == codes


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("TFM991", " (did you mean 'TFM201'?)"),
        ("layer-in-cal", " (did you mean 'layer-in-call'?)"),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_an_unknown_selector_is_an_error(word: str, hint: str) -> None:
    with pytest.raises(ConfigError) as raised:
        enabled_codes(Config(ignore=(word,)), CODEMODS)
    assert str(raised.value).startswith(f"unknown code or name {word!r}")
    assert hint in str(raised.value)


def test_codes_of_a_prefix() -> None:
    assert codes_of("TFM2", CODEMODS) == {"TFM201", "TFM202"}


def test_per_file_ignores(tmp_path: Path) -> None:
    config = Config(
        root=tmp_path, per_file_ignores=(("tests/*", ("TFM1",)), ("*_old.py", ("python-random",)))
    )
    assert ignored_in(tmp_path / "tests/a.py", config, CODEMODS) == {"TFM101", "TFM102"}
    assert ignored_in(tmp_path / "tests/a_old.py", config, CODEMODS) == {"TFM101", "TFM102", "TFM201"}
    assert ignored_in(tmp_path / "src/a.py", config, CODEMODS) == frozenset()
