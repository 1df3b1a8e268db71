"""Whether an edit looks like what people write: signs in the file before and after it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import Dict, Set

from ..frontier import Candidate
from ..site import Site
from ..source import walked
from ..unit import spliced
from .reading import Reading, reading

WEIGHTS: Dict[str, float] = {
    "orphans": 2.0,
    "adopts": -0.9,
    "loses": 0.35,
    "invents": 0.8,
    "spoken": -0.3,
    "echoes": -0.6,
    "texts": 1.5,
    "late": 1.3,
    "overwrites": 1.5,
    "folds": -0.4,
    "tampers": 1.2,
    "employs": -0.6,
    "renumbers": 2.0,
}
"""Nats for one of each sign, from what told right from wrong survivors in small faults with hidden tests."""
MOST = 2
"""More of the same sign says no more."""

_COMMON = {repr(value) for value in (0, 1, -1, 2, "", " ", None, True, False)}
_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+")


def signs(candidate: Candidate) -> Dict[str, float]:
    """How often each sign is seen; nothing for a file that does not parse.

    orphans: arguments, variables and imports that nothing reads any more; adopts: such that nothing read before;
    loses: mentions of names that go and are not replaced; invents: literals that are new to the file and replace
    none; spoken: new names that the docstring, the messages or the name of the function speak of; echoes: the edit
    says what the file says elsewhere, word for word; texts: the text of a thing is asked in the thing's place;
    late: an argument is made ready after it was used; overwrites: a loop sets anew what it counts on; folds: what is
    built up stands in front of what comes to it; tampers: a wrapper no longer hands on what it got as it is;
    renumbers: an entry of a table comes to stand for another number; employs: it asks a function of the file that
    nothing there asked before.
    """
    found = dict.fromkeys(WEIGHTS, 0.0)
    for path, edits in candidate.files().items():
        part = next(part for part in candidate.parts if part.path == path)
        data = part.site.source.data
        try:
            before, after = reading(data), reading(spliced(data, edits))
        except (SyntaxError, ValueError, RecursionError):
            continue
        gained, lost = after.mentions - before.mentions, before.mentions - after.mentions
        found["orphans"] += len(after.unread - before.unread)
        found["adopts"] += len(before.unread - after.unread)
        found["loses"] += max(0, sum(lost.values()) - sum(gained.values()))
        found["invents"] += _invented(before, after)
        found["echoes"] = max(found["echoes"], float(_echoes(before.phrases, after.phrases)))
        found["texts"] += max(0, after.texts - before.texts)
        found["late"] += max(0, after.late - before.late)
        found["overwrites"] += max(0, after.overwrites - before.overwrites)
        found["employs"] += len(before.idle & set(gained))
        found["tampers"] += max(0, before.handed - after.handed)
        found["renumbers"] += min(len(before.numbered - after.numbered), len(after.numbered - before.numbered))
        found["folds"] += max(0, after.folds - before.folds)
        found["spoken"] += len({word for name in gained for word in _words(name)} & _said(part.site))
    return found


def _invented(before: Reading, after: Reading) -> int:
    """Literals that come new; the name of an attribute, as in `getattr(x, "size")`, is known to the file."""
    known = _COMMON | before.literals.keys() | {repr(name) for name in before.mentions}
    new = [literal for literal in after.literals if literal not in known]
    replaced = sum((before.literals - after.literals).values())
    return max(0, len(new) - replaced)


def _echoes(before: "Counter[str]", after: "Counter[str]") -> bool:
    return any(before[phrase] for phrase in after - before)


def _said(site: Site) -> Set[str]:
    """Words of the function's name, its docstring and its messages."""
    if site.function is None:
        return set()
    texts = [site.function.name]
    for node in walked(site.function):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append(node.value)
    return {word for text in texts for word in _words(text)}


def _words(text: str) -> Set[str]:
    return {word.lower() for word in _WORD.findall(text) if len(word) > 2}


def unnaturalness(found: Dict[str, float]) -> float:
    """Nats to add to the cost: below zero for a change that looks like a person's."""
    return sum(WEIGHTS[name] * min(count, MOST) for name, count in found.items())
