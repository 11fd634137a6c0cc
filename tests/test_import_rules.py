"""Who may import whom. The syntax trees of all modules are held against the rules; nothing is imported for
it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
FILES = {
    **{
        f"tfmigrate/{p.relative_to(TOP / 'tfmigrate').as_posix()}": p
        for p in (TOP / "tfmigrate").rglob("*.py")
    },
    **{f"codemods/{p.name}": p for p in (TOP / "codemods").glob("*.py")},
}
CODEMODS = sorted(name for name in FILES if name.startswith("codemods/"))

FOR_CODEMODS = frozenset(
    [
        "blocked",
        "codemod",
        "claim",
        "unit",
        "syntax",
        "tables",
        "imports",
        "lazy",
        "walk",
        "hoist",
        "draws",
        "arrays",
        "flow",
        "signatures",
        "project.index",
        "project.names",
        "project.keras",
    ]
)
"""What codemods may use of tfmigrate: the authoring API, the index, and the library that codemods share."""
WORKER = "tfmigrate/verify/worker/"
PURE = ("engine", "edits", "unit", "codemod", "claim", "diff", "verify/compare", "verify/verdict")
INPUT_OUTPUT_MODULES = frozenset(["subprocess", "shutil", "tempfile", "socket", "io", "fileinput", "glob"])
INPUT_OUTPUT_CALLS = frozenset(
    [
        "open",
        "print",
        "input",
        "read_text",
        "read_bytes",
        "write_text",
        "write_bytes",
        "unlink",
        "mkdir",
        "rmdir",
        "rename",
        "replace_file",
        "touch",
        "listdir",
        "scandir",
        "is_file",
        "is_dir",
        "exists",
        "getenv",
        "getcwd",
    ]
)


@dataclass(frozen=True)
class Import:
    """One imported module, and whether that happens when the file itself is imported."""

    name: str
    line: int
    at_import: bool


def tree_of(name: str) -> ast.Module:
    return ast.parse(FILES[name].read_text(encoding="utf-8"))


def imports(name: str) -> Iterator[Import]:
    """All imports but those for type checkers only. ``from a import b`` is both ``a`` and ``a.b``."""
    stack: list[tuple[ast.AST, bool]] = [(tree_of(name), True)]
    while stack:
        node, at_import = stack.pop()
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, at_import) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name}:{node.lineno}: relative import"
            yield Import(node.module or "", node.lineno, at_import)
            yield from (Import(f"{node.module}.{a.name}", node.lineno, at_import) for a in node.names)
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            stack.extend((child, at_import) for child in node.orelse)
            continue
        inside = at_import and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        stack.extend((child, inside) for child in ast.iter_child_nodes(node))


def importers(library: str, at_import_only: bool = False) -> set[str]:
    return {
        name
        for name in FILES
        for found in imports(name)
        if (found.name == library or found.name.startswith(f"{library}."))
        and (found.at_import or not at_import_only)
    }


def test_there_is_something_to_check() -> None:
    assert CODEMODS and "tfmigrate/cli.py" in FILES and len(FILES) > 30


@pytest.mark.parametrize("name", CODEMODS)
def test_a_codemod_imports_only_the_authoring_api(name: str) -> None:
    for found in imports(name):
        top, _, rest = found.name.partition(".")
        is_allowed = top in sys.stdlib_module_names or top == "libcst"
        if top == "tfmigrate":
            parts = rest.split(".")
            is_allowed = not rest or any(".".join(parts[:n]) in FOR_CODEMODS for n in (1, 2))
            is_allowed |= found.name == "tfmigrate.project"
        assert is_allowed, f"{name}:{found.line} imports {found.name}"


def test_only_the_registry_imports_codemods() -> None:
    assert importers("tfmigrate.codemods") == {"tfmigrate/registry.py"}
    assert importers("codemods") == set()


def test_shared_code_of_codemods_knows_no_engine() -> None:
    """What codemods use must not lead them to the command line, the engine or the verifier."""
    for name in FILES:
        if name.startswith(("tfmigrate/hoist/", "tfmigrate/project/")):
            for found in imports(name):
                assert not found.name.startswith(
                    (
                        "tfmigrate.engine",
                        "tfmigrate.cli",
                        "tfmigrate.commands",
                        "tfmigrate.verify",
                        "tfmigrate.pipeline",
                    )
                ), f"{name}:{found.line} imports {found.name}"


def test_what_looks_for_findings_does_not_load_libcst() -> None:
    """``from tfmigrate.lazy import libcst as cst`` there: LibCST takes longer to load than a small project to check."""
    eager = importers("libcst", at_import_only=True)
    assert eager == {"tfmigrate/edits.py", "tfmigrate/substitution.py"}


@pytest.mark.parametrize("library", ["tensorflow", "keras", "tf_keras"])
def test_tensorflow_is_imported_in_workers_only(library: str) -> None:
    outside = {name for name in importers(library) if not name.startswith(WORKER)}
    assert outside == set()  # The recorder too looks for them in sys.modules only.


def test_only_the_launcher_and_the_pytest_plugin_start_the_recorder() -> None:
    hooking = ("tfmigrate.record.hooks", "tfmigrate.record.session", "tfmigrate.record.recorder")
    outside = {name for module in hooking for name in importers(module)}
    assert {name for name in outside if not name.startswith("tfmigrate/record/")} == {
        "tfmigrate/pytest_plugin.py"
    }
    assert importers("tfmigrate.record.session", at_import_only=True) == set()


def test_typer_is_imported_by_the_command_line_only() -> None:
    assert importers("typer") == {"tfmigrate/cli.py"}


def test_black_is_imported_inside_functions_of_formatting_only() -> None:
    assert importers("black") == {"tfmigrate/formatting.py"}
    assert importers("black", at_import_only=True) == set()


def test_rich_is_imported_inside_functions_of_the_console_only() -> None:
    assert importers("rich") == {"tfmigrate/console.py"}
    assert importers("rich", at_import_only=True) == set()


@pytest.mark.parametrize("name", PURE)
def test_pure_modules_do_no_input_and_output(name: str) -> None:
    file = f"tfmigrate/{name}.py"
    assert file in FILES
    for found in imports(file):
        assert found.name.partition(".")[0] not in INPUT_OUTPUT_MODULES, f"{file}:{found.line}"
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Call):
            called = node.func
            word = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            assert word not in INPUT_OUTPUT_CALLS, f"{file}:{node.lineno} calls {word}"


def test_user_code_runs_in_workers_only() -> None:
    """Nothing else executes text or imports a module whose name it did not write itself."""
    # The launcher is a process of its own, which runs the program that is recorded and nothing else.
    allowed = {"tfmigrate/registry.py", "tfmigrate/toml.py", "tfmigrate/record/launch.py"}
    for name in FILES:
        if name.startswith(WORKER) or name in allowed:
            continue
        for node in ast.walk(tree_of(name)):
            if isinstance(node, ast.Call):
                text = ast.unparse(node.func)
                assert text not in ("exec", "eval", "__import__"), f"{name}:{node.lineno} calls {text}"
                assert not text.endswith(
                    ("import_module", "exec_module", "run_path", "run_module")
                ), f"{name}:{node.lineno} calls {text}"


def test_every_file_says_what_it_is_for() -> None:
    silent = {
        name for name in FILES if FILES[name].read_text().strip() and not ast.get_docstring(tree_of(name))
    }
    assert silent == set()
