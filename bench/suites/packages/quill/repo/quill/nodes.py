"""What a document is made of. Blocks hold blocks or inlines; visitors find their way by class name."""

from dataclasses import dataclass, field


class Node:
    """A part of a document. Those that hold others have `children`."""

    def walk(self):
        """This node and all below it, from top to bottom."""
        yield self
        for child in getattr(self, "children", ()):
            yield from child.walk()


@dataclass
class Text(Node):
    text: str


@dataclass
class Break(Node):
    """The end of a line; a hard one is kept."""

    hard: bool = False


@dataclass
class Code(Node):
    text: str


@dataclass
class Emphasis(Node):
    children: list


@dataclass
class Strong(Node):
    children: list


@dataclass
class Link(Node):
    children: list
    target: str
    title: str = ""


@dataclass
class Image(Node):
    alt: str
    target: str
    title: str = ""


@dataclass
class Root(Node):
    children: list


@dataclass
class Heading(Node):
    level: int
    children: list
    anchor: str = ""


@dataclass
class Paragraph(Node):
    children: list


@dataclass
class CodeBlock(Node):
    text: str
    language: str = ""


@dataclass
class Quote(Node):
    children: list


@dataclass
class Item(Node):
    children: list


@dataclass
class ListBlock(Node):
    children: list
    ordered: bool = False
    start: int = 1
    tight: bool = True


@dataclass
class Rule(Node):
    pass


@dataclass
class Table(Node):
    """Cells are lists of inlines. `aligns` has an entry for each column: left, right, center or None."""

    head: list
    rows: list
    aligns: list = field(default_factory=list)

    @property
    def children(self):
        return [node for row in [self.head, *self.rows] for cell in row for node in cell]


class Visitor:
    """Calls `visit_<class>` for a node."""

    def visit(self, node):
        method = getattr(self, f"visit_{type(node).__name__.lower()}", None)
        if method is None:
            raise TypeError(f"{type(self).__name__} cannot show {type(node).__name__}")
        return method(node)

    def all(self, nodes, between=""):
        return between.join(self.visit(node) for node in nodes)


def plain(nodes):
    """The text of inlines without any markup."""
    parts = []
    for node in nodes:
        if isinstance(node, (Text, Code)):
            parts.append(node.text)
        elif isinstance(node, Break):
            parts.append(" ")
        elif isinstance(node, Image):
            parts.append(node.alt)
        else:
            parts.append(plain(node.children))
    return "".join(parts)
