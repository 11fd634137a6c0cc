"""Small file trees on disk, indexed as the command line does it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tfmigrate.project.index import ProjectIndex, build_index
from tfmigrate.source import SourceFile, read_source

Build = Callable[..., ProjectIndex]


def written(root: Path, files: Mapping[str, str]) -> list[SourceFile]:
    """Write the files and read them as sources, in the order given."""
    sources = []
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8", newline="")
        source = read_source(path, name)
        assert isinstance(source, SourceFile), source
        sources.append(source)
    return sources


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """``build({"net.py": text, ...})`` or ``build(text)`` for a single ``net.py``; paths are relative to the tree."""
    monkeypatch.chdir(tmp_path)

    def make(
        files: Mapping[str, str] | str,
        only: tuple[str, ...] = (),
        cache: Path | None = None,
        declared: tuple[str, ...] = (),
    ) -> ProjectIndex:
        tree = {"net.py": files} if isinstance(files, str) else files
        sources = written(tmp_path, tree)
        handed = [source for source in sources if not only or source.path in only]
        return build_index(handed, [tmp_path], cache, declared=declared)

    return make
