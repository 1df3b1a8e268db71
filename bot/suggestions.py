"""A patch as suggestions that a click commits: possible where each change lies within what a pull request shows.

Pure. A suggestion must be byte for byte what was proven, so that anything which the way to GitHub would change (what
looks like a secret, invisible characters, line ends) makes suggestions impossible, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from bot.escape import plain
from bot.nouns import Patch
from bot.redaction import clean

MAX_SUGGESTIONS = 20
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@dataclass(frozen=True)
class Suggestion:
    """Lines `first` to `last` of a file, counted from 1, become `text`; an empty text removes them."""

    path: str
    first: int
    last: int
    text: str

    def comment(self) -> dict[str, Any]:
        """As GitHub takes it in a review."""
        ticks = "`" * (max((len(run) for run in re.findall(r"`{3,}", self.text)), default=2) + 1)
        body = f"{ticks}suggestion\n{self.text}{ticks}"
        place: dict[str, Any] = {"path": self.path, "line": self.last, "side": "RIGHT", "body": body}
        return place if self.first == self.last else {**place, "start_line": self.first, "start_side": "RIGHT"}


def lines_of(diff: str) -> tuple[range, ...]:
    """Line numbers of the new file that a diff shows, hunk by hunk; GitHub gives it without a header."""
    return tuple(
        range(int(found[1]), int(found[1]) + int(found[2] or 1)) for found in _HUNK.finditer(diff) if found[2] != "0"
    )


def suggestions(
    patch: Patch, old: Mapping[str, bytes | None], visible: Mapping[str, Sequence[range]]
) -> tuple[Suggestion, ...] | str:
    """The patch as suggestions, or the reason why it cannot be written so.

    `old`: content of the patch's files before; `visible`: what the pull request shows of each file.
    """
    made: list[Suggestion] = []
    for path, data in sorted(patch.files.items()):
        before = old.get(path)
        if data is None or before is None or patch.modes:
            return "The fix makes or removes a file, which suggestions cannot"
        found = _of_file(path, before, data)
        if isinstance(found, str):
            return found
        made += found
    hidden = next((each for each in made if not _is_shown(each, visible.get(each.path, ()))), None)
    if hidden is not None:
        return f"Line {hidden.first} of {hidden.path} lies outside of what the pull request shows"
    return (
        tuple(made) if len(made) <= MAX_SUGGESTIONS else f"The fix has {len(made)} places, too many for suggestions"
    )


def _is_shown(suggestion: Suggestion, hunks: Sequence[range]) -> bool:
    """GitHub wants both ends in one hunk."""
    return any(suggestion.first in hunk and suggestion.last in hunk for hunk in hunks)


def _of_file(path: str, before: bytes, after: bytes) -> list[Suggestion] | str:
    if not before.endswith(b"\n") or not after.endswith(b"\n"):
        return f"The last line of {path} has no end"
    try:
        old, new = before.decode()[:-1].split("\n"), after.decode()[:-1].split("\n")
    except UnicodeDecodeError:
        return f"{path} is not UTF-8 text"
    made = []
    for first, last, start, end in _changes(old, new):
        text = "".join(f"{line}\n" for line in new[start:end])
        if plain(text) != text or clean(text) != text:
            return f"What the fix writes to {path} cannot be shown unchanged"
        made.append(Suggestion(path, first + 1, last, text))
    return made


def _changes(old: list[str], new: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """(first, last, start, end): old[first:last] becomes new[start:end]. An insertion takes a line beside it in."""
    waiting: tuple[int, int, int, int] | None = None
    for tag, *places in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        first, last, start, end = places
        if first == last:
            first, last, start, end = (first - 1, last, start - 1, end) if first else (0, 1, 0, end + 1)
        if waiting is not None and first <= waiting[1]:
            waiting = (waiting[0], last, waiting[2], end)
            continue
        if waiting is not None:
            yield waiting
        waiting = (first, last, start, end)
    if waiting is not None:
        yield waiting
