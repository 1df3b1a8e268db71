"""Why tests are red, in words for a person: the last line of each error, and what stands behind some of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from bot.gate.baseline import file_of
from bot.nouns import TestCase, TestChange
from bot.toolchains import undeclared
from sandbox import Files

MOST = 5
"""So many sentences are written about one repair."""
_CHARS = 200

_UNREADABLE = re.compile(r"(SyntaxError|IndentationError|TabError): (.*) \(([^()]+), line (\d+)\)")
_NOWHERE = (
    re.compile(r"AttributeError: (?:partially initialized )?module '([\w.]+)' has no attribute '(\w+)'"),
    re.compile(r"ImportError: cannot import name '(\w+)' from '([\w.]+)'"),
    re.compile(r"AttributeError: type object '(\w+)' has no attribute '(\w+)'"),
    re.compile(r"AttributeError: '(\w+)' object has no attribute '(\w+)'"),
)
_BUILT_IN = {"NoneType", "str", "int", "float", "list", "tuple", "dict", "set", "bool", "bytes", "function", "method"}


def error(case: TestCase) -> str:
    """The line that says what was raised, short."""
    first = case.message.strip().split("\n", 1)[0] or case.exception or "it says nothing"
    return first if len(first) <= _CHARS else first[: _CHARS - 1] + "…"


def rows(cases: Sequence[TestCase]) -> tuple[TestChange, ...]:
    """The red tests as rows of a record whose repair did not come about."""
    return tuple(TestChange(case.id, case.result, "", error(case)) for case in cases)


def sentences(cases: Sequence[TestCase], tree: Files, installed: Collection[str] = ()) -> tuple[str, ...]:
    """What stands behind the errors where it can be told, each thing once."""
    found = dict.fromkeys(one for case in cases for one in _behind(case, tree, installed))
    return tuple(found)[:MOST]


def unreadable(cases: Sequence[TestCase]) -> bool:
    """True where a test file itself cannot be read, so that no engine can turn its tests green."""
    return any(_line_of_mistake(case) for case in cases)


def _line_of_mistake(case: TestCase) -> re.Match[str] | None:
    found = _UNREADABLE.match(case.message)
    return found if found is not None and file_of(case.id).rsplit("/", 1)[-1] == found[3] else None


def _behind(case: TestCase, tree: Files, installed: Collection[str]) -> Iterator[str]:
    mistake = _line_of_mistake(case)
    if mistake is not None:
        yield (
            f"{file_of(case.id)}:{mistake[4]} cannot be read: {mistake[1]}: {mistake[2]}, and tests are the "
            "specification: Regreen does not touch them."
        )
    missing = undeclared.module(case, tree, installed)
    if missing is not None:
        yield missing.told(tree)
    for pattern in _NOWHERE:
        match = pattern.match(case.message)
        if match is not None and match[1] not in _BUILT_IN:
            owner, name = (match[2], match[1]) if "import name" in match[0] else (match[1], match[2])
            yield f"`{owner}.{name}` does not exist."
