"""Every endpoint with who may call it, and the way from a request line to its handler."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from localhub.rest import (
    actions,
    apps,
    checks,
    gitdata,
    issues,
    manifest,
    pulls,
    repos,
    reviews,
    rules,
    statuses,
    users,
)
from localhub.rest.call import Handler

Kind = Literal["jwt", "public", "repo", "app-only"]


@dataclass(frozen=True)
class Route:
    """`needs` are alternatives, each "permission:level"; "jwt" calls come from the App itself, "public" from
    anyone, "app-only" refuses people."""

    handler: Handler
    kind: Kind = "repo"
    needs: tuple[str, ...] = ("metadata:read",)
    # Anyone who may read may also talk: for people this stands in for the level of `needs`.
    people: str | None = None


def repo(handler: Handler, *needs: str) -> Route:
    return Route(handler, "repo", needs or ("metadata:read",))


def talk(handler: Handler) -> Route:
    return Route(handler, "repo", TALK_WRITE, people="read")


def app_only(handler: Handler, *needs: str) -> Route:
    return Route(handler, "app-only", needs)


def jwt(handler: Handler) -> Route:
    return Route(handler, "jwt", ())


def public(handler: Handler) -> Route:
    return Route(handler, "public", ())


TALK_READ = ("issues:read", "pull_requests:read")
TALK_WRITE = ("issues:write", "pull_requests:write")
REPO = "/repos/{owner}/{repo}"

ROUTES: dict[str, Route] = {
    "GET /app": jwt(apps.get_app),
    "GET /app/installations": jwt(apps.installations),
    "GET /app/installations/{installation_id}": jwt(apps.get_installation),
    "POST /app/installations/{installation_id}/access_tokens": jwt(apps.create_token),
    "POST /app-manifests/{code}/conversions": public(manifest.convert),
    "GET /app/hook/config": jwt(apps.hook_config),
    "GET /app/hook/deliveries": jwt(apps.deliveries),
    "GET /app/hook/deliveries/{delivery_id}": jwt(apps.get_delivery),
    "POST /app/hook/deliveries/{delivery_id}/attempts": jwt(apps.redeliver),
    f"GET {REPO}/installation": jwt(apps.repo_installation),
    "GET /installation/repositories": public(apps.installation_repositories),
    "DELETE /installation/token": public(apps.revoke_token),
    "GET /rate_limit": public(users.rate_limit),
    "GET /user": public(users.me),
    "GET /users/{username}": public(users.get_user),
    f"GET {REPO}": repo(repos.get_repo),
    f"GET {REPO}/collaborators/{{username}}/permission": repo(repos.collaborator_permission),
    f"GET {REPO}/branches/{{branch}}": repo(repos.get_branch, "contents:read"),
    f"GET {REPO}/commits": repo(repos.list_commits, "contents:read"),
    f"GET {REPO}/commits/{{ref}}": repo(repos.get_commit, "contents:read"),
    f"GET {REPO}/commits/{{commit_sha}}/pulls": repo(repos.commit_pulls, "contents:read", "pull_requests:read"),
    f"GET {REPO}/compare/{{basehead}}": repo(repos.compare, "contents:read"),
    f"GET {REPO}/contents/{{path}}": repo(repos.contents, "contents:read"),
    f"GET {REPO}/git/ref/{{ref}}": repo(gitdata.get_ref, "contents:read"),
    f"GET {REPO}/git/matching-refs/{{ref}}": repo(gitdata.matching_refs, "contents:read"),
    f"POST {REPO}/git/refs": repo(gitdata.create_ref, "contents:write"),
    f"PATCH {REPO}/git/refs/{{ref}}": repo(gitdata.update_ref, "contents:write"),
    f"DELETE {REPO}/git/refs/{{ref}}": repo(gitdata.delete_ref, "contents:write"),
    f"GET {REPO}/git/commits/{{commit_sha}}": repo(gitdata.get_commit, "contents:read"),
    f"POST {REPO}/git/commits": repo(gitdata.create_commit, "contents:write"),
    f"GET {REPO}/git/trees/{{tree_sha}}": repo(gitdata.get_tree, "contents:read"),
    f"POST {REPO}/git/trees": repo(gitdata.create_tree, "contents:write"),
    f"GET {REPO}/git/blobs/{{file_sha}}": repo(gitdata.get_blob, "contents:read"),
    f"POST {REPO}/git/blobs": repo(gitdata.create_blob, "contents:write"),
    f"POST {REPO}/check-runs": app_only(checks.create, "checks:write"),
    f"GET {REPO}/check-runs/{{check_run_id}}": repo(checks.get, "checks:read"),
    f"PATCH {REPO}/check-runs/{{check_run_id}}": app_only(checks.update, "checks:write"),
    f"GET {REPO}/check-runs/{{check_run_id}}/annotations": repo(checks.listed_annotations, "checks:read"),
    f"POST {REPO}/check-runs/{{check_run_id}}/rerequest": repo(checks.rerequest, "checks:write"),
    f"GET {REPO}/check-suites/{{check_suite_id}}": repo(checks.get_suite, "checks:read"),
    f"GET {REPO}/check-suites/{{check_suite_id}}/check-runs": repo(checks.suite_runs, "checks:read"),
    f"GET {REPO}/commits/{{ref}}/check-runs": repo(checks.for_ref, "checks:read"),
    f"GET {REPO}/commits/{{ref}}/check-suites": repo(checks.suites_for_ref, "checks:read"),
    f"GET {REPO}/actions/runs/{{run_id}}": repo(actions.get_run, "actions:read"),
    f"GET {REPO}/actions/runs/{{run_id}}/jobs": repo(actions.run_jobs, "actions:read"),
    f"GET {REPO}/actions/jobs/{{job_id}}": repo(actions.get_job, "actions:read"),
    f"GET {REPO}/actions/jobs/{{job_id}}/logs": repo(actions.job_log, "actions:read"),
    f"GET {REPO}/pulls": repo(pulls.listed, "pull_requests:read"),
    f"POST {REPO}/pulls": repo(pulls.create, "pull_requests:write"),
    f"GET {REPO}/pulls/{{pull_number}}": repo(pulls.get, "pull_requests:read"),
    f"PATCH {REPO}/pulls/{{pull_number}}": repo(pulls.edit, "pull_requests:write"),
    f"GET {REPO}/pulls/{{pull_number}}/commits": repo(pulls.commits, "pull_requests:read"),
    f"GET {REPO}/pulls/{{pull_number}}/files": repo(pulls.files, "pull_requests:read"),
    f"GET {REPO}/pulls/{{pull_number}}/comments": repo(reviews.comments, "pull_requests:read"),
    f"GET {REPO}/pulls/{{pull_number}}/reviews": repo(reviews.listed, "pull_requests:read"),
    f"POST {REPO}/pulls/{{pull_number}}/reviews": repo(reviews.create, "pull_requests:write"),
    f"GET {REPO}/rules/branches/{{branch}}": repo(rules.for_branch),
    f"POST {REPO}/statuses/{{sha}}": repo(statuses.create, "statuses:write"),
    f"GET {REPO}/commits/{{ref}}/status": repo(statuses.combined, "statuses:read"),
    f"GET {REPO}/issues": repo(issues.listed, *TALK_READ),
    f"GET {REPO}/issues/{{issue_number}}": repo(issues.get, *TALK_READ),
    f"GET {REPO}/issues/{{issue_number}}/comments": repo(issues.comments, *TALK_READ),
    f"POST {REPO}/issues/{{issue_number}}/comments": talk(issues.create_comment),
    f"GET {REPO}/issues/comments/{{comment_id}}": repo(issues.get_comment, *TALK_READ),
    f"PATCH {REPO}/issues/comments/{{comment_id}}": talk(issues.edit_comment),
    f"GET {REPO}/issues/{{issue_number}}/labels": repo(issues.labels, *TALK_READ),
    f"POST {REPO}/issues/{{issue_number}}/labels": repo(issues.add_labels, *TALK_WRITE),
    f"DELETE {REPO}/issues/{{issue_number}}/labels/{{name}}": repo(issues.remove_label, *TALK_WRITE),
    f"GET {REPO}/labels": repo(issues.repo_labels, *TALK_READ),
    f"POST {REPO}/labels": repo(issues.create_label, *TALK_WRITE),
    f"GET {REPO}/issues/{{issue_number}}/reactions": repo(issues.issue_reactions, *TALK_READ),
    f"POST {REPO}/issues/{{issue_number}}/reactions": talk(issues.react_to_issue),
    f"GET {REPO}/issues/comments/{{comment_id}}/reactions": repo(issues.comment_reactions, *TALK_READ),
    f"POST {REPO}/issues/comments/{{comment_id}}/reactions": talk(issues.react_to_comment),
}

# These hold slashes.
DEEP = ("ref", "path", "basehead", "branch")


def pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    texts = [
        re.escape(part) if at % 2 == 0 else f"(?P<{part}>{'.*' if part in DEEP else '[^/]+'})"
        for at, part in enumerate(parts)
    ]
    return re.compile("".join(texts))


# The longest template first: `commits/{ref}` would swallow `commits/{ref}/check-runs`.
PATTERNS = [
    (verb, pattern(path), operation)
    for operation in sorted(ROUTES, key=len, reverse=True)
    for verb, path in [operation.split(" ", 1)]
]


def find(verb: str, path: str) -> tuple[str, dict[str, str]] | None:
    """(operation, path arguments) of a request line."""
    for own_verb, expression, operation in PATTERNS:
        if own_verb == verb and (matched := expression.fullmatch(path)):
            return operation, matched.groupdict()
    return None
