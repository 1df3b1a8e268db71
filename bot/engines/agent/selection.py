"""Which of several accepted patches is published: fewest risks, then agreement, then the smallest change."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from bot import syntax
from bot.nouns import Candidate, Patch
from bot.workspace import unified_diff
from sandbox import Files

_SIGNATURE = re.compile(r"^[-+]\s*(?:async\s+)?(?:def|class|func|fn|public|export)\s+(?!_)")


@dataclass(frozen=True)
class Rank:
    """What counts, in this order; smaller is better."""

    files: int
    signatures: int
    disagreement: int
    size: int
    place: int


def best_first(candidates: Sequence[Candidate], tree: Files) -> list[Candidate]:
    """The candidates in order. One patch that several attempts found independently is the likelier one."""
    normal = [normalised(tree, candidate.patch) for candidate in candidates]
    ranks = [
        Rank(
            len(candidate.patch.files),
            sum(bool(_SIGNATURE.match(line)) for line in unified_diff(tree, candidate.patch).split("\n")),
            -normal.count(text),
            sum(len(part) for part in text),
            number,
        )
        for number, (candidate, text) in enumerate(zip(candidates, normal, strict=True))
    ]
    order = sorted(range(len(candidates)), key=lambda number: _key(ranks[number]))
    return [candidates[number] for number in order]


def normalised(tree: Files, patch: Patch) -> tuple[str, ...]:
    """What a patch changes, without comments, blanks and the way in which code is laid out."""
    lines = [line for path, data in sorted(patch.files.items()) for line in _changed(tree, path, data)]
    return tuple(lines)


def _changed(tree: Files, path: str, data: bytes | None) -> list[str]:
    before = _plain(path, tree[path].data if path in tree else b"")
    after = _plain(path, data or b"")
    old, new = set(before), set(after)
    return [f"{path}-{line}" for line in before if line not in new] + [
        f"{path}+{line}" for line in after if line not in old
    ]


def _plain(path: str, data: bytes) -> list[str]:
    text = data.decode("utf-8", "replace")
    if path.endswith(".py"):
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = ast.unparse(syntax.parse(text))
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def _key(rank: Rank) -> tuple[int, int, int, int, int]:
    return (rank.files, rank.signatures, rank.disagreement, rank.size, rank.place)
