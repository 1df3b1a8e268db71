"""Judges repairs of ferryline."""

import random
from datetime import date, datetime, timedelta

import pytest

from ferryline.board import departures
from ferryline.clock import Season, minutes, moment, shown, weekdays
from ferryline.fares import Fares, halved
from ferryline.search import find
from ferryline.timetable import BadTimetable, parse

DAY = date(2024, 6, 5)
PLAIN = "line A\nstop X +0\nstop Y +30 5\nstop Z +50\nruns mon-sun {}\n"


def brute(table, origin, target, day, after):
    """The best journey by trying everything with up to three boats: (arrival, -departure, changes)."""
    rides = []
    for shift in (-1, 0, 1):
        for sailing in table.sailings(day + timedelta(days=shift)):
            if sailing.cancelled:
                continue
            for first in range(len(sailing.stops)):
                for last in range(first + 1, len(sailing.stops)):
                    rides.append((sailing.stops[first].harbour, sailing.stops[last].harbour, sailing.leaves(first) + shift * 1440, sailing.arrives(last) + shift * 1440))
    best = None
    ways = [((), origin, after)]
    for depth in range(3):
        further = []
        for way, here, ready in ways:
            for start, end, leaves, arrives in rides:
                if start == here and ready <= leaves <= after + 2880:
                    taken = (*way, (leaves, arrives))
                    if end == target:
                        found = (arrives, -taken[0][0], depth)
                        best = found if best is None else min(best, found)
                    elif end != origin:
                        further.append((taken, end, arrives + table.change(end)))
        ways = further
    return best


class TestClocks:
    @pytest.mark.parametrize(("first", "last"), [((12, 24), (1, 6)), ((2, 1), (2, 29)), ((6, 5), (6, 5)), ((10, 1), (2, 28))])
    def test_seasons(self, first, last):
        season = Season("s", first, last)
        inside = set()
        day = date(2024, first[0], first[1])
        for _ in range(366):
            inside.add((day.month, day.day))
            if (day.month, day.day) == last:
                break
            day += timedelta(days=1)
        assert {(one.month, one.day) for one in (date(2024, 1, 1) + timedelta(days=n) for n in range(366)) if one in season} == inside

    def test_times(self):
        assert [shown(minutes(text)) for text in ("24:00", "26:05", "0:09", "47:59")] == ["00:00", "02:05", "00:09", "23:59"]
        assert moment(date(2023, 12, 31), 1500) == datetime(2024, 1, 1, 1)

    @pytest.mark.parametrize(("text", "days"), [("sun-mon", {6, 0}), ("sat-fri", set(range(7))), ("wed-wed", {2}), ("mon, wed", {0, 2})])
    def test_days(self, text, days):
        assert weekdays(text) == days


class TestTables:
    def test_runs(self):
        table = parse(PLAIN.format("8:00 to 9:00 every 25") + "runs mon-sun 8:25\n")
        assert [one.start for one in table.sailings(DAY)] == [480, 505, 530]

    def test_exceptions_win(self):
        table = parse("holiday 2024-06-05\n" + PLAIN.replace("mon-sun", "sun").format("8:00") + "except 2024-06-05 no 8:00\nexcept 2024-06-05 extra 9:00\n")
        assert [(one.start, one.cancelled) for one in table.sailings(DAY)] == [(480, True), (540, False)]
        assert table.sailings(date(2024, 6, 6)) == []

    def test_changes_are_seen(self):
        table = parse(PLAIN.format("8:00 9:00"))
        assert find(table, "X", "Z", DAY).legs[0].leaves == 480
        table.cancel("A", DAY, 480)
        assert find(table, "X", "Z", DAY).legs[0].leaves == 540
        table.add_extra("A", DAY, 485)
        assert find(table, "X", "Z", DAY).legs[0].leaves == 485
        table.add_extra("A", DAY, 480)
        assert find(table, "X", "Z", DAY).legs[0].leaves == 480
        assert [one.cancelled for one in departures(table, "X", DAY)] == [False] * 3

    @pytest.mark.parametrize("text", ["line A\nstop X +5\nstop Y +4", "change X y", "line A\nruns mon 7:00 to 8:00", "season s 13-01 1-1", "line", "line A\nexcept 2024-01-01 maybe 7:00"])
    def test_bad(self, text):
        with pytest.raises(BadTimetable):
            parse(text)


class TestJourneys:
    @pytest.mark.parametrize("seed", range(12))
    def test_nobody_finds_a_better_one(self, seed):
        lot = random.Random(seed)
        text = f"change M {lot.randint(0, 9)}\n"
        for name in "ABCD":
            stops = lot.sample("XMNZ", lot.randint(2, 4))
            after = sorted(lot.sample(range(1, 90), len(stops) - 1))
            text += f"line {name}\n" + "".join(f"stop {stop} +{at}\n" for stop, at in zip(stops, [0, *after]))
            text += f"runs mon-sun {' '.join(f'{lot.randint(6, 25)}:{lot.randint(0, 59):02}' for _ in range(3))}\n"
        table = parse(text)
        for after in (0, 600, 1200):
            found, best = find(table, "X", "Z", DAY, after), brute(table, "X", "Z", DAY, after)
            if best is not None:
                assert (found.legs[-1].arrives, -found.legs[0].leaves, found.changes) == best

    def test_who_comes_later_may_be_better(self):
        text = "change M 3\nline A\nstop X +0\nstop M +10\nruns mon-sun 9:00 to 9:40 every 10\nline B\nstop M +0\nstop Z +9\nruns mon-sun 10:00\n"
        journey = find(parse(text), "X", "Z", DAY)
        assert [leg.leaves for leg in journey.legs] == [580, 600]
        text += "line C\nstop X +0\nstop K +1\nruns mon-sun 9:40\nline D\nstop K +0\nstop M +1\nruns mon-sun 9:46\nchange K 1\n"
        assert [leg.sailing.line for leg in find(parse(text), "X", "Z", DAY).legs] == ["A", "B"]

    def test_over_midnight(self):
        table = parse(PLAIN.format("24:30"))
        journey = find(table, "X", "Z", DAY, 0)
        assert (journey.leaves, journey.arrives) == (datetime(2024, 6, 5, 0, 30), datetime(2024, 6, 5, 1, 20))
        assert find(table, "X", "Z", DAY, 31).leaves == datetime(2024, 6, 6, 0, 30)
        assert find(table, "Y", "Z", DAY, 60).leaves == datetime(2024, 6, 5, 1, 0)

    def test_cancelled_yesterday(self):
        table = parse(PLAIN.format("24:30"))
        table.cancel("A", date(2024, 6, 4), 1470)
        assert find(table, "X", "Z", DAY, 0).leaves == datetime(2024, 6, 6, 0, 30)

    def test_arrival_and_departure_of_a_stop_differ(self):
        table = parse(PLAIN.format("8:00") + "line B\nstop Y +0\nstop W +10\nruns mon-sun 8:29 8:30\n")
        assert find(table, "X", "Y", DAY).arrives == datetime(2024, 6, 5, 8, 25)
        assert find(table, "X", "W", DAY).legs[1].leaves == 510


class TestMoney:
    @pytest.mark.parametrize(("cents", "half"), [(10, 10), (20, 10), (21, 20), (410, 210), (1190, 600)])
    def test_halves(self, cents, half):
        assert halved(cents) == half

    def test_zones(self):
        table = parse(PLAIN.format("8:00"))
        journey = find(table, "X", "Z", DAY)
        for zones, borders in (({"X": 1, "Y": 1, "Z": 1}, 0), ({"X": 1, "Y": 2, "Z": 1}, 2), ({"X": 1, "Y": 1, "Z": 9}, 1)):
            assert Fares(zones).crossed(journey) == borders

    def test_caps(self):
        table = parse(PLAIN.format("8:00 23:30"))
        fares = Fares({"X": 1, "Y": 1, "Z": 1}, cap=450)
        early, late = find(table, "X", "Z", DAY), find(table, "X", "Z", DAY, 1400)
        assert [fares.pay("a", one) for one in (early, late, early)] == [250, 200, 0]
        assert [fares.pay("k", one, child=True) for one in (late, early, early)] == [130, 100, 0]
        assert fares.pay("a", find(table, "X", "Z", date(2024, 6, 6))) == 250

    def test_own_accounts(self):
        table = parse(PLAIN.format("8:00"))
        one, two = (Fares({"X": 1, "Y": 1, "Z": 1}, cap=300) for _ in range(2))
        assert [one.pay("a", find(table, "X", "Z", DAY)) for _ in range(2)] == [250, 50]
        assert two.pay("a", find(table, "X", "Z", DAY)) == 250


class TestBoards:
    def test_order_and_limit(self):
        table = parse("line B\nstop X +0\nstop Y +5\nruns mon-sun 8:00\nline A\nstop X +0\nstop Z +5\nruns mon-sun 8:00 7:00 24:10 9:00\n")
        assert [(one.at, one.line) for one in departures(table, "X", DAY, limit=4)] == [(10, "A"), (420, "A"), (480, "A"), (480, "B")]
        assert [one.at for one in departures(table, "X", DAY, after=480)] == [480, 480, 540]
        assert str(departures(table, "X", DAY)[0]) == "00:10  A      Z"

    def test_calls_in_between(self):
        table = parse(PLAIN.format("8:00"))
        assert [[one.at for one in departures(table, harbour, DAY)] for harbour in "XYZ"] == [[480], [510], []]
