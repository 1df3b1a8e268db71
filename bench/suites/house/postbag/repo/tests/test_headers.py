import pytest

from postbag import words
from postbag.headers import Headers, fold, unfold


@pytest.fixture
def headers():
    return Headers([("Received", "one"), ("Subject", "Hi"), ("received", "two")])


def test_found_without_capitals(headers):
    assert headers["SUBJECT"] == "Hi"
    assert "sUbject" in headers
    assert headers.all("Received") == ["one", "two"]
    assert headers.get("To") is None


def test_set_takes_the_place_of_all(headers):
    headers.set("RECEIVED", "three")
    assert list(headers) == [("RECEIVED", "three"), ("Subject", "Hi")]


def test_copy_is_apart(headers):
    other = headers.copy()
    other.add("To", "x@y.z")
    other.set("Subject", "Bye")
    assert len(headers) == 3
    assert headers["Subject"] == "Hi"


def test_short_lines_are_left_alone():
    assert fold("Subject: Hi") == ["Subject: Hi"]


def test_long_lines_are_folded_at_blanks():
    parts = fold("To: " + ", ".join(f"reader{number}@example.org" for number in range(8)))
    assert all(len(part) <= 76 for part in parts)
    assert all(part.startswith(" ") for part in parts[1:])


def test_folded_lines_are_joined():
    assert unfold(["Subject: a", "  long", "\tone", "To: x@y.z"]) == [("Subject", "a long one"), ("To", "x@y.z")]


def test_ascii_stays():
    assert words.encode("Hello, all!") == "Hello, all!"


@pytest.mark.parametrize("text", ["Grüße aus Köln", "日本語" * 20, "e\u0301té" * 15, "looks like =?utf-8?b?x?=", "ü" * 200])
def test_words_there_and_back(text):
    assert words.decode(words.encode(text)) == text


def test_no_word_is_too_long_or_cut():
    for word in words.encode("ab" + "日本語" * 30).split(" "):
        assert len(word) <= 75
        assert "\ufffd" not in words.decode(word)


def test_blanks_between_words_belong_to_neither():
    assert words.decode("=?utf-8?b?w6Q=?=  =?utf-8?b?w7Y=?= end") == "äö end"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("=?iso-8859-1?q?caf=E9_noir?=", "café noir"),
        ("=?utf-8?q?caf=E9?=", "caf\ufffd"),
        ("=?x-unknown?q?caf=E9?=", "café"),
        ("=?utf-8?b?not base64?=", "=?utf-8?b?not base64?="),
    ],
)
def test_words_of_others(text, expected):
    assert words.decode(text) == expected
