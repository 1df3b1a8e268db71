"""Titles as parts of an address."""

import re

_GAPS = re.compile(r"[^a-z0-9]")


def slug(title, limit=40):
    """Lower case, words joined by single dashes, cut at a word where it is longer than `limit`."""
    text = _GAPS.sub("-", title.lower()).strip("-")
    if len(text) <= limit:
        return text
    head, dash, _ = text[: limit + 1].rpartition("-")
    return head if dash else text[:limit]


def initials(name):
    """First letters of a name."""
    return "".join(part[0].upper() for part in name.split())


def words(text):
    """How many words a text has."""
    return len(text.split())
