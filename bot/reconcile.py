"""What happened while the server was down: GitHub never tells it again by itself.

What could not be delivered is asked for again; a redelivery has the delivery id of the first attempt, so that what
did arrive is not done twice. GitHub forgets deliveries after three days, so red pull requests are looked for as well.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.errors import Refused, TryLater
from bot.github import LOOK, App
from bot.ledger import Ledger
from bot.nouns import BRANCH_PREFIX, Request

PERIOD_S = 3600.0
KEPT = timedelta(days=3)
"""GitHub redelivers nothing that is older."""
MAX_ATTEMPTS = 4
"""What fails so often fails for another reason than that the server was down."""

RECENT = timedelta(days=14)
"""Pull requests that nobody has touched for longer wait for a person."""
OVERLAP = timedelta(minutes=10)
"""What turned red just before the last look may have been announced to a server that was going down."""

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


def sweep(app: App, ledger: Ledger, submit: Callable[[Request], object]) -> int:
    """Submit the heads of open pull requests that turned red since the last time, and that nothing was said of.

    Returns how many are new. The first time, none is: what was red before Regreen came waits for a person. A
    repository that cannot be asked is left out, with a line in the log.
    """
    now, last = datetime.now(UTC), ledger.swept()
    count = 0
    try:
        for request in red_heads(app, since=last - OVERLAP) if last else ():
            count += bool(submit(request))
        ledger.sweep(now)
    except (Refused, TryLater) as error:
        log.warning("red pull requests cannot be looked for: %s", error)
    return count


def red_heads(app: App, *, since: datetime) -> Iterator[Request]:
    """What a webhook would have asked for. The same head has the same delivery id, so that it is taken once."""
    for account in app.installations():
        if account.get("suspended_at"):
            continue
        for found in app.repositories(int(account["id"])):
            if not found.get("archived"):
                yield from _red(app, int(account["id"]), int(found["id"]), since)


def _red(app: App, installation: int, repo_id: int, since: datetime) -> Iterator[Request]:
    try:
        with app.repository(installation, repo_id, LOOK) as repository:
            pulls = repository.open_pulls(datetime.now(UTC) - RECENT)
            own = [head for head in pulls if head.repo_id == repo_id]
            heads = [head for head in own if not head.branch.startswith(BRANCH_PREFIX)]
            checks = [(head, repository.red_check(head.sha, app_id=app.id, since=since)) for head in heads]
            name = repository.name
    except (Refused, TryLater) as error:
        log.warning("red pull requests of repository %d cannot be looked for: %s", repo_id, error)
        return
    for head, check in checks:
        if check:
            delivery = f"sweep:{repo_id}:{head.sha}"
            yield Request(
                "check-run", delivery, installation, repo_id, name, "",
                sha=head.sha, branch=head.branch, number=head.number, check_name=check,
            )  # fmt: skip
