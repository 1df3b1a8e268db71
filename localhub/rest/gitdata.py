"""Git's own objects over REST: references, commits, trees, blobs."""

from __future__ import annotations

import base64
import binascii
from datetime import datetime
from typing import Any

from localhub.changes import refs
from localhub.git import GitError
from localhub.objects import Change, Signature
from localhub.rest import rules
from localhub.rest.call import Answer, ApiError, Call, not_found, page
from localhub.shapes import commits as shapes
from localhub.state import Move

BAD_OBJECT = "GitRPC::BadObjectState"


# references


def get_ref(call: Call) -> Answer:
    found = call.repo.git.ref(f"refs/{call.args['ref'].removeprefix('refs/')}")
    if found is None:
        raise not_found()
    return Answer(200, shapes.ref(call.repo, found, call.links))


def matching_refs(call: Call) -> Answer:
    found = call.repo.git.refs(f"refs/{call.args['ref'].removeprefix('refs/')}")
    return page(call, found, lambda each: shapes.ref(call.repo, each, call.links))


def create_ref(call: Call) -> Answer:
    name, sha = call.body["ref"], call.body["sha"]
    git = call.repo.git
    if not name.startswith("refs/") or name.count("/") < 2 or not git.valid_ref(name):
        raise ApiError(422, f"{name} is not a valid ref name.")
    if git.ref(name) is not None:
        raise ApiError(422, "Reference already exists")
    check_object(call, name, sha)
    rules.enforce(call, name, creates=True)
    try:
        git.set_ref(name, sha)
    except GitError:
        # A branch `a` stands in the way of a branch `a/b`.
        raise ApiError(422, "Reference update failed") from None
    refs.moved(call.world, call.repo, Move(name, None, sha), call.account)
    return Answer(201, shown_ref(call, name))


def check_object(call: Call, name: str, sha: str) -> None:
    kind = call.repo.git.type_of(sha) if len(sha) == 40 else None
    if kind is None:
        raise ApiError(422, "Object does not exist")
    if name.startswith("refs/heads/") and kind != "commit":
        raise ApiError(422, "Reference cannot be updated to a non-commit object")


def shown_ref(call: Call, name: str) -> dict[str, Any]:
    found = call.repo.git.ref(name)
    assert found is not None
    return shapes.ref(call.repo, found, call.links)


def update_ref(call: Call) -> Answer:
    name = f"refs/{call.args['ref']}"
    held = call.repo.git.ref(name)
    if held is None:
        raise ApiError(422, "Reference does not exist")
    old, new = held[1], call.body["sha"]
    check_object(call, name, new)
    rules.enforce(call, name, creates=False)
    if not call.body.get("force", False) and not call.repo.git.is_ancestor(old, new):
        raise ApiError(422, "Update is not a fast forward")
    if old != new:
        call.repo.git.set_ref(name, new, old)
        refs.moved(call.world, call.repo, Move(name, old, new), call.account)
    return Answer(200, shown_ref(call, name))


def delete_ref(call: Call) -> Answer:
    name = f"refs/{call.args['ref']}"
    held = call.repo.git.ref(name)
    if held is None:
        raise ApiError(422, "Reference does not exist")
    if name == f"refs/heads/{call.repo.default_branch}":
        raise ApiError(422, "Cannot delete the default branch")
    call.repo.git.delete_ref(name)
    refs.moved(call.world, call.repo, Move(name, held[1], None), call.account)
    return Answer(204)


# objects


def get_commit(call: Call) -> Answer:
    sha = call.args["commit_sha"]
    if call.repo.git.type_of(sha) != "commit":
        raise not_found()
    return Answer(200, shapes.git_commit(call.repo, call.repo.git.commit(sha), call.links))


def create_commit(call: Call) -> Answer:
    body, git = call.body, call.repo.git
    if git.type_of(body["tree"]) != "tree":
        raise ApiError(422, "Tree SHA does not exist")
    if any(git.type_of(each) != "commit" for each in body.get("parents", [])):
        raise ApiError(422, "Parent SHA does not exist or is not a commit object")
    author, committer = signatures(call)
    sha = git.write_commit(body["tree"], body.get("parents", []), body["message"], author=author, committer=committer)
    # GitHub signs for an App that names nobody.
    if call.who.token and not {"author", "committer", "signature"} & set(body):
        call.repo.signed.add(sha)
    return Answer(201, shapes.git_commit(call.repo, git.commit(sha), call.links))


def signatures(call: Call) -> tuple[Signature, Signature]:
    """(author, committer): the caller unless the body names others."""
    now, who = call.world.now(), call.account
    own = Signature(who.login, who.noreply if call.who.token else who.email, now)
    author = given_signature(call.body.get("author"), own)
    web_flow = Signature("GitHub", "noreply@github.com", now) if call.who.token else own
    fallback = author if "author" in call.body else web_flow
    return author, given_signature(call.body.get("committer"), fallback)


def given_signature(given: dict[str, str] | None, fallback: Signature) -> Signature:
    if given is None:
        return fallback
    date = datetime.fromisoformat(given["date"]) if "date" in given else fallback.date
    return Signature(given.get("name", fallback.name), given.get("email", fallback.email), date)


def get_tree(call: Call) -> Answer:
    sha = call.repo.git.sha_of(call.args["tree_sha"], "tree") or branch_tree(call)
    if sha is None:
        raise not_found()
    entries = call.repo.git.tree(sha, recursive=bool(call.query.get("recursive")))
    return Answer(200, shapes.tree(call.repo, sha, entries, call.links))


def branch_tree(call: Call) -> str | None:
    found = call.repo.git.resolve(call.args["tree_sha"])
    return call.repo.git.commit(found).tree if found else None


def create_tree(call: Call) -> Answer:
    git = call.repo.git
    base = call.body.get("base_tree")
    base_sha = git.sha_of(base, "tree") if base else None
    if base and base_sha is None:
        raise ApiError(422, "base_tree is not a valid tree oid")
    changes = [tree_change(call, each, base_sha) for each in call.body["tree"]]
    try:
        sha = git.write_tree(base_sha, changes)
    except GitError:
        raise ApiError(422, BAD_OBJECT) from None
    return Answer(201, shapes.tree(call.repo, sha, git.tree(sha), call.links))


def tree_change(call: Call, given: dict[str, Any], base: str | None) -> Change:
    git, path = call.repo.git, given.get("path", "")
    if not path or path.startswith("/") or ".." in path.split("/") or ".git" in path.split("/"):
        raise ApiError(422, "tree.path contains a malformed path component")
    if "content" in given:
        return Change(path, given.get("mode", "100644"), git.write_blob(given["content"].encode()))
    if "sha" not in given:
        raise ApiError(422, "Must supply either tree.sha or tree.content")
    sha = given["sha"]
    if sha is None:
        # Deleting what is not there is an error on GitHub, too.
        if base is None or git.type_of(f"{base}:{path}") is None:
            raise ApiError(422, BAD_OBJECT)
        return Change(path, "100644", None)
    mode = given.get("mode", "100644")
    expected = {"040000": "tree", "160000": None}.get(mode, "blob")
    if expected and git.type_of(sha) != expected:
        raise ApiError(422, f"tree.sha {sha} is not a valid {expected}")
    return Change(path, mode, sha)


def get_blob(call: Call) -> Answer:
    sha = call.args["file_sha"]
    if call.repo.git.type_of(sha) != "blob":
        raise not_found()
    return Answer(200, shapes.blob(call.repo, sha, call.repo.git.blob(sha), call.links))


def create_blob(call: Call) -> Answer:
    sha = call.repo.git.write_blob(blob_content(call.body))
    shown = shapes.blob(call.repo, sha, b"", call.links)
    return Answer(201, {"sha": sha, "url": shown["url"]})


def blob_content(body: dict[str, str]) -> bytes:
    encoding = body.get("encoding", "utf-8")
    if encoding == "utf-8":
        return body["content"].encode()
    if encoding != "base64":
        raise ApiError(422, f"Invalid encoding: {encoding}")
    try:
        return base64.b64decode("".join(body["content"].split()), validate=True)
    except binascii.Error:
        raise ApiError(422, "content is not valid Base64") from None
