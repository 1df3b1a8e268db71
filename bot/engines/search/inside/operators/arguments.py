"""Arguments: swapped, dropped, added, passed on, a keyword that is missing."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import FunctionNode, walked
from ..unit import Edit
from .calls import callee, calls_of, closing


def swapped(site: Site) -> Iterator[Change]:
    """Two arguments exchanged: neighbours first."""
    for node in calls_of(site):
        plain = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
        for first in range(len(plain)):
            for second in range(first + 1, len(plain)):
                one, two = plain[first], plain[second]
                if site.text(one) == site.text(two):
                    continue
                edits = site.swap(one, site.text(two)) + site.swap(two, site.text(one))
                what = "`%s`" % short(site.text(node))
                yield Change(edits, 0.3 * (second - first - 1), what, "passes its arguments in the wrong order")


def dropped(site: Site) -> Iterator[Change]:
    for node in calls_of(site):
        pieces = [site.text(argument) for argument in node.args] + [_keyword(site, k) for k in node.keywords]
        if len(pieces) < 1 or any(isinstance(argument, ast.GeneratorExp) for argument in node.args):
            continue
        for index, gone in enumerate(pieces):
            rest = ", ".join(pieces[:index] + pieces[index + 1 :])
            fault = "should not be given `%s`" % short(gone)
            edits = site.swap(node, "%s(%s)" % (site.text(node.func), rest))
            yield Change(edits, 0.3 if len(pieces) == 1 else 0.0, "`%s`" % short(site.text(node)), fault)


def _keyword(site: Site, keyword: ast.keyword) -> str:
    value = site.text(keyword.value)
    return "**%s" % value if keyword.arg is None else "%s=%s" % (keyword.arg, value)


def added(site: Site) -> Iterator[Change]:
    """A variable passed on that was forgotten, or a small constant."""
    for node in calls_of(site):
        if any(isinstance(argument, ast.GeneratorExp) for argument in node.args):
            yield from _default_of_next(site, node)
            continue
        given = [site.text(argument) for argument in node.args]
        what = "`%s`" % short(site.text(node))
        for name, distance in sorted(site.live().items(), key=lambda pair: pair[1])[:8]:
            if name not in given:
                yield Change(_behind(site, node, name), 0.3 + distance, what, "is not given `%s`" % name)
        for rank, text in enumerate(("1", "0", "2", "None", "True", "-1", '""', "[]", "{}")):
            fault = "lacks a further argument `%s`" % text
            yield Change(_behind(site, node, text), 0.9 + 0.15 * rank, what, fault)


def _behind(site: Site, node: ast.Call, text: str) -> Tuple[Edit, ...]:
    """One more argument by its place: in front of those by name."""
    end, lead = closing(site, node)
    named = next((keyword for keyword in node.keywords if keyword.arg is not None), None)
    head = re.search(rb"\w+\s*=\s*\Z", site.source.data[: site.source.span(named.value)[0]]) if named else None
    return ((head.start(), head.start(), text + ", "),) if head else ((end, end, lead + text),)


def _default_of_next(site: Site, node: ast.Call) -> Iterator[Change]:
    """`next(x for …)` raises where there is nothing; `next((x for …), default)` does not."""
    if callee(node)[0] != "next" or len(node.args) != 1:
        return
    text = site.text(node.args[0])
    text = text if text.startswith("(") else "(%s)" % text
    names = [name for name in arguments_of(site.function) if "default" in name] if site.function is not None else []
    for rank, default in enumerate([*names, "None", *[name for name in site.live() if name not in names][:3]]):
        edits = site.swap(node, "%s(%s, %s)" % (site.text(node.func), text, default))
        yield Change(edits, 0.2 * rank, "`%s`" % short(site.text(node)), "has no answer where nothing is found")


OWN_CLASS = ("type(self)", "self.__class__", "cls")


def passed_on(site: Site) -> Iterator[Change]:
    """A parameter of the project's function that the call does not pass, though something of that name is at hand."""
    functions: Dict[str, ast.AST] = {n.name: n for n in walked(site.source.tree) if isinstance(n, FunctionNode)}
    for node in calls_of(site):
        name = callee(node)[0]
        if site.klass is not None and site.text(node.func) in OWN_CLASS:
            name = site.klass.name
        function = functions.get(name)
        unclear = any(isinstance(argument, (ast.GeneratorExp, ast.Starred)) for argument in node.args)
        if not name or unclear or any(keyword.arg is None for keyword in node.keywords):
            continue
        known = [tuple(arguments_of(function))] if isinstance(function, FunctionNode) else []
        given = {keyword.arg for keyword in node.keywords}
        end, lead = closing(site, node)
        for parameters in known or site.hints.signatures.of(name):
            for parameter in parameters[len(node.args) :]:
                values = list(_at_hand(site, parameter, name)) if parameter not in given else []
                for rank, value in enumerate(values):
                    edits = ((end, end, "%s%s=%s" % (lead, parameter, value)),)
                    fault = "does not pass `%s` on" % value
                    yield Change(edits, 0.3 * rank, "`%s`" % short(site.text(node)), fault)


def _at_hand(site: Site, name: str, function: str) -> Iterator[str]:
    """What a parameter of this name could be given: a variable, what the object holds, what an argument holds.

    What the object holds may be named after the function too: `indent(text, self.indent)`.
    """
    if name in site.scope:
        yield name
    held = site.attributes()
    for attribute in (name, "_" + name, function, function + "_" + name):
        if attribute in held and site.function is not None and site.function.name != attribute:
            yield "self." + attribute
    read = {site.text(n) for n in walked(site.source.tree) if isinstance(n, ast.Attribute) and n.attr == name}
    for owner, near in site.live().items():
        if near < 0.5 and "%s.%s" % (owner, name) in read:
            yield "%s.%s" % (owner, name)


KEYWORDS: Dict[str, Tuple[str, ...]] = {
    "sorted": (
        "reverse=True",
        "key=len",
        "key=str.lower",
        "key=lambda item: item[1]",
        "key=lambda item: item[0]",
        "key=abs",
    ),
    "sort": (
        "reverse=True",
        "key=len",
        "key=str.lower",
        "key=lambda item: item[1]",
        "key=lambda item: item[0]",
        "key=abs",
    ),
    "min": ("default=None", "default=0", "key=len", "key=abs"),
    "max": ("default=None", "default=0", "key=len", "key=abs"),
    "popitem": ("last=False",),
    "move_to_end": ("last=False",),
    "dump": ("ensure_ascii=False", "sort_keys=True", "indent=2", "default=str"),
    "add_argument": ("type=int", 'action="store_true"', "default=None", 'nargs="*"', "type=float", "required=True"),
    "lru_cache": ("maxsize=None",),
    "gather": ("return_exceptions=True",),
    "to_bytes": ('byteorder="big"', "signed=True"),
    "replace": ("count=1",),
    "deque": ("maxlen=1",),
    "rmtree": ("ignore_errors=True",),
    "get": ("default=None", "timeout=10"),
    "wrap": ("break_long_words=False",),
    "urlparse": ('scheme="https"',),
    "parse_qs": ("keep_blank_values=True",),
    "Thread": ("daemon=True",),
    "Counter": (),
    "dumps": ("sort_keys=True", "ensure_ascii=False", "indent=2", "default=str"),
    "open": ('encoding="utf-8"', 'newline=""'),
    "split": ("maxsplit=1",),
    "enumerate": ("start=1",),
    "sum": ("start=1",),
    "zip": ("strict=True",),
    "makedirs": ("exist_ok=True",),
    "mkdir": ("parents=True", "exist_ok=True", "parents=True, exist_ok=True"),
    "run": ("check=True",),
    "print": ('end=""', 'sep=""'),
    "int": ("base=10", "base=16", "base=2"),
    "decode": ('errors="replace"',),
    "encode": ('errors="replace"',),
    "field": ("default_factory=list", "default_factory=dict"),
}


def keyword_added(site: Site) -> Iterator[Change]:
    for node in calls_of(site):
        name = callee(node)[0]
        given = {keyword.arg for keyword in node.keywords}
        if any(isinstance(argument, ast.GeneratorExp) for argument in node.args):
            continue
        texts = [*KEYWORDS.get(name, ()), *_of_this_name(site, name)]
        for rank, text in enumerate(texts):
            if text.split("=")[0] not in given:
                end, lead = closing(site, node)
                what = "`%s`" % short(site.text(node))
                yield Change(((end, end, lead + text),), 0.25 * rank, what, "lacks `%s`" % text)


def _of_this_name(site: Site, name: str) -> Iterator[str]:
    """Keywords that are called as a variable, or an attribute of one, that is at hand."""
    words = BY_NAME.get(name, ())
    functions = [n for n in walked(site.source.tree) if isinstance(n, FunctionNode) and n.name == name]
    for function in functions:
        words = (*words, *arguments_of(function))
    read = [site.text(n) for n in walked(site.source.tree) if isinstance(n, ast.Attribute)] if functions else []
    for word in words:
        if word in site.scope:
            yield "%s=%s" % (word, word)
    if name == "print" and "sys" in site.scope:
        yield "file=sys.stderr"
    owners = [one for one, cost in site.live().items() if cost < 0.5][:4]
    for word in words:
        for owner in owners:
            dotted = "%s.%s" % (owner, word)
            if dotted in read or any(text.startswith(owner + ".") for text in read):
                yield "%s=%s" % (word, dotted)


BY_NAME: Dict[str, Tuple[str, ...]] = {
    "max": ("default", "key"),
    "min": ("default", "key"),
    "sorted": ("key", "reverse"),
    "sort": ("key", "reverse"),
    "open": ("encoding", "mode", "newline"),
    "print": ("sep", "end", "file"),
    "split": ("sep", "maxsplit"),
    "sum": ("start",),
    "enumerate": ("start",),
    "dumps": ("indent", "default", "sort_keys"),
    "round": ("ndigits",),
    "run": ("timeout", "cwd", "env", "check"),
}
