"""GitHub in our words: the only file that imports PyGithub.

The library does authentication, paging and retries of reads. Writes are never repeated blindly (a POST that got a
502 may have been carried out): callers look for what they made before they make it again. A redirect of a write is
an error here, since the library takes it for success. Repositories are addressed by the name that their id has now.
"""

from __future__ import annotations

import json
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

import requests
from github import Auth, Github, GithubException, GithubRetry
from github.GithubException import BadAttributeException

from bot import redaction
from bot.errors import Refused, TryLater

T = TypeVar("T")
Headers = Mapping[str, str]
"""Of an answer; names in small letters."""

READ = {"contents": "read", "pull_requests": "read", "issues": "read", "metadata": "read"}
"""Permissions of the token that fetches a commit."""
REPORT = {"contents": "read", "pull_requests": "write", "issues": "write", "checks": "write", "metadata": "read"}
"""Permissions of the token that looks and reports: it can change no file."""
PUBLISH = {**REPORT, "contents": "write"}
"""Permissions of the token that publishes; minted only for a verified patch, or to delete a branch of ours."""

TIMEOUT_S = 30
MAX_WAIT_S = 3600.0
"""GitHub's limits are renewed within the hour."""
# A token that was just made may be unknown (401) or without its permissions (403) for some seconds
# (octokit/auth-app.js#65).
_FRESH_TOKEN_WAITS_S = (1.0, 2.0, 4.0)


@dataclass(frozen=True)
class PullHead:
    """What a pull request points at now."""

    number: int
    sha: str
    branch: str
    repo_id: int
    base: str
    open: bool
    draft: bool = False
    by_bot: bool = False
    """True when a bot opened it."""


@dataclass(frozen=True)
class Pull:
    """A pull request of ours."""

    number: int
    url: str
    head: str
    base: str
    title: str
    body: str


class App:
    """The GitHub App: mints tokens for one repository at a time."""

    def __init__(self, app_id: int, key_pem: str, api_url: str) -> None:
        self.id = app_id
        self._auth = Auth.AppAuth(app_id, key_pem)
        self.api_url = api_url

    def slug(self) -> str:
        """Name of the App in addresses; its bot user is `slug[bot]`."""
        return str(self.about()["slug"])

    def about(self) -> dict[str, Any]:
        """What GitHub says of the App: slug, permissions, events, installations_count. Refused for a wrong key."""
        return dict(self._client().call("GET", "/app"))

    @contextmanager
    def token_for(self, installation: int, repo_id: int, permissions: Mapping[str, str]) -> Iterator[str]:
        """A token for one repository with just these permissions, revoked at the end of the `with` block.

        Refused when GitHub does not grant it.
        """
        body = {"repository_ids": [repo_id], "permissions": dict(permissions)}
        made = self._client().call("POST", f"/app/installations/{installation}/access_tokens", body)
        token = str(made["token"])
        redaction.learn(token)
        try:
            yield token
        finally:
            if Client(Auth.Token(token), self.api_url).revoke():
                redaction.forget(token)

    @contextmanager
    def repository(
        self, installation: int, repo_id: int, permissions: Mapping[str, str] = REPORT
    ) -> Iterator[Repository]:
        """The repository with a token of its own, which is revoked at the end of the `with` block."""
        with self.token_for(installation, repo_id, permissions) as token:
            yield Repository(Client(Auth.Token(token), self.api_url), repo_id)

    def deliveries(self) -> Iterator[dict[str, Any]]:
        """Attempts to deliver a webhook to us, newest first; GitHub keeps them for three days."""
        yield from self._client().pages("/app/hook/deliveries")

    def redeliver(self, attempt: int) -> None:
        """Ask GitHub to deliver again what this attempt was to; it keeps its delivery id."""
        self._client().call("POST", f"/app/hook/deliveries/{attempt}/attempts")

    def _client(self) -> Client:
        return Client(self._auth, self.api_url)


class Client:
    """One authenticated connection. Not for several threads at once (PyGithub#1257)."""

    def __init__(self, auth: Auth.Auth, api_url: str) -> None:
        retry = GithubRetry(total=3, allowed_methods=frozenset({"GET", "HEAD"}), max_rate_limit_wait=60)
        self._github = Github(
            auth=auth, base_url=api_url, timeout=TIMEOUT_S, retry=retry, per_page=100,
            seconds_between_requests=0, seconds_between_writes=0,
        )  # fmt: skip

    def call(self, verb: str, path: str, body: object = None, *, missing: Any = None) -> Any:
        """One request; returns the parsed answer. `missing` is returned for 404 when it is given."""
        return self._answer(verb, path, body, missing=missing)[1]

    def _answer(self, verb: str, path: str, body: object = None, *, missing: Any = None) -> tuple[Headers, Any]:
        for wait_s in (*_FRESH_TOKEN_WAITS_S, None):
            status, headers, data = _translated(lambda: self._once(verb, path, body))
            if status == 404 and missing is not None:
                return headers, missing
            if status in (401, 403) and wait_s is not None and not _is_limited(status, headers, data):
                time.sleep(wait_s)
                continue
            break
        if 200 <= status < 300:
            return headers, data
        raise _error(status, headers, data, f"{verb} {path}")

    def pages(self, path: str) -> Iterator[Any]:
        """Every item of a list, 100 a page, at most 50 pages; GitHub says where the next one is."""
        following: str | None = f"{path}{'&' if '?' in path else '?'}per_page=100"
        for _ in range(50):
            if following is None:
                return
            headers, answer = self._answer("GET", following)
            yield from answer if isinstance(answer, list) else answer["check_runs"]
            following = _next(headers)

    def revoke(self) -> bool:
        """Make the token worthless; True when it is. Best effort: it would end by itself within the hour."""
        with suppress(Refused, TryLater):
            status, _, _ = _translated(lambda: self._once("DELETE", "/installation/token", None))
            return status == 204
        return False

    def _once(self, verb: str, path: str, body: object) -> tuple[int, Headers, Any]:
        if not path.endswith("/git/blobs"):  # a verified patch is published as it is, or not at all
            body = redaction.cleaned(body)
        try:
            status, headers, text = self._github.requester.requestJson(verb, path, input=body)
        except GithubException as error:
            # The library's own retry of reads raises for a 403 in place of answering.
            if not error.status:
                raise
            return error.status, _lower(error.headers), error.data
        return status, _lower(headers), _parsed(text)


def _lower(headers: Mapping[str, Any] | None) -> Headers:
    return {name.lower(): str(value) for name, value in (headers or {}).items()}


def _parsed(text: str) -> Any:
    try:
        return json.loads(text) if text else {}
    except ValueError as error:
        raise TryLater("GitHub answered something that is not JSON", after_s=10) from error


def _translated(act: Callable[[], T]) -> T:
    """The border: what PyGithub and requests raise, in our words."""
    try:
        return act()
    except BadAttributeException as error:
        raise TryLater(f"GitHub answered something unexpected ({error})", after_s=10) from error
    except GithubException as error:
        raise TryLater(f"GitHub cannot be used now ({type(error).__name__})", after_s=60) from error
    except requests.RequestException as error:
        raise TryLater(f"GitHub does not answer ({type(error).__name__})", after_s=10) from error


def _next(headers: Headers) -> str | None:
    """Address of the next page, from the header Link (RFC 8288)."""
    links = requests.utils.parse_header_links(headers.get("link", ""))
    return next((str(link["url"]) for link in links if link.get("rel") == "next"), None)


def _is_limited(status: int, headers: Headers, data: Any) -> bool:
    """A primary or secondary rate limit; GitHub answers either with 403 or 429."""
    said = str(data.get("message", "")).lower() if isinstance(data, dict) else ""
    return status == 429 or (
        status == 403
        and ("retry-after" in headers or headers.get("x-ratelimit-remaining") == "0" or "rate limit" in said)
    )


def _wait_s(headers: Headers) -> float:
    """How long GitHub asks to wait: Retry-After, else until the limit is renewed, else a minute."""
    if headers.get("retry-after", "").isdigit():
        return float(headers["retry-after"])
    if headers.get("x-ratelimit-remaining") == "0" and headers.get("x-ratelimit-reset", "").isdigit():
        return max(1.0, float(headers["x-ratelimit-reset"]) - time.time())
    return 60.0


def _error(status: int, headers: Headers, data: Any, what: str) -> Exception:
    said = str(data.get("message", "")) if isinstance(data, dict) else ""
    details = data.get("errors") if isinstance(data, dict) else None
    if isinstance(details, list):
        said += "".join(f"; {item.get('message', item) if isinstance(item, dict) else item}" for item in details[:3])
    said = redaction.clean(said)  # it may repeat what was sent, and goes into logs, records and the database
    if _is_limited(status, headers, data):
        return TryLater(
            f"GitHub answered {status} to {what} ({said[:200]})", after_s=min(_wait_s(headers), MAX_WAIT_S)
        )
    if status >= 500:
        after_s = min(_wait_s(headers), MAX_WAIT_S) if "retry-after" in headers else 5
        return TryLater(f"GitHub answered {status} to {what} ({said[:200]})", after_s=after_s)
    if status == 404:
        return Refused(f"GitHub does not know {what}.", "Check that the App is still installed on the repository.")
    if status in (401, 403):
        return Refused(f"GitHub refused {what}: {said[:300]}.", "Check the App's key, installation and permissions.")
    return Refused(f"GitHub did not accept {what} ({status}): {said[:300]}.", "See the message of GitHub.")


class Repository:
    """One repository, through a token made for it alone."""

    def __init__(self, client: Client, repo_id: int) -> None:
        self._client = client
        self.id = repo_id
        found = client.call("GET", f"/repositories/{repo_id}")
        self.name = str(found["full_name"])
        self.default_branch = str(found["default_branch"])

    def _call(self, verb: str, path: str, body: object = None, *, missing: Any = None) -> Any:
        return self._client.call(verb, f"/repos/{self.name}{path}", body, missing=missing)

    def permission(self, user: str) -> str:
        """Legacy permission of a user: admin, write, read or none."""
        return str(
            self._call("GET", f"/collaborators/{quote(user)}/permission", missing={"permission": "none"})[
                "permission"
            ]
        )

    def branch_head(self, branch: str) -> str | None:
        """Commit that a branch points at; None when there is no such branch."""
        found = self._call("GET", f"/git/ref/heads/{quote(branch)}", missing={})
        return str(found["object"]["sha"]) if found else None

    def pull_head(self, number: int) -> PullHead:
        """What a pull request points at now."""
        found = self._call("GET", f"/pulls/{number}")
        head = found["head"]
        repo = head["repo"] or {"id": 0}  # null when the fork is gone
        return PullHead(
            number, head["sha"], head["ref"], int(repo["id"]), found["base"]["ref"], found["state"] == "open",
            draft=bool(found.get("draft")), by_bot=(found.get("user") or {}).get("type") == "Bot",
        )  # fmt: skip

    def file(self, path: str) -> bytes | None:
        """A small file on the default branch; None where there is none. Refused for what is no plain file."""
        found = self._call("GET", f"/contents/{quote(path)}", missing={})
        if not found:
            return None
        if not isinstance(found, dict) or found.get("type") != "file" or found.get("encoding") != "base64":
            raise Refused(f"{path} on {self.default_branch} is no plain file of at most 1 MB.", "Make it one.")
        return b64decode(found["content"])

    def issue_text(self, number: int) -> str:
        """Body of an issue, without its title; empty when it has none."""
        return str(self._call("GET", f"/issues/{number}")["body"] or "")

    def react(self, comment_id: int, content: str) -> None:
        """Add a reaction to an issue comment; GitHub keeps one of each kind for each user."""
        self._call("POST", f"/issues/comments/{comment_id}/reactions", {"content": content})

    def sticky_comment(self, number: int, body: str, *, marker: str, app_id: int) -> None:
        """Write our one comment on an issue or pull request: edit it where it stands already."""
        for found in self._client.pages(f"/repos/{self.name}/issues/{number}/comments"):
            ours = (found.get("performed_via_github_app") or {}).get("id") == app_id
            if marker in (found["body"] or "") and ours:
                if found["body"] != body:
                    self._call("PATCH", f"/issues/comments/{found['id']}", {"body": body})
                return
        self._call("POST", f"/issues/{number}/comments", {"body": body})

    def check_run(self, sha: str, *, name: str, job: str, app_id: int) -> int:
        """Our check run for a job on a commit, made where it is missing; returns its id."""
        found = self.find_check(sha, name=name, job=job, app_id=app_id)
        if found is not None:
            return found
        body = {"name": name, "head_sha": sha, "status": "in_progress", "external_id": job}
        return int(self._call("POST", "/check-runs", body)["id"])

    def find_check(self, sha: str, *, name: str, job: str, app_id: int) -> int | None:
        """Id of our check run for a job on a commit; None when there is none."""
        path = f"/repos/{self.name}/commits/{sha}/check-runs?check_name={name}&filter=all"
        for found in self._client.pages(path):
            if found["app"]["id"] == app_id and found["external_id"] == job:
                return int(found["id"])
        return None

    def conclusion_of(self, check_id: int) -> str | None:
        """Title of a check run that is complete; None of one that is not."""
        found = self._call("GET", f"/check-runs/{check_id}")
        return str(found["output"]["title"] or "") if found["status"] == "completed" else None

    def update_check(
        self,
        check_id: int,
        *,
        title: str,
        summary: str,
        conclusion: str | None = None,
        buttons: Sequence[Mapping[str, str]] = (),
    ) -> None:
        """Say in the check run what is going on; a conclusion completes it. `buttons`: GitHub's `actions`."""
        body: dict[str, Any] = {"output": {"title": title, "summary": summary}, "actions": list(buttons)}
        body |= {"status": "completed", "conclusion": conclusion} if conclusion else {"status": "in_progress"}
        self._call("PATCH", f"/check-runs/{check_id}", body)

    def commit(self, base: str, files: Mapping[str, bytes | None], modes: Mapping[str, str], message: str) -> str:
        """Write a commit on top of `base` through the API, so that GitHub signs it; returns its hash."""
        entries = [self._entry(path, data, modes.get(path, "100644")) for path, data in sorted(files.items())]
        base_tree = self._call("GET", f"/git/commits/{base}")["tree"]["sha"]
        tree = self._call("POST", "/git/trees", {"base_tree": base_tree, "tree": entries})["sha"]
        made = self._call("POST", "/git/commits", {"message": message, "tree": tree, "parents": [base]})
        return str(made["sha"])

    def _entry(self, path: str, data: bytes | None, mode: str) -> dict[str, Any]:
        entry: dict[str, Any] = {"path": path, "mode": mode, "type": "blob"}
        if data is None:
            return {**entry, "sha": None}
        body = {"content": b64encode(data).decode("ascii"), "encoding": "base64"}
        return {**entry, "sha": self._call("POST", "/git/blobs", body)["sha"]}

    def tree_of(self, sha: str) -> str:
        """Tree hash of a commit."""
        return str(self._call("GET", f"/git/commits/{sha}")["tree"]["sha"])

    def put_branch(self, branch: str, sha: str) -> None:
        """Let one of our own branches point at a commit, made where it is missing."""
        if self.branch_head(branch) is None:
            self._call("POST", "/git/refs", {"ref": f"refs/heads/{branch}", "sha": sha})
        else:
            self._call("PATCH", f"/git/refs/heads/{quote(branch)}", {"sha": sha, "force": True})

    def delete_branch(self, branch: str) -> None:
        """Delete one of our own branches; nothing happens where there is none."""
        if self.branch_head(branch) is not None:
            self._call("DELETE", f"/git/refs/heads/{quote(branch)}")

    def find_pull(self, branch: str) -> Pull | None:
        """The open pull request of one of our branches."""
        owner = self.name.split("/")[0]
        found = self._call("GET", f"/pulls?state=open&head={quote(owner)}:{quote(branch)}")
        return _pull(found[0]) if found else None

    def open_pull(self, *, branch: str, base: str, title: str, body: str) -> Pull:
        """Open the pull request of a branch, or bring the open one up to date."""
        known = self.find_pull(branch)
        if known is None:
            made = {"head": branch, "base": base, "title": title, "body": body, "maintainer_can_modify": False}
            return _pull(self._call("POST", "/pulls", made))
        if (known.title, known.body) != (title, body):
            return _pull(self._call("PATCH", f"/pulls/{known.number}", {"title": title, "body": body}))
        return known


def _pull(data: Mapping[str, Any]) -> Pull:
    return Pull(
        int(data["number"]), str(data["html_url"]), data["head"]["ref"], data["base"]["ref"], data["title"],
        data["body"] or "",
    )  # fmt: skip
