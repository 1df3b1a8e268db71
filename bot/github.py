"""GitHub's API in our words: the only file that imports PyGithub. What stands in a repository: repository.py.

The library does authentication, paging and retries of reads. Writes are never repeated blindly (a POST that got a
502 may have been carried out): callers look for what they made before they make it again. A redirect of a write is
an error here, since the library takes it for success.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import requests
from github import Auth, Github, GithubException, GithubRetry
from github.GithubException import BadAttributeException

from bot import redaction
from bot.errors import Refused, TryLater, Unaccepted
from bot.repository import Repository

T = TypeVar("T")
Headers = Mapping[str, str]
"""Of an answer; names in small letters."""

READ = {"contents": "read", "pull_requests": "read", "issues": "read", "metadata": "read"}
"""Permissions of the token that fetches a commit."""
LOOK = {"checks": "read", "pull_requests": "read", "metadata": "read"}
"""Permissions of the token that looks for red checks."""
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
    def token_for(self, installation: int, repo_id: int | None, permissions: Mapping[str, str]) -> Iterator[str]:
        """A token for one repository with just these permissions, revoked at the end of the `with` block.

        None: for all that the installation covers. Refused when GitHub does not grant it.
        """
        which = {} if repo_id is None else {"repository_ids": [repo_id]}
        body = {**which, "permissions": dict(permissions)}
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

    def repositories(self, installation: int) -> list[dict[str, Any]]:
        """The repositories that an installation covers."""
        with self.token_for(installation, None, {"metadata": "read"}) as token:
            return list(Client(Auth.Token(token), self.api_url).pages("/installation/repositories"))

    def hook(self) -> str:
        """Address that webhooks go to; empty when there is none."""
        return str(self._client().call("GET", "/app/hook/config").get("url") or "")

    def installations(self) -> Iterator[dict[str, Any]]:
        """Accounts that have the App, with the permissions that each has accepted."""
        yield from self._client().pages("/app/installations")

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

    def __init__(self, auth: Auth.Auth | None, api_url: str) -> None:
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
            fresh = status in (401, 403) and not _is_limited(status, headers, data) and not _is_of_the_plan(data)
            if fresh and wait_s is not None:
                time.sleep(wait_s)
                continue
            break
        if 200 <= status < 300:
            return headers, data
        raise _error(status, headers, data, f"{verb} {path}")

    def pages(self, path: str, *, missing: Any = None) -> Iterator[Any]:
        """Every item of a list, 100 a page, at most 50 pages; GitHub says where the next one is."""
        following: str | None = f"{path}{'&' if '?' in path else '?'}per_page=100"
        for _ in range(50):
            if following is None:
                return
            headers, answer = self._answer("GET", following, missing=missing)
            yield from (
                answer
                if isinstance(answer, list)
                else next(part for part in answer.values() if isinstance(part, list))
            )
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


def converted(code: str, api_url: str) -> dict[str, Any]:
    """The App that a person has just made from a manifest: its id, slug, key and secrets. GitHub tells them once."""
    try:
        return dict(Client(None, api_url).call("POST", f"/app-manifests/{code}/conversions"))
    except Refused as error:
        # The message would name the code.
        raise Refused(
            "GitHub does not take the code that it sent you back with.",
            "Each one counts once, and for an hour: begin again on the set-up page.",
        ) from error


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


def _is_of_the_plan(data: Any) -> bool:
    """GitHub refuses some questions about private repositories of free plans, and says what they would cost."""
    return isinstance(data, dict) and str(data.get("message", "")).startswith("Upgrade to ")


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
    kind = Unaccepted if status in (409, 422) else Refused
    return kind(f"GitHub did not accept {what} ({status}): {said[:300]}.", "See the message of GitHub.")
