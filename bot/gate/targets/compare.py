"""Compares on our side what the box noted with what the test expects."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bot.gate.inside import values
from bot.gate.source.literals import Unknown, resolve
from bot.gate.targets.replay import Program
from bot.gate.targets.rewrite import Check, Compares, Holds, Known, Near, Noted, Raises, Side

_OPERATORS: dict[str, Any] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip
_ODD = (Unknown, values.CannotBuild, TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""What a description raises that does not describe anything: the box may have written what it liked."""
_DECIDING = frozenset(values.COMPARISONS) - {"__contains__", "__bool__", "__len__", "__iter__"}
_ASSERTIONS = frozenset({"AssertionError", "Failed"})


@dataclass(frozen=True)
class Replayed:
    """What the replay of one test came to."""

    outcome: Literal["pass", "fail", "unknown"]
    how: str = ""
    """Of a failure: the name of the exception with which the test would have ended."""
    detail: str = ""
    strange: tuple[tuple[int, str], ...] = ()
    """Places where a plain value is expected and the box gave an object with rules of comparison of its own."""
    plain: frozenset[int] = frozenset()
    """Places where the box gave an exact builtin."""

    def fails_like(self, exception: str) -> bool:
        """True when pytest saw the same: a failed assertion, or this exception."""
        same = self.how == exception or {self.how, exception} <= _ASSERTIONS
        return self.outcome == "fail" and (same or not exception)


def replayed(program: Program, result: object) -> Replayed:
    """Judge one result from the box. Whatever is odd is "unknown"."""
    try:
        return _judged(program, result)
    except (*_ODD, RecursionError, MemoryError):
        return Replayed("unknown")


def _judged(program: Program, result: Any) -> Replayed:
    if result is None:
        return Replayed("unknown")
    if "ended" in result:
        return Replayed("fail", "ended", "it ends the process")
    notes: dict[int, list[Any]] = {}
    for number, tagged in result["notes"]:
        notes.setdefault(number, []).append(tagged)
    strange = tuple(_strange(program.checks, notes))
    plain = frozenset(number for number, found in notes.items() if all(is_plain(tagged) for tagged in found))
    held = False
    for check in program.checks:
        outcome, how, detail = _check(check, notes)
        if outcome is False:
            return Replayed("fail", how, detail, strange, plain)
        held = held or outcome is True
    if result["end"][0] == "raised":
        name = short(result["end"][1][0])
        return Replayed("fail", name, f"{name}: {str(result['end'][2])[:200]}", strange, plain)
    return Replayed("pass" if held else "unknown", strange=strange, plain=plain)


def _check(check: Check, notes: dict[int, list[Any]]) -> tuple[bool | None, str, str]:
    """True, False or None (cannot be known); the exception that a False means; what was seen."""
    if isinstance(check, Raises):
        return _raised(check, notes.get(check.number, []))
    if isinstance(check, Holds):
        found = [_truth(tagged) is check.wanted for tagged in notes.get(check.value.number, [])]
        ok = all(found) if found else None
        return ok, "AssertionError", f"`{check.text}` is {not check.wanted}"
    said = notes.get(check.said, [])
    outcomes = [
        _by_its_word(_compared(check, left, right), said[index] if index < len(said) else None)
        for index, (left, right) in enumerate(_pairs(check, notes))
    ]
    wrong = next((detail for ok, detail in outcomes if ok is False), None)
    if wrong is not None:
        return False, "AssertionError", wrong
    known = bool(outcomes) and all(ok is True for ok, _ in outcomes)
    return (True if known else None), "", ""


def _raised(check: Raises, found: list[Any]) -> tuple[bool | None, str, str]:
    for tagged in found:
        if tagged[0] == "nothing":
            return False, "Failed", f"`{check.text}`: nothing was raised"
        names = {short(name) for name in tagged[1]}
        if not names & set(check.names):
            first = short(tagged[1][0])
            return False, first, f"`{check.text}`: {first} was raised"
        if check.message and check.message not in tagged[2]:
            return False, "AssertionError", f"`{check.text}`: the message is {tagged[2][:100]!r}"
    return (True if found else None), "", ""


def _truth(tagged: Any) -> bool:
    return bool(values.build(tagged, resolve))


_Tagged = list[Any]


def _pairs(check: Compares, notes: dict[int, list[Any]]) -> Iterator[tuple[Side | _Tagged, Side | _Tagged]]:
    """What stood on both sides, each time that this line was reached."""
    sides = [notes.get(side.number, []) if isinstance(side, Noted) else None for side in (check.left, check.right)]
    count = min(len(found) for found in sides if found is not None)
    for index in range(count):
        left = check.left if sides[0] is None else sides[0][index]
        right = check.right if sides[1] is None else sides[1][index]
        yield left, right


def _compared(check: Compares, left: Any, right: Any) -> tuple[bool | None, str]:
    if isinstance(left, Near) or isinstance(right, Near):
        near, other = (left, right) if isinstance(left, Near) else (right, left)
        ok = is_near(near, _value(other))
        ok = ok if check.op == "==" else None if ok is None else not ok
        return ok, f"`{check.text}`: the value is {_text(other)}"
    own = next((side for side in (left, right) if isinstance(side, list) and has_own_rule(side)), None)
    if check.op in ("is", "is not"):
        ok = _identical(left, right)
        ok = ok if check.op == "is" or ok is None else not ok
    elif own is not None or _unbuildable(left) or _unbuildable(right):
        ok = True if left == right and check.op == "==" else None
    else:
        ok = bool(_OPERATORS[check.op](_value(left), _value(right)))
    side = left if isinstance(left, list) else right
    return ok, f"`{check.text}`: the value is {_text(side)}"


def _by_its_word(outcome: tuple[bool | None, str], said: Any) -> tuple[bool | None, str]:
    """What we cannot compare is unequal where the box says so; that it is equal we do not take from the box."""
    return (False, outcome[1]) if outcome[0] is None and said == ["bool", False] else outcome


def _identical(left: Any, right: Any) -> bool | None:
    """Only where one side is None, True or False: those exist once."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Known) and (one.value is None or isinstance(one.value, bool)) and isinstance(other, list):
            return other == (["none"] if one.value is None else ["bool", one.value])
    return None


def is_near(near: Near, value: Any) -> bool | None:
    """As pytest.approx has it; None for what it would not compare so simply."""
    expected = near.value
    if isinstance(expected, dict):
        if not isinstance(value, dict) or value.keys() != expected.keys():
            return False
        return _all_near([(Near(expected[key], near.relative, near.absolute), value[key]) for key in expected])
    if isinstance(expected, list | tuple):
        if not isinstance(value, list | tuple) or len(value) != len(expected):
            return False
        nears = [Near(item, near.relative, near.absolute) for item in expected]
        return _all_near(list(zip(nears, value, strict=True)))
    if isinstance(expected, bool | str | bytes | None) or isinstance(value, bool | str | bytes | None):
        return bool(expected == value)
    if expected == value:
        return True
    if any(isinstance(number, float) and not math.isfinite(number) for number in (expected, value)):
        return None if expected != expected else False  # noqa: PLR0124 - nan
    return bool(abs(value - expected) <= max(near.absolute, near.relative * abs(expected)))


def _all_near(pairs: list[tuple[Near, Any]]) -> bool | None:
    results = [is_near(near, item) for near, item in pairs]
    return False if False in results else None if None in results else True


def _value(side: Any) -> Any:
    """A plain value; the box's own classes as the builtin inside them."""
    if isinstance(side, Known):
        return side.value
    return values.build(stripped(side), resolve)


def stripped(tagged: Any) -> Any:
    """A description without subclasses of builtins."""
    if isinstance(tagged, list):
        if tagged and tagged[0] == "sub":
            return stripped(tagged[2])
        if tagged and tagged[0] == "enum" and tagged[3] != ["ref", ""]:
            return stripped(tagged[3])
        return [stripped(item) for item in tagged]
    return tagged


def _unbuildable(side: Any) -> bool:
    return isinstance(side, list) and any(
        inner[0] in ("object", "opaque", "cut", "iter", "enum", "ref") for inner in nodes(stripped(side))
    )


def nodes(tagged: Any) -> Iterator[list[Any]]:
    """All descriptions inside one, itself included."""
    if isinstance(tagged, list):
        if tagged and isinstance(tagged[0], str):
            yield tagged
        for item in tagged:
            yield from nodes(item)
    elif isinstance(tagged, dict):
        for item in tagged.values():
            yield from nodes(item)


def is_plain(tagged: Any) -> bool:
    return all(inner[0] not in ("sub", "object", "opaque", "cut", "iter", "none") for inner in nodes(tagged))


def has_own_rule(tagged: Any) -> bool:
    """True where a class compares in a way that is not a builtin's."""
    return any(own_rules(inner) for inner in nodes(tagged))


def own_rules(tagged: Sequence[Any]) -> dict[str, str]:
    """Comparison method -> class, of one described object; what collections and numpy define is well known."""
    own = tagged[3] if tagged[0] == "sub" else tagged[4] if tagged[0] == "object" and len(tagged) > 4 else {}
    known = ("collections:", "numpy:", "enum:", "builtins:", "decimal:")
    return {name: owner for name, owner in own.items() if not str(owner).startswith(known)}


def _strange(checks: Sequence[Check], notes: dict[int, list[Any]]) -> Iterator[tuple[int, str]]:
    """Where a plain value is expected: the classes in what the box gave that decide themselves what they equal."""
    for check in checks:
        if not isinstance(check, Compares) or check.op in ("is", "is not"):
            continue
        pairs = [(check.left, check.right)]
        if check.op not in ("in", "not in"):
            pairs.append((check.right, check.left))
        for side, other in pairs:
            if isinstance(side, Noted) and isinstance(other, Known | Near):
                yield from ((side.number, owner) for owner in _deciding(notes.get(side.number, [])))


def _deciding(found: list[Any]) -> list[str]:
    inner = (node for tagged in found for node in nodes(tagged))
    return sorted({owner for node in inner for name, owner in own_rules(node).items() if name in _DECIDING})


def short(name: object) -> str:
    """`ValueError` of `builtins:ValueError`."""
    return str(name).rpartition(":")[2].rpartition(".")[2]


def _text(side: Any) -> str:
    try:
        return repr(_value(side))[:120]
    except _ODD:
        return "of another kind"
