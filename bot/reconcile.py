"""What GitHub could not deliver while the server was down is asked for again: GitHub never does it by itself.

A redelivery has the delivery id of the first attempt, so that what did arrive is not done twice.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.errors import Refused, TryLater
from bot.github import App

PERIOD_S = 3600.0
KEPT = timedelta(days=3)
"""GitHub redelivers nothing that is older."""
MAX_ATTEMPTS = 4
"""What fails so often fails for another reason than that the server was down."""

log = logging.getLogger(__name__)


def missed(attempts: Iterable[dict[str, Any]], *, now: datetime) -> list[int]:
    """Ids of the newest attempts of deliveries that never arrived, oldest first, so that they come in order."""
    by_guid: dict[str, list[dict[str, Any]]] = {}
    for attempt in attempts:
        if now - datetime.fromisoformat(attempt["delivered_at"]) > KEPT:
            break  # newest first: the rest is older still
        by_guid.setdefault(attempt["guid"], []).append(attempt)
    lost = [
        tries[0]
        for tries in by_guid.values()
        if len(tries) < MAX_ATTEMPTS and not any(200 <= int(each["status_code"]) < 300 for each in tries)
    ]
    return [int(attempt["id"]) for attempt in reversed(lost)]


def once(app: App) -> int:
    """Ask for what was missed; returns how many deliveries that are."""
    try:
        found = missed(app.deliveries(), now=datetime.now(UTC))
        for attempt in found:
            app.redeliver(attempt)
    except (Refused, TryLater) as error:
        log.warning("missed deliveries cannot be asked for: %s", error)
        return 0
    if found:
        log.info("%d deliveries were missed, and are asked for again", len(found))
    return len(found)
