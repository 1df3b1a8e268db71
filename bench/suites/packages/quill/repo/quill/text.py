"""Plain text, wrapped. Links become footnotes, numbered in the order in which their targets first appear."""

from quill.nodes import Visitor


def wrap(text, width, first="", rest=""):
    """Lines of at most `width` letters, prefixes included. Words are never cut; forced line ends are kept."""
    lines = []
    for part in text.split("\n"):
        current = first if not lines else rest
        empty = True
        for word in part.split():
            if not empty and len(current) + 1 + len(word) > width:
                lines.append(current)
                current, empty = rest, True
            current += word if empty else f" {word}"
            empty = False
        lines.append(current.rstrip() if empty else current)
    return lines


class TextRenderer(Visitor):
    """Renders a tree as text of a width."""

    def __init__(self, width=72):
        self.width = width
        self._prefix = ""
        self._notes = {}

    def visit_root(self, node):
        self._notes = {}
        shown = self._blocks(node.children)
        if self._notes:
            notes = "\n".join(f"[{number}] {target}" for target, number in self._notes.items())
            shown = f"{shown}\n\n{notes}"
        return shown + "\n" if shown else ""

    def _blocks(self, nodes, between=None):
        gap = f"\n{self._prefix.rstrip()}\n" if between is None else between
        return gap.join(self.visit(node) for node in nodes)

    def _inside(self, nodes, prefix, between=None):
        """Blocks with something more before each line."""
        before, self._prefix = self._prefix, self._prefix + prefix
        try:
            return self._blocks(nodes, between)
        finally:
            self._prefix = before

    def visit_heading(self, node):
        text = " ".join(self.all(node.children).split())
        if node.level > 2:
            return f"{self._prefix}{text}"
        sign = "=" if node.level == 1 else "-"
        return f"{self._prefix}{text}\n{self._prefix}{sign * len(text)}"

    def visit_paragraph(self, node):
        return "\n".join(wrap(self.all(node.children), self.width, self._prefix, self._prefix))

    def visit_codeblock(self, node):
        return "\n".join(f"{self._prefix}    {line}".rstrip() for line in node.text.rstrip("\n").split("\n"))

    def visit_quote(self, node):
        return self._inside(node.children, "> ")

    def visit_listblock(self, node):
        last = node.start + len(node.children) - 1
        width = len(f"{last}. ") if node.ordered else 2
        shown = []
        for number, item in enumerate(node.children, start=node.start):
            marker = f"{number}." if node.ordered else "-"
            inner = self._inside(item.children, " " * width, "\n" if node.tight else None)
            head = f"{self._prefix}{marker:<{width}}"
            shown.append((head + inner[len(head) :]).rstrip() if inner else head.rstrip())
        gap = "\n" if node.tight else f"\n{self._prefix.rstrip()}\n"
        return gap.join(shown)

    def visit_rule(self, node):
        return self._prefix + "-" * (self.width - len(self._prefix))

    def visit_table(self, node):
        rows = [[self.all(cell).replace("\n", " ") for cell in row] for row in [node.head, *node.rows]]
        widths = [max(len(row[column]) for row in rows) for column in range(len(node.head))]
        lines = [self._row(row, widths, node.aligns) for row in rows]
        lines.insert(1, self._prefix + "  ".join("-" * width for width in widths))
        return "\n".join(lines)

    def _row(self, cells, widths, aligns):
        signs = {"right": ">", "center": "^"}
        shown = (f"{cell:{signs.get(align, '<')}{width}}" for cell, width, align in zip(cells, widths, aligns))
        return (self._prefix + "  ".join(shown)).rstrip()

    def visit_text(self, node):
        return node.text

    def visit_break(self, node):
        return "\n" if node.hard else " "

    def visit_code(self, node):
        return f"`{node.text}`"

    def visit_emphasis(self, node):
        return f"*{self.all(node.children)}*"

    def visit_strong(self, node):
        return self.all(node.children).upper()

    def visit_link(self, node):
        text = self.all(node.children)
        if node.target in (text, f"mailto:{text}"):
            return text
        number = self._notes.setdefault(node.target, len(self._notes) + 1)
        return f"{text} [{number}]"

    def visit_image(self, node):
        return f"[{node.alt}]" if node.alt else ""
