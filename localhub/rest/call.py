"""One REST call on its way: what was asked, what is answered, how it fails, how lists are paged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from localhub.auth import Caller
from localhub.objects import Commit
from localhub.state import Issue, Repo, User
from localhub.world import Links, World

DOCS = "https://docs.github.com/rest"
LARGEST_PAGE = 100


@dataclass(frozen=True)
class Answer:
    """Status, JSON body (None for an empty one) and further headers."""

    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    # Set for the few answers that are not JSON.
    raw: bytes | None = None


class ApiError(Exception):
    """An error in GitHub's shape."""

    def __init__(self, status: int, message: str, errors: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors

    def answer(self) -> Answer:
        body: dict[str, Any] = {"message": self.message}
        if self.errors is not None:
            body["errors"] = self.errors
        return Answer(self.status, body | {"documentation_url": DOCS, "status": str(self.status)})


def not_found(what: str = "Not Found") -> ApiError:
    return ApiError(404, what)


def invalid(resource: str, *, message: str | None = None, name: str | None = None) -> ApiError:
    """422 Validation Failed: a `custom` error with its message, or an `invalid` field."""
    error: dict[str, Any] = {"resource": resource, "code": "invalid" if message is None else "custom"}
    if name is not None:
        error["field"] = name
    if message is not None:
        error["message"] = message
    return ApiError(422, "Validation Failed", [error])


@dataclass
class Call:
    """What a handler gets: it reads, changes the world, and returns an Answer or raises an ApiError."""

    world: World
    links: Links
    who: Caller
    path: str
    args: dict[str, str]
    query: dict[str, str]
    body: Any
    accept: str = ""

    @property
    def repo(self) -> Repo:
        repo = self.world.repo(self.args["owner"], self.args["repo"])
        if repo is None:
            raise not_found()
        return repo

    @property
    def account(self) -> User:
        if self.who.account is None:
            raise ApiError(401, "Requires authentication")
        return self.who.account

    def issue(self) -> Issue:
        return self._numbered("issue_number")

    def pull(self) -> Issue:
        found = self._numbered("pull_number")
        if found.pull is None:
            raise not_found()
        return found

    def _numbered(self, name: str) -> Issue:
        found = self.repo.issues.get(self.number(name))
        if found is None:
            raise not_found()
        return found

    def number(self, name: str) -> int:
        try:
            return int(self.args[name])
        except ValueError:
            raise not_found() from None

    def commit(self, name: str) -> Commit:
        """A commit by branch, tag or SHA; 422 as GitHub answers for one it cannot find."""
        sha = self.repo.git.resolve(name)
        if sha is None:
            raise ApiError(422, f"No commit found for SHA: {name}")
        return self.repo.git.commit(sha)


Handler = Callable[[Call], Answer]


def page(call: Call, items: list[Any], shape: Callable[[Any], Any], *, key: str | None = None) -> Answer:
    """One page of `items`, with GitHub's Link header; under `key` with a total when the endpoint wraps its list."""
    size = clamped(call.query.get("per_page"), default=30, largest=LARGEST_PAGE)
    number = clamped(call.query.get("page"), default=1, largest=10**6)
    last = max(1, -(-len(items) // size))
    shown = [shape(each) for each in items[(number - 1) * size : number * size]]
    body = shown if key is None else {"total_count": len(items), key: shown}
    link = link_header(call, number, last)
    return Answer(200, body, {"Link": link} if link else {})


def clamped(text: str | None, *, default: int, largest: int) -> int:
    if text is None or not text.isdigit():
        return default
    return min(max(int(text), 1), largest)


def link_header(call: Call, number: int, last: int) -> str:
    wanted: dict[str, int] = {}
    if number > 1:
        wanted |= {"prev": number - 1, "first": 1}
    if number < last:
        wanted |= {"next": number + 1, "last": last}
    url = call.links.api + numbered_path(call)
    return ", ".join(
        f'<{url}?{urlencode(call.query | {"page": str(at)})}>; rel="{name}"' for name, at in wanted.items()
    )


def numbered_path(call: Call) -> str:
    """GitHub pages through repositories by their id, which outlives a rename."""
    if "repo" not in call.args:
        return call.path
    rest = call.path.split("/", 4)[4:]
    return "/".join([f"/repositories/{call.repo.id}", *rest])
