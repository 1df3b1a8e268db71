import pytest

from headline import count_words, initials, slug, teaser, title_case


def test_slug_joins_lower_case_words():
    assert slug("Five Things, and a Half!") == "five-things-and-a-half"


def test_slug_drops_accents():
    assert slug("Café Müller: open again") == "cafe-muller-open-again"


def test_slug_takes_what_fits():
    assert slug("one two three", limit=7) == "one-two"
    assert slug("one two three", limit=6) == "one"


def test_short_text_is_its_own_teaser():
    assert teaser("Rain  today", 20) == "Rain today"


def test_teaser_ends_with_a_whole_word():
    assert teaser("Rain in the north, sun in the south", 21) == "Rain in the north…"


@pytest.mark.parametrize(
    "title, expected",
    [
        ("the lord of the rings", "The Lord of the Rings"),
        ("what are we waiting for", "What Are We Waiting For"),
        ("NEWS", "News"),
    ],
)
def test_title_case(title, expected):
    assert title_case(title) == expected


@pytest.mark.parametrize("name, expected", [("ada king lovelace", "AL"), ("Plato", "P"), ("", "")])
def test_initials(name, expected):
    assert initials(name) == expected


def test_words_are_counted_whatever_their_case():
    assert count_words("The cat saw the dog") == {"the": 2, "cat": 1, "saw": 1, "dog": 1}
