"""Filters: functions of a value, and perhaps of arguments. `@register` makes one known."""

import functools
import json
import textwrap

from stencil.context import Undefined
from stencil.markup import Markup, escape

FILTERS = {}


def register(name=None, *, safe=False):
    """Make a function known as a filter. The result of a `safe` one is not escaped again."""

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **options):
            result = function(*args, **options)
            return Markup(result) if safe and isinstance(result, str) else result

        FILTERS[name or function.__name__.rstrip("_")] = wrapper
        return wrapper

    return decorate


@register()
def upper(value):
    return _text(value).upper()


@register()
def lower(value):
    return _text(value).lower()


@register()
def title(value):
    """Capitals at the beginning of words, where a word ends at white space or a hyphen alone."""
    text, start = [], True
    for letter in _text(value):
        text.append(letter.upper() if start else letter.lower())
        start = letter.isspace() or letter == "-"
    return "".join(text)


@register()
def trim(value):
    return _text(value).strip()


@register("default")
def default_(value, fallback="", falsy=False):
    """The fallback for an undefined value; with `falsy`, for every false one."""
    if isinstance(value, Undefined) or (falsy and not value):
        return fallback
    return value


@register()
def length(value):
    return len(value)


@register()
def first(value):
    return next(iter(value), Undefined("first"))


@register()
def last(value):
    items = list(value)
    return items[-1] if items else Undefined("last")


@register()
def join(value, between="", attribute=None):
    items = [_attribute(item, attribute) for item in value]
    if any(isinstance(item, Markup) for item in items) or isinstance(between, Markup):
        return escape(between).join(items)
    return str(between).join(str(item) for item in items)


@register("sort")
def sort_(value, attribute=None, reverse=False, case_sensitive=False):
    """Sorted, small and capital letters alike. Equal items keep their order, also when reversed."""

    def key(item):
        found = _attribute(item, attribute)
        return found.lower() if isinstance(found, str) and not case_sensitive else found

    return sorted(value, key=key, reverse=reverse)


@register()
def unique(value, attribute=None):
    """Without repetitions; the first of its kind stays."""
    seen, kept = set(), []
    for item in value:
        key = _attribute(item, attribute)
        if key not in seen:
            seen.add(key)
            kept.append(item)
    return kept


@register()
def batch(value, size, fill=None):
    """Lists of `size` items; with `fill`, the last one is filled up."""
    row, rows = [], []
    for item in value:
        row.append(item)
        if len(row) == size:
            rows.append(row)
            row = []
    if row:
        if fill is not None:
            row += [fill] * (size - len(row))
        rows.append(row)
    return rows


@register()
def groupby(value, attribute):
    """Pairs of (key, items), in the order of the keys; items keep their order."""
    groups = {}
    for item in value:
        groups.setdefault(_attribute(item, attribute), []).append(item)
    return sorted(groups.items(), key=lambda pair: pair[0])


@register()
def truncate(value, size=80, end="…", words=True):
    """At most `size` letters, the end included; cut between words where there is one to cut at."""
    text = _text(value)
    if len(text) <= size:
        return text
    cut = text[: size - len(end)]
    if words and " " in cut and text[len(cut)] != " ":
        cut = cut.rsplit(" ", 1)[0]
    return cut.rstrip() + end


@register()
def wordwrap(value, width=79):
    return "\n".join(textwrap.fill(line, width) for line in _text(value).splitlines())


@register()
def indent(value, width=4, first=False):
    """Indent all lines but empty ones; the first only when asked for."""
    lines = _text(value).split("\n")
    shown = [line if not line or (number == 0 and not first) else " " * width + line for number, line in enumerate(lines)]
    return "\n".join(shown)


@register("round")
def round_(value, digits=0):
    result = round(value, digits)
    return result if digits > 0 else int(result)


@register(safe=True)
def safe(value):
    return _text(value)


@register("escape")
def escape_(value):
    return escape(value)


@register(safe=True)
def nl2br(value):
    """Line ends as <br>; the rest is escaped."""
    return "<br>\n".join(escape(line) for line in _text(value).split("\n"))


@register(safe=True)
def tojson(value):
    """JSON that can stand in a page: <, > and & are written as \\u escapes."""
    text = json.dumps(value, sort_keys=True)
    for letter in "<>&'":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _text(value):
    return value if isinstance(value, str) else str(value)


def _attribute(item, path):
    """Follow a dotted path through attributes and keys."""
    if path is None:
        return item
    for name in path.split("."):
        if isinstance(item, dict):
            item = item[name]
        else:
            item = getattr(item, name)
    return item
