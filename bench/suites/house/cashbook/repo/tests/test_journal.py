from datetime import date

import pytest

from cashbook import BookError, Unbalanced, load
from cashbook.journal import parse


def test_entries_by_day(book):
    assert [(str(entry.day), entry.payee) for entry in load(book).entries] == [
        ("2024-01-10", "Members"), ("2024-03-05", "Baker"), ("2024-04-02", "Printer"),
    ]


def test_entry(book):
    entry = load(book).entries[1]
    assert (entry.note, entry.tags, entry.cleared, entry.line) == ("rolls; and cake", {"catering"}, True, 5)


def test_missing_amounts_are_filled_in(book):
    first, second, _ = load(book).entries
    assert str(first.postings[-1].amount) == "-1'400.00 EUR"
    assert str(second.postings[-1].amount) == "-12.40 EUR"


def test_missing_amount_in_two_currencies():
    (entry,) = parse("2024-01-01 * X\n a  1 EUR\n b  2 USD\n c\n").entries
    assert [(one.account, str(one.amount)) for one in entry.postings[2:]] == [("c", "-1.00 EUR"), ("c", "-2.00 USD")]


def test_missing_amount_in_the_middle():
    (entry,) = parse("2024-01-01 * X\n a  1 EUR\n b\n c  2 EUR\n").entries
    assert [one.account for one in entry.postings] == ["a", "b", "c"]


def test_same_day_keeps_the_order_of_the_file():
    text = "".join(f"2024-01-01 * {name}\n a  1 EUR\n b\n" for name in "zya")
    assert [entry.payee for entry in parse(text).entries] == ["z", "y", "a"]


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("\n2024-01-01 * X\n a  1 EUR\n b  2 EUR\n", Unbalanced, "book:2: 3.00 EUR too much"),
        ("2024-01-01 * X\n a\n b\n", Unbalanced, "book:1: more than one"),
        ("2024-01-01 X\n a  1 EUR\n b\n", BookError, "book:1: .* is no entry"),
        ("2024-02-30 * X\n a  1 EUR\n b\n", BookError, "book:1: day is out of range"),
        ("2024-01-01 * X\n a  1 EUR\n", BookError, "book:1: an entry has two"),
        ("  a  1 EUR\n", BookError, "book:1: a posting without"),
        ("; x\n\n2024-01-01 * X\n a  1,0 EUR\n b\n", BookError, "book:3: '1,0 EUR' is no amount"),
        ("include x\n", BookError, "book:1: a text cannot include"),
    ],
)
def test_errors(text, error, why):
    with pytest.raises(error, match=why):
        parse(text, "book")


def test_comments():
    text = "2024-01-01 * X ; not | a note\n ; nothing\n a  1 EUR ; some\n b\n"
    (entry,) = parse(text).entries
    assert (entry.payee, entry.note, len(entry.postings)) == ("X", "", 2)


def test_account_names_may_have_blanks():
    (entry,) = parse("2024-01-01 * X\n assets:my bank  1 EUR\n assets:old box\n").entries
    assert [one.account for one in entry.postings] == ["assets:my bank", "assets:old box"]


def test_until_includes_the_day(book):
    journal = load(book)
    assert len(journal.until(date(2024, 3, 5))) == 2
    assert len(journal.until(date(2024, 3, 4))) == 1
    assert len(journal.until(None)) == 3


def test_include_is_relative_to_its_file(tmp_path):
    (tmp_path / "years").mkdir()
    (tmp_path / "years" / "more.book").write_text("2023-01-01 * More\n a  1 EUR\n b\n")
    (tmp_path / "years" / "2023.book").write_text("include more.book\n2023-05-01 * Old\n a  1 EUR\n b\n")
    (tmp_path / "all.book").write_text("include years/2023.book\ninclude years/more.book\n")
    assert [entry.payee for entry in load(tmp_path / "all.book").entries] == ["More", "More", "Old"]


def test_file_that_includes_itself(tmp_path):
    (tmp_path / "a.book").write_text("include b.book\n")
    (tmp_path / "b.book").write_text("include ./a.book\n")
    with pytest.raises(BookError, match="includes itself"):
        load(tmp_path / "a.book")
