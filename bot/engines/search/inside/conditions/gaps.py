"""Places where a condition may be missing: everything about the repair is known but what it asks."""

from __future__ import annotations

import ast
import re
from typing import Callable, Iterator, List, NamedTuple, Sequence, Tuple

from ..operators.asked import decisions
from ..operators.guards import step
from ..operators.statements import UNTOUCHED, docstring, holds_docstring, what_of
from ..site import Site, short
from ..source import FunctionNode, first_line, walked
from ..unit import Edit
from .exits import assignments, exits

Edits = Tuple[Edit, ...]
Asked = Callable[[str, str], Edits]
"""Edits for a condition, given as its text and as that of its opposite."""
NOT_FIRST = 0.3
"""More for a way out that stands neither at the beginning nor in front of what raised."""
SEEN = "_regreen_seen()"
"""Looks at its caller's variables, and is false."""


class Gap(NamedTuple):
    """One repair with a condition to be found."""

    operator: str
    cost: float
    what: str
    fault: str
    """With a place for the condition."""
    asked: Asked
    about: Tuple[str, ...] = ()
    """What the condition must speak of: all of it, or the first alone, and that it is nothing."""

    def is_about(self, test: str) -> bool:
        """Whether a condition has to do with what is done where it holds."""
        if not self.about or test in (self.about[0] + " is None", "not " + self.about[0]):
            return True
        return all(re.search(r"(?<![\w.])%s(?![\w.])" % re.escape(text), test) for text in self.about)


class View(NamedTuple):
    """Where the variables are looked at for the gaps of one place. `focus`: what stands there."""

    site: Site
    focus: ast.AST
    probe: Edits
    gaps: Tuple[Gap, ...]
    base: float = 0.0
    """What the place costs, by how little it is suspected."""


def views_of(site: Site, base: float) -> Iterator[View]:
    """All gaps of one statement."""
    if site.function is None or site.unit is None or holds_docstring(site):
        return
    if site.source.alone(site.stmt) and not _is_elif(site):
        gaps = tuple(_in_front(site))
        if gaps:
            probe = site.insert_before("if %s:\n%spass" % (SEEN, step(site)))
            yield View(site, site.stmt, probe, gaps, base)
    for condition in decisions(site):
        for gap in (_weakened(site, condition), _strengthened(site, condition)):
            yield View(site, condition, gap.asked(SEEN, "not " + SEEN), (gap,), base)
    for node in site.nodes:
        yield from (View(site, node, gap.asked(SEEN, "not " + SEEN), (gap,), base) for gap in _filters(site, node))


def _is_elif(site: Site) -> bool:
    return isinstance(site.stmt, ast.If) and site.text(site.stmt).startswith("elif")


def _in_front(site: Site) -> Iterator[Gap]:
    function = site.function
    assert function is not None
    if not isinstance(site.stmt, (ast.Break, ast.Continue, ast.Pass, *UNTOUCHED)):
        first = 0.0 if _begins(site) or raised_here(site, site.stmt) else NOT_FIRST
        name = "`%s`" % function.name
        for cost, leave in exits(site):
            fault = "does not handle `{}`: it needs `%s`" % short(leave).replace("{", "{{").replace("}", "}}")
            yield Gap("guard-synthesised", first + cost, name, fault, _guard(site, leave))
        for cost, given, value in assignments(site):
            line = "%s = %s" % (given, value)
            fault = "does not handle `{}`: it needs `%s`" % line
            yield Gap("value-synthesised", 0.5 + first + cost, name, fault, _guard(site, line), (given, value))
    if not isinstance(site.stmt, (ast.Return, ast.Raise, *UNTOUCHED)) and _can_move(site):
        yield Gap("step-made-conditional", 0.2, what_of(site), "must not happen where `{}`", _skipped(site))


def _begins(site: Site) -> bool:
    """Whether the statement is the first of a function or of a round of a loop, behind ways out that stand there."""
    block = site.block()
    before = [stmt for stmt in block[: block.index(site.stmt)] if not docstring(stmt)]
    outer = isinstance(site.parent(site.stmt), (*FunctionNode, ast.For, ast.AsyncFor, ast.While))
    return outer and all(isinstance(stmt, ast.If) and _leaves(stmt.body[-1]) for stmt in before)


def _leaves(stmt: ast.stmt) -> bool:
    return isinstance(stmt, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def raised_here(site: Site, node: ast.AST) -> bool:
    """Whether a red test's error came up in these lines."""
    lines = range(getattr(node, "lineno", 0), (getattr(node, "end_lineno", 0) or 0) + 1)
    if isinstance(node, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
        lines = range(site.first, site.last + 1)
    return site.hints.raised_in(site.source.path, lines)


def _guard(site: Site, leave: str) -> Asked:
    return lambda test, _opposite: site.insert_before("if %s:\n%s%s" % (test, step(site), leave))


def _can_move(site: Site) -> bool:
    """A text over several lines would be another one further in."""
    texts = (node for node in walked(site.stmt) if isinstance(node, (ast.Constant, ast.JoinedStr)))
    return all(node.lineno == node.end_lineno for node in texts)


def _skipped(site: Site) -> Asked:
    source, stmt = site.source, site.stmt
    lines = range(first_line(stmt), (stmt.end_lineno or stmt.lineno) + 1)
    starts = [source.line_start(line) for line in lines]
    moved = tuple((at, at, step(site)) for at in starts[1:] if source.data[at : at + 1] not in (b"\n", b"\r", b""))

    def asked(_test: str, opposite: str) -> Edits:
        head = source.indent(stmt) + "if %s:" % opposite + source.newline + step(site)
        return ((starts[0], starts[0], head), *moved)

    return asked


def _weakened(site: Site, condition: ast.expr) -> Gap:
    """`c or p`; `p or c` where the condition itself raises."""
    joined = _joined(site, condition, "or", ast.Or)
    return Gap(
        "condition-weakened", 0.0, _said(site, condition), "does not cover `{}`", lambda test, _opposite: joined(test)
    )


def _strengthened(site: Site, condition: ast.expr) -> Gap:
    """`c and not p`; `not p and c` where the condition itself raises."""
    joined = _joined(site, condition, "and", ast.And)
    return Gap(
        "condition-strengthened",
        0.0,
        _said(site, condition),
        "holds where `{}` too",
        lambda _test, other: joined(other),
    )


def _joined(site: Site, condition: ast.expr, word: str, kind: type) -> Callable[[str], Edits]:
    """The condition with one more part, which goes first where the condition itself raises."""
    old, front = site.side(condition), raised_here(site, condition)
    if isinstance(condition, ast.BoolOp) and isinstance(condition.op, kind):
        old = site.text(condition)
    binds_less = " and " if word == "or" else " or "

    def asked(part: str) -> Edits:
        part = "(%s)" % part if binds_less in part else part
        return site.swap(condition, (" %s " % word).join((part, old) if front else (old, part)))

    return asked


def _said(site: Site, node: ast.AST) -> str:
    return "`%s`" % short(site.text(node))


def _filters(site: Site, node: ast.AST) -> Iterator[Gap]:
    """`… for x in xs if not p`, for what has no condition yet."""
    generators: Sequence[ast.comprehension] = getattr(node, "generators", ())
    for generator in generators:
        if generator.ifs:
            continue
        end = site.source.span(generator.iter)[1]
        fault = "takes in what is `{}`"
        yield Gap("filter-synthesised", 0.2, _said(site, node), fault, _filter(end))


def _filter(end: int) -> Asked:
    return lambda _test, opposite: ((end, end, " if " + opposite),)


def chosen(views: Sequence[View], most: int) -> List[View]:
    """Those of the most suspicious places."""
    return sorted(views, key=lambda view: view.base)[:most]
