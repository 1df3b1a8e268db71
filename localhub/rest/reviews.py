"""Reviews of pull requests, and their comments on lines."""

from __future__ import annotations

import re
from typing import Any

from localhub.rest.call import Answer, ApiError, Call, invalid, page
from localhub.rest.pulls import merge_base
from localhub.shapes import reviews as shapes
from localhub.state import Issue, Review, ReviewComment

STATES = {"COMMENT": "COMMENTED", "APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED"}
HEADER = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@.*")


def listed(call: Call) -> Answer:
    held = call.pull()
    return page(call, held.reviews, lambda each: shapes.review(call.repo, held, each, call.links))


def comments(call: Call) -> Answer:
    held = call.pull()
    found = [(review, comment) for review in held.reviews for comment in review.comments]
    return page(call, found, lambda each: shapes.comment(call.repo, held, each[0], each[1], call.links))


def create(call: Call) -> Answer:
    held, given = call.pull(), call.body or {}
    assert held.pull is not None
    event = given.get("event")
    if event not in STATES:
        raise ApiError(422, "localhub keeps no pending reviews: an event is needed")
    if event != "APPROVE" and not given.get("body"):
        raise invalid("PullRequestReview", name="body")
    sha = given.get("commit_id", held.pull.head_sha)
    if sha != held.pull.head_sha:
        raise ApiError(422, "Unprocessable Entity")
    made = Review(
        id=call.world.next_id(), user=call.account, body=given.get("body") or "", commit_id=sha,
        state=STATES[event], submitted_at=call.world.now(),
        comments=[placed(call, held, each) for each in given.get("comments", [])],
    )  # fmt: skip
    held.reviews.append(made)
    return Answer(200, shapes.review(call.repo, held, made, call.links))


def placed(call: Call, held: Issue, given: dict[str, Any]) -> ReviewComment:
    """The comment, if the pull request shows its lines in one hunk."""
    last = given.get("line", 0)
    first = given.get("start_line", last)
    hunk = next((text for lines, text in hunks(call, held, given["path"]) if first in lines and last in lines), None)
    if (
        hunk is None
        or given.get("side", "RIGHT") != "RIGHT"
        or first > last
        or ("start_line" in given) != (first < last)
    ):
        raise invalid("PullRequestReviewComment", message="Pull request review thread line must be part of the diff")
    return ReviewComment(call.world.next_id(), given["path"], first, last, given["body"], hunk)


def hunks(call: Call, held: Issue, path: str) -> list[tuple[range, str]]:
    assert held.pull is not None
    found = []
    for each in call.repo.git.diff(merge_base(call, held), held.pull.head_sha):
        parts = re.split(r"^(?=@@ )", each.patch or "", flags=re.MULTILINE) if each.path == path else []
        for text in parts:
            header = HEADER.match(text)
            if header:
                start, count = int(header[1]), int(header[2] or 1)
                found.append((range(start, start + count), text))
    return found
