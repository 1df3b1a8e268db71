"""Why an edit was not done, in words from which a model can correct itself. Each kind has its own text."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

_NEAREST = 2
_MOST_PLACES = 8
_LOOKED_AT = 12
NOTHING = "Nothing was changed."


class EditRefused(Exception):
    """`kind` names the rule; the message is for the model."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{text} {NOTHING}")
        self.kind = kind


def empty_old(path: str) -> EditRefused:
    return EditRefused(
        "empty-old",
        f"`old` is empty, so it names no place in {path}. Quote the lines that are to change; to add lines, quote "
        "the line beside them and repeat it in `new`.",
    )


def no_change(path: str) -> EditRefused:
    return EditRefused("no-op", f"`old` and `new` are the same text, so {path} would stay as it is.")


def ambiguous(path: str, view: str, starts: tuple[int, ...]) -> EditRefused:
    lines = [view.count("\n", 0, start) + 1 for start in starts]
    shown = ", ".join(str(line) for line in lines[:_MOST_PLACES]) + (" …" if len(lines) > _MOST_PLACES else "")
    return EditRefused(
        "ambiguous",
        f"`old` stands in {path} {len(lines)} times, beginning at lines {shown}. Quote more lines around the one "
        "that you mean.",
    )


def already_applied(path: str, line: int) -> EditRefused:
    return EditRefused(
        "already-applied",
        f"`old` is not in {path}, but `new` is, at line {line}: this edit has been done already. Go on.",
    )


def stale(path: str, region: str) -> EditRefused:
    return EditRefused(
        "stale", f"{path} has changed since you read it. It reads now:\n{region}\nQuote from this text."
    )


def not_found(path: str, view: str, old: str, *, times: int) -> EditRefused:
    """What is nearest to `old`, and where it differs. `times`: how often this same edit has failed now."""
    parts = [f"`old` was not found in {path}."]
    windows = nearest(view, old)
    for start, size in windows:
        parts.append(_difference(view, old, start, size))
    if not windows:
        parts.append("No lines of the file are like it: it may stand in another file; use search_code.")
    if times == 2:
        at = windows[0][0] if windows else 0
        parts.append(f"The same edit failed before. The file reads there:\n{region(view, at + 20, lines=40)}")
    if times >= 3:
        parts.append(
            f"The same edit has failed {times} times. Do not send it again: read the lines with read_file and "
            "copy them from its answer, or choose a smaller, unmistakable piece."
        )
    return EditRefused("not-found", "\n".join(parts))


def region(view: str, line: int, *, lines: int = 7) -> str:
    """Numbered lines around a line (counted from 1)."""
    every = view.split("\n")
    first = max(0, min(line - 1 - lines // 2, len(every) - lines))
    return numbered(every[first : first + lines], first + 1)


def numbered(lines: list[str], first: int) -> str:
    """Lines as `read_file` shows them: number, tab, text."""
    return "\n".join(f"{first + offset:>6}\t{line}" for offset, line in enumerate(lines))


def nearest(view: str, old: str) -> list[tuple[int, int]]:
    """At most two windows (first line counted from 0, size) of the file that are most like `old`."""
    lines, wanted = view.split("\n"), old.strip("\n").split("\n")
    size = min(len(wanted), len(lines))
    ranked = sorted(
        ((_ratio(lines[start : start + size], wanted), start) for start in _promising(lines, wanted, size)),
        key=lambda pair: (-pair[0], pair[1]),
    )
    chosen: list[tuple[int, int]] = []
    for ratio, start in ranked:
        if ratio > 0.5 and all(abs(start - other) >= size for other, _ in chosen):
            chosen.append((start, size))
    return chosen[:_NEAREST]


def _promising(lines: list[str], wanted: list[str], size: int) -> list[int]:
    """Windows that share most words with `old`: comparing all of them would take seconds in a long file."""
    words = {word for line in wanted for word in _words(line)}
    scores = [len(words & set(_words(line))) for line in lines]
    total = sum(scores[:size])
    sums = [(total, 0)]
    for start in range(1, len(lines) - size + 1):
        total += scores[start + size - 1] - scores[start - 1]
        sums.append((total, start))
    sums.sort(key=lambda pair: (-pair[0], pair[1]))
    return [start for score, start in sums[:_LOOKED_AT] if score]


def _words(line: str) -> Iterator[str]:
    word = ""
    for char in line[:400]:
        if char.isalnum() or char == "_":
            word += char
        elif word:
            yield word
            word = ""
    if word:
        yield word


def _ratio(window: list[str], wanted: list[str]) -> float:
    one = "\n".join(line.strip() for line in window)[:4000]
    two = "\n".join(line.strip() for line in wanted)[:4000]
    return SequenceMatcher(None, one, two, autojunk=False).ratio()


def _difference(view: str, old: str, start: int, size: int) -> str:
    """One window: its lines, and the first line that differs, both sides as repr so that blanks can be seen."""
    lines = view.split("\n")[start : start + size]
    wanted = old.strip("\n").split("\n")
    shown = lines if size <= 12 else lines[:12]
    parts = [f"Nearest, lines {start + 1}-{start + size}:", numbered(shown, start + 1)]
    for number, (mine, theirs) in enumerate(zip(lines, wanted, strict=False)):
        if mine != theirs:
            parts.append(f"First difference, line {start + number + 1}: the file has {mine[:300]!r},")
            parts.append(f"`old` has {theirs[:300]!r}.{_hint(mine, theirs)}")
            break
    return "\n".join(parts)


def _hint(mine: str, theirs: str) -> str:
    own, other = mine[: len(mine) - len(mine.lstrip())], theirs[: len(theirs) - len(theirs.lstrip())]
    if mine.strip() == theirs.strip() and own != other:
        if "\t" in own and "\t" not in other:
            return " The file indents with tabs, `old` with spaces."
        if "\t" in other and "\t" not in own:
            return " The file indents with spaces, `old` with tabs."
        return f" The indentation differs: {len(own)} blanks in the file, {len(other)} in `old`."
    return ""
