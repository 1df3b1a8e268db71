"""An App made from a manifest: the page that takes the form, and the code that is exchanged for its credentials."""

from __future__ import annotations

import json
import secrets
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from localhub import auth
from localhub.changes import apps
from localhub.rest.call import Answer, Call, not_found
from localhub.shapes import people
from localhub.state import App
from localhub.webhooks import HEARD_WITH
from localhub.world import World, later

CODE_LIFE_S = 3600
# GitHub's description of what a check suite says of its App does not know this one.
UNDESCRIBED = {"installation_target"}
# These come to every App, and GitHub refuses a manifest that lists them.
BY_THEMSELVES = {"ping", "installation", "installation_repositories", "github_app_authorization"}


def form(world: World, path: str, query: str, body: bytes) -> Answer | None:
    """What a person's browser posts to /settings/apps/new; None when it is no such address. Confirming is skipped."""
    parts = path.strip("/").split("/")
    if parts[-3:] != ["settings", "apps", "new"] or len(parts) not in (3, 5):
        return None
    owner = parts[1] if len(parts) == 5 and parts[0] == "organizations" else "octo"
    manifest = json.loads(parse_qs(body.decode()).get("manifest", ["{}"])[0])
    faults = mistakes(manifest)
    if faults:
        return Answer(422, raw="\n".join(faults).encode(), headers={"Content-Type": "text/plain"})
    app = made(world, owner, manifest)
    code = secrets.token_hex(20)
    world.manifest_codes[code] = (app, later(world.now(), seconds=CODE_LIFE_S))
    back = {"code": code} | {key: values[0] for key, values in parse_qs(query).items() if key == "state"}
    return Answer(302, raw=b"", headers={"Location": f"{manifest['redirect_url']}?{urlencode(back)}"})


def mistakes(manifest: dict[str, Any]) -> list[str]:
    """What GitHub's page has against a manifest."""
    hook, events = manifest.get("hook_attributes", {}), set(manifest.get("default_events", []))
    granted = manifest.get("default_permissions", {})
    deaf = sorted(each for each in events if HEARD_WITH.get(each, "metadata") not in {*granted, "metadata"})
    host = urlsplit(hook.get("url", "")).hostname
    found = [f"{name} is missing" for name in ("name", "url", "redirect_url") if not manifest.get(name)]
    found += ["hook_attributes: secret is not allowed"] if "secret" in hook else []
    found += (
        ["Hook url is not supported because it isn't reachable over the public Internet"]
        if host == "localhost"
        else []
    )
    found += [f"default_events: {each} cannot be listed" for each in sorted(events & BY_THEMSELVES)]
    return found + [f"default_events: {each} needs a permission that is not asked for" for each in deaf]


def made(world: World, owner: str, manifest: dict[str, Any]) -> App:
    who = world.user(owner) or world.add_user(owner, "User", token=f"ghp_{secrets.token_hex(18)}")
    hook = (manifest["hook_attributes"]["url"], secrets.token_hex(20))
    slug = manifest["name"].lower().replace(" ", "-")
    app = apps.register(
        world, slug, owner=who, hook=hook,
        permissions=manifest["default_permissions"], events=sorted(set(manifest["default_events"]) - UNDESCRIBED),
    )  # fmt: skip
    app.private_key_pem, app.public_key_pem = auth.key_pair()
    return app


def convert(call: Call) -> Answer:
    """Hands the credentials out, once."""
    nothing: tuple[App | None, datetime] = (None, call.world.now())
    app, until = call.world.manifest_codes.pop(call.args["code"], nothing)
    if app is None or until <= call.world.now():
        raise not_found()
    shown = people.app(app, call.links) | {
        "client_secret": secrets.token_hex(20),
        "webhook_secret": app.webhook_secret,
        "pem": app.private_key_pem,
    }
    return Answer(201, shown)
