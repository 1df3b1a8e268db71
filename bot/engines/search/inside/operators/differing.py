"""Texts that differ from what a test expects, and by how much: the piece that differs, spelled in the code."""

from __future__ import annotations

import ast
import re
from typing import Iterator, List, Tuple

from ..hints import Hints, compared
from ..site import Change, Site, short
from .members import said_texts

LONGEST = 24
MOST_CONTEXT = 4


class _Difference(Tuple[str, str, str, str]):
    """What two texts have in common before, what the first and the second have there, what they share behind."""


def differences(hints: Hints) -> List[_Difference]:
    """(before, got, wanted, behind) of each failed equality of two texts."""
    found = []
    for red in hints.reds:
        pair = compared(red.message)
        if pair is None:
            continue
        got, wanted = (_plain(text) for text in pair)
        if got is None or wanted is None or got == wanted:
            continue
        most = min(len(got), len(wanted))
        first = next((at for at in range(most) if got[at] != wanted[at]), most)
        last = next((at for at in range(most - first) if got[-1 - at] != wanted[-1 - at]), most - first)
        end, wanted_end = len(got) - last, len(wanted) - last
        one = _Difference((got[:first], got[first:end], wanted[first:wanted_end], got[end:]))
        if len(one[1]) <= LONGEST and len(one[2]) <= LONGEST and one not in found:
            found.append(one)
    return found


def _plain(shown: str) -> "str | None":
    try:
        value = ast.literal_eval(shown)
    except (ValueError, SyntaxError):
        return None
    return value if isinstance(value, str) else None


def pieces(site: Site) -> Iterator[Change]:
    """A literal, or what an f-string spells between its fields, gets the piece that the expected text has there."""
    seen = differences(site.hints)
    for node in site.of(ast.Constant, ast.JoinedStr) if seen else ():
        shown = site.text(node)
        if (
            shown[:1] not in "'\"fFrRbBuU"
            or "\n" in shown
            or isinstance(site.parent(node), (ast.Expr, ast.JoinedStr))
        ):
            continue
        for before, got, wanted, behind in seen:
            yield from _replaced(site, node, shown, before, got, wanted, behind)


def _replaced(
    site: Site, node: ast.AST, shown: str, before: str, got: str, wanted: str, behind: str
) -> Iterator[Change]:
    """The piece with as much of its surroundings as the literal has: more of it is more certain."""
    body = re.match(r"[a-zA-Z]*(['\"])", shown)
    if body is None:
        return
    start, end = body.end(), len(shown) - 1
    inner, done = shown[start:end], set()
    for left in range(MOST_CONTEXT, -1, -1):
        for right in range(MOST_CONTEXT, -1, -1):
            old = before[len(before) - left :] + got + behind[:right]
            new = before[len(before) - left :] + wanted + behind[:right]
            if not old or old not in inner or left > len(before) or right > len(behind):
                continue
            text = shown[:start] + inner.replace(old, new, 1) + shown[end:]
            if text not in done and body.group(1) not in new and "\\" not in new:
                done.add(text)
                cost = 0.15 * (2 * MOST_CONTEXT - left - right)
                fault = "spells `%s` where the test expects `%s`" % (short(old), short(new))
                yield Change(site.swap(node, text), cost, "`%s`" % short(shown), fault)


def cut(site: Site) -> Iterator[Change]:
    """`x` becomes `x.strip(s)`, `x.lstrip(s)`, for signs at the ends that the messages show."""
    signs = list(dict.fromkeys(_ends(site)))[:4]
    for node in site.of(ast.Name, ast.Attribute, ast.Call) if signs else ():
        parent = site.parent(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        if called or "\n" in site.text(node) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            continue
        if not isinstance(parent, (ast.Call, ast.Return, ast.Assign, ast.Attribute, ast.Compare)):
            continue
        for rank, sign in enumerate(signs):
            for more, name in enumerate(("strip", "lstrip", "rstrip")):
                new = '%s.%s("%s")' % (site.operand(node), name, sign)
                fault = "keeps `%s` at its ends" % sign
                yield Change(site.swap(node, new), 0.15 * rank + 0.1 * more, "`%s`" % short(site.text(node)), fault)


def _ends(site: Site) -> Iterator[str]:
    for text in said_texts(site.hints):
        for sign in (text[0], text[-1]):
            if not sign.isalnum() and sign not in '\\"':
                yield sign
