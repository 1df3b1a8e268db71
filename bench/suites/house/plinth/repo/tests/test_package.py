"""What the package says of itself, and the form of its code."""

import ast
import inspect
import re
import subprocess
import sys
import typing
import warnings
from pathlib import Path

import pytest

import plinth
from plinth.__main__ import main

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "plinth").rglob("*.py"))


def test_every_export_is_there():
    for name in plinth.__all__:
        assert getattr(plinth, name) is not None
        assert name in dir(plinth)


def test_formats_are_loaded_only_when_used():
    code = "import sys, plinth; print([name for name in sys.modules if name.startswith('plinth.formats.')])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "src", capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert plinth.toml.parse("a = 1") == {"a": 1}


def test_unknown_attribute():
    with pytest.raises(AttributeError, match="no attribute 'yaml'"):
        plinth.yaml


def test_version_is_the_one_of_the_project():
    assert f'version = "{plinth.__version__}"' in (ROOT / "pyproject.toml").read_text()


def test_command(folder, capsys):
    assert main([str(folder("a.json", '{"b": 1, "a": 2}'))]) == 0
    assert capsys.readouterr().out == '{\n  "a": 2,\n  "b": 1\n}\n'
    assert main([str(folder("a.toml", "x"))]) == 1
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_source_compiles_without_a_warning(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(path.read_text(), str(path), "exec")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_import_is_used(path):
    tree = ast.parse(path.read_text())
    exported = {name for node in ast.walk(tree) if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__" for name in ast.literal_eval(node.value)}
    imported = {(one.asname or one.name).split(".")[0] for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)) for one in node.names}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert imported - used - exported == {"annotations"} & imported


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_function_is_annotated(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            arguments = [one for one in (*node.args.args, *node.args.kwonlyargs) if one.arg not in ("self", "cls")]
            assert node.returns is not None, node.name
            assert [one.arg for one in arguments if one.annotation is None] == [], node.name


def test_annotations_of_public_functions_can_be_read():
    for name in plinth.__all__:
        one = getattr(plinth, name)
        if inspect.isfunction(one):
            assert typing.get_type_hints(one)["return"]


def test_every_module_says_what_it_is():
    for path in SOURCES:
        assert re.match(r'"""[^"]+\."""', path.read_text() + "."), path.name
