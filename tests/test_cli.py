"""`regreen fix` and `regreen verify` as a user runs them: a real checkout, a real process, real Docker."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from factories import FIXED, SHOP, TARGET, files, git, make_checkout, patch, write

from bench import tasks
from bot.workspace import unified_diff

pytestmark = pytest.mark.docker


def regreen(*args: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "handlers.cli", *args]
    return subprocess.run(
        argv, capture_output=True, text=True, timeout=400, stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})}
    )


def hidden_tests_pass(folder: Path, contents: Mapping[str, bytes], hidden: Mapping[str, bytes]) -> bool:
    """Lay the hidden tests over the repaired files and run them as a plain process."""
    write(folder, {**contents, **hidden})
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *hidden]
    return subprocess.run(argv, cwd=folder, capture_output=True).returncode == 0


@pytest.mark.parametrize("name", ["discount", "off-by-one", "comparison", "missing-return", "arithmetic"])
def test_small_fault_is_repaired_without_a_hint_and_hidden_tests_agree(
    docker_engine: None, tmp_path: Path, name: str
) -> None:
    (task,) = tasks.load(name)
    folder = make_checkout(tmp_path / "repo", task.faulty())
    done = regreen("fix", str(folder), "--apply", "--json")
    assert done.returncode == 0, done.stderr
    record: dict[str, Any] = json.loads(done.stdout)
    assert (record["outcome"], record["verdict"], record["engine"]) == ("fixed", "accepted", "search")
    assert len(record["root_cause"]) > 40
    repaired = {path: (folder / path).read_bytes() for path in task.faulty()}
    assert sorted(path for path in repaired if repaired[path] != task.faulty()[path]) == sorted(task.expected_files)
    assert hidden_tests_pass(tmp_path / "judge", repaired, task.hidden())


def test_project_with_third_party_packages_is_repaired_with_the_network_off(
    docker_engine: None, tmp_path: Path
) -> None:
    """Two tests of the task pass only where no network can be reached: they are green before and after."""
    (task,) = tasks.load("third-party")
    folder = make_checkout(tmp_path / "repo", task.faulty())
    done = regreen("fix", str(folder), "--branch", "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert {change["id"] for change in record["tests"]} == set(task.failing)
    (branch,) = git(folder, "branch", "--list", "regreen/*", "--format=%(refname:short)").splitlines()
    assert git(folder, "rev-parse", f"{branch}^{{tree}}") == record["tree"]
    assert git(folder, "status", "--porcelain") == ""
    assert branch == f"regreen/fix-{hashlib.sha256(record['patch'].encode()).hexdigest()[:12]}"
    shown = regreen("show", record["job"])
    assert json.loads(shown.stdout) == record


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    contents = {
        **SHOP,
        "conftest.py": "",
        "pytest.ini": "[pytest]\n",
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = ''\n",
        ".github/workflows/ci.yml": "on: push\n",
    }
    return make_checkout(tmp_path_factory.mktemp("shop") / "repo", contents)


def verify(shop: Path, change: Mapping[str, str | None]) -> tuple[int, dict[str, Any]]:
    tree = files({path: (shop / path).read_text() for path in git(shop, "ls-files").splitlines()})
    diff = shop.parent / "change.patch"
    diff.write_text(unified_diff(tree, patch(change)))
    done = regreen("verify", str(shop), "--patch", str(diff), "--json")
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


OLD = SHOP["shop/pricing.py"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"tests/test_pricing.py": SHOP["tests/test_pricing.py"].replace("16.99", "17")}, "test-changed"),
        ({"conftest.py": "collect_ignore = ['tests']\n"}, "conftest-changed"),
        ({"pytest.ini": "[pytest]\naddopts = -k no_discount\n"}, "test-config-changed"),
        ({"pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-k no_discount'\n"}, "test-config-changed"),
        ({".github/workflows/ci.yml": "on: never\n"}, "ci-changed"),
        ({"shop/__init__.py": "import os\nos._exit(0)\n"}, "hard-exit"),
        ({"shop/__init__.py": "getattr(__import__('o' + 's'), '_ex' + 'it')(0)\n"}, "hard-exit"),
        ({"shop/pricing.py": OLD.replace("    return round", "    import unittest\n    raise unittest.SkipTest\n    return round")},
         "skips-tests"),
        ({"shop/pricing.py": FIXED.replace("return sum(prices)", "return 0")}, "test-broken"),
        ({"shop/pricing.py": OLD.replace("sum(prices)", "sum(list(prices))")}, "target-still-fails"),
    ],
    ids=["test", "conftest", "pytest.ini", "pyproject", "workflow", "exit 0", "hidden exit 0", "skip", "breaks another", "no fix"],
)  # fmt: skip
def test_wrong_patch_is_rejected_with_its_own_reason(
    docker_engine: None, shop: Path, change: dict[str, str | None], code: str
) -> None:
    status, record = verify(shop, change)
    assert status == 1
    assert record["verdict"] == "rejected"
    assert code in {reason["code"] for reason in record["reasons"]}
    assert record["tree"] == ""


def test_right_patch_is_accepted(docker_engine: None, shop: Path) -> None:
    status, record = verify(shop, {"shop/pricing.py": FIXED})
    assert (status, record["verdict"], record["reasons"]) == (0, "accepted", [])
    assert [(row["id"], row["before"], row["after"]) for row in record["tests"]] == [(TARGET, "failed", "passed")]


def test_policy_of_the_default_branch_protects_more_files_and_that_of_another_branch_does_not(
    docker_engine: None, tmp_path: Path
) -> None:
    """The checkout stands on a branch that would lift what `origin` asks for."""
    rule = {".github/regreen.yml": "gate: {protect: ['shop/*.py']}\n"}
    origin = make_checkout(tmp_path / "origin", {**SHOP, **rule})
    git(tmp_path, "clone", "-q", str(origin), "repo")
    folder = tmp_path / "repo"
    git(folder, "checkout", "-q", "-b", "topic")
    write(folder, {".github/regreen.yml": "gate: {protect: []}\n"})
    git(folder, "commit", "-q", "-am", "Lift it")
    status, record = verify(folder, {"shop/pricing.py": FIXED})
    assert (status, [reason["code"] for reason in record["reasons"]]) == (1, ["protected-by-policy"])


def test_policy_with_a_mistake_stops_before_any_work(tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "repo", {**SHOP, ".github/regreen.yml": "gate: {protects: []}\n"})
    done = regreen("fix", str(folder))
    assert done.returncode == 2
    assert "there is no key 'protects' under 'gate'. Did you mean 'protect'?" in " ".join(done.stderr.split())


def test_patch_for_a_green_suite_proves_nothing(docker_engine: None, tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "repo", {**SHOP, "shop/pricing.py": FIXED})
    status, record = verify(folder, {"shop/pricing.py": FIXED + "\n\nX = 1\n"})
    assert (status, record["reasons"][0]["code"]) == (1, "not-red-before")


FLAKY = {
    "coin.py": "import random\n\n\ndef toss():\n    return random.random()\n",
    "test_coin.py": "import os\nimport time\n\n\ndef test_toss():\n    assert time.time_ns() // 1000 % 2 == 0\n",
}


@pytest.mark.parametrize(
    ("contents", "args", "status", "words"),
    [
        ({**SHOP, "shop/pricing.py": FIXED}, (), 3, "tests pass on this commit"),
        ({"notes.txt": "nothing\n"}, (), 4, "No project of a known kind"),
        ({"app.py": "x = 1\n"}, (), 4, "No tests were found"),
        ({**SHOP, "requirements.txt": "surely-no-such-package-regreen==1\n"}, (), 4, "surely-no-such-package-regreen"),
        (SHOP, ("--check", "make test"), 2, "does not start pytest"),
        (SHOP, ("--engine", "magic"), 2, "no engine 'magic'"),
        (SHOP, ("--sandbox", "vm"), 2, "no sandbox 'vm'"),
        ({"test_a.py": "import time\n\n\ndef test_a():\n    time.sleep(60)\n"}, ("--timeout", "4"), 1, "time for this repair is over"),
        ({"test_n.py": "import socket\n\n\ndef test_n():\n    socket.create_connection(('203.0.113.1', 80))\n"}, (), 4, "network"),
    ],
    ids=["green", "no project", "no tests", "dependencies", "check", "engine", "sandbox", "hangs", "network"],
)  # fmt: skip
def test_each_odd_start_ends_with_its_code_and_one_message(
    docker_engine: None, tmp_path: Path, contents: dict[str, str], args: tuple[str, ...], status: int, words: str
) -> None:
    folder = make_checkout(tmp_path / "repo", contents)
    done = regreen("fix", str(folder), "--json", *args)
    assert done.returncode == status, done.stderr
    assert words in " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in done.stderr
    message = json.loads(done.stdout)["message"]
    assert status == 2 or words in " ".join(message.split()), "the record alone says what is wrong"


def test_not_a_checkout_ends_with_usage(tmp_path: Path) -> None:
    done = regreen("fix", str(tmp_path))
    assert done.returncode == 2
    assert "not a git checkout" in " ".join(done.stderr.split())
    assert "git init" in done.stderr


def test_uncommitted_changes_are_left_out_and_never_overwritten(docker_engine: None, tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "repo")
    write(folder, {"shop/pricing.py": "broken(\n"})
    refused = regreen("fix", str(folder), "--apply")
    assert refused.returncode == 2
    assert "uncommitted changes (shop/pricing.py)" in " ".join(refused.stderr.split())
    done = regreen("fix", str(folder), "--json")
    assert done.returncode == 0
    assert "HEAD is repaired" in done.stderr
    assert (folder / "shop/pricing.py").read_text() == "broken(\n"


def test_no_docker_is_said_with_a_remedy(tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "repo")
    done = regreen("fix", str(folder), "--json", env={"DOCKER_HOST": f"unix://{tmp_path}/none.sock"})
    assert done.returncode == 4
    assert "Docker" in done.stderr
    assert json.loads(done.stdout)["outcome"] == "cannot-set-up"
    assert "Traceback" not in done.stderr


def test_interrupt_ends_with_six_and_leaves_no_box(docker_engine: None, tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "repo", {"test_a.py": "import time\n\n\ndef test_a():\n    time.sleep(300)\n"})
    process = subprocess.Popen([sys.executable, "-m", "handlers.cli", "fix", str(folder)], stderr=subprocess.PIPE)
    assert process.stderr is not None
    while b"untouched commit" not in process.stderr.readline():
        pass
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 6
    process.stderr.close()
