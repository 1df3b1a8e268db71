"""Pull requests."""

from __future__ import annotations

from localhub.changes import pulls
from localhub.rest.call import Answer, ApiError, Call, invalid, page
from localhub.rest.repos import long_commit
from localhub.shapes import issues as shapes
from localhub.shapes.commits import file_diff
from localhub.state import Issue, Pull, Repo

LONGEST_BODY = 65536


def listed(call: Call) -> Answer:
    wanted = call.query.get("state", "open")
    owner, colon, branch = call.query.get("head", "").partition(":")
    # GitHub ignores a head without its owner.
    head = branch if colon else None
    base = call.query.get("base")
    found = [
        each
        for each in call.repo.issues.values()
        if each.pull
        and wanted in (each.state, "all")
        and (head is None or (each.pull.head == head and owner.lower() == head_owner(call, each.pull)))
        and base in (None, each.pull.base)
    ]
    return page(call, found[::-1], lambda each: shapes.pull_simple(call.repo, each, call.links))


def head_owner(call: Call, pull: Pull) -> str:
    return (pull.head_repo or call.repo).owner.login.lower()


def get(call: Call) -> Answer:
    return Answer(200, shapes.pull(call.repo, call.pull(), call.links))


def create(call: Call) -> Answer:
    body = call.body
    (source, head), base = head_of(call, body["head"]), body["base"]
    if not body.get("title"):
        raise ApiError(
            422, "Validation Failed", [{"resource": "PullRequest", "field": "title", "code": "missing_field"}]
        )
    if len(body.get("body") or "") > LONGEST_BODY:
        raise invalid("PullRequest", name="body", message=f"body is too long (maximum is {LONGEST_BODY} characters)")
    check_branches(call, source, head, base)
    made = pulls.open_pull(
        call.world,
        call.repo,
        head=head,
        base=base,
        title=body["title"],
        body=body.get("body"),
        by=call.account,
        draft=body.get("draft", False),
        app=call.who.acting_app,
        head_repo=None if source is call.repo else source,
    )
    return Answer(201, shapes.pull(call.repo, made, call.links))


def head_of(call: Call, head: str) -> tuple[Repo, str]:
    """`branch`, or `owner:branch` where the owner may have a fork."""
    owner, colon, branch = head.partition(":")
    if not colon:
        return call.repo, head
    for each in (call.repo, *call.world.repos.values()):
        if each.owner.login.lower() == owner.lower() and call.repo in (each, each.parent):
            return each, branch
    raise invalid("PullRequest", name="head")


def check_branches(call: Call, source: Repo, head: str, base: str) -> None:
    base_sha, head_sha = call.repo.git.branch(base), source.git.branch(head)
    if base_sha is None:
        raise invalid("PullRequest", name="base")
    if head_sha is None:
        raise invalid("PullRequest", name="head")
    if pulls.open_between(call.repo, source, head, base):
        message = f"A pull request already exists for {source.owner.login}:{head}."
        raise invalid("PullRequest", message=message)
    if call.repo.git.is_ancestor(head_sha, base_sha):
        raise invalid("PullRequest", message=f"No commits between {base} and {head}")


def edit(call: Call) -> Answer:
    held = call.pull()
    given = call.body or {}
    if "base" in given and call.repo.git.branch(given["base"]) is None:
        raise invalid("PullRequest", name="base")
    pulls.edit(call.world, call.repo, held, given, call.account)
    return Answer(200, shapes.pull(call.repo, held, call.links))


def commits(call: Call) -> Answer:
    found = shapes.head_commits(call.repo, call.pull())
    return page(call, found, lambda each: long_commit(call, each))


def files(call: Call) -> Answer:
    held = call.pull()
    assert held.pull is not None
    git, head = call.repo.git, held.pull.head_sha
    changed = git.diff(merge_base(call, held), head)
    return page(call, changed, lambda each: file_diff(call.repo, each, head, call.links))


def merge_base(call: Call, held: Issue) -> str:
    assert held.pull is not None
    return call.repo.git.merge_base(held.pull.base_sha, held.pull.head_sha) or held.pull.base_sha
