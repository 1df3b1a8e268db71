from datetime import date
from unittest import TestCase

from almanac.errors import AlmanacError
from almanac.work import GERMANY, USA, Fixed, FromEaster, Nth, WorkCalendar


class HolidaysTest(TestCase):
    def test_germany(self):
        found = WorkCalendar(GERMANY).holidays(2024)
        self.assertEqual(
            [f"{day:%m-%d}" for day in found],
            ["01-01", "03-29", "04-01", "05-01", "05-09", "05-20", "10-03", "12-25", "12-26"],
        )
        self.assertEqual(found[date(2024, 3, 29)], "Karfreitag")

    def test_usa(self):
        found = WorkCalendar(USA).holidays(2024)
        self.assertEqual(
            [f"{day:%m-%d}" for day in found],
            ["01-01", "01-15", "05-27", "06-19", "07-04", "09-02", "11-28", "12-25"],
        )

    def test_years(self):
        self.assertIsNone(Fixed("x", 6, 19, since=2021).day(2020))
        self.assertIsNone(Fixed("x", 6, 19, until=2021).day(2022))
        self.assertEqual(Fixed("x", 6, 19, since=2021, until=2021).day(2021), date(2021, 6, 19))

    def test_leap_day(self):
        self.assertIsNone(Fixed("x", 2, 29).day(2023))
        self.assertEqual(Fixed("x", 2, 29).day(2024), date(2024, 2, 29))

    def test_observed(self):
        self.assertEqual(Fixed("x", 7, 4, observed=True).day(2026), date(2026, 7, 3))
        self.assertEqual(Fixed("x", 7, 4, observed=True).day(2027), date(2027, 7, 5))

    def test_observed_in_the_year_before(self):
        calendar = WorkCalendar(USA)
        self.assertIn(date(2021, 12, 31), calendar.holidays(2021))
        self.assertNotIn(date(2021, 12, 31), calendar.holidays(2022))

    def test_added_later(self):
        calendar = WorkCalendar(GERMANY)
        self.assertTrue(calendar.is_working(date(2024, 10, 31)))
        calendar.add(Fixed("Reformationstag", 10, 31))
        self.assertFalse(calendar.is_working(date(2024, 10, 31)))
        self.assertEqual(len(calendar.holidays(2024)), 10)

    def test_result_is_a_copy(self):
        calendar = WorkCalendar(GERMANY)
        calendar.holidays(2024).clear()
        self.assertEqual(len(calendar.holidays(2024)), 9)

    def test_kinds(self):
        self.assertEqual(FromEaster("x", 60).day(2024), date(2024, 5, 30))
        self.assertEqual(Nth("x", 11, 2, -1).day(2024), date(2024, 11, 27))


class WorkingDaysTest(TestCase):
    def setUp(self):
        self.calendar = WorkCalendar(GERMANY)

    def test_roll(self):
        self.assertEqual(self.calendar.roll(date(2024, 3, 29)), date(2024, 4, 2))
        self.assertEqual(self.calendar.roll(date(2024, 3, 31), backwards=True), date(2024, 3, 28))
        self.assertEqual(self.calendar.roll(date(2024, 3, 28)), date(2024, 3, 28))

    def test_roll_in_month(self):
        self.assertEqual(self.calendar.roll_in_month(date(2024, 3, 30)), date(2024, 3, 28))
        self.assertEqual(self.calendar.roll_in_month(date(2024, 4, 1)), date(2024, 4, 2))

    def test_add_days(self):
        for start, count, expected in [
            ((3, 28), 1, (4, 2)),
            ((3, 29), 1, (4, 2)),
            ((4, 2), -1, (3, 28)),
            ((3, 30), 0, (4, 2)),
            ((3, 25), 0, (3, 25)),
            ((3, 25), 10, (4, 10)),
        ]:
            with self.subTest(start=start, count=count):
                self.assertEqual(self.calendar.add_days(date(2024, *start), count), date(2024, *expected))

    def test_count(self):
        self.assertEqual(self.calendar.count(date(2024, 3, 25), date(2024, 4, 5)), 8)
        self.assertEqual(self.calendar.count(date(2024, 3, 30), date(2024, 3, 31)), 0)
        self.assertEqual(self.calendar.count(date(2024, 4, 5), date(2024, 3, 25)), -8)

    def test_other_weekends(self):
        calendar = WorkCalendar(weekend=(4, 5))
        self.assertFalse(calendar.is_working(date(2024, 3, 1)))
        self.assertTrue(calendar.is_working(date(2024, 3, 3)))
        with self.assertRaises(AlmanacError):
            WorkCalendar(weekend=range(7))
