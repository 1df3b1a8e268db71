"""Relations between inputs and results that held before a patch, and with it hold for the tests alone.

Other letters in a title are other letters in its slug; a count is never below zero; what is counted may be of any
kind. A patch that is made for the tests keeps none of it elsewhere, however much it changes.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bot.gate.layer import Case
from bot.gate.probing import rows
from bot.gate.probing.compared import LAYER, Compared, Entry, fresh_constants
from bot.gate.probing.inputs import Tagged, atom, essence, normal
from bot.gate.targets.compare import stripped
from bot.nouns import Reason

ENOUGH_PAIRS, MOST_LOST, LOST = 6, 3, 0.2
ENOUGH_NUMBERS, BELOW = 20, 0.1
ENOUGH_TEXTS, HELD, DROPPED = 6, 0.7, 0.5

_SAYS = {
    "letters": "other letters in an input were the same other letters in its result",
    "digits": "other digits in an input were the same other digits in its result",
    "kinds": "numbers in the place of texts were numbers in the place of texts in the result",
}
_OF_KIND = ("builtins:TypeError", "builtins:AttributeError")
_SIGNS: dict[str, Callable[[str], bool]] = {
    "digits": str.isdigit,
    "letters": lambda sign: sign.isalpha() and sign.isascii(),
    "spaces": str.isspace,
}


def lost(case: Case, compared: Compared) -> Iterator[Reason]:
    """Relations that the patch destroys, at most one for each function."""
    brought = [text[1] for text in fresh_constants(case) if text[0] == "str" and len(text[1].strip()) > 1]
    for function in dict.fromkeys(probe.function for probe, _, _ in compared.differs):
        part = compared.of(function)
        tested = [*_renamed_otherwise(part, brought), *_below_zero(part), *_dropped(part)] if part.seen() else []
        found = [*tested, *rows.lost(part)]
        for detail in found[:1]:
            yield Reason(LAYER, "relation-lost", f"{function.name}: {detail}", function.path, hard=False)


# -- results change as inputs do


def _renamed_otherwise(part: Compared, brought: Sequence[str]) -> Iterator[str]:
    """An input with other letters gave the result with other letters; now that of a test does not.

    Texts that the patch brings into every result are not of the input.
    """
    entries = part.entries()
    origins = {entry[0].call.key: entry for entry in entries if entry[0].seen}
    pairs: dict[str, list[tuple[Entry, Entry]]] = defaultdict(list)
    for entry in entries:
        kin = entry[0].call.kin
        if kin is not None and kin.way and kin.of in origins:
            pairs[kin.way].append((origins[kin.of], entry))
    changed = [entry[0].call.key for entry in part.seen()]
    for way, found in pairs.items():
        telling = [pair for pair in found if _says(pair[0][1], pair[1])]
        if len(telling) < ENOUGH_PAIRS or not all(_follows(one[1], other[1], other) for one, other in found):
            continue
        for key in changed:
            mine = [(one, other) for one, other in found if one[0].call.key == key and _says(one[2], other)]
            now = [(_without(one[2], brought), _without(other[2], brought), other) for one, other in mine]
            broken = [other for one, its, other in now if not (_follows(one, its, other) or _is_of_no_use(way, its))]
            if len(broken) >= MOST_LOST and len(broken) >= LOST * len(mine):
                yield f"{_SAYS[way]}, and with the patch they are not, as for {broken[0][0].told}"


def _is_of_no_use(way: str, told: Any) -> bool:
    """Numbers stand where tests give texts, and are asked what only texts can do: no rule for texts is lost."""
    return way == "kinds" and told[0][0] == "raised" and told[0][1][0] in _OF_KIND


def _without(told: Any, texts: Sequence[str]) -> Any:
    """A result without these texts."""
    if isinstance(told, dict):
        return {key: _without(value, texts) for key, value in told.items()}
    if not isinstance(told, list):
        return told
    if len(told) == 2 and told[0] == "str" and isinstance(told[1], str):
        return ["str", functools.reduce(lambda left, text: left.replace(text, ""), texts, told[1])]
    return [_without(item, texts) for item in told]


def _follows(one: Any, other: Any, entry: Entry) -> bool:
    """Whether the second result is the first one with what was changed in the input changed in it, too."""
    if one[0][0] == "raised" or other[0][0] == "raised":
        return bool(one[0][:2] == other[0][:2])
    return bool(_changed(one[:2], entry) == normal(stripped(other[:2])))


def _changed(told: Any, entry: Entry) -> Any:
    kin = entry[0].call.kin
    assert kin is not None
    return normal(kin.change(stripped(told)))


def _says(one: Any, entry: Entry) -> bool:
    """Whether the result holds anything that would change."""
    return one[0][0] != "raised" and bool(_changed(one[:1], entry) != normal(stripped(one[:1])))


# -- results keep to a range


def _below_zero(part: Compared) -> Iterator[str]:
    near = [entry for entry in part.entries() if entry[0].call.near]
    before = [number for entry in near if (number := _number(entry[1])) is not None]
    seen = [_number(new) for _, _, new in part.seen()]
    if len(before) < ENOUGH_NUMBERS or min(before) < 0 or len(set(before)) < 3:
        return
    if any(number is not None and number < 0 for number in seen):
        return
    below = [entry for entry in part.beyond() if (_number(entry[2]) or 0) < 0 and _number(entry[1]) is not None]
    if len(below) > BELOW * len(before):
        yield f"no result was below zero, and with the patch those of inputs are, as of {below[0][0].told}"


def _number(told: Any) -> float | int | None:
    plain = stripped(told[0])
    found = atom(plain) if plain[0] in ("int", "float") else None
    return found if isinstance(found, int | float) and found == found else None  # noqa: PLR0124 - nan


# -- results hold what inputs hold


def _dropped(part: Compared) -> Iterator[str]:
    """A kind of signs stood in results as in inputs, for the tests it still does, and elsewhere it is gone."""
    near = [entry for entry in part.entries() if entry[0].call.near]
    for name, is_one in _SIGNS.items():
        fit = [entry for entry in near if not entry[0].seen and _signs(_given(entry), is_one)]
        if is_one is not _SIGNS["letters"]:  # where even the letters do not come through, something is cut off
            fit = [entry for entry in fit if _keeps(entry, entry[1], _SIGNS["letters"])]
        kept = [entry for entry in fit if _keeps(entry, entry[1], is_one)]
        if len(kept) < ENOUGH_TEXTS or len(kept) < HELD * len(fit):
            continue
        tested = [entry for entry in near if entry[0].seen and _signs(_given(entry), is_one)]
        gone = [entry for entry in kept if entry[2][0][0] != "raised" and not _keeps(entry, entry[2], is_one)]
        if not tested and not any(_keeps(entry, entry[2], _SIGNS["letters"]) for entry in near if entry[0].seen):
            continue  # of what tests give nothing comes through, and of this they give nothing
        if all(_keeps(entry, entry[2], is_one) for entry in tested) and len(gone) > DROPPED * len(kept):
            yield f"{name} of an input stood in its result, and with the patch they do not, as of {gone[0][0].told}"


def _given(entry: Entry) -> str:
    return _text(entry[0].given()[:1])


def _text(tagged: Tagged) -> str:
    return "".join(inner[1] for inner in essence(tagged) if inner[0] == "str" and isinstance(inner[1], str))


def _signs(text: str, is_one: Callable[[str], bool]) -> set[str]:
    return {sign for sign in text.casefold() if is_one(sign)}


def _keeps(entry: Entry, told: Sequence[Any], is_one: Callable[[str], bool]) -> bool:
    if told[0][0] == "raised":
        return False
    return _signs(_given(entry), is_one) <= _signs(_text([stripped(told[0])]), is_one)
