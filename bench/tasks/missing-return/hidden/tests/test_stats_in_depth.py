import random
import unittest
from collections import Counter

from weblog.entry import Entry
from weblog.report import report
from weblog.stats import busiest, by_status, tally


class TallyTest(unittest.TestCase):
    def test_counts_whatever_can_be_a_key(self):
        self.assertEqual(tally("banana"), {"b": 1, "a": 3, "n": 2})
        self.assertEqual(tally([None, (1, 2), None]), {None: 2, (1, 2): 1})

    def test_nothing_gives_an_empty_dictionary(self):
        self.assertEqual(tally([]), {})
        self.assertEqual(tally(iter(())), {})
        self.assertEqual(by_status([]), {})
        self.assertEqual(busiest([]), [])

    def test_many_values(self):
        values = random.Random(7).choices(range(20), k=500)
        self.assertEqual(tally(values), dict(Counter(values)))

    def test_each_tally_starts_at_zero(self):
        self.assertEqual(tally([1, 1]), {1: 2})
        self.assertEqual(tally([1]), {1: 1})

    def test_report_of_a_quiet_night(self):
        self.assertEqual(report([]), "0 requests, 0 bytes")
        self.assertEqual(
            report([Entry("203.0.113.1", "GET", "/a", 500, 7)]).splitlines(),
            ["1 requests, 7 bytes", "  500: 1", "  /a (1)"],
        )


if __name__ == "__main__":
    unittest.main()
