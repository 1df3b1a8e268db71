"""Text and files: encodings, line ends, modes, words that mean the opposite, prefixes and suffixes."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, Tuple

from ..site import Change, Site, short
from .calls import callee, calls_of, closing
from .strings import quoted, strings_of
from .wrapping import wrappable

ENCODINGS = ("utf-8", "utf-8-sig", "latin-1", "cp1252", "ascii", "utf-16")
MODES: Dict[str, Tuple[str, ...]] = {
    "w": ("a", "wb", "x"),
    "a": ("w",),
    "r": ("rb", "r+"),
    "rb": ("r",),
    "wb": ("w",),
}
MODES.update({"x": ("w",), "r+": ("w",), "ab": ("wb",), "w+": ("a+",)})
OPPOSITE = (
    ("store_true", "store_false"),
    ("left", "right"),
    ("asc", "desc"),
    ("first", "last"),
    ("start", "end"),
    ("*", "+"),
    ("*", "?"),
    ("min", "max"),
    ("on", "off"),
    ("yes", "no"),
    ("true", "false"),
    ("big", "little"),
    ("up", "down"),
    ("ignore", "replace"),
    ("strict", "replace"),
    ("strict", "ignore"),
    ("store", "append"),
    ("rows", "columns"),
)


def encoding(site: Site) -> Iterator[Change]:
    """Another encoding; one that is not named; what it does not know."""
    for node, value in strings_of(site):
        if value.lower().replace("_", "-") in (*ENCODINGS, "utf8", "iso-8859-1", "latin1"):
            for rank, other in enumerate(ENCODINGS):
                if other != value:
                    fault = "uses the encoding `%s` where `%s` is meant" % (value, other)
                    yield Change(site.swap(node, quoted(site, node, other)), 0.1 * rank, _call(site, node), fault)
    yield from _unnamed(site)


def _unnamed(site: Site) -> Iterator[Change]:
    for call in calls_of(site):
        name, owner = callee(call)
        given = [keyword.arg for keyword in call.keywords]
        if name in ("read_text", "write_text", "open") and "encoding" not in given and owner is not None:
            end, lead = closing(site, call)
            fault = "takes the encoding of the machine"
            yield Change(((end, end, lead + 'encoding="utf-8"'),), 0.0, "`%s`" % short(site.text(call)), fault)
        if name in ("encode", "decode") and "errors" not in given:
            end, lead = closing(site, call)
            for rank, handler in enumerate(("replace", "ignore", "backslashreplace", "surrogateescape")):
                text = '%serrors="%s"' % (lead, handler)
                fault = "fails for what the encoding does not know"
                yield Change(((end, end, text),), 0.2 + 0.1 * rank, "`%s`" % short(site.text(call)), fault)


def mixed(site: Site) -> Iterator[Change]:
    """Text where bytes are needed, or the other way round."""
    if not any(True for _red in site.hints.of("bytes", "'str' object has no attribute", "encoded", "buffer API")):
        return
    for node in wrappable(site):
        for rank, method in enumerate(('encode("utf-8")', 'decode("utf-8")', "encode()", "decode()")):
            new = "%s.%s" % (site.operand(node), method)
            yield Change(site.swap(node, new), 0.1 * rank, "`%s`" % short(site.text(node)), "mixes text and bytes")
    for name in site.of(ast.Name):
        if isinstance(site.parent(name), ast.Attribute):
            new = '%s.encode("utf-8")' % site.text(name)
            yield Change(site.swap(name, new), 0.2, "`%s`" % site.text(name), "is text where bytes are needed")


def _call(site: Site, node: ast.AST) -> str:
    call = next((one for one in site.source.ancestors(node) if isinstance(one, ast.expr)), node)
    return "`%s`" % short(site.text(call))


def line_ends(site: Site) -> Iterator[Change]:
    """The line break at the end of a line that was read, or that is written; `strip` that takes too much."""
    reads = isinstance(site.stmt, ast.For) or any(hasattr(node, "generators") for node in site.nodes)
    for call in calls_of(site):
        name, owner = callee(call)
        what = "`%s`" % short(site.text(call))
        if name in ("strip", "rstrip", "lstrip") and not call.args and owner is not None:
            end = site.source.span(call)[1] - 1
            for rank, given in enumerate(('"\\n"', '"\\r\\n"', '"/"', '"."')):
                fault = "takes away more than `%s`" % given
                yield Change(((end, end, given),), 0.3 + 0.2 * rank, what, fault)
        if name in ("write", "append") and len(call.args) == 1:
            new = site.operand(call.args[0]) + ' + "\\n"'
            if not site.text(call.args[0]).endswith('"\\n"'):
                cost = 0.0 if name == "write" else 1.0
                yield Change(site.swap(call.args[0], new), cost, what, "writes no line break")
    for node in site.nodes:
        for part in getattr(node, "generators", []) if reads else []:
            shown = getattr(node, "elt", None)
            if shown is not None and site.text(shown) == site.text(part.target):
                for rank, form in enumerate(('.rstrip("\\n")', ".strip()", ".rstrip()")):
                    edits = site.swap(shown, site.text(shown) + form)
                    what = "`%s`" % short(site.text(node))
                    yield Change(edits, 0.1 * rank, what, "keeps the line break of each line")


def modes(site: Site) -> Iterator[Change]:
    """The mode of `open`; one word for its opposite."""
    for node, value in strings_of(site):
        call = site.parent(node)
        if isinstance(call, ast.Call) and callee(call)[0] == "open" and node in call.args[:2]:
            for rank, other in enumerate(MODES.get(value, ())):
                fault = "opens the file with `%s` where `%s` is meant" % (value, other)
                edits = site.swap(node, quoted(site, node, other))
                yield Change(edits, 0.2 * rank, "`%s`" % short(site.text(call)), fault)
        for one, two in OPPOSITE:
            if value in (one, two):
                other = two if value == one else one
                fault = "says `%s` where `%s` is meant" % (value, other)
                yield Change(site.swap(node, quoted(site, node, other)), 0.2, _call(site, node), fault)


def cut_off(site: Site) -> Iterator[Change]:
    """`rstrip(suffix)` takes letters, not a suffix."""
    for call in calls_of(site):
        name, owner = callee(call)
        if owner is None or len(call.args) not in (1, 2):
            continue
        of, given = site.operand(owner), site.text(call.args[0])
        what, fault = "`%s`" % short(site.text(call)), "takes away letters, not the whole of `%s`" % short(given)
        if name in ("rstrip", "strip", "replace"):
            for rank, form in enumerate(("%s[: -len(%s)]", "%s.removesuffix(%s)")):
                yield Change(site.swap(call, form % (of, given)), 0.2 + 0.1 * rank, what, fault)
        if name in ("lstrip", "strip", "replace"):
            for rank, form in enumerate(("%s[len(%s) :]", "%s.removeprefix(%s)")):
                yield Change(site.swap(call, form % (of, given)), 0.3 + 0.1 * rank, what, fault)


def room(site: Site) -> Iterator[Change]:
    """A slice that counts from the wrong end; a limit that leaves no room for what follows."""
    for node in site.of(ast.Subscript):
        assert isinstance(node, ast.Subscript)
        cut = node.slice
        if not isinstance(cut, ast.Slice):
            continue
        what = "`%s`" % short(site.text(node))
        for bound in (cut.lower, cut.upper):
            if isinstance(bound, ast.Call) and callee(bound)[0] == "len":
                start = site.source.span(bound)[0]
                yield Change(((start, start, "-"),), 0.2, what, "counts from the wrong end")
        upper = cut.upper
        tail = site.parent(node)
        if upper is not None and isinstance(tail, ast.BinOp) and isinstance(tail.right, ast.Constant):
            length = len(tail.right.value) if isinstance(tail.right.value, str) else 0
            if length:
                new = "%s - %d" % (site.operand(upper), length)
                yield Change(site.swap(upper, new), 0.0, what, "leaves no room for `%s`" % site.text(tail.right))


def in_bytes(site: Site) -> Iterator[Change]:
    """`len(text)` becomes `len(text.encode())`: room is counted in bytes, not in letters; or the other way round."""
    for call in calls_of(site):
        if callee(call) != ("len", None) or len(call.args) != 1:
            continue
        inner, what = call.args[0], "`%s`" % short(site.text(call))
        if isinstance(inner, ast.Call) and callee(inner)[0] in ("encode", "decode"):
            owner = callee(inner)[1]
            if owner is not None:
                yield Change(site.swap(inner, site.text(owner)), 0.0, what, "counts bytes where letters are meant")
        elif not isinstance(inner, (ast.List, ast.ListComp, ast.Dict, ast.Tuple)):
            new = "%s.encode()" % site.operand(inner)
            bytes_near = any(word in site.source.data for word in (b"encode", b"bytes", b"octet", b"utf-8"))
            fault = "counts letters where bytes are meant"
            yield Change(site.swap(inner, new), 0.0 if bytes_near else 1.2, what, fault)
