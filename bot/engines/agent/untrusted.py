"""Text of others on its way into a prompt: cleaned, without secrets, and fenced so that it is seen to be data."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

# Characters that a reader does not see, and sequences that a terminal obeys. \n and \t stay.
_UNSEEN = re.compile(
    "\x1b\\[[0-?]{0,64}[ -/]{0,16}[@-~]|\x1b[\\]PX^_][^\x1b\x07\x9c]{0,4096}(?:\x1b\\\\|\x07|\x9c)?|\x1b."
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_COMMENT = re.compile("<!--(.*?)(?:-->|\\Z)", re.DOTALL)

# What credentials of well-known services look like; the word in brackets says what stood there.
_SECRETS: tuple[tuple[str, str], ...] = (
    ("private key", r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,20000}?(?:-----END [A-Z ]{0,40}KEY-----|\Z)"),
    ("GitHub token", r"\bgh[pousr]_[A-Za-z0-9_.\-]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}"),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_\-]{16,}"),
    ("OpenAI key", r"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_\-]{20,}"),
    ("Google key", r"\bAIza[A-Za-z0-9_\-]{30,}"),
    ("Google token", r"\bya29\.[A-Za-z0-9_\-]{20,}"),
    ("AWS key id", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("AWS secret", r"(?i)aws.{0,20}secret.{0,20}[=:]\s{0,4}[\"']?[A-Za-z0-9/+]{40}"),
    ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9\-]{10,}"),
    ("Slack webhook", r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}"),
    ("Stripe key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("GitLab token", r"\bglpat-[A-Za-z0-9_\-]{16,}"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{30,}"),
    ("PyPI token", r"\bpypi-[A-Za-z0-9_\-]{30,}"),
    ("SendGrid key", r"\bSG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}"),
    ("Twilio key", r"\bSK[0-9a-f]{32}\b"),
    ("Telegram token", r"\b\d{8,10}:AA[A-Za-z0-9_\-]{32,}"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("DigitalOcean token", r"\bdo[opr]_v1_[0-9a-f]{40,}"),
    ("web token", r"\beyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}"),
    ("password in an address", r"(?<=://)[^/\s:@\"']{1,80}:[^/\s:@\"']{3,200}(?=@)"),
)  # fmt: skip
_KNOWN_SHAPES = tuple((name, re.compile(pattern)) for name, pattern in _SECRETS)


@dataclass(frozen=True)
class Fence:
    """Marks data. `nonce` cannot be guessed by whoever wrote the data, so nothing in it can end the fence."""

    nonce: str
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Values that must never leave this process, whatever the shape."""

    def around(self, kind: str, text: str, *, markdown: bool = False) -> str:
        """The text as a fenced block, cleaned and without secrets."""
        body = self.clean(text, markdown=markdown).replace(self.nonce, "[…]")
        label = "".join(char for char in self.clean(kind) if char not in '<>"\n')[:300]
        return f'<data-{self.nonce} from="{label}">\n{body}\n</data-{self.nonce}>'

    def clean(self, text: str, *, markdown: bool = False) -> str:
        """Without what cannot be seen, and without secrets. `markdown`: hidden comments go, their lines stay."""
        seen = _UNSEEN.sub("", text.replace("\r\n", "\n"))
        if markdown:
            seen = _COMMENT.sub(lambda found: "[hidden comment]" + "\n" * found[1].count("\n"), seen)
        return redacted(seen, self.secrets)


def redacted(text: str, secrets: Iterable[str] = ()) -> str:
    """The text with each secret replaced by what it was; the number of lines stays."""
    for value in secrets:
        for form in _forms(value):
            text = text.replace(form, "[REDACTED: a secret of this service]")
    for name, pattern in _KNOWN_SHAPES:
        text = pattern.sub(lambda found, name=name: f"[REDACTED: {name}]" + "\n" * found[0].count("\n"), text)  # type: ignore[misc]
    return text


def _forms(value: str) -> tuple[str, ...]:
    """A secret as it is, and as base64."""
    if len(value) < 8:
        return ()
    return (value, base64.b64encode(value.encode()).decode().rstrip("="), value[::-1])
