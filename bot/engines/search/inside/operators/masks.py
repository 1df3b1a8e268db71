"""Masks: numbers that stand for bits, with one bit too few, too many, or all of them moved."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator

from ..site import Change, Site, short

WIDEST = 64
_BASES = {"0x": "x", "0b": "b", "0o": "o"}
_BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)


def bits(site: Site) -> Iterator[Change]:
    """`0x07` becomes `0x0F`, `0b100` `0b1000`: for numbers written in bits, and for operands of `&`, `|` and `^`."""
    for node in site.of(ast.Constant):
        value = getattr(node, "value", None)
        if type(value) is int and 0 < value.bit_length() <= WIDEST and value > 0 and _is_mask(site, node):
            text = site.text(node)
            for new, cost in _others(value).items():
                fault = "has other bits set than `%s`" % _as_in(text, new)
                yield Change(site.swap(node, _as_in(text, new)), cost, "`%s`" % short(text), fault)


def _is_mask(site: Site, node: ast.AST) -> bool:
    parent = site.parent(node)
    beside = isinstance(parent, ast.BinOp) and isinstance(parent.op, _BITWISE)
    return beside or site.text(node)[:2].lower() in _BASES


def _others(value: int) -> Dict[int, float]:
    """Masks near this one and what they cost: one bit more or less, at either end; moved; the next whole byte."""
    width = value.bit_length()
    lowest = value & -value
    near = (
        ((value << 1) | lowest, 0.0),
        (value & ~(1 << (width - 1)), 0.2),
        (value << 1, 0.2),
        (value >> 1, 0.2),
        (value | (lowest >> 1), 0.4),
        (value & ~lowest, 0.4),
        ((1 << width) - 1, 0.5),
        ((1 << 8 * ((width + 7) // 8)) - 1, 0.6),
        (value ^ ((1 << width) - 1), 0.8),
    )
    found: Dict[int, float] = {}
    for new, cost in near:
        if new not in (0, value):
            found.setdefault(new, cost)
    return found


def _as_in(text: str, value: int) -> str:
    """Written as the number was: in its base, with its letters, and as wide."""
    form = _BASES.get(text[:2].lower())
    if form is None:
        return str(value)
    body = text[2:].replace("_", "")
    digits = format(value, form)
    if form == "x" and not re.search(r"[a-f]", body):
        digits = digits.upper()
    return text[:2] + digits.rjust(len(body), "0")
