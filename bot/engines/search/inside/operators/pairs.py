"""Two values that belong together: bounds in the wrong order, an old and a new one, a key and what stands for it."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import walked
from .flow import in_loop
from .guards import step
from .statements import SIMPLE_FLOW, UNTOUCHED, holds_docstring, what_of

MOST_PAIRS = 6
KEYS = ('""', "None", "0", '"default"')


def _read_pairs(site: Site) -> List[Tuple[str, str]]:
    """Variables that the statement reads, two and two, as they come in its text."""
    live = site.live()
    names = [n.id for n in walked(site.stmt) if isinstance(n, ast.Name) and n.id in live]
    names = sorted(dict.fromkeys(names), key=lambda name: live[name])[:4]
    return [(one, two) for at, one in enumerate(names) for two in names[at + 1 :]][:MOST_PAIRS]


def put_in_order(site: Site) -> Iterator[Change]:
    """`if low > high: low, high = high, low` in front of a statement that reads both."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    for rank, (one, two) in enumerate(_read_pairs(site)):
        for more, (first, second) in enumerate(((one, two), (two, one))):
            lines = "if %s > %s:\n%s%s, %s = %s, %s" % (first, second, step(site), first, second, second, first)
            fault = "takes for granted that `%s` is not above `%s`" % (first, second)
            yield Change(site.insert_before(lines), 0.15 * rank + 0.1 * more, "`%s`" % site.function.name, fault)


def compared(site: Site) -> Iterator[Change]:
    """A statement happens only `if old != new`; or the function, or the round, ends where they are the same."""
    stmt, function = site.stmt, site.function
    if function is None or not site.source.alone(stmt) or holds_docstring(site) or isinstance(stmt, UNTOUCHED):
        return
    exits = ["continue"] if in_loop(site) else []
    exits += ["return"]
    few = "\n" not in site.text(stmt) or isinstance(stmt, (ast.For, ast.With))
    for rank, (one, two) in enumerate(_live_pairs(site)):
        fault = "does not ask whether `%s` and `%s` are the same" % (one, two)
        for more, leave in enumerate(exits):
            lines = "if %s == %s:\n%s%s" % (one, two, step(site), leave)
            cost = 0.12 * rank + 0.2 * more
            yield Change(site.insert_before(lines), cost, "`%s`" % function.name, fault)
        if few and isinstance(stmt, (*SIMPLE_FLOW, ast.For, ast.With)):
            yield Change(_under(site, "%s != %s" % (one, two)), 0.12 * rank, what_of(site), fault)
            yield Change(_under(site, "%s == %s" % (one, two)), 0.12 * rank + 0.2, what_of(site), fault)


def _live_pairs(site: Site) -> List[Tuple[str, str]]:
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:4]
    pairs = [*_read_pairs(site), *((one, two) for at, one in enumerate(names) for two in names[at + 1 :])]
    return list(dict.fromkeys(pairs))[:MOST_PAIRS]


def _under(site: Site, test: str) -> Tuple[Tuple[int, int, str], ...]:
    """Edits that put the whole lines of a statement under a test."""
    start, end = site.source.lines_of(site.stmt)
    flat, deep = site.source.indent(site.stmt), step(site)
    lines = site.source.data[start:end].decode("utf-8").splitlines(keepends=True)
    body = "".join(deep + line if line.strip() else line for line in lines)
    return ((start, end, "%sif %s:%s%s" % (flat, test, site.source.newline, body)),)


def key_stands_in(site: Site) -> Iterator[Change]:
    """`UNITS[unit]` becomes `UNITS[unit or "b"]`: a key of the table stands for none."""
    failed = 0.8 if any(True for _red in site.hints.of("KeyError", "NoneType")) else 0.0
    for node in site.of(ast.Subscript):
        assert isinstance(node, ast.Subscript)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, (ast.Slice, ast.Constant, ast.Tuple)):
            continue
        key = site.operand(node.slice)
        for rank, other in enumerate(_keys(site, site.text(node.value))):
            fault = "has no entry for nothing; `%s` must stand in for it" % other
            edits = site.swap(node.slice, "%s or %s" % (key, other))
            yield Change(edits, 0.1 * rank - failed, "`%s`" % short(site.text(node)), fault)


def _keys(site: Site, table: str) -> List[str]:
    """Keys of a table that the file spells out, then what often stands for nothing."""
    found: Dict[str, None] = {}
    for node in walked(site.source.tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            if any(site.text(target) in (table, table.rpartition(".")[2]) for target in node.targets):
                keys = [key for key in node.value.keys if isinstance(key, ast.Constant)]
                found.update((site.text(key), None) for key in keys[:8])
    return list(dict.fromkeys([*found, *KEYS]))


def taken_out(site: Site) -> Iterator[Change]:
    """What was read of a table must leave it: `del d[k]` in front of a statement, where the function reads `d[k]`."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    entries: Dict[str, int] = {}
    for node in walked(site.function):
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Load)
            and not isinstance(node.slice, ast.Slice)
        ):
            text = site.text(node)
            if "\n" not in text and isinstance(node.value, (ast.Name, ast.Attribute)) and len(text) < 50:
                entries.setdefault(text, node.lineno)
    for rank, text in enumerate([text for text, line in entries.items() if line < site.first][:4]):
        fault = "leaves `%s` where it was" % text
        yield Change(site.insert_before("del " + text), 0.15 * rank, "`%s`" % site.function.name, fault)
