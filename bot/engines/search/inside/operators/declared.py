"""What a function must take, and hand on: a parameter that its callers give, and options that nobody set."""

from __future__ import annotations

import ast
import re
from typing import Iterator, List, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import Function, FunctionNode, walked
from ..unit import Edit
from .calls import calls_of, closing
from .statements import docstring, holds_docstring

_UNEXPECTED = re.compile(r"(?:(\w+)\.)?(\w+)\(\) got an unexpected keyword argument '(\w+)'")
_TOO_MANY = re.compile(r"(?:(\w+)\.)?(\w+)\(\) takes (?:from )?\d+.*positional arguments? but \d+ (?:was|were) given")
DEFAULTS = ("None", "False", "True")
MOST_CALLS = 6


def parameter(site: Site) -> Iterator[Change]:
    """TypeError: the function takes the argument that it is given, and hands it on where its body calls or stores."""
    function = site.stmt
    if not isinstance(function, FunctionNode):
        return
    for name in _asked_for(site, function, _UNEXPECTED):
        for rank, default in enumerate(DEFAULTS):
            edits = _declared(site, function, "%s=%s" % (name, default))
            fault = "does not take `%s`" % name
            yield from _handed_on(site, function, edits, name, 0.2 * rank, fault)
        if function.args.kwarg is None:
            yield from _handed_on(site, function, _declared(site, function, "**kwargs"), "", 0.3, "takes no options")
    for _name in _asked_for(site, function, _TOO_MANY):
        if function.args.vararg is None and not function.args.kwonlyargs:
            yield Change(_declared(site, function, "*args"), 0.3, "`%s`" % function.name, "takes too few arguments")


def _asked_for(site: Site, function: Function, pattern: "re.Pattern[str]") -> List[str]:
    found = []
    for red in site.hints.reds:
        for match in pattern.finditer(red.message):
            owner, called = match.group(1), match.group(2)
            made = called == (site.klass.name if site.klass else "") and function.name == "__init__"
            right = owner is None or site.klass is None or owner == site.klass.name
            if made or (called == function.name and right):
                found.append(match.groups()[-1])
    return list(dict.fromkeys(found))


def _declared(site: Site, function: Function, text: str) -> Tuple[Edit, ...]:
    """Edits that give a function one more parameter, as late as its others allow."""
    spec = function.args
    start = site.source.data.find(b"(", site.source.span(function)[0])
    if spec.kwarg is not None:
        at = site.source.data.rfind(b"**", start, site.source.span(spec.kwarg)[0])
        return ((at, at, text + ", "),)
    plain = [*getattr(spec, "posonlyargs", []), *spec.args, *spec.kwonlyargs, *([spec.vararg] if spec.vararg else [])]
    ends = [site.source.span(one)[1] for one in [*plain, *spec.defaults, *[one for one in spec.kw_defaults if one]]]
    return ((max(ends), max(ends), ", " + text),) if ends else ((start + 1, start + 1, text),)


def _handed_on(
    site: Site, function: Function, edits: Tuple[Edit, ...], name: str, cost: float, fault: str
) -> Iterator[Change]:
    what = "`%s`" % function.name
    yield Change(edits, cost + 0.3, what, fault)
    given = "%s=%s" % (name, name) if name else "**kwargs"
    calls = [node for node in walked(function) if isinstance(node, ast.Call) and node not in function.decorator_list]
    for place, call in enumerate(calls[:MOST_CALLS]):
        if any(isinstance(one, ast.GeneratorExp) for one in call.args):
            continue
        end, lead = closing(site, call)
        yield Change(
            (*edits, (end, end, lead + given)), cost + 0.1 * place, what, "%s and hands it on nowhere" % fault
        )
    first = next((one for one in function.body if not docstring(one)), None)
    if name and function.name == "__init__" and first is not None and site.source.alone(first):
        at = site.source.lines_of(first)[0]
        line = "%sself.%s = %s%s" % (site.source.indent(first), name, name, site.source.newline)
        yield Change((*edits, (at, at, line)), cost, what, "%s and does not keep it" % fault)


def option_unset(site: Site) -> Iterator[Change]:
    """`**options` handed on lack what the object or an argument says: `options.setdefault("x", self.x)`."""
    function = site.function
    rest = function.args.kwarg.arg if function is not None and function.args.kwarg is not None else None
    if rest is None or function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    if not re.search(r"\b%s\b" % rest, site.text(site.stmt)):
        return
    for rank, (name, value) in enumerate(_settings(site, function, rest)):
        forms = ('%s.setdefault("%s", %s)', '%s["%s"] = %s')
        for more, form in enumerate(forms):
            line = form % (rest, name, value)
            yield Change(
                site.insert_before(line), 0.15 * rank + 0.1 * more, "`%s`" % function.name, "lacks `%s`" % line
            )
    for key in site.hints.found(r"unexpected keyword argument '(\w+)'"):
        line = '%s.pop("%s", None)' % (rest, key)
        yield Change(site.insert_before(line), 0.0, "`%s`" % function.name, "hands on `%s`" % key)


def _settings(site: Site, function: Function, rest: str) -> Iterator[Tuple[str, str]]:
    read = {node.id for node in walked(function) if isinstance(node, ast.Name)}
    names = [name for name in arguments_of(function) if name not in (rest, "args")]
    for name in sorted(names, key=lambda name: name in read):
        yield name, name
    for name in site.fields()[:6]:
        yield name.lstrip("_"), "self." + name


def given(site: Site) -> Iterator[Change]:
    """A call gets what nobody reads: `f(x, strip=strip)` for an argument of the function, `f(x, self.default)`."""
    function = site.function
    if function is None:
        return
    read = {node.id for node in walked(function) if isinstance(node, ast.Name)}
    unread = [name for name in arguments_of(function) if name not in read]
    fields = site.fields()
    for call in calls_of(site):
        if any(isinstance(one, ast.GeneratorExp) for one in call.args) or site.text(call.func) == "super":
            continue
        end, lead = closing(site, call)
        known = [keyword.arg for keyword in call.keywords]
        texts = ["%s=%s" % (name, name) for name in unread if name not in known]
        texts += ["%s=self.%s" % (name.lstrip("_"), name) for name in fields[:6] if name.lstrip("_") not in known]
        texts += ["self." + name for name in fields[:6]] if not call.keywords else []
        for rank, text in enumerate(texts):
            fault = "is not given `%s`" % text
            yield Change(((end, end, lead + text),), 0.1 * rank, "`%s`" % short(site.text(call)), fault)
