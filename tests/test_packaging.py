"""The wheel, the source archive and the checkout all hold the codemods as ``tfmigrate.codemods``."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
CODEMODS = sorted(path.name for path in (TOP / "codemods").glob("*.py"))
NAMES = "import tfmigrate.registry as r; print(*sorted(c.name for c in r.codemods()), r.__file__)"


def run(*command: str, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=TOP)
    (file,) = folder.glob("*.whl")
    return file


def test_the_wheel_holds_the_codemods_inside_the_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert CODEMODS
    for name in CODEMODS:
        assert f"tfmigrate/codemods/{name}" in names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"tfmigrate"}
    assert {"tfmigrate/py.typed", "tfmigrate/report/schema.json", "tfmigrate/report/html/style.css"} < set(
        names
    )
    assert len(names) == len(set(names))


def test_the_wheel_works_beside_a_users_own_codemods_folder(wheel: Path, tmp_path: Path) -> None:
    site, project = tmp_path / "site", tmp_path / "project"
    zipfile.ZipFile(wheel).extractall(site)
    (project / "codemods").mkdir(parents=True)
    (project / "codemods" / "__init__.py").write_text("raise SystemExit('the user\\'s own code was run')\n")
    (project / "codemods" / "mine.py").write_text("raise SystemExit('the user\\'s own code was run')\n")
    code = f"import sys; sys.path.insert(0, {str(site)!r}); sys.path.insert(0, ''); {NAMES}"
    *found, where = run(sys.executable, "-c", code, cwd=project).split()
    assert found == [name.removesuffix(".py") for name in CODEMODS]
    assert where == str(site / "tfmigrate" / "registry.py")


def test_the_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path), cwd=TOP)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path / "unpacked")
    (source,) = (tmp_path / "unpacked").iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), cwd=source)
    (again,) = tmp_path.glob("*.whl")
    contents = [
        {n: z.read(n) for n in z.namelist() if not n.endswith("RECORD")}
        for z in (zipfile.ZipFile(wheel), zipfile.ZipFile(again))
    ]
    assert contents[0] == contents[1]


def test_a_plain_checkout_finds_its_codemods(tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(TOP)!r}); {NAMES}"
    *found, _ = run(sys.executable, "-c", code, cwd=tmp_path).split()
    assert found == [name.removesuffix(".py") for name in CODEMODS]


def test_the_ci_script_runs_the_readmes_test_command() -> None:
    script = (TOP / ".ci" / "run").read_text()
    command = "python -m pip install '.[test]' && python -m pytest"
    assert script.splitlines()[-1] == command
    assert "set -euo pipefail" in script
    assert (TOP / ".ci" / "run").stat().st_mode & 0o111 == 0o111
    readme = (TOP / "README.md").read_text()
    assert command in readme
    assert "python -m pip install '.[verify]' && tfmigrate diff --verify testdata/quickstart" in readme
