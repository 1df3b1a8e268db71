"""Judges repairs of the harbour."""

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from berth.boats import Berth, Boat
from berth.booking import Booking
from berth.clock import HarbourClock, Span, aware
from berth.errors import BadLine, NaiveMoment, NoBerth, Taken, WrongState
from berth.fees import Cashier, Prices
from berth.harbour import Harbour
from berth.journal import Entry, Logbook, escape, read, unescape, write

TOKYO = HarbourClock("Asia/Tokyo")
UTC = timezone.utc
SMALL = Boat("Wren", 5, 0.5)


def utc(*parts):
    return datetime(*parts, tzinfo=UTC)


def quay(clock=None):
    return Harbour([Berth("A2", 8, 2), Berth("A10", 8, 2), Berth("A1", 12, 3, power=True)], clock or TOKYO)


class TestTime:
    @pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kolkata"])
    def test_same_moment_from_any_zone(self, zone):
        moment = utc(2024, 1, 1, 12)
        assert aware(moment.astimezone(ZoneInfo(zone))) == moment
        assert aware(moment.astimezone(ZoneInfo(zone))).tzinfo is UTC

    def test_naive_everywhere(self):
        with pytest.raises(NaiveMoment):
            Span(datetime(2024, 1, 1), utc(2024, 1, 2))
        with pytest.raises(NaiveMoment):
            TOKYO.local(datetime(2024, 1, 1))
        with pytest.raises(NaiveMoment):
            Entry(datetime(2024, 1, 1), "a", "b", "c")

    def test_nights_in_another_zone(self):
        span = Span(utc(2024, 5, 1, 14, 30), utc(2024, 5, 1, 15, 30))
        assert TOKYO.nights(span) == [date(2024, 5, 1)]
        assert HarbourClock("Europe/London").nights(span) == []

    def test_nights_over_both_changes(self):
        clock = HarbourClock("Europe/Amsterdam")
        for month, day in ((3, 31), (10, 27)):
            start, end = clock.at(date(2024, month, day) - timedelta(days=2), 0, 30), clock.at(date(2024, month, day) + timedelta(days=1), 0, 15)
            assert len(clock.nights(Span(start, end))) == 3

    def test_days_touch(self):
        clock = HarbourClock("Europe/Amsterdam")
        days = [clock.day(date(2024, 3, 29) + timedelta(days=number)) for number in range(5)]
        assert all(one.end == other.start for one, other in zip(days, days[1:]))
        assert [one.length.total_seconds() / 3600 for one in days] == [24, 24, 23, 24, 24]

    def test_edges(self):
        span = Span(utc(2024, 5, 1), utc(2024, 5, 2))
        assert utc(2024, 5, 1) in span and utc(2024, 5, 2) not in span
        assert not span.overlaps(Span(utc(2024, 4, 30), utc(2024, 5, 1)))
        assert span.overlaps(Span(utc(2024, 4, 30), utc(2024, 5, 1, 0, 1)))


class TestBookings:
    def test_as_they_lie(self):
        span = Span(utc(2024, 5, 1), utc(2024, 5, 2))
        assert [berth.slot for berth in quay().free(SMALL, span)] == ["A2", "A10", "A1"]

    def test_one_minute_after_the_other(self):
        harbour = quay()
        first = harbour.book(SMALL, utc(2024, 5, 1), utc(2024, 5, 2), utc(2024, 4, 1), slot="A2")
        second = harbour.book(SMALL, utc(2024, 5, 2), utc(2024, 5, 3), utc(2024, 4, 1), slot="A2")
        with pytest.raises(Taken) as caught:
            harbour.extend(first, utc(2024, 5, 2, 0, 1), utc(2024, 4, 2))
        assert caught.value.by is second
        harbour.extend(first, utc(2024, 5, 1, 12), utc(2024, 4, 2))
        harbour.extend(first, utc(2024, 5, 2), utc(2024, 4, 2))

    @pytest.mark.parametrize("boat", [Boat("long", 12.1, 1), Boat("deep", 5, 3.1)])
    def test_nothing_fits(self, boat):
        with pytest.raises(NoBerth):
            quay().book(boat, utc(2024, 5, 1), utc(2024, 5, 2), utc(2024, 4, 1))

    def test_berth_is_free_again_when_a_boat_has_left_early(self):
        harbour = quay()
        booking = harbour.book(SMALL, utc(2024, 5, 1), utc(2024, 5, 9), utc(2024, 4, 1), slot="A2")
        for state in ("confirmed", "moored", "left"):
            harbour.become(booking, state, utc(2024, 5, 1))
        assert harbour.book(SMALL, utc(2024, 5, 3), utc(2024, 5, 4), utc(2024, 4, 1), slot="A2").active

    @pytest.mark.parametrize(
        ("way", "last"), [((), "moored"), ((), "left"), (("cancelled",), "confirmed"), (("confirmed",), "asked"), (("confirmed", "moored", "left"), "moored")]
    )
    def test_ways_that_there_are_not(self, way, last):
        booking = Booking(SMALL, "A2", Span(utc(2024, 5, 1), utc(2024, 5, 2)))
        for state in way:
            booking.become(state, utc(2024, 5, 1))
        before = (booking.state, list(booking.history))
        with pytest.raises(WrongState):
            booking.become(last, utc(2024, 5, 1))
        assert (booking.state, booking.history) == before

    def test_moving_to_the_own_berth_and_to_a_taken_one(self):
        harbour = quay()
        one = harbour.book(SMALL, utc(2024, 5, 1), utc(2024, 5, 3), utc(2024, 4, 1), slot="A2")
        two = harbour.book(SMALL, utc(2024, 5, 1), utc(2024, 5, 3), utc(2024, 4, 1), slot="A10")
        harbour.move(one, "A2", utc(2024, 4, 2))
        with pytest.raises(Taken):
            harbour.move(one, "A10", utc(2024, 4, 2))
        assert (one.slot, two.slot) == ("A2", "A10")

    def test_occupancy(self):
        harbour = quay()
        day = date(2024, 5, 2)
        assert harbour.occupancy(day) == 0
        booking = harbour.book(SMALL, utc(2024, 5, 1), utc(2024, 5, 1, 14), utc(2024, 4, 1), slot="A2")
        assert (harbour.occupancy(day), harbour.occupancy(date(2024, 5, 1))) == (0, pytest.approx(1 / 3))
        harbour.extend(booking, utc(2024, 5, 1, 16), utc(2024, 4, 1))
        assert harbour.occupancy(day) == pytest.approx(1 / 3), "one in the morning in Tokyo"
        harbour.become(booking, "cancelled", utc(2024, 4, 2))
        assert harbour.occupancy(day) == 0
        assert Harbour([]).occupancy(day) == 0

    def test_all_listeners_hear_although_one_goes(self):
        harbour, heard = quay(), []

        def going(event, booking, at):
            harbour.listeners.remove(going)

        harbour.listeners += [going, lambda *said: heard.append(said[0]), lambda *said: heard.append(said[0])]
        harbour.book(SMALL, utc(2024, 5, 1), utc(2024, 5, 2), utc(2024, 4, 1))
        assert heard == ["asked", "asked"]

    def test_new_bookings_have_nothing_behind_them(self):
        harbour = quay()
        bookings = [harbour.book(SMALL, utc(2024, 5, day), utc(2024, 5, day + 1), utc(2024, 4, 1)) for day in range(1, 4)]
        harbour.become(bookings[0], "confirmed", utc(2024, 4, 2))
        assert [len(booking.history) for booking in bookings] == [1, 0, 0]
        assert len({booking.number for booking in bookings}) == 3

    def test_who_is_here(self):
        harbour = quay()
        for name, slot in (("ten", "A10"), ("two", "A2"), ("one", "A1")):
            booking = harbour.book(Boat(name, 5, 0.5), utc(2024, 5, 1), utc(2024, 5, 2), utc(2024, 4, 1), slot=slot)
            harbour.become(booking, "confirmed", utc(2024, 4, 2))
            harbour.become(booking, "moored", utc(2024, 5, 1))
        assert harbour.present(utc(2024, 5, 1)) == ["one", "two", "ten"]
        assert harbour.present(utc(2024, 5, 2)) == []


class TestFees:
    @pytest.mark.parametrize(
        ("start", "end", "total"),
        [
            ((2024, 5, 30, 16), (2024, 5, 31, 16), "24.00"),
            ((2024, 5, 31, 14), (2024, 5, 31, 16), "24.00"),
            ((2024, 5, 31, 16), (2024, 6, 1, 16), "36.00"),
            ((2024, 8, 31, 1), (2024, 9, 1, 16), "60.00"),
            ((2024, 9, 1, 1), (2024, 9, 1, 3), "12.00"),
            ((2024, 6, 1, 1), (2024, 6, 1, 3), "18.00"),
        ],
    )
    def test_in_tokyo(self, start, end, total):
        booking = Booking(SMALL, "A2", Span(utc(*start), utc(*end)))
        assert Cashier(TOKYO).total(booking, Berth("A2", 8, 2)) == Decimal(total)

    def test_ticket(self):
        boat = Boat("Wren", 5, 0.5, season_ticket=True)
        booking = Booking(boat, "A2", Span(utc(2024, 5, 1), utc(2024, 5, 3)), power_kwh=100)
        extras = [lambda booking, berth: ("shower", Decimal("2.00")), lambda booking, berth: None]
        lines = Cashier(TOKYO, extras=extras).lines(booking, Berth("A2", 8, 2))
        assert [amount for _, amount in lines] == [Decimal("19.2"), Decimal("19.2"), 45, 2]

    def test_half_a_cent(self):
        booking = Booking(SMALL, "A2", Span(utc(2024, 5, 1), utc(2024, 5, 2)))
        for rate, total in (("10.005", "10.01"), ("10.015", "10.02"), ("10.0149", "10.01")):
            assert Cashier(TOKYO).total(booking, Berth("A2", 8, 2, rate=Decimal(rate))) == Decimal(total)

    def test_many_small_parts(self):
        booking = Booking(SMALL, "A2", Span(utc(2024, 5, 1), utc(2024, 5, 11)))
        prices = Prices(season_ticket=Decimal("0.333"))
        cheap = Booking(Boat("Wren", 5, 0.5, season_ticket=True), "A2", booking.span)
        assert Cashier(TOKYO, prices).total(cheap, Berth("A2", 8, 2, rate=Decimal("0.10"))) == Decimal("0.33")


class TestLog:
    @pytest.mark.parametrize("note", ["", "|", "||\\|", "a\nb", "\\n", "\\p\\", "ends with \\"])
    def test_any_note(self, note):
        entry = Entry(utc(2024, 5, 1), "asked", "A|2", "We\\ird", note)
        assert read(write([entry])) == [entry]
        assert unescape(escape(note)) == note

    def test_numbers_of_lines(self):
        with pytest.raises(BadLine) as caught:
            read("\n# one\n\n2024-05-01T00:00:00+00:00 | a | b | c | d | e\n")
        assert caught.value.number == 4

    def test_moments_in_the_log_are_utc(self):
        (entry,) = read("2024-05-01T09:00:00+09:00 | a | b | c\n")
        assert (entry.at, entry.at.tzinfo) == (utc(2024, 5, 1), UTC)

    def test_day(self):
        harbour = quay()
        book = Logbook(harbour)
        for hour in (14, 15, 16):
            harbour.book(SMALL, utc(2024, 6, hour), utc(2024, 6, hour + 1), utc(2024, 5, 1, hour))
        assert len(book.on(date(2024, 5, 2), TOKYO)) == 2
        assert len(book.since(utc(2024, 5, 1, 15))) == 2
