"""Strings: a missing f prefix, a wrong separator or case, a literal spelled differently elsewhere in the file."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import is_docstring, walked
from .names import likeness

SEPARATORS = (" ", "", ",", ", ", "\n", "-", "_", "/", ".", ":", ";", "\t", "|")


def strings_of(site: Site) -> Iterator[Tuple[ast.Constant, str]]:
    for node in site.of(ast.Constant):
        assert isinstance(node, ast.Constant)
        inside_fstring = isinstance(site.parent(node), ast.JoinedStr)
        if isinstance(node.value, str) and not inside_fstring and not is_docstring(site.source, node):
            yield node, node.value


def quoted(site: Site, node: ast.AST, value: str) -> str:
    """A literal of this value in the quotes that the file uses here."""
    mark = "'" if re.match(r"[A-Za-z]*'", site.text(node)) else '"'
    body = repr(value)[1:-1]
    if mark == '"':
        body = body.replace("\\'", "'").replace('"', '\\"')
    elif repr(value)[0] == '"':
        body = body.replace("'", "\\'")
    return mark + body + mark


def _what(site: Site, node: ast.AST) -> str:
    parent = site.parent(node)
    whole = parent if isinstance(parent, ast.expr) else node
    return "`%s`" % short(site.text(whole))


def prefixed(site: Site) -> Iterator[Change]:
    """`"{name}"` becomes `f"{name}"`."""
    for node, value in strings_of(site):
        text = site.text(node)
        if re.search(r"\{[^{}]+\}", value) and text[:1] in "'\"":
            start = site.source.span(node)[0]
            yield Change(
                ((start, start, "f"),), 0.0, "`%s`" % short(text), "prints its braces: the `f` in front is missing"
            )
        if "\\" in text and text[:1] in "'\"":
            start = site.source.span(node)[0]
            yield Change(
                ((start, start, "r"),),
                0.6,
                "`%s`" % short(text),
                "has its backslashes eaten: it must be a raw string",
            )


def replaced(site: Site) -> Iterator[Change]:
    """Another string of the file, the one that is spelled most like it first; another separator."""
    known = _known(site)
    for node, value in strings_of(site):
        ranked = sorted((likeness(value, other), other) for other in known if other != value)
        for distance, other in ranked[:10]:
            new = quoted(site, node, other)
            fault = "has %s where %s belongs" % (short(ticks(site.text(node))), short(ticks(new)))
            yield Change(site.swap(node, new), 0.3 + distance, _what(site, node), fault)
        if len(value) <= 2:
            for rank, other in enumerate(SEPARATORS):
                if other != value:
                    new = quoted(site, node, other)
                    fault = "uses %s where %s belongs" % (ticks(site.text(node)), ticks(new))
                    yield Change(site.swap(node, new), 0.1 * rank, _what(site, node), fault)


def ticks(text: str) -> str:
    return "`%s`" % text


def _known(site: Site) -> List[str]:
    found: Dict[str, None] = {}
    for node in walked(site.source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not is_docstring(site.source, node):
            found[node.value] = None
    return [text for text in found if len(text) <= 60]


def recast(site: Site) -> Iterator[Change]:
    """The same literal in another case, without or with white space at its ends."""
    for node, value in strings_of(site):
        forms = (
            value.lower(),
            value.upper(),
            value.capitalize(),
            value.title(),
            value.strip(),
            value + " ",
            " " + value,
            value + "\n",
            *([value * 2] if len(value) == 1 and not value.isalnum() else []),
            *([value[:1]] if len(value) == 2 and value[:1] * 2 == value else []),
        )
        for rank, other in enumerate(dict.fromkeys(forms)):
            if other != value and len(value) <= 60:
                new = quoted(site, node, other)
                fault = "is spelled %s where %s is expected" % (ticks(short(site.text(node))), ticks(short(new)))
                yield Change(site.swap(node, new), 0.2 * rank, _what(site, node), fault)


_ENDS = ("\r\n", "\n", " ", " \t", "/", ".", ",", "-", "_")


def stripped(site: Site) -> Iterator[Change]:
    """`rstrip("\\n")` leaves a `\\r`: other characters at the ends, more of them, or any white space."""
    for node in site.of(ast.Call):
        assert isinstance(node, ast.Call)
        func = node.func
        if (
            not isinstance(func, ast.Attribute)
            or func.attr not in ("strip", "lstrip", "rstrip")
            or len(node.args) > 1
        ):
            continue
        old = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
        if not isinstance(old, str) or (node.args and not old):
            continue
        shown = site.text(node.args[0]) if node.args else '""'
        more = [text for text in _ENDS if text not in old] + [old + text for text in _ENDS if old and text not in old]
        for rank, text in enumerate(more):
            new = "%s(%s)" % (site.text(func), quoted_like(shown, text))
            yield Change(
                site.swap(node, new), 0.1 * rank, _what(site, node), "strips other characters than it should"
            )
        if node.args:
            yield Change(site.swap(node, site.text(func) + "()"), 0.2, _what(site, node), "leaves other white space")


def quoted_like(shown: str, text: str) -> str:
    """A literal of a text, in the quotes of another one."""
    mark = "'" if shown.endswith("'") else '"'
    body = text.encode("unicode_escape").decode("ascii")
    return mark + body.replace(mark, "\\" + mark) + mark


def byte_order(site: Site) -> Iterator[Change]:
    """`<BBH` for `>BBH` in the formats of `struct`, and "little" for "big"."""
    for node, value in strings_of(site):
        others = {"little": ["big"], "big": ["little"]}.get(value, [])
        if re.fullmatch(r"[<>=!@]?[\dxcbB?hHiIlLqQnNefdspP ]+", value) and "struct" in site.source.data.decode(
            "utf-8"
        ):
            others = [order + value.lstrip("<>=!@") for order in "<>!"]
        for rank, other in enumerate(one for one in others if one != value):
            fault = "has its bytes in the wrong order"
            yield Change(site.swap(node, quoted(site, node, other)), 0.1 * rank, _what(site, node), fault)


def formatted(site: Site) -> Iterator[Change]:
    """Width and precision in a format: `.1f` for `.2f`."""
    for node, value in strings_of(site):
        for found in re.finditer(r"\.(\d)([fge%])|%\.(\d)f", value):
            old = found.group(0)
            digit = found.group(1) or found.group(3)
            for rank, count in enumerate(("2", "1", "0", "3")):
                if count != digit:
                    new = value.replace(old, old.replace(digit, count), 1)
                    fault = "prints `%s` decimals where `%s` are expected" % (digit, count)
                    yield Change(site.swap(node, quoted(site, node, new)), 0.2 * rank, _what(site, node), fault)


_FIELD = re.compile(r"(?<!\{)\{([^{}:!'\"\n]+)(![rsa])?(:[^{}]*)?\}(?!\})")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_SPECS = (":02d", ":.2f", ":.1f", ":.0f", ":,", "!r")


def fields(site: Site) -> Iterator[Change]:
    """Fields of an f-string, edited as text: another name, a format, a slice, a name where a word stands."""
    for node in site.of(ast.JoinedStr):
        text = site.text(node)
        start = site.source.span(node)[0]
        for found in _FIELD.finditer(text):
            what = "`%s` in `%s`" % (found.group(), short(text))
            for cost, new in _other_fields(site, found.group(1), found.group(2) or "", found.group(3) or ""):
                at = start + len(text[: found.start()].encode("utf-8"))
                edits = ((at, at + len(found.group().encode("utf-8")), "{%s}" % new),)
                yield Change(edits, cost, what, "should be `{%s}`" % new)
        yield from _words_for_names(site, text, start)


def _other_fields(site: Site, name: str, conversion: str, spec: str) -> Iterator[Tuple[float, str]]:
    """Other ways to write the field; of what is more than a name, only its format."""
    for rank, more in enumerate(_SPECS):
        yield 0.1 * rank, name + more
    if conversion or spec:
        yield 0.3, name
    if spec[:1] == ":" and spec[-1:] in "df" and "," not in spec:
        yield 0.2, name + conversion + (":," + spec[1:])
    elif "," in spec:
        yield 0.2, name + conversion + spec.replace(",", "")
    if not _NAME.fullmatch(name):
        return
    for other, distance in site.live().items():
        if other != name:
            yield 0.2 + distance, other + conversion + spec
    for rank, form in enumerate(
        ("[:-1]", "[1:]", "[0]", ".strip()", ".lower()", ".upper()", ".title()", " + 1", " - 1")
    ):
        yield 0.6 + 0.1 * rank, name + form + conversion + spec


def _words_for_names(site: Site, text: str, start: int) -> Iterator[Change]:
    """`f"a and b"` becomes `f"a {word} b"`: an argument that was forgotten."""
    for found in re.finditer(r"(?<![{\w\\.])[A-Za-z0-9]+(?![\w}\"'])", text):
        before = text[: found.start()]
        if not before or before.count("{") > before.count("}"):
            continue
        for name, distance in sorted(site.live().items(), key=lambda pair: pair[1])[:4]:
            at = start + len(text[: found.start()].encode("utf-8"))
            edits = ((at, at + len(found.group()), "{%s}" % name),)
            what = "`%s` in `%s`" % (found.group(), short(text))
            yield Change(edits, 0.8 + distance, what, "is fixed where `{%s}` is meant" % name)
