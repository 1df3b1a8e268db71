"""Addresses, one by one and in lists."""

import re
from dataclasses import dataclass, field

from postbag.errors import BadAddress

_BARE = re.compile(r"[^\s@<>,\"]+@[^\s@<>,\"]+")
_SPECIAL = re.compile(r"[\"(),:;<>@\[\\\]]")


@dataclass(frozen=True)
class Address:
    """A mailbox; names do not count when addresses are compared."""

    local: str
    domain: str
    name: str = field(default="", compare=False)

    def __post_init__(self):
        object.__setattr__(self, "domain", self.domain.lower())

    @classmethod
    def parse(cls, text):
        """Return the address in a text. Raises BadAddress."""
        text = text.strip()
        match = re.fullmatch(r"(?P<name>.*?)\s*<(?P<bare>[^<>]*)>", text, re.DOTALL)
        bare = match["bare"] if match else text
        if not _BARE.fullmatch(bare):
            raise BadAddress(f"{text!r} is no address")
        local, _, domain = bare.rpartition("@")
        return cls(local, domain, _unquoted(match["name"]) if match else "")

    def __str__(self):
        bare = f"{self.local}@{self.domain}"
        return f"{_quoted(self.name)} <{bare}>" if self.name else bare


def _quoted(name):
    if not _SPECIAL.search(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unquoted(name):
    if len(name) >= 2 and name[0] == name[-1] == '"':
        return re.sub(r"\\(.)", r"\1", name[1:-1])
    return name


def parse_list(text):
    """Return the addresses of a list divided by commas; empty places are passed over."""
    parts, current, quoted, escaped = [], "", False, False
    for sign in text:
        if sign == "," and not quoted:
            parts.append(current)
            current = ""
            continue
        if sign == '"' and not escaped:
            quoted = not quoted
        escaped = sign == "\\" and not escaped
        current += sign
    return [Address.parse(part) for part in (*parts, current) if part.strip()]
