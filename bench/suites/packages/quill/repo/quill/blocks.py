"""Blocks: lines in, a tree out. References are collected first, so that they may stand anywhere."""

import re

from quill.inline import InlineParser, normal, unescape
from quill.nodes import CodeBlock, Heading, Item, ListBlock, Paragraph, Quote, Root, Rule, Table

TAB = 4
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})[ \t]*([^`]*)$")
_BULLET = re.compile(r"( {0,3})([-*+])( +|$)")
_NUMBER = re.compile(r"( {0,3})(\d{1,9})([.)])( +|$)")
_QUOTE = re.compile(r" {0,3}> ?")
_DIVIDER = re.compile(r"[ \t]*:?-+:?[ \t]*")
_REFERENCE = re.compile(r""" {0,3}\[((?:\\.|[^\[\]\\])+)\]:[ \t]*(?:<([^<>]*)>|(\S+))(?:[ \t]+(?:"(.*)"|'(.*)'))?[ \t]*$""")


class BlockParser:
    """Parses the lines of a document."""

    def __init__(self, source):
        lines = source.expandtabs(TAB).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.references = {}
        self._lines = self._without_references(lines)
        self._inline = InlineParser(self.references)

    def parse(self):
        return Root(self._blocks(self._lines))

    def _without_references(self, lines):
        """Take the definitions out. They stand at the beginning of paragraphs; not in code."""
        kept, fence, in_paragraph = [], None, False
        for line in lines:
            opened = _FENCE.match(line)
            if fence is None and opened:
                fence = opened[2]
            elif fence is not None:
                if opened and opened[2].startswith(fence) and not opened[3]:
                    fence = None
            elif not in_paragraph and (match := _REFERENCE.match(line)):
                self._define(match)
                continue
            in_paragraph = bool(line.strip()) and fence is None and not _HEADING.match(line)
            kept.append(line)
        return kept

    def _define(self, match):
        target = match[2] if match[2] is not None else match[3]
        title = match[4] if match[4] is not None else match[5]
        self.references.setdefault(normal(match[1]), (unescape(target), unescape(title or "")))

    # -- blocks

    def _blocks(self, lines):
        blocks, position = [], 0
        while position < len(lines):
            if not lines[position].strip():
                position += 1
                continue
            for reader in (
                self._fence, self._indented, self._heading, self._rule, self._quote, self._list, self._table,
            ):  # fmt: skip
                found = reader(lines, position)
                if found is not None:
                    break
            else:
                found = self._paragraph(lines, position)
            block, position = found
            blocks.append(block)
        return blocks

    def _fence(self, lines, position):
        match = _FENCE.match(lines[position])
        if match is None:
            return None
        indent, fence, language = len(match[1]), match[2], match[3].split(" ")[0]
        body = []
        for number in range(position + 1, len(lines)):
            closing = _FENCE.match(lines[number])
            if closing and closing[2].startswith(fence) and not closing[3]:
                return CodeBlock(_text(body), language), number + 1
            body.append(_unindent(lines[number], indent))
        return CodeBlock(_text(body), language), len(lines)

    def _indented(self, lines, position):
        if _indent(lines[position]) < TAB:
            return None
        end = position
        while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) >= TAB):
            end += 1
        body = [_unindent(line, TAB) for line in lines[position:end]]
        while body and not body[-1].strip():
            body.pop()
        return CodeBlock(_text(body)), end

    def _heading(self, lines, position):
        match = _HEADING.match(lines[position])
        if match is None:
            return None
        return Heading(len(match[1]), self._inline.parse((match[2] or "").strip())), position + 1

    def _rule(self, lines, position):
        return (Rule(), position + 1) if _RULE.match(lines[position]) else None

    def _quote(self, lines, position):
        """A quote goes on in lines without > as long as they go on with a paragraph of it."""
        if not _QUOTE.match(lines[position]):
            return None
        body, end = [], position
        while end < len(lines) and lines[end].strip():
            match = _QUOTE.match(lines[end])
            if match is None and (not body[-1].strip() or self._starts_block(lines[end])):
                break
            body.append(lines[end][match.end() :] if match else lines[end])
            end += 1
        return Quote(self._blocks(body)), end

    def _list(self, lines, position):
        marker = _marker(lines[position])
        if marker is None:
            return None
        kind, start, _ = marker
        items, end, loose = [], position, False
        while end < len(lines):
            found = _marker(lines[end])
            if found is None or found[0] != kind or _RULE.match(lines[end]):
                break
            body, after, blank_inside = self._item(lines, end, found[2])
            items.append(Item(self._blocks(body)))
            following = _next_filled(lines, after)
            again = following < len(lines) and (_marker(lines[following]) or ("",))[0] == kind
            loose = loose or blank_inside or (again and following > after)
            end = following if again else after
        ordered = kind in ".)"
        return ListBlock(items, ordered, start if ordered else 1, tight=not loose), end

    def _item(self, lines, position, width):
        """Lines of one item without its indent, where it ends, and whether blank lines part its blocks."""
        body = [lines[position][width:]]
        end, blank_inside = position + 1, False
        while end < len(lines):
            line = lines[end]
            if not line.strip():
                following = _next_filled(lines, end)
                if following == len(lines) or _indent(lines[following]) < width:
                    break
                blank_inside = blank_inside or _indent(lines[following]) == width
                body += [""] * (following - end)
                end = following
                continue
            if _indent(line) >= width:
                body.append(line[width:])
            elif not body[-1].strip() or _marker(line) or self._starts_block(line):
                break
            else:
                body.append(line.lstrip())
            end += 1
        return body, end, blank_inside

    def _table(self, lines, position):
        if position + 1 >= len(lines) or "|" not in lines[position]:
            return None
        dividers = _cells(lines[position + 1])
        head = _cells(lines[position])
        if len(dividers) != len(head) or not all(_DIVIDER.fullmatch(cell) for cell in dividers):
            return None
        end, rows = position + 2, []
        while end < len(lines) and "|" in lines[end]:
            cells = _cells(lines[end])[: len(head)]
            rows.append(cells + [""] * (len(head) - len(cells)))
            end += 1
        parsed = [[self._inline.parse(cell.strip()) for cell in row] for row in [head, *rows]]
        return Table(parsed[0], parsed[1:], [_align(cell.strip()) for cell in dividers]), end

    def _paragraph(self, lines, position):
        """Up to a blank line or another block; an underline makes a heading of it."""
        body, end = [lines[position]], position + 1
        while end < len(lines) and lines[end].strip():
            underline = _UNDERLINE.match(lines[end])
            if underline:
                level = 1 if underline[1][0] == "=" else 2
                return Heading(level, self._inline.parse(_paragraph_text(body))), end + 1
            if self._starts_block(lines[end]):
                break
            body.append(lines[end])
            end += 1
        return Paragraph(self._inline.parse(_paragraph_text(body))), end

    @staticmethod
    def _starts_block(line):
        """Whether a line ends a paragraph. Of ordered lists only those that begin with 1 do."""
        if any(pattern.match(line) for pattern in (_HEADING, _RULE, _FENCE, _QUOTE, _BULLET)):
            return True
        number = _NUMBER.match(line)
        return bool(number) and int(number[2]) == 1


def _marker(line):
    """(kind, number, width) of the marker of a list item, or None."""
    match = _BULLET.match(line)
    if match:
        return match[2], 1, _width(match, match[3])
    match = _NUMBER.match(line)
    if match:
        return match[3], int(match[2]), _width(match, match[4])
    return None


def _width(match, blanks):
    """Where the text of an item begins; many blanks belong to code in the item."""
    marker = match.end() - len(blanks)
    return marker + (len(blanks) if 1 <= len(blanks) <= TAB else 1)


def _cells(line):
    """Cells of a row; an escaped bar, or one in code, does not part them."""
    line = line.strip()
    cells, current, position = [], "", 1 if line.startswith("|") else 0
    while position < len(line):
        if line.startswith("\\|", position):
            current += "|"
            position += 2
        elif line[position] == "|":
            cells.append(current)
            current = ""
            position += 1
        elif line[position] == "`" and (close := line.find("`", position + 1)) > 0:
            current += line[position : close + 1]
            position = close + 1
        else:
            current += line[position]
            position += 1
    if current.strip() or not line.endswith("|"):
        cells.append(current)
    return cells


def _align(divider):
    left, right = divider.startswith(":"), divider.endswith(":")
    if left and right:
        return "center"
    return "left" if left else "right" if right else None


def _paragraph_text(lines):
    return "\n".join(line.lstrip() for line in lines).rstrip()


def _text(lines):
    return "".join(f"{line}\n" for line in lines)


def _indent(line):
    return len(line) - len(line.lstrip(" "))


def _unindent(line, width):
    return line[min(_indent(line), width) :]


def _next_filled(lines, position):
    while position < len(lines) and not lines[position].strip():
        position += 1
    return position
