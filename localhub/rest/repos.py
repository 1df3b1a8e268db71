"""Repositories, branches, contents, commits, comparisons, collaborators."""

from __future__ import annotations

import base64

from localhub.objects import Commit, Entry
from localhub.rest.call import Answer, Call, not_found, page
from localhub.shapes import commits as shapes
from localhub.shapes.issues import pull_simple
from localhub.shapes.people import Json
from localhub.shapes.repository import full_repository, permission, repo_url

LARGEST_INLINE_BYTES = 1024 * 1024


def get_repo(call: Call) -> Answer:
    return Answer(200, full_repository(call.repo, call.links))


def collaborator_permission(call: Call) -> Answer:
    who = call.world.user(call.args["username"])
    if who is None:
        raise not_found()
    return Answer(200, permission(call.repo, who, call.links))


def get_branch(call: Call) -> Answer:
    name = call.args["branch"]
    sha = call.repo.git.branch(name)
    if sha is None:
        raise not_found("Branch not found")
    url = f"{repo_url(call.repo, call.links)}/branches/{name}"
    off = {"enforcement_level": "off", "contexts": [], "checks": []}
    shown = {
        "name": name,
        "commit": shapes.commit(call.world, call.repo, call.repo.git.commit(sha), call.links),
        "_links": {"self": url, "html": f"{call.links.web}/{call.repo.full_name}/tree/{name}"},
        "protected": name in call.repo.protected,
        "protection": {"enabled": False, "required_status_checks": off},
        "protection_url": f"{url}/protection",
    }
    return Answer(200, shown)


def list_commits(call: Call) -> Answer:
    start = call.commit(call.query.get("sha", call.repo.default_branch))
    newest_first = call.repo.git.log(start.sha)[::-1]
    return page(call, newest_first, lambda sha: long_commit(call, call.repo.git.commit(sha)))


def long_commit(call: Call, found: Commit) -> Json:
    return shapes.commit(call.world, call.repo, found, call.links)


def get_commit(call: Call) -> Answer:
    found = call.commit(call.args["ref"])
    return Answer(200, shapes.commit_with_files(call.world, call.repo, found, call.links))


def commit_pulls(call: Call) -> Answer:
    sha = call.commit(call.args["commit_sha"]).sha
    git = call.repo.git
    found = [
        each
        for each in call.repo.issues.values()
        if each.pull
        and git.is_ancestor(sha, each.pull.head_sha)
        and not git.is_ancestor(sha, git.merge_base(each.pull.base_sha, each.pull.head_sha) or sha)
    ]
    return page(call, found, lambda each: pull_simple(call.repo, each, call.links))


def compare(call: Call) -> Answer:
    base, dots, head = call.args["basehead"].partition("...")
    git = call.repo.git
    shas = [git.resolve(each.rpartition(":")[2]) for each in (base, head)]
    if not dots or shas[0] is None or shas[1] is None:
        raise not_found()
    merge_base = git.merge_base(shas[0], shas[1])
    if merge_base is None:
        raise not_found(f"No common ancestor between {base} and {head}.")
    return Answer(200, comparison(call, shas[0], shas[1], merge_base))


def comparison(call: Call, base: str, head: str, merge_base: str) -> Json:
    git = call.repo.git
    ahead, behind = git.log(f"{base}..{head}"), git.log(f"{head}..{base}")
    status = "diverged" if ahead and behind else "ahead" if ahead else "behind" if behind else "identical"
    url = f"{repo_url(call.repo, call.links)}/compare/{base}...{head}"
    page_url = f"{call.links.web}/{call.repo.full_name}/compare/{base}...{head}"
    return {
        "url": url,
        "html_url": page_url,
        "permalink_url": page_url,
        "diff_url": f"{page_url}.diff",
        "patch_url": f"{page_url}.patch",
        "base_commit": long_commit(call, git.commit(base)),
        "merge_base_commit": long_commit(call, git.commit(merge_base)),
        "status": status,
        "ahead_by": len(ahead),
        "behind_by": len(behind),
        "total_commits": len(ahead),
        "commits": [long_commit(call, git.commit(each)) for each in ahead],
        "files": [shapes.file_diff(call.repo, each, head, call.links) for each in git.diff(merge_base, head)],
    }


def contents(call: Call) -> Answer:
    at = call.query.get("ref") or call.repo.default_branch
    sha = call.repo.git.resolve(at)
    if sha is None:
        raise not_found(f"No commit found for the ref {at}")
    path = call.args["path"].strip("/")
    found = call.repo.git.entry_at(sha, path)
    if found is None:
        raise not_found()
    if found.type == "tree":
        inside = call.repo.git.tree(found.sha)
        prefix = f"{path}/" if path else ""
        return Answer(200, [listed(call, each, prefix + each.path, at) for each in inside])
    if "raw" in call.accept and found.type == "blob":
        return Answer(200, raw=call.repo.git.blob(found.sha))
    return Answer(200, whole(call, found, path, at))


def listed(call: Call, each: Entry, path: str, at: str) -> Json:
    shown = shapes.content(call.repo, each, path, at, call.links)
    # In folders GitHub calls a submodule a file, for old clients.
    return shown | ({"type": "file"} if each.type == "commit" else {})


def whole(call: Call, found: Entry, path: str, at: str) -> Json:
    shown = shapes.content(call.repo, found, path, at, call.links)
    if found.type == "commit":
        return shown | {"submodule_git_url": None}
    content = call.repo.git.blob(found.sha)
    if found.mode == "120000":
        return shown | {"target": content.decode(errors="replace")}
    if len(content) > LARGEST_INLINE_BYTES:
        return shown | {"content": "", "encoding": "none"}
    return shown | {"content": base64.encodebytes(content).decode(), "encoding": "base64"}
