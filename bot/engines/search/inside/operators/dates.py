"""Dates and times: zones, aware and naive moments, parts of a duration, letters of a format, days of the week."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import walked
from ..unit import Edit
from .calls import callee, calls_of, closing
from .guards import step
from .strings import quoted, strings_of

UNITS = ("minutes", "hours", "days", "seconds", "weeks", "milliseconds", "microseconds")
LETTERS: Dict[str, str] = {"Y": "y", "y": "Y", "m": "Md", "M": "m", "d": "m", "H": "I", "I": "H", "b": "B", "B": "b"}
LETTERS.update({"a": "A", "A": "a", "S": "f", "f": "S", "j": "d", "z": "Z", "Z": "z"})
MAKERS = ("fromisoformat", "strptime", "combine", "utcnow", "utcfromtimestamp")
DAYS = {"weekday": "isoweekday", "isoweekday": "weekday"}


def _utc(site: Site, owner: str) -> Tuple[str, Tuple[Edit, ...]]:
    """How this file names UTC, and the import that it needs for that."""
    if owner.endswith(".datetime"):
        return owner[: -len("datetime")] + "timezone.utc", ()
    for statement in site.source.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "datetime":
            if any(alias.name == "UTC" for alias in statement.names):
                return "UTC", ()
            if any(alias.name == "timezone" for alias in statement.names):
                return "timezone.utc", ()
            end = site.source.span(statement.names[-1])[1] if hasattr(statement.names[-1], "lineno") else 0
            return "timezone.utc", ((end, end, ", timezone"),) if end else ()
    return "timezone.utc", ()


def zone(site: Site) -> Iterator[Change]:
    """`datetime.now()` becomes `datetime.now(timezone.utc)`; a parsed moment gets its zone."""
    for node in calls_of(site):
        name, owner = callee(node)
        of = site.text(owner) if owner is not None else ""
        what = "`%s`" % short(site.text(node))
        fault = "gives a moment without a time zone"
        if not of.endswith("datetime"):
            continue
        utc, imports = _utc(site, of)
        if name in ("now", "utcnow") and not node.args and not node.keywords:
            yield Change(site.swap(node, "%s.now(%s)" % (of, utc)) + imports, 0.0, what, fault)
        if name in ("fromtimestamp", "utcfromtimestamp") and len(node.args) == 1 and not node.keywords:
            end, lead = closing(site, node)
            more = site.swap(node.func, of + ".fromtimestamp") if name[0] == "u" else ()
            yield Change((*more, (end, end, "%stz=%s" % (lead, utc)), *imports), 0.0, what, fault)
        if name in MAKERS:
            end = site.source.span(node)[1]
            yield Change(((end, end, ".replace(tzinfo=%s)" % utc), *imports), 0.2, what, fault)


def zone_given(site: Site) -> Iterator[Change]:
    """A moment that was parsed may lack its zone: it gets one, an argument's where there is one."""
    stmt = site.stmt
    if not isinstance(stmt, ast.Assign) or not isinstance(stmt.targets[0], ast.Name) or not site.source.alone(stmt):
        return
    if not isinstance(stmt.value, ast.Call) or callee(stmt.value)[0] not in MAKERS:
        return
    name = stmt.targets[0].id
    given = arguments_of(site.function)[1:] if site.function is not None else []
    zones = [one for one in given if any(word in one for word in ("tz", "zone", "default"))]
    zones += [one for one in ("UTC", "timezone.utc") if one.split(".")[0] in site.scope]
    for rank, one in enumerate(zones):
        line = "if %s.tzinfo is None:\n%s%s = %s.replace(tzinfo=%s)" % (name, step(site), name, name, one)
        yield Change(site.insert_after(line), 0.2 * rank, "`%s`" % name, "may be without a time zone, and gets none")


def shown_elsewhere(site: Site) -> Iterator[Change]:
    """`moment.strftime(…)` shows the zone that it has; an argument that nothing reads may say which is meant."""
    function = site.function
    if function is None:
        return
    read = {node.id for node in walked(function) if isinstance(node, ast.Name)}
    unread = [name for name in arguments_of(function) if name not in read]
    for node in calls_of(site):
        name, owner = callee(node)
        if owner is not None and name in ("strftime", "isoformat", "date", "time", "timetuple"):
            for one in unread:
                new = "%s.astimezone(%s)" % (site.operand(owner), one)
                yield Change(site.swap(owner, new), 0.0, "`%s`" % short(site.text(node)), "ignores `%s`" % one)


def converted(site: Site) -> Iterator[Change]:
    """`x.replace(tzinfo=z)` relabels a moment, `x.astimezone(z)` converts it."""
    for node in calls_of(site):
        name, owner = callee(node)
        if owner is None:
            continue
        of, what = site.operand(owner), "`%s`" % short(site.text(node))
        if name == "replace" and len(node.keywords) == 1 and node.keywords[0].arg == "tzinfo":
            new = "%s.astimezone(%s)" % (of, site.text(node.keywords[0].value))
            yield Change(site.swap(node, new), 0.0, what, "relabels the moment where it must be converted")
        if name == "astimezone" and len(node.args) == 1:
            new = "%s.replace(tzinfo=%s)" % (of, site.text(node.args[0]))
            yield Change(site.swap(node, new), 0.0, what, "converts a moment that only lacks its zone")
            end = site.source.span(node)[1]
            yield Change(((end, end, ".replace(tzinfo=None)"),), 0.6, what, "keeps a zone where none is expected")
        if name == "replace" and any(k.arg in ("hour", "minute", "second") for k in node.keywords):
            end, lead = closing(site, node)
            given = [k.arg for k in node.keywords]
            for unit in ("microsecond", "second", "minute"):
                if unit not in given:
                    fault = "leaves the %ss as they are" % unit
                    yield Change(((end, end, "%s%s=0" % (lead, unit)),), 0.1, what, fault)


def duration(site: Site) -> Iterator[Change]:
    """`.seconds` is only a part of a duration: `.total_seconds()`; another unit of `timedelta`; thousandths."""
    for node in site.of(ast.Attribute):
        assert isinstance(node, ast.Attribute)
        if node.attr in ("seconds", "microseconds") and isinstance(node.ctx, ast.Load):
            new = site.operand(node.value) + ".total_seconds()"
            fault = "is only the part of the duration that is left over from whole days"
            yield Change(site.swap(node, new), 0.0, "`%s`" % short(site.text(node)), fault)
    for call in calls_of(site):
        name = callee(call)[0]
        what = "`%s`" % short(site.text(call))
        if name == "timedelta":
            yield from _units(site, call, what)
        if name.endswith("fromtimestamp") and call.args:
            for rank, form in enumerate(("%s / 1000", "%s * 1000")):
                new = form % site.operand(call.args[0])
                yield Change(site.swap(call.args[0], new), 0.3 + 0.2 * rank, what, "takes milliseconds for seconds")


def _units(site: Site, call: ast.Call, what: str) -> Iterator[Change]:
    given = [keyword.arg for keyword in call.keywords]
    for keyword in call.keywords:
        for rank, unit in enumerate(UNITS):
            if unit not in given and keyword.arg is not None:
                start = site.source.offset(keyword.value.lineno, keyword.value.col_offset) - len(keyword.arg) - 1
                fault = "counts `%s` where `%s` are meant" % (keyword.arg, unit)
                yield Change(((start, start + len(keyword.arg), unit),), 0.1 * rank, what, fault)
    for argument in call.args[:1]:
        start = site.source.span(argument)[0]
        for rank, unit in enumerate(UNITS):
            if not given:
                fault = "counts days where `%s` are meant" % unit
                yield Change(((start, start, unit + "="),), 0.1 * rank, what, fault)


def letters(site: Site) -> Iterator[Change]:
    """Letters of `strptime` and `strftime`: `%m` for `%M`, `%y` for `%Y`, two of them exchanged."""
    for node, value in strings_of(site):
        spots = [found.start() + 1 for found in re.finditer(r"%[A-Za-z]", value)]
        if not spots or not re.search(r"%[YymHIMSjBbaApzZf]", value):
            continue
        what = "the format `%s`" % short(site.text(node))
        for cost, new in _spelt(value, spots):
            fault = "reads the wrong parts of a date; it should be `%s`" % new
            yield Change(site.swap(node, quoted(site, node, new)), cost, what, fault)


def _spelt(value: str, spots: List[int]) -> Iterator[Tuple[float, str]]:
    for spot in spots:
        for rank, letter in enumerate(LETTERS.get(value[spot], "")):
            yield 0.1 * rank, value[:spot] + letter + value[spot + 1 :]
    for one in spots:
        for two in spots:
            if one < two and value[one] != value[two]:
                swapped = list(value)
                swapped[one], swapped[two] = swapped[two], swapped[one]
                yield 0.2, "".join(swapped)


def weekday(site: Site) -> Iterator[Change]:
    """`weekday()` counts from 0, `isoweekday()` from 1; both ends of a span of days count."""
    for node in calls_of(site):
        name, owner = callee(node)
        if name in DAYS and owner is not None:
            new = "%s.%s()" % (site.operand(owner), DAYS[name])
            fault = "counts the days of the week from %d" % (0 if name == "weekday" else 1)
            yield Change(site.swap(node, new), 0.0, "`%s`" % short(site.text(node)), fault)
