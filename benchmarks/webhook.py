"""Deliveries at the webhook of a real `regreen serve`: is one lost, and how long does the sender wait for its answer?

.venv/bin/python benchmarks/webhook.py [DELIVERIES] [SENDERS]

A mixture of the real payloads in tests/examples: what is passed over, red checks, commands, and each tenth one twice.
Behind it stands a local GitHub; nothing is repaired, since no payload names a repository that is installed there.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import hmac
import json
import random
import sqlite3
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from handlers.demo import Place  # noqa: E402
from localhub.hub import Hub  # noqa: E402

EXAMPLES = ROOT / "tests" / "examples" / "webhooks.json.gz"
DUPLICATED = 10


@dataclass(frozen=True)
class Sent:
    """A delivery, ready to be sent."""

    guid: str
    event: str
    body: bytes
    wanted: bool
    """Whether it asks for work, so that the server has to store it."""


def mixture(count: int) -> Iterator[Sent]:
    """So many deliveries in a random order that is the same each time; half of them ask for work."""
    chance = random.Random(5)
    held = json.loads(gzip.decompress(EXAMPLES.read_bytes()))
    every = [(event, payload) for event, payloads in held.items() for payload in payloads]
    red = [payload for payload in held["check_run"] if payload["action"] == "completed"]
    for number in range(count):
        guid = str(uuid.UUID(int=chance.getrandbits(128)))
        if number % 2:
            payload: dict[str, Any] = {**chance.choice(red), "installation": {"id": 1}}
            run = {**payload["check_run"], "conclusion": "failure", "check_suite": {"head_branch": "main"}}
            yield Sent(guid, "check_run", json.dumps({**payload, "check_run": run}).encode(), wanted=True)
        else:
            event, payload = chance.choice(every)
            body = json.dumps({"installation": {"id": 1}, **payload, "action": "never heard of"}).encode()
            yield Sent(guid, event, body, wanted=False)


def post(client: httpx.Client, secret: str, sent: Sent) -> tuple[float, int, str]:
    """Seconds until the answer, its status and its words."""
    digest = hmac.new(secret.encode(), sent.body, hashlib.sha256).hexdigest()
    headers = {
        "X-Hub-Signature-256": f"sha256={digest}", "X-GitHub-Event": sent.event, "X-GitHub-Delivery": sent.guid,
    }  # fmt: skip
    started = time.perf_counter()
    answer = client.post("/webhook", content=sent.body, headers=headers)
    return time.perf_counter() - started, answer.status_code, answer.json()["message"]


def stored(home: Path) -> set[str]:
    """Ids of the deliveries that the queue knows."""
    with contextlib.closing(sqlite3.connect(home / "jobs.sqlite")) as database:
        keys = database.execute("SELECT workflow_uuid FROM workflow_status WHERE workflow_uuid LIKE 'intake:%'")
        return {str(key).removeprefix("intake:") for (key,) in keys}


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    senders = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    sent = list(mixture(count))
    again = sent[::DUPLICATED]
    with tempfile.TemporaryDirectory() as folder, Hub() as hub, hub.serve():
        place = Place.make(hub, Path(folder), hub.create_repo("ada", "shop"))
        server = place.start()
        secret = place.environment["REGREEN_WEBHOOK_SECRET"]
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{place.port}", timeout=60) as client:
                started = time.perf_counter()
                with ThreadPoolExecutor(senders) as pool:
                    answers = list(pool.map(lambda each: post(client, secret, each), [*sent, *again]))
                seconds = time.perf_counter() - started
            lost = {each.guid for each in sent if each.wanted} - stored(server.home)
        finally:
            server.stop()
    waits = [wait for wait, _, _ in answers]
    refused = sum(status != 202 for _, status, _ in answers)
    percent = statistics.quantiles(waits, n=100)
    print("| deliveries | senders | lost | refused | p50 | p99 | longest | a second |\n" + "| --- " * 8 + "|")
    print(
        f"| {len(answers):,} | {senders} | {len(lost)} | {refused} | {percent[49] * 1000:.0f} ms | {percent[98] * 1000:.0f} ms "
        f"| {max(waits) * 1000:.0f} ms | {len(answers) / seconds:.0f} |"
    )
    raise SystemExit(bool(lost or refused))


if __name__ == "__main__":
    main()
