"""Refusals that are missing: the test waits for an exception by name, and none is raised."""

from __future__ import annotations

import ast
import builtins
import re
from typing import Dict, Iterator, List, Optional, Tuple

from ..site import Change, Site, arguments_of
from ..source import FunctionNode, walked
from .guards import step
from .statements import holds_docstring, what_of

_NOT_RAISED = re.compile(r"DID NOT RAISE (.+)|(\w+) not raised")
"""pytest says `<class 'a.E'>`, and of late `E` or `any of (E, F)`; unittest `E not raised`."""
_ERROR = re.compile(r"(?:\w+\.)*([A-Za-z_]\w*)")
_WITHOUT_RESULT = (ast.Pass, ast.Continue, ast.Break)
SAID_OF_OTHERS = 0.5
"""More for raising with words of another function, that name nothing which is at hand here."""
ASKED = "\0"
MOST_NAMES = 5
MOST_ATTRIBUTES = 6


def refused(site: Site) -> Iterator[Change]:
    """`raise E(…)` at the end of a block, in the place of an empty result, or behind a check of what was given."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    errors = awaited(site)
    if errors and isinstance(site.stmt, (*_WITHOUT_RESULT, ast.Return)) and _in_handler(site):
        yield Change(
            site.swap(site.stmt, "raise"), -0.2, what_of(site), "swallows the `%s` that it caught" % errors[0]
        )
    for error in errors:
        for rank, line in enumerate(ways_to_raise(site, error)[:2]):
            cost = 0.3 * rank + (SAID_OF_OTHERS if _is_all_words(site, line) else 0.0)
            if ASKED not in line:
                yield from _plainly(site, error, line, cost)
            yield from _checked(site, error, line, 0.6 + 0.3 * rank + cost)


def _is_all_words(site: Site, line: str) -> bool:
    """Whether the message is fixed, and not yet this function's: what it says is said of something else."""
    own = site.text(site.function) if site.function is not None else ""
    return bool(re.search(r"\((['\"])[^'\"{]* [^'\"{]*\1\)$", line)) and line not in own


def _in_handler(site: Site) -> bool:
    """Whether the statement is in the block of an `except` of its own function."""
    around = (one for one in site.source.ancestors(site.stmt) if isinstance(one, (ast.ExceptHandler, FunctionNode)))
    return isinstance(next(around, None), ast.ExceptHandler)


def awaited(site: Site) -> List[str]:
    """Exceptions that a red test waits for in vain, and that this place can name."""
    found: Dict[str, None] = {}
    for red in site.hints.reds:
        for match in _NOT_RAISED.finditer(red.message):
            words = _ERROR.findall(match.group(1) or match.group(2))
            found.update(dict.fromkeys(word for word in words if word not in ("class", "any", "of")))
    return [name for name in found if name in site.scope or hasattr(builtins, name)]


def ways_to_raise(site: Site, error: str) -> List[str]:
    """Ways to raise it: as this file does elsewhere, where its names are known here too, else with an argument.

    Where only one name is not known here, ASKED stands for it: what the check in front of it asks about.
    """
    seen: Dict[str, None] = {}
    likely: Dict[str, None] = {}
    for node in walked(site.source.tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and site.text(node.exc.func) == error:
            text = site.text(node.exc)
            names = {inner.id for inner in walked(node.exc) if isinstance(inner, ast.Name)}
            strange = [name for name in names if not _known(site, name)]
            if "\n" not in text and not strange:
                seen["raise " + text] = None
            elif "\n" not in text and len(strange) == 1:
                likely[re.sub(r"\b%s\b" % strange[0], ASKED, "raise " + text)] = None
    given = arguments_of(site.function)[:1] if site.function is not None else []
    ways = sorted(seen, key=lambda text: -_arguments_used(site, text))
    return [*ways, *list(likely)[: 0 if ways else 1], "raise %s(%s)" % (error, "".join(given))]


def _known(site: Site, name: str) -> bool:
    return name in site.scope or hasattr(builtins, name) or name == "self"


def _arguments_used(site: Site, text: str) -> int:
    return sum(name in text for name in arguments_of(site.function)) if site.function is not None else 0


def _plainly(site: Site, error: str, line: str, cost: float) -> Iterator[Change]:
    stmt, function = site.stmt, site.function
    assert function is not None
    fault = "must raise `%s` here" % error
    if isinstance(stmt, _WITHOUT_RESULT) or (isinstance(stmt, ast.Return) and _says_nothing(stmt.value)):
        yield Change(site.swap(stmt, line), cost, what_of(site), fault)
    elif site.is_last() and not isinstance(stmt, (ast.Return, ast.Raise)):
        whole = site.parent(stmt) is function
        fault = "comes to its end without raising `%s`" % error
        yield Change(site.insert_after(line), cost + (0.0 if whole else 0.5), "`%s`" % function.name, fault)


def _says_nothing(value: Optional[ast.expr]) -> bool:
    empty = isinstance(value, (ast.List, ast.Tuple)) and not value.elts
    return value is None or isinstance(value, ast.Constant) or empty


def _checked(site: Site, error: str, line: str, cost: float) -> Iterator[Change]:
    function = site.function
    assert function is not None
    for more, test in _tests(site):
        text = "if %s:\n%s%s" % (test, step(site), line.replace(ASKED, _asked_about(test)))
        fault = "does not refuse `%s` with `%s`" % (test, error)
        yield Change(site.insert_before(text), cost + more, "`%s`" % function.name, fault)


def _asked_about(test: str) -> str:
    """`self.peek()` of `self.peek() is not None`, `size` of `size < 0`."""
    return re.split(r" (?:is|not|in|[<>=!]=?)(?: |$)", test.replace("not ", "", 1) if test[:4] == "not " else test)[0]


def _tests(site: Site) -> Iterator[Tuple[float, str]]:
    """Conditions under which people refuse: what was given is empty, negative, unknown, there already, too much."""
    near = sorted(site.live().items(), key=lambda pair: pair[1])[:MOST_NAMES]
    names = [name for name, _near in near]
    others = ["self." + name for name in _data_of(site)] + [name for name in site.scope if name.isupper()]
    for name, distance in near:
        for rank, form in enumerate(("not %s", "%s < 0", "%s <= 0", "%s is None", "%s == 0", "%s < 1")):
            yield distance + 0.1 * rank, form % name
        for rank, other in enumerate([one for one in [*others, *names] if one != name]):
            for place, form in enumerate(("%s not in %s", "%s in %s", "%s > %s", "%s < %s", "%s >= %s", "%s <= %s")):
                yield distance + 0.3 + 0.1 * place + 0.05 * rank, form % (name, other)
        for rank, kind in enumerate(("str", "int", "(int, float)", "bool", "list", "dict")):
            yield distance + 0.6 + 0.1 * rank, "not isinstance(%s, %s)" % (name, kind)
            yield distance + 0.9 + 0.1 * rank, "isinstance(%s, %s)" % (name, kind)
    for rank, asked in enumerate(_questions(site)):
        for place, form in enumerate(("%s is not None", "%s", "not %s", "%s is None")):
            yield 0.3 + 0.1 * place + 0.1 * rank, form % asked
    for rank, owner in enumerate(others):
        for place, form in enumerate(("not %s", "%s", "%s is None", "%s <= 0")):
            yield 0.3 + 0.1 * place + 0.1 * rank, form % owner


def _questions(site: Site) -> List[str]:
    """Methods of the object that need no argument, those first that give something back."""
    body = site.klass.body if site.klass is not None else []
    methods = [node for node in body if isinstance(node, FunctionNode) and node is not site.function]
    free = [node for node in methods if not arguments_of(node) and not node.decorator_list and node.name[:2] != "__"]
    says = [node for node in free if any(isinstance(inner, ast.Return) and inner.value for inner in walked(node))]
    return ["self.%s()" % node.name for node in says[:MOST_ATTRIBUTES]]


def _data_of(site: Site) -> List[str]:
    methods = {getattr(node, "name", "") for node in site.klass.body} if site.klass is not None else set()
    return [name for name in site.attributes() if name not in methods][:MOST_ATTRIBUTES]
