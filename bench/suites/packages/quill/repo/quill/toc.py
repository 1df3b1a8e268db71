"""Anchors of headings, and tables of contents."""

import re
import unicodedata
from dataclasses import dataclass, field

from quill.nodes import Heading, plain


def slug(text):
    """Small letters, digits and hyphens; letters of any script stay."""
    text = unicodedata.normalize("NFKC", text).lower()
    text = re.sub(r"[^\w\s-]", "", text)
    return re.sub(r"[\s_-]+", "-", text).strip("-")


def set_anchors(root):
    """Give each heading an anchor that no other one has."""
    used = set()
    for node in root.walk():
        if isinstance(node, Heading):
            base = slug(plain(node.children)) or "section"
            anchor, number = base, 0
            while anchor in used:
                number += 1
                anchor = f"{base}-{number}"
            used.add(anchor)
            node.anchor = anchor


@dataclass
class Entry:
    """A heading in the table of contents, with those below it."""

    level: int
    title: str
    anchor: str
    entries: list = field(default_factory=list)


def contents(root, deepest=6):
    """Entries of a document as a tree; a heading belongs to the nearest one before it with a smaller level."""
    top, path = [], []
    for node in root.walk():
        if not isinstance(node, Heading) or node.level > deepest:
            continue
        entry = Entry(node.level, plain(node.children), node.anchor)
        while path and path[-1].level >= node.level:
            path.pop()
        (path[-1].entries if path else top).append(entry)
        path.append(entry)
    return top


def contents_html(entries):
    """Nested lists of links."""
    from quill.html import escape

    if not entries:
        return ""
    items = "".join(
        f'<li><a href="#{escape(entry.anchor, quote=True)}">{escape(entry.title)}</a>{contents_html(entry.entries)}</li>'
        for entry in entries
    )
    return f"<ul>{items}</ul>"
