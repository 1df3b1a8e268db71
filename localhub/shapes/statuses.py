"""Commit statuses as GitHub shows them."""

from __future__ import annotations

from localhub.shapes.commits import commit
from localhub.shapes.people import Json, stamp, user
from localhub.shapes.repository import repo_url
from localhub.state import Repo, Status
from localhub.webhooks import node_id
from localhub.world import Links, World


def long_commit(world: World, repo: Repo, sha: str) -> Json:
    """The commit inside a status event."""
    return commit(world, repo, repo.git.commit(sha), world.links)


def simple(repo: Repo, each: Status, links: Links) -> Json:
    return {
        "url": f"{repo_url(repo, links)}/statuses/{each.sha}",
        "avatar_url": f"{links.web}/avatars/u/{each.creator.id}",
        "id": each.id,
        "node_id": node_id("StatusContext", each.id),
        "state": each.state,
        "description": each.description,
        "target_url": each.target_url,
        "context": each.context,
        "created_at": stamp(each.created_at),
        "updated_at": stamp(each.created_at),
    }


def status(repo: Repo, each: Status, links: Links) -> Json:
    return simple(repo, each, links) | {"creator": user(each.creator, links)}
