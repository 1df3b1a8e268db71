"""One package of several modules with its tests, and faults put into it by replacing one piece of text."""

from __future__ import annotations

from textwrap import dedent

from searchfaults import Fault

FILES = {
    "pyproject.toml": """
        [tool.pytest.ini_options]
        testpaths = ["tests"]
    """,
    "src/library/__init__.py": '''
        """A lending library."""

        from library.catalogue import Catalogue
        from library.members import Member
    ''',
    "src/library/errors.py": '''
        """What can go wrong."""


        class LibraryError(Exception):
            """Base of all."""


        class NotAvailable(LibraryError):
            """No copy is left."""


        class UnknownBook(LibraryError, KeyError):
            """No such book."""
    ''',
    "src/library/books.py": '''
        """Books and how they are written down."""

        from dataclasses import dataclass, field


        @dataclass
        class Book:
            isbn: str
            title: str
            copies: int = 1
            tags: list = field(default_factory=list)

            def is_rare(self):
                return self.copies <= 2

            def label(self):
                return f"{self.title} ({self.isbn})"


        def check_digit(digits):
            """The last digit of an ISBN-13."""
            total = 0
            for position, digit in enumerate(digits[:12]):
                weight = 3 if position % 2 else 1
                total += weight * int(digit)
            return (10 - total % 10) % 10


        def is_valid(isbn):
            digits = isbn.replace("-", "")
            if len(digits) != 13 or not digits.isdigit():
                return False
            return check_digit(digits) == int(digits[-1])


        def parse(line):
            """`isbn; title; copies; tag, tag`"""
            parts = [part.strip() for part in line.split(";")]
            copies = int(parts[2]) if len(parts) > 2 else 1
            tags = sorted(tag.strip() for tag in parts[3].split(",")) if len(parts) > 3 else []
            return Book(parts[0], parts[1], copies, tags)
    ''',
    "src/library/catalogue.py": '''
        """The catalogue: what the library owns, and what is lent."""

        from library.errors import NotAvailable, UnknownBook


        class Catalogue:
            def __init__(self, books=()):
                self._books = {book.isbn: book for book in books}
                self._lent = {}

            def __len__(self):
                return len(self._books)

            def find(self, isbn):
                try:
                    return self._books[isbn]
                except KeyError:
                    raise UnknownBook(isbn) from None

            def available(self, isbn):
                return self.find(isbn).copies - self._lent.get(isbn, 0)

            def lend(self, isbn, member):
                if self.available(isbn) <= 0:
                    raise NotAvailable(isbn)
                self._lent[isbn] = self._lent.get(isbn, 0) + 1
                member.borrow(isbn)

            def give_back(self, isbn, member):
                member.give_back(isbn)
                self._lent[isbn] -= 1
                if not self._lent[isbn]:
                    del self._lent[isbn]

            def lent(self):
                return sum(self._lent.values())

            def with_tag(self, tag):
                return [book.title for book in self._books.values() if tag in book.tags]

            def search(self, words):
                found = []
                for book in self._books.values():
                    title = book.title.lower()
                    if all(word.lower() in title for word in words.split()):
                        found.append(book)
                return sorted(found, key=lambda book: book.title)
    ''',
    "src/library/members.py": '''
        """Members and what they owe."""

        from library.fees import fee

        LIMIT = 3


        class Member:
            def __init__(self, name, limit=LIMIT):
                self.name = name
                self.limit = limit
                self.books = []
                self.history = []

            def may_borrow(self):
                return len(self.books) < self.limit

            def borrow(self, isbn):
                if not self.may_borrow():
                    raise ValueError("too many books")
                self.books.append(isbn)

            def give_back(self, isbn):
                self.books.remove(isbn)
                self.history.append(isbn)

            def owes(self, days_late):
                return sum(fee(days) for days in days_late)

            def favourite(self):
                if not self.history:
                    return None
                return max(set(self.history), key=self.history.count)
    ''',
    "src/library/fees.py": '''
        """Fees for books that come back late."""

        FREE_DAYS = 2
        PER_DAY = 0.25
        MOST = 5.0


        def fee(days_late):
            """Nothing for the free days, then so much a day, up to a limit."""
            if days_late <= FREE_DAYS:
                return 0.0
            return round(min(MOST, (days_late - FREE_DAYS) * PER_DAY), 2)


        def split(amount, people):
            """Shares in cents that add up to the amount."""
            cents = round(amount * 100)
            share, rest = divmod(cents, people)
            return [(share + 1 if index < rest else share) / 100 for index in range(people)]
    ''',
    "src/library/report.py": '''
        """Reports in plain text."""


        def table(rows, gap=2):
            widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
            lines = []
            for row in rows:
                cells = [str(cell).ljust(width) for cell, width in zip(row, widths)]
                lines.append((" " * gap).join(cells).rstrip())
            return "\\n".join(lines)


        def group_by(entries, key):
            groups = {}
            for entry in entries:
                groups.setdefault(key(entry), []).append(entry)
            return groups


        def percent(part, whole):
            if whole == 0:
                return "n/a"
            return "%.1f%%" % (100 * part / whole)


        def running_totals(numbers):
            totals = []
            total = 0
            for number in numbers:
                total += number
                totals.append(total)
            return totals


        def chunks(entries, size):
            for start in range(0, len(entries), size):
                yield entries[start : start + size]
    ''',
    "tests/conftest.py": """
        import pytest

        from library import Catalogue, Member
        from library.books import Book


        @pytest.fixture
        def catalogue():
            return Catalogue(
                [
                    Book("1", "The Tall Tree", 2, ["nature"]),
                    Book("2", "A Tree Grows", 1, ["city", "novel"]),
                    Book("3", "Cooking", 5),
                ]
            )


        @pytest.fixture
        def member():
            return Member("Ann")
    """,
    "tests/test_books.py": """
        import pytest

        from library.books import Book, check_digit, is_valid, parse


        @pytest.mark.parametrize("copies, rare", [(1, True), (2, True), (3, False)])
        def test_is_rare(copies, rare):
            assert Book("1", "T", copies).is_rare() is rare


        def test_label():
            assert Book("1", "T").label() == "T (1)"


        def test_check_digit():
            assert check_digit("978030640615") == 7
            assert check_digit("978316148410") == 0


        @pytest.mark.parametrize(
            "isbn, valid",
            [("978-0-306-40615-7", True), ("9783161484100", True), ("9783161484101", False), ("12", False), ("x" * 13, False)],
        )
        def test_is_valid(isbn, valid):
            assert is_valid(isbn) is valid


        def test_parse():
            book = parse("1; Title ; 4; b, a")
            assert (book.isbn, book.title, book.copies, book.tags) == ("1", "Title", 4, ["a", "b"])


        def test_parse_short():
            book = parse("1; Title")
            assert book.copies == 1 and book.tags == []
    """,
    "tests/test_catalogue.py": """
        import unittest

        import pytest

        from library import Catalogue, Member
        from library.books import Book
        from library.errors import NotAvailable, UnknownBook


        def test_lending(catalogue, member):
            catalogue.lend("1", member)
            assert catalogue.available("1") == 1
            assert member.books == ["1"]


        def test_nothing_left(catalogue, member):
            catalogue.lend("2", member)
            with pytest.raises(NotAvailable):
                catalogue.lend("2", member)


        def test_unknown(catalogue):
            with pytest.raises(UnknownBook):
                catalogue.find("9")


        def test_give_back(catalogue, member):
            catalogue.lend("1", member)
            catalogue.give_back("1", member)
            assert catalogue.available("1") == 2
            assert member.books == [] and member.history == ["1"]


        class TestNumbers(unittest.TestCase):
            def setUp(self):
                self.catalogue = Catalogue([Book("1", "x", 3), Book("2", "y", 3)])

            def test_len(self):
                self.assertEqual(len(self.catalogue), 2)

            def test_lent(self):
                member = Member("Bob")
                self.catalogue.lend("1", member)
                self.catalogue.lend("1", member)
                self.catalogue.lend("2", member)
                self.assertEqual(self.catalogue.lent(), 3)


        def test_with_tag(catalogue):
            assert catalogue.with_tag("novel") == ["A Tree Grows"]


        @pytest.mark.parametrize(
            "words, titles",
            [("tree", ["A Tree Grows", "The Tall Tree"]), ("TALL tree", ["The Tall Tree"]), ("sea", [])],
        )
        def test_search(catalogue, words, titles):
            assert [book.title for book in catalogue.search(words)] == titles
    """,
    "tests/test_members.py": """
        import pytest

        from library.members import Member


        def test_limit(member):
            for isbn in "123":
                member.borrow(isbn)
            assert not member.may_borrow()
            with pytest.raises(ValueError):
                member.borrow("4")


        def test_own_limit():
            one = Member("x", limit=1)
            one.borrow("1")
            assert not one.may_borrow()


        def test_favourite(member):
            assert member.favourite() is None
            for isbn in "121":
                member.borrow(isbn)
                member.give_back(isbn)
            assert member.favourite() == "1"


        def test_owes(member):
            assert member.owes([3, 4]) == 0.75
            assert member.owes([]) == 0
    """,
    "tests/test_fees.py": """
        import pytest

        from library.fees import fee, split


        @pytest.mark.parametrize("days, wanted", [(0, 0.0), (2, 0.0), (3, 0.25), (10, 2.0), (100, 5.0)])
        def test_fee(days, wanted):
            assert fee(days) == wanted


        def test_split():
            assert split(1.0, 3) == [0.34, 0.33, 0.33]
            assert split(2, 2) == [1.0, 1.0]
    """,
    "tests/test_report.py": """
        from library.report import chunks, group_by, percent, running_totals, table


        def test_table():
            assert table([["a", 1], ["long", 22]]) == "a     1\\nlong  22"


        def test_table_gap():
            assert table([["a", "b"]], gap=4) == "a    b"


        def test_group_by():
            assert group_by(["aa", "b", "cc"], len) == {2: ["aa", "cc"], 1: ["b"]}


        def test_percent():
            assert percent(1, 3) == "33.3%"
            assert percent(1, 0) == "n/a"


        def test_running_totals():
            assert running_totals([1, 2, 3]) == [1, 3, 6]


        def test_chunks():
            assert list(chunks([1, 2, 3, 4, 5], 2)) == [[1, 2], [3, 4], [5]]
    """,
}

HIDDEN = """
from library import Catalogue, Member
from library.books import Book, check_digit, is_valid, parse
from library.errors import NotAvailable, UnknownBook
from library.fees import fee, split
from library.report import chunks, group_by, percent, running_totals, table

assert [Book("1", "t", n).is_rare() for n in (0, 1, 2, 3, 9)] == [True, True, True, False, False]
assert Book("7", "Seven").label() == "Seven (7)"
assert check_digit("400638133393") == 1 and check_digit("978186197271") == 2
assert is_valid("978-1-86197-271-2") and not is_valid("978-1-86197-271-3") and not is_valid("")
assert parse("5;Five;2").copies == 2 and parse("5;Five;2;z,y,x").tags == ["x", "y", "z"]
a, b = Book("a", "Alpha Beta", 2, ["t"]), Book("b", "beta", 1, ["t", "u"])
c, m = Catalogue([b, a]), Member("m", 5)
assert c.with_tag("t") == ["beta", "Alpha Beta"] and c.with_tag("x") == []
assert [x.isbn for x in c.search("BETA")] == ["a", "b"] and [x.isbn for x in c.search("beta alpha")] == ["a"]
c.lend("a", m), c.lend("a", m), c.lend("b", m)
assert c.lent() == 3 and m.books == ["a", "a", "b"] and c.available("a") == 0 and c.available("b") == 0
for isbn, kind in (("a", NotAvailable), ("zz", UnknownBook)):
    try:
        c.lend(isbn, m)
        raise SystemExit("lent")
    except kind:
        pass
c.give_back("a", m)
assert c.available("a") == 1 and m.books == ["a", "b"] and c.lent() == 2
n = Member("n", 2)
n.borrow("1"), n.borrow("2")
assert not n.may_borrow()
n.give_back("1"), n.give_back("2"), n.borrow("2"), n.give_back("2")
assert n.favourite() == "2" and Member("q").favourite() is None and n.limit == 2
assert n.owes([1, 22, 3]) == 5.25
assert [fee(d) for d in (1, 2, 3, 5, 21, 22, 23)] == [0.0, 0.0, 0.25, 0.75, 4.75, 5.0, 5.0]
assert split(10, 3) == [3.34, 3.33, 3.33] and split(0.05, 2) == [0.03, 0.02]
assert table([["x", "yy"], ["zzz", "w"]]) == "x    yy\\nzzz  w"
assert group_by([1, 2, 3], lambda v: v % 2) == {1: [1, 3], 0: [2]}
assert percent(1, 8) == "12.5%" and percent(0, 0) == "n/a" and percent(2, 2) == "100.0%"
assert running_totals([5, -1]) == [5, 4] and list(chunks("abc", 3)) == ["abc"] and list(chunks("", 2)) == []
"""

EDITS = {
    "rare-boundary": ("books.py", "self.copies <= 2", "self.copies < 2"),
    "rare-constant": ("books.py", "self.copies <= 2", "self.copies <= 1"),
    "label-without-f": ("books.py", 'return f"{self.title}', 'return "{self.title}'),
    "weights-the-wrong-way": ("books.py", "weight = 3 if position % 2 else 1", "weight = 1 if position % 2 else 3"),
    "eleven-digits": ("books.py", "digits[:12]", "digits[:11]"),
    "modulo-lost": ("books.py", "(10 - total % 10) % 10", "10 - total % 10"),
    "or-for-and": ("books.py", "!= 13 or not", "!= 13 and not"),
    "last-digit-is-first": ("books.py", "int(digits[-1])", "int(digits[0])"),
    "tags-unsorted": (
        "books.py",
        'sorted(tag.strip() for tag in parts[3].split(","))',
        'list(tag.strip() for tag in parts[3].split(","))',
    ),
    "default-copies": ("books.py", "if len(parts) > 2 else 1", "if len(parts) > 2 else 0"),
    "strip-lost": ("books.py", "[part.strip() for part", "[part for part"),
    "wrong-error": ("catalogue.py", "except KeyError", "except IndexError"),
    "available-adds": ("catalogue.py", ".copies - self._lent", ".copies + self._lent"),
    "lend-boundary": ("catalogue.py", "self.available(isbn) <= 0", "self.available(isbn) < 0"),
    "member-not-told": ("catalogue.py", "        member.borrow(isbn)\n", ""),
    "give-back-adds": ("catalogue.py", "self._lent[isbn] -= 1", "self._lent[isbn] += 1"),
    "lent-counts-titles": ("catalogue.py", "return sum(self._lent.values())", "return len(self._lent)"),
    "any-for-all": ("catalogue.py", "if all(word", "if any(word"),
    "search-case": ("catalogue.py", "title = book.title.lower()", "title = book.title"),
    "search-unsorted": ("catalogue.py", "return sorted(found, key=lambda book: book.title)", "return found"),
    "titles-not-books": ("catalogue.py", "[book.title for book", "[book for book"),
    "limit-boundary": ("members.py", "len(self.books) < self.limit", "len(self.books) <= self.limit"),
    "limit-ignored": ("members.py", "len(self.books) < self.limit", "len(self.books) < LIMIT"),
    "negation-lost": ("members.py", "if not self.may_borrow()", "if self.may_borrow()"),
    "history-forgotten": ("members.py", "        self.history.append(isbn)\n", ""),
    "favourite-guard": ("members.py", "        if not self.history:\n            return None\n", ""),
    "max-for-min": ("members.py", "return max(set(self.history)", "return min(set(self.history)"),
    "fee-rounds-to-units": ("fees.py", "* PER_DAY), 2)", "* PER_DAY))"),
    "fee-max": ("fees.py", "round(min(MOST", "round(max(MOST"),
    "free-days-added": ("fees.py", "(days_late - FREE_DAYS)", "(days_late + FREE_DAYS)"),
    "free-days-constant": ("fees.py", "FREE_DAYS = 2", "FREE_DAYS = 3"),
    "split-operands": ("fees.py", "divmod(cents, people)", "divmod(people, cents)"),
    "split-rest": ("fees.py", "index < rest", "index <= rest"),
    "rstrip-for-strip": ("report.py", ".rstrip())", ")"),
    "table-ljust": ("report.py", "str(cell).ljust(width)", "str(cell).rjust(width)"),
    "gap-ignored": ("report.py", '(" " * gap)', '(" " * 2)'),
    "group-value": ("report.py", ".append(entry)", ".append(key)"),
    "percent-guard": ("report.py", '    if whole == 0:\n        return "n/a"\n', ""),
    "percent-swapped": ("report.py", "100 * part / whole", "100 * whole / part"),
    "total-assigned": ("report.py", "total += number", "total = number"),
    "append-too-late": (
        "report.py",
        "        totals.append(total)\n    return",
        "    totals.append(total)\n    return",
    ),
    "chunks-step": ("report.py", "start : start + size]", "start : size]"),
    "chunks-short": ("report.py", "range(0, len(entries), size)", "range(0, len(entries) - 1, size)"),
}
"""Name -> (module, right text, faulty text), at the indentation of the dedented file."""


def faulty(name: str, files: dict[str, str], edit: tuple[str, str, str], hidden: str) -> Fault:
    module, right, wrong = edit
    texts = {path: dedent(text).lstrip("\n") for path, text in files.items()}
    path = next(path for path in texts if path.endswith("/" + module))
    assert right in texts[path], name
    texts[path] = texts[path].replace(right, wrong, 1)
    return Fault(name, texts, hidden)


PACKAGE_FAULTS = [faulty(name, FILES, edit, HIDDEN) for name, edit in EDITS.items()]
