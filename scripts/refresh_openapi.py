"""Fetches GitHub's own OpenAPI description and keeps the part that localhub serves, as plain JSON Schema.

    python scripts/refresh_openapi.py          needs npm and its default registry

Writes rest.json.gz, webhooks.json.gz and NOTICE into localhub/contract/. The packages are pinned by version and by
the sha512 that npm's own metadata gives for them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from npm_package import Package, notice_text, packed

TARGET = Path(__file__).parent.parent / "localhub" / "contract"

REST = Package(
    "@octokit/openapi",
    "23.0.2",
    "pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==",
)
WEBHOOKS = Package(
    "@octokit/openapi-webhooks",
    "12.1.0",
    "Z5eDsLCUNbx1zHpZb1LNQirADqdMTvWJQ/deahi0ws+tWWnwHXB+Pr4jfmM9OrETS9Y5iW8ZRu1fdbudObhLrg==",
)

SERVED_OPERATIONS = [
    "GET /app",
    "POST /app-manifests/{code}/conversions",
    "GET /app/hook/config",
    "GET /app/hook/deliveries",
    "GET /app/hook/deliveries/{delivery_id}",
    "POST /app/hook/deliveries/{delivery_id}/attempts",
    "GET /app/installations",
    "GET /app/installations/{installation_id}",
    "POST /app/installations/{installation_id}/access_tokens",
    "GET /installation/repositories",
    "DELETE /installation/token",
    "GET /rate_limit",
    "GET /user",
    "GET /users/{username}",
    "GET /repos/{owner}/{repo}",
    "GET /repos/{owner}/{repo}/actions/jobs/{job_id}",
    "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs",
    "GET /repos/{owner}/{repo}/actions/runs/{run_id}",
    "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
    "GET /repos/{owner}/{repo}/branches/{branch}",
    "POST /repos/{owner}/{repo}/check-runs",
    "GET /repos/{owner}/{repo}/check-runs/{check_run_id}",
    "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
    "POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest",
    "GET /repos/{owner}/{repo}/check-suites/{check_suite_id}",
    "GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs",
    "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
    "GET /repos/{owner}/{repo}/commits",
    "GET /repos/{owner}/{repo}/commits/{ref}",
    "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
    "GET /repos/{owner}/{repo}/commits/{ref}/status",
    "GET /repos/{owner}/{repo}/commits/{ref}/check-suites",
    "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
    "GET /repos/{owner}/{repo}/compare/{basehead}",
    "GET /repos/{owner}/{repo}/contents/{path}",
    "POST /repos/{owner}/{repo}/git/blobs",
    "GET /repos/{owner}/{repo}/git/blobs/{file_sha}",
    "POST /repos/{owner}/{repo}/git/commits",
    "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
    "GET /repos/{owner}/{repo}/git/matching-refs/{ref}",
    "GET /repos/{owner}/{repo}/git/ref/{ref}",
    "POST /repos/{owner}/{repo}/git/refs",
    "PATCH /repos/{owner}/{repo}/git/refs/{ref}",
    "DELETE /repos/{owner}/{repo}/git/refs/{ref}",
    "POST /repos/{owner}/{repo}/git/trees",
    "GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
    "GET /repos/{owner}/{repo}/installation",
    "GET /repos/{owner}/{repo}/issues",
    "GET /repos/{owner}/{repo}/issues/{issue_number}",
    "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
    "GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
    "GET /repos/{owner}/{repo}/issues/{issue_number}/labels",
    "POST /repos/{owner}/{repo}/issues/{issue_number}/labels",
    "DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}",
    "POST /repos/{owner}/{repo}/issues/{issue_number}/reactions",
    "GET /repos/{owner}/{repo}/issues/{issue_number}/reactions",
    "POST /repos/{owner}/{repo}/labels",
    "GET /repos/{owner}/{repo}/labels",
    "GET /repos/{owner}/{repo}/pulls",
    "POST /repos/{owner}/{repo}/pulls",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    "PATCH /repos/{owner}/{repo}/pulls/{pull_number}",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/files",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    "GET /repos/{owner}/{repo}/rules/branches/{branch}",
    "POST /repos/{owner}/{repo}/statuses/{sha}",
]

SERVED_WEBHOOKS = [
    "check-run-created",
    "check-run-completed",
    "check-run-rerequested",
    "check-run-requested-action",
    "check-suite-requested",
    "check-suite-completed",
    "check-suite-rerequested",
    "installation-created",
    "installation-deleted",
    "installation-suspend",
    "installation-unsuspend",
    "issue-comment-created",
    "issue-comment-edited",
    "issues-opened",
    "issues-labeled",
    "issues-unlabeled",
    "issues-closed",
    "issues-reopened",
    "pull-request-opened",
    "pull-request-synchronize",
    "pull-request-closed",
    "pull-request-reopened",
    "pull-request-edited",
    "pull-request-labeled",
    "pull-request-unlabeled",
    "push",
    "ping",
    "status",
    "workflow-run-completed",
]

DROPPED = {"description", "summary", "example", "examples", "title", "externalDocs", "default", "deprecated"}
# GitHub's own answers break these two formats (`name[bot]@…` as e-mail, an empty homepage).
KEPT_FORMATS = {"date-time", "date"}


OPENING = (
    "rest.json.gz and webhooks.json.gz are excerpts of GitHub's OpenAPI description, taken from these\n"
    "packages by scripts/refresh_openapi.py, which drops documentation and whatever localhub does not\n"
    "serve, and mends one schema.\n"
)


def main() -> None:
    rest, rest_licence = described(REST)
    webhooks, webhooks_licence = described(WEBHOOKS)
    notice = notice_text(OPENING, [(REST, rest_licence), (WEBHOOKS, webhooks_licence)])
    save("rest", pruned_rest(rest) | {"x-notice": notice})
    save("webhooks", pruned_webhooks(webhooks) | {"x-notice": notice})
    (TARGET / "NOTICE").write_text(notice)


def described(package: Package) -> tuple[dict[str, Any], str]:
    """The description inside `package`, and its licence."""
    with package.opened() as held:
        return json.loads(held.read("generated/api.github.com.json")), held.licence


def pruned_rest(description: dict[str, Any]) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for line in SERVED_OPERATIONS:
        verb, path = line.split()
        operation = description["paths"][path][verb.lower()]
        paths.setdefault(path, {})[verb.lower()] = pruned_operation(operation, description)
    mend(paths)
    errors = {name: schema_only(description["components"]["schemas"][name]) for name in ERRORS}
    return {"paths": paths, "components": {"schemas": errors | components(paths, description)}}


def mend(paths: dict[str, Any]) -> None:
    """The list of installations is described with accounts that are users and enterprises at once; GitHub answers
    with what the endpoint for one installation describes."""
    listed = paths["/app/installations"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    listed["items"] = {"$ref": "#/components/schemas/installation"}


ERRORS = ("basic-error", "validation-error", "validation-error-simple")


def pruned_operation(operation: dict[str, Any], description: dict[str, Any]) -> dict[str, Any]:
    """Only the JSON bodies: parameters are matched by the router, headers are not validated."""
    responses = {}
    for status, response in operation["responses"].items():
        if "$ref" in response:
            response = resolved(response["$ref"], description)  # noqa: PLW2901 - one name for one thing
        responses[status] = {"content": json_content(response.get("content", {}))}
    kept: dict[str, Any] = {"operationId": operation["operationId"], "responses": responses}
    if "requestBody" in operation:
        body = operation["requestBody"]
        kept["requestBody"] = {"required": body.get("required", False), "content": json_content(body["content"])}
    return kept


def json_content(content: dict[str, Any]) -> dict[str, Any]:
    return {
        kind: {"schema": schema_only(held["schema"])} for kind, held in content.items() if kind == "application/json"
    }


def resolved(reference: str, description: dict[str, Any]) -> dict[str, Any]:
    found = description
    for part in reference.removeprefix("#/").split("/"):
        found = found[part.replace("~1", "/").replace("~0", "~")]
    return found


def pruned_webhooks(description: dict[str, Any]) -> dict[str, Any]:
    webhooks = {}
    for name in SERVED_WEBHOOKS:
        content = description["webhooks"][name]["post"]["requestBody"]["content"]
        webhooks[name] = {"schema": schema_only(content["application/json"]["schema"])}
    return {"webhooks": webhooks, "components": {"schemas": components(webhooks, description)}}


def components(root: object, description: dict[str, Any]) -> dict[str, Any]:
    """Every schema that `root` reaches, directly or through others."""
    kept: dict[str, Any] = {}
    waiting = references(root)
    while waiting:
        name = waiting.pop().removeprefix("#/components/schemas/")
        if name in kept:
            continue
        kept[name] = schema_only(description["components"]["schemas"][name])
        waiting |= references(kept[name])
    return dict(sorted(kept.items()))


def references(value: object) -> set[str]:
    if isinstance(value, list):
        return {found for each in value for found in references(each)}
    if not isinstance(value, dict):
        return set()
    own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
    return own | {found for each in value.values() for found in references(each)}


def schema_only(schema: object) -> Any:
    """`schema` as JSON Schema 2020-12: OpenAPI 3.0's `nullable` spelt out, documentation and extensions dropped."""
    if isinstance(schema, list):
        return [schema_only(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, value in schema.items():
        if key in DROPPED or key.startswith("x-") or key in ("nullable", "discriminator"):
            continue
        if key == "format" and value not in KEPT_FORMATS:
            continue
        if key == "properties":
            kept[key] = {name: schema_only(each) for name, each in value.items()}
        elif key in ("enum", "const", "required"):
            kept[key] = value
        else:
            kept[key] = schema_only(value)
    return with_null(kept) if schema.get("nullable") else kept


def with_null(schema: dict[str, Any]) -> dict[str, Any]:
    if isinstance(schema.get("type"), str) and not {"allOf", "anyOf", "oneOf", "$ref"} & set(schema):
        widened = schema | {"type": [schema["type"], "null"]}
        if "enum" in schema:
            widened["enum"] = [*schema["enum"], *([] if None in schema["enum"] else [None])]
        return widened
    return {"anyOf": [schema, {"type": "null"}]}


def save(name: str, description: dict[str, Any]) -> None:
    data = packed(description)
    (TARGET / f"{name}.json.gz").write_bytes(data)
    print(f"{name}: {len(data) / 1000:.0f} kB compressed")


if __name__ == "__main__":
    main()
