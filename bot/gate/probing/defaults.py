"""Results that a patch gives where the code broke down: a default for what is missing, or an answer for the tests.

`supplier[:3]` breaks where there is no supplier, and a fix gives `"---"` for all of these. That all of them come to
what the test expects says nothing against it, as long as that result can be a default.
"""

from __future__ import annotations

import re

from bot.gate.layer import Case
from bot.gate.outside import bare
from bot.gate.probing.compared import Compared, Entry
from bot.gate.probing.inputs import atom, essence, is_edge, normal
from bot.gate.probing.raised import Raised
from bot.gate.source.origins import MOST_TEXT
from bot.gate.targets.compare import is_plain, stripped

ALIKE = 3
"""Letters in a row that a default has in common with an input: it may have been made of it."""


def is_default(case: Case, part: Compared) -> bool:
    """Whether all that changes broke down before, or came to nothing, and comes to one thing now: a default."""
    entries = part.differs
    own = Raised.of(case, {probe.function.path for probe, _, _ in entries})
    if any(old[0][0] != "raised" for _, old, _ in part.seen()) or any(own.made(old) for _, old, _ in entries):
        return False
    if any(old[0][0] != "raised" and not is_edge(stripped(old[0])) for _, old, _ in entries):
        return False
    return len({str(normal(stripped(new[0]))) for _, _, new in entries}) == 1 and _can_be_default(case, entries)


def _can_be_default(case: Case, entries: list[Entry]) -> bool:
    """A text without letters, one that the repository speaks of, or one that is made of no input. No number."""
    result = stripped(entries[0][2][0])
    text = atom(result) if is_plain(normal(result)) and result[0] == "str" else None
    if not isinstance(text, str):
        return False
    return not re.search(r"\w", text) or _is_spoken_of(case, text) or not _is_made_of_inputs(text, entries)


def _is_spoken_of(case: Case, text: str) -> bool:
    """Whether it stands in quotes somewhere outside the tests."""
    quoted = [f"{mark}{text}{mark}".encode() for mark in "\"'`"]
    files = (file.data for file in bare(case.tree, case.before.test_files).values() if len(file.data) < MOST_TEXT)
    return any(one in data for data in files for one in quoted)


def _is_made_of_inputs(text: str, entries: list[Entry]) -> bool:
    """Whether letters, or a number, of a test's input stand in it."""
    given = [str(atom(inner)) for probe, _, _ in entries if probe.seen for inner in essence(probe.call.arguments)]
    given += [str(atom(inner)) for probe, _, _ in entries if probe.seen for inner in essence(probe.call.named)]
    known = " ".join(given).casefold()
    runs = {text[start : start + ALIKE].casefold() for start in range(max(len(text) - ALIKE + 1, 1))}
    numbers = set(re.findall(r"\d+", text))
    return bool(numbers) or any(run.strip() and run in known for run in runs)
