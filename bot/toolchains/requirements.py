"""What a Python project says it needs, read from its files as plain requirement lines.

Nothing of the project is run to find out. Requirement files can carry options that redirect the installer
(`--index-url`, links, editable paths); those are left out, and a note says so.
"""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from sandbox import Files

TEST_GROUPS = ("test", "tests", "testing")
DEV_GROUPS = ("dev", "develop", "development")

_FILES = (
    "requirements.txt",
    "requirements/base.txt",
    "requirements/requirements.txt",
)
_TEST_FILES = (
    "requirements-test.txt", "requirements-tests.txt", "requirements_test.txt", "test-requirements.txt",
    "test_requirements.txt", "requirements/test.txt", "requirements/tests.txt", "requirements/testing.txt",
    "tests/requirements.txt", "test/requirements.txt",
)  # fmt: skip
_DEV_FILES = (
    "requirements-dev.txt", "requirements_dev.txt", "dev-requirements.txt", "requirements/dev.txt",
    "requirements/development.txt",
)  # fmt: skip

_REQUIREMENT = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*\s*(\[[A-Za-z0-9,._\s-]*\])?\s*([(<>=!~;,@].*)?$")


@dataclass
class Needs:
    """Requirement lines, and notes on what was left out."""

    lines: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, requirement: str, *, source: str) -> None:
        text = requirement.split(" #", maxsplit=1)[0].split(" --hash", maxsplit=1)[0].strip().rstrip("\\").strip()
        if not text or text.startswith("#") or text in (".", "-e .", "--editable ."):
            return
        direct = "@" in text.split(";")[0] and "://" in text
        if text.startswith("-") or direct or not _REQUIREMENT.match(text):
            self.notes.append(f"{source}: left out {text[:80]!r} (only named packages are installed)")
        elif text not in self.lines:
            self.lines.append(text)


def read(tree: Files) -> Needs:
    """All requirements of the project and of its tests."""
    needs = Needs()
    for path in [*_present(tree, _FILES), *(_present(tree, _TEST_FILES) or _present(tree, _DEV_FILES))]:
        _requirement_file(tree, path, needs, seen=set())
    pyproject = toml(tree, "pyproject.toml")
    _project_table(pyproject, needs)
    _dependency_groups(pyproject, needs)
    _poetry(pyproject, needs)
    _setup_cfg(tree, needs)
    return needs


def toml(tree: Files, path: str) -> dict[str, Any]:
    """A parsed TOML file, empty where it is absent or broken (the build then reports it)."""
    if path not in tree or tree[path].link:
        return {}
    try:
        return tomllib.loads(tree[path].data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError):
        return {}


def _present(tree: Files, paths: Iterable[str]) -> list[str]:
    return [path for path in paths if path in tree and not tree[path].link]


def _requirement_file(tree: Files, path: str, needs: Needs, *, seen: set[str]) -> None:
    if path in seen or path not in tree:
        return
    seen.add(path)
    text = tree[path].data.decode("utf-8", "replace").replace("\\\n", " ")
    for raw in text.splitlines():
        line = raw.strip()
        included = re.match(r"^(?:-r|--requirement)[ =]?\s*(\S+)$", line)
        if included:
            _requirement_file(tree, _beside(path, included[1]), needs, seen=seen)
        else:
            needs.add(line, source=path)


def _beside(path: str, name: str) -> str:
    """Path of `name` seen from `path`'s folder, with `..` resolved; outside paths simply do not exist."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / name).parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _table(value: object, key: str) -> dict[str, Any]:
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def _chosen(groups: Mapping[str, object]) -> list[str]:
    names = {name.lower().replace("_", "-"): name for name in groups}
    return [names[name] for name in TEST_GROUPS if name in names] or [
        names[name] for name in DEV_GROUPS if name in names
    ]


def _project_table(pyproject: dict[str, Any], needs: Needs) -> None:
    project = _table(pyproject, "project")
    for line in _strings(project.get("dependencies")):
        needs.add(line, source="pyproject.toml")
    extras = _table(project, "optional-dependencies")
    for name in _chosen(extras):
        for line in _strings(extras[name]):
            if line.split("[")[0].strip().lower() != str(project.get("name", "")).lower():
                needs.add(line, source=f"pyproject.toml [{name}]")


def _dependency_groups(pyproject: dict[str, Any], needs: Needs) -> None:
    groups = _table(pyproject, "dependency-groups")
    queue, seen = _chosen(groups), set[str]()
    while queue:
        name = queue.pop(0)
        if name in seen:
            continue
        seen.add(name)
        entries = groups.get(name)
        for entry in entries if isinstance(entries, list) else []:
            if isinstance(entry, dict):
                queue.append(str(entry.get("include-group")))
            else:
                needs.add(str(entry), source=f"pyproject.toml, group {name}")


def _poetry(pyproject: dict[str, Any], needs: Needs) -> None:
    poetry = _table(_table(pyproject, "tool"), "poetry")
    groups = _table(poetry, "group")
    tables = [_table(poetry, "dependencies"), _table(poetry, "dev-dependencies")]
    tables += [_table(groups.get(name), "dependencies") for name in _chosen(groups)]
    for table in tables:
        for name, constraint in table.items():
            version = constraint.get("version", "*") if isinstance(constraint, dict) else constraint
            if name.lower() != "python":
                needs.add(name + _poetry_constraint(str(version)), source="pyproject.toml (poetry)")


def _poetry_constraint(version: str) -> str:
    """Poetry's caret and tilde as PEP 440 understands them; anything else is passed on."""
    match = re.match(r"^([\^~])\s*(\d+)(?:\.(\d+))?(.*)$", version.strip())
    if match is None:
        return "" if version.strip() == "*" else (version if version[:1] in "<>=!~" else f"=={version}")
    sign, major, minor, rest = match[1], int(match[2]), match[3], match[4]
    low = f"{major}" + (f".{minor}" if minor is not None else "") + rest
    if sign == "~" or major == 0:
        return f">={low},<{major}.{int(minor or 0) + 1}" if minor is not None else f">={low},<{major + 1}"
    return f">={low},<{major + 1}"


def _setup_cfg(tree: Files, needs: Needs) -> None:
    if "setup.cfg" not in tree or tree["setup.cfg"].link:
        return
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(tree["setup.cfg"].data.decode())
    except (configparser.Error, UnicodeDecodeError):
        return
    extras = dict(parser["options.extras_require"]) if parser.has_section("options.extras_require") else {}
    blocks = [parser.get("options", "install_requires", fallback="")]
    blocks += [parser.get("options", "tests_require", fallback="")]
    blocks += [extras[name] for name in _chosen(extras)]
    for block in blocks:
        for line in block.splitlines():
            needs.add(line, source="setup.cfg")
