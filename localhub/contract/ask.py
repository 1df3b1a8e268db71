"""The contract as questions about behaviour, the same ones for localhub and for GitHub itself.

    python -m localhub.contract.ask --localhub
    python -m localhub.contract.ask --api https://api.github.com --app-id 1 --key app.pem --repo owner/name

Every answer is judged by GitHub's description as well. What is made on the repository (a branch, a check run, a pull
request, comments on it) is taken away at the end, as far as GitHub lets it be. docs/localhub.md says how to run it.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx
import jwt

from localhub.contract.description import Description
from localhub.hub import Hub
from localhub.rest.routes import find

API_VERSION = "2026-03-10"
BRANCH = "regreen/contract"
WANTED = {"contents": "write", "pull_requests": "write", "issues": "write", "checks": "write"}
_LATE_S = 15.0
"""GitHub's readers may lag behind its writers for some seconds."""


@dataclass(frozen=True)
class Place:
    """Whom to ask, as which App, about which repository."""

    api: str
    app_id: int
    key_pem: str
    repo: str


@dataclass
class Asker:
    """Asks, judges each answer, and remembers what did not hold."""

    place: Place
    client: httpx.Client
    description: Description
    token: str = ""
    installation: int = 0
    repo_id: int = 0
    head: str = ""
    default: str = ""
    commit: str = ""
    pull: int = 0
    held: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def holds(self, what: str, true: object, detail: object = "") -> None:
        """Enter the answer to one question."""
        (self.held if true else self.broken).append(what if true else f"{what}: {detail}")

    def jwt(self, *, life_s: float = 300, issued_ago_s: float = 60) -> str:
        now = int(time.time())
        claims = {"iat": now - int(issued_ago_s), "exp": now + int(life_s), "iss": str(self.place.app_id)}
        return jwt.encode(claims, self.place.key_pem, algorithm="RS256")

    def call(self, verb: str, path: str, body: object = None, *, bearer: str | None = None) -> httpx.Response:
        """One request with the token, or as `bearer`; its answer is judged."""
        who = self.token if bearer is None else bearer
        headers = {"Authorization": f"Bearer {who}", "X-GitHub-Api-Version": API_VERSION}
        answer = self.client.request(verb, self.place.api + path, json=body, headers=headers)
        found = find(verb, path.partition("?")[0])
        if found is not None:
            shown = answer.json() if answer.content else None
            faults = self.description.response_faults(found[0], answer.status_code, shown)
            self.holds(
                f"{verb} {found[0].split(' ')[1]} answers {answer.status_code} as described", not faults, faults[:2]
            )
        return answer

    def on(self, path: str) -> str:
        return f"/repos/{self.place.repo}{path}"

    def until(self, act: Callable[[], httpx.Response], fits: Callable[[httpx.Response], object]) -> httpx.Response:
        """Ask again while the answer does not fit yet."""
        deadline = time.monotonic() + (_LATE_S if "127.0.0.1" not in self.place.api else 0)
        while not fits(answer := act()) and time.monotonic() < deadline:
            time.sleep(1)
        return answer


def said(answer: httpx.Response) -> str:
    """The message of an error and its details, as one text."""
    return answer.text


def app_signs_in(ask: Asker) -> None:
    found = ask.call("GET", "/app", bearer=ask.jwt())
    ask.holds(
        "an App signs in with its JWT",
        found.status_code == 200 and found.json()["id"] == ask.place.app_id,
        said(found),
    )
    late = ask.call("GET", "/app", bearer=ask.jwt(life_s=-30, issued_ago_s=300))
    ask.holds("an expired JWT is refused", late.status_code == 401 and "exp" in said(late), said(late))
    long = ask.call("GET", "/app", bearer=ask.jwt(life_s=3600))
    ask.holds("a JWT for an hour is refused", long.status_code == 401 and "too far" in said(long), said(long))


def tokens_are_narrow(ask: Asker) -> None:
    found = ask.call("GET", ask.on("/installation"), bearer=ask.jwt())
    ask.installation = found.json()["id"]
    path = f"/app/installations/{ask.installation}/access_tokens"
    made = ask.call("POST", path, {"permissions": WANTED}, bearer=ask.jwt())
    ask.token = made.json()["token"]
    ask.holds(
        "a token has the permissions that were asked for",
        WANTED.items() <= made.json()["permissions"].items(),
        said(made),
    )
    ask.holds("a token has GitHub's form", ask.token.startswith("ghs_"), ask.token[:4])
    repo = ask.until(lambda: ask.call("GET", ask.on("")), lambda answer: answer.status_code == 200)
    ask.repo_id, ask.default = repo.json()["id"], repo.json()["default_branch"]
    body = {"permissions": {"contents": "read"}, "repository_ids": [ask.repo_id]}
    reader = ask.call("POST", path, body, bearer=ask.jwt()).json()["token"]
    blob = {"content": "x", "encoding": "utf-8"}
    refused = ask.until(
        lambda: ask.call("POST", ask.on("/git/blobs"), blob, bearer=reader), lambda answer: answer.status_code == 403
    )
    right = refused.status_code == 403 and "Resource not accessible by integration" in said(refused)
    ask.holds("a reader's token cannot write", right, said(refused))
    more = ask.call("POST", path, {"permissions": {"administration": "write"}}, bearer=ask.jwt())
    ask.holds("a token beyond the App's permissions is refused", more.status_code == 422, said(more))


def repositories_have_numbers(ask: Asker) -> None:
    same = ask.call("GET", f"/repositories/{ask.repo_id}")
    ask.holds(
        "a repository is found by its number",
        same.status_code == 200 and same.json()["id"] == ask.repo_id,
        said(same),
    )
    none = ask.call("GET", "/repos/no-such-owner-of-this-contract/nothing")
    ask.holds("what is not there is Not Found", none.status_code == 404 and "Not Found" in said(none), said(none))
    wrong = ask.call("POST", ask.on("/check-runs"), {"name": "contract"})
    ask.holds("a body that lacks a field is refused", wrong.status_code == 422, said(wrong))


def commits_are_signed(ask: Asker) -> None:
    ask.head = ask.call("GET", ask.on(f"/git/ref/heads/{ask.default}")).json()["object"]["sha"]
    tree = ask.call("GET", ask.on(f"/git/commits/{ask.head}")).json()["tree"]["sha"]
    content = base64.b64encode(f"{time.time()}\n".encode()).decode()
    blob = ask.call("POST", ask.on("/git/blobs"), {"content": content, "encoding": "base64"}).json()["sha"]
    entry = {"path": "contract.txt", "mode": "100644", "type": "blob", "sha": blob}
    made = ask.call("POST", ask.on("/git/trees"), {"base_tree": tree, "tree": [entry]}).json()["sha"]
    body = {"message": "Try the contract", "tree": made, "parents": [ask.head]}
    commit = ask.call("POST", ask.on("/git/commits"), body).json()
    ask.commit = commit["sha"]
    ask.holds("a commit of the App is signed by GitHub", commit["verification"]["verified"], commit["verification"])
    ask.holds("a commit has the tree that was given", commit["tree"]["sha"] == made, commit["tree"])


def branches_move_forward(ask: Asker) -> None:
    ref = {"ref": f"refs/heads/{BRANCH}", "sha": ask.commit}
    made = ask.call("POST", ask.on("/git/refs"), ref)
    ask.holds("a branch is made", made.status_code == 201 and made.json()["object"]["sha"] == ask.commit, said(made))
    again = ask.call("POST", ask.on("/git/refs"), ref)
    ask.holds("a branch is made once", again.status_code == 422 and "already exists" in said(again), said(again))
    back = ask.call("PATCH", ask.on(f"/git/refs/heads/{BRANCH}"), {"sha": ask.head})
    ask.holds(
        "a branch does not go back by itself", back.status_code == 422 and "fast forward" in said(back), said(back)
    )


def checks_have_buttons(ask: Asker) -> None:
    body: dict[str, Any] = {"name": "contract", "head_sha": ask.commit, "status": "in_progress", "external_id": "one"}
    made = ask.call("POST", ask.on("/check-runs"), body).json()
    button = {"label": "Retry", "description": "Once more", "identifier": "retry"}
    output = {"title": "Held", "summary": "All of it."}
    done = {"status": "completed", "conclusion": "neutral", "output": output, "actions": [button]}
    ask.call("PATCH", ask.on(f"/check-runs/{made['id']}"), done)
    path = ask.on(f"/commits/{ask.commit}/check-runs?check_name=contract&filter=all")
    listed = ask.until(lambda: ask.call("GET", path), lambda answer: answer.json()["total_count"])
    found = [(each["id"], each["external_id"], each["conclusion"]) for each in listed.json()["check_runs"]]
    ask.holds("a check run is found by its name", found == [(made["id"], "one", "neutral")], found)


def pull_requests_are_opened_once(ask: Asker) -> None:
    body = {
        "title": "Contract",
        "head": BRANCH,
        "base": ask.default,
        "body": "Tried.",
        "maintainer_can_modify": False,
    }
    made = ask.call("POST", ask.on("/pulls"), body)
    ask.pull = made.json()["number"]
    ask.holds("a pull request is the App's", made.json()["user"]["type"] == "Bot", made.json()["user"])
    again = ask.call("POST", ask.on("/pulls"), body)
    right = again.status_code == 422 and "A pull request already exists" in said(again)
    ask.holds("a pull request is opened once", right, said(again))
    same = ask.call("POST", ask.on("/pulls"), {**body, "head": ask.default})
    ask.holds(
        "a pull request without commits is refused", same.status_code == 422 and "commits" in said(same), said(same)
    )
    owner = ask.place.repo.split("/")[0]
    listed = ask.call("GET", ask.on(f"/pulls?state=open&head={owner}:{BRANCH}")).json()
    ask.holds("a pull request is found by its branch", [each["number"] for each in listed] == [ask.pull], listed)


def comments_come_in_pages(ask: Asker) -> None:
    path = ask.on(f"/issues/{ask.pull}/comments")
    for text in ("one", "two", "three"):
        made = ask.call("POST", path, {"body": text}).json()
    app = (made["performed_via_github_app"] or {}).get("id")
    ask.holds("a comment names the App", app == ask.place.app_id, app)
    ask.call("PATCH", ask.on(f"/issues/comments/{made['id']}"), {"body": "drei"})
    listed = ask.until(lambda: ask.call("GET", f"{path}?per_page=2"), lambda answer: len(answer.json()) == 2)
    following = listed.links.get("next", {}).get("url", "")
    ask.holds("a list says where it goes on", following.startswith(ask.place.api), listed.headers.get("link"))
    rest = ask.call("GET", following.removeprefix(ask.place.api)) if following else listed
    ask.holds("the next page goes on", [each["body"] for each in rest.json()] == ["drei"], said(rest)[:200])
    react = ask.on(f"/issues/comments/{made['id']}/reactions")
    codes = [ask.call("POST", react, {"content": "eyes"}).status_code for _ in range(2)]
    ask.holds("a reaction is given once", codes == [201, 200], codes)


def what_was_made_goes(ask: Asker) -> None:
    closed = ask.call("PATCH", ask.on(f"/pulls/{ask.pull}"), {"state": "closed"})
    ask.holds("a pull request is closed", closed.json().get("state") == "closed", said(closed)[:200])
    gone = ask.call("DELETE", ask.on(f"/git/refs/heads/{BRANCH}"))
    ask.holds("a branch is deleted", gone.status_code == 204, said(gone))
    again = ask.call("DELETE", ask.on(f"/git/refs/heads/{BRANCH}"))
    ask.holds("a branch is deleted once", again.status_code == 422 and "does not exist" in said(again), said(again))
    ask.call("DELETE", "/installation/token")
    dead = ask.until(lambda: ask.call("GET", ask.on("")), lambda answer: answer.status_code == 401)
    ask.holds(
        "a revoked token is worthless", dead.status_code == 401 and "Bad credentials" in said(dead), said(dead)[:200]
    )


QUESTIONS: tuple[Callable[[Asker], None], ...] = (
    app_signs_in, tokens_are_narrow, repositories_have_numbers, commits_are_signed, branches_move_forward,
    checks_have_buttons, pull_requests_are_opened_once, comments_come_in_pages, what_was_made_goes,
)  # fmt: skip


def ask_all(place: Place) -> Asker:
    """All questions in order; one that could not be asked to its end, after an odd answer, is broken too."""
    with httpx.Client(timeout=30, trust_env="127.0.0.1" not in place.api) as client:
        ask = Asker(place, client, Description())
        for question in QUESTIONS:
            try:
                question(ask)
            except (KeyError, TypeError, ValueError, httpx.HTTPError) as error:
                ask.broken.append(f"{question.__name__} could not be asked to its end: {error!r}")
        return ask


@contextmanager
def own_place() -> Iterator[tuple[Place, Hub]]:
    """A localhub of this process, with a repository and an App on it."""
    with Hub() as hub, hub.serve():
        repo = hub.create_repo("ada", "calc", {"README.md": b"# calc\n"})
        app = hub.register_app(
            "contract", "http://127.0.0.1:9/webhook", token_hex(16), WANTED, ["pull_request", "push"]
        )
        hub.install(app, repo)
        yield Place(hub.url, app.id, app.private_key_pem, repo.full_name), hub


def webhooks_are_signed(ask: Asker, hub: Hub) -> None:
    """What the App would have got: nothing listens at its address."""
    hub.settle()
    secret = hub.world.apps[ask.place.app_id].webhook_secret
    for each in hub.deliveries:
        digest = hmac.new(secret.encode(), each.raw, hashlib.sha256).hexdigest()
        right = each.request_headers.get("X-Hub-Signature-256") == f"sha256={digest}"
        ask.holds(f"the webhook {each.event} is signed", right, each.request_headers)
    heard = {each.event for each in hub.deliveries}
    ask.holds("the App hears of pushes and pull requests", {"push", "pull_request"} <= heard, heard)
    ask.holds("localhub kept to the description", not hub.violations, hub.violations[:3])


def main() -> None:
    parser = argparse.ArgumentParser(prog="localhub.contract.ask", description="Does a GitHub keep the contract?")
    parser.add_argument("--localhub", action="store_true", help="ask a localhub of this process")
    parser.add_argument("--api", default="https://api.github.com")
    parser.add_argument("--app-id", type=int)
    parser.add_argument("--key", type=Path, help="private key of the App")
    parser.add_argument("--repo", help="a repository to try things on, owner/name")
    options = parser.parse_args()
    if options.localhub:
        with own_place() as (place, hub):
            ask = ask_all(place)
            webhooks_are_signed(ask, hub)
    elif options.app_id and options.key and options.repo:
        ask = ask_all(Place(options.api.rstrip("/"), options.app_id, options.key.read_text(), options.repo))
    else:
        parser.error("give --localhub, or --app-id, --key and --repo")
    report = [f"ok      {each}" for each in dict.fromkeys(ask.held)] + [f"BROKEN  {each}" for each in ask.broken]
    sys.stdout.write("\n".join(report) + "\n")
    sys.exit(bool(ask.broken))


if __name__ == "__main__":
    main()
