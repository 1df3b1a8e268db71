"""The way through loops and branches: `break`, `continue`, `while` for `if`, `elif` for `if`."""

from __future__ import annotations

import ast
import re
from typing import Iterator

from ..site import Change, Site
from .statements import what_of


def flow(site: Site) -> Iterator[Change]:
    """`break`, `continue`, `pass` and `return` for one another; `if` for `while`; `elif` for `if`."""
    stmt = site.stmt
    if isinstance(stmt, (ast.Break, ast.Continue, ast.Pass)):
        old = site.text(stmt)
        for rank, new in enumerate(("continue", "break", "pass", "return")):
            if new != old:
                yield Change(site.swap(stmt, new), 0.2 * rank, "`%s`" % old, "should be `%s`" % new)
    if isinstance(stmt, (ast.If, ast.While)):
        yield from _loop_or_branch(site, stmt)
    if isinstance(stmt, ast.Return) and in_loop(site):
        for new in ("continue", "break"):
            fault = "leaves the function where `%s` is meant" % new
            yield Change(site.swap(stmt, new), 0.6, what_of(site), fault)


def _loop_or_branch(site: Site, stmt: ast.stmt) -> Iterator[Change]:
    start = site.source.span(stmt)[0]
    head = re.match(rb"(if|elif|while)\b", site.source.data[start:])
    if head is None:
        return
    word = head.group(1).decode()
    end = start + len(word)
    if word == "if" and not getattr(stmt, "orelse", None):
        yield Change(((start, end, "while"),), 0.4, what_of(site), "happens once; it must be repeated")
    if word == "while" and not getattr(stmt, "orelse", None):
        yield Change(((start, end, "if"),), 0.6, what_of(site), "repeats what must happen once")
    if word == "elif":
        yield Change(((start, end, "if"),), 0.3, what_of(site), "is skipped when an earlier branch was taken")
    block = site.block()
    at = block.index(stmt) if stmt in block else 0
    if word == "if" and at and isinstance(block[at - 1], ast.If):
        yield Change(((start, end, "elif"),), 0.2, what_of(site), "is asked even when the branch above was taken")


def left_out(site: Site) -> Iterator[Change]:
    """The last statement of a branch is not its end: `continue`, `return` or `break` must follow."""
    leaves = isinstance(site.stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue))
    branch = site.parent(site.stmt)
    if leaves or site.function is None or not site.is_last() or not site.source.alone(site.stmt):
        return
    if not isinstance(branch, (ast.If, ast.ExceptHandler, ast.For, ast.While)):
        return
    looping = in_loop(site)
    for rank, word in enumerate(("continue", "break", "return") if looping else ("return",)):
        fault = "goes on behind it, where `%s` is meant" % word
        yield Change(site.insert_after(word), 0.25 * rank, what_of(site), fault)


def in_loop(site: Site) -> bool:
    for ancestor in site.source.ancestors(site.stmt):
        if ancestor is site.function:
            return False
        if isinstance(ancestor, (ast.For, ast.While, ast.AsyncFor)):
            return True
    return False
