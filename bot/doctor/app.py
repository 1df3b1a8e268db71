"""The GitHub App: whether its key works, and whether it has what app.yml asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot import credentials, needs
from bot.doctor.finding import Finding
from bot.github import PUBLISH, App
from bot.settings import PREFIX, Settings

_LEVELS = ("none", "read", "write", "admin")
_CHANGE = "Change it in the App's settings on GitHub; each installation then has to accept it."


@dataclass(frozen=True)
class Granted:
    """What GitHub says of the App."""

    slug: str
    permissions: Mapping[str, str]
    events: frozenset[str]
    installations: int


def github_app(settings: Settings) -> Finding:
    """Ask GitHub about the App that is configured."""
    settings = credentials.completed(settings)
    key, secret = settings.key_pem(), settings.webhook_secret.get_secret_value()
    parts = {"APP_ID": settings.app_id, "PRIVATE_KEY_FILE": key, "WEBHOOK_SECRET": secret}
    missing = [PREFIX + name for name, value in parts.items() if not value]
    if len(missing) == len(parts):
        text = "Not configured: `fix` and `verify` work without one; `serve` shows a page that makes it."
        return Finding("github app", "ok", text)
    if missing:
        remedy = "Set what GitHub gave you when the App was made (README, 'Install as a GitHub App')."
        return Finding("github app", "problem", f"Only half configured: {', '.join(missing)} not set.", remedy)
    app = App(settings.app_id, key, settings.api_url)
    return accepted(judged(granted(app)), list(app.installations()))


def accepted(app: Finding, installations: Sequence[Mapping[str, Any]]) -> Finding:
    """The finding, with accounts that have suspended the App or not accepted all of what it asks for."""
    details = []
    for each in installations:
        name, has = each["account"]["login"], each["permissions"]
        short = [need for need, level in needs.PERMISSIONS.items() if _level(has, need) < _rank(level)]
        if each.get("suspended_at"):
            details.append(f"{name} has suspended the App")
        elif short:
            details.append(f"{name} has not accepted: {', '.join(sorted(short))}")
    if not details or app.state == "problem":
        return app
    remedy = "Their owners accept it on GitHub, at Settings > Applications > Installed GitHub Apps."
    text = f"{app.text.rstrip('.')}; not every installation can be worked for."
    return Finding(app.subject, "warning", text, remedy, (*app.details, *details))


def granted(app: App) -> Granted:
    """What GitHub says of the App now."""
    said = app.about()
    return Granted(
        str(said["slug"]), dict(said["permissions"]), frozenset(said["events"]), int(said["installations_count"])
    )


def judged(found: Granted) -> Finding:
    """What is granted against what is needed."""
    text = f"{found.slug}, {found.installations} installation{'' if found.installations == 1 else 's'}"
    short = {name for name, level in needs.PERMISSIONS.items() if _level(found.permissions, name) < _rank(level)}
    silent = needs.EVENTS - found.events
    wide = {name for name in found.permissions if _level(found.permissions, name) > _level(needs.PERMISSIONS, name)}
    details = (
        *(f"permission missing: {name}: {needs.PERMISSIONS[name]}" for name in sorted(short)),
        *(f"event missing: {name}" for name in sorted(silent)),
        *(f"permission not needed: {name}: {found.permissions[name]}" for name in sorted(wide)),
    )
    if short & set(PUBLISH):
        return Finding("github app", "problem", f"{text}; permissions are missing.", _CHANGE, details)
    if details:
        return Finding("github app", "warning", f"{text}; it differs from app.yml.", _CHANGE, details)
    if not found.installations:
        return Finding("github app", "warning", f"{text}.", "Install the App on the repositories that it may repair.")
    return Finding("github app", "ok", f"{text}; permissions and events are those of app.yml")


def _level(permissions: Mapping[str, str], name: str) -> int:
    return _rank(permissions.get(name, "none"))


def _rank(level: str) -> int:
    return _LEVELS.index(level) if level in _LEVELS else 0
