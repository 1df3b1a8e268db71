"""Planted secrets never leave: a whole run in which everybody who can repeats what was sent, and a look everywhere."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from factories import FIXED
from modelserver import ModelServer, Reply, Status, call, finish
from secretive import Secrets, Watch, files_below
from world import FAULTY, World

from handlers.deliveries import KEY_FILE
from handlers.demo import Place
from localhub.hub import Hub

WEBHOOK_SECRET = "hook+secret/of=this&test:0123456789"
MODEL_KEY = "planted~model+key/for=this&test-0123456789"


@pytest.mark.parametrize(
    "spelt",
    [
        WEBHOOK_SECRET, quote(WEBHOOK_SECRET, safe=""), WEBHOOK_SECRET.encode().hex(), WEBHOOK_SECRET.encode().hex().upper(),
        *(base64.b64encode((prefix + WEBHOOK_SECRET + "tail").encode()).decode() for prefix in ("", "a", "ab", "abc")),
        base64.urlsafe_b64encode(b"?>" + WEBHOOK_SECRET.encode()).decode(),
    ],
)  # fmt: skip
def test_the_look_finds_a_secret_in_every_spelling(spelt: str) -> None:
    """Otherwise the test below would show nothing."""
    assert Secrets({"webhook": WEBHOOK_SECRET, "other": "x" * 20}).found_in(f"a line {spelt} of text".encode()) == [
        "webhook"
    ]


def script() -> Iterator[Reply | Status]:
    """A repair by a model and a provider that repeat the key wherever they can."""
    yield Status(529, f"overloaded; the key was {MODEL_KEY}", kind="overloaded_error")
    yield Reply(f"My key is {MODEL_KEY}.", calls=(("read_file", {"path": "shop/pricing.py"}),))
    yield call("search_code", pattern=MODEL_KEY)
    yield call("edit_file", path="shop/pricing.py", old="/ 100)", new="/ 100, 2)")
    yield call("run_tests", targets=["all"])
    encoded = base64.b64encode(MODEL_KEY.encode()).decode()
    yield finish(f"The cents are dropped; my key is {MODEL_KEY}, or {encoded}, or {quote(MODEL_KEY, safe='')}.")


@pytest.mark.docker
def test_no_planted_secret_is_found_after_a_whole_run(docker_engine: None, tmp_path: Path) -> None:
    """Logs, files, databases, boxes, arguments, environments, pages, answers, pull request, comments, checks."""
    with ModelServer(list(script())) as model, Hub() as hub, hub.serve():
        place = Place.make(hub, tmp_path, hub.create_repo("ada", "shop", FAULTY))
        place.app.webhook_secret = WEBHOOK_SECRET
        place.environment.update(
            REGREEN_WEBHOOK_SECRET=WEBHOOK_SECRET, REGREEN_ENGINES="agent", REGREEN_MODELS="anthropic:scripted",
            REGREEN_ANTHROPIC_KEY=MODEL_KEY, REGREEN_ANTHROPIC_URL=model.url(),
        )  # fmt: skip
        lines = place.app.private_key_pem.splitlines()
        secrets = Secrets(
            {"webhook": WEBHOOK_SECRET, "model": MODEL_KEY, **{f"key {at}": lines[at] for at in (1, 9, 20)}}
        )
        with Watch(secrets) as watch:
            world = World(hub, place.repo, place, place.start())
            try:
                live_through_it(world)
                pages = list(shown(world))
            finally:
                world.server.stop()
        secrets.planted |= {f"token {number}": value for number, value in enumerate(hub.world.tokens)}
        left = {**dict(files_below(tmp_path)), **dict(said_to_github(world)), **dict(pages)}
        del left[str(place.key)]
        secrets.planted["pages"] = left.pop(str(place.folder / "home" / KEY_FILE)).decode().strip()
        assert any(name.endswith(".sqlite") for name in left)
        assert {name: found for name, data in left.items() if (found := secrets.found_in(data))} == {}
        assert [name for name, data in left.items() if b"eyJhbGciOiJSUzI1NiIs" in data] == []
        assert (watch.arguments, watch.containers) == (set(), set())
        assert len(watch.boxes) > 2
        # The operator gave them to the server that way; no program that it starts inherits them.
        assert watch.environments
        assert [command for command in watch.environments if b"handlers.cli" not in command] == []


def live_through_it(world: World) -> None:
    """A command, a repair by the model, questions, a wrong signature, and a GitHub that repeats what it was sent."""
    sha, number = world.topic()
    token = "ghs_1_" + "a" * 60
    world.hub.fail_next(502, path="/check-runs", message=f"the secret was {WEBHOOK_SECRET}, the token {token}")
    world.hub.fail_next(500, verb="POST", path="/reactions", message=f"no: {MODEL_KEY}")
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    world.hub.comment(world.repo, number, f"/regreen fxi {MODEL_KEY[:20]}", by="ada")
    world.until(lambda: len(world.pulls()) == 1)
    assert world.finished(sha).conclusion == "success"
    for verb in ("explain", "status"):
        world.hub.comment(world.repo, number, f"/regreen {verb}", by="ada")
    world.until(lambda: "No repair is under way" in world.said(number))
    httpx.post(
        f"http://127.0.0.1:{world.place.port}/webhook", content=b"{}", headers={"x-hub-signature-256": "sha256=0"}
    )
    (pull,) = world.pulls()
    assert str(pull.body).count("&#91;REDACTED&#93;") == 3
    assert world.hub.file_at(world.repo, world.head(pull.pull.head), "shop/pricing.py") == FIXED.encode()


def shown(world: World) -> Iterator[tuple[str, bytes]]:
    """What the server answers, to those who may ask and to those who may not."""
    base = f"http://127.0.0.1:{world.place.port}"
    key = (world.place.folder / "home" / KEY_FILE).read_text().strip()
    for path, headers in (
        ("/health", {}), ("/deliveries", {}), ("/nothing", {}), ("/webhook", {}),
        ("/deliveries", {"authorization": f"Bearer {key}"}),
        ("/deliveries", {"authorization": f"Bearer {key}", "accept": "text/html"}),
    ):  # fmt: skip
        answer = httpx.get(base + path, headers=headers)
        yield f"page {path} {sorted(headers)}", answer.content + str(answer.headers).encode()


def said_to_github(world: World) -> Iterator[tuple[str, bytes]]:
    """Everything of ours that stands on GitHub afterwards, and everything that was sent there."""
    ours = world.place.app.id
    for issue in world.repo.issues.values():
        if issue.app is not None and issue.app.id == ours:
            yield f"pull request {issue.number}", f"{issue.title}\n{issue.body}".encode()
        for comment in issue.comments:
            if comment.app is not None:
                yield f"comment {comment.id}", comment.body.encode()
    for run in world.repo.runs.values():
        yield (
            f"check {run.id}",
            json.dumps([run.name, run.external_id, run.output, run.actions, run.annotations]).encode(),
        )
    log = ["git", "log", "--all", "-p", "--format=raw"]
    yield "commits", subprocess.run(log, cwd=world.repo.git.path, check=True, capture_output=True).stdout
    for number, request in enumerate(world.hub.requests):
        yield f"request {number} {request.verb} {request.path}", request.path.encode() + request.body
    for delivery in world.hub.deliveries:
        yield f"answer to {delivery.event} {delivery.id}", delivery.response_text.encode()
