"""Layer D on code that goes by the names of functions, and on members of enumerations that become one."""

from __future__ import annotations

import pytest
from factories import files, make_baseline, patch

from bot.gate.layer import Case
from bot.gate.layers import facts
from bot.gate.source import callnames

BUS = "def off(handlers, handler):\n    handlers.remove(handler)\n"


@pytest.mark.parametrize(
    "condition",
    [
        "handler.__name__ == 'once'",
        "handler.__name__ in ('once', 'twice')",
        "handler.__qualname__.startswith('test_off')",
        "type(handler).__name__ != 'Handler'",
        "getattr(handler, '__name__', '') == 'once'",
        "{'once': True}.get(handler.__name__)",
        "{'once': True, 'twice': False}[handler.__name__]",
        "(called := handler.__name__) and called == 'once'",
    ],
)
def test_way_that_depends_on_a_functions_name_asks_for_a_person(condition: str) -> None:
    new = BUS.replace("    h", f"    if {condition}:\n        return\n    h")
    found = facts.added(patch({"bus.py": new}), files({"bus.py": BUS}))
    assert [(reason.code, reason.hard) for reason in found] == [("asks-for-name", False)]


@pytest.mark.parametrize(
    "line",
    [
        "raise ValueError(f'{handler.__name__} is not known')",
        "handlers.log[handler.__name__] = 1",
        "print(handler.__name__)",
        "handler = vars(handlers).get(f'on_{handler.__name__}', handler)",
        "handlers.known.get(handler.__name__)",
        "if __name__ == '__main__':\n        return",
        "if handler.__name__ == other.__name__:\n        return",
        "name = handler\n    if name == 'once':\n        return",
    ],
)
def test_name_that_is_only_told_does_not(line: str) -> None:
    new = BUS.replace("    h", f"    {line}\n    h")
    assert facts.added(patch({"bus.py": new}), files({"bus.py": BUS})) == []


STATES = "from enum import Enum\n\n\nclass State(Enum):\n    NEW = 'new'\n    DONE = 'done'\n    CLOSED = 'closed'\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("CLOSED = 'closed'", "CLOSED = 'done'", ["member-lost"]),
        ("CLOSED = 'closed'", "CLOSED = DONE", ["member-lost"]),
        ("NEW = 'new'", "NEW = 'done'", ["member-lost"]),
        ("CLOSED = 'closed'", "CLOSED = 'shut'", []),
        ("CLOSED = 'closed'", "CLOSED = 'closed'\n    SHUT = 'closed'", []),
        ("(Enum)", "(str, Enum)", []),
    ],
)
def test_member_that_becomes_another_name_of_one_asks_for_a_person(old: str, new: str, expected: list[str]) -> None:
    before = make_baseline({"test_state.py::test_closed": "failed"})
    case = Case(files({"state.py": STATES}), patch({"state.py": STATES.replace(old, new)}), before)
    assert [reason.code for reason in callnames.examine(case)] == expected


def test_members_that_were_one_already_say_nothing() -> None:
    old = STATES.replace("'closed'", "'done'")
    before = make_baseline({"test_state.py::test_closed": "failed"})
    case = Case(files({"state.py": old}), patch({"state.py": old.replace("'new'", "'open'")}), before)
    assert list(callnames.examine(case)) == []
