"""What README and docs say is what the code does: settings, commands, reason codes, and the commands shown."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from factories import FIXED, SHOP, files, make_checkout, patch

from bot.policy import Policy, read
from bot.settings import PREFIX, Settings
from bot.workspace import unified_diff
from handlers.cli import app
from handlers.pr_comment import VERBS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_every_setting_stands_in_the_readme_and_nothing_else_does() -> None:
    table = {name for line in README.splitlines() for name in re.findall(r"^\| `(REGREEN_[A-Z_]+)`", line)}
    assert table == {PREFIX + name.upper() for name in Settings.model_fields}


def test_every_key_of_the_policy_stands_in_the_readme_with_its_default() -> None:
    """The example is a file that is read, names every key, and departs from the defaults only where it shows how."""
    (example,) = re.findall(r"```yaml\n(gate:.*?)```", README, re.DOTALL)
    shown, defaults = read(example.encode()), Policy()
    for section in Policy.model_fields:
        part: Any = getattr(shown, section)
        assert part.model_fields_set == set(type(part).model_fields)
        usual: Any = getattr(defaults, section)
        differ = {name for name in type(part).model_fields if getattr(part, name) != getattr(usual, name)}
        assert differ <= {"protect", "layers", "branches"}


def test_every_verb_of_a_comment_stands_in_the_readme() -> None:
    assert set(re.findall(r"`/regreen (\w+)", README)) == set(VERBS)


def test_every_command_stands_in_the_readme_and_nothing_else_does() -> None:
    shown = set(re.findall(r"^\| `regreen (\w+)", README, re.MULTILINE))
    commands = {command.callback.__name__ for command in app.registered_commands if command.callback}
    assert shown == commands | {group.name for group in app.registered_groups}


def test_every_reason_code_is_documented_and_nothing_else_is() -> None:
    documented = set(re.findall(r"^\| `([a-z-]+)`", (ROOT / "docs/gate.md").read_text(), re.MULTILINE))
    constants = {
        node.value
        for path in [*(ROOT / "bot/gate").rglob("*.py"), ROOT / "bot/pipeline.py", ROOT / "bot/work.py"]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    codes = {text for text in constants if re.fullmatch(r"[a-z]+(-[a-z]+)+", text)}
    not_codes = {"needs-review", "license-files", "decoy-pass", "decoy-fail"} | {
        text for text in codes if text.startswith("pytest-")
    }
    assert codes - not_codes <= documented
    assert documented <= constants


def test_every_behaviour_names_tests_that_there_are() -> None:
    named = re.findall(r"`(test_\w+\.py)(?:::(\w+))?`", (ROOT / "docs/behaviour.md").read_text())
    assert len(named) > 30
    for file, test in named:
        assert f"def {test}" in (ROOT / "tests" / file).read_text(), f"{file} has no {test}"


def test_relative_links_of_the_documents_lead_somewhere() -> None:
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def blocks() -> list[list[str]]:
    """The `console` blocks of the README, as lines."""
    return [found.strip().splitlines() for found in re.findall(r"```console\n(.*?)```", README, re.DOTALL)]


def shape(line: str) -> str:
    """A line without what differs from run to run: numbers, hashes, temporary names."""
    return " ".join(re.sub(r"/tmp/\S+|\b[0-9a-f]{12}\b|\d+(\.\d+)?", "#", line).split())


@pytest.mark.docker
def test_commands_of_the_readme_print_what_it_shows(docker_engine: None, tmp_path: Path) -> None:
    """Each `$` line is run in a copy of the place that it speaks of; the lines below it appear in its output."""
    for name in ("Makefile", ".venv", "scripts"):
        (tmp_path / name).symlink_to(ROOT / name)
    checkout = make_checkout(tmp_path / "path/to/checkout")
    assert checkout.is_dir()
    change = unified_diff(files(SHOP), patch({"shop/pricing.py": FIXED}))
    (tmp_path / "change.diff").write_text(change)
    shown = blocks()
    assert len(shown) == 2
    for block in shown:
        output = ""
        for line in block:
            if line.startswith("$ "):
                argv = line[2:].split()
                folder = ROOT if argv[0] == "make" else tmp_path
                env = {**os.environ, "COLUMNS": "200"}
                done = subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, timeout=400)
                assert done.returncode == 0, done.stderr
                output = shape(done.stdout + done.stderr)
            else:
                assert shape(line) in output, line
