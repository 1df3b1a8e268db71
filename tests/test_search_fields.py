"""Operators for one field each: dates, patterns, copies, keys, amounts, order, loops, classes, text and files."""

from __future__ import annotations

from textwrap import dedent

import pytest
from test_search_operators import offers

DATES = "from datetime import datetime, timedelta, timezone\n\n\n"
CASES = {
    "now without zone": ("time-zone-missing", DATES + "NOW = datetime.now()\n", "datetime.now(timezone.utc)"),
    "zone not imported": (
        "time-zone-missing",
        "from datetime import datetime\n\n\nNOW = datetime.utcnow()\n",
        "import datetime, timezone\n\n\nNOW = datetime.now(timezone.utc)",
    ),
    "epoch without zone": ("time-zone-missing", DATES + "X = datetime.fromtimestamp(3)\n", "(3, tz=timezone.utc)"),
    "parsed without zone": (
        "time-zone-missing",
        DATES + 'X = datetime.fromisoformat("a")\n',
        '("a").replace(tzinfo=timezone.utc)',
    ),
    "relabelled": ("time-zone-conversion", "x = y.replace(tzinfo=z)\n", "y.astimezone(z)"),
    "converted": ("time-zone-conversion", "x = y.astimezone(z)\n", "y.replace(tzinfo=z)"),
    "microseconds": ("time-zone-conversion", "x = y.replace(hour=0, second=0)\n", "second=0, microsecond=0)"),
    "seconds": ("duration-unit", "x = (a - b).seconds\n", "(a - b).total_seconds()"),
    "unit": ("duration-unit", "x = timedelta(seconds=3)\n", "timedelta(minutes=3)"),
    "days for hours": ("duration-unit", "x = timedelta(3)\n", "timedelta(hours=3)"),
    "milliseconds": ("duration-unit", "x = datetime.fromtimestamp(a)\n", "fromtimestamp(a / 1000)"),
    "minutes for months": ("date-format", 'x = y.strftime("%Y-%M-%d")\n', '"%Y-%m-%d"'),
    "day before month": ("date-format", 'x = y.strftime("%Y-%d-%m")\n', '"%Y-%m-%d"'),
    "weekday": ("weekday-count", "x = y.weekday()\n", "y.isoweekday()"),
    "flag": ("pattern-flags", 'x = re.compile("a")\n', 're.compile("a", re.IGNORECASE)'),
    "flag of sub": ("pattern-flags", 'x = re.sub("a", "b", y)\n', ", y, flags=re.MULTILINE)"),
    "not escaped": ("pattern-flags", 'x = re.search("a" + y, z)\n', '"a" + re.escape(y)'),
    "group": ("pattern-flags", "x = y.group()\n", "y.group(1)"),
    "optional group": ("pattern", 'x = match(r"a(b)$", y)\n', 'r"a(b)?$"'),
    "repetition": ("pattern", r'x = match(r"a\s=\d", y)' + "\n", r'r"a\s*=\d"'),
    "class": ("pattern", 'x = match("[a-z]+", y)\n', '"[^a-z]+"'),
    "underscore": ("pattern", 'x = match("[a-z]+", y)\n', '"[a-z_]+"'),
    "groups exchanged": ("pattern", r'x = sub(a, r"\1 \2", y)' + "\n", r'r"\2 \1"'),
    "deep copy": ("copy-deep", "import copy\n\n\ndef f(x):\n    return x.copy()\n", "copy.deepcopy(x)"),
    "rows": ("row-repeated", "x = [[0] * a] * b\n", "[[0] * a for _ in range(b)]"),
    "class level": (
        "class-level-mutable",
        "class A:\n    items = []\n\n    def __init__(self):\n        self.n = 0\n",
        "    def __init__(self):\n        self.items = []\n        self.n = 0\n",
    ),
    "class level without constructor": (
        "class-level-mutable",
        "class A:\n    items = []\n\n    def f(self):\n        pass\n",
        "    def __init__(self):\n        self.items = []\n",
    ),
    "field": (
        "class-level-mutable",
        "from dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    x: list = []\n",
        "import dataclass, field\n\n\n@dataclass\nclass A:\n    x: list = field(default_factory=list)\n",
    ),
    "iterator": ("iterator-walked-twice", "def f(x):\n    return sum(x), max(x)\n", "    x = list(x)\n    return"),
    "walked": ("changed-while-walked", "def f(x):\n    for y in x:\n        x.pop(y)\n", "for y in list(x):"),
    "generator": ("changed-while-walked", "x = (y for y in z)\n", "[y for y in z]"),
    "entry": ("entry-missing", "x[a].append(b)\n", "x.setdefault(a, []).append(b)"),
    "entry replaced": ("entry-missing", "x[a] = [b]\n", "x.setdefault(a, []).append(b)"),
    "ceil": ("rounded-up", "x = a // b\n", "math.ceil(a / b)"),
    "decimal of float": ("decimal-digits", "x = Decimal(0.1)\n", 'Decimal("0.1")'),
    "quantize": ("decimal-digits", "x = y.quantize(z)\n", 'y.quantize(z, rounding="ROUND_HALF_UP")'),
    "tolerance": ("float-tolerance", "import math\n\nx = a == b\n", "math.isclose(a, b)"),
    "clamp": ("clamp-swapped", "x = min(a, max(b, c))\n", "max(a, min(b, c))"),
    "operand": ("operand-missing", "def f(a, b):\n    c = b\n    return c\n", "c = a + b"),
    "groups": ("grouping-both-sides", "x = a - b / c - d\n", "(a - b) / (c - d)"),
    "one between": ("grouping-both-sides", "x = len(a) + len(b)\n", "len(a) + 1 + len(b)"),
    "bits": ("grouping-both-sides", "x = a & b\n", "a & ~b"),
    "none": ("none-or-empty", "if x:\n    y = 1\n", "if x is not None:"),
    "not none": ("none-or-empty", "if not x:\n    y = 1\n", "if x is None:"),
    "or": ("default-for-none", "x = a or b\n", "b if a is None else a"),
    "even": ("filter-missing", "x = [y for y in z]\n", "for y in z if y % 2 == 0]"),
    "list of one": ("one-for-many", "x = deque(a)\n", "deque([a])"),
    "tuple of one": ("one-for-many", "x = a + (b)\n", "a + (b,)"),
    "first": ("first-value", "def f(a):\n    seen = set()\n    return seen\n", "seen = {a}"),
    "infinity": ("first-value", "x = a.get(b, 0)\n", 'a.get(b, float("inf"))'),
    "spread": ("arguments-spread", "x = zip(rows)\n", "zip(*rows)"),
    "keywords passed on": (
        "arguments-spread",
        "def f(*args, **kwargs):\n    return g(*args)\n",
        "g(*args, **kwargs)",
    ),
    "swap": ("unpacking", "a = b\n", "a, b = b, a"),
    "kinds": ("kind-left-out", "x = isinstance(a, list)\n", "isinstance(a, (list, tuple))"),
    "ties": ("sort-ties", "x = sorted(a, key=lambda b: -c[b])\n", "lambda b: (-c[b], b)"),
    "key": ("sort-key", "def f(a):\n    return sorted(a), a.size\n", "key=lambda item: item.size"),
    "unsorted": ("order-missing", "for x in y:\n    z(x.start)\n", "sorted(y, key=lambda item: item.start)"),
    "groupby": ("order-missing", "x = groupby(a, key=b)\n", "groupby(sorted(a, key=b), key=b)"),
    "enumerate": ("loop-numbers", "for i, x in y:\n    z(i, x)\n", "enumerate(y)"),
    "items": ("loop-numbers", "for k, v in y:\n    z(k, v)\n", "y.items()"),
    "longest": ("lengths-unequal", "import itertools\n\nx = zip(a, b)\n", "itertools.zip_longest(a, b, fillvalue=0)"),
    "loop else": (
        "loop-else",
        "for x in y:\n    if x:\n        break\nraise KeyError(y)\n",
        "else:\n    raise KeyError(y)\n",
    ),
    "late": ("loop-variable-late", "x = [lambda a: a + b for b in c]\n", "lambda a, b=b: a + b"),
    "late without arguments": ("loop-variable-late", "x = [lambda: b for b in c]\n", "lambda b=b: b"),
    "rest": (
        "rest-lost",
        "def f(a):\n    for x in a:\n        b.append(x)\n    return b\n",
        "        b.append(x)\n    if x:\n        b.append(x)\n",
    ),
    "finally": (
        "finally-missing",
        "def f(a):\n    yield a\n    a.close()\n",
        "    try:\n        yield a\n    finally:\n        a.close()\n",
    ),
    "async for": ("async-missing", "async def f(a):\n    return [x for x in a]\n", "[x async for x in a]"),
    "async with": ("async-missing", "async def f(a):\n    with a as b:\n        pass\n", "async with a as b:"),
    "stored": ("attribute-not-stored", "class A:\n    def __init__(self):\n        a = 1\n", "self.a = 1"),
    "base": ("base-method", "class A(B):\n    def f(self, a):\n        return self.f(a)\n", "super().f(a)"),
    "base twice self": (
        "base-method",
        "class A(B):\n    def __init__(self, a):\n        super().__init__(self, a)\n",
        "super().__init__(a)",
    ),
    "other side": (
        "special-method",
        "class A:\n    def __eq__(self, o):\n        if not o:\n            return False\n        return True\n",
        "return NotImplemented",
    ),
    "iterator of class": (
        "special-method",
        "class A:\n    def __iter__(self):\n        return self.a\n",
        "iter(self.a)",
    ),
    "result lost": ("result-lost", "def f(a):\n    a.strip()\n    return a\n", "    a = a.strip()\n"),
    "wrapper": (
        "wrapper-missing",
        "from contextlib import contextmanager\n\n\ndef f():\n    yield\n",
        "@contextmanager\ndef f():",
    ),
    "wraps": (
        "wrapper-missing",
        "import functools\n\n\ndef f(g):\n    def h():\n        return g()\n    return h\n",
        "    @functools.wraps(g)\n    def h():",
    ),
    "encoding": ("encoding", 'x = y.encode("ascii")\n', 'y.encode("utf-8")'),
    "encoding not named": ("encoding", "x = y.read_text()\n", 'y.read_text(encoding="utf-8")'),
    "line break": ("line-end", "x.write(y)\n", 'x.write(y + "\\n")'),
    "stripped": ("line-end", "x = y.rstrip()\n", 'y.rstrip("\\n")'),
    "opposite": ("word-opposite", 'x = f(action="store_false")\n', '"store_true"'),
    "mode": ("word-opposite", 'x = open(y, "w")\n', 'open(y, "a")'),
    "suffix": ("affix-cut", "x = y.rstrip(z)\n", "y[: -len(z)]"),
    "wrong end": ("slice-by-length", "x = y[: len(z)]\n", "y[: -len(z)]"),
    "room": ("slice-by-length", 'x = y[:n] + "..."\n', 'y[:n - 3] + "..."'),
    "cause": (
        "cause-of-error",
        "try:\n    f()\nexcept OSError as e:\n    raise ValueError(1)\n",
        "raise ValueError(1) from e",
    ),
    "sibling": (
        "line-of-sibling",
        "class A:\n    def f(self):\n        self.x = 1\n\n    def g(self):\n        self.x = 2\n        self.told()\n",
        "        self.x = 1\n        self.told()\n",
    ),
    "divisor": ("divisor-zero", "def f(a):\n    return sum(a) / len(a)\n", "    if not a:\n        return 0.0\n"),
    "keyword": ("keyword-added", "x = a.popitem()\n", "popitem(last=False)"),
    "keyword of that name": ("keyword-added", "def f(a, default):\n    return max(a)\n", "max(a, default=default)"),
}


@pytest.mark.parametrize("name", CASES)
def test_edit_of_its_field_is_offered(name: str):
    operator, before, after = CASES[name]
    found = offers(operator, before)
    assert any(after in text for text in found), found


MESSAGES = {
    "new key": ("default-made-on-the-way", "KeyError: 'a'", "x = {}\n", "x = defaultdict(list)"),
    "key first": ("key-looked-for", "KeyError: 'a'", "if x[a]:\n    b = 1\n", "if a in x and x[a]:"),
    "index first": ("key-looked-for", "list index out of range", "while x[a]:\n    b = 1\n", "while a < len(x) and"),
    "too many": ("unpacking", "too many values to unpack (expected 2)", "a, b = c\n", "a, *b = c"),
    "unhashable": (
        "hash-missing",
        "unhashable type: 'A'",
        "class A:\n    def __eq__(self, o):\n        return self.a == o.a\n",
        "    def __hash__(self):\n        return hash((self.a,))\n",
    ),
    "bytes": ("bytes-and-text", "a bytes-like object is required, not 'str'", "x = f(a)\n", 'f(a.encode("utf-8"))'),
    "other language": ("name-not-defined", "name 'null' is not defined", "x = null\n", "x = None"),
    "builtin of Python 2": ("name-not-defined", "name 'xrange' is not defined", "x = xrange(3)\n", "range(3)"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_message_leads_to_the_edit(name: str):
    operator, message, before, after = MESSAGES[name]
    found = offers(operator, dedent(before), message)
    assert any(after in text for text in found), found
