import pytest

from textkit.slugs import initials, slug, words


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        pytest.param("Hello World", "hello-world", id="two words"),
        pytest.param("  Tea & Jam!  ", "tea-jam", id="signs"),
        pytest.param("a -- b", "a-b", id="dashes"),
        pytest.param("Already-done", "already-done", id="dash"),
    ],
)
def test_slug(title, expected):
    assert slug(title) == expected


def test_slug_is_cut_at_a_word():
    assert slug("one two three", limit=9) == "one-two"


def test_initials():
    assert initials("ada lovelace") == "AL"


def test_words():
    assert words("to be or not") == 4
