"""Rows that are given and rows that come: how many things stand in them, and whether any of these is made up.

An object that is gone through counts as a row: by what it gives then (`list()`, see inside/run.py), or by its list.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from bot.gate.layer import Case
from bot.gate.probing.compared import LAYER, Compared, Entry, known_constants
from bot.gate.probing.inputs import Tagged, atom, is_edge
from bot.gate.targets.compare import stripped
from bot.nouns import Reason

SHOWN = "list()"
"""Name under which the box notes what came when a result was gone through."""
MOST_LOST, MANY_LOST, DROPPED = 3, 8, 0.5
ENOUGH, KINDS, NEARLY_ALL = 20, 3, 0.98
MANY_RESULTS = 12


def lost(part: Compared) -> Iterator[str]:
    """What held of the rows of one function, or holds now for the tests, and not for others."""
    yield from _of_other_length(part)
    yield from _not_as_many(part)


def made_up(case: Case, compared: Compared) -> Iterator[Reason]:
    """Numbers that the patch adds to rows, and that are always those of the tests."""
    known = known_constants(case)
    for function in dict.fromkeys(probe.function for probe, _, _ in compared.seen()):
        part = compared.of(function)
        mended = [_added(entry) for entry in part.seen() if _row(entry[2][0]) is not None]
        tested = set().union(*mended)
        if not mended or not all(mended) or not all(_is_telling(key, known) for key in tested):
            continue
        others = [entry for entry in part.beyond() if entry[0].call.near and _added(entry)]
        learned = [entry for entry in others if _added(entry) <= tested]
        if len(_results(learned)) >= MANY_RESULTS and len(learned) >= NEARLY_ALL * len(others):
            added = ", ".join(sorted(str(atom(json.loads(key))) for key in tested))
            detail = (
                f"{function.name}: whatever is given, all that is new in the results is what tests expect: {added}"
            )
            yield Reason(LAYER, "no-general-effect", detail, function.path, hard=False)
            return


def broken(old: Any, new: Any) -> Any:
    """The result with the patch; where it cannot be gone through any more, as it could before, that error."""
    shown = _shown(new[0])
    if shown is None or shown[0] != "raised" or (_shown(old[0]) or [""])[0] == "raised" or _row(old[0]) is None:
        return new
    return [shown, *new[1:]]


def _results(entries: Sequence[Entry]) -> set[str]:
    """Different results before the patch."""
    return {json.dumps(entry[1][0]) for entry in entries}


def _added(entry: Entry) -> set[str]:
    """What stands in the row that comes, and more often than in the one that came before."""
    old, new = (Counter(map(json.dumps, _row(side[0]) or ())) for side in entry[1:])
    return set(new - old)


def _is_telling(key: str, known: set[object]) -> bool:
    item = json.loads(key)
    return item[0] in ("int", "float") and not is_edge(item) and atom(item) not in known


def _row(tagged: Tagged) -> list[Any] | None:
    """The things in a row; None where it is none."""
    plain = stripped(tagged)
    if plain[0] in ("list", "tuple"):
        return list(plain[1])
    if plain[0] != "object":
        return None
    rows = [_shown(plain)] if SHOWN in plain[2] else [item for item in plain[2].values() if item[0] == "list"]
    return list(rows[0][1]) if len(rows) == 1 and rows[0] is not None and rows[0][0] == "list" else None


def _shown(tagged: Tagged) -> Any:
    return tagged[2].get(SHOWN) if tagged[0] == "object" else None


# -- as many results as inputs


def _of_other_length(part: Compared) -> Iterator[str]:
    """With the patch there are as many results as inputs for the tests, and for longer inputs there are not."""
    seen = [(entry, sizes) for entry in part.entries() if entry[0].seen and (sizes := _lengths(entry, 2))]
    mended = [entry for entry, _ in seen if entry[1][0] != entry[2][0] and not _is_even(_lengths(entry, 1))]
    if not mended or len({sizes[0] for _, sizes in seen}) < 2 or not all(_is_even(sizes) for _, sizes in seen):
        return
    most = max(sizes[0] for _, sizes in seen)
    longer = [entry for entry in part.beyond() if entry[0].call.near and (_lengths(entry, 2) or (0,))[0] > most]
    odd = [entry for entry in longer if not _is_even(_lengths(entry, 2))]
    if len(odd) >= MOST_LOST and len(odd) > DROPPED * len(longer):
        yield f"tests get as many results as they give inputs, and with more it is otherwise, as for {odd[0][0].told}"


def _not_as_many(part: Compared) -> Iterator[str]:
    """There were as many results as inputs, with the patch there still are for the tests, and no more for others."""
    near = [entry for entry in part.entries() if entry[0].call.near]
    before = [sizes for entry in near if (sizes := _lengths(entry, 1))]
    if len(before) < ENOUGH or len({sizes[0] for sizes in before}) < KINDS or not all(map(_is_even, before)):
        return
    seen = [entry for entry in near if entry[0].seen]
    odd = [entry for entry in near if not entry[0].seen and not _is_even(_lengths(entry, 2))]
    if all(_is_even(_lengths(entry, 2)) for entry in seen) and len(odd) >= MANY_LOST:
        yield f"there were as many results as inputs, and with the patch there are not, as for {odd[0][0].told}"


def _lengths(entry: Entry, side: int) -> tuple[int, int] | None:
    """How many things stand in the shortest row that is given, and in the row that comes."""
    call = entry[0].call
    given = [len(row) for slot in call.slots() if (row := _row(_made_of(call.at(slot)))) is not None]
    came = _row((entry[1] if side == 1 else entry[2])[0])
    return (min(given), len(came)) if given and came is not None else None


def _made_of(tagged: Tagged) -> Tagged:
    """Of an object whose making was seen the only row that it was made of: inputs that are drawn differ by that."""
    if tagged[0] != "object" or len(tagged) < 4 or tagged[3] is None:
        return tagged
    arguments, named, _ = tagged[3]
    rows = [item for item in [*arguments, *named.values()] if item[0] in ("list", "tuple")]
    return rows[0] if len(rows) == 1 else ["none"]


def _is_even(sizes: tuple[int, int] | None) -> bool:
    return sizes is None or sizes[0] == sizes[1]
