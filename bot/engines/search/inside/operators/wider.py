"""Regular expressions that take too little: an optional sign, one more alternative, more letters, white space."""

from __future__ import annotations

import re
from typing import Iterator

from ..site import Change, Site, short
from .members import said_texts
from .patterns import as_literal, is_pattern
from .strings import strings_of, ticks

WIDER = (
    (r"\w", r"[\w-]"), (r"\w", r"[\w.-]"), (r"\w", r"[\w.]"), (r"\d+", r"\d*"), (r"\d+", r"[\d_]+"),
    (r"\d+", r"[\d.]+"), (r"\d", "[0-9a-fA-F]"), ("-?", "[+-]?"), ("[a-z]", "[a-zA-Z]"),
    ("[a-z]", "[a-z0-9]"), ("[A-Z]", "[a-zA-Z]"), (r"\s", r"\s*"), (r"\s+", r"\s*"), (" ", r"\s+"),
    (" ", r"\s*"), ("=", r"\s*=\s*"), (":", r"\s*:\s*"), (",", r"\s*,\s*"), ("'", '[\'\\"]'), ('"', '["\']'),
    (".*", r"[\s\S]*"), (".+", "[^/]+"), (".*", '[^"]*'), ("\n", r"\r?\n"), (r"\n", r"\r?\n"), ("$", r"\s*$"),
    ("^", r"^\s*"), (".", r"\."), ("https", "https?"), ("http", "https?"), ("{1,", "{0,"), ("^", ""),
    ("$", ""), ("(", "(?i:"), (".*", ".*?"), (".+", ".+?"), (r"\Z", "$"), ("$", r"\Z"), (r"\b", r"(?<!\w)"),
    ("e", "[eE]"),
)  # fmt: skip


def wider(site: Site) -> Iterator[Change]:
    """One part of a pattern, or all that are alike, takes more; a letter is optional; a group has one way more."""
    for node, value in strings_of(site):
        if not is_pattern(site, node, value):
            continue
        for rank, other in enumerate(dict.fromkeys(_forms(site, value))):
            if other != value and _compiles(other):
                new = as_literal(site, node, other)
                fault = "takes too little, or too much; it should read %s" % ticks(short(new))
                cost = min(1.5, 0.05 * rank)
                yield Change(site.swap(node, new), cost, "the pattern `%s`" % short(site.text(node)), fault)


def _forms(site: Site, value: str) -> Iterator[str]:
    for old, new in WIDER:
        if old in value:
            yield value.replace(old, new, 1)
            yield value.replace(old, new)
            head, _found, tail = value.rpartition(old)
            yield head + new + tail
    yield "(?i)" + value
    for found in re.finditer(r"(?<![\\\w])[A-Za-z](?![\w?*+{])|\\[-./+](?![?*+{])", value):
        yield value[: found.end()] + "?" + value[found.end() :]
    for found in re.finditer(r"\|[^()|]*(?=\))", value):
        for word in said_texts(site.hints)[:4]:
            yield value[: found.end()] + "|" + re.escape(word) + value[found.end() :]
    for found in re.finditer(r"\{(\d+)\}", value):
        count = int(found.group(1))
        for new in ("{1,%d}" % count, "{%d,}" % count, "{%d,%d}" % (count, count + 1), "+"):
            yield value[: found.start()] + new + value[found.end() :]


def _compiles(value: str) -> bool:
    try:
        re.compile(value)
    except (re.error, OverflowError):
        return False
    return True
