"""Descriptions of values as text for people: as one would write them in Python."""

from __future__ import annotations

from typing import Any

from bot.gate.inside import values
from bot.gate.source.literals import Unknown, resolve
from bot.gate.targets.compare import short

MAX_CHARS = 160
_BRACKETS = {"list": ("[", "]"), "tuple": ("(", ")"), "set": ("{", "}"), "frozenset": ("frozenset({", "})")}


def call(name: str, arguments: list[Any] | tuple[Any, ...], named: dict[str, Any]) -> str:
    """`name(1, key='x')`."""
    parts = [*(value(item) for item in arguments), *(f"{key}={value(item)}" for key, item in named.items())]
    return cut(f"{name}({', '.join(parts)})")


def outcome(tagged: Any) -> str:
    """A result, or what was raised."""
    if tagged[0] == "raised":
        return cut(f"raises {short(tagged[1][0])}" + (f": {tagged[2]}" if tagged[2] else ""))
    return value(tagged)


def value(tagged: Any) -> str:
    try:
        return cut(_value(tagged))
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return "…"


def cut(text: str) -> str:
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 1] + "…"


def _value(tagged: Any) -> str:
    tag = tagged[0]
    if tag in _BRACKETS:
        start, end = _BRACKETS[tag]
        comma = "," if tag == "tuple" and len(tagged[1]) == 1 else ""
        return f"{start}{', '.join(_value(item) for item in tagged[1])}{comma}{end}"
    if tag == "dict":
        return "{" + ", ".join(f"{_value(key)}: {_value(item)}" for key, item in tagged[1]) + "}"
    if tag in ("std", "object", "sub", "iter"):
        return _of_class(tagged)
    if tag == "enum":
        return f"{short(tagged[1])}.{tagged[2]}"
    if tag == "opaque":
        return tagged[2] or f"a {short(tagged[1])}"
    if tag == "ref":
        return short(tagged[1])
    try:
        return repr(values.build(tagged, resolve))
    except (Unknown, values.CannotBuild):
        return "…"


def _of_class(tagged: Any) -> str:
    tag, name = tagged[0], short(tagged[1])
    if tag == "std":
        return f"{name}({', '.join(_value(item) for item in tagged[2])})"
    if tag == "sub":
        return f"{name}({_value(tagged[2])})"
    if tag == "iter":
        return f"an iterator of [{', '.join(_value(item) for item in tagged[2])}]"
    if len(tagged) > 3 and tagged[3] is not None:
        arguments, named, _ = tagged[3]
        return call(name, arguments, named)
    return f"{name}({', '.join(f'{key}={_value(item)}' for key, item in tagged[2].items())})"
