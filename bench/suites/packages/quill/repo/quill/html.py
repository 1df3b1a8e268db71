"""HTML."""

from quill.nodes import Paragraph, Visitor

_ALLOWED = ("http", "https", "mailto", "ftp")


def escape(text, quote=False):
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;") if quote else text


def safe(target):
    """The address, or nothing where it would run code."""
    scheme, colon, _ = target.strip().partition(":")
    letters = "".join(letter for letter in scheme if letter.isprintable() and not letter.isspace())
    if colon and "/" not in letters and "#" not in letters and "?" not in letters and letters.lower() not in _ALLOWED:
        return ""
    return target


class HtmlRenderer(Visitor):
    """Renders a tree as HTML. `shift` makes all headings smaller by so many levels."""

    def __init__(self, shift=0, soft_break="\n"):
        self.shift = shift
        self.soft_break = soft_break
        self._tight = [False]

    def visit_root(self, node):
        return self.all(node.children)

    def visit_heading(self, node):
        level = min(node.level + self.shift, 6)
        anchor = f' id="{escape(node.anchor, quote=True)}"' if node.anchor else ""
        return f"<h{level}{anchor}>{self.all(node.children)}</h{level}>\n"

    def visit_paragraph(self, node):
        inner = self.all(node.children)
        return inner + "\n" if self._tight[-1] else f"<p>{inner}</p>\n"

    def visit_codeblock(self, node):
        language = f' class="language-{escape(node.language, quote=True)}"' if node.language else ""
        return f"<pre><code{language}>{escape(node.text)}</code></pre>\n"

    def visit_quote(self, node):
        self._tight.append(False)
        inner = self.all(node.children)
        self._tight.pop()
        return f"<blockquote>\n{inner}</blockquote>\n"

    def visit_listblock(self, node):
        self._tight.append(node.tight)
        tag = "ol" if node.ordered else "ul"
        start = f' start="{node.start}"' if node.ordered and node.start != 1 else ""
        inner = self.all(node.children)
        self._tight.pop()
        return f"<{tag}{start}>\n{inner}</{tag}>\n"

    def visit_item(self, node):
        inner = self.all(node.children)
        if self._tight[-1] and node.children and isinstance(node.children[-1], Paragraph):
            inner = inner.removesuffix("\n")
        elif not self._tight[-1]:
            inner = "\n" + inner
        return f"<li>{inner}</li>\n"

    def visit_rule(self, node):
        return "<hr>\n"

    def visit_table(self, node):
        head = self._row(node.head, node.aligns, "th")
        rows = "".join(self._row(row, node.aligns, "td") for row in node.rows)
        body = f"<tbody>\n{rows}</tbody>\n" if rows else ""
        return f"<table>\n<thead>\n{head}</thead>\n{body}</table>\n"

    def _row(self, cells, aligns, tag):
        shown = []
        for cell, align in zip(cells, aligns):
            style = f' style="text-align: {align}"' if align else ""
            shown.append(f"<{tag}{style}>{self.all(cell)}</{tag}>\n")
        return f"<tr>\n{''.join(shown)}</tr>\n"

    def visit_text(self, node):
        return escape(node.text)

    def visit_break(self, node):
        return "<br>\n" if node.hard else self.soft_break

    def visit_code(self, node):
        return f"<code>{escape(node.text)}</code>"

    def visit_emphasis(self, node):
        return f"<em>{self.all(node.children)}</em>"

    def visit_strong(self, node):
        return f"<strong>{self.all(node.children)}</strong>"

    def visit_link(self, node):
        title = f' title="{escape(node.title, quote=True)}"' if node.title else ""
        return f'<a href="{escape(safe(node.target), quote=True)}"{title}>{self.all(node.children)}</a>'

    def visit_image(self, node):
        title = f' title="{escape(node.title, quote=True)}"' if node.title else ""
        alt = escape(node.alt, quote=True)
        return f'<img src="{escape(safe(node.target), quote=True)}" alt="{alt}"{title}>'
