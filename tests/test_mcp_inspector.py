"""The inspector of the Model Context Protocol, by its command line, over both transports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from factories import FIXED, git, make_checkout
from mcpclient import ROOT, environment, listening

pytestmark = pytest.mark.inspector

NODE = Path(sys.executable).with_name("node")
PROGRAM = ROOT / ".regreen/inspector/node_modules/.bin/mcp-inspector"
TOOL_IS_ERROR = 5
"""How the inspector ends when a tool says that it failed."""


def inspect(home: Path, target: list[str], *args: str) -> tuple[int, Any]:
    """Run the inspector on one method of a server; returns its exit code and what it printed."""
    assert PROGRAM.exists(), "the inspector is missing: scripts/inspector.sh installs it"
    argv = [str(NODE), str(PROGRAM), "--cli", *target, *args]
    env = {**environment(home), "HOME": str(home)}
    done = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True, timeout=500)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def over_stdio(home: Path) -> list[str]:
    """The inspector hands on little of its environment: what counts is named."""
    named = [name for name in os.environ if name.startswith(("REGREEN_", "DOCKER_", "PIP_")) or "proxy" in name]
    pairs = [f"{name}={os.environ[name]}" for name in named if name != "REGREEN_HOME"]
    words = [word for pair in [*pairs, f"REGREEN_HOME={home}"] for word in ("-e", pair)]
    return [sys.executable, "-m", "handlers.cli", "mcp", *words]


def call(tool: str, *arguments: str) -> list[str]:
    return ["--method", "tools/call", "--tool-name", tool, "--tool-arg", *arguments]


def test_over_http_it_sees_tools_with_portable_schemas_and_clear_errors(tmp_path):
    with listening(tmp_path) as address:
        target = [address, "--transport", "http"]
        code, found = inspect(tmp_path, target, "--method", "tools/list", "--strict")
        assert code == 0
        assert [tool["name"] for tool in found["tools"]][:3] == ["run_task", "run_tests", "verify_patch"]
        assert all(tool["outputSchema"]["type"] == "object" for tool in found["tools"])
        code, found = inspect(tmp_path, target, *call("get_task", "task_id=nope"))
        assert (code, found["isError"]) == (TOOL_IS_ERROR, True)
        assert "There is no task 'nope'. Call list_tasks" in found["content"][0]["text"]


@pytest.mark.docker
def test_over_stdio_it_repairs_a_repository_from_end_to_end(docker_engine, tmp_path):
    home, shop = tmp_path / "home", make_checkout(tmp_path / "shop")
    target = over_stdio(home)
    code, found = inspect(home, target, *call("run_task", f"path={shop}", "wait_s=300"))
    assert (code, found["structuredContent"]["outcome"]) == (0, "fixed")
    task = found["structuredContent"]["task_id"]
    code, found = inspect(home, target, *call("get_diff", f"task_id={task}"))
    assert code == 0
    subprocess.run(["git", "apply"], input=found["structuredContent"]["diff"], cwd=shop, text=True, check=True)
    assert (shop / "shop/pricing.py").read_text() == FIXED
    code, found = inspect(home, target, "--method", "resources/read", "--uri", f"regreen://tasks/{task}/evidence")
    assert code == 0
    assert json.loads(found["contents"][0]["text"])["base_sha"] == git(shop, "rev-parse", "HEAD")


def test_path_that_is_no_checkout_is_a_clear_error(tmp_path):
    code, found = inspect(tmp_path, over_stdio(tmp_path), *call("run_task", "path=/nowhere/at/all"))
    assert (code, found["isError"]) == (TOOL_IS_ERROR, True)
    assert "is not a folder. Give the path of a git checkout" in found["content"][0]["text"]
