"""The root cause in words: what is wrong, where, and what the failing test showed."""

from __future__ import annotations

from bot.engines.search.inside.hints import compared
from bot.nouns import Failure


def root_cause(failure: Failure, *, what: str, fault: str, function: str, path: str, line: int) -> str:
    """One or two sentences for a maintainer."""
    where = f"({path}:{line})"
    name = function.rsplit(".", maxsplit=1)[-1]
    if name and what != f"`{name}`":
        where = f"in `{_plain(function)}` {where}"
    sentence = f"{_plain(what)} {where} {_plain(fault)}"
    shown = _shown(failure)
    return f"{_capital(sentence)}; {shown}." if shown else f"{_capital(sentence)}."


def _shown(failure: Failure) -> str:
    """What the first failing test expected and got, as far as its message says."""
    for case in failure.targets:
        pair = compared(case.message)
        got, expected = (_plain(text) for text in pair) if pair is not None else ("", "")
        # Long values are shortened in their middle, and unlike ones can look alike: that would puzzle a reader.
        if got != expected:
            return f"the test expects `{expected}` and got `{got}`"
    for case in failure.targets:
        if case.exception and case.exception not in ("AssertionError", "Failed", "CollectionError"):
            first = _plain(case.message.split("\n")[0])[:120]
            return f"the test fails with `{first}`" if first else f"the test fails with `{case.exception}`"
    return ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _plain(text: str) -> str:
    """One printable line."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
