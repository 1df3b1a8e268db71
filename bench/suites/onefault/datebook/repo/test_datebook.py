import unittest
from datetime import date

import datebook


class MonthsTest(unittest.TestCase):
    def test_same_day_of_a_later_month(self):
        self.assertEqual(datebook.add_months(date(2024, 1, 15), 1), date(2024, 2, 15))

    def test_december_is_in_the_same_year(self):
        self.assertEqual(datebook.add_months(date(2024, 10, 5), 2), date(2024, 12, 5))
        self.assertEqual(datebook.add_months(date(2024, 10, 5), 3), date(2025, 1, 5))

    def test_short_month_ends_earlier(self):
        self.assertEqual(datebook.add_months(date(2024, 1, 31), 1), date(2024, 2, 29))
        self.assertEqual(datebook.add_months(date(2023, 1, 31), 1), date(2023, 2, 28))

    def test_quarters(self):
        quarters = [datebook.quarter(date(2024, month, 1)) for month in range(1, 13)]
        self.assertEqual(quarters, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])


class DaysTest(unittest.TestCase):
    def test_working_days(self):
        self.assertTrue(datebook.is_working_day(date(2024, 4, 30)))
        self.assertFalse(datebook.is_working_day(date(2024, 5, 1)))
        self.assertFalse(datebook.is_working_day(date(2024, 5, 4)))
        self.assertFalse(datebook.is_working_day(date(2024, 5, 5)))

    def test_boxing_day_is_a_holiday(self):
        self.assertFalse(datebook.is_working_day(date(2024, 12, 26)))
        self.assertFalse(datebook.is_working_day(date(2023, 12, 26)))
        self.assertTrue(datebook.is_working_day(date(2024, 12, 27)))

    def test_weekend_and_holiday_do_not_count(self):
        self.assertEqual(datebook.due_date(date(2024, 4, 26), 3), date(2024, 5, 2))

    def test_due_at_once(self):
        self.assertEqual(datebook.due_date(date(2024, 4, 27), 0), date(2024, 4, 27))

    def test_days_include_both_ends(self):
        days = datebook.days_between(date(2024, 2, 28), date(2024, 3, 1))
        self.assertEqual(days, [date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)])

    def test_week_starts_on_monday(self):
        self.assertEqual(datebook.week_of(date(2024, 5, 1)), (date(2024, 4, 29), date(2024, 5, 5)))
        self.assertEqual(datebook.week_of(date(2024, 5, 5)), (date(2024, 4, 29), date(2024, 5, 5)))


class AgeTest(unittest.TestCase):
    def test_birthday_counts(self):
        self.assertEqual(datebook.age(date(2000, 5, 10), date(2024, 5, 9)), 23)
        self.assertEqual(datebook.age(date(2000, 5, 10), date(2024, 5, 10)), 24)


class ParseTest(unittest.TestCase):
    def test_both_ways_of_writing(self):
        self.assertEqual(datebook.parse_day("31.12.2024"), date(2024, 12, 31))
        self.assertEqual(datebook.parse_day("2024-12-31"), date(2024, 12, 31))

    def test_nonsense(self):
        with self.assertRaises(ValueError):
            datebook.parse_day("tomorrow")
