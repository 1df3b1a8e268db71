"""References move: by a git push or through the API; pull requests and check suites follow."""

from __future__ import annotations

from localhub.changes import checks, pulls
from localhub.objects import ZERO
from localhub.shapes.commits import pushed_commit
from localhub.shapes.people import Json, user
from localhub.shapes.repository import repository
from localhub.state import Move, Repo, User
from localhub.world import World

HEADS = "refs/heads/"
LARGEST_PUSH = 2048


def moved(world: World, repo: Repo, move: Move, by: User) -> None:
    """Tells everyone of `move`; git itself has already moved it."""
    repo.pushed_at = world.now()
    world.announce("push", push_event(world, repo, move, by), repo)
    if not move.ref.startswith(HEADS):
        return
    branch = move.ref.removeprefix(HEADS)
    if move.new is not None:
        checks.request_suites(world, repo, branch, move, by)
    pulls.branch_moved(world, repo, branch, move, by)


def push_event(world: World, repo: Repo, move: Move, by: User) -> Json:
    links = world.links
    old, new = move.old, move.new
    page = f"{links.web}/{repo.full_name}"
    head = repo.git.sha_of(new) if new else None
    return {
        "ref": move.ref,
        "before": old or ZERO,
        "after": new or ZERO,
        "base_ref": None,
        "created": old is None,
        "deleted": new is None,
        "forced": bool(old and new and not repo.git.is_ancestor(old, new)),
        "compare": f"{page}/compare/{(old or ZERO)[:12]}...{(new or ZERO)[:12]}",
        "commits": [pushed_commit(repo, repo.git.commit(sha), links) for sha in new_commits(repo, move)],
        "head_commit": pushed_commit(repo, repo.git.commit(head), links) if head else None,
        "pusher": {"name": by.login, "email": by.email},
        "repository": repository(repo, links) | {"pushed_at": int(repo.pushed_at.timestamp())},
        "sender": user(by, links),
    }


def new_commits(repo: Repo, move: Move) -> list[str]:
    old, new = move.old, move.new
    if new is None or repo.git.sha_of(new) is None:
        return []
    if old is not None:
        return repo.git.log(f"{old}..{new}", limit=LARGEST_PUSH)
    default = repo.git.branch(repo.default_branch)
    if default is None or move.ref == HEADS + repo.default_branch:
        return repo.git.log(new, limit=LARGEST_PUSH)
    return repo.git.log(f"{default}..{new}", limit=LARGEST_PUSH)
