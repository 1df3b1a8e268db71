"""A document: parsed once, shown in many ways."""

from functools import cached_property

from quill.blocks import BlockParser
from quill.html import HtmlRenderer
from quill.nodes import Heading, Image, Link, plain
from quill.text import TextRenderer
from quill.toc import contents, set_anchors


class Document:
    """Source with its tree."""

    def __init__(self, source):
        self.source = source

    @cached_property
    def root(self):
        root = BlockParser(self.source).parse()
        set_anchors(root)
        return root

    @property
    def title(self):
        """The text of the first heading of the first level, or of the first heading, or nothing."""
        headings = [node for node in self.root.walk() if isinstance(node, Heading)]
        chosen = next((node for node in headings if node.level == 1), headings[0] if headings else None)
        return plain(chosen.children) if chosen else ""

    def links(self):
        """Targets of links and images, each once, as they come."""
        return list(dict.fromkeys(node.target for node in self.root.walk() if isinstance(node, (Link, Image))))

    def contents(self, deepest=6):
        return contents(self.root, deepest)

    def html(self, **options):
        return HtmlRenderer(**options).visit(self.root)

    def text(self, width=72):
        return TextRenderer(width).visit(self.root)


def to_html(source, **options):
    return Document(source).html(**options)


def to_text(source, width=72):
    return Document(source).text(width)
