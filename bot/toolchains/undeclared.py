"""A module that the code imports and nothing provides: a requirement that nobody wrote down."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from bot.engines.search.inside.operators.meant import OLD, is_near
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
            f"Add {'it' if package == self.module else f'the package {package}'} to {_place(tree)}."
        )


def module(case: TestCase, tree: Files, installed: Collection[str]) -> Undeclared | None:
    """The module for want of which a test is red: nothing has it, and nothing is spelled nearly so."""
    missing = re.match(r"ModuleNotFoundError: No module named '(\w+)'", case.message)
    if case.exception != "ModuleNotFoundError" or missing is None or not case.frames:
        return None
    name, path = missing[1], case.frames[-1].path
    known = {*sys.stdlib_module_names, *installed, *_own(tree)}
    if path not in tree or name not in _imported(tree[path].data) or name in OLD:
        return None
    return None if any(is_near(name, other) for other in known) else Undeclared(name, path)


def _own(tree: Files) -> set[str]:
    """Every name that a file or folder of the project could be imported by."""
    return {part.removesuffix(".py") for path in tree for part in PurePosixPath(path).parts}


def _imported(source: bytes) -> set[str]:
    """Top-level modules that a file imports by name."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return set()
    plain = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.split(".")[0] for name in (*plain, *named)}


def _place(tree: Files) -> str:
    """Where this project writes down what it needs."""
    if "requirements.txt" not in tree and "project" in requirements.toml(tree, "pyproject.toml"):
        return "`dependencies` in pyproject.toml"
    return "requirements.txt"
