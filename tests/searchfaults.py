"""Small faulty repositories, one fault each, with assertions that the search never sees."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fault:
    """A repository whose tests are red for one reason. `hidden` holds for the right repair."""

    name: str
    files: dict[str, str]
    hidden: str
    args: tuple[str, ...] = ()
    marks: tuple[str, ...] = field(default=())


FAULTS: list[Fault] = []


def fault(name: str, files: dict[str, str], hidden: str, *args: str) -> None:
    FAULTS.append(Fault(name, files, hidden, args))


fault(
    "discount-rounds-to-whole-units",
    {
        "src/shop/__init__.py": "",
        "src/shop/pricing.py": '''
            """Prices and discounts."""


            def apply_discount(price, percent):
                """Return the price less a discount in percent."""
                reduced = price * (100 - percent) / 100
                return round(reduced)  # whole cents


            def total(prices, percent=0):
                return sum(apply_discount(price, percent) for price in prices)
        ''',
        "tests/test_pricing.py": """
            from shop.pricing import apply_discount, total


            def test_discount_keeps_cents():
                assert apply_discount(19.99, 15) == 16.99


            def test_no_discount():
                assert apply_discount(20, 0) == 20


            def test_total():
                assert total([1, 2]) == 3
        """,
    },
    """
    from shop.pricing import apply_discount, total
    assert apply_discount(9.99, 33) == 6.69
    assert apply_discount(0.10, 50) == 0.05
    assert total([1.11, 2.22]) == 1.11 + 2.22
    """,
)
fault(
    "loop-stops-one-early",
    {
        "stats/__init__.py": "",
        "stats/windows.py": '''
            """Moving windows."""


            def moving_average(values, size):
                averages = []
                for start in range(len(values) - size):
                    window = values[start : start + size]
                    averages.append(sum(window) / size)
                return averages


            def peaks(values):
                return [value for value in values if value > 10]
        ''',
        "tests/test_windows.py": """
            import pytest

            from stats.windows import moving_average, peaks


            @pytest.mark.parametrize(
                "values, size, expected",
                [([1, 2, 3, 4], 2, [1.5, 2.5, 3.5]), ([4, 4], 2, [4.0]), ([1, 2, 3], 1, [1, 2, 3])],
            )
            def test_moving_average(values, size, expected):
                assert moving_average(values, size) == expected


            def test_peaks():
                assert peaks([9, 10, 11]) == [11]
        """,
    },
    """
    from stats.windows import moving_average
    assert moving_average([2, 4, 6, 8, 10], 3) == [4, 6, 8]
    assert moving_average([1], 2) == []
    """,
)
fault(
    "boundary-left-out",
    {
        "src/access/__init__.py": "",
        "src/access/rules.py": """
            ADULT = 18


            class Visitor:
                def __init__(self, name, age):
                    self.name = name
                    self.age = age

                def is_adult(self):
                    return self.age > ADULT

                def greeting(self):
                    return "Welcome, " + self.name


            def admitted(visitors):
                return [visitor.name for visitor in visitors if visitor.is_adult()]
        """,
        "tests/test_rules.py": """
            import unittest

            from access.rules import Visitor, admitted


            class TestVisitor(unittest.TestCase):
                def setUp(self):
                    self.young = Visitor("Ann", 17)
                    self.just = Visitor("Bob", 18)

                def test_just_adult(self):
                    self.assertTrue(self.just.is_adult())

                def test_young(self):
                    self.assertFalse(self.young.is_adult())

                def test_admitted(self):
                    self.assertEqual(admitted([self.young, self.just]), ["Bob"])

                def test_greeting(self):
                    self.assertEqual(self.young.greeting(), "Welcome, Ann")
        """,
    },
    """
    from access.rules import Visitor
    assert [Visitor("x", age).is_adult() for age in (0, 17, 18, 19, 80)] == [False, False, True, True, True]
    """,
)
fault(
    "return-missing",
    {
        "inventory/__init__.py": "",
        "inventory/store.py": '''
            """A store of items."""


            class Store:
                def __init__(self):
                    self.items = {}

                def add(self, name, count):
                    self.items[name] = self.items.get(name, 0) + count

                def count(self, name):
                    found = self.items.get(name, 0)

                def names(self):
                    return sorted(self.items)
        ''',
        "tests/conftest.py": """
            import pytest

            from inventory.store import Store


            @pytest.fixture
            def store():
                made = Store()
                made.add("nail", 3)
                return made
        """,
        "tests/test_store.py": """
            def test_count(store):
                store.add("nail", 2)
                assert store.count("nail") == 5


            def test_names(store):
                assert store.names() == ["nail"]


            def test_unknown(store):
                assert store.count("screw") == 0
        """,
    },
    """
    from inventory.store import Store
    s = Store()
    s.add("a", 7)
    assert s.count("a") == 7 and s.count("b") == 0
    """,
)
fault(
    "wrong-arithmetic-operator",
    {
        "geometry.py": """
            import math


            def rectangle_perimeter(width, height):
                return 2 * (width + height)


            def rectangle_area(width, height):
                return width + height


            def diagonal(width, height):
                return math.sqrt(width**2 + height**2)
        """,
        "test_geometry.py": """
            import geometry


            def test_perimeter():
                assert geometry.rectangle_perimeter(2, 3) == 10


            def test_area():
                assert geometry.rectangle_area(4, 5) == 20


            def test_diagonal():
                assert geometry.diagonal(3, 4) == 5
        """,
    },
    """
    from geometry import rectangle_area
    assert rectangle_area(7, 3) == 21 and rectangle_area(0, 9) == 0
    """,
)
fault(
    "and-for-or",
    {
        "src/mail/__init__.py": "",
        "src/mail/filters.py": """
            def is_spam(subject, sender):
                shouting = subject.isupper()
                unknown = sender.endswith(".invalid")
                return shouting and unknown


            def clean(messages):
                return [m for m in messages if not is_spam(m["subject"], m["sender"])]
        """,
        "tests/test_filters.py": """
            from mail.filters import clean, is_spam


            def test_shouting():
                assert is_spam("BUY NOW", "a@example.org")


            def test_unknown_sender():
                assert is_spam("hello", "a@b.invalid")


            def test_fine():
                assert not is_spam("hello", "a@example.org")


            def test_clean():
                kept = clean([{"subject": "hi", "sender": "a@example.org"}])
                assert len(kept) == 1
        """,
    },
    """
    from mail.filters import is_spam
    assert is_spam("A", "x.invalid") and not is_spam("a", "x.org")
    """,
)
fault(
    "wrong-variable",
    {
        "ledger/__init__.py": "",
        "ledger/accounts.py": """
            class Account:
                def __init__(self, owner, balance=0):
                    self.owner = owner
                    self.balance = balance

                def deposit(self, amount):
                    self.balance += amount


            def transfer(source, target, amount):
                if source.balance < amount:
                    raise ValueError("not enough money")
                source.balance -= amount
                source.deposit(amount)
        """,
        "tests/test_accounts.py": """
            import pytest

            from ledger.accounts import Account, transfer


            def test_transfer():
                one, two = Account("a", 100), Account("b", 5)
                transfer(one, two, 30)
                assert (one.balance, two.balance) == (70, 35)


            def test_not_enough():
                with pytest.raises(ValueError):
                    transfer(Account("a"), Account("b"), 1)
        """,
    },
    """
    from ledger.accounts import Account, transfer
    a, b = Account("a", 10), Account("b")
    transfer(a, b, 10)
    assert (a.balance, b.balance) == (0, 10)
    """,
)
fault(
    "min-for-max",
    {
        "scores.py": """
            def best(scores):
                return min(scores, key=lambda score: score["points"])


            def worst(scores):
                return min(scores, key=lambda score: score["points"])
        """,
        "tests/test_scores.py": """
            from scores import best, worst

            SCORES = [{"name": "a", "points": 3}, {"name": "b", "points": 9}, {"name": "c", "points": 5}]


            def test_best():
                assert best(SCORES)["name"] == "b"


            def test_worst():
                assert worst(SCORES)["name"] == "a"
        """,
    },
    """
    from scores import best, worst
    s = [{"points": 1}, {"points": 2}]
    assert best(s) == {"points": 2} and worst(s) == {"points": 1}
    """,
)
fault(
    "arguments-swapped",
    {
        "src/text/__init__.py": "",
        "src/text/wrap.py": """
            def repeat(word, times):
                return " ".join([word] * times)


            def banner(title, width):
                line = repeat("=", width)
                return line + "\\n" + title


            def echo(count, word):
                return repeat(count, word)
        """,
        "tests/test_wrap.py": """
            from text.wrap import banner, echo


            def test_echo():
                assert echo(3, "hey") == "hey hey hey"


            def test_banner():
                assert banner("x", 2) == "= =\\nx"
        """,
    },
    """
    from text.wrap import echo
    assert echo(2, "a") == "a a" and echo(0, "a") == ""
    """,
)
fault(
    "negation-missing",
    {
        "tasks/__init__.py": "",
        "tasks/board.py": """
            class Task:
                def __init__(self, title, done=False):
                    self.title = title
                    self.done = done


            def open_tasks(tasks):
                return [task.title for task in tasks if task.done]


            def progress(tasks):
                return sum(task.done for task in tasks) / len(tasks)
        """,
        "tests/test_board.py": """
            from tasks.board import Task, open_tasks, progress


            def test_open():
                assert open_tasks([Task("a"), Task("b", True), Task("c")]) == ["a", "c"]


            def test_progress():
                assert progress([Task("a"), Task("b", True)]) == 0.5
        """,
    },
    """
    from tasks.board import Task, open_tasks
    assert open_tasks([]) == [] and open_tasks([Task("z", True)]) == []
    """,
)
fault(
    "f-prefix-missing",
    {
        "src/report/__init__.py": "",
        "src/report/lines.py": """
            def heading(name, count):
                return "{name}: {count} entries"


            def footer(pages):
                return f"{pages} pages"
        """,
        "tests/test_lines.py": """
            from report.lines import footer, heading


            def test_heading():
                assert heading("Log", 3) == "Log: 3 entries"


            def test_footer():
                assert footer(2) == "2 pages"
        """,
    },
    """
    from report.lines import heading
    assert heading("A", 0) == "A: 0 entries"
    """,
)
fault(
    "mutable-default",
    {
        "basket.py": """
            def add_item(item, basket=[]):
                basket.append(item)
                return basket


            def count(basket):
                return len(basket)
        """,
        "tests/test_basket.py": """
            from basket import add_item, count


            def test_each_call_has_its_own_basket():
                assert add_item("a") == ["a"]
                assert add_item("b") == ["b"]


            def test_given_basket_is_used():
                mine = ["x"]
                assert add_item("y", mine) == ["x", "y"]
                assert mine == ["x", "y"]


            def test_count():
                assert count([1, 2]) == 2
        """,
    },
    """
    from basket import add_item
    mine = []
    assert add_item(1, mine) is mine and mine == [1]
    assert add_item(2) == [2] and add_item(3) == [3]
    """,
)
fault(
    "wrong-table-entry-at-module-level",
    {
        "convert/__init__.py": "",
        "convert/units.py": """
            FACTORS = {
                "mm": 0.001,
                "cm": 0.1,
                "m": 1,
                "km": 1000,
            }


            def to_metres(value, unit):
                return value * FACTORS[unit]
        """,
        "tests/test_units.py": """
            import pytest

            from convert.units import to_metres


            @pytest.mark.parametrize("value, unit, metres", [(5, "m", 5), (2, "km", 2000), (100, "cm", 1)])
            def test_to_metres(value, unit, metres):
                assert to_metres(value, unit) == metres


            def test_mm():
                assert to_metres(1000, "mm") == 1
        """,
    },
    """
    from convert.units import to_metres
    assert to_metres(250, "cm") == 2.5 and to_metres(1, "km") == 1000
    """,
)
fault(
    "import-missing",
    {
        "src/paths/__init__.py": "",
        "src/paths/join.py": '''
            """Paths."""


            def join(*parts):
                return os.path.join(*parts)


            def upper(text):
                return text.upper()
        ''',
        "tests/test_join.py": """
            from paths.join import join, upper


            def test_join():
                assert join("a", "b") == "a/b"


            def test_upper():
                assert upper("a") == "A"
        """,
    },
    """
    from paths.join import join
    assert join("x", "y", "z") == "x/y/z"
    """,
)
fault(
    "misspelt-attribute",
    {
        "people.py": """
            class Person:
                def __init__(self, first, last):
                    self.first = first
                    self.last = last

                def full_name(self):
                    return self.first + " " + self.lst

                def initials(self):
                    return self.first[0] + self.last[0]
        """,
        "tests/test_people.py": """
            from people import Person


            def test_full_name():
                assert Person("Ada", "Byron").full_name() == "Ada Byron"


            def test_initials():
                assert Person("Ada", "Byron").initials() == "AB"
        """,
    },
    """
    from people import Person
    assert Person("A", "B").full_name() == "A B"
    """,
)
fault(
    "empty-input-not-guarded",
    {
        "src/numbers_/__init__.py": "",
        "src/numbers_/mean.py": """
            def mean(values):
                return sum(values) / len(values)


            def spread(values):
                if not values:
                    return 0
                return max(values) - min(values)
        """,
        "tests/test_mean.py": """
            from numbers_.mean import mean, spread


            def test_mean():
                assert mean([1, 2, 3]) == 2


            def test_mean_of_nothing():
                assert mean([]) == 0


            def test_spread():
                assert spread([1, 5]) == 4
        """,
    },
    """
    from numbers_.mean import mean
    assert mean([]) == 0 and mean([4]) == 4 and mean([0, 0]) == 0
    """,
)
fault(
    "return-inside-loop",
    {
        "words.py": """
            def lengths(words):
                found = []
                for word in words:
                    found.append(len(word))
                    return found


            def longest(words):
                return max(words, key=len)
        """,
        "tests/test_words.py": """
            from words import lengths, longest


            def test_lengths():
                assert lengths(["a", "bb", "ccc"]) == [1, 2, 3]


            def test_longest():
                assert longest(["a", "bb"]) == "bb"
        """,
    },
    """
    from words import lengths
    assert lengths([]) == [] and lengths(["xx", "y"]) == [2, 1]
    """,
)
fault(
    "exception-type",
    {
        "src/config/__init__.py": "",
        "src/config/reader.py": """
            class MissingOption(Exception):
                pass


            def option(options, name):
                try:
                    return options[name]
                except IndexError:
                    raise MissingOption(name) from None


            def has(options, name):
                return name in options
        """,
        "tests/test_reader.py": """
            import pytest

            from config.reader import MissingOption, has, option


            def test_option():
                assert option({"a": 1}, "a") == 1


            def test_missing():
                with pytest.raises(MissingOption):
                    option({}, "a")


            def test_has():
                assert has({"a": 1}, "a")
        """,
    },
    """
    from config.reader import MissingOption, option
    try:
        option({"x": 1}, "y")
        raise SystemExit("no error")
    except MissingOption:
        pass
    """,
)
fault(
    "floor-division",
    {
        "batches.py": """
            def average(total, count):
                return total // count


            def pages(entries, size):
                return (entries + size - 1) // size
        """,
        "tests/test_batches.py": """
            from batches import average, pages


            def test_average():
                assert average(7, 2) == 3.5


            def test_pages():
                assert pages(11, 5) == 3
        """,
    },
    """
    from batches import average
    assert average(1, 4) == 0.25 and average(9, 3) == 3
    """,
)
fault(
    "sorted-in-wrong-direction",
    {
        "src/rank/__init__.py": "",
        "src/rank/table.py": """
            def ranking(players):
                ordered = sorted(players, key=lambda player: player[1])
                return [name for name, _points in ordered]
        """,
        "tests/test_table.py": """
            from rank.table import ranking


            def test_best_comes_first():
                assert ranking([("a", 1), ("b", 7), ("c", 3)]) == ["b", "c", "a"]


            def test_one():
                assert ranking([("a", 1)]) == ["a"]
        """,
    },
    """
    from rank.table import ranking
    assert ranking([("x", 5), ("y", 9), ("z", 1)]) == ["y", "x", "z"]
    """,
)
fault(
    "alias-instead-of-copy",
    {
        "history.py": """
            class History:
                def __init__(self, entries):
                    self.entries = entries

                def add(self, entry):
                    self.entries.append(entry)
        """,
        "tests/test_history.py": """
            from history import History


            def test_callers_list_stays_as_it_was():
                mine = ["a"]
                log = History(mine)
                log.add("b")
                assert mine == ["a"]
                assert log.entries == ["a", "b"]


            def test_add():
                log = History([])
                log.add("x")
                assert log.entries == ["x"]
        """,
    },
    """
    from history import History
    mine = [1, 2]
    h = History(mine)
    h.add(3)
    assert mine == [1, 2] and h.entries == [1, 2, 3]
    """,
)
fault(
    "argument-not-passed-on",
    {
        "src/fmt/__init__.py": "",
        "src/fmt/money.py": """
            def money(amount, currency="EUR"):
                return "%.2f %s" % (amount, currency)


            def price_tag(name, amount, currency="EUR"):
                return name + ": " + money(amount)
        """,
        "tests/test_money.py": """
            from fmt.money import money, price_tag


            def test_money():
                assert money(1) == "1.00 EUR"


            def test_price_tag():
                assert price_tag("tea", 2) == "tea: 2.00 EUR"


            def test_price_tag_in_other_currency():
                assert price_tag("tea", 2, currency="CHF") == "tea: 2.00 CHF"
        """,
    },
    """
    from fmt.money import price_tag
    assert price_tag("a", 1, "USD") == "a: 1.00 USD"
    """,
)
fault(
    "augmented-operator",
    {
        "countdown.py": """
            class Stock:
                def __init__(self, count):
                    self.count = count

                def take(self, number):
                    self.count += number
                    return self.count

                def put(self, number):
                    self.count += number
                    return self.count
        """,
        "tests/test_countdown.py": """
            import pytest

            from countdown import Stock


            @pytest.fixture(scope="module")
            def start():
                return 10


            class TestStock:
                def test_take(self, start):
                    assert Stock(start).take(3) == 7

                def test_put(self, start):
                    assert Stock(start).put(3) == 13
        """,
    },
    """
    from countdown import Stock
    s = Stock(5)
    s.put(5)
    assert s.take(4) == 6
    """,
)
fault(
    "slice-bound",
    {
        "src/cut/__init__.py": "",
        "src/cut/names.py": """
            def extension(name):
                dot = name.rfind(".")
                return name[dot:]


            def stem(name):
                return name[: name.rfind(".")]
        """,
        "tests/test_names.py": """
            from cut.names import extension, stem


            def test_extension():
                assert extension("a.txt") == "txt"


            def test_stem():
                assert stem("a.txt") == "a"
        """,
    },
    """
    from cut.names import extension
    assert extension("x.tar.gz") == "gz"
    """,
)
fault(
    "case-is-not-ignored",
    {
        "find.py": """
            def matches(text, word):
                return word.lower() in text


            def count(text, word):
                return text.count(word)
        """,
        "tests/test_find.py": """
            from find import count, matches


            def test_case_is_ignored():
                assert matches("Hello World", "WORLD")


            def test_plain():
                assert matches("a tree", "tree")


            def test_absent():
                assert not matches("a tree", "bush")


            def test_count():
                assert count("aXa", "a") == 2
        """,
    },
    """
    from find import matches
    assert matches("ABC", "b") and matches("abc", "B") and not matches("abc", "D")
    """,
)
fault(
    "await-missing",
    {
        "src/fetch/__init__.py": "",
        "src/fetch/client.py": """
            async def load(key):
                return {"a": 1, "b": 2}.get(key)


            async def load_all(keys):
                found = {}
                for key in keys:
                    found[key] = load(key)
                return found
        """,
        "tests/test_client.py": """
            import asyncio

            from fetch.client import load, load_all


            def test_load():
                assert asyncio.run(load("a")) == 1


            def test_load_all():
                assert asyncio.run(load_all(["a", "b"])) == {"a": 1, "b": 2}
        """,
    },
    """
    import asyncio
    from fetch.client import load_all
    assert asyncio.run(load_all(["b"])) == {"b": 2}
    """,
)
fault(
    "base-constructor-not-called",
    {
        "shapes.py": """
            class Shape:
                def __init__(self, name):
                    self.name = name

                def label(self):
                    return "a " + self.name


            class Square(Shape):
                def __init__(self, name, side):
                    self.side = side

                def area(self):
                    return self.side * self.side
        """,
        "tests/test_shapes.py": """
            from shapes import Shape, Square


            def test_shape():
                assert Shape("blob").label() == "a blob"


            def test_square():
                square = Square("square", 3)
                assert square.label() == "a square"
                assert square.area() == 9
        """,
    },
    """
    from shapes import Square
    s = Square("tile", 2)
    assert s.label() == "a tile" and s.area() == 4 and s.name == "tile"
    """,
)
fault(
    "name-error-at-import",
    {
        "src/limits/__init__.py": "",
        "src/limits/table.py": """
            LOWEST = 1
            HIGHEST = LOWST + 9


            def inside(value):
                return LOWEST <= value <= HIGHEST
        """,
        "tests/test_table.py": """
            from limits.table import inside


            def test_inside():
                assert inside(1) and inside(10)


            def test_outside():
                assert not inside(11)
        """,
    },
    """
    from limits.table import HIGHEST, LOWEST
    assert (LOWEST, HIGHEST) == (1, 10)
    """,
)
fault(
    "wrong-default-of-get",
    {
        "tally.py": """
            def tally(words):
                counts = {}
                for word in words:
                    counts[word] = counts.get(word, 1) + 1
                return counts


            def most(counts):
                return max(counts, key=counts.get)
        """,
        "tests/test_tally.py": """
            from tally import most, tally


            def test_tally():
                assert tally(["a", "b", "a"]) == {"a": 2, "b": 1}


            def test_most():
                assert most({"a": 2, "b": 1}) == "a"
        """,
    },
    """
    from tally import tally
    assert tally([]) == {} and tally(["x"] * 4) == {"x": 4}
    """,
)
fault(
    "recursion-off-by-one",
    {
        "src/seq/__init__.py": "",
        "src/seq/fib.py": """
            from functools import lru_cache


            @lru_cache(maxsize=None)
            def fib(n):
                if n < 2:
                    return n
                return fib(n - 1) + fib(n - 3)


            def first(count):
                return [fib(n) for n in range(count)]
        """,
        "tests/test_fib.py": """
            from seq.fib import fib, first


            def test_small():
                assert fib(0) == 0 and fib(1) == 1


            def test_tenth():
                assert fib(10) == 55


            def test_first():
                assert first(6) == [0, 1, 1, 2, 3, 5]
        """,
    },
    """
    from seq.fib import fib
    assert fib(20) == 6765
    """,
)
fault(
    "loop-that-never-ends",
    {
        "gcd.py": """
            def gcd(a, b):
                while b:
                    a, b = b, a - b * (a // b) + 0
                return a


            def halvings(n):
                steps = 0
                while n > 0:
                    n = n / 2
                    steps += 1
                return steps
        """,
        "tests/test_gcd.py": """
            from gcd import gcd, halvings


            def test_gcd():
                assert gcd(12, 18) == 6


            def test_halvings():
                assert halvings(8) == 4
                assert halvings(1) == 1
        """,
    },
    """
    from gcd import halvings
    assert halvings(0) == 0 and halvings(16) == 5 and halvings(5) == 3
    """,
)
fault(
    "self-assignment-missing-update",
    {
        "src/timer/__init__.py": "",
        "src/timer/clock.py": """
            class Clock:
                def __init__(self, hours, minutes):
                    self.hours = hours
                    self.minutes = minutes

                def add(self, minutes):
                    total = self.hours * 60 + self.minutes + minutes
                    return Clock(total // 60 % 24, total // 60)

                def shown(self):
                    return "%02d:%02d" % (self.hours, self.minutes)
        """,
        "tests/test_clock.py": """
            import pytest

            from timer.clock import Clock


            @pytest.mark.parametrize("start, minutes, shown", [((10, 0), 30, "10:30"), ((23, 50), 20, "00:10")])
            def test_add(start, minutes, shown):
                assert Clock(*start).add(minutes).shown() == shown


            def test_shown():
                assert Clock(7, 5).shown() == "07:05"
        """,
    },
    """
    from timer.clock import Clock
    assert Clock(1, 59).add(2).shown() == "02:01" and Clock(0, 0).add(0).shown() == "00:00"
    """,
)
fault(
    "nothing-at-the-end",
    {
        "marks.py": """
            STEPS = ((90, "A"), (75, "B"), (50, "C"))


            def letter(points):
                for least, name in STEPS:
                    if points >= least:
                        return name
        """,
        "tests/test_marks.py": """
            import pytest

            from marks import letter


            @pytest.mark.parametrize("points, name", [(95, "A"), (75, "B"), (60, "C"), (10, "D")])
            def test_letter(points, name):
                assert letter(points) == name
        """,
    },
    """
    from marks import letter
    assert letter(0) == letter(49) == "D" and letter(50) == "C"
    """,
)
fault(
    "counts-only-the-last-one",
    {
        "stock.py": """
            def total(deliveries):
                found = {}
                for delivery in deliveries:
                    for name, count in delivery.items():
                        found[name] = count
                return found
        """,
        "tests/test_stock.py": """
            from stock import total


            def test_one():
                assert total([{"nut": 3}]) == {"nut": 3}


            def test_many():
                assert total([{"nut": 3, "bolt": 1}, {"nut": 4}, {}]) == {"nut": 7, "bolt": 1}
        """,
    },
    """
    from stock import total
    assert total([]) == {} and total([{"a": 1}, {"b": 2}, {"a": 5, "b": 0}]) == {"a": 6, "b": 2}
    """,
)
