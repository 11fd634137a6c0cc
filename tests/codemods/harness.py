"""Put one text through the engine, as the command line does, in memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tfmigrate import registry
from tfmigrate.engine import Options, migrate
from tfmigrate.project.index import build_index
from tfmigrate.results import FileResult, Patch
from tfmigrate.source import SourceFile, from_bytes
from tfmigrate.suppression import read_suppressions

DEFAULT = frozenset(
    code for codemod in registry.codemods() for code in codemod.codes if code not in codemod.off_by_default
)


def migrated(
    text: str | bytes,
    codes: frozenset[str] = DEFAULT,
    name: str = "module.py",
    unsafe: bool = False,
    unrolled: int | None = None,
    **others: str,
) -> FileResult:
    """What the engine makes of ``text``; ``others`` are further modules of the project (name=text)."""
    data = text.encode() if isinstance(text, str) else text
    source = from_bytes(data, name)
    assert isinstance(source, SourceFile), source
    sources = [source]
    for other, body in others.items():
        more = from_bytes(body.encode(), f"{other}.py")
        assert isinstance(more, SourceFile)
        sources.append(more)
    index = build_index(sources, [Path.cwd()], None)
    comments = read_suppressions(source.text, registry.codemods())
    return migrate(
        source,
        index,
        registry.codemods(),
        Options(codes, unsafe=unsafe, unrolled=unrolled),
        suppressed=comments.suppressed,
    )


@dataclass(frozen=True)
class Told:
    """A result in short."""

    after: str
    rewritten: list[str]
    refused: list[str]


def told(result: FileResult) -> Told:
    """The text, the codes of the rewritten places and the reasons of the refused ones."""
    assert isinstance(result, Patch), result
    rewritten = [finding.site.code for finding in result.findings if finding.refused is None]
    refused = [finding.refused.reason for finding in result.findings if finding.refused is not None]
    return Told(result.after, rewritten, refused)
