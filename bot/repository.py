"""One repository on GitHub in our words, addressed by the name that its id has now."""

from __future__ import annotations

import logging
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from urllib.parse import quote

from bot.errors import Refused, Unaccepted
from bot.nouns import RED

log = logging.getLogger(__name__)


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


class Client(Protocol):
    """What carries a call to GitHub and its answer back (github.py)."""

    def call(self, verb: str, path: str, body: object = None, *, missing: Any = None) -> Any: ...

    def pages(self, path: str, *, missing: Any = None) -> Iterator[Any]: ...


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
        return _head(self._call("GET", f"/pulls/{number}"))

    def open_pulls(self, since: datetime) -> Iterator[PullHead]:
        """Open pull requests that something happened to since then, the latest first."""
        for found in self._client.pages(f"/repos/{self.name}/pulls?state=open&sort=updated&direction=desc"):
            if datetime.fromisoformat(found["updated_at"]) < since:
                return
            yield _head(found)

    def red_check(self, sha: str, *, app_id: int, since: datetime) -> str:
        """Name of a check of another App that turned red since then; empty while checks run, or where one is ours."""
        checks = list(self._client.pages(f"/repos/{self.name}/commits/{sha}/check-runs?filter=latest"))
        if any((check["app"] or {}).get("id") == app_id or check["status"] != "completed" for check in checks):
            return ""
        red = (check for check in checks if check["conclusion"] in RED and check["completed_at"])
        return next((str(one["name"]) for one in red if datetime.fromisoformat(one["completed_at"]) >= since), "")

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
        """Add a reaction to an issue comment; GitHub keeps one of each kind for each user.

        It is no more than a nod: where GitHub refuses it (the comment is gone, the talk is locked), work goes on.
        """
        try:
            self._call("POST", f"/issues/comments/{comment_id}/reactions", {"content": content})
        except Refused as error:
            log.info("no reaction on comment %d: %s", comment_id, error)

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

    def parents_of(self, sha: str) -> list[str]:
        """Hashes of a commit's parents."""
        return [str(parent["sha"]) for parent in self._call("GET", f"/git/commits/{sha}")["parents"]]

    def commit_url(self, sha: str) -> str:
        """Page of a commit."""
        return str(self._call("GET", f"/git/commits/{sha}")["html_url"])

    def rules(self, branch: str) -> set[str]:
        """Kinds of the rules that rulesets hold for a branch, which need not be there yet; none on plans without."""
        path = f"/repos/{self.name}/rules/branches/{quote(branch)}"
        try:
            return {str(rule["type"]) for rule in self._client.pages(path, missing=[])}
        except Refused:
            return set()

    def is_protected(self, branch: str) -> bool:
        """Whether a branch is protected in the older way."""
        return bool(self._call("GET", f"/branches/{quote(branch)}", missing={}).get("protected"))

    def fast_forward(self, branch: str, sha: str) -> None:
        """Let a branch point at a commit that follows its head. Unaccepted when the head is another one by now."""
        self._call("PATCH", f"/git/refs/heads/{quote(branch)}", {"sha": sha, "force": False})

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

    def pull_patches(self, number: int) -> dict[str, str]:
        """Path -> what a pull request shows of the file, as hunks; without files that are too large or binary."""
        found = self._client.pages(f"/repos/{self.name}/pulls/{number}/files")
        return {str(file["filename"]): str(file["patch"]) for file in found if file.get("patch")}

    def find_review(self, number: int, *, marker: str, sha: str) -> str:
        """Page of our review of a commit with this marker; empty where there is none."""
        for found in self._client.pages(f"/repos/{self.name}/pulls/{number}/reviews"):
            ours = (found["user"] or {}).get("type") == "Bot" and found["commit_id"] == sha
            if ours and marker in (found["body"] or ""):
                return str(found["html_url"])
        return ""

    def review(self, number: int, *, sha: str, body: str, comments: Sequence[Mapping[str, Any]]) -> str:
        """Comment on lines of a pull request, without a judgement of it; returns the page of the review."""
        made = {"commit_id": sha, "event": "COMMENT", "body": body, "comments": list(comments)}
        return str(self._call("POST", f"/pulls/{number}/reviews", made)["html_url"])

    def pulls_from(self, branch: str) -> list[int]:
        """Numbers of the open pull requests from a branch of this repository."""
        owner = self.name.split("/")[0]
        found = self._client.pages(f"/repos/{self.name}/pulls?state=open&head={quote(owner)}:{quote(branch)}")
        return [int(pull["number"]) for pull in found]

    def find_pull(self, branch: str) -> Pull | None:
        """The open pull request of one of our branches."""
        owner = self.name.split("/")[0]
        found = self._call("GET", f"/pulls?state=open&head={quote(owner)}:{quote(branch)}")
        return _pull(found[0]) if found else None

    def open_pull(self, *, branch: str, base: str, title: str, body: str, draft: bool = False) -> Pull:
        """Open the pull request of a branch, or bring the open one up to date; a draft where there are any."""
        known = self.find_pull(branch)
        if known is None:
            made = {"head": branch, "base": base, "title": title, "body": body, "maintainer_can_modify": False}
            try:
                return _pull(self._call("POST", "/pulls", {**made, "draft": draft}))
            except Unaccepted as error:
                if not draft or "draft" not in error.cause.lower():
                    raise
                return _pull(self._call("POST", "/pulls", made))  # private repositories of free plans have no drafts
        if (known.title, known.body) != (title, body):
            return _pull(self._call("PATCH", f"/pulls/{known.number}", {"title": title, "body": body}))
        return known


def _head(data: Mapping[str, Any]) -> PullHead:
    head = data["head"]
    repo = head["repo"] or {"id": 0}  # null when the fork is gone
    return PullHead(
        int(data["number"]), head["sha"], head["ref"], int(repo["id"]), data["base"]["ref"], data["state"] == "open",
        draft=bool(data.get("draft")), by_bot=(data.get("user") or {}).get("type") == "Bot",
    )  # fmt: skip


def _pull(data: Mapping[str, Any]) -> Pull:
    return Pull(
        int(data["number"]), str(data["html_url"]), data["head"]["ref"], data["base"]["ref"], data["title"],
        data["body"] or "",
    )  # fmt: skip
