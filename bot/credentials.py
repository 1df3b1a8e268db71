"""What makes this server a GitHub App: set by the operator, or stored when the App was made from the set-up page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import SecretStr, TypeAdapter, ValidationError

from bot import needs, private, redaction
from bot.errors import Refused
from bot.github import converted
from bot.settings import Settings

FILE = "app.json"
NAME = "regreen"
HOMEPAGE = "https://github.com/regreen/regreen"
DESCRIPTION = "Turns red checks green, and proves it."

_CODE = re.compile(r"[0-9A-Za-z_-]{8,100}")


@dataclass(frozen=True, repr=False)
class Stored:
    """The App as GitHub handed it out, once."""

    app_id: int
    slug: str
    page: str
    private_key: str
    webhook_secret: str


def completed(settings: Settings) -> Settings:
    """The settings with the stored App in them, where the operator has set none of its parts."""
    if not is_unset(settings):
        return settings
    found = stored(settings)
    if found is None:
        return settings
    parts = {
        "app_id": found.app_id,
        "private_key": SecretStr(found.private_key),
        "webhook_secret": SecretStr(found.webhook_secret),
    }
    return settings.model_copy(update=parts)


def is_unset(settings: Settings) -> bool:
    """Whether the operator has said nothing of an App."""
    secret = settings.webhook_secret.get_secret_value()
    return not (settings.app_id or settings.private_key_file or settings.private_key.get_secret_value() or secret)


def stored(settings: Settings) -> Stored | None:
    """The stored App; None where there is none. Refused for a file that is not ours any more."""
    path = place(settings)
    try:
        return TypeAdapter(Stored).validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise Refused(
            f"The stored App at {path} cannot be read ({type(error).__name__}).",
            "Remove it to make a new App, or set REGREEN_APP_ID and its companions.",
        ) from error


def keep(app: Stored, settings: Settings) -> None:
    """Store the App, readable by its owner alone; a crash leaves no half of it."""
    private.write(place(settings), json.dumps(asdict(app)))


def manifest(*, address: str, back: str) -> dict[str, Any]:
    """What GitHub is asked to make, as app.yml has it. `address`: ours to GitHub; `back`: ours to people."""
    return {
        "name": NAME,
        "url": HOMEPAGE,
        "description": DESCRIPTION,
        "public": False,
        "hook_attributes": {"url": f"{address}/webhook", "active": True},
        "redirect_url": back,
        "default_permissions": dict(needs.PERMISSIONS),
        "default_events": sorted(needs.EVENTS),
    }


def exchanged(code: str, settings: Settings) -> Stored:
    """The App behind the code that GitHub sends a person back with. Refused when GitHub does not know the code."""
    if not _CODE.fullmatch(code):
        raise Refused("The address that GitHub sent you back to holds no code.", "Begin again on the set-up page.")
    made: Mapping[str, Any] = converted(code, settings.api_url)
    for name in ("pem", "webhook_secret", "client_secret"):
        redaction.learn(str(made.get(name) or ""))
    if not made.get("webhook_secret"):
        raise Refused("GitHub made the App without a webhook secret.", "Delete that App on GitHub, and begin again.")
    return Stored(
        int(made["id"]), str(made["slug"]), str(made["html_url"]), str(made["pem"]), str(made["webhook_secret"])
    )


def place(settings: Settings) -> Path:
    """Where the App is stored."""
    return settings.home / FILE
