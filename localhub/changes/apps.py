"""Apps are registered, installed, suspended and removed."""

from __future__ import annotations

from typing import Any

from localhub.shapes import people
from localhub.shapes.repository import repository
from localhub.state import App, Installation, Repo, User
from localhub.world import World


def register(
    world: World, slug: str, *, owner: User, hook: tuple[str, str], permissions: dict[str, str], events: list[str]
) -> App:
    """A new App with its bot account, and no key yet; `hook` is the webhook's URL and secret."""
    app = App(
        id=world.next_id(),
        slug=slug,
        owner=owner,
        bot=world.add_user(f"{slug}[bot]", "Bot"),
        hook_id=world.next_id(),
        webhook_url=hook[0],
        webhook_secret=hook[1],
        permissions=dict(permissions),
        events=list(events),
        created_at=world.now(),
    )
    app.bot.email = app.bot.noreply
    world.apps[app.id] = app
    return app


def install(world: World, app: App, repos: list[Repo], permissions: dict[str, str]) -> Installation:
    made = Installation(
        id=world.next_id(),
        app=app,
        account=repos[0].owner,
        repository_ids={each.id for each in repos},
        permissions=dict(permissions),
        events=list(app.events),
        created_at=world.now(),
    )
    world.installations[made.id] = made
    announce(world, made, "created")
    return made


def uninstall(world: World, installation: Installation) -> None:
    """Its tokens die with it."""
    del world.installations[installation.id]
    for token in world.tokens.values():
        token.revoked = token.revoked or token.installation is installation
    announce(world, installation, "deleted")


def suspend(world: World, installation: Installation, *, back: bool) -> None:
    installation.suspended_at = None if back else world.now()
    announce(world, installation, "unsuspend" if back else "suspend")


def announce(world: World, held: Installation, action: str) -> None:
    short = ("id", "node_id", "name", "full_name", "private")
    shown = [repository(world.repos[each], world.links) for each in sorted(held.repository_ids)]
    body: dict[str, Any] = {
        "action": action,
        "installation": people.installation(held, world.links),
        "repositories": [{key: each[key] for key in short} for each in shown],
        "requester": None,
        "sender": people.user(held.account, world.links),
    }
    world.hooks.announce("installation", body, to=[held])


def ping(world: World, app: App) -> None:
    """What GitHub sends first to a new webhook."""
    hook = {
        "type": "App",
        "id": app.hook_id,
        "name": "web",
        "active": True,
        "app_id": app.id,
        "events": list(app.events),
        "config": {"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": app.webhook_url},
        "created_at": people.stamp(app.created_at),
        "updated_at": people.stamp(app.created_at),
        "deliveries_url": f"{world.links.api}/app/hook/deliveries",
    }
    world.hooks.ping(app, {"zen": "A red check is a question.", "hook_id": app.hook_id, "hook": hook})
