"""Patches as suggestions: byte for byte what was proven, on lines that the pull request shows, or not at all."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.nouns import Patch
from bot.suggestions import Suggestion, lines_of, suggestions

ALL = {"a.py": [range(1, 1000)]}
LINES = st.lists(st.sampled_from(["x = 1", "y = 2", "", "    return x", "```", "```suggestion"]), max_size=8)


def made(old: str, new: str, visible: dict[str, list[range]] | None = None) -> tuple[Suggestion, ...] | str:
    return suggestions(Patch({"a.py": new.encode()}), {"a.py": old.encode()}, ALL if visible is None else visible)


def applied(old: str, found: tuple[Suggestion, ...]) -> str:
    lines = old.splitlines(keepends=True)
    for each in sorted(found, key=lambda each: -each.first):
        lines[each.first - 1 : each.last] = each.text.splitlines(keepends=True)
    return "".join(lines)


@given(LINES, LINES)
def test_committing_all_suggestions_gives_the_proven_file(before: list[str], after: list[str]) -> None:
    old, new = "".join(f"{line}\n" for line in before), "".join(f"{line}\n" for line in after)
    found = made(old, new)
    if isinstance(found, tuple):
        assert applied(old, found) == new
        spans = sorted((each.first, each.last) for each in found)
        assert all(one[1] < two[0] for one, two in itertools.pairwise(spans))
    else:
        assert not old or not new


def test_a_fence_in_the_code_does_not_end_the_suggestion() -> None:
    found = made('s = """\n```\n"""\nx = 1\n', 's = """\n````\n"""\nx = 1\n')
    assert isinstance(found, tuple)
    assert found[0].comment()["body"] == "`````suggestion\n````\n`````"


def test_several_lines_name_both_ends() -> None:
    found = made("a\nb\nc\nd\n", "a\nB\nC\nd\n")
    assert isinstance(found, tuple)
    place = found[0].comment()
    assert (place["start_line"], place["line"], place["start_side"], place["side"]) == (2, 3, "RIGHT", "RIGHT")


@pytest.mark.parametrize(
    ("old", "new", "visible", "reason"),
    [
        ("a\nb\n", "a\nB\n", {"a.py": [range(1, 2)]}, "Line 2 of a.py lies outside"),
        ("a\nb\n", "A\nB\n", {"a.py": [range(1, 2), range(2, 3)]}, "lies outside"),
        ("a\nb\n", "a\nB\n", {}, "lies outside"),
        ("a\nb", "a\nB", None, "no end"),
        ("a\nb\n", "a\nB\r\n", None, "unchanged"),
        ("a\nb\n", "a\nb = '\u202e'\n", None, "unchanged"),
        ("a\nb\n", f"a\nb = 'ghp_{'x' * 36}'\n", None, "unchanged"),
    ],
    ids=[
        "other line",
        "two hunks",
        "other file",
        "no line end",
        "carriage return",
        "invisible",
        "looks like a secret",
    ],
)
def test_what_cannot_be_suggested_says_why(
    old: str, new: str, visible: dict[str, list[range]] | None, reason: str
) -> None:
    found = made(old, new, visible)
    assert isinstance(found, str)
    assert reason in found


def test_new_files_and_deleted_ones_are_no_suggestions() -> None:
    for patch, old in ((Patch({"b.py": b"x\n"}), {"b.py": None}), (Patch({"b.py": None}), {"b.py": b"x\n"})):
        assert "makes or removes a file" in suggestions(patch, old, {"b.py": [range(1, 9)]})


@pytest.mark.parametrize(
    ("diff", "lines"),
    [
        ("@@ -1,3 +1,4 @@\n a\n+b\n", (range(1, 5),)),
        ("@@ -1 +1 @@ def f():\n-a\n+b\n@@ -9,0 +10,2 @@\n+a\n+b\n", (range(1, 2), range(10, 12))),
        ("@@ -1,2 +0,0 @@\n-a\n-b\n", ()),
        ("", ()),
    ],
)
def test_lines_that_a_diff_shows(diff: str, lines: tuple[range, ...]) -> None:
    assert lines_of(diff) == lines
