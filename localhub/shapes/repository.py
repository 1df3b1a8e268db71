"""Repositories, branches and collaborators as GitHub shows them."""

from __future__ import annotations

from localhub.shapes.people import Json, stamp, user
from localhub.state import Repo, User
from localhub.webhooks import node_id
from localhub.world import Links

# name of the field -> what follows the repository's URL
URLS = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}
COUNTS = ("forks", "forks_count", "size", "stargazers_count", "watchers", "watchers_count")
NOTHING = ("description", "homepage", "language", "license", "mirror_url")


def repo_url(repo: Repo, links: Links) -> str:
    return f"{links.api}/repos/{repo.full_name}"


def repository(repo: Repo, links: Links) -> Json:
    url = repo_url(repo, links)
    page = f"{links.web}/{repo.full_name}"
    issues = sum(each.state == "open" for each in repo.issues.values())
    return {
        "id": repo.id,
        "node_id": node_id("Repository", repo.id),
        "name": repo.name,
        "full_name": repo.full_name,
        "private": repo.private,
        "visibility": "private" if repo.private else "public",
        "owner": user(repo.owner, links),
        "html_url": page,
        "url": url,
        "clone_url": f"{page}.git",
        "git_url": f"{page}.git",
        "ssh_url": f"{page}.git",
        "svn_url": page,
        "fork": repo.parent is not None,
        "archived": False,
        "disabled": False,
        "is_template": False,
        "default_branch": repo.default_branch,
        "open_issues": issues,
        "open_issues_count": issues,
        "topics": [],
        "allow_forking": True,
        "web_commit_signoff_required": False,
        **dict.fromkeys(COUNTS, 0),
        **dict.fromkeys(NOTHING),
        **features(),
        **{name: url + rest for name, rest in URLS.items()},
        "created_at": stamp(repo.created_at),
        "updated_at": stamp(repo.pushed_at),
        "pushed_at": stamp(repo.pushed_at),
    }


def features() -> Json:
    on = ("has_issues", "has_projects", "has_wiki", "has_downloads", "has_pull_requests")
    return dict.fromkeys(on, True) | {"has_pages": False, "has_discussions": False}


def full_repository(repo: Repo, links: Links) -> Json:
    return repository(repo, links) | {"network_count": 0, "subscribers_count": 0}


def permission(repo: Repo, who: User, links: Links) -> Json:
    """Four old levels in `permission`, the real role in `role_name`, as GitHub does."""
    level = repo.level(who)
    can = {
        "admin": level == "admin",
        "maintain": level == "admin" or repo.role(who) == "maintain",
        "push": level in ("admin", "write"),
        "triage": level in ("admin", "write") or repo.role(who) == "triage",
        "pull": level != "none",
    }
    return {
        "permission": level,
        "role_name": repo.role(who),
        "user": user(who, links) | {"permissions": can, "role_name": repo.role(who)},
    }
