"""Git's objects as GitHub shows them: commits, trees, blobs, references, differences."""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC

from localhub.git import EMPTY_TREE
from localhub.objects import Commit, Entry, FileDiff, Signature
from localhub.shapes.people import Json, stamp, user
from localhub.shapes.repository import repo_url
from localhub.state import Repo, User
from localhub.world import Links, World

UNSIGNED = {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}


def person(who: Signature) -> Json:
    return {"name": who.name, "email": who.email, "date": stamp(who.date.astimezone(UTC))}


def verification(repo: Repo, commit: Commit) -> Json:
    if commit.sha not in repo.signed:
        return dict(UNSIGNED)
    return {
        "verified": True,
        "reason": "valid",
        "signature": "-----BEGIN PGP SIGNATURE-----\n\nlocalhub\n-----END PGP SIGNATURE-----\n",
        "payload": f"tree {commit.tree}\n",
        "verified_at": stamp(commit.committer.date.astimezone(UTC)),
    }


def author_of(world: World, who: Signature) -> User | None:
    """The account behind an e-mail address."""
    known = (each for each in world.users.values() if who.email in (each.email, each.noreply))
    return next(known, None)


def git_commit(repo: Repo, commit: Commit, links: Links) -> Json:
    """The short shape of /git/commits."""
    url = repo_url(repo, links)
    page = f"{links.web}/{repo.full_name}"
    return {
        "sha": commit.sha,
        "node_id": f"C_{commit.sha}",
        "url": f"{url}/git/commits/{commit.sha}",
        "html_url": f"{page}/commit/{commit.sha}",
        "author": person(commit.author),
        "committer": person(commit.committer),
        "tree": {"sha": commit.tree, "url": f"{url}/git/trees/{commit.tree}"},
        "message": commit.message,
        "parents": [
            {"sha": each, "url": f"{url}/git/commits/{each}", "html_url": f"{page}/commit/{each}"}
            for each in commit.parents
        ],
        "verification": verification(repo, commit),
    }


def commit(world: World, repo: Repo, found: Commit, links: Links) -> Json:
    """The long shape of /commits, without its files."""
    url = repo_url(repo, links)
    page = f"{links.web}/{repo.full_name}"
    author, committer = author_of(world, found.author), author_of(world, found.committer)
    return {
        "sha": found.sha,
        "node_id": f"C_{found.sha}",
        "url": f"{url}/commits/{found.sha}",
        "html_url": f"{page}/commit/{found.sha}",
        "comments_url": f"{url}/commits/{found.sha}/comments",
        "commit": {
            "author": person(found.author),
            "committer": person(found.committer),
            "message": found.message,
            "tree": {"sha": found.tree, "url": f"{url}/git/trees/{found.tree}"},
            "url": f"{url}/git/commits/{found.sha}",
            "comment_count": 0,
            "verification": verification(repo, found),
        },
        "author": user(author, links) if author else None,
        "committer": user(committer, links) if committer else None,
        "parents": [
            {"sha": each, "url": f"{url}/commits/{each}", "html_url": f"{page}/commit/{each}"}
            for each in found.parents
        ],
    }


def commit_with_files(world: World, repo: Repo, found: Commit, links: Links) -> Json:
    base = found.parents[0] if found.parents else EMPTY_TREE
    changed = repo.git.diff(base, found.sha)
    added, removed = sum(each.additions for each in changed), sum(each.deletions for each in changed)
    return commit(world, repo, found, links) | {
        "stats": {"total": added + removed, "additions": added, "deletions": removed},
        "files": [file_diff(repo, each, found.sha, links) for each in changed],
    }


def file_diff(repo: Repo, each: FileDiff, sha: str, links: Links) -> Json:
    url, page = repo_url(repo, links), f"{links.web}/{repo.full_name}"
    shown = {
        "sha": each.sha,
        "filename": each.path,
        "status": each.status,
        "additions": each.additions,
        "deletions": each.deletions,
        "changes": each.additions + each.deletions,
        "blob_url": f"{page}/blob/{sha}/{each.path}",
        "raw_url": f"{page}/raw/{sha}/{each.path}",
        "contents_url": f"{url}/contents/{each.path}?ref={sha}",
    }
    if each.patch is not None:
        shown["patch"] = each.patch
    return shown | ({"previous_filename": each.previous} if each.previous else {})


def simple_commit(found: Commit) -> Json:
    """The shape inside check suites and workflow runs."""
    return {
        "id": found.sha,
        "tree_id": found.tree,
        "message": found.message,
        "timestamp": stamp(found.committer.date.astimezone(UTC)),
        "author": {"name": found.author.name, "email": found.author.email},
        "committer": {"name": found.committer.name, "email": found.committer.email},
    }


def pushed_commit(repo: Repo, found: Commit, links: Links) -> Json:
    """The shape inside push events."""
    base = found.parents[0] if found.parents else EMPTY_TREE
    changed = repo.git.diff(base, found.sha)
    by_status = {
        name: [each.path for each in changed if each.status == status]
        for name, status in (("added", "added"), ("removed", "removed"), ("modified", "modified"))
    }
    return (
        simple_commit(found)
        | {"distinct": True, "url": f"{links.web}/{repo.full_name}/commit/{found.sha}"}
        | by_status
    )


def ref(repo: Repo, found: tuple[str, str, str], links: Links) -> Json:
    name, sha, kind = found
    url = f"{repo_url(repo, links)}/git"
    return {
        "ref": name,
        "node_id": f"REF_{hashlib.sha256(name.encode()).hexdigest()[:16]}",
        "url": f"{url}/{name}",
        "object": {"sha": sha, "type": kind, "url": f"{url}/{kind}s/{sha}"},
    }


def tree(repo: Repo, sha: str, entries: list[Entry], links: Links) -> Json:
    url = f"{repo_url(repo, links)}/git"
    return {
        "sha": sha,
        "url": f"{url}/trees/{sha}",
        "truncated": False,
        "tree": [
            {"path": each.path, "mode": each.mode, "type": each.type, "sha": each.sha}
            | ({"size": each.size} if each.size is not None else {})
            | ({"url": f"{url}/{each.type}s/{each.sha}"} if each.type != "commit" else {})
            for each in entries
        ],
    }


def blob(repo: Repo, sha: str, content: bytes, links: Links) -> Json:
    return {
        "sha": sha,
        "node_id": f"B_{sha}",
        "size": len(content),
        "url": f"{repo_url(repo, links)}/git/blobs/{sha}",
        "content": base64.encodebytes(content).decode(),
        "encoding": "base64",
    }


def content(repo: Repo, each: Entry, path: str, at: str, links: Links) -> Json:
    """A file or folder of the contents endpoint, without what is inside."""
    url, page = repo_url(repo, links), f"{links.web}/{repo.full_name}"
    own = f"{url}/contents/{path}?ref={at}"
    kind = {"tree": "dir", "commit": "submodule"}.get(each.type, "symlink" if each.mode == "120000" else "file")
    git_url = f"{url}/git/{'trees' if kind == 'dir' else 'blobs'}/{each.sha}"
    shown_page = f"{page}/{'tree' if kind == 'dir' else 'blob'}/{at}/{path}"
    return {
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": each.sha,
        "size": each.size or 0,
        "url": own,
        "html_url": shown_page,
        "git_url": git_url,
        "download_url": f"{page}/raw/{at}/{path}" if kind == "file" else None,
        "type": kind,
        "_links": {"self": own, "git": git_url, "html": shown_page},
    }
