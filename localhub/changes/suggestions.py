"""Someone commits what a review suggests."""

from __future__ import annotations

import re

from localhub.changes import commits
from localhub.state import Issue, Repo, ReviewComment, User
from localhub.world import World

BLOCK = re.compile(r"^(`{3,})suggestion\n(.*?)^\1$", re.DOTALL | re.MULTILINE)


def commit_all(world: World, repo: Repo, issue: Issue, by: User) -> str:
    """One commit on the pull request's branch, with every suggestion of every review applied to its lines."""
    assert issue.pull is not None
    home, branch = issue.pull.head_repo or repo, issue.pull.head
    by_path: dict[str, list[ReviewComment]] = {}
    for review in issue.reviews:
        for comment in review.comments:
            by_path.setdefault(comment.path, []).append(comment)
    files: commits.Files = {}
    for path, found in by_path.items():
        entry = home.git.entry_at(issue.pull.head_sha, path)
        assert entry is not None
        files[path] = applied(home.git.blob(entry.sha), found)
    return commits.commit(world, home, branch, files, message="Apply suggestions from code review", by=by)


def applied(content: bytes, comments: list[ReviewComment]) -> bytes:
    lines = content.decode().splitlines(keepends=True)
    for each in sorted(comments, key=lambda each: -each.first):
        block = BLOCK.search(each.body)
        assert block is not None, "the comment suggests nothing"
        lines[each.first - 1 : each.last] = block[2].splitlines(keepends=True)
    return "".join(lines).encode()
