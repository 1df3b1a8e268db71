"""What stands in the wrong order or place: parameters, future imports, `global`, `await`."""

from __future__ import annotations

import re
from typing import Iterator

from .mend import Broken, Mend

_TOP = r'(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:("""|\'\'\')[\s\S]*?\1[^\n]*(?:\r?\n)+)?'
"""Comments, then a docstring."""


def parameters(broken: Broken) -> Iterator[Mend]:
    """A parameter without a default behind one with; a positional argument behind a keyword."""
    for cost, line in broken.near(above=1):
        start, _end = broken.span(line)
        words, what = broken.words(line), broken.quoted(line)
        named = r"(\w+\s*(?::\s*[\w\[\], .]+)?\s*=\s*[^,()]+(?:\([^()]*\))?)"
        for found in re.finditer(named + r",\s*(\w[\w.\"']*(?:\s*:\s*\w+)?)(?=\s*[,)])", words):
            one, two = found.group(1), found.group(2)
            at, to = start + found.start(), start + found.end()
            fault = "has `%s` behind `%s`, where it may not stand" % (two, one)
            yield Mend(at, to, "%s, %s" % (two, one), cost, what, fault)
            yield Mend(to, to, "=None", cost + 0.2, what, "lacks a default for `%s`" % two)
            yield Mend(to, to, "=" + two, cost + 0.1, what, "must pass `%s` by its name" % two)
            bare = one.split("=")[0].strip()
            yield Mend(at, at + len(one), bare, cost + 0.3, what, "has a default that those behind it lack")
        for found in re.finditer(r"(\*\*\w+),\s*(\*?\w+(?:=\w+)?)", words):
            text = "%s, %s" % (found.group(2), found.group(1))
            yield Mend(
                start + found.start(), start + found.end(), text, cost, what, "has `%s` too early" % found.group(1)
            )
        for found in re.finditer(r",\s*(\w+)\b(?=[^()]*\b\1\b)|\b(\w+),\s*(?=\2\b)", words):
            yield Mend(start + found.start(), start + found.end(), "", cost + 0.4, what, "names something twice")


def future(broken: Broken) -> Iterator[Mend]:
    """`from __future__` behind other code: it goes to the top, behind the docstring."""
    found = re.search(r"^from __future__ import [^\r\n]*(\r\n|\r|\n)?", broken.text, re.MULTILINE)
    if found is None or "__future__" not in broken.message:
        return
    rest = broken.text[: found.start()]
    top = re.match(_TOP, rest)
    at = top.end() if top else 0
    line = found.group().rstrip("\r\n")
    text = line + broken.newline + rest[at:]
    yield Mend(at, found.end(), text, 0.0, "`%s`" % line, "stands behind other code; it must come first")


def declared(broken: Broken) -> Iterator[Mend]:
    """`global x` behind the first use of `x`: it goes to the head of the function. One that cannot be, goes."""
    for cost, line in broken.near(above=0):
        words = broken.words(line)
        if not re.match(r"\s*(global|nonlocal)\s", words):
            continue
        start, what = broken.starts[line - 1], broken.quoted(line)
        end = broken.starts[line] if line < len(broken.starts) else len(broken.text)
        yield Mend(start, end, "", cost + 0.5, what, "does not belong there")
        swapped = re.sub(r"nonlocal|global", lambda m: "global" if m.group() == "nonlocal" else "nonlocal", words)
        yield Mend(start, start + len(words), swapped, cost + 0.3, what, "must be `%s`" % swapped.strip())
        for above in range(line - 1, 0, -1):
            if re.match(r"\s*(async )?def ", broken.words(above)):
                at = broken.starts[above]
                text = words + broken.newline + broken.text[at:start]
                yield Mend(at, end, text, cost, what, "stands behind the first use of its name")
                return


def coroutine(broken: Broken) -> Iterator[Mend]:
    """`await` in a plain `def`: the function must be `async`, or nothing is awaited."""
    for cost, line in broken.near(above=0):
        words, what = broken.words(line), broken.quoted(line)
        if not re.search(r"\bawait\b|\basync\b", words):
            continue
        start = broken.starts[line - 1]
        bare = re.sub(r"\bawait\s+|\basync\s+", "", words, count=1)
        yield Mend(start, start + len(words), bare, cost + 0.6, what, "awaits in a function that is not `async`")
        for above in range(line - 1, 0, -1):
            found = re.match(r"(\s*)def (\w+)", broken.words(above))
            if found and len(found.group(1)) < len(broken.indent(line)):
                at = broken.starts[above - 1] + len(found.group(1))
                fault = "awaits, so that it must be `async def`"
                yield Mend(at, at, "async ", cost, "`%s`" % found.group(2), fault)
                return


def conflict(broken: Broken) -> Iterator[Mend]:
    """Marks of a merge that was not finished: the one side stays, or the other, or both."""
    pattern = r"^<{7}[^\n]*\n([\s\S]*?)(?:^\|{7}[^\n]*\n[\s\S]*?)?^={7}[^\n]*\n([\s\S]*?)^>{7}[^\n]*(?:\n|$)"
    for side, name in enumerate(("the upper side", "the lower side", "both sides")):
        forms = (r"\1", r"\2", r"\1\2")
        text = re.sub(pattern, forms[side], broken.text, flags=re.MULTILINE)
        if text != broken.text:
            found = re.search(pattern, broken.text, re.MULTILINE)
            assert found is not None
            what = "`%s`" % found.group().split("\n")[0]
            fault = "was left by a merge that nobody finished; keep %s" % name
            yield Mend(0, len(broken.text), text, 0.1 * side, what, fault)
    for cost, line in broken.near(above=0):
        if re.match(r"(<{7}|={7}|>{7})", broken.words(line)):
            end = broken.starts[line] if line < len(broken.starts) else len(broken.text)
            yield Mend(broken.starts[line - 1], end, "", cost + 0.5, broken.quoted(line), "was left by a merge")
