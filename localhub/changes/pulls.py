"""Pull requests are opened, edited, moved by pushes, merged and closed."""

from __future__ import annotations

from typing import Any

from localhub.changes import issues
from localhub.state import App, Issue, Move, Pull, Repo, User
from localhub.world import World


def open_pull(
    world: World,
    repo: Repo,
    *,
    head: str,
    base: str,
    title: str,
    body: str | None,
    by: User,
    draft: bool = False,
    app: App | None = None,
    head_repo: Repo | None = None,
) -> Issue:
    """Both branches must exist: the callers check, for they know whom to tell. `head_repo` is a fork."""
    source = head_repo or repo
    base_sha, head_sha = repo.git.branch(base), source.git.branch(head)
    assert base_sha and head_sha
    pull = Pull(world.next_id(), base, head, base_sha, head_sha, head_repo, draft)
    issue = issues.new_issue(world, repo, title=title, body=body, by=by, app=app, pull=pull)
    keep_head(repo, issue)
    issues.announce(world, repo, issue, "opened", by)
    return issue


def keep_head(repo: Repo, issue: Issue) -> None:
    """GitHub keeps the head of each pull request in the base repository, from wherever it comes."""
    assert issue.pull is not None
    name = f"refs/pull/{issue.number}/head"
    if issue.pull.head_repo:
        repo.git.fetch(issue.pull.head_repo.git, f"+refs/heads/{issue.pull.head}:{name}")
    else:
        repo.git.set_ref(name, issue.pull.head_sha)


def open_between(repo: Repo, head_repo: Repo, head: str, base: str) -> Issue | None:
    """The open pull request from `head` to `base`, if there is one."""
    for each in repo.issues.values():
        pull = each.pull
        if pull is None or each.state == "closed" or (pull.head_repo or repo) is not head_repo:
            continue
        if (pull.head, pull.base) == (head, base):
            return each
    return None


def edit(world: World, repo: Repo, issue: Issue, given: dict[str, Any], by: User) -> None:
    names: tuple[str, ...] = ("title", "body")
    changes = {
        name: {"from": getattr(issue, name) or ""}
        for name in names
        if name in given and given[name] != getattr(issue, name)
    }
    for name in changes:
        setattr(issue, name, given[name])
    assert issue.pull is not None
    if "maintainer_can_modify" in given:
        issue.pull.maintainer_can_modify = given["maintainer_can_modify"]
    if "base" in given and given["base"] != issue.pull.base:
        issue.pull.base, issue.pull.base_sha = given["base"], repo.git.branch(given["base"]) or ""
    issue.updated_at = world.now()
    if changes:
        issues.announce(world, repo, issue, "edited", by, changes=changes)
    if "state" in given:
        issues.set_state(world, repo, issue, given["state"], by)


def branch_moved(world: World, repo: Repo, branch: str, move: Move, by: User) -> None:
    """`branch` of `repo` moved: pull requests from it follow, and those into it may be merged by that."""
    for home in world.repos.values():
        for each in [held for held in home.issues.values() if held.state == "open"]:
            if each.pull and each.pull.head == branch and (each.pull.head_repo or home) is repo:
                head_moved(world, home, each, move, by)
    for each in [held for held in repo.issues.values() if held.state == "open"]:
        into = each.pull is not None and each.pull.base == branch
        if each.pull and into and move.new and repo.git.is_ancestor(each.pull.head_sha, move.new):
            mark_merged(world, repo, each, move.new, by)


def head_moved(world: World, repo: Repo, issue: Issue, move: Move, by: User) -> None:
    assert issue.pull is not None
    if move.new is None:
        issues.set_state(world, repo, issue, "closed", by)
        return
    issue.pull.head_sha = move.new
    issue.pull.base_sha = repo.git.branch(issue.pull.base) or issue.pull.base_sha
    issue.updated_at = world.now()
    keep_head(repo, issue)
    announced: dict[str, Any] = {"before": move.old or move.new, "after": move.new}
    issues.announce(world, repo, issue, "synchronize", by, **announced)


def mark_merged(world: World, repo: Repo, issue: Issue, merge_commit: str, by: User) -> None:
    assert issue.pull is not None
    issue.pull.merged_at = world.now()
    issue.pull.merge_commit_sha = merge_commit
    issues.set_state(world, repo, issue, "closed", by)
