"""Light markup, rendered as HTML or as plain text."""

from quill.document import Document, to_html, to_text

__all__ = ["Document", "to_html", "to_text"]
