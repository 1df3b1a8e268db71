"""Layer S: the shape of a patch. Cheap, certain, and before anything is run."""

from __future__ import annotations

import configparser
import posixpath
import re
import sys
import tomllib
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from bot.gate.layer import Boxes, Case, Findings, Options
from bot.gate.protected import EXPLANATIONS, POLICY_REMEDY, covers, why_protected
from bot.gate.source import support
from bot.nouns import Patch, Reason
from sandbox import Files

LAYER = "structure"
MAX_FILE_BYTES = 1024 * 1024

# Invisible or direction-changing characters can make a diff read differently from what it does (CVE-2021-42574).
_INVISIBLE = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")

# Facts about a project that no test run depends on; every other key of [project] decides what is installed.
_FREE_PROJECT_KEYS = {
    "version", "description", "readme", "license", "license-files", "authors", "maintainers", "keywords",
    "classifiers", "urls",
}  # fmt: skip
_DEPENDENCY_TABLES = re.compile(r"\[(project\.(optional-)?dependencies|dependency-groups)\]")
_TOOLS = {
    "pytest", "coverage", "tox", "nox", "hatch", "pdm", "poetry", "setuptools", "setuptools_scm", "flit", "uv",
    "ruff", "mypy", "pyright", "black", "isort", "flake8", "pylint", "pytest-env", "pytest_env", "hypothesis",
    "pixi", "rye", "poe", "taskipy", "doit", "nose", "nose2", "unittest",
}  # fmt: skip


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """The shape of the patch, in the light of what the baseline run found."""
    found = shape(
        case.patch, case.tree, test_files=case.before.test_files, installed=case.before.installed, options=options
    )
    return Findings((*found, *support.examine(case)))


def shape(
    patch: Patch,
    tree: Files,
    *,
    test_files: Collection[str] = (),
    installed: Collection[str] = (),
    options: Options | None = None,
) -> list[Reason]:
    """Everything that the shape of the patch has against it; an empty list when nothing."""
    options = options or Options()
    reasons = [*_size(patch, tree, options)]
    taken = _Taken(tree, test_files, installed)
    for path in sorted(patch.files):
        reasons += _path(path, patch, tree, test_files)
        reasons += _content(path, patch.files[path], tree)
        reasons += taken.shadowed(path)
        if covers(options.protected, path):
            reasons.append(_reason("protected-by-policy", EXPLANATIONS["protected-by-policy"], path))
    return [_allowed(reason, options) for reason in reasons]


def _allowed(reason: Reason, options: Options) -> Reason:
    """Where a policy allows edits of dependencies, a person looks at them."""
    dependencies = reason.code == "dependency-changed" or (
        reason.code == "project-config-changed" and _DEPENDENCY_TABLES.search(reason.detail)
    )
    if options.dependencies and dependencies:
        return replace(reason, hard=False)
    if dependencies and POLICY_REMEDY not in reason.detail:
        return replace(reason, detail=f"{reason.detail}; {POLICY_REMEDY}")
    return reason


def _reason(code: str, detail: str, path: str | None = None) -> Reason:
    return Reason(LAYER, code, detail, path)


def _size(patch: Patch, tree: Files, options: Options) -> Iterator[Reason]:
    if not patch.files or (
        all(path in tree and tree[path].data == data for path, data in patch.files.items()) and not patch.modes
    ):
        yield _reason("empty-patch", "the patch changes nothing")
    if len(patch.files) > options.max_files:
        yield _reason("too-large", f"{len(patch.files)} files are changed; the limit is {options.max_files}")
    changed = sum(_changed_lines(tree, path, data) for path, data in patch.files.items())
    if changed > options.max_changed_lines:
        yield _reason("too-large", f"{changed} lines are changed; the limit is {options.max_changed_lines}")


def _changed_lines(tree: Files, path: str, data: bytes | None) -> int:
    old = tree[path].data.split(b"\n") if path in tree else []
    new = (data or b"").split(b"\n")
    if len(old) + len(new) > 200_000:
        return len(old) + len(new)
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if len(old) < 5000 else []
    if not codes:
        return len(set(new) ^ set(old))
    return sum(max(a2 - a1, b2 - b1) for tag, a1, a2, b1, b2 in codes if tag != "equal")


def _path(path: str, patch: Patch, tree: Files, test_files: Collection[str]) -> Iterator[Reason]:
    if not _is_plain(path):
        yield _reason("odd-path", "the path is not a plain relative path", path)
    elif path not in tree and _is_taken(path, {**tree, **patch.files}):
        yield _reason("odd-path", "a file and a folder would have the same name", path)
    code = why_protected(path, test_files)
    if code is not None and not (code == "test-config-changed" and path == "setup.cfg"):
        yield _reason(code, EXPLANATIONS[code], path)
    if path in patch.modes or (path in tree and tree[path].link):
        yield _reason("mode-changed", "links, submodules and file modes are not for a repair to change", path)
    if patch.files[path] is None and path in tree:
        yield _reason("file-deleted", "a repair never deletes a file", path)
    yield from _case_twin(path, tree)


def _is_taken(path: str, paths: Collection[str]) -> bool:
    """Whether a file is where one of the folders of this path would be, or a folder where the file would be."""
    parts = path.split("/")
    above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
    return any(other in above or other.startswith(f"{path}/") for other in paths)


def _is_plain(path: str) -> bool:
    parts = path.split("/")
    return (
        0 < len(path.encode("utf-8", "surrogateescape")) < 4096
        and all(part not in ("", ".", "..") and len(part) < 256 and part[-1] not in ". " for part in parts)
        and not any(ord(char) < 32 or char in '\\:*?"<>|' or 0xD800 <= ord(char) < 0xE000 for char in path)
        and not _INVISIBLE.search(path)
        and not re.search(r"(?i)(^|/)git~\d", path)
    )


def _case_twin(path: str, tree: Files) -> Iterator[Reason]:
    if path in tree:
        return
    folded = unicodedata.normalize("NFC", path).casefold()
    twin = next((other for other in tree if unicodedata.normalize("NFC", other).casefold() == folded), None)
    if twin is not None:
        yield _reason("odd-path", f"the path differs from {twin!r} only by case or composition", path)


def _content(path: str, data: bytes | None, tree: Files) -> Iterator[Reason]:
    if data is None:
        return
    if len(data) > MAX_FILE_BYTES:
        yield _reason("too-large", f"the file has more than {MAX_FILE_BYTES // 1024} KiB", path)
        return
    try:
        text = data.decode()
    except UnicodeDecodeError:
        yield _reason("binary", "the new content is not UTF-8 text", path)
        return
    if "\0" in text:
        yield _reason("binary", "the new content holds NUL bytes", path)
    before = tree[path].data.decode("utf-8", "replace") if path in tree else ""
    fresh = _INVISIBLE.findall(text.removeprefix("\ufeff"))
    if len(fresh) > len(_INVISIBLE.findall(before.removeprefix("\ufeff"))):
        yield _reason("invisible-characters", "added text holds characters that cannot be seen", path)
    if path == "pyproject.toml":
        yield from _pyproject(before, text)
    if path == "setup.cfg":
        yield from _setup_cfg(before, text)


def _pyproject(before: str, after: str) -> Iterator[Reason]:
    try:
        old, new = _guarded(tomllib.loads(before)), _guarded(tomllib.loads(after))
    except (tomllib.TOMLDecodeError, RecursionError):
        yield _reason("project-config-changed", "it cannot be read as TOML", "pyproject.toml")
        return
    for table in sorted(set(old) | set(new)):
        if old.get(table) != new.get(table):
            kind = (
                "test-config-changed"
                if table.startswith(("tool.pytest", "tool.coverage"))
                else "project-config-changed"
            )
            yield _reason(
                kind, f"the table [{table}] decides how the project is installed or tested", "pyproject.toml"
            )


def _guarded(document: dict[str, Any]) -> dict[str, Any]:
    """The tables that a repair may not change, by dotted name."""
    project = document.get("project")
    keys = project if isinstance(project, dict) else {}
    tables = {f"project.{key}": value for key, value in keys.items() if key not in _FREE_PROJECT_KEYS | {"name"}}
    tables |= {key: value for key, value in document.items() if key not in ("project", "tool")}
    tools = document.get("tool")
    for name, value in (tools if isinstance(tools, dict) else {}).items():
        if name in _TOOLS:
            tables[f"tool.{name}"] = value
    return tables


def _setup_cfg(before: str, after: str) -> Iterator[Reason]:
    sections = []
    for text in (before, after):
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(text)
        except configparser.Error:
            yield _reason("project-config-changed", "it cannot be read as an INI file", "setup.cfg")
            return
        sections.append({name: dict(parser[name]) for name in parser.sections() if name != "metadata"})
    for name in sorted(set(sections[0]) | set(sections[1])):
        if sections[0].get(name) != sections[1].get(name):
            code = "test-config-changed" if name in ("tool:pytest", "pytest") else "project-config-changed"
            yield _reason(code, f"the section [{name}] decides how the project is installed or tested", "setup.cfg")


class _Taken:
    """Names of modules that a new file must not take, and the folders from which Python imports top-level modules."""

    def __init__(self, tree: Files, test_files: Collection[str], installed: Collection[str]) -> None:
        self._tree = tree
        beside = {path for path in (*test_files, *tree) if _is_beside(path, test_files)}
        self._roots = {"", "src", "lib", *_python_path(tree), *(self._root(path) for path in beside)}
        tests = [path for path in tree if _is_test_folder(path) and posixpath.dirname(path) in self._roots]
        helpers = {posixpath.basename(path).removesuffix(".py") for path in tests}
        self._names = {*sys.stdlib_module_names, *installed, *helpers, "pytest", "_pytest", "pluggy"} - {"__init__"}

    def _root(self, path: str) -> str:
        """The folder that pytest puts on sys.path for a test file: the first one that is no package."""
        folder = posixpath.dirname(path)
        while folder and f"{folder}/__init__.py" in self._tree:
            folder = posixpath.dirname(folder)
        return folder

    def shadowed(self, path: str) -> Iterator[Reason]:
        """A new top-level module that stands in for another one."""
        if path in self._tree or not path.endswith((".py", ".pyi")):
            return
        stem = path.removesuffix("i").removesuffix(".py")
        twin = f"{stem.removesuffix('/__init__')}.py" if stem.endswith("/__init__") else f"{stem}/__init__.py"
        if twin in self._tree:
            yield _reason("shadows-module", f"a package and a module would be there at once, as {twin} is", path)
            return
        for root in sorted(self._roots):
            inner = path.removeprefix(f"{root}/" if root else "")
            name = inner.split("/")[0].removesuffix(".pyi").removesuffix(".py")
            if (root and inner == path) or name not in self._names or self._own(root, name):
                continue
            yield _reason("shadows-module", f"the new module {name!r} would be imported in place of another", path)
            return

    def _own(self, root: str, name: str) -> bool:
        """True for a package that the project has there already."""
        place = f"{root}/{name}" if root else name
        return any(path == f"{place}.py" or path.startswith(f"{place}/") for path in self._tree)


def _is_beside(path: str, test_files: Collection[str]) -> bool:
    return path.endswith(".py") and (path in test_files or path.endswith("conftest.py"))


def _is_test_folder(path: str) -> bool:
    """True for a module in a folder of tests."""
    return path.endswith(".py") and why_protected(path) == "test-changed" and "/" in path


def _python_path(tree: Files) -> Iterator[str]:
    """Folders that the project's pytest settings put on sys.path."""
    for name in ("pyproject.toml", "pytest.ini", ".pytest.ini", "pytest.toml", "tox.ini", "setup.cfg"):
        text = tree[name].data.decode("utf-8", "replace") if name in tree else ""
        for line in re.findall(r"^\s*pythonpath\s*=([^\n]*)", text, re.MULTILINE):
            for folder in re.findall(r"[^\s\[\],'\"]+", line):
                yield posixpath.normpath(folder).removeprefix(".").strip("/")
