"""The page that makes the App: one click on a real server and a local GitHub, and everything that must not work."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import yaml

from handlers.setup import STATE_LIFE_S, States
from localhub.hub import Hub

ROOT = Path(__file__).parent.parent


class Server:
    """A `regreen serve` that knows of no App."""

    def __init__(self, hub: Hub, folder: Path) -> None:
        self.home, self.log = folder / "home", folder / "serve.log"
        self.hub = hub
        self.start()

    def start(self) -> None:
        ours = {"HOME": str(self.home), "API_URL": f"{self.hub.url}/api/v3", "GIT_URL": self.hub.url, "PORT": "0"}
        values = {f"REGREEN_{name}": value for name, value in ours.items()}
        with self.log.open("wb") as stream:
            argv = [sys.executable, "-P", "-m", "handlers.cli", "serve"]
            self.process = subprocess.Popen(argv, env={**os.environ, **values}, stdout=stream, stderr=stream)

    def said(self, pattern: str) -> str:
        """The first thing in the log that fits, once it stands there; line ends do not count."""
        self.until(lambda: self.found(pattern) is not None)
        return self.found(pattern) or ""

    def found(self, pattern: str) -> str | None:
        match = re.search(pattern, "".join(self.log.read_text().splitlines()))
        return match[1] if match else None

    def page(self) -> str:
        return self.said(r"make one at ?(http://\S+?/setup\?key=[\w-]{32})")

    def until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 90
        while not holds():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.wait(timeout=30) == 0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Hub() as hub, hub.serve():
        made = Server(hub, tmp_path)
        yield made
        made.stop()
        assert hub.violations == []
        assert hub.request_violations == []


def form(page: str) -> tuple[str, dict[str, Any]]:
    """Where the first form goes, and the manifest in it."""
    target = re.search(r'method="post" action="([^"]+)"', page)
    manifest = re.search(r'name="manifest" value="([^"]+)"', page)
    assert target
    assert manifest
    return html.unescape(target[1]), json.loads(html.unescape(manifest[1]))


@pytest.mark.docker
def test_one_click_makes_the_app_and_the_server_works_for_it(docker_engine: None, server: Server) -> None:
    """As a person and her browser do it; the App is then installed, and a command on a pull request is answered."""
    page = server.page()
    here = "{0.scheme}://{0.netloc}".format(urlsplit(page))
    with httpx.Client() as browser:
        target, manifest = form(browser.get(page).text)
        as_in_app_yml(manifest, here)
        sent = browser.post(target, data={"manifest": json.dumps(manifest)})
        assert sent.status_code == 302
        back = sent.headers["location"]
        assert browser.get(back.replace("state=", "state=x")).status_code == 403
        done = browser.get(back)
        assert (done.status_code, "The App regreen is made" in done.text) == (200, True)
    server.said(r"listening on ?(http://\S+/webhook)")
    assert httpx.get(back).status_code == 404
    (stored,) = server.home.glob("app.json*")
    assert stored.stat().st_mode & 0o777 == 0o600
    (app,) = [app for app in server.hub.world.apps.values() if app.slug == "regreen"]
    answers(server, app)
    log = server.log.read_text()
    server.stop()
    server.start()
    server.said(r"listening on ?(http://\S+/webhook)")
    for secret in (app.webhook_secret, *app.private_key_pem.splitlines()[1:3]):
        assert secret not in log + server.log.read_text()


def as_in_app_yml(manifest: dict[str, Any], here: str) -> None:
    asked = yaml.safe_load((ROOT / "app.yml").read_text())
    for name in ("name", "url", "description", "public", "default_permissions"):
        assert manifest[name] == asked[name]
    assert sorted(manifest["default_events"]) == sorted(asked["default_events"])
    assert manifest["hook_attributes"] == {"url": f"{here}/webhook", "active": True}


def answers(server: Server, app: Any) -> None:
    hub = server.hub
    repo = hub.create_repo("ada", "shop", {"README": b"x"})
    hub.install(app, repo)
    hub.commit(repo, "topic", {"README": b"y"}, "Topic", "ada")
    pull = hub.open_pull(repo, "topic", "main", by="ada")
    hub.comment(repo, pull.number, "/regreen help", by="ada")
    server.until(lambda: any(comment.app is app for comment in hub.comments(repo, pull.number)))


def test_page_is_for_whoever_reads_the_output_of_the_server(server: Server) -> None:
    page = server.page()
    here = page.split("/setup", maxsplit=1)[0]
    with httpx.Client() as browser:
        for wrong in ("", "?key=", "?key=x", "/created?code=abcdefgh12", "/created?state=x"):
            assert browser.get(f"{here}/setup{wrong}").status_code == 403
        assert browser.post(f"{here}/webhook", content=b"{}").status_code == 503
        answer = browser.get(page)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert (answer.headers["referrer-policy"], answer.headers["cache-control"]) == ("no-referrer", "no-store")
        assert "GitHub cannot reach this address" in answer.text
    assert not (server.home / "app.json").exists()


def test_organization_and_address_can_be_chosen_and_nothing_can_be_smuggled_in(server: Server) -> None:
    page = server.page()
    with httpx.Client() as browser:
        text = browser.get(f"{page}&organization=acme&address=https://ci.acme.dev/").text
        target, manifest = form(text)
        assert target.startswith(f"{server.hub.url}/organizations/acme/settings/apps/new?state=")
        assert manifest["hook_attributes"]["url"] == "https://ci.acme.dev/webhook"
        assert "cannot reach" not in text
        for odd in ("organization=a/../b", "organization=<b>", "address=javascript:x", "address=https://u:p@x.org"):
            answer = browser.get(f"{page}&{odd}")
            assert answer.status_code == 400
            assert odd.split("=")[1] not in answer.text


def test_code_that_github_does_not_know_makes_nothing(server: Server) -> None:
    page = server.page()
    here = page.split("/setup", maxsplit=1)[0]
    with httpx.Client() as browser:
        for code in ("0" * 40, "../../user", ""):
            target, _ = form(browser.get(page).text)
            answer = browser.get(f"{here}/setup/created", params={"code": code, "state": target.split("state=")[1]})
            assert answer.status_code == 502
            assert "0" * 40 not in answer.text
    assert not (server.home / "app.json").exists()


def test_state_counts_once_and_for_an_hour() -> None:
    now = [0.0]
    states = States(lambda: now[0])
    one, two = states.give(), states.give()
    assert states.take(one)
    assert not states.take(one)
    now[0] = STATE_LIFE_S + 1
    assert not states.take(two)
    assert not states.take("")
