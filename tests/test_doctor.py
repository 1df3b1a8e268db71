"""`regreen doctor`: each finding with cause and remedy, none that hides another, nothing that gives a secret away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from bot import jobs, needs, settings
from bot.doctor import app, boxes, machine, queue, webhook
from bot.doctor import contract as doctor_contract
from bot.doctor.checkup import CHECKS, examine, finding, findings
from bot.doctor.finding import Finding
from bot.errors import Refused, TryLater
from bot.jobs import JobEngine
from bot.settings import Settings
from localhub.hub import Hub
from localhub.state import App
from sandbox import Command, Image, Sandbox, SandboxError, SandboxUnavailable, about, contract
from sandbox.attacks import QUICK, must
from sandbox.guarantees import DOORS, Guarantee, Guarantees

MANIFEST = Path(__file__).parent.parent / "app.yml"


def doctor(home: Path, *args: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "handlers.cli", "doctor", *args]
    full = {**os.environ, "REGREEN_HOME": str(home), **(env or {})}
    return subprocess.run(argv, capture_output=True, text=True, timeout=300, env=full)


def by_subject(done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, str]]:
    record = json.loads(done.stdout)
    assert record["problems"] == sum(one["state"] == "problem" for one in record["findings"])
    return {one["subject"]: one for one in record["findings"]}


def state(found: Finding) -> str:
    """A finding that is not fine always says what to do."""
    assert (found.state == "ok") or (found.text and found.remedy)
    return found.state


def test_the_needs_are_those_of_the_manifest() -> None:
    manifest = yaml.safe_load(MANIFEST.read_text("utf-8"))
    assert manifest["default_permissions"] == needs.PERMISSIONS
    assert set(manifest["default_events"]) == needs.EVENTS


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("git version 2.39.5", "warning"),
        ("git version 2.43.6", "warning"),
        ("git version 2.43.7", "ok"),
        ("git version 2.45.3", "warning"),
        ("git version 2.45.4.windows.1", "ok"),
        ("git version 2.50.0", "warning"),
        ("git version 2.50.1 (Apple Git-155)", "ok"),
        ("git version 2.51", "ok"),
        ("git version 3.0.0", "ok"),
        ("git version 1.9.1", "warning"),
        ("not git at all", "warning"),
    ],
)
def test_git_is_judged_by_its_number(said: str, expected: str) -> None:
    assert state(machine.git_by_version(said)) == expected


@pytest.mark.parametrize(("free_gb", "expected"), [(100, "ok"), (10, "ok"), (9.9, "warning"), (1.9, "problem")])
def test_space_is_judged(free_gb: float, expected: str) -> None:
    assert state(machine.by_space("disk", Path("/data"), free_gb)) == expected


VERSION = {"Version": "27.5.1", "ApiVersion": "1.47"}
INFO = {
    "Driver": "overlay2", "CgroupVersion": "2", "Runtimes": {"runc": {}, "runsc": {}, "io.containerd.runc.v2": {}},
    "DefaultRuntime": "runc", "DockerRootDir": "/var/lib/docker",
    "SecurityOptions": ["name=apparmor", "name=seccomp,profile=builtin", "name=rootless"], "Warnings": None,
}  # fmt: skip


def test_an_engine_is_told_in_its_own_words() -> None:
    found = boxes.engine_by_facts(about.read(VERSION, INFO), "")
    assert (found.state, found.text) == ("ok", "27.5.1, API 1.47, overlay2, cgroup v2")
    assert found.details == (
        "runtimes: runc, runsc; boxes use runc",
        "rootless: yes; confines with apparmor, seccomp, rootless",
    )


@pytest.mark.parametrize(
    ("info", "runtime", "expected"),
    [
        (INFO, "runsc", "ok"),
        (INFO, "kata", "problem"),
        ({**INFO, "SecurityOptions": ["name=apparmor"]}, "", "warning"),
        ({}, "", "warning"),
    ],
    ids=["runtime", "no such runtime", "no seccomp", "an engine that says little"],
)
def test_an_engine_is_judged(info: dict[str, object], runtime: str, expected: str) -> None:
    assert state(boxes.engine_by_facts(about.read(VERSION, info), runtime)) == expected


def test_each_door_of_the_sandbox_is_shown_and_an_open_one_is_a_warning() -> None:
    shut = Guarantees("docker", "runc 1.1", "v2", tuple(Guarantee(door, True, "so") for door in DOORS))
    assert state(boxes.by_guarantees(shut)) == "ok"
    each = tuple(Guarantee(door, door != "memory", "no memory controller") for door in DOORS)
    found = boxes.by_guarantees(Guarantees("docker", "runc 1.1", "v1", each))
    assert state(found) == "warning"
    assert found.text.endswith("not enforced: memory.")
    assert len(found.details) == len(DOORS)
    assert "OPEN  memory: no memory controller" in found.details


def granted(**changes: object) -> app.Granted:
    values: dict[str, object] = {
        "slug": "regreen", "permissions": needs.PERMISSIONS, "events": needs.EVENTS, "installations": 2,
    }  # fmt: skip
    return app.Granted(**{**values, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "expected", "detail"),
    [
        ({}, "ok", None),
        ({"permissions": {**needs.PERMISSIONS, "contents": "read"}}, "problem", "permission missing: contents: write"),
        ({"permissions": {**needs.PERMISSIONS, "actions": "none"}}, "warning", "permission missing: actions: read"),
        ({"permissions": {**needs.PERMISSIONS, "workflows": "write"}}, "warning", "permission not needed: workflows: write"),
        ({"permissions": {**needs.PERMISSIONS, "actions": "write"}}, "warning", "permission not needed: actions: write"),
        ({"events": needs.EVENTS - {"check_run"}}, "warning", "event missing: check_run"),
        ({"events": needs.EVENTS | {"push"}}, "ok", None),
        ({"installations": 0}, "warning", None),
    ],
    ids=["all", "too little to publish", "too little", "too much", "too high", "an event too few", "one more", "nowhere"],
)  # fmt: skip
def test_what_the_app_has_is_compared_with_what_it_needs(
    changes: dict[str, object], expected: str, detail: str | None
) -> None:
    found = app.judged(granted(**changes))
    assert state(found) == expected
    assert found.details == (() if detail is None else (detail,))


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (Refused("No.", "Mend it."), "problem"),
        (TryLater("GitHub is busy", after_s=5), "warning"),
        (SandboxUnavailable("no engine"), "warning"),
        (SandboxError("it broke"), "problem"),
        (KeyError("x"), "problem"),
    ],
    ids=["refused", "later", "no engine", "broken engine", "a bug"],
)
def test_a_check_that_fails_is_a_finding_and_the_others_go_on(error: Exception, expected: str) -> None:
    def failing(_: Settings) -> Finding:
        raise error

    found = list(findings([("bad", failing), ("python", machine.python)], Settings()))
    assert [one.subject for one in found] == ["bad", "python"]
    assert state(found[0]) == expected


def test_every_check_names_its_own_subject() -> None:
    for subject in ("settings", "python", "git", "disk", "github app"):
        assert finding(subject, CHECKS[subject], Settings()).subject == subject


def test_wrong_settings_are_the_one_finding(tmp_path: Path) -> None:
    done = doctor(tmp_path, "--json", env={"REGREEN_PORT": "http"})
    assert done.returncode == 1
    (found,) = by_subject(done).values()
    assert "REGREEN_PORT" in found["text"]
    assert found["remedy"]


def test_settings_are_shown_and_secrets_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGREEN_WEBHOOK_SECRET", "hush-hush")
    monkeypatch.setenv("REGREEN_GIT_URL", "https://user:hush-hush@git.example")
    monkeypatch.setenv("REGREEN_PORT", "9")
    found = machine.settings_set(settings.load())
    assert {"REGREEN_WEBHOOK_SECRET is set", "REGREEN_PORT=9"} <= set(found.details)
    assert "hush-hush" not in str(found)


def test_half_an_app_is_a_problem(tmp_path: Path) -> None:
    assert state(app.github_app(Settings(app_id=7))) == "problem"


@pytest.fixture
def held(tmp_path: Path) -> Iterator[JobEngine]:
    engine = JobEngine(tmp_path / "jobs.sqlite", {"f": lambda payload, step: None})
    engine.start()
    engine.submit("f", "one", {}, partition="p")
    yield engine
    engine.stop()


def test_the_queue_of_a_running_server_is_left_alone_and_counted_afterwards(held: JobEngine, tmp_path: Path) -> None:
    values = Settings(home=tmp_path)
    assert "a server works on it" in queue.database(values).text
    while held.state("one") != "SUCCESS":
        pass
    held.stop()
    assert "1 SUCCESS; no server runs" in queue.database(values).text
    assert not jobs.is_held(values.database())
    held.start()
    assert "a server works on it" in queue.database(values).text


def test_a_queue_that_is_not_there_yet_is_fine_and_not_made(tmp_path: Path) -> None:
    found = queue.database(Settings(home=tmp_path / "a/b"))
    assert state(found) == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_place_where_no_folder_can_be_made_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert state(queue.database(Settings(home=tmp_path / "file/home"))) == "problem"


def test_a_database_that_is_none_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "jobs.sqlite").write_text("this is no database at all, whatever its name says")
    assert finding("job database", queue.database, Settings(home=tmp_path)).state == "problem"


@pytest.fixture
def hub() -> Iterator[Hub]:
    with Hub() as hub, hub.serve():
        yield hub


def environment(hub: Hub, made: App, folder: Path, *, key: str = "") -> dict[str, str]:
    (folder / "app.pem").write_text(key or made.private_key_pem)
    values = {
        "APP_ID": str(made.id), "PRIVATE_KEY_FILE": str(folder / "app.pem"), "WEBHOOK_SECRET": "hush-hush",
        "API_URL": hub.url, "GIT_URL": hub.url,
    }  # fmt: skip
    return {f"REGREEN_{name}": value for name, value in values.items()}


@pytest.mark.docker
def test_the_contract_is_tried_rule_by_rule(
    docker_engine: None, base_image: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rules stand for all of them, which tests/test_sandbox.py runs; the second one is broken on purpose."""

    def a_rule_that_nobody_keeps(sandbox: Sandbox, image: Image) -> None:
        must(sandbox.verify_fresh(image, Command(("true",)), QUICK).code == 1, "true ended with 0")

    rules = [contract.standard_input_is_empty, a_rule_that_nobody_keeps]
    monkeypatch.setattr(contract, "expected", lambda backend: rules)
    found = list(findings(doctor_contract.checks(Settings()), Settings()))
    assert [state(one) for one in found] == ["ok", "problem"]
    assert found[0].text == "standard input is empty"
    assert "a rule that nobody keeps: true ended with 0" in found[1].text


def test_a_contract_without_a_box_is_a_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    found = list(examine(Settings, with_contract=True))[-1]
    assert (found.subject, state(found)) == ("contract", "problem")


class _Ok(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(202)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def door() -> Iterator[str]:
    """An address at which every delivery arrives."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Ok) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/webhook"
        server.shutdown()


def settings_of(hub: Hub, made: App, folder: Path) -> Settings:
    key = Path(environment(hub, made, folder)["REGREEN_PRIVATE_KEY_FILE"])
    return Settings(app_id=made.id, private_key_file=key, webhook_secret="s", api_url=hub.url)  # type: ignore[arg-type]


def test_deliveries_that_do_not_arrive_are_a_problem(hub: Hub, tmp_path: Path) -> None:
    made = hub.register_app("regreen", "http://127.0.0.1:9/webhook", "s", needs.PERMISSIONS, sorted(needs.EVENTS))
    assert hub.settle()
    found = finding("webhook", webhook.webhook, settings_of(hub, made, tmp_path))
    assert state(found) == "problem"
    assert "the newest among them" in found.text
    assert "failed to connect" in found.details[0]


def test_deliveries_that_arrive_are_well(hub: Hub, tmp_path: Path, door: str) -> None:
    made = hub.register_app("regreen", door, "s", needs.PERMISSIONS, sorted(needs.EVENTS))
    assert hub.settle()
    assert state(finding("webhook", webhook.webhook, settings_of(hub, made, tmp_path))) == "ok"


ARRIVED = {"delivered_at": "2026-11-29T20:00:00Z", "event": "ping", "status_code": 202, "status": "OK"}


@pytest.mark.parametrize(
    ("url", "codes", "expected", "said"),
    [
        ("", [], "problem", "no address"),
        ("https://regreen.example.com/webhook", [202], "problem", "nobody listens"),
        ("http://localhost:8000/webhook", [202], "problem", "nobody listens"),
        ("https://ci.example.org/webhook", [], "warning", "delivered nothing"),
        ("https://ci.example.org/webhook", [202, 502], "warning", "the newest did"),
        ("https://ci.example.org/webhook", [401, 202], "problem", "the newest among them"),
    ],
)
def test_webhook_is_judged_by_its_address_and_its_last_deliveries(
    url: str, codes: list[int], expected: str, said: str
) -> None:
    found = webhook.judged(url, [{**ARRIVED, "status_code": code} for code in codes])
    assert (state(found), said in found.text) == (expected, True)
    assert found.remedy


def test_installations_that_lag_behind_are_a_warning(hub: Hub, tmp_path: Path) -> None:
    """The App asks for more than an account has accepted; another account has suspended it."""
    made = hub.register_app("regreen", "http://127.0.0.1:9/webhook", "s", needs.PERMISSIONS, sorted(needs.EVENTS))
    less = {**needs.PERMISSIONS, "contents": "read"}
    hub.install(made, hub.create_repo("ada", "shop", {"README": b""}), permissions=less)
    hub.suspend(hub.install(made, hub.create_repo("bob", "shop", {"README": b""})))
    found = finding("github app", app.github_app, settings_of(hub, made, tmp_path))
    assert state(found) == "warning"
    assert found.details == ("ada has not accepted: contents", "bob has suspended the App")


@pytest.mark.docker
def test_an_installation_that_is_well_ends_with_zero(
    docker_engine: None, hub: Hub, tmp_path: Path, door: str
) -> None:
    made = hub.register_app("regreen", door, "hush-hush", needs.PERMISSIONS, sorted(needs.EVENTS))
    hub.install(made, hub.create_repo("ada", "shop", {"README": b""}))
    done = doctor(tmp_path / "home", "--json", env=environment(hub, made, tmp_path))
    found = by_subject(done)
    assert done.returncode == 0, done.stdout
    assert set(found) == set(CHECKS)
    assert found["github app"]["text"] == "regreen, 1 installation; permissions and events are those of app.yml"
    assert "cgroup v" in found["docker engine"]["text"]
    assert "hush-hush" not in done.stdout + done.stderr
    assert "PRIVATE KEY-" not in done.stdout
    assert not (tmp_path / "home").exists()
    assert hub.request_violations == []


def test_a_key_of_another_app_is_a_problem(hub: Hub, tmp_path: Path) -> None:
    made, other = (
        hub.register_app(name, "http://127.0.0.1:9/", "s", {"metadata": "read"}, []) for name in ("a", "b")
    )
    key = Path(environment(hub, made, tmp_path, key=other.private_key_pem)["REGREEN_PRIVATE_KEY_FILE"])
    values = Settings(app_id=made.id, private_key_file=key, webhook_secret="s", api_url=hub.url)  # type: ignore[arg-type]
    found = finding("github app", app.github_app, values)
    assert state(found) == "problem"
    assert "401" in found.text or "refused" in found.text


def test_no_engine_is_one_problem_and_all_else_is_still_looked_at(tmp_path: Path) -> None:
    done = doctor(tmp_path, "--json", env={"DOCKER_HOST": f"unix://{tmp_path}/none.sock"})
    found = by_subject(done)
    assert done.returncode == 1
    assert set(found) == set(CHECKS)
    assert {subject for subject, one in found.items() if one["state"] == "problem"} == {"docker engine"}
    shown = doctor(tmp_path, env={"DOCKER_HOST": f"unix://{tmp_path}/none.sock"})
    assert shown.returncode == 1
    assert "problem  docker engine" in shown.stdout
    assert "scripts/engine.sh" in shown.stdout
    assert "Traceback" not in shown.stderr
