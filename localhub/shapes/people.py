"""Users, Apps, installations and tokens as GitHub shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from localhub.state import App, Installation, Token, User
from localhub.webhooks import node_id
from localhub.world import Links

Json = dict[str, Any]


def stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def stamp_or_none(moment: datetime | None) -> str | None:
    return stamp(moment) if moment else None


def user(who: User, links: Links) -> Json:
    url = f"{links.api}/users/{who.login}"
    page = f"{links.web}/{who.login}"
    if who.type == "Bot":
        page = f"{links.web}/apps/{who.login.removesuffix('[bot]')}"
    return {
        "login": who.login,
        "id": who.id,
        "node_id": node_id("User", who.id),
        "avatar_url": f"{links.web}/avatars/u/{who.id}",
        "gravatar_id": "",
        "url": url,
        "html_url": page,
        "followers_url": f"{url}/followers",
        "following_url": f"{url}/following{{/other_user}}",
        "gists_url": f"{url}/gists{{/gist_id}}",
        "starred_url": f"{url}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{url}/subscriptions",
        "organizations_url": f"{url}/orgs",
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events{{/privacy}}",
        "received_events_url": f"{url}/received_events",
        "type": who.type,
        "user_view_type": "public",
        "site_admin": False,
    }


def profile(who: User, links: Links) -> Json:
    """The longer shape of GET /users/{login}."""
    empty = ("name", "company", "location", "email", "hireable", "bio", "twitter_username")
    counts = ("public_repos", "public_gists", "followers", "following")
    return (
        user(who, links)
        | dict.fromkeys(empty)
        | dict.fromkeys(counts, 0)
        | {"blog": "", "created_at": stamp(who.created_at), "updated_at": stamp(who.created_at)}
    )


def app(each: App, links: Links) -> Json:
    return {
        "id": each.id,
        "client_id": f"Iv1.{each.id:016x}",
        "slug": each.slug,
        "node_id": node_id("App", each.id),
        "owner": user(each.owner, links),
        "name": each.slug if each.slug != "github-actions" else "GitHub Actions",
        "description": "",
        "external_url": f"{links.web}/apps/{each.slug}",
        "html_url": f"{links.web}/apps/{each.slug}",
        "created_at": stamp(each.created_at),
        "updated_at": stamp(each.created_at),
        "permissions": {"metadata": "read"} | each.permissions,
        "events": list(each.events),
    }


def app_for_itself(each: App, links: Links, *, installations: int) -> Json:
    return app(each, links) | {"installations_count": installations}


def installation(each: Installation, links: Links) -> Json:
    url = f"{links.api}/app/installations/{each.id}"
    return {
        "id": each.id,
        "client_id": f"Iv1.{each.app.id:016x}",
        "account": user(each.account, links),
        "repository_selection": "selected",
        "access_tokens_url": f"{url}/access_tokens",
        "repositories_url": f"{links.api}/installation/repositories",
        "html_url": f"{links.web}/settings/installations/{each.id}",
        "app_id": each.app.id,
        "app_slug": each.app.slug,
        "target_id": each.account.id,
        "target_type": each.account.type,
        "permissions": {"metadata": "read"} | each.permissions,
        "events": list(each.events),
        "created_at": stamp(each.created_at),
        "updated_at": stamp(each.created_at),
        "single_file_name": None,
        "has_multiple_single_files": False,
        "single_file_paths": [],
        "suspended_by": user(each.account, links) if each.suspended_at else None,
        "suspended_at": stamp_or_none(each.suspended_at),
    }


def token(each: Token) -> Json:
    return {
        "token": each.value,
        "expires_at": stamp(each.expires_at),
        "permissions": {"metadata": "read"} | each.permissions,
        "repository_selection": "selected",
    }
