"""What things are: the bases of a class, and the kinds of the standard library's protocols in `isinstance`."""

from __future__ import annotations

import ast
from typing import Iterator, List

from ..site import Change, Site, short
from ..source import walked
from .asked import kinds_told_apart
from .calls import callee, calls_of

ERRORS = (
    "ValueError",
    "TypeError",
    "KeyError",
    "LookupError",
    "AttributeError",
    "RuntimeError",
    "OSError",
    "Exception",
)
PROTOCOLS = ("collections.abc", "collections", "numbers", "os", "datetime", "decimal", "enum", "pathlib", "typing")


def bases(site: Site) -> Iterator[Change]:
    """A class is of another kind, or of one more: `class E(Exception)` becomes `class E(ValueError)`."""
    klass = site.stmt
    if not isinstance(klass, ast.ClassDef) or not klass.bases:
        return
    own = [site.text(base) for base in klass.bases]
    error = any(name.endswith(("Error", "Exception", "Warning")) for name in own)
    others = [
        one.name for one in site.source.tree.body if isinstance(one, ast.ClassDef) and one.lineno < klass.lineno
    ]
    for rank, name in enumerate([*(ERRORS if error else ()), *others[-6:]]):
        if name in own:
            continue
        what, fault = "the class `%s`" % klass.name, "is no `%s`" % name
        yield Change(site.swap(klass.bases[-1], name), 0.1 * rank, what, fault)
        end = site.source.span(klass.bases[-1])[1]
        yield Change(((end, end, ", " + name),), 0.15 + 0.1 * rank, what, fault)


UNLIKE = 0.6
"""More for asking for another kind that is none of the general ones: that only turns the question off."""


def kinds(site: Site) -> Iterator[Change]:
    """`isinstance(x, dict)` becomes `isinstance(x, Mapping)`, as the file imports it, or another kind."""
    imported = _imported(site)
    names = [*imported, *kinds_told_apart(site.source)]
    for node in calls_of(site):
        if callee(node)[0] not in ("isinstance", "issubclass") or len(node.args) != 2:
            continue
        old, kind = site.text(node.args[1]), node.args[1]
        for rank, name in enumerate(one for one in dict.fromkeys(names) if one != old):
            fault = "asks for `%s` where `%s` is meant" % (short(old), short(name))
            cost = 0.1 * rank + (0.0 if name in imported else UNLIKE)
            yield Change(site.swap(kind, name), cost, "`%s`" % short(site.text(node)), fault)
            if name.isidentifier() and name not in old:
                inside = old[1:-1].rstrip(", ") if old.startswith("(") else old
                fault = "leaves out `%s`" % name
                edits = site.swap(kind, "(%s, %s)" % (inside, name))
                yield Change(edits, 0.1 + 0.1 * rank, "`%s`" % short(site.text(node)), fault)


def _imported(site: Site) -> List[str]:
    """Classes that the file imports from modules of protocols and kinds."""
    found = []
    for node in walked(site.source.tree):
        if isinstance(node, ast.ImportFrom) and node.module in PROTOCOLS:
            found += [alias.asname or alias.name for alias in node.names]
    return [name for name in found if name[:1].isupper()][:6]
