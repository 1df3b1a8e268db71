"""From ideas about a broken text to candidates: only what compiles, in one step or in a few."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Callable, Iterator, List, NamedTuple, Optional, Tuple

from ...broken import BrokenSource, complaint
from ...site import Change, Site, short
from ...unit import Edit
from .scan import Scan, Token

STEPS = 3
MOST_TRIES = 500
EACH_STEP = 0.8


class Mend(NamedTuple):
    """One idea: characters from start to end get another text. The words are those of `Change`."""

    start: int
    end: int
    text: str
    cost: float
    what: str
    fault: str


class Broken:
    """A text that does not compile, cut into lines, and where the compiler stumbled."""

    def __init__(self, text: str, error: SyntaxError) -> None:
        self.text = text
        self.message = error.msg or ""
        self.starts = [0] + [found.end() for found in re.finditer(r"\r\n|\r|\n", text)]
        self.line = min(max(1, error.lineno or 1), len(self.starts))
        self.column = max(0, (error.offset or 1) - 1)
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.scan = Scan(text)

    def span(self, line: int) -> Tuple[int, int]:
        """Characters of a line, its break left out."""
        start = self.starts[line - 1]
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        return start, start + len(self.text[start:end].rstrip("\r\n"))

    def words(self, line: int) -> str:
        start, end = self.span(line)
        return self.text[start:end]

    def indent(self, line: int) -> str:
        words = self.words(line)
        return words[: len(words) - len(words.lstrip())]

    def quoted(self, line: int) -> str:
        """The line as it is named in a sentence."""
        return "`%s`" % short(self.words(line).strip())

    def tokens(self, line: int) -> List[Token]:
        """Code of a line: no comments."""
        start, end = self.span(line)
        found = [token for token in self.scan.tokens if start <= token.start < end]
        return [token for token in found if not token.text.startswith("#")]

    def near(self, above: int = 2) -> Iterator[Tuple[float, int]]:
        """Lines where the fault may be, with what the distance costs: the one complained of, then those above."""
        yield 0.0, self.line
        line, seen = self.line - 1, 0
        while line >= 1 and seen < above:
            if self.words(line).strip():
                seen += 1
                yield 0.2 * seen, line
            line -= 1
        head = self.head(self.line)
        if head < line:
            yield 0.3, head

    def head(self, line: int) -> int:
        """The first line of the logical line that a line belongs to, as far as brackets tell."""
        while line > 1 and self.scan.depth_at(self.starts[line - 1]) > 0:
            line -= 1
        return line

    def line_of(self, offset: int) -> int:
        return len([start for start in self.starts if start <= offset])


Kind = Callable[[Broken], Iterator[Mend]]


def broken_of(source: object) -> Optional[Broken]:
    if not isinstance(source, BrokenSource):
        return None
    error = complaint(source.whole)
    return None if error is None else Broken(source.whole, error)


def mended_by(kind: Kind, others: Callable[[], Tuple[Kind, ...]]) -> Callable[[Site], Iterator[Change]]:
    """The changes of one kind of mend. Where another fault lies behind the first, all kinds may go on from there."""

    def changes(site: Site) -> Iterator[Change]:
        broken = broken_of(site.source)
        if broken is not None:
            assert isinstance(site.source, BrokenSource)
            tries = [MOST_TRIES]
            for text, cost, what, fault in _whole(broken, (kind,), others, STEPS, tries):
                edits = _edits(site.source, text)
                if edits:
                    yield Change(edits, cost, what, fault)

    return changes


Whole = Tuple[str, float, str, str]


def _whole(
    broken: Broken, kinds: Tuple[Kind, ...], others: Callable[[], Tuple[Kind, ...]], steps: int, tries: List[int]
) -> Iterator[Whole]:
    """Texts that compile; first those that need one step, then those that need more."""
    further: List[Tuple[Mend, Broken]] = []
    seen = set()
    for mend in sorted((mend for kind in kinds for mend in kind(broken)), key=lambda mend: mend.cost):
        text = broken.text[: mend.start] + mend.text + broken.text[mend.end :]
        if text in seen or tries[0] <= 0:
            continue
        seen.add(text)
        tries[0] -= 1
        error = complaint(text)
        if error is None:
            yield text, mend.cost, mend.what, mend.fault
        elif _further(broken, error, mend):
            further.append((mend, Broken(text, error)))
    if steps > 1:
        for mend, rest in further[:3]:
            for text, cost, what, fault in _whole(rest, others(), others, steps - 1, tries):
                words = "%s; %s %s as well" % (mend.fault, what, fault)
                yield text, mend.cost + cost + EACH_STEP, mend.what, words


def _further(broken: Broken, error: SyntaxError, mend: Mend) -> bool:
    """True when the compiler came further than before: another fault lies behind this one."""
    added = mend.text.count("\n") - broken.text[mend.start : mend.end].count("\n")
    return (error.lineno or 0) > broken.line + max(0, added)


def _edits(source: BrokenSource, text: str) -> Tuple[Edit, ...]:
    """The lines that differ, as byte offsets of the file."""
    old, new = source.whole.splitlines(keepends=True), text.splitlines(keepends=True)
    offsets = [source.bom]
    for line in old:
        offsets.append(offsets[-1] + len(line.encode("utf-8")))
    edits = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            edits.append(_trimmed(offsets[i1], "".join(old[i1:i2]), "".join(new[j1:j2])))
    return tuple(edits)


def _trimmed(start: int, old: str, new: str) -> Edit:
    """One edit without what is the same at both its ends."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    first = start + len(old[:head].encode("utf-8"))
    gone = old[head : len(old) - tail]
    return first, first + len(gone.encode("utf-8")), new[head : len(new) - tail]
