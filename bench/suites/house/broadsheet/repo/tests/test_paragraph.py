import pytest

from broadsheet.paragraph import broken, even, greedy, pieces


def lines(text, cells, way=greedy):
    return [line for line, _, _ in broken(text, cells, way)]


def test_as_full_as_can_be():
    assert lines("aaa bb cc ddddd", 6) == ["aaa bb", "cc", "ddddd"]


def test_as_even_as_can_be():
    assert lines("aaa bb cc ddddd", 6, even) == ["aaa", "bb cc", "ddddd"]


def test_last_line_does_not_count():
    assert lines("aaaa bbbb c", 9, even) == ["aaaa bbbb", "c"]


def test_word_that_is_too_long():
    assert lines("a bcdefghi j", 3) == ["a", "bcd", "efg", "hi", "j"]
    assert lines("abcdef gh", 4) == ["abcd", "ef", "gh"]


def test_wide_word_that_is_too_long():
    assert lines("日本語", 5) == ["日本", "語"]


def test_sign_that_is_wider_than_a_line():
    assert lines("日a", 1) == ["日", "a"]


def test_no_break_blank():
    assert lines("a b\u00a0c d", 4) == ["a", "b\u00a0c", "d"]


def test_soft_hyphen_becomes_a_hyphen_at_the_end_of_a_line():
    assert lines("co\u00adoperate", 7) == ["co-", "operate"]
    assert lines("xx co\u00adop", 6) == ["xx co-", "op"]


def test_hyphen_needs_room():
    assert lines("xxx co\u00adop", 6) == ["xxx", "co\u00adop"]


def test_places_in_the_text():
    text = "one two  three"
    assert [text[start:end] for _, start, end in broken(text, 5)] == ["one", "two", "three"]


def test_white_space_alone():
    assert lines(" \n\t ", 5) == []


def test_newlines_are_blanks():
    assert lines("a\nb\tc", 9) == ["a\nb\tc"]


@pytest.mark.parametrize("way", [greedy, even])
@pytest.mark.parametrize("cells", [1, 3, 8, 40])
def test_no_piece_is_lost(way, cells):
    found = pieces("the quick brown\u00adish fox jumps, over the lazy dog", cells)
    assert [piece for line in way(found, cells) for piece in line] == found
