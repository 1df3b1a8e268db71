import unittest

from weblog.entry import Entry, parse, parse_all

LINE = '203.0.113.7 - - [10/Oct/2023:13:55:36 +0000] "GET /about HTTP/1.1" 200 2326'


class EntryTest(unittest.TestCase):
    def test_line_is_read(self):
        self.assertEqual(parse(LINE), Entry("203.0.113.7", "GET", "/about", 200, 2326))

    def test_answer_without_a_body_has_size_zero(self):
        line = LINE.replace("200 2326", "304 -")
        self.assertEqual(parse(line).size, 0)

    def test_damaged_line_is_none(self):
        self.assertIsNone(parse("-- MARK --"))

    def test_damaged_lines_are_skipped(self):
        self.assertEqual(len(parse_all([LINE, "", LINE])), 2)


if __name__ == "__main__":
    unittest.main()
