"""Inlines: what stands inside of a paragraph, a heading or a cell."""

import re

from quill.nodes import Break, Code, Emphasis, Image, Link, Strong, Text

ESCAPABLE = set("\\`*_{}[]()<>#+-.!|\"'~:")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>")
_TARGET = re.compile(
    r"""\(\s*
        (?:<(?P<quoted>[^<>\n]*)>|(?P<bare>[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))
        (?:\s+(?:"(?P<double>(?:\\.|[^"\\])*)"|'(?P<single>(?:\\.|[^'\\])*)'))?
        \s*\)""",
    re.VERBOSE,
)
_NAME = re.compile(r"\[((?:\\.|[^\[\]\\])*)\]")


def unescape(text):
    return re.sub(r"\\(.)", lambda match: match[1] if match[1] in ESCAPABLE else match[0], text)


def normal(name):
    """Names of references: neither capitals nor white space matter."""
    return " ".join(name.split()).casefold()


class InlineParser:
    """Parses one text. `references` maps normal names to (target, title)."""

    def __init__(self, references=None):
        self.references = references or {}

    def parse(self, text):
        """Inlines of a text; neighbouring texts are one."""
        return _joined(self._parse(text, in_link=False))

    def _parse(self, text, in_link):
        nodes, position, plain = [], 0, ""

        def flush():
            nonlocal plain
            if plain:
                nodes.append(Text(plain))
                plain = ""

        while position < len(text):
            found = self._special(text, position, in_link)
            if found is None:
                plain += text[position]
                position += 1
                continue
            node, position = found
            if isinstance(node, str):
                plain += node
            elif isinstance(node, Break):
                plain = plain.rstrip(" ")
                flush()
                nodes.append(node)
            else:
                flush()
                nodes.append(node)
        flush()
        return nodes

    def _special(self, text, position, in_link):
        """(node or plain text, where it ends), or None for an ordinary letter."""
        letter = text[position]
        if letter == "\\":
            return self._escape(text, position)
        if letter == "\n":
            hard = text[:position].endswith("  ")
            return Break(hard), _skip_blanks(text, position + 1)
        if letter == "`":
            return self._code(text, position)
        if letter in "*_":
            return self._emphasis(text, position, in_link)
        if letter == "!" and text.startswith("[", position + 1):
            return self._image(text, position)
        if letter == "[" and not in_link:
            return self._link(text, position)
        if letter == "<" and not in_link:
            return self._autolink(text, position)
        return None

    def _escape(self, text, position):
        following = text[position + 1 : position + 2]
        if following == "\n":
            return Break(hard=True), _skip_blanks(text, position + 2)
        if following and following in ESCAPABLE:
            return following, position + 2
        return "\\", position + 1

    def _code(self, text, position):
        """As many backticks close a code span as have opened it."""
        run = _run(text, position)
        start = position + run
        end = start
        while (end := text.find("`", end)) >= 0:
            length = _run(text, end)
            if length == run:
                return Code(_code_text(text[start:end])), end + run
            end += length
        return "`" * run, start

    def _emphasis(self, text, position, in_link):
        letter, run = text[position], _run(text, position)
        size = min(run, 2)
        if not _opens(text, position, run):
            return letter * run, position + run
        if run > 3:
            return letter * run, position + run
        if run == 3:
            end = _closing(text, position + 3, letter, 3)
            if end >= 0:
                inner = self._parse(text[position + 3 : end], in_link)
                return Emphasis([Strong(_joined(inner))]), end + 3
        for width in (size, 1):
            end = _closing(text, position + width, letter, width)
            if end > position + width:
                inner = _joined(self._parse(text[position + width : end], in_link))
                return (Strong if width == 2 else Emphasis)(inner), end + width
        return letter * run, position + run

    def _link(self, text, position):
        end = _bracket(text, position)
        if end < 0:
            return "[", position + 1
        label = text[position + 1 : end]
        target = self._target(text, end + 1, label)
        if target is None:
            return "[", position + 1
        address, title, after = target
        return Link(_joined(self._parse(label, in_link=True)), address, title), after

    def _image(self, text, position):
        end = _bracket(text, position + 1)
        label = text[position + 2 : end] if end >= 0 else ""
        target = self._target(text, end + 1, label) if end >= 0 else None
        if target is None:
            return "![", position + 2
        address, title, after = target
        return Image(unescape(label), address, title), after

    def _target(self, text, position, label):
        """(address, title, end) of what follows a label: (…), [name], [] or nothing."""
        match = _TARGET.match(text, position)
        if match is not None:
            address = match["quoted"] if match["quoted"] is not None else match["bare"]
            title = match["double"] if match["double"] is not None else match["single"]
            return unescape(address), unescape(title or ""), match.end()
        named = _NAME.match(text, position)
        name = named[1] if named and named[1] else label
        if normal(name) not in self.references:
            return None
        address, title = self.references[normal(name)]
        return address, title, named.end() if named else position

    def _autolink(self, text, position):
        match = _AUTOLINK.match(text, position)
        if match is None:
            return None
        shown = match[1]
        target = shown if ":" in shown else f"mailto:{shown}"
        return Link([Text(shown)], target), match.end()


def _code_text(text):
    """Line ends count as blanks; one blank on both sides is taken away, unless there is nothing else."""
    text = text.replace("\n", " ")
    if text.startswith(" ") and text.endswith(" ") and text.strip():
        return text[1:-1]
    return text


def _run(text, position):
    """How often the letter at a position is repeated."""
    end = position
    while end < len(text) and text[end] == text[position]:
        end += 1
    return end - position


def _opens(text, position, run):
    """A run opens emphasis before a letter that is no white space; `_` not inside of a word."""
    before = text[position - 1] if position else " "
    after = text[position + run : position + run + 1]
    if not after or after.isspace():
        return False
    return text[position] == "*" or not before.isalnum()


def _closes(text, position, run):
    before = text[position - 1]
    after = text[position + run : position + run + 1]
    if before.isspace():
        return False
    return text[position] == "*" or not after.isalnum()


def _closing(text, position, letter, width):
    """Where a run of exactly this width closes what was opened; code and escapes are passed over. -1 if nowhere."""
    depth = 0
    while position < len(text):
        if text[position] == "\\":
            position += 2
            continue
        if text[position] == "`":
            position = _after_code(text, position)
            continue
        if text[position] != letter:
            position += 1
            continue
        run = _run(text, position)
        if run == width or (run == 3 and width != 3):
            if _closes(text, position, run) and not depth:
                return position + run - width
            if run == width and _closes(text, position, run):
                depth -= 1
            elif run == width and _opens(text, position, run):
                depth += 1
        position += run
    return -1


def _after_code(text, position):
    run = _run(text, position)
    end = position + run
    while (end := text.find("`", end)) >= 0:
        length = _run(text, end)
        if length == run:
            return end + run
        end += length
    return position + run


def _bracket(text, position):
    """Where the bracket at a position is closed; brackets inside must be closed too. -1 if nowhere."""
    depth = 0
    while position < len(text):
        letter = text[position]
        if letter == "\\":
            position += 2
            continue
        if letter == "`":
            position = _after_code(text, position)
            continue
        if letter == "[":
            depth += 1
        elif letter == "]":
            depth -= 1
            if depth == 0:
                return position
        position += 1
    return -1


def _skip_blanks(text, position):
    while position < len(text) and text[position] == " ":
        position += 1
    return position


def _joined(nodes):
    joined = []
    for node in nodes:
        if joined and isinstance(node, Text) and isinstance(joined[-1], Text):
            joined[-1] = Text(joined[-1].text + node.text)
        else:
            joined.append(node)
    return joined
