from datetime import date

import pytest

from berth.boats import Boat
from berth.errors import HarbourError, NoBerth, Taken, WrongState


class TestFree:
    def test_tightest_first(self, harbour, dinghy, when):
        span = harbour.clock.day(date(2024, 7, 1))
        assert [berth.slot for berth in harbour.free(dinghy, span)] == ["C3", "A1", "B2", "B12"]

    def test_draught_counts(self, harbour, yacht):
        span = harbour.clock.day(date(2024, 7, 1))
        assert [berth.slot for berth in harbour.free(yacht, span)] == ["B2", "B12"]

    def test_with_power(self, harbour, dinghy):
        span = harbour.clock.day(date(2024, 7, 1))
        assert [berth.slot for berth in harbour.free(dinghy, span, power=True)] == ["A1", "B12"]


class TestBook:
    def test_best_berth_is_chosen(self, harbour, dinghy, when):
        booking = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        assert (booking.slot, booking.state) == ("C3", "asked")

    def test_next_one_gets_the_next_best(self, harbour, dinghy, when):
        harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        assert harbour.book(Boat("Vole", 6, 0.8), when(7, 2), when(7, 4), at=when(6, 1)).slot == "A1"

    def test_named_berth_that_is_taken(self, harbour, dinghy, when):
        first = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1), slot="B2")
        with pytest.raises(Taken, match="B2 is taken by Otter") as caught:
            harbour.book(Boat("Vole", 6, 0.8), when(7, 2), when(7, 4), at=when(6, 1), slot="B2")
        assert caught.value.by is first

    def test_too_long(self, harbour, when):
        with pytest.raises(NoBerth, match="no berth for Barge"):
            harbour.book(Boat("Barge", 30, 1), when(7, 1), when(7, 3), at=when(6, 1))

    def test_named_berth_must_fit(self, harbour, yacht, when):
        with pytest.raises(NoBerth, match="does not fit into C3"):
            harbour.book(yacht, when(7, 1), when(7, 3), at=when(6, 1), slot="C3")

    def test_no_such_berth(self, harbour, yacht, when):
        with pytest.raises(HarbourError, match="no berth Z9"):
            harbour.book(yacht, when(7, 1), when(7, 3), at=when(6, 1), slot="Z9")

    def test_cancelled_booking_takes_no_berth(self, harbour, dinghy, when):
        booking = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        harbour.become(booking, "cancelled", at=when(6, 2))
        assert harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 3)).slot == "C3"


class TestStates:
    def test_the_whole_way(self, harbour, dinghy, when):
        booking = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        for day, state in enumerate(["confirmed", "moored", "left"], start=2):
            harbour.become(booking, state, at=when(7, day))
        assert [(before, after) for _, before, after in booking.history] == [
            ("asked", "confirmed"), ("confirmed", "moored"), ("moored", "left"),
        ]

    def test_moored_boat_cannot_be_cancelled(self, harbour, dinghy, when):
        booking = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        harbour.become(booking, "confirmed", at=when(6, 2))
        harbour.become(booking, "moored", at=when(7, 1))
        with pytest.raises(WrongState, match="moored cannot become cancelled"):
            harbour.become(booking, "cancelled", at=when(7, 2))
        assert booking.state == "moored"
        assert len(booking.history) == 2

    def test_histories_are_apart(self, harbour, dinghy, yacht, when):
        one = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        two = harbour.book(yacht, when(7, 1), when(7, 3), at=when(6, 1))
        harbour.become(one, "confirmed", at=when(6, 2))
        assert two.history == []

    def test_present_boats_as_they_lie(self, harbour, dinghy, yacht, when):
        for boat, slot in ((yacht, "B12"), (dinghy, "B2")):
            booking = harbour.book(boat, when(7, 1), when(7, 3), at=when(6, 1), slot=slot)
            harbour.become(booking, "confirmed", at=when(6, 2))
            harbour.become(booking, "moored", at=when(7, 1))
        assert harbour.present(when(7, 2)) == ["Otter", "Seven Sisters"]
        assert harbour.present(when(7, 3)) == []


class TestChanges:
    def test_move(self, harbour, dinghy, when):
        booking = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        harbour.move(booking, "B2", at=when(6, 5))
        assert booking.slot == "B2"
        assert booking.history[-1][1:] == ("C3", "B2")

    def test_stay_longer(self, harbour, dinghy, when):
        booking = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        harbour.extend(booking, when(7, 5), at=when(7, 2))
        assert when(7, 4) in booking.span

    def test_nobody_stays_in_the_way_of_the_next(self, harbour, dinghy, when):
        booking = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1), slot="B2")
        harbour.book(Boat("Vole", 6, 0.8), when(7, 4), when(7, 6), at=when(6, 1), slot="B2")
        with pytest.raises(Taken):
            harbour.extend(booking, when(7, 5), at=when(7, 2))
        assert when(7, 3) not in booking.span

    def test_occupancy_follows_changes(self, harbour, dinghy, when):
        day = date(2024, 7, 2)
        assert harbour.occupancy(day) == 0
        booking = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        assert harbour.occupancy(day) == 0.25
        harbour.become(booking, "cancelled", at=when(6, 2))
        assert harbour.occupancy(day) == 0

    def test_occupancy_after_an_extension(self, harbour, dinghy, when):
        booking = harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        assert harbour.occupancy(date(2024, 7, 4)) == 0
        harbour.extend(booking, when(7, 5), at=when(7, 2))
        assert harbour.occupancy(date(2024, 7, 4)) == 0.25

    def test_listener_may_go_while_it_is_called(self, harbour, dinghy, when):
        heard = []

        def once(event, booking, at):
            heard.append(event)
            harbour.listeners.remove(once)

        harbour.listeners += [once, lambda event, booking, at: heard.append(event.upper())]
        harbour.book(dinghy, when(7, 1), when(7, 3), at=when(6, 1))
        harbour.book(dinghy, when(8, 1), when(8, 3), at=when(6, 1))
        assert heard == ["asked", "ASKED", "ASKED"]
