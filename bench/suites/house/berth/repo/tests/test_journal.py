from datetime import date, datetime, timezone

import pytest

from berth.errors import BadLine
from berth.journal import Entry, Logbook, escape, read, unescape, write


@pytest.fixture
def entry(when):
    return Entry(when(7, 1, 14), "moored", "B12", "Seven Sisters", "owner | crew\nof 4 \\ tired")


def test_there_and_back(entry):
    assert read(write([entry, entry])) == [entry, entry]


def test_one_line_for_each_event(entry):
    assert write([entry]).count("\n") == 1
    assert write([entry]).startswith("2024-07-01T12:00:00+00:00 | moored | B12 | ")


@pytest.mark.parametrize("text", ["plain", "a|b", "a\\p", "\\", "two\nlines", "\\\\n"])
def test_escapes_are_taken_back(text):
    assert unescape(escape(text)) == text


def test_lines_that_say_nothing():
    text = "# harbour of Hoorn\n\n2024-07-01T12:00:00+00:00 | left | A1 | Otter\n"
    assert read(text) == [Entry(datetime(2024, 7, 1, 12, tzinfo=timezone.utc), "left", "A1", "Otter")]


@pytest.mark.parametrize(
    ("line", "why"),
    [("2024-07-01T12:00:00+00:00 | left", "line 2: 2 columns"), ("soon | left | A1 | Otter", "line 2: "), ("2024-07-01T12:00 | left | A1 | Otter", "line 2: .*no zone")],
)
def test_bad_lines_are_named(line, why):
    with pytest.raises(BadLine, match=why):
        read(f"# first\n{line}\n")


def test_logbook_hears_everything(harbour, dinghy, when):
    book = Logbook(harbour)
    booking = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
    harbour.move(booking, "B2", at=when(6, 2))
    assert [(entry.event, entry.slot) for entry in book.entries] == [("asked", "C3"), ("moved", "B2")]


def test_day_of_the_harbour(harbour, clock, dinghy, when):
    book = Logbook(harbour)
    harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1, 0, 30))
    harbour.book(dinghy, when(8, 1), when(8, 3), at=when(6, 2, 0, 0))
    assert len(book.on(date(2024, 6, 1), clock)) == 1


def test_since(harbour, dinghy, when):
    book = Logbook(harbour)
    harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
    harbour.book(dinghy, when(8, 1), when(8, 3), at=when(6, 2))
    assert len(book.since(when(6, 2))) == 1
