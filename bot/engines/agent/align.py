"""Which lines of two texts are the same: beginning and end first, so that the least of the text counts as changed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

Opcode = tuple[str, int, int, int, int]
_MOST = 4000


def opcodes(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """As difflib's, without its freedom to move an empty line: what stands before and behind a change is kept."""
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    tail = next((n for n in range(most - head) if old[-1 - n] != new[-1 - n]), most - head)
    a, b = len(old) - tail, len(new) - tail
    codes: list[Opcode] = [("equal", 0, head, 0, head)] if head else []
    if head < a or head < b:
        codes += _middle(old[head:a], new[head:b], head)
    return [*codes, ("equal", a, len(old), b, len(new))] if tail else codes


def _middle(old: Sequence[str], new: Sequence[str], at: int) -> list[Opcode]:
    if len(old) == len(new) or len(old) + len(new) > _MOST:
        # As many lines as before: each most likely replaces the one in its place.
        kind = "replace" if old and new else "insert" if new else "delete"
        return [(kind, at, at + len(old), at, at + len(new))] if len(old) != len(new) else list(_pairs(old, new, at))
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(tag, a1 + at, a2 + at, b1 + at, b2 + at) for tag, a1, a2, b1, b2 in codes]


def _pairs(old: Sequence[str], new: Sequence[str], at: int) -> list[Opcode]:
    return [
        ("equal" if mine == theirs else "replace", at + n, at + n + 1, at + n, at + n + 1)
        for n, (mine, theirs) in enumerate(zip(old, new, strict=True))
    ]
