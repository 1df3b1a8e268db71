import unittest

from weblog.entry import Entry
from weblog.report import report
from weblog.stats import busiest, by_status, traffic


class StatsTest(unittest.TestCase):
    def setUp(self):
        self.entries = [
            Entry("203.0.113.7", "GET", "/", 200, 1000),
            Entry("203.0.113.7", "GET", "/about", 200, 300),
            Entry("203.0.113.9", "GET", "/", 304, 0),
            Entry("203.0.113.9", "GET", "/wp-login.php", 404, 50),
        ]

    def test_requests_by_status(self):
        self.assertEqual(by_status(self.entries), {200: 2, 304: 1, 404: 1})

    def test_busiest_paths_come_first(self):
        self.assertEqual(busiest(self.entries, limit=2), [("/", 2), ("/about", 1)])

    def test_traffic(self):
        self.assertEqual(traffic(self.entries), 1350)

    def test_report(self):
        lines = report(self.entries).splitlines()
        self.assertEqual(lines[0], "4 requests, 1350 bytes")
        self.assertIn("  404: 1", lines)
        self.assertIn("  / (2)", lines)


if __name__ == "__main__":
    unittest.main()
