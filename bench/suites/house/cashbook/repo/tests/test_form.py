"""What the package says of itself, and the form of its code."""

import ast
import importlib
import inspect
import pkgutil
import re
import typing
import warnings
from pathlib import Path

import pytest

import cashbook

ROOT = Path(__file__).parents[1]
MODULES = sorted(f"cashbook.{info.name}" for info in pkgutil.iter_modules(cashbook.__path__) if info.name != "__main__")


@pytest.fixture
def project():
    return (ROOT / "pyproject.toml").read_text()


def test_versions_are_the_same(project):
    assert re.search(r'^version = "(.+)"$', project, re.MULTILINE)[1] == cashbook.__version__


def test_command_exists(project):
    module, _, name = re.search(r'^cashbook = "(.+)"$', project, re.MULTILINE)[1].partition(":")
    assert callable(getattr(importlib.import_module(module), name))


def test_exports_are_sorted_and_there():
    assert cashbook.__all__ == sorted(cashbook.__all__)
    assert [name for name in cashbook.__all__ if not hasattr(cashbook, name)] == []


@pytest.mark.parametrize("module", MODULES)
def test_annotations_can_be_read(module):
    for _, one in inspect.getmembers(importlib.import_module(module)):
        if getattr(one, "__module__", "") == module and (inspect.isfunction(one) or inspect.isclass(one)):
            typing.get_type_hints(one)
            for _, method in inspect.getmembers(one, inspect.isfunction):
                typing.get_type_hints(method)


@pytest.mark.parametrize("module", MODULES)
def test_no_warnings_and_no_unused_imports(module):
    source = Path(importlib.import_module(module).__file__).read_text()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(source, module, "exec")
    tree = ast.parse(source)
    imported = {(one.asname or one.name).split(".")[0] for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)) for one in node.names}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert imported - used - {"annotations"} == set()
