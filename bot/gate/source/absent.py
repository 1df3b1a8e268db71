"""Part of layer D: what the patch takes from modules of the standard library that do not have it.

Such code raises as soon as it runs: where no test runs it, nothing but its text can tell.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.gate.layer import Case
from bot.gate.source.names import Names
from bot.gate.source.paths import parse
from bot.nouns import Reason
from bot.toolchains.undeclared import own_names

LAYER = "facts"

LIMIT_S = 20.0
_LOUD = frozenset({"antigravity", "this", "idlelib", "turtledemo", "__main__"})
"""Modules that do something when they are imported, and the one that is us."""
_ASKING = frozenset({"hasattr", "version_info", "platform", "AttributeError", "ImportError"})
"""Words of code that knows that something may not be there."""


def examine(case: Case) -> Iterator[Reason]:
    """Names of the standard library that the patch brings and that are not there, as this Python has it.

    Nothing is said where the project is run by another version.
    """
    if case.before.python not in ("", version()):
        return
    own = own_names(case.tree)
    for path in sorted(path for path in case.patch.files if path.endswith(".py") and path in case.after):
        before = parse(case.tree[path].data) if path in case.tree else None
        for name in _absent(sorted(_taken(parse(case.after[path].data), own) - _taken(before, own))):
            detail = f"`{name}` does not exist in the standard library of Python {version()}"
            yield Reason(LAYER, "no-such-attribute", detail, path, False)


def version() -> str:
    """That of the Python that we run on, as the box says its own."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _taken(module: ast.Module | None, own: set[str]) -> set[str]:
    """Dotted names of what is read or imported from the standard library; no `__main__`, whose import runs it."""
    if module is None:
        return set()
    careful = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(module)} & _ASKING
    if careful:
        return set()
    names, bound = Names(module), _bound(module)
    found = set(_imported(module))
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and _root(node) not in bound:
            found.add(names.dotted(node) or "")
    tops = sys.stdlib_module_names - own - _LOUD
    parts = ((name, name.split(".")) for name in found)
    return {name for name, (top, *rest) in parts if top in tops and rest and "__main__" not in rest}


def _imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names if alias.name != "*")


def _bound(module: ast.Module) -> set[str]:
    """Names that are variables or parameters somewhere in the file, whatever else they are."""
    nodes = list(ast.walk(module))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} | {
        node.arg for node in nodes if isinstance(node, ast.arg)
    }


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _absent(names: Sequence[str]) -> list[str]:
    """Those that lead nowhere, as a fresh Python says that sees neither our folder nor our settings; none of them
    where it says nothing in time."""
    if not names:
        return []
    argv = [sys.executable, "-I", "-B", str(Path(__file__).with_name("library.py"))]
    try:
        ran = subprocess.run(
            argv, input=json.dumps(names).encode(), capture_output=True, timeout=LIMIT_S, check=True, cwd="/", env={}
        )
        found = set(json.loads(ran.stdout.rpartition(b"\n")[2]))
    except (subprocess.SubprocessError, OSError, ValueError):
        return []
    return [name for name in names if name in found]
