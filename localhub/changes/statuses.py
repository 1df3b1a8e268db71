"""A CI of the older kind reports commit statuses."""

from __future__ import annotations

from typing import Any

from localhub.shapes.people import Json, stamp, user
from localhub.shapes.repository import repo_url, repository
from localhub.shapes.statuses import long_commit
from localhub.state import Repo, Status, User
from localhub.world import World


def report(world: World, repo: Repo, sha: str, given: dict[str, Any], by: User) -> Status:
    """A new status; the newest of each context counts."""
    made = Status(
        id=world.next_id(), sha=sha, state=given["state"], context=given.get("context", "default"),
        description=given.get("description"), target_url=given.get("target_url"), creator=by, created_at=world.now(),
    )  # fmt: skip
    repo.statuses.append(made)
    world.announce("status", event(world, repo, made), repo)
    return made


def event(world: World, repo: Repo, each: Status) -> Json:
    heads = [(name.removeprefix("refs/heads/"), at) for name, at, _ in repo.git.refs("refs/heads/")]
    # GitHub names at most ten of the branches that hold the commit.
    branches = [
        {
            "name": name,
            "commit": {"sha": at, "url": f"{repo_url(repo, world.links)}/commits/{at}"},
            "protected": name in repo.protected,
        }
        for name, at in heads
        if repo.git.is_ancestor(each.sha, at)
    ]
    return {
        "id": each.id,
        "sha": each.sha,
        "name": repo.full_name,
        "target_url": each.target_url,
        "avatar_url": None,
        "context": each.context,
        "description": each.description,
        "state": each.state,
        "commit": long_commit(world, repo, each.sha),
        "branches": branches[:10],
        "created_at": stamp(each.created_at),
        "updated_at": stamp(each.created_at),
        "repository": repository(repo, world.links),
        "sender": user(each.creator, world.links),
    }
