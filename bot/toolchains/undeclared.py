"""A module that the code imports and nothing provides: a requirement that nobody wrote down."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from bot import syntax
from bot.engines.search.inside.operators.meant import OLD, is_near
from bot.engines.search.inside.project import top_names
from bot.nouns import TestCase
from bot.toolchains import requirements
from sandbox import Files

_PACKAGES = {
    "yaml": "PyYAML", "bs4": "beautifulsoup4", "PIL": "Pillow", "cv2": "opencv-python", "sklearn": "scikit-learn",
    "dateutil": "python-dateutil", "dotenv": "python-dotenv", "attr": "attrs", "jwt": "PyJWT", "git": "GitPython",
    "Crypto": "pycryptodome", "serial": "pyserial", "docx": "python-docx", "MySQLdb": "mysqlclient",
    "psycopg2": "psycopg2-binary", "google": "google-api-python-client", "usb": "pyusb", "magic": "python-magic",
}  # fmt: skip
"""Modules whose package is called otherwise."""
_GENERATED = re.compile(r"^_|_pb2(_grpc)?$")
"""Modules that a build makes."""


@dataclass(frozen=True)
class Undeclared:
    """One such module, and the file that imports it."""

    module: str
    path: str

    def told(self, tree: Files) -> str:
        """What is wrong, and what to do about it."""
        package = _PACKAGES.get(self.module, self.module)
        return (
            f"`{self.module}` is imported by {self.path}, and no requirements of the project name it. "
            f"Add {'it' if package == self.module else f'the package {package}'} to {_place(tree)}; "
            "if it is a module of the project's own, add its file."
        )


def module(
    case: TestCase, tree: Files, installed: Collection[str], *, before: Collection[str] = ()
) -> Undeclared | None:
    """The module for want of which a test is red: nothing has it, is spelled nearly so, or has what is taken from it.

    `before`: paths that the project had a commit ago, when a module may have been called otherwise.
    """
    missing = re.match(r"ModuleNotFoundError: No module named '(\w+)'", case.message)
    if case.exception != "ModuleNotFoundError" or missing is None or not case.frames:
        return None
    name, path = missing[1], case.frames[-1].path
    known = {*sys.stdlib_module_names, *installed, *own_names(tree), *own_names(before)}
    taken = _taken(tree[path].data, name) if path in tree else None
    if taken is None or name in OLD or _GENERATED.search(name) or any(is_near(name, other) for other in known):
        return None
    moved = taken and any(taken <= top_names(file.data) for other, file in tree.items() if _is_code(other, path))
    return None if moved else Undeclared(name, path)


def own_names(paths: Collection[str]) -> set[str]:
    """Every name that a file or folder of the project could be imported by."""
    return {part.removesuffix(".py") for path in paths for part in PurePosixPath(path).parts}


def _is_code(path: str, importing: str) -> bool:
    return path.endswith(".py") and path != importing


def _taken(source: bytes, module: str) -> set[str] | None:
    """What a file takes from a top-level module; None where it does not import it by name."""
    try:
        nodes = list(ast.walk(syntax.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    named = [node for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    named = [node for node in named if (node.module or "").split(".")[0] == module]
    plain = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    bound = {alias.asname or module for alias in plain if alias.name.split(".")[0] == module}
    if not named and not bound:
        return None
    read = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    taken = {node.attr for node in read if isinstance(node.value, ast.Name) and node.value.id in bound}
    return taken | {alias.name for node in named for alias in node.names}


def _place(tree: Files) -> str:
    """Where this project writes down what it needs."""
    if "requirements.txt" not in tree and "project" in requirements.toml(tree, "pyproject.toml"):
        return "`dependencies` in pyproject.toml"
    return "requirements.txt"
