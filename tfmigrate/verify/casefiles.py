"""Reads ``tfmigrate_cases.py`` with ``ast``: which function is a case of what. Nothing is executed."""

from __future__ import annotations

import ast
from dataclasses import dataclass

CASE_FILE = "tfmigrate_cases.py"


@dataclass(frozen=True, slots=True)
class MarkedFunction:
    """A function decorated with ``@tfmigrate.case(symbol)``."""

    symbol: str
    name: str
    function: str
    line: int


@dataclass(frozen=True, slots=True)
class CaseFile:
    """What a case file declares, and what is wrong in it (sentences, each with the line)."""

    path: str
    functions: tuple[MarkedFunction, ...]
    problems: tuple[str, ...]


def read_case_file(path: str, source: bytes) -> CaseFile:
    """The cases of the file at ``path``. Never raises for what a file can hold."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        return CaseFile(path, (), (f"{path}:{line}: cannot be parsed: {getattr(error, 'msg', error)}",))
    modules, decorators = _imported(tree)
    found: list[MarkedFunction] = []
    problems: list[str] = []
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for decorator in node.decorator_list:
            if not _is_case(decorator, modules, decorators):
                continue
            marked = _read(node, decorator)
            if isinstance(marked, str):
                problems.append(f"{path}:{decorator.lineno}: {marked}")
            else:
                found.append(marked)
    return CaseFile(path, tuple(found), tuple(problems))


def _imported(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """Local names of the module ``tfmigrate``, and of its ``case``."""
    modules, decorators = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name for alias in node.names if alias.name == "tfmigrate"}
        elif isinstance(node, ast.ImportFrom) and node.module in ("tfmigrate", "tfmigrate.cases_api"):
            decorators |= {alias.asname or alias.name for alias in node.names if alias.name == "case"}
    return frozenset(modules), frozenset(decorators)


def _is_case(decorator: ast.expr, modules: frozenset[str], decorators: frozenset[str]) -> bool:
    func = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(func, ast.Attribute):
        return func.attr == "case" and isinstance(func.value, ast.Name) and func.value.id in modules
    return isinstance(func, ast.Name) and func.id in decorators


def _read(node: ast.FunctionDef | ast.AsyncFunctionDef, decorator: ast.expr) -> MarkedFunction | str:
    if isinstance(node, ast.AsyncFunctionDef):
        return f"the case {node.name} is an async function; write a plain one"
    if not isinstance(decorator, ast.Call):
        return f'the case {node.name} names no symbol; write @tfmigrate.case("pkg.mod:Net")'
    keywords = {keyword.arg: keyword.value for keyword in decorator.keywords}
    symbol = _literal(decorator.args[0] if decorator.args else keywords.get("symbol"))
    name = _literal(keywords["name"]) if "name" in keywords else node.name
    if not symbol or not name:
        return (
            f"the symbol and the name of the case {node.name} must be string literals, "
            'as in @tfmigrate.case("pkg.mod:Net")'
        )
    arguments = node.args
    required = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    if required > 1 or (required == 0 and not (arguments.args or arguments.posonlyargs or arguments.vararg)):
        return f"the case {node.name} must take one argument, the module under test: def {node.name}(module)"
    return MarkedFunction(symbol, name, node.name, node.lineno)


def _literal(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
