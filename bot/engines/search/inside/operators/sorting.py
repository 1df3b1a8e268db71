"""Order: what must be sorted, by which key, and what decides where the key is the same."""

from __future__ import annotations

import ast
from typing import Iterator, List

from ..site import Change, Site, short
from ..source import walked
from .calls import callee, calls_of, closing

SORTERS = ("sorted", "sort", "min", "max", "nsmallest", "nlargest")


def ties(site: Site) -> Iterator[Change]:
    """`key=lambda x: -score[x]` becomes `(-score[x], x)`: what is equal gets an order too."""
    for node in calls_of(site):
        for keyword in node.keywords:
            if keyword.arg != "key" or not isinstance(keyword.value, ast.Lambda) or not keyword.value.args.args:
                continue
            body, name = keyword.value.body, keyword.value.args.args[0].arg
            what = "`%s`" % short(site.text(node))
            if not isinstance(body, ast.Tuple):
                text = site.text(body)
                for rank, new in enumerate(("(%s, %s)", "(-%s, %s)")):
                    fault = "leaves open what comes first where the key is the same"
                    yield Change(site.swap(body, new % (text, name)), 0.2 * rank, what, fault)
                continue
            for part in body.elts:
                text = site.text(part)
                new = text[1:] if text.startswith("-") else "-" + site.operand(part)
                yield Change(site.swap(part, new), 0.1, what, "sorts `%s` in the wrong direction" % short(text))


def keyed(site: Site) -> Iterator[Change]:
    """`sorted(x)` gets a key: an attribute or entry that the function reads from its items, or a table at hand."""
    for node in calls_of(site):
        if callee(node)[0] not in SORTERS or any(keyword.arg == "key" for keyword in node.keywords):
            continue
        if len(node.args) != (0 if callee(node)[0] == "sort" else 1):
            continue
        if any(isinstance(argument, (ast.GeneratorExp, ast.Starred)) for argument in node.args):
            continue
        end, lead = closing(site, node)
        reverse = [keyword for keyword in node.keywords if keyword.arg == "reverse"]
        for rank, key in enumerate(_keys(site, node)):
            text = "key=lambda item: " + key
            what, fault = "`%s`" % short(site.text(node)), "needs `%s`" % short(text)
            yield Change(((end, end, lead + text),), 0.12 * rank, what, fault)
            if reverse and not key.startswith("("):
                edits = (
                    site.swap(
                        node,
                        "%s(%s, key=lambda item: (-%s, item))" % (site.text(node.func), site.text(node.args[0]), key),
                    )
                    if node.args
                    else ()
                )
                if edits:
                    yield Change(edits, 0.4 + 0.1 * rank, what, fault)


def _keys(site: Site, node: ast.AST) -> List[str]:
    around = site.function or site.source.tree
    stored = [n.attr for n in walked(around) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)]
    attrs = [
        name for name in dict.fromkeys(stored) if name not in ("append", "add", "get", "items", "sort", "extend")
    ]
    keys = ["item.%s" % name for name in attrs[:4]]
    owner = site.text(getattr(node, "args", [node])[0]) if getattr(node, "args", []) else ""
    keys += ["%s[item]" % owner] if owner.isidentifier() else []
    names = [name for name, cost in site.live().items() if name != owner]
    return keys + ["%s[item]" % name for name in names[:3]]


def unsorted(site: Site) -> Iterator[Change]:
    """What is walked through must be sorted first: by itself, by an attribute that the loop reads, for `groupby`."""
    stmt = site.stmt
    places: List[ast.expr] = [stmt.iter] if isinstance(stmt, ast.For) else []
    places += [part.iter for node in site.nodes for part in getattr(node, "generators", [])]
    for node in places:
        text = site.text(node)
        if text.startswith(("sorted(", "range(", "enumerate(", "zip(")) or not isinstance(
            node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
        ):
            continue
        what, fault = "`%s`" % short(text), "is walked through in the order in which it came; it must be sorted"
        targets = {site.text(stmt.target)} if isinstance(stmt, ast.For) else set()
        for rank, attr in enumerate(_read_from(site, targets)):
            new = "sorted(%s, key=lambda item: item.%s)" % (text, attr)
            yield Change(site.swap(node, new), 0.1 * rank, what, fault)
        yield Change(site.swap(node, "sorted(%s)" % text), 0.2, what, fault)
    for call in calls_of(site):
        if callee(call)[0] != "groupby" or not call.args:
            continue
        data = site.text(call.args[0])
        keys = [site.text(k.value) for k in call.keywords if k.arg == "key"] + [site.text(a) for a in call.args[1:2]]
        inside = data + (", key=" + keys[0] if keys else "")
        what, fault = "`%s`" % short(site.text(call)), "groups what is not sorted, so that a group comes twice"
        yield Change(site.swap(call.args[0], "sorted(%s)" % inside), -0.4, what, fault)
        if data.isidentifier() and site.source.alone(stmt):
            yield Change(site.insert_before("%s = sorted(%s)" % (data, inside)), -0.3, what, fault)


def _read_from(site: Site, targets: "set[str]") -> List[str]:
    found = [
        n.attr
        for n in walked(site.stmt)
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id in targets
    ]
    return list(dict.fromkeys(found))[:4]
