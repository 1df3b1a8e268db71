"""What stands in a text, counted before the patch, and counts no more: a number, or signs that nobody knows.

A patch that mends `1 000` by reading what stands before the blank comes to 1 for `1 234`, too; one that leaves out
all signs but digits reads a number in `1x2`, which was refused.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.gate.baseline import file_of
from bot.gate.layer import Case
from bot.gate.probing.compared import LAYER, Compared, Entry, Probe
from bot.gate.probing.inputs import atom
from bot.gate.probing.touched import Touched
from bot.gate.probing.varied import Came, accepted, error, functions, mended, of, result, texts, with_text
from bot.gate.source.paths import parse
from bot.gate.targets.compare import nodes
from bot.nouns import Reason

MOST_SEEN, MOST_OTHERS, MOST_TEXTS, MOST_RUNS, LONGEST = 5, 8, 2, 6, 200
LEAST_READ, LEAST_RESULTS, MOSTLY = 3, 3, 0.5
LEAST_FOREIGN, NEARLY_ALL = 8, 0.9
_RUN = re.compile(r"\d+(?:[.,]\d+)*")
"""A number; what stands behind its point may well be rounded."""
_TAIL = re.compile(r"[^\w]*\w+[^\w]*$")
_OTHERS = ("1357924681", "9999999998")
_FOREIGN = "xQ~^|%é§"


@dataclass(frozen=True)
class _Text:
    """One text of one call, and the same call with others in its place."""

    origin: Probe
    text: str

    def numbers(self) -> Iterator[tuple[str, list[Probe]]]:
        """Each number in it, with calls in which another one stands there."""
        for run in list(_RUN.finditer(self.text))[:MOST_RUNS]:
            others = (run[0].translate(str.maketrans("0123456789", to)) for to in _OTHERS)
            yield run[0], [self._with(self.text[: run.start()] + other + self.text[run.end() :]) for other in others]

    def wanted(self) -> list[Probe]:
        return [self.origin, *(probe for _, others in self.numbers() for probe in others)]

    def foreign(self) -> Iterator[Probe]:
        """With a sign that it does not hold, at its start, in its middle and at its end."""
        signs = [sign for sign in _FOREIGN if sign not in self.text]
        for place, sign in enumerate(signs):
            at = (0, len(self.text) // 2, len(self.text))[place % 3]
            yield self._with(self.text[:at] + sign + self.text[at:])

    def _with(self, text: str) -> Probe:
        return with_text(self.origin, self.text, text)


def wanted(case: Case, compared: Compared) -> list[Probe]:
    """Calls with other numbers in their texts, longer ones, and some with signs that the tests do not use."""
    foreign = [
        probe for function in functions(compared) for one in _plain(compared, function) for probe in one.foreign()
    ]
    numbers = [probe for one in _texts(compared) for probe in one.wanted()]
    return [*foreign, *numbers]


def _texts(compared: Compared) -> Iterator[_Text]:
    """Those of calls that tests make, those that the patch changes first; the same made longer; and of others."""
    for function in functions(compared):
        part = compared.of(function)
        changed = [*mended(compared, function), *(one for one in part.seen() if not error(one, 1))]
        seen = [*changed[:MOST_SEEN], *accepted(compared, function)[:MOST_SEEN]]
        beyond = [one for one in part.beyond() if one[0].call.near and not error(one, 1) and not error(one, 2)]
        yield from (_Text(entry[0], text) for entry in seen for text in _short(entry[0]))
        yield from (one for entry in seen for text in _short(entry[0]) for one in _longer(entry[0], text))
        yield from (_Text(entry[0], text) for entry in beyond[:MOST_OTHERS] for text in _short(entry[0]))


def _short(probe: Probe) -> list[str]:
    return [text for text in texts(probe) if len(text) <= LONGEST and _RUN.search(text)][:MOST_TEXTS]


def _longer(probe: Probe, text: str) -> Iterator[_Text]:
    """With its end once and three times more: `8 - 3 - 3`."""
    tail = _TAIL.search(text)
    if tail is not None and tail.start() > 0:
        for more in (1, 3):
            longer = text + tail[0] * more
            yield _Text(with_text(probe, text, longer), longer)


def _plain(compared: Compared, function: Touched) -> list[_Text]:
    """Texts of calls that work before and with the patch, where red tests are about texts that were refused."""
    if not mended(compared, function):
        return []
    pairs = (
        (entry, text) for entry in accepted(compared, function)[:MOST_SEEN] for text in texts(entry[0])[:MOST_TEXTS]
    )
    return [_Text(entry[0], text) for entry, text in pairs if 1 < len(text) <= LONGEST]


def examine(case: Case, compared: Compared, came: Came) -> Iterator[Reason]:
    """At most one reason of each kind."""
    for function in functions(compared):
        for code, detail in [*_numbers(case, compared, function, came), *_signs(compared, function, came)][:1]:
            yield Reason(LAYER, code, detail, function.path, hard=False)
            return


# -- numbers


def _numbers(case: Case, compared: Compared, function: Touched, came: Came) -> Iterator[tuple[str, str]]:
    """A number that nothing depends on, where results depended on each.

    Of a text that was refused before, one is enough, unless the tests ask for what comes of it; others must come to
    several results, which a bound would not.
    """
    mine = (text for text in _texts(compared) if text.origin.function == function)
    looked = [one for text in mine if (one := _looked(text, came))]
    known = [one for one in looked if not error(one.origin, 1)]
    if len(known) < LEAST_READ or sum(all(one.before) for one in known) < MOSTLY * len(known):
        return
    lost = [one for one in looked if not error(one.origin, 2) and not all(one.after)]
    lost = [one for one in lost if error(one.origin, 1) or all(one.before)]
    refused = [
        one for one in lost if one.origin[0].seen and error(one.origin, 1) and not _is_asked_for(case, one.origin)
    ]
    asked = any(one.origin[0].seen and not error(one.origin, 1) for one in lost)
    distinct = {json.dumps(result(one.origin, 2)) for one in lost}
    for one in refused or (lost if len(distinct) >= LEAST_RESULTS and not asked else []):
        number = one.numbers[one.after.index(False)]
        detail = f"{one.origin[0].told} comes to the same with any other number in the place of {number}"
        yield "number-unread", detail
        return


def _is_asked_for(case: Case, entry: Entry) -> bool:
    """Whether all that the call comes to stands in the red tests: `12 of 40` may well be 12."""
    files = {file_of(target) for target in case.before.target_ids} & set(case.tree)
    modules = [parse(case.tree[path].data) for path in files]
    constants = [node.value for one in modules if one for node in ast.walk(one) if isinstance(node, ast.Constant)]
    found = [value for inner in nodes(entry[2][0]) if (value := atom(inner)) is not None]
    return bool(found) and all(value in constants for value in found)


@dataclass(frozen=True)
class _Looked:
    """Whether a call depends on each number of a text, before and after the patch."""

    origin: Entry
    numbers: list[str]
    before: list[bool]
    after: list[bool]


def _looked(one: _Text, came: Came) -> _Looked | None:
    """None where there is no number, or not everything could be called."""
    origin = of(came, one.origin.function, one.origin.call)
    tries = [(number, [of(came, probe.function, probe.call) for probe in others]) for number, others in one.numbers()]
    if origin is None or not tries or any(entry is None for _, others in tries for entry in others):
        return None
    sides = [[_reads(origin, [one for one in others if one], side) for _, others in tries] for side in (1, 2)]
    return _Looked(origin, [number for number, _ in tries], *sides)


def _reads(origin: Entry, others: Sequence[Entry], side: int) -> bool:
    return any(result(other, side) != result(origin, side) for other in others)


# -- signs


def _signs(compared: Compared, function: Touched, came: Came) -> Iterator[tuple[str, str]]:
    """Signs that were refused wherever they stood, and that are read over now."""
    tried = [
        (entry, other)
        for one in _plain(compared, function)
        for probe in one.foreign()
        if (entry := of(came, function, one.origin.call)) and (other := of(came, function, probe.call))
    ]
    refused = [(entry, other) for entry, other in tried if error(other, 1)]
    over = [(entry, other) for entry, other in refused if result(other, 2) == result(entry, 2)]
    if len(tried) >= LEAST_FOREIGN and len(refused) == len(tried) and len(over) >= NEARLY_ALL * len(refused):
        entry, other = over[0]
        yield "signs-read-over", f"{other[0].told} was refused, and comes to what {entry[0].told} comes to"
