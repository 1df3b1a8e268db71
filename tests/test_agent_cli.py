"""The model-driven engine as a user runs it: a real process, real boxes, a scripted model behind real HTTP."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest
from factories import FIXED, SHOP, make_checkout
from modelserver import ModelServer, Reply, Seen, Status, call, finish
from world import FAULTY, World

from handlers.demo import Place
from localhub.hub import Hub

ORDERS = {
    **SHOP,
    "shop/orders.py": (
        "from shop.pricing import apply_discount, total\n\n\n"
        "def invoice(prices, percent):\n"
        '    """The sum of all prices, each less the discount."""\n'
        "    return total(apply_discount(price, percent) for price in prices[1:])\n"
    ),
    "tests/test_orders.py": (
        "from shop.orders import invoice\n\n\n"
        "def test_invoice_sums_all_lines():\n    assert invoice([19.99, 10], 15) == 25.49\n\n\n"
        "def test_empty_invoice():\n    assert invoice([], 15) == 0\n"
    ),
}
"""Two files are wrong, and one test needs both to be right."""

SCRIPT = (
    call("search_code", pattern=r"apply_discount\("),
    Reply(calls=(("read_file", {"path": "shop/orders.py"}), ("read_file", {"path": "shop/pricing.py"}))),
    call("edit_file", path="shop/orders.py", old="prices[1:]", new="prices"),
    call("run_tests"),
    call("edit_file", path="shop/pricing.py", old="/ 100)", new="/ 100, 2)"),
    call("run_tests", targets=["all"]),
    finish("The first line was left out, and cents were dropped."),
)


def settings(server: ModelServer, home: Path, **more: str) -> dict[str, str]:
    ours = {
        "HOME": str(home),
        "MODELS": "anthropic:scripted",
        "ANTHROPIC_URL": server.url(),
        "ANTHROPIC_KEY": "key-of-the-test",
        **more,
    }
    return {f"REGREEN_{name}": value for name, value in ours.items()}


def regreen(*args: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "handlers.cli", *args]
    return subprocess.run(
        argv,
        capture_output=True,
        text=True,
        timeout=400,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "200", **env},
    )


@pytest.mark.docker
def test_task_in_two_files_is_solved_and_its_transcript_shown(docker_engine: None, tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path / "repo", ORDERS)
    with ModelServer(SCRIPT) as server:
        env = settings(server, tmp_path / "home")
        done = regreen("fix", str(checkout), "--engine", "agent", "--json", "--apply", "--budget-usd", "2", env=env)
        assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert (record["outcome"], record["engine"], record["operator"]) == ("fixed", "agent", "scripted")
    assert 0 < record["cost_usd"] < 2
    assert record["tokens"] > 1000
    assert len(server.requests) == len(SCRIPT)
    assert (checkout / "shop/pricing.py").read_text() == FIXED
    assert "prices[1:]" not in (checkout / "shop/orders.py").read_text()
    assert "still failing" in server.requests[4].last
    assert "fixed: 2" in server.requests[6].last
    shown = regreen("show", record["job"], "--transcript", env=env)
    assert shown.returncode == 0
    for words in ("> edit_file", "attempt 1 ended: accepted", "lines 6 to 6"):
        assert words in shown.stdout
    lines = json.loads(regreen("show", record["job"], "--transcript", "--json", env=env).stdout)
    assert sum(line["kind"] == "answer" for line in lines) == len(SCRIPT)
    for file in (tmp_path / "home").rglob("*"):
        assert not file.is_file() or b"key-of-the-test" not in file.read_bytes()


@pytest.mark.docker
def test_money_of_the_command_line_is_a_limit(docker_engine: None, tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path / "repo")
    with ModelServer(lambda seen: call("list_files", glob=f"*{len(seen.raw)}")) as server:
        done = regreen(
            "fix",
            str(checkout),
            "--engine",
            "agent",
            "--json",
            "--budget-usd",
            "0.5",
            env=settings(server, tmp_path / "home"),
        )
    assert done.returncode == 1
    record = json.loads(done.stdout)
    assert record["outcome"] == "over-budget"
    assert record["cost_usd"] <= 0.5
    assert server.requests


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"REGREEN_MODELS": ""}, "REGREEN_MODELS"),
        ({"REGREEN_MODELS": "scripted"}, "provider:name"),
        ({"REGREEN_ANTHROPIC_URL": ""}, ""),
        ({"REGREEN_ANTHROPIC_URL": "http://me:pw@host"}, "without a login"),
        ({"REGREEN_ANTHROPIC_URL": "file:///etc"}, "http(s)"),
        ({"REGREEN_AGENT_ROLES": "poet"}, "no role 'poet'"),
    ],
    ids=["none", "no provider", "own address", "login", "scheme", "role"],
)
def test_wrong_settings_are_told_before_anything_is_run(tmp_path: Path, changes: dict[str, str], words: str) -> None:
    checkout = make_checkout(tmp_path / "repo")
    with ModelServer([]) as server:
        env = {**settings(server, tmp_path / "home"), "DOCKER_HOST": f"unix://{tmp_path}/none", **changes}
        if not words:
            env, words = {**env, "REGREEN_ANTHROPIC_KEY": ""}, "REGREEN_ANTHROPIC_KEY"
        done = regreen("fix", str(checkout), "--engine", "agent", "--sandbox", "none", "--i-know", env=env)
    assert done.returncode == 2, done.stderr
    assert words in " ".join(done.stderr.split())


def test_doctor_probes_the_model_and_says_what_it_found(tmp_path: Path) -> None:
    def found(script, **more: str) -> dict[str, object]:
        with ModelServer(script) as server:
            done = regreen("doctor", "--json", env=settings(server, tmp_path / "home", **more))
        return next(line for line in json.loads(done.stdout)["findings"] if line["subject"] == "models")

    ready = call("ready", word="green")
    well = found(lambda seen: ready, PRICES=str(_prices(tmp_path)))
    assert well["state"] == "ok"
    assert "it streams, calls tools, says what it used, counts tokens" in str(well["details"])
    assert "price is not known" in str(found(lambda seen: ready)["details"])
    assert "does not call tools" in str(found(lambda seen: Reply("Ready!", usage=False))["details"])
    wrong = found(lambda seen: Status(401, "invalid", "authentication_error"))
    assert (wrong["state"], "key is right" in str(wrong["remedy"])) == ("problem", True)
    assert found([], MODELS="")["state"] == "ok"


def _prices(folder: Path) -> Path:
    path = folder / "prices.toml"
    path.write_text(
        'date = "2026-11-01"\n[models.scripted]\ninput = 1\noutput = 5\ncache_read = 0.1\ncache_write = 1.25\n'
    )
    return path


def test_show_of_an_unknown_job_says_which_are_there(tmp_path: Path) -> None:
    env = {"REGREEN_HOME": str(tmp_path)}
    done = regreen("show", "cli:none", "--transcript", env=env)
    assert (done.returncode, "No repair has written one yet" in done.stderr) == (2, True)
    assert regreen("show", "../../etc/passwd", env=env).returncode == 2


@pytest.mark.docker
def test_killed_server_asks_no_question_twice_that_was_answered(docker_engine: None, tmp_path: Path) -> None:
    """kill -9 while the model is thinking about its third answer: the first two are not asked for again."""
    solution = (call("read_file", path="shop/pricing.py"), call("edit_file", path="shop/pricing.py", old="/ 100)", new="/ 100, 2)"),
                call("run_tests"), finish())  # fmt: skip
    asked: list[int] = []
    thinking, killed = threading.Event(), threading.Event()

    def script(seen: Seen) -> Reply:
        number = len(seen.body["messages"]) // 2
        asked.append(number)
        if number == 2 and not killed.is_set():
            thinking.set()
            killed.wait(120)
        return solution[number]

    with Hub() as hub, hub.serve(), ModelServer(script) as server:
        repo = hub.create_repo("ada", "shop", FAULTY)
        place = Place.make(hub, tmp_path, repo)
        place.environment.update(settings(server, tmp_path / "home", ENGINES="agent"))
        world = World(hub, repo, place, place.start())
        hub.report_check(repo, world.head(), "tests")
        world.until(thinking.is_set)
        os.kill(world.server.process.pid, signal.SIGKILL)
        world.server.process.wait()
        killed.set()
        world.server = place.start()
        assert world.finished(world.head()).conclusion == "success"
        (pull,) = world.pulls()
        assert pull.pull is not None
        assert hub.file_at(repo, pull.pull.head, "shop/pricing.py") == FIXED.encode()
        world.server.stop()
    assert asked == [0, 1, 2, 2, 3]
