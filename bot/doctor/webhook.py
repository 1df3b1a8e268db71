"""Whether GitHub reaches this server: where its webhooks go, and what became of the last ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from bot import credentials
from bot.doctor.finding import Finding
from bot.github import App
from bot.settings import Settings

_SUBJECT = "webhook"
_LAST = 20
_CHANGE = "Set the webhook URL in the App's settings on GitHub to https://YOUR-ADDRESS/webhook."


def webhook(settings: Settings) -> Finding:
    """Ask GitHub where it delivers to, and whether that arrives. Nothing is sent for it."""
    settings = credentials.completed(settings)
    key = settings.key_pem()
    if not (settings.app_id and key):
        return Finding(_SUBJECT, "ok", "Not looked at: no App is configured.")
    app = App(settings.app_id, key, settings.api_url)
    return judged(app.hook(), list(islice(app.deliveries(), _LAST)))


def judged(url: str, deliveries: Sequence[Mapping[str, Any]]) -> Finding:
    """The address and the last deliveries, newest first, judged."""
    parts = urlsplit(url)
    if not parts.hostname or parts.hostname in ("localhost", "regreen.example.com"):
        return Finding(_SUBJECT, "problem", f"Webhooks go to {url or 'no address'}, where nobody listens.", _CHANGE)
    if not deliveries:
        remedy = "Start `regreen serve`, and redeliver the ping in the App's settings, at Advanced."
        return Finding(_SUBJECT, "warning", f"GitHub has delivered nothing to {url} in three days.", remedy)
    lost = [each for each in deliveries if not 200 <= int(each["status_code"]) < 300]
    if not lost:
        return Finding(_SUBJECT, "ok", f"The last {len(deliveries)} deliveries to {url} arrived")
    details = tuple(
        f"{each['delivered_at']} {each['event']}: {each['status_code']} {each['status']}" for each in lost
    )
    text = f"Of the last {len(deliveries)} deliveries to {url}, {len(lost)} did not arrive"
    if deliveries[0] in lost:
        return Finding(_SUBJECT, "problem", f"{text}, the newest among them.", _remedy(deliveries[0]), details)
    return Finding(_SUBJECT, "warning", f"{text}; the newest did.", "`regreen serve` asks for them again.", details)


def _remedy(attempt: Mapping[str, Any]) -> str:
    if int(attempt["status_code"]) == 401:
        return "The secret differs: set REGREEN_WEBHOOK_SECRET to the one in the App's settings."
    return (
        "See that `regreen serve` runs, and that the address leads to it from the Internet, with a valid certificate."
    )
