"""Keeps secrets out of everything that is written for others: those this process knows, in any usual encoding, and
those that look like one.

Shapes: GitHub's tokens (the stateless form of 2026 has dots and some 520 characters), and the prefixes that
providers publish for secret scanning. A value that is not known and has no shape cannot be found.
"""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

MIN_CHARS = 8
"""Shorter values would stand in ordinary words."""

PRIVATE_KEY = r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,20000}?(?:-----END [A-Z ]{0,40}KEY-----|\Z)"
"""One block of PEM text, also one that was cut off."""

_SHAPES = {
    "github-token": r"\b(?:gh[pousr]_[A-Za-z0-9_.\-]{20,}|github_pat_[A-Za-z0-9_]{22,})",
    "model-key": r"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_\-]{20,}",
    "google-key": r"\bAIza[A-Za-z0-9_\-]{35}",
    "aws-key": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "google-token": r"\bya29\.[A-Za-z0-9_\-]{20,}",
    "gitlab-token": r"\bgl(?:pat|ptt|rt|dt)-[A-Za-z0-9_\-]{20,}",
    "slack-token": r"\bxox[abeoprs]-[A-Za-z0-9\-]{10,}",
    "slack-webhook": r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}",
    "stripe-key": r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    "npm-token": r"\bnpm_[A-Za-z0-9]{36}",
    "pypi-token": r"\bpypi-AgEI[A-Za-z0-9_\-]{20,}",
    "hugging-face-token": r"\bhf_[A-Za-z0-9]{30,}",
    "sendgrid-key": r"\bSG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}",
    "twilio-key": r"\bSK[0-9a-f]{32}\b",
    "telegram-token": r"\b\d{8,10}:AA[A-Za-z0-9_\-]{32,}",
    "digitalocean-token": r"\bdo[opr]_v1_[0-9a-f]{40,}",
    "json-web-token": r"\beyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}",
    "private-key": PRIVATE_KEY,
    "password-in-address": r"(?<=://)[^\s/:@]{1,200}:[^\s/@]{1,500}(?=@)",
}
_SHAPE = re.compile("|".join(f"(?P<{name.replace('-', '_')}>{shape})" for name, shape in _SHAPES.items()))

_known: dict[str, None] = {}
_lock = threading.Lock()


def learn(secret: str) -> None:
    """From now on this value, and each of its encodings, is left out of what is written. Lines count singly."""
    with _lock:
        _known.update(dict.fromkeys(_all_spellings(secret)))


def forget(secret: str) -> None:
    """The value is worthless from now on: nobody has to look for it."""
    with _lock:
        for spelling in _all_spellings(secret):
            _known.pop(spelling, None)


def _all_spellings(secret: str) -> Iterator[str]:
    for value in (secret, *secret.splitlines()):
        # The frame of a key file says nothing, and stands in every other one.
        if len(value) >= MIN_CHARS and not value.startswith("-----"):
            yield from _spellings(value)


def _spellings(value: str) -> Iterator[str]:
    """The value, URL-encoded, in hex, reversed, and what base64 makes of it at each offset in a longer text."""
    data = value.encode()
    yield from (value, quote(value, safe=""), data.hex(), data.hex().upper(), value[::-1])
    for offset in range(3):
        # The first and last characters also carry bits of the neighbours: they are left off.
        encoded = base64.b64encode(b"\0" * offset + data).decode().rstrip("=")
        inner = encoded[(0, 2, 3)[offset] : len(encoded) - (len(data) + offset) % 3 % 2 - 1]
        if len(inner) >= MIN_CHARS:
            yield inner
            yield inner.replace("+", "-").replace("/", "_")


def clean(text: str) -> str:
    """The text with every secret replaced by `[REDACTED]`, and what looks like one by `[REDACTED:kind]`."""
    return _SHAPE.sub(lambda found: f"[REDACTED:{(found.lastgroup or '').replace('_', '-')}]", without_known(text))


def without_known(text: str) -> str:
    """The text with every secret of this process replaced by `[REDACTED]`; what only looks like one stays."""
    with _lock:
        known = sorted((value for value in _known if value in text), key=len, reverse=True)
    for value in known:
        text = text.replace(value, "[REDACTED]")
    return text


def cleaned(data: Any, clean: Callable[[str], str] = clean) -> Any:
    """JSON data with every string in it clean, names included."""
    if isinstance(data, str):
        return clean(data)
    if isinstance(data, Mapping):
        return {clean(key) if isinstance(key, str) else key: cleaned(value, clean) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [cleaned(value, clean) for value in data]
    return data
