"""Values that must be brought into another form before they are used: `x = str(x)`, `if isinstance(x, bytes): …`."""

from __future__ import annotations

import ast
import functools
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import Source, walked
from .guards import step
from .statements import holds_docstring

USUAL = (
    "str(%s)",
    "list(%s)",
    "%s.strip()",
    "%s.lower()",
    "int(%s)",
    "tuple(%s)",
    "dict(%s)",
    "set(%s)",
    "%s.upper()",
    "%s.rstrip()",
    "%s.lstrip()",
    "abs(%s)",
)
OF_KIND: Tuple[Tuple[str, str], ...] = (
    ("isinstance({0}, bytes)", "{0}.decode()"),
    ("isinstance({0}, str)", "[{0}]"),
    ("isinstance({0}, str)", "({0},)"),
    ("isinstance({0}, str)", "{0}.encode()"),
    ("not isinstance({0}, str)", "str({0})"),
    ("isinstance({0}, dict)", "{0}.items()"),
    ('hasattr({0}, "items")', "{0}.items()"),
    ("callable({0})", "{0}()"),
    ("not isinstance({0}, (list, tuple))", "[{0}]"),
    ("not isinstance({0}, (list, tuple))", "({0},)"),
    ("not isinstance({0}, list)", "list({0})"),
    ("isinstance({0}, tuple)", "list({0})"),
)
STRING_METHODS = ("strip", "lower", "upper", "rstrip", "lstrip", "casefold", "title", "copy")


@functools.lru_cache(maxsize=100)
def forms_of(source: Source) -> Tuple[str, ...]:
    """How the file itself converts one variable: `os.fspath(%s)`, `%s.lower()`, `%s.decode("latin-1")`."""
    found: Dict[str, int] = {}
    for node in walked(source.tree):
        if not isinstance(node, ast.Call) or node.keywords:
            continue
        text = source.text(node)
        if len(node.args) == 1 and isinstance(node.args[0], ast.Name) and "\n" not in text:
            callee = source.text(node.func)
            if callee != "super" and not callee.endswith(("append", "isinstance", "add", "print", "len", "range")):
                found["%s(%%s)" % callee.replace("%", "%%")] = found.get("%s(%%s)" % callee, 0) + 1
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            if node.func.attr in (*STRING_METHODS, "decode", "encode") and "\n" not in text:
                form = "%s" + text[len(node.func.value.id) :].replace("%", "%%")
                found[form] = found.get(form, 0) + 1
    return tuple(sorted(found, key=lambda form: -found[form])[:10])


def _read(site: Site) -> List[str]:
    """Variables that the statement reads, arguments and targets of loops first."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return []
    read = {n.id for n in walked(site.stmt) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    live = site.live()
    return sorted((name for name in read if name in live), key=lambda name: (live[name], name))[:4]


def converted(site: Site) -> Iterator[Change]:
    """`x = str(x)` in front of a statement that reads `x`."""
    forms = [*forms_of(site.source), *USUAL]
    forms = list(dict.fromkeys(forms))
    for place, name in enumerate(_read(site)):
        for rank, form in enumerate(forms):
            new = form % name
            if new not in site.text(site.stmt):
                fault = "uses `%s` as it comes; it must go through `%s`" % (name, short(new))
                edits = site.insert_before("%s = %s" % (name, new))
                yield Change(edits, 0.2 * place + 0.07 * rank, _where(site), fault)


def by_kind(site: Site) -> Iterator[Change]:
    """`if isinstance(x, bytes): x = x.decode()` and the like, in front of a statement that reads `x`."""
    for place, name in enumerate(_read(site)):
        for rank, (test, new) in enumerate([*_of_class(site), *_decoded(site), *OF_KIND]):
            asked, value = test.format(name), new.format(name)
            lines = "if %s:\n%s%s = %s" % (asked, step(site), name, value)
            fault = "does not take a `%s` of another kind: it needs `if %s: %s = %s`" % (name, asked, name, value)
            yield Change(site.insert_before(lines), 0.25 * place + 0.06 * rank, _where(site), fault)


def for_none(site: Site) -> Iterator[Change]:
    """`if x is None: x = y` in front of a statement that reads `x`: what nobody reads yet is tried first."""
    live = sorted(site.live().items(), key=lambda pair: pair[1])
    said = 0.8 if any(True for _red in site.hints.of("NoneType", "None")) else 0.0
    for place, name in enumerate(_read(site)):
        others = [other for other, _cost in live if other != name][:4]
        for rank, value in enumerate([*others, '""', "[]", "{}", "0"]):
            lines = "if %s is None:\n%s%s = %s" % (name, step(site), name, value)
            fault = "has nothing in place of `%s` when that is `None`" % name
            yield Change(site.insert_before(lines), 0.2 * place + 0.1 * rank - said, _where(site), fault)


def _decoded(site: Site) -> Iterator[Tuple[str, str]]:
    """As the file decodes elsewhere."""
    for form in forms_of(site.source):
        if form.startswith("%s.decode("):
            yield "isinstance({0}, bytes)", form.replace("%s", "{0}")
        elif form.startswith("%s.encode("):
            yield "isinstance({0}, str)", form.replace("%s", "{0}")


def _of_class(site: Site) -> Iterator[Tuple[str, str]]:
    """Into an object of the class whose method it is."""
    if site.klass is not None:
        name = site.klass.name
        for test in ("not isinstance({0}, %s)" % name, *("isinstance({0}, %s)" % k for k in ("dict", "str", "int"))):
            yield test, name + "({0})"


def _where(site: Site) -> str:
    return "`%s`" % site.function.name if site.function is not None else "the module"


def receivers(site: Site) -> Iterator[Change]:
    """`x.startswith(y)` becomes `x.lower().startswith(y)`: what is asked goes through a method first."""
    around = site.text(site.function) if site.function is not None else ""
    for node in site.of(ast.Attribute):
        if not isinstance(node, ast.Attribute) or not isinstance(site.parent(node), ast.Call):
            continue
        if not isinstance(node.value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            continue
        owner, end = site.text(node.value), site.source.span(node.value)[1]
        for rank, method in enumerate(STRING_METHODS[:6]):
            if node.attr == method or owner.endswith(".%s()" % method) or owner in ("self", "super()"):
                continue
            cost = 0.1 * rank - (0.6 if ".%s()" % method in around else 0.0)
            fault = "is asked without `.%s()`" % method
            yield Change(((end, end, ".%s()" % method),), cost, "`%s`" % short(owner), fault)
