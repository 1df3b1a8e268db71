import pytest

from postbag import Letter
from postbag.body import decode, encode, quoted
from postbag.headers import Headers
from postbag.letter import charset


def make(text, **headers):
    return Letter(Headers([("Subject", "Hi"), *headers.items()]), text)


def test_plain_letter():
    assert make("Hello\nyou").to_bytes() == (
        b"Subject: Hi\r\nContent-Type: text/plain; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit\r\n\r\nHello\r\nyou"
    )


@pytest.mark.parametrize("text", ["", "one\n\ntwo\n", "Grüße\n", "x" * 200, "ends with a blank \n", "a=b", "tab\t\nü", "日本" * 60])
def test_letters_there_and_back(text):
    assert Letter.from_bytes(make(text).to_bytes()).text == text


def test_subject_there_and_back():
    letter = Letter(Headers([("Subject", "Größe und Übermut, " * 8)]), "x")
    assert Letter.from_bytes(letter.to_bytes()).headers["Subject"] == "Größe und Übermut, " * 8


def test_letter_is_not_changed_by_being_sent():
    letter = make("x")
    letter.to_bytes()
    assert list(letter.headers) == [("Subject", "Hi")]


def test_no_line_is_too_long():
    _, lines = encode("ä" * 100 + "\n" + "x" * 80 + "é")
    assert max(map(len, lines)) <= 76


def test_line_that_just_fits():
    assert quoted("x" * 75 + "=") == ["x" * 75 + "=", "=3D"]
    assert quoted("x" * 76) == ["x" * 76]


def test_blank_at_the_end_is_kept():
    assert quoted("Dear Ann, ") == ["Dear Ann,=20"]


def test_blanks_added_on_the_way_are_dropped():
    assert decode(["a=20  ", "b=  ", "c"], "Quoted-Printable") == "a \nbc"


def test_equals_sign_that_says_nothing():
    assert decode(["a=b=ZZ=4"], "quoted-printable") == "a=b=ZZ=4"


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [("text/plain", "us-ascii"), ('text/plain; CHARSET="iso-8859-1"', "iso-8859-1"), ("text/plain;charset=utf-8; format=flowed", "utf-8")],
)
def test_charsets(content_type, expected):
    assert charset(content_type) == expected


def test_letter_in_another_charset():
    raw = b"Content-Type: text/plain; charset=iso-8859-15\nContent-Transfer-Encoding: 8bit\n\n5 \xa4\n"
    assert Letter.from_bytes(raw).text == "5 €\n"


def test_bytes_that_do_not_belong():
    assert Letter.from_bytes(b"Content-Type: text/plain; charset=utf-8\r\n\r\ncaf\xe9!").text == "caf\ufffd!"


def test_recipients():
    letter = make("x", To='"B, A" <a@b.c>, d@e.f', Cc="g@h.i")
    assert [str(address) for address in letter.recipients()] == ['"B, A" <a@b.c>', "d@e.f", "g@h.i"]
