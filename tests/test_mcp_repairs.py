"""Agents repair a repository over both transports, in real boxes, and end what they started."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest
from factories import FIXED, SHOP, TARGET, files, git, make_checkout, patch
from mcp import Client
from mcpclient import boxes_of, data, inside, listening, over_http, over_stdio, text

from bot.workspace import unified_diff

pytestmark = pytest.mark.docker

ENDLESS = {"test_a.py": "import time\n\n\ndef test_a():\n    time.sleep(300)\n"}
WAIT_S = 300


@pytest.fixture(params=["stdio", "http"])
def connect(request, tmp_path):
    """Makes clients of one server, by either transport."""
    home = tmp_path / "home"
    if request.param == "stdio":
        yield lambda: over_stdio(home, mode="legacy")
        return
    with listening(home) as address:
        yield lambda: over_http(address)


async def started(client: Client, path: Path, home: Path) -> str:
    """Start a task, and wait until a box of it runs."""
    task_id = data(await client.call_tool("run_task", {"path": str(path), "wait_s": 0}))["task_id"]
    with anyio.fail_after(120):
        while not boxes_of(home, task_id):
            await anyio.sleep(0.2)
    return task_id


def test_agent_repairs_a_repository_and_ends_what_it_no_longer_wants(docker_engine, tmp_path, connect):
    """The whole way: cancel a running task, repair, read diff and evidence, apply it, and see what cannot be done."""
    home, shop = tmp_path / "home", make_checkout(tmp_path / "shop")
    endless = make_checkout(tmp_path / "endless", ENDLESS)
    untested = make_checkout(tmp_path / "untested", {"app.py": "x = 1\n"})
    heard: list[tuple[float, str | None]] = []

    async def listen(number: float, _total: float | None, words: str | None) -> None:
        heard.append((number, words))

    async def run() -> None:
        async with connect() as client:
            running = await started(client, endless, home)
            cancelled = data(await client.call_tool("cancel_task", {"task_id": running}))
            assert (cancelled["state"], cancelled["outcome"]) == ("cancelled", "cancelled")
            assert boxes_of(home, running) == []

            repaired = await client.call_tool(
                "run_task",
                {"path": str(shop), "deliver": "branch", "wait_s": WAIT_S},
                progress_callback=listen,
            )
            found = data(repaired)
            assert (found["outcome"], found["verdict"], found["red_total"]) == ("fixed", "accepted", 1)
            assert found["tests"] == [{"test": TARGET, "before": "failed", "after": "passed"}]
            assert git(shop, "show", f"{found['delivered']}:shop/pricing.py") + "\n" == FIXED
            assert git(shop, "status", "--porcelain") == ""
            assert "assert 17 == 16.99" in found["red_tests"][0]["message"]

            diff = data(await client.call_tool("get_diff", {"task_id": found["task_id"]}))
            assert (diff["verified"], diff["files"]) == (True, ["shop/pricing.py"])
            (content,) = (await client.read_resource(found["evidence_uri"])).contents
            evidence = json.loads(content.text)
            assert (evidence["patch"], evidence["base_sha"]) == (diff["diff"], git(shop, "rev-parse", "HEAD"))
            subprocess.run(["git", "apply"], input=diff["diff"], cwd=shop, text=True, check=True)

            nothing = await client.call_tool("run_tests", {"path": str(untested), "wait_s": WAIT_S})
            assert nothing.is_error
            assert "No tests were found" in text(nothing)
            assert "Add a test" in text(nothing)
            listed = data(await client.call_tool("list_tasks", {}))["tasks"]
            assert [task["outcome"] for task in listed] == ["cannot-set-up", "fixed", "cancelled"]

    anyio.run(run)
    assert (shop / "shop/pricing.py").read_text() == FIXED
    numbers = [number for number, _ in heard]
    assert numbers == sorted(set(numbers))
    assert any("running the suite" in (words or "") for _, words in heard)
    assert any("judging a patch" in (words or "") for _, words in heard)


def test_call_that_its_client_cancels_leaves_no_box(docker_engine, tmp_path, connect):
    home, endless = tmp_path / "home", make_checkout(tmp_path / "endless", ENDLESS)

    async def run() -> dict[str, Any]:
        async with connect() as client, anyio.create_task_group() as group:

            async def wait() -> None:
                await client.call_tool("run_tests", {"path": str(endless), "wait_s": WAIT_S})

            group.start_soon(wait)
            (task,) = await listed(client, running=True)
            with anyio.fail_after(120):
                while not boxes_of(home, task["task_id"]):
                    await anyio.sleep(0.2)
            group.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                (ended,) = await listed(client, running=False)
                return ended

    ended = anyio.run(run)
    assert ended["state"] == "cancelled"
    assert boxes_of(home, ended["task_id"]) == []


async def listed(client: Client, *, running: bool) -> list[dict[str, Any]]:
    """The tasks, once one is running or none any more."""
    with anyio.fail_after(120):
        while True:
            found = data(await client.call_tool("list_tasks", {}))["tasks"]
            if found and (found[0]["state"] == "running") is running:
                return found
            await anyio.sleep(0.2)


def test_task_goes_on_when_its_server_has_gone_and_another_one_ends_it(docker_engine, tmp_path):
    home, endless = tmp_path / "home", make_checkout(tmp_path / "endless", ENDLESS)

    async def first() -> str:
        async with over_stdio(home) as client:
            return await started(client, endless, home)

    async def second(task_id: str) -> tuple[str, str]:
        async with inside(home) as client:
            before = data(await client.call_tool("get_task", {"task_id": task_id}))
            after = data(await client.call_tool("cancel_task", {"task_id": task_id}))
            return before["state"], after["state"]

    task_id = anyio.run(first)
    assert anyio.run(second, task_id) == ("running", "cancelled")
    assert boxes_of(home, task_id) == []


@pytest.mark.parametrize(
    ("change", "verdict", "code"),
    [
        ({"shop/pricing.py": FIXED}, "accepted", ""),
        ({"tests/test_pricing.py": SHOP["tests/test_pricing.py"].replace("16.99", "17")}, "rejected", "test-changed"),
    ],
    ids=["genuine", "edits a test"],
)
def test_patch_of_an_agent_is_judged(docker_engine, tmp_path, change, verdict, code):
    shop = make_checkout(tmp_path / "shop")
    arguments = {"path": str(shop), "patch": unified_diff(files(SHOP), patch(change)), "wait_s": WAIT_S}

    async def run() -> dict[str, Any]:
        async with inside(tmp_path / "home") as client:
            return data(await client.call_tool("verify_patch", arguments))

    found = anyio.run(run)
    assert found["verdict"] == verdict
    assert ("does not accept" in found["summary"]) is bool(code)
    assert [one["code"] for one in found["objections"]] == ([code] if code else [])
    assert ("mend" in found["next"] or "objections" in found["next"]) is bool(code)


@pytest.mark.parametrize(
    ("tool", "contents", "words"),
    [
        ("verify_patch", SHOP, "The patch does not apply"),
        ("run_tests", {**SHOP, ".github/regreen.yml": "gate: {protects: []}\n"}, "no key 'protects' under 'gate'"),
    ],
    ids=["patch of another tree", "policy with a mistake"],
)
def test_what_a_person_has_to_mend_is_an_error_that_says_so(docker_engine, tmp_path, tool, contents, words):
    shop = make_checkout(tmp_path / "shop", contents)
    more = {"patch": unified_diff({}, patch({"shop/pricing.py": FIXED}))} if tool == "verify_patch" else {}

    async def run() -> Any:
        async with inside(tmp_path / "home") as client:
            return await client.call_tool(tool, {"path": str(shop), "wait_s": WAIT_S, **more})

    result = anyio.run(run)
    assert result.is_error
    assert words in text(result)
    assert data(result)["outcome"] == "refused"
