"""What the gate draws by lot: the same for the same patch on the same tree, and unknown to whoever wrote it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection
from pathlib import Path

from bot import private
from bot.errors import Refused
from bot.nouns import Patch
from sandbox import Files

BYTES = 32
NAME = "lot.key"


def key(home: Path) -> str:
    """The secret of this installation, made when it is first asked for. Refused where it cannot be kept."""
    place = home / NAME
    try:
        if not place.exists():
            private.write_new(place, f"{secrets.token_hex(BYTES)}\n")
        found = place.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(
            f"The secret from which the gate draws its lots cannot be kept in {place}: {error}.",
            "Make the folder writable for this user, or set REGREEN_HOME to another one.",
        ) from error
    if len(found) != 2 * BYTES or not set(found) <= set("0123456789abcdef"):
        raise Refused(f"{place} does not hold a secret of the gate.", "Remove the file; a new one is made.")
    return found


def seed(secret: str, tree: Files, patch: Patch, targets: Collection[str]) -> str:
    """What all lots of one judgement come from: the same each time, and only the secret tells it."""
    total = hmac.new(secret.encode(), digestmod=hashlib.sha256)
    for path in sorted(tree):
        file = tree[path]
        _add(total, path.encode("utf-8", "surrogateescape"), file.data, bytes([file.executable, file.link]))
    _add(total, b"patch")
    for path in sorted(patch.files):
        data = patch.files[path]
        mode = patch.modes.get(path, "")
        _add(total, path.encode("utf-8", "surrogateescape"), mode.encode(), b"-" if data is None else b"+" + data)
    _add(total, *(target.encode("utf-8", "surrogateescape") for target in sorted(targets)))
    return total.hexdigest()


def _add(total: hmac.HMAC, *parts: bytes) -> None:
    """Each with its length, so that nothing can pass for something else put together in another way."""
    for part in parts:
        total.update(len(part).to_bytes(8, "big") + part)
