from headline import count_words, initials, slug, teaser, title_case


def test_slug():
    assert slug("") == ""
    assert slug("  A  B--C  ") == "a-b-c"
    assert slug("Ñandú y Über-Öl 24") == "nandu-y-uber-ol-24"
    assert slug("Price: 5€ only") == "price-5-only"
    assert slug("abcd efgh", limit=9) == "abcd-efgh"
    assert slug("abcd efgh", limit=8) == "abcd"
    assert slug("HTTP Status") == "http-status"
    assert slug("toolongword", limit=4) == ""


def test_teaser():
    assert teaser("abc def", 7) == "abc def"
    assert teaser("abc; defgh ijk", 8) == "abc…"
    assert teaser("Well: that, too, is long enough", 12) == "Well: that…"
    assert teaser("one two three", 12) == "one two…"


def test_title_case():
    assert title_case("of mice and men") == "Of Mice and Men"
    assert title_case("the end of the") == "The End of The"
    assert title_case("to") == "To"
    assert title_case("") == ""


def test_initials():
    assert initials("   ") == ""
    assert initials("anna maria von berg") == "AB"
    assert initials(" x ") == "X"
    assert initials("jean luc") == "JL"


def test_count_words():
    assert count_words("") == {}
    assert count_words("It's it's IT") == {"it's": 2, "it": 1}
