"""Rulesets and the older protection: what may happen to a branch, asked for and enforced."""

from __future__ import annotations

from localhub.rest.call import Answer, ApiError, Call, page
from localhub.shapes.people import Json
from localhub.state import Repo, Rule

HEADS = "refs/heads/"
BROKEN = "Repository rule violations found\n\n"
# Rule -> what GitHub says of a push that breaks it.
CREATING = {"creation": "Cannot create ref due to creations being restricted.\n\n"}
UPDATING = {
    "update": "Cannot update this protected ref.\n\n",
    "pull_request": "Changes must be made through a pull request.\n\n",
}


def for_branch(call: Call) -> Answer:
    return page(call, call.repo.rules_for(call.args["branch"]), lambda each: shown(call.repo, each))


def shown(repo: Repo, rule: Rule) -> Json:
    return {
        "type": rule.type,
        "ruleset_source_type": "Repository",
        "ruleset_source": repo.full_name,
        "ruleset_id": 1,
    }


def enforce(call: Call, name: str, *, creates: bool) -> None:
    """Raises what GitHub answers when a rule forbids that the reference moves."""
    branch = name.removeprefix(HEADS)
    if branch == name:
        return
    said = CREATING if creates else UPDATING
    broken = [said[each.type] for each in call.repo.rules_for(branch) if each.type in said]
    if broken:
        raise ApiError(422, BROKEN + "".join(broken))
    if branch in call.repo.protected and not creates:
        raise ApiError(422, "Protected branch update failed for refs/heads/" + branch)
