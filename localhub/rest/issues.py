"""Issues, their comments, labels and reactions."""

from __future__ import annotations

import re

from localhub.changes import issues
from localhub.rest.call import Answer, ApiError, Call, invalid, not_found, page
from localhub.shapes import issues as shapes
from localhub.state import Comment, Issue, Label, Reaction
from localhub.world import comment_by_id

LONGEST_BODY = 65536
COLOUR = re.compile("#?[0-9a-fA-F]{6}")


def get(call: Call) -> Answer:
    return Answer(200, shapes.issue(call.repo, call.issue(), call.links))


def listed(call: Call) -> Answer:
    wanted = call.query.get("state", "open")
    names = {each.lower() for each in call.query.get("labels", "").split(",") if each}
    found = [
        each
        for each in call.repo.issues.values()
        if wanted in (each.state, "all") and names <= {held.name.lower() for held in each.labels}
    ]
    return page(call, found[::-1], lambda each: shapes.issue(call.repo, each, call.links))


# comments


def comments(call: Call) -> Answer:
    return page(call, call.issue().comments, lambda each: shapes.comment(call.repo, each, call.links))


def checked_body(call: Call) -> str:
    body: str = call.body["body"]
    if not body.strip():
        raise ApiError(
            422, "Validation Failed", [{"resource": "IssueComment", "field": "body", "code": "missing_field"}]
        )
    if len(body) > LONGEST_BODY:
        raise invalid("IssueComment", name="body", message=f"body is too long (maximum is {LONGEST_BODY} characters)")
    return body


def create_comment(call: Call) -> Answer:
    made = issues.comment(
        call.world, call.repo, call.issue(), checked_body(call), call.account, app=call.who.acting_app
    )
    return Answer(201, shapes.comment(call.repo, made, call.links))


def held_comment(call: Call) -> tuple[Issue, Comment]:
    found = comment_by_id(call.repo, call.number("comment_id"))
    if found is None:
        raise not_found()
    return found


def get_comment(call: Call) -> Answer:
    return Answer(200, shapes.comment(call.repo, held_comment(call)[1], call.links))


def edit_comment(call: Call) -> Answer:
    _, held = held_comment(call)
    issues.edit_comment(call.world, call.repo, held, checked_body(call), call.account)
    return Answer(200, shapes.comment(call.repo, held, call.links))


# labels


def label_list(call: Call, held: list[Label]) -> Answer:
    return Answer(200, [shapes.label(call.repo, each, call.links) for each in held])


def labels(call: Call) -> Answer:
    return page(call, call.issue().labels, lambda each: shapes.label(call.repo, each, call.links))


def add_labels(call: Call) -> Answer:
    issue = call.issue()
    given = call.body.get("labels", []) if isinstance(call.body, dict) else call.body or []
    for each in given:
        issues.add_label(call.world, call.repo, issue, label_name(each), call.account)
    return label_list(call, issue.labels)


def label_name(given: str | dict[str, str]) -> str:
    return given["name"] if isinstance(given, dict) else given


def remove_label(call: Call) -> Answer:
    issue = call.issue()
    if not issues.remove_label(call.world, call.repo, issue, call.args["name"], call.account):
        raise not_found("Label does not exist")
    return label_list(call, issue.labels)


def repo_labels(call: Call) -> Answer:
    held = list(call.repo.labels.values())
    return page(call, held, lambda each: shapes.label(call.repo, each, call.links))


def create_label(call: Call) -> Answer:
    name = call.body["name"]
    if name.lower() in call.repo.labels:
        raise ApiError(422, "Validation Failed", [{"resource": "Label", "field": "name", "code": "already_exists"}])
    if not COLOUR.fullmatch(call.body.get("color", "ededed")):
        raise ApiError(422, "Validation Failed", [{"resource": "Label", "field": "color", "code": "invalid"}])
    made = call.world.label(call.repo, name)
    made.color = call.body.get("color", made.color).lstrip("#")
    made.description = call.body.get("description")
    return Answer(201, shapes.label(call.repo, made, call.links))


# reactions


def reacted(call: Call, reactions: list[Reaction]) -> Answer:
    made, new = issues.react(call.world, reactions, call.body["content"], call.account)
    return Answer(201 if new else 200, shapes.reaction(made, call.links))


def react_to_issue(call: Call) -> Answer:
    return reacted(call, call.issue().reactions)


def react_to_comment(call: Call) -> Answer:
    return reacted(call, held_comment(call)[1].reactions)


def issue_reactions(call: Call) -> Answer:
    return page(call, call.issue().reactions, lambda each: shapes.reaction(each, call.links))


def comment_reactions(call: Call) -> Answer:
    return page(call, held_comment(call)[1].reactions, lambda each: shapes.reaction(each, call.links))
