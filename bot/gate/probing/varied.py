"""Calls that differ from one that a test makes in one thing, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bot.gate.probing.compared import Compared, Entry, Probe
from bot.gate.probing.inputs import Call, Tagged, essence, normal
from bot.gate.probing.raised import error_of
from bot.gate.probing.touched import Touched
from bot.gate.targets.compare import short, stripped

Came = Mapping[tuple[Touched, str], Entry]
"""What came of calls on both sides, by their function and the key of the call."""


def of(came: Came, function: Touched, call: Call) -> Entry | None:
    return came.get((function, call.key))


def result(entry: Entry, side: int) -> Any:
    """What a call comes to before (1) or after (2) the patch, by value; of an error its name."""
    came = entry[1:][side - 1][0]
    return ["raised", short(came[1][0])] if came[0] == "raised" else normal(stripped(came))


def error(entry: Entry, side: int) -> str:
    """The name of what is raised; empty where there is a value."""
    return error_of(entry[1:][side - 1])


def mended(compared: Compared, function: Touched) -> list[Entry]:
    """Calls of tests that raised before the patch, and come to a value with it."""
    return [one for one in compared.seen() if one[0].function == function and error(one, 1) and not error(one, 2)]


def accepted(compared: Compared, function: Touched) -> list[Entry]:
    """Calls of tests that come to the same value on both sides."""
    same = [one for one in compared.same if one[0].seen and one[0].function == function]
    return [one for one in same if not error(one, 1)]


def texts(probe: Probe) -> list[str]:
    """Texts of which the arguments are made, each once."""
    found = (one[1] for one in essence([list(probe.call.arguments), dict(probe.call.named)]) if one[0] == "str")
    return list(dict.fromkeys(found))


def with_text(probe: Probe, old: str, new: str) -> Probe:
    """The same call with another text in the place of one, wherever that stands."""
    call = probe.call
    named = tuple((name, _put(value, old, new)) for name, value in call.named)
    arguments = tuple(_put(value, old, new) for value in call.arguments)
    return replace(probe, call=Call(arguments, named, call.near), seen=False)


def _put(tagged: Tagged, old: str, new: str) -> Tagged:
    if isinstance(tagged, list):
        return ["str", new] if tagged == ["str", old] else [_put(inner, old, new) for inner in tagged]
    if isinstance(tagged, dict):
        return {name: _put(inner, old, new) for name, inner in tagged.items()}
    return tagged


def functions(compared: Compared) -> Iterator[Touched]:
    """Those whose tests come to something else."""
    yield from dict.fromkeys(probe.function for probe, _, _ in compared.seen())
