"""Two ways for one value: it goes through a call only if it is there, if it is of a kind, or if it can."""

from __future__ import annotations

import ast
from typing import Iterator, Optional, Tuple

from ..site import Change, Site, short
from .asked import kinds_told_apart
from .calls import calls_of

LONGEST = 40
MOST_KINDS = 4
PLAIN = (ast.Name, ast.Attribute, ast.Subscript)
VALUES = (ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.keyword, ast.Dict, ast.Tuple, ast.List, ast.BinOp)
ELEMENTS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.Call, ast.Yield, ast.Starred)
NONE_SAID = 0.8
"""Less where the error speaks of `None`."""


def only_if(site: Site) -> Iterator[Change]:
    """`f(x)` becomes `f(x) if x is not None else None`, `x if isinstance(x, K) else f(x)` and so on."""
    said = NONE_SAID if any(True for _red in site.hints.of("NoneType")) else 0.0
    for node in calls_of(site):
        subject = _subject(site, node)
        if subject is None or not isinstance(site.parent(node), (*VALUES, *ELEMENTS)) or "\n" in site.text(node):
            continue
        for cost, form in _forms(site, node, site.text(subject)):
            new = form.replace("{x}", site.text(subject)).replace("{f}", site.text(node))
            fault = "is right for some values only: it should be `%s`" % short(new)
            lower = said if "None" in form else 0.0
            yield Change(site.fit(node, new), cost - lower, "`%s`" % short(site.text(node)), fault)


def _subject(site: Site, node: ast.Call) -> Optional[ast.expr]:
    """What the call converts: its first argument, or that whose method it is."""
    found = node.args[0] if node.args else getattr(node.func, "value", None)
    if not isinstance(found, PLAIN) or len(site.text(found)) > LONGEST or "\n" in site.text(found):
        return None
    own = site.text(found)
    known = own.split(".")[0].split("[")[0]
    return found if own not in ("self", "cls") and (known == "self" or known in site.live()) else None


def _forms(site: Site, node: ast.Call, subject: str) -> Iterator[Tuple[float, str]]:
    yield 0.0, "{f} if {x} is not None else None"
    yield 0.1, "{f} if {x} else {x}"
    yield 0.3, "{f} if {x} else None"
    yield 0.35, "{f} if {x} else []"
    for rank, kind in enumerate(kinds_told_apart(site.source)[:MOST_KINDS]):
        yield 0.2 + 0.1 * rank, "{f} if isinstance({x}, %s) else {x}" % kind
        yield 0.25 + 0.1 * rank, "{x} if isinstance({x}, %s) else {f}" % kind
    if isinstance(node.func, ast.Attribute) and site.text(node.func.value) == subject:
        yield 0.3, '{f} if hasattr({x}, "%s") else {x}' % node.func.attr
        yield 0.5, '{f} if {x} else ""'


def called_if(site: Site) -> Iterator[Change]:
    """`x` becomes `x() if callable(x) else x`: what is given may be made anew each time."""
    for node in site.of(ast.Name, ast.Attribute):
        text = site.text(node)
        own = (isinstance(node, ast.Attribute) and text.startswith("self.")) or text in site.live()
        if not own or not isinstance(getattr(node, "ctx", None), ast.Load) or text.count(".") > 1:
            continue
        parent = site.parent(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        if not called and isinstance(parent, (ast.Return, ast.Assign, ast.keyword, ast.Dict, ast.Call)):
            fault = "may be a function that makes the value"
            new = "%s() if callable(%s) else %s" % (text, text, text)
            yield Change(site.fit(node, new), 0.3, "`%s`" % text, fault)
