"""Issues, comments, labels, reactions and pull requests as GitHub shows them."""

from __future__ import annotations

from localhub.objects import Commit
from localhub.shapes.people import Json, app, stamp, stamp_or_none, user
from localhub.shapes.repository import repo_url, repository
from localhub.state import Comment, Issue, Label, Reaction, Repo, User
from localhub.webhooks import node_id
from localhub.world import Links

EMOJIS = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


def association(repo: Repo, who: User) -> str:
    if who.login == repo.owner.login:
        return "OWNER"
    return "COLLABORATOR" if who.login.lower() in repo.collaborators else "NONE"


def label(repo: Repo, each: Label, links: Links) -> Json:
    return {
        "id": each.id,
        "node_id": node_id("Label", each.id),
        "url": f"{repo_url(repo, links)}/labels/{each.name}",
        "name": each.name,
        "color": each.color,
        "default": False,
        "description": each.description,
    }


def reaction(each: Reaction, links: Links) -> Json:
    return {
        "id": each.id,
        "node_id": node_id("Reaction", each.id),
        "user": user(each.user, links),
        "content": each.content,
        "created_at": stamp(each.created_at),
    }


def rollup(reactions: list[Reaction], url: str) -> Json:
    counts = {emoji: sum(each.content == emoji for each in reactions) for emoji in EMOJIS}
    return {"url": f"{url}/reactions", "total_count": len(reactions)} | counts


def comment(repo: Repo, each: Comment, links: Links) -> Json:
    base = repo_url(repo, links)
    url = f"{base}/issues/comments/{each.id}"
    kind = "pull" if repo.issues[each.number].pull else "issues"
    return {
        "id": each.id,
        "node_id": node_id("IssueComment", each.id),
        "url": url,
        "html_url": f"{links.web}/{repo.full_name}/{kind}/{each.number}#issuecomment-{each.id}",
        "issue_url": f"{base}/issues/{each.number}",
        "user": user(each.user, links),
        "body": each.body,
        "created_at": stamp(each.created_at),
        "updated_at": stamp(each.updated_at),
        "author_association": association(repo, each.user),
        "performed_via_github_app": app(each.app, links) if each.app else None,
        "reactions": rollup(each.reactions, url),
    }


def common(repo: Repo, each: Issue, links: Links) -> Json:
    """What an issue and a pull request share."""
    return {
        "number": each.number,
        "title": each.title,
        "body": each.body,
        "user": user(each.user, links),
        "state": each.state,
        "locked": False,
        "active_lock_reason": None,
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "labels": [label(repo, held, links) for held in each.labels],
        "created_at": stamp(each.created_at),
        "updated_at": stamp(each.updated_at),
        "closed_at": stamp_or_none(each.closed_at),
        "author_association": association(repo, each.user),
    }


def issue(repo: Repo, each: Issue, links: Links) -> Json:
    base = repo_url(repo, links)
    url = f"{base}/issues/{each.number}"
    page = f"{links.web}/{repo.full_name}"
    shown = common(repo, each, links) | {
        "id": each.id,
        "node_id": node_id("Issue", each.id),
        "url": url,
        "repository_url": base,
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "timeline_url": f"{url}/timeline",
        "html_url": f"{page}/{'pull' if each.pull else 'issues'}/{each.number}",
        "comments": len(each.comments),
        "performed_via_github_app": app(each.app, links) if each.app else None,
        "state_reason": "completed" if each.state == "closed" else None,
        "reactions": rollup(each.reactions, url),
    }
    if each.pull:
        shown["draft"] = each.pull.draft
        shown["pull_request"] = {
            "url": f"{base}/pulls/{each.number}",
            "html_url": f"{page}/pull/{each.number}",
            "diff_url": f"{page}/pull/{each.number}.diff",
            "patch_url": f"{page}/pull/{each.number}.patch",
            "merged_at": stamp_or_none(each.pull.merged_at),
        }
    return shown


def pull_urls(repo: Repo, each: Issue, links: Links) -> Json:
    assert each.pull is not None
    base = repo_url(repo, links)
    url = f"{base}/pulls/{each.number}"
    page = f"{links.web}/{repo.full_name}/pull/{each.number}"
    return {
        "url": url,
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": f"{base}/issues/{each.number}",
        "commits_url": f"{url}/commits",
        "review_comments_url": f"{url}/comments",
        "review_comment_url": f"{base}/pulls/comments{{/number}}",
        "comments_url": f"{base}/issues/{each.number}/comments",
        "statuses_url": f"{base}/statuses/{each.pull.head_sha}",
    }


def pull_links(urls: Json) -> Json:
    names = {
        "self": "url",
        "html": "html_url",
        "issue": "issue_url",
        "comments": "comments_url",
        "review_comments": "review_comments_url",
        "review_comment": "review_comment_url",
        "commits": "commits_url",
        "statuses": "statuses_url",
    }
    return {name: {"href": urls[field]} for name, field in names.items()}


def side(repo: Repo, ref: str, sha: str, links: Links) -> Json:
    return {
        "label": f"{repo.owner.login}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": user(repo.owner, links),
        "repo": repository(repo, links),
    }


def pull_simple(repo: Repo, each: Issue, links: Links) -> Json:
    """A pull request as lists show it."""
    assert each.pull is not None
    urls = pull_urls(repo, each, links)
    return (
        common(repo, each, links)
        | urls
        | {
            "id": each.pull.id,
            "node_id": node_id("PullRequest", each.pull.id),
            "draft": each.pull.draft,
            "head": side(each.pull.head_repo or repo, each.pull.head, each.pull.head_sha, links),
            "base": side(repo, each.pull.base, each.pull.base_sha, links),
            "_links": pull_links(urls),
            "requested_reviewers": [],
            "requested_teams": [],
            "auto_merge": None,
            "merged_at": stamp_or_none(each.pull.merged_at),
            "merge_commit_sha": each.pull.merge_commit_sha,
        }
    )


def pull(repo: Repo, each: Issue, links: Links) -> Json:
    """A pull request with its counts."""
    assert each.pull is not None
    base = repo.git.merge_base(each.pull.base_sha, each.pull.head_sha) or each.pull.base_sha
    changed = repo.git.diff(base, each.pull.head_sha)
    return pull_simple(repo, each, links) | {
        "merged": each.pull.merged_at is not None,
        "mergeable": None if each.state == "closed" else True,
        "mergeable_state": "unknown" if each.state == "closed" else "clean",
        "rebaseable": None,
        "merged_by": user(repo.owner, links) if each.pull.merged_at else None,
        "comments": len(each.comments),
        "review_comments": 0,
        "commits": len(repo.git.log(f"{base}..{each.pull.head_sha}")),
        "additions": sum(one.additions for one in changed),
        "deletions": sum(one.deletions for one in changed),
        "changed_files": len(changed),
        "maintainer_can_modify": each.pull.maintainer_can_modify,
    }


def head_commits(repo: Repo, each: Issue) -> list[Commit]:
    assert each.pull is not None
    base = repo.git.merge_base(each.pull.base_sha, each.pull.head_sha) or each.pull.base_sha
    return [repo.git.commit(sha) for sha in repo.git.log(f"{base}..{each.pull.head_sha}")]
