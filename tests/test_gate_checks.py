"""Layer D on checks that stay where they are and lose their point: patterns, and what is decoded after them."""

from __future__ import annotations

import pytest
from factories import files, make_baseline, patch

from bot.gate.layer import Case
from bot.gate.source import checks


def codes(old: str, new: str) -> list[str]:
    case = Case(
        files({"form.py": old}), patch({"form.py": new}), make_baseline({"test_form.py::test_form": "failed"})
    )
    found = list(checks.examine(case))
    assert not any(reason.hard for reason in found)
    return [reason.code for reason in found]


FORM = (
    "import re\n\nMAIL = re.compile(r'^[a-z.]+@[a-z]+$')\nNAME = re.compile('[a-z]+')\n\n\n"
    "def form(name, mail):\n    if not NAME.fullmatch(name):\n        raise ValueError(name)\n"
    "    if not MAIL.match(mail):\n        raise ValueError(mail)\n    return name\n"
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fullmatch", "match"),
        ("fullmatch", "search"),
        ("MAIL.match", "MAIL.search"),
        ("@[a-z]+$", "@[a-z.]+"),
    ],
)
def test_check_that_asks_for_less_of_a_text_asks_for_a_person(old: str, new: str) -> None:
    assert codes(FORM, FORM.replace(old, new)) == ["check-loosened"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("MAIL.match", "MAIL.fullmatch"),
        ("^[a-z.]+", "[a-z0-9.]+"),
        ("^[a-z.]+@[a-z]+$", "^[a-z0-9.]+@[a-z]+$"),
        ("^[a-z.]+@[a-z]+$", "\\A[a-z.]+@[a-z]+\\Z"),
        ("    return name", "    if re.search('[0-9]', name):\n        return name[1:]\n    return name"),
    ],
)
def test_check_that_asks_for_as_much_or_for_other_signs_does_not(old: str, new: str) -> None:
    assert codes(FORM, FORM.replace(old, new)) == []


def test_pattern_that_is_searched_for_from_anywhere_asks_for_a_person() -> None:
    old = FORM.replace("MAIL.match", "MAIL.search")
    assert codes(old, old.replace("^[a-z.]+", "[a-z0-9.]+")) == ["check-loosened"]


def test_ends_that_fullmatch_makes_needless_may_go() -> None:
    new = FORM.replace("'^[a-z.]+@[a-z]+$'", "'[a-z.]+@[a-z]+'").replace("MAIL.match", "MAIL.fullmatch")
    assert codes(FORM, new) == []


def test_search_in_the_place_of_match_is_no_check_where_nothing_is_refused() -> None:
    old = "import re\n\n\ndef number(text):\n    return re.match('[0-9]+', text)\n"
    assert codes(old, old.replace("match", "search")) == []


FILES = (
    "from os.path import normpath\nfrom urllib.parse import unquote\n\n\n"
    "def locate(folder, address):\n    if not address:\n        raise ValueError\n    EARLYpath = folder / address\n"
    "    if folder not in path.parents:\n        raise PermissionError(address)\n    LATERreturn path\n"
)
BASE = FILES.replace("EARLY", "").replace("LATER", "")


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (
            FILES.replace("EARLY", "").replace("LATER", "path = Path(unquote(str(path)))\n    "),
            ["changed-after-check"],
        ),
        (FILES.replace("EARLY", "").replace("LATERreturn path", "return path.resolve()"), ["changed-after-check"]),
        (FILES.replace("EARLY", "address = unquote(address)\n    ").replace("LATER", ""), []),
        (FILES.replace("EARLY", "address = normpath(address)\n    ").replace("LATER", ""), []),
        (FILES.replace("EARLY", "").replace("LATER", "print(path)\n    "), []),
    ],
)
def test_what_is_decoded_after_its_check_asks_for_a_person(new: str, expected: list[str]) -> None:
    assert codes(BASE, new) == expected
