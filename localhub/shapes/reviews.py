"""Reviews and their comments as GitHub shows them."""

from __future__ import annotations

from localhub.shapes.issues import association
from localhub.shapes.people import Json, stamp, user
from localhub.shapes.repository import repo_url
from localhub.state import Issue, Repo, Review, ReviewComment
from localhub.webhooks import node_id
from localhub.world import Links


def review(repo: Repo, issue: Issue, each: Review, links: Links) -> Json:
    pull = f"{repo_url(repo, links)}/pulls/{issue.number}"
    page = f"{links.web}/{repo.full_name}/pull/{issue.number}#pullrequestreview-{each.id}"
    return {
        "id": each.id,
        "node_id": node_id("PullRequestReview", each.id),
        "user": user(each.user, links),
        "body": each.body,
        "state": each.state,
        "commit_id": each.commit_id,
        "html_url": page,
        "pull_request_url": pull,
        "_links": {"html": {"href": page}, "pull_request": {"href": pull}},
        "author_association": association(repo, each.user),
        "submitted_at": stamp(each.submitted_at),
    }


def comment(repo: Repo, issue: Issue, held: Review, each: ReviewComment, links: Links) -> Json:
    base = repo_url(repo, links)
    own, pull = f"{base}/pulls/comments/{each.id}", f"{base}/pulls/{issue.number}"
    page = f"{links.web}/{repo.full_name}/pull/{issue.number}#discussion_r{each.id}"
    start = each.first if each.first != each.last else None
    return {
        "url": own,
        "id": each.id,
        "node_id": node_id("PullRequestReviewComment", each.id),
        "pull_request_review_id": held.id,
        "diff_hunk": each.hunk,
        "path": each.path,
        "commit_id": held.commit_id,
        "original_commit_id": held.commit_id,
        "user": user(held.user, links),
        "body": each.body,
        "created_at": stamp(held.submitted_at),
        "updated_at": stamp(held.submitted_at),
        "html_url": page,
        "pull_request_url": pull,
        "author_association": association(repo, held.user),
        "_links": {"self": {"href": own}, "html": {"href": page}, "pull_request": {"href": pull}},
        "line": each.last,
        "original_line": each.last,
        "start_line": start,
        "original_start_line": start,
        "side": "RIGHT",
        "start_side": "RIGHT" if start else None,
    }
