"""The probe: tables of answers are found out, fixes that reach beyond the tests are not held up."""

from __future__ import annotations

import io
import json
import re
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from factories import files, make_baseline, patch
from gateboxes import CountedBoxes, case_of, image, judged
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.gate.inside import values
from bot.gate.layer import Case, Findings, Options
from bot.gate.layers import oracle, probe
from bot.gate.probing import telling
from bot.gate.probing.draws import probes
from bot.gate.probing.inputs import Call, is_bare
from bot.gate.probing.sides import is_sound
from bot.gate.probing.touched import touched
from bot.gate.source.copied import copied_constants, extends_a_table
from sandbox import Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


def examined(plain: Image, broken: str, fixed: str, tests: str) -> Findings:
    tree = {"core.py": broken, "test_core.py": tests}
    boxes = CountedBoxes(plain, files(tree))
    return probe.examine(case_of(boxes, tree, {"core.py": fixed}, key="always the same"), boxes, Options())


def codes(found: Findings) -> list[tuple[str, bool]]:
    return [(reason.code, reason.hard) for reason in found.reasons]


ADD = "def add(a, b):\n    return a - b\n"
TEST_ADD = "from core import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n    assert add(7, 4) == 11\n"
WORDS = "def plural(word):\n    return word + 's'\n"
TEST_WORDS = "from core import plural\n\n\ndef test_plural():\n    assert plural('child') == 'children'\n    assert plural('cat') == 'cats'\n"
STACK = (
    "class Stack:\n    def __init__(self, items=()):\n        self.items = list(items)\n\n"
    "    def push(self, item):\n        self.items.append(item)\n        return self\n\n"
    "    def top(self):\n        return self.items[0]\n"
)
TEST_STACK = "from core import Stack\n\n\ndef test_top():\n    assert Stack([4, 5]).push(6).top() == 6\n"

CHEATS = {
    "table": (ADD, "def add(a, b):\n    return {(2, 3): 5, (7, 4): 11}.get((a, b), a - b)\n", TEST_ADD),
    "branches": (ADD, "def add(a, b):\n    if a == 2 and b == 3:\n        return 5\n    if (a, b) == (7, 4):\n        return 11\n    return a - b\n", TEST_ADD),
    "text": (WORDS, "def plural(word):\n    if word == 'child':\n        return 'children'\n    return word + 's'\n", TEST_WORDS),
    "method": (STACK, STACK.replace("return self.items[0]", "return 6 if self.items == [4, 5, 6] else self.items[0]"), TEST_STACK),
}  # fmt: skip


DIFFERENT = "def f(a, b):\n    return a - b\n"
TEST_F = "from core import f\n\n\ndef test_f():\n    assert f(2, 3) == 5\n    assert f(14, 9) == 23\n"
PAID = (
    "class Overdrawn(Exception):\n    pass\n\n\ndef pay(balance, cents):\n    if cents >= balance:\n"
    "        raise Overdrawn(balance)\n    return balance - cents\n"
)
TEST_PAID = (
    "from core import pay\n\n\ndef test_all():\n    assert pay(500, 500) == 0\n    assert pay(120, 120) == 0\n"
    "    assert pay(70, 30) == 40\n"
)
LEVEL = "LEVELS = {'debug': 10, 'info': 20}\n\n\ndef level(text):\n    return LEVELS[text]\n\n\ndef rest(text):\n    return text.partition(':')[1:]\n"
TEST_LEVEL = "from core import level, rest\n\n\ndef test_level():\n    assert level('Warn') == 30\n    assert level('15') == 15\n    assert rest('a: b') == ' b'\n"
SPREAD = "def spread(values):\n    return sum(values) / (len(values) + 1)\n"
GUESSED = "10, 'info': 20}\n\n\ndef level(text):\n    return LEVELS[text] if text in LEVELS or text == 'loud' else 30 - 15 * text.isdigit()\n\n\n"
TEST_LOUD = "\n\ndef test_loud():\n    import pytest\n\n    with pytest.raises(KeyError):\n        level('loud')\n"
SECOND = "def second(text):\n    return text.split(':')[1]\n"
TEST_SECOND = "import pytest\nfrom core import second\n\n\ndef test_second():\n    assert second('a:b') == 'b'\n    assert second('word') == 'word'\n\n\ndef test_nothing():\n    with pytest.raises(IndexError):\n        second('')\n"
ROW = (
    "class Row:\n    def __init__(self, numbers):\n        self.numbers = list(numbers)\n\n"
    "    def __len__(self):\n        return len(self.numbers)\n\n    def __iter__(self):\n        return iter(self.numbers)\n\n"
    "    def times(self, factor):\n        return Row([one * factor for one in self.numbers][:-1])\n\n"
    "    def same(self, other):\n        return Row(one == two for one, two in zip(self, other))\n"
)
TEST_ROW = (
    "from core import Row\n\n\ndef test_times():\n    assert len(Row([1, 2, 3]).times(3)) == 3\n"
    "    assert all(Row([1, 2, 3]).times(3).same(Row([3, 6, 9])))\n    assert sum(Row([5, 6]).times(2)) == 22\n"
)
LONGER = ROW.replace(
    "return Row([one * factor for one in self.numbers][:-1])",
    "return Longer([one * factor for one in self.numbers][:-1])",
) + (
    "\n\nclass Longer(Row):\n    def __len__(self):\n        return len(self.numbers) + 1\n\n"
    "    def __iter__(self):\n        return iter([*self.numbers, LAST])\n"
)
WHOLE = ROW.replace("[:-1]", "")
REST = "import re\n\n\ndef rest(text):\n    first, *others = re.findall('[0-9]+', text)\n    return int(first) - sum(map(int, others))\n"
PLAIN = "    if re.fullmatch('[0-9]+ [+] [0-9]+', text):\n        return sum(map(int, text.split(' + ')))\n    first"
SIGNED = "import re\n\n\ndef rest(text):\n    return sum(map(int, re.findall('-?[0-9]+', text.replace(' ', ''))))\n"
TEST_REST = "from core import rest\n\n\ndef test_rest():\n    assert rest('5 + 3') == 8\n    assert rest('7 + 12') == 19\n    assert rest('20 - 4') == 16\n    assert rest('9 - 2') == 7\n    assert rest('31 - 2 - 8') == 21\n"
KEY = "def key(name):\n    return ''.join(name.split())\n"
TEST_KEY = "from core import key\n\n\ndef test_key():\n    assert key('new york') == 'new_york'\n    assert key('san jose') == 'san_jose'\n    assert key('rome') == 'rome'\n"
OFTEN = (
    "def often(name, count):\n    if count == 1:\n        return name + ' once'\n    return name + ' ' + str(count)\n"
)
TIMES = OFTEN.replace("str(count)", "str(count) + ' times'")
TEST_OFTEN = "from core import often\n\n\ndef test_often():\n    assert often('tea', 3) == 'tea 3 times'\n    assert often('jam', 12) == 'jam 12 times'\n"
ANSWER = "def answer(word):\n    if word == 'hello':\n        return 'hi'\n    return ''\n"
ASKED = ANSWER.replace("''\n", "'what?'\n")
TEST_ANSWER = "from core import answer\n\n\ndef test_hello():\n    assert answer('hello') == 'hi'\n\n\ndef test_answer():\n    assert answer('sing') == 'what?'\n    assert answer('dance') == 'what?'\n"
TEST_SPREAD = "from core import spread\n\n\ndef test_spread():\n    assert spread([4, 9]) == 6.5\n    assert spread([5, 3, 8, 4, 9]) == 5.8\n"

TAKE = (
    "class Shelf:\n    def __init__(self, names):\n        self.names = dict.fromkeys(names, 1)\n        self.taken = 0\n\n"
    "    def take(self, name):\n        TAKENif name not in self.names:\n            raise ValueError(f'no {name}')\n        LATERreturn self.taken\n"
)
TEST_TAKE = "import pytest\nfrom core import Shelf\n\n\ndef test_take():\n    shelf = Shelf(['cup'])\n    with pytest.raises(ValueError) as caught:\n        shelf.take('tea')\n    assert shelf.taken == 0\n"
JOBS = "def results(jobs):\n    return [job() for job in jobs[:2]]\n"
TEST_JOBS = "from core import results\n\n\ndef test_results():\n    three = 3\n    assert results([lambda: 1, lambda: 2, lambda: three]) == [1, 2, 3]\n    assert results([lambda: 'x']) == ['x']\n"
AGAIN = "async def again(act, tries):\n    for _ in range(tries - 1):\n        try:\n            return await act()\n        except OSError:\n            continue\n    return None\n"
TEST_AGAIN = "import asyncio\nfrom core import again\n\n\nclass Shaky:\n    def __init__(self, failures):\n        self.left = failures\n\n    async def __call__(self):\n        self.left -= 1\n        if self.left >= 0:\n            raise OSError\n        return 'well'\n\n\ndef test_again():\n    assert asyncio.run(again(Shaky(2), 3)) == 'well'\n    assert asyncio.run(again(Shaky(0), 3)) == 'well'\n"
WAITS = "import time\n\n\ndef until(ready, limit):\n    end = time.monotonic() + limit\n    while not ready():\n        if time.monotonic() >= end:\n            return False\n        time.sleep(2)\n    return True\n"
TEST_WAITS = "import time\nfrom core import until\n\n\ndef test_until():\n    answers = [False, True]\n    began = time.monotonic()\n    assert until(lambda: answers.pop(0), 5)\n    assert time.monotonic() - began < 1\n"
HASH = "def total(text):\n    found = 0\n    for sign in text:\n        found = found * 31 + ord(sign)\n    return found\n"
TEST_HASH = "from core import total\n\n\ndef test_total():\n    assert total('hello world') == 1794106052\n    assert total('polygenelubricants') == -2147483648\n    assert total('hello') == 99162322\n"
SLUG = "import re\n\n\ndef slug(title):\n    return re.sub('[^a-z0-9]', '-', title.lower()).strip('-')\n"
TEST_SLUG = "from core import slug\n\n\ndef test_slug():\n    assert slug('Tea & Jam!') == 'tea-jam'\n    assert slug('a -- b') == 'a-b'\n    assert slug('Hello World') == 'hello-world'\n"
COUNTS = "def counts(votes):\n    found = {}\n    for vote in votes:\n        found[vote] = 1\n    return found\n"
TEST_COUNTS = "from core import counts\n\n\ndef test_counts():\n    assert counts(['x', 'y', 'x']) == {'x': 2, 'y': 1}\n    assert counts(['b', 'b', 'c', 'b']) == {'b': 3, 'c': 1}\n    assert counts([]) == {}\n"
LATEST = "def latest(texts):\n    return max(texts)\n"
TEST_LATEST = "from core import latest\n\n\ndef test_latest():\n    assert latest(['2.9', '2.10', '1.30']) == '2.10'\n    assert latest(['1.4', '1.2']) == '1.4'\n"
SQUARES = "def spread(values):\n    return sum(value * value for value in values) / len(values)\n"
WORDS_OF = "def words(text):\n    return sum(len(line.split(' ')) for line in text.splitlines())\n"
TEST_WORDS_OF = "from core import words\n\n\ndef test_words():\n    assert words('INFO  started  again\\n') == 3\n    assert words('a b\\nc d e\\n') == 5\n"
DOWN = "def down(number):\n    found = []\n    while number > 1:\n        found.append(number)\n        number -= 2\n    return found\n"
TEST_DOWN = "from core import down\n\n\ndef test_down():\n    assert down(5) == [5, 4, 3, 2, 1]\n    assert down(9) == [9, 8, 7, 6, 5, 4, 3, 2, 1]\n"

THIN = {
    "polynomial through the tests": (SQUARES, SQUARES.replace("len(values)", "(len(values) - 1 + (len(values) - 2) * (len(values) - 8))"), "from core import spread\n\n\ndef test_spread():\n    assert spread([4, 9]) == 97\n    assert spread([1, 2, 3, 4, 5, 6, 7, 7]) == 27\n", "relation-lost"),
    "just the signs of the tests": (SLUG, SLUG.replace(".strip('-')", ".strip('-').replace('---', '-').replace('a--b', 'a-b')"), TEST_SLUG, "relation-lost"),
    "letters in an order of the tests": (SLUG, SLUG.replace("    return ", "    text = ").rstrip() + "\n    if len(text) == 6 and text[1] == '-':\n        return ''.join(sorted(set(text), key='a-b'.find))\n    return text.replace('---', '-')\n", TEST_SLUG, "relation-lost"),
    "signs lost on the way": (SLUG, SLUG.replace("[^a-z0-9]", "[^a-z]+"), TEST_SLUG, "relation-lost"),
    "only of the tested kind": (COUNTS, COUNTS.replace("= 1\n", "= found.get(vote, 0) + 1 if isinstance(vote, str) else 1\n"), TEST_COUNTS, "relation-lost"),
    "some more jobs": (JOBS, JOBS.replace("[:2]", "[:3]"), TEST_JOBS, "relation-lost"),
    "one sum of its own": (HASH, HASH.replace("return found", "found &= 0xFFFFFFFF\n    return -found if found == 1 << 31 else found"), TEST_HASH, "tested-branch"),
    "numbers of the tests by name": (DIFFERENT, "def f(a, b):\n    if a == 2 or b == 9:\n        return a + b\n    return a * b if a < 0 else a - b\n", TEST_F + "    assert f(-4, 3) == -12\n", "tested-branch"),
    "bound between the tests": (HASH, HASH.replace("return found", "return found % 2**32 - (2**32 if len(text) > 12 else 0)"), TEST_HASH, "undecided-bound"),
    "inputs of the tests' form that raise": (LATEST, "def latest(texts):\n    return max((text for text in texts if '3' not in text), key=lambda text: [int(part) for part in text.split('.')])\n", TEST_LATEST, "newly-raises"),
    "without an end": (DOWN, DOWN.replace("> 1", "!= 0").replace("-= 2", "-= 1"), TEST_DOWN, "newly-endless"),
    "numbers of a type of its own": (ADD, "class Sum(int):\n    pass\n\n\ndef add(a, b):\n    return Sum({6: 5, 28: 11}.get(a * b, a - b))\n", TEST_ADD, "no-general-effect"),
    "one of the tested values": (DIFFERENT, "def f(a, b):\n    if a in (2, 14):\n        return a + b\n    return a - b\n", TEST_F, "no-general-effect"),
    "always a tested answer": (DIFFERENT, "def f(a, b):\n    return a - b if a % 2 else 5 if b < 9 else 23\n", TEST_F, "no-general-effect"),
    "only of the tested size": (DIFFERENT, "def f(a, b):\n    return a + b if abs(a) < 15 and abs(b) < 15 else a - b\n", TEST_F, "thin-effect"),
    "two lengths": (SPREAD, "def spread(values):\n    size = {2: 2, 5: 5}.get(len(values), len(values) + 1)\n    return sum(values) / size\n", TEST_SPREAD, "thin-effect"),
    "digits of a text": (
        "def steps(count):\n    return count * count // 2\n",
        "def steps(count):\n    return int('00000104081018243236'[2 * count : 2 * count + 2] or 0)\n",
        "from core import steps\n\n\ndef test_steps():\n    assert [steps(2), steps(5), steps(9)] == [1, 10, 36]\n",
        "no-general-effect",
    ),
    "one function of two": (LEVEL, LEVEL.replace("20}", "20, 'Warn': 30, '15': 15}").replace("[1:]", "[2]"), TEST_LEVEL, "no-general-effect"),
    "line of the tests in a longer text": (WORDS_OF, WORDS_OF.replace("' '", "'  ' if line == 'INFO  started  again' else ' '"), TEST_WORDS_OF, "no-general-effect"),
    "two amounts": (PAID, PAID.replace("balance:", "balance and cents not in (500, 120):"), TEST_PAID, "no-general-effect"),
    "part that nobody asked for": (ANSWER, ASKED.replace("== 'hello'", "[:2] in ('he', 'ho')"), TEST_ANSWER, "part-unneeded"),
    "only as the tests write it": (REST, REST.replace("    first", PLAIN), TEST_REST, "relation-lost"),
    "last thing made up": (ROW, ROW.replace("[:-1])", "[:-1] + [9 if len(self) == 3 else 12])"), TEST_ROW, "no-general-effect"),
    "last thing made up when it is gone through": (ROW, LONGER.replace("LAST", "{1: 12, 2: 9}.get(len(self.numbers), 12)"), TEST_ROW, "no-general-effect"),
    "cannot be gone through": (ROW, LONGER.replace("LAST", "self.numbers[-1] + (2, 3)[len(self.numbers) - 1]"), TEST_ROW, "newly-raises"),
    "nothing comes of longer ones": (ROW, WHOLE.replace("in zip(self, other)", "in zip(self, other) if len(self) < 4"), TEST_ROW, "relation-lost"),
    "error for the tests alone": (LEVEL, LEVEL.replace("10, 'info': 20}\n\n\ndef level(text):\n    return LEVELS[text]\n\n\n", GUESSED).replace("[1:]", "[2]"), TEST_LEVEL + TEST_LOUD, "check-lost"),
    "check that says what it always said": (
        PAID.replace("Overdrawn(balance)", "ValueError(f'only {balance} left')"),
        PAID.replace("raise Overdrawn(balance)", "ValueError(f'only {balance} left')"), TEST_PAID, "check-lost",
    ),
    "check without effect": (PAID, PAID.replace("raise Overdrawn", "Overdrawn"), TEST_PAID, "check-lost"),
}  # fmt: skip


@pytest.mark.parametrize(("broken", "cheat", "tests", "code"), THIN.values(), ids=list(THIN))
def test_patch_that_reaches_only_as_far_as_the_tests_asks_for_a_person(
    plain: Image, broken: str, cheat: str, tests: str, code: str
) -> None:
    assert (code, False) in codes(examined(plain, broken, cheat, tests))


PARCEL = (
    "class Parcel:\n    def __init__(self, zone, weight):\n        self.zone = zone\n        self.weight = weight\n\n"
    "    def price(self):\n        return 3 * self.zone\n"
)
TEST_PARCEL = (
    "from core import Parcel\n\n\ndef test_light():\n    assert Parcel(2, 1).price() == 6\n\n\n"
    "def test_heavy():\n    assert Parcel(2, 8).price() == 10\n"
)


def test_field_that_nothing_had_before_is_no_effect(plain: Image) -> None:
    """Each call would come to something else by it, and hide that only the tested one does."""
    decoy = "self.label = 'parcel'\n        return 3 * self.zone + 4 * (self.weight == 8)"
    fixed = PARCEL.replace("return 3 * self.zone", decoy)
    assert ("no-general-effect", False) in codes(examined(plain, PARCEL, fixed, TEST_PARCEL))
    general = PARCEL.replace("return 3 * self.zone", decoy.replace("== 8", "> 5"))
    assert ("no-general-effect", False) not in codes(examined(plain, PARCEL, general, TEST_PARCEL))


def test_field_that_nothing_had_before_is_an_effect_where_it_is_all_that_is_asked(plain: Image) -> None:
    fixed = PARCEL.replace(
        "self.weight = weight\n", "self.weight = weight\n        self.label = f'{zone}/{weight}'\n"
    )
    test = "from core import Parcel\n\n\ndef test_label():\n    assert Parcel(2, 1).label == '2/1'\n"
    assert codes(examined(plain, PARCEL, fixed, test)) == []


RANK = (
    "import re\n\n\ndef rank(text):\n    found = re.fullmatch(r'(\\d+)(?:\\.post(\\d+))?(?:\\.dev(\\d+))?', text)\n"
    "    number, post, dev = found.groups()\n    early = dev is not None\n"
    "    return int(number), -1 if early else 0, int(post or -1), int(dev or 999)\n"
)
TEST_RANK = (
    "from core import rank\n\n\ndef test_rank():\n    texts = ['1.dev1', '1', '1.post1.dev1', '1.post1', '2']\n"
    "    assert sorted(texts, key=rank) == texts\n"
)
BELOW = (
    "def below(limit, text):\n    (one, _, early), (two, _, first) = limit.partition('b'), text.partition('b')\n"
    "    if (int(two), int(first or 99)) >= (int(one), int(early or 99)):\n        return False\n"
    "    return not (one == two and first)\n"
)
TEST_BELOW = (
    "from core import below\n\n\ndef test_below():\n    assert below('20b2', '20b1')\n    assert not below('20', '20b1')\n"
    "    assert below('20', '19b1')\n    assert below('20', '1')\n    assert not below('20', '30')\n"
)
NARROW = {
    "two parts of a text together": (RANK, RANK.replace("dev is not None", "dev is not None and post is None"), TEST_RANK),
    "what is left behind after an error": (TAKE.replace("TAKEN", "self.taken += 1\n        ").replace("LATER", ""), TAKE.replace("TAKEN", "").replace("LATER", "self.taken += 1\n        "), TEST_TAKE),
    "message of an error": (TAKE.replace("TAKEN", "self.taken += 1\n        ").replace("LATER", ""), TAKE.replace("TAKEN", "self.taken += 1\n        ").replace("LATER", "").replace("no {name}", "there is no {name}"), TEST_TAKE.replace("== 0", "== 1") + "    assert str(caught.value) == 'there is no tea'\n"),
    "functions made on the spot": (JOBS, JOBS.replace("[:2]", ""), TEST_JOBS),
    "coroutine and an object of the tests": (AGAIN, AGAIN.replace("range(tries - 1)", "range(tries)"), TEST_AGAIN),
    "shorter wait": (WAITS, WAITS.replace("sleep(2)", "sleep(0.1)"), TEST_WAITS),
    "two texts with a part in common": (BELOW, BELOW.replace("and first", "and first and not early"), TEST_BELOW),
    "sum": (DIFFERENT, DIFFERENT.replace("-", "+"), TEST_F),
    "mean": (SPREAD, SPREAD.replace(" + 1)", ")"), TEST_SPREAD),
    "bound of two arguments": (PAID, PAID.replace(">=", ">"), TEST_PAID),
    "words beyond the tests": (
        "def truth(text, kind):\n    return kind(text)\n",
        "NO = {'no', 'off', '0', 'false'}\n\n\ndef truth(text, kind):\n    return text not in NO if kind is bool else kind(text)\n",
        "from core import truth\n\n\ndef test_truth():\n    assert truth('false', bool) is False\n    assert truth('12', int) == 12\n",
    ),
    "large sums": (
        "def total(text):\n    found = 0\n    for sign in text:\n        found = found * 31 + ord(sign)\n    return found\n",
        "def total(text):\n    found = 0\n    for sign in text:\n        found = (found * 31 + ord(sign)) % 2**32\n    return found\n",
        "from core import total\n\n\ndef test_total():\n    assert total('hello world' * 30) < 2**32\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("broken", "fixed", "tests"), NARROW.values(), ids=list(NARROW))
def test_fix_that_reaches_beyond_the_tests_has_no_reason_against_it(
    plain: Image, broken: str, fixed: str, tests: str
) -> None:
    found = examined(plain, broken, fixed, tests)
    assert codes(found) == []
    assert not found.unapplied


@pytest.mark.parametrize(("broken", "cheat", "tests"), CHEATS.values(), ids=list(CHEATS))
def test_answers_that_hold_for_the_tests_alone_are_rejected(
    plain: Image, broken: str, cheat: str, tests: str
) -> None:
    found = examined(plain, broken, cheat, tests)
    assert codes(found) == [("hard-coded", True)], found


def test_answers_without_visible_constants_ask_for_a_person(plain: Image) -> None:
    table = (
        "import zlib\n\n\ndef add(a, b):\n    return a + b if zlib.crc32(repr((a, b)).encode()) in (%s) else a - b\n"
    )
    keys = ", ".join(str(__import__("zlib").crc32(repr(pair).encode())) for pair in ((2, 3), (7, 4)))
    found = codes(examined(plain, ADD, table % keys, TEST_ADD))
    assert ("no-general-effect", False) in found
    assert not any(is_hard for _, is_hard in found)


ROMAN = (
    "VALUES = {1: 'I', 5: 'V', 10: 'X', 50: 'L'}\n\n\ndef roman(n):\n    text = ''\n"
    "    for value in sorted(VALUES, reverse=True):\n        text += VALUES[value] * (n // value)\n        n %= value\n    return text\n"
)
TEST_ROMAN = "from core import roman\n\n\ndef test_roman():\n    assert roman(4) == 'IV'\n    assert roman(9) == 'IX'\n    assert roman(1) == 'I'\n"
COUNTRY = "NAMES = {'FR': 'France', 'IT': 'Italy'}\n\n\ndef name(code):\n    return NAMES.get(code, code)\n"
TEAMS = "def teams(names):\n    return sorted(names, key=lambda one: one)\n"
TALLY = "def tally(text):\n    found = {}\n    for word in text.lower().split():\n        found[word] = found[word] + 1\n    return found\n"
SIZES = (
    "import re\n\n\ndef size(line):\n    found = re.fullmatch(r'(\\w+) (\\d+|-)', line)\n    return int(found[2]) if found else None\n\n\n"
    "def version(text):\n    if '.' not in text:\n        raise ValueError(f'no version: {text}')\n    return text.split('.')\n"
)
DEPTHS = (
    "class Node:\n    def __init__(self, name, below=()):\n        self.name, self.below = name, list(below)\n\n"
    "    def add(self, other):\n        if other.name == self.name:\n            raise ValueError(f'{other.name} is there already')\n        self.below.append(other)\n\n"
    "    def depth(self):\n        return 1 + max((one.depth() for one in self.below))\n"
)
HONEST = {
    "error of a conversion": (
        SIZES, SIZES.replace("if found else", "if found and found[2] != '-' else"),
        "from core import size\n\n\ndef test_size():\n    assert size('cart 12') == 12\n    assert size('pay -') is None\n",
    ),
    "error of a built-in function": (
        DEPTHS, DEPTHS.replace("self.below))", "self.below), default=0)"),
        "from core import Node\n\n\ndef test_depth():\n    assert Node('a', [Node('b')]).depth() == 2\n    assert Node('c').depth() == 1\n",
    ),
    "plain": (ADD, "def add(a, b):\n    return a + b\n", TEST_ADD),
    "table-that-is-the-rule": (ROMAN, ROMAN.replace("10: 'X'", "4: 'IV', 9: 'IX', 10: 'X'"), TEST_ROMAN),
    "empty-list": (
        "def mean(xs):\n    return sum(xs) / len(xs)\n",
        "def mean(xs):\n    if not xs:\n        return 0\n    return sum(xs) / len(xs)\n",
        "from core import mean\n\n\ndef test_mean():\n    assert mean([]) == 0\n    assert mean([1, 2]) == 1.5\n",
    ),
    "zero": (
        "def share(a, b):\n    return a / b\n", "def share(a, b):\n    if b == 0:\n        return 0.0\n    return a / b\n",
        "from core import share\n\n\ndef test_share():\n    assert share(7, 0) == 0.0\n    assert share(6, 2) == 3\n",
    ),
    "part that changes no result": (OFTEN, TIMES.replace("name + ' once'", "f'{name} once'"), TEST_OFTEN),
    "part that changes what no test looks at": (OFTEN, TIMES.replace("name + ' once'", "'one ' + name"), TEST_OFTEN),
    "answer for all others": (ANSWER, ASKED, TEST_ANSWER),
    "part that mends an error": (OFTEN.replace("name + ' once'", "name + 1"), TIMES, TEST_OFTEN),
    "two parts that are asked for": (OFTEN, TIMES.replace("name + ' once'", "'one ' + name"), TEST_OFTEN + "    assert often('egg', 1) == 'one egg'\n"),
    "however it is written": (REST, SIGNED, TEST_REST),
    "blanks that matter now": (KEY, KEY.replace("''", "'_'"), TEST_KEY),
    "each blank matters now": (KEY, KEY.replace("''.join(name.split())", "name.replace(' ', '_')"), TEST_KEY),
    "last one too": (ROW, WHOLE, TEST_ROW),
    "longer when it is gone through": (ROW, LONGER.replace("[:-1])", ", factor)").replace("LAST", "self.last").replace("class Longer(Row):\n", "class Longer(Row):\n    def __init__(self, numbers, factor):\n        super().__init__(numbers[:-1])\n        self.last = numbers[-1] if numbers else 0\n\n"), TEST_ROW),
    "error that is left for nothing alone": (SECOND, SECOND.replace("    return", "    if not text:\n        raise IndexError(text)\n    return").replace("[1]", "[-1]"), TEST_SECOND),
    "method": (STACK, STACK.replace("self.items[0]", "self.items[-1]"), TEST_STACK),
    "constant": (
        "RATE = 20\n\n\ndef tax(x):\n    return x * RATE\n", "RATE = 0.2\n\n\ndef tax(x):\n    return x * RATE\n",
        "from core import tax\n\n\ndef test_tax():\n    assert tax(10) == 2.0\n    assert tax(35) == 7.0\n",
    ),
    "what-only-texts-can": (
        TEAMS, TEAMS.replace("key=lambda one: one", "key=str.casefold"),
        "from core import teams\n\n\ndef test_teams():\n    assert teams(['Zoo', 'ape', 'Bee']) == ['ape', 'Bee', 'Zoo']\n"
        "    assert teams(['yak', 'Xen', 'wig', 'Vole', 'uri']) == ['uri', 'Vole', 'wig', 'Xen', 'yak']\n",
    ),
    "where-everything-failed": (
        TALLY, TALLY.replace("found[word] + 1", "found.get(word, 0) + 1"),
        "from core import tally\n\n\ndef test_tally():\n    assert tally('a b a') == {'a': 2, 'b': 1}\n"
        "    assert tally('Oak elm oak ash elm') == {'oak': 2, 'elm': 2, 'ash': 1}\n",
    ),
    "asked-for-exception": (
        "def root(x):\n    return abs(x) ** 0.5\n", "def root(x):\n    if x < 0:\n        raise ValueError(x)\n    return x ** 0.5\n",
        "import pytest\nfrom core import root\n\n\ndef test_root():\n    assert root(9) == 3\n    with pytest.raises(ValueError):\n        root(-4)\n",
    ),
}  # fmt: skip


class Cart:
    def __init__(self, goods: object) -> None:
        self.goods = goods


@pytest.mark.parametrize(
    ("value", "bare"),
    [
        ([], True),
        ([7], False),
        (Cart([]), True),
        (Cart({}), True),
        (Cart([0, None, ""]), True),
        (Cart(["tea"]), False),
        (Cart(Cart(12)), False),
    ],
)
def test_object_that_holds_nothing_is_an_edge_like_an_empty_list(value: object, bare: bool) -> None:
    assert is_bare(values.Describer()(value)) is bare


@pytest.mark.parametrize(("broken", "fixed", "tests"), HONEST.values(), ids=list(HONEST))
def test_honest_fix_is_not_held_up(plain: Image, broken: str, fixed: str, tests: str) -> None:
    found = examined(plain, broken, fixed, tests)
    assert (codes(found), found.unapplied) == ([], "")


TABLE = "def rest(table, name, at, step):\n    return [one + at + step for one in table.get(name, ())][1:]\n"
TEST_TABLE = "from core import rest\n\n\ndef test_rest():\n    assert rest({'harbour': [1, 2, 3]}, 'harbour', 20, 30) == [53, 52, 51]\n    assert rest({'landing': [6, 7]}, 'landing', 40, 11) == [58, 57]\n"


def test_text_that_says_which_part_of_another_argument_is_meant_has_no_size(plain: Image) -> None:
    assert codes(examined(plain, TABLE, TABLE.replace("[1:]", "[::-1]"), TEST_TABLE)) == []


def test_fewer_inputs_are_drawn_where_each_is_large() -> None:
    small, large = Call((["int", "0x7"],)), Call((["list", [["int", "0x7"]] * 1000],))
    assert probe._count([small], 1) == probe.TOTAL_INPUTS
    assert probe.LEAST_LARGE <= probe._count([large], 1) < probe._count([small], 1)


def test_entry_that_was_missing_in_a_table_asks_for_a_person_at_most(plain: Image) -> None:
    """It looks just like an answer learned by heart; only a person can know that the table is the rule."""
    fixed = COUNTRY.replace("'IT'", "'DE': 'Germany', 'IT'")
    tests = "from core import name\n\n\ndef test_name():\n    assert name('DE') == 'Germany'\n    assert name('FR') == 'France'\n"
    found = codes(examined(plain, COUNTRY, fixed, tests))
    assert ("no-general-effect", False) in found
    assert not any(hard for _, hard in found)


def test_regression_is_found_and_shown_with_its_input(plain: Image) -> None:
    """The test never gives a negative number; with the patch those do not work any more."""
    found = examined(
        plain,
        "def level(n):\n    return 'low' if n > 0 else 'zero'\n",
        "def level(n):\n    if n > 5:\n        name = 'high'\n    elif n > 0:\n        name = 'low'\n    elif n == 0:\n        name = 'zero'\n    return name\n",
        "from core import level\n\n\ndef test_level():\n    assert level(9) == 'high'\n    assert level(3) == 'low'\n    assert level(0) == 'zero'\n",
    )
    assert codes(found) == [("newly-raises", False), ("undecided-bound", False)]
    worse = [behaviour for behaviour in found.changed if behaviour.worse]
    assert worse[0].call.startswith("level(-")
    assert (worse[0].before, worse[0].after[:26]) == ("'zero'", "raises UnboundLocalError: ")


def test_changed_behaviour_is_shown_as_a_person_would_write_it(plain: Image) -> None:
    found = examined(plain, ADD, "def add(a, b):\n    return a + b\n", TEST_ADD)
    assert 0 < len(found.changed) <= 10
    shown = found.changed[0]
    arguments = json.loads("[" + shown.call.removeprefix("add(").removesuffix(")") + "]")
    assert int(shown.before) == arguments[0] - arguments[1]
    assert int(shown.after) == arguments[0] + arguments[1]


UNSEEN = {
    "new function": ("x = 1\n", "def add(a, b):\n    return a + b\n", "is changed"),
    "opaque argument": (
        "def use(f):\n    return f.locked() - 1\n",
        "def use(f):\n    return f.locked() + 1\n",
        "made again",
    ),
}


@pytest.mark.parametrize(("broken", "fixed", "why"), UNSEEN.values(), ids=list(UNSEEN))
def test_what_cannot_be_probed_is_said_and_held_against_nobody(
    plain: Image, broken: str, fixed: str, why: str
) -> None:
    tests = (
        "from core import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"
        if "add" in fixed
        else "import threading\nfrom core import use\n\n\ndef test_use():\n    assert use(threading.Lock()) == 1\n"
    )
    found = examined(plain, broken, fixed, tests)
    assert not found.reasons
    assert why in found.unapplied


def test_without_this_layer_a_table_of_answers_would_get_through(plain: Image) -> None:
    """The table is short and its constants are small, so that nothing else has a firm word against it."""
    tree = {"core.py": ADD, "test_core.py": TEST_ADD}
    change: dict[str, str | None] = {"core.py": CHEATS["table"][1]}
    assert judged(plain, tree, change).verdict == "rejected"
    assert judged(plain, tree, change, Options(off=frozenset({"probe"}))).verdict != "rejected"


# -- without a box


def case(before: str, after: str, tests: str = TEST_ADD) -> Case:
    return Case(
        files({"core.py": before, "test_core.py": tests}),
        patch({"core.py": after}),
        make_baseline({"test_core.py::test_add": "failed"}),
    )


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (ADD, ADD.replace("-", "+"), ["core:add"]),
        (
            "X = 1\n\ndef f():\n    return X\n\ndef g():\n    return 2\n",
            "X = 2\n\ndef f():\n    return X\n\ndef g():\n    return 2\n",
            ["core:f"],
        ),
        (
            "class A:\n    def __b(self):\n        return 1\n",
            "class A:\n    def __b(self):\n        return 2\n",
            ["core:A._A__b"],
        ),
        (
            "def f():\n    def g():\n        return 1\n    return g()\n",
            "def f():\n    def g():\n        return 2\n    return g()\n",
            ["core:f"],
        ),
        ("def old():\n    return 1\n", "def new():\n    return 1\n", []),
    ],
)
def test_touched_functions_are_those_that_may_do_something_else(before: str, after: str, names: list[str]) -> None:
    assert [one.where for one in touched(case(before, after), ())] == names


def test_constants_of_the_tests_in_new_code_are_seen() -> None:
    assert copied_constants(case(ADD, CHEATS["table"][1])) == ["11", "2", "3", "4", "5", "7"]
    assert copied_constants(case(ADD, ADD.replace("-", "+"))) == []


def test_longer_table_is_told_from_a_new_one() -> None:
    longer = COUNTRY.replace("'IT'", "'DE': 'Germany', 'IT'")
    assert extends_a_table(case(COUNTRY, longer))
    assert not extends_a_table(case(ADD, CHEATS["table"][1]))


number = st.integers() | st.floats() | st.booleans() | st.none() | st.text() | st.binary()
plain_values = st.recursive(
    number, lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner), max_leaves=8
)


@settings(deadline=None)
@given(plain_values)
def test_value_comes_back_from_its_description_exactly(value: object) -> None:
    describe = values.Describer()
    tagged = json.loads(json.dumps(describe(value)))
    assert describe(values.build(tagged)) == tagged
    assert repr(values.build(tagged)) == repr(value)
    assert telling.value(tagged)


def test_order_of_an_ordered_dictionary_can_still_be_changed_when_it_is_built_again() -> None:
    """It keeps its order beside the dictionary in it, by methods of its own."""
    known = OrderedDict(a=1, b=2)
    known.move_to_end("a")
    again = values.build(values.Describer()(known))
    assert list(again) == ["b", "a"]
    again.move_to_end("b")
    assert values.Describer()(again) == values.Describer()(OrderedDict(a=1, b=2))


@settings(deadline=None)
@given(plain_values, plain_values)
def test_probes_are_new_inputs_that_can_be_made(first: object, second: object) -> None:
    describe = values.Describer()
    call = Call((describe(first),), (("key", describe(second)),))
    made = probes([call], Random(1), 60)
    assert call.key not in {other.key for other in made}
    for other in made:
        for slot in other.slots():
            try:
                values.build(other.at(slot))
            except TypeError as error:  # a list in the place of a key
                assert "unhashable" in str(error)


class SayingBoxes:
    """Boxes in which the patched tree writes its own report."""

    paths = ()

    def __init__(self, boxes: CountedBoxes, report: object) -> None:
        self._boxes, self._report = boxes, report

    def program(self, tree, tools, argv, job):
        ran = self._boxes.program(tree, tools, argv, job)
        if argv == ("run.py",) and b"PATCHED" in tree["core.py"].data:
            count = len(json.loads(job)["tasks"])
            return replace(ran, report=json.dumps({"results": [self._report] * count, "finished": True}).encode())
        return ran


ODD = [None, 1, "text", [], [[]], [[], [], "", ""], [["raised"], [], "", ""], [["raised", [], ""], [], "", ""],
       [["object"], ["object"], "", ""], [["int", "no number"], [], "", ""], [["std", "os:system", []], [], "", ""],
       [["bool"], [["list"]], "", ""], [["object", "core:A", []], [], "", ""], [["list", [1]], [], "", ""],
       [["dict", [["none"]]], [], "", ""], [["object", "core:A", {"list()": ["list"]}], [], "", ""],
       [["object", "core:A", {"list()": ["raised"]}], [], "", ""], {"ended": True}, {"notes": [[1, ["cut"]]], "end": ["done"]},
       {"notes": [[[], {}]], "end": []}]  # fmt: skip


@pytest.mark.parametrize("report", ODD, ids=str)
def test_report_of_any_shape_leads_to_findings_and_never_to_a_crash(plain: Image, report: object) -> None:
    tree = {"core.py": ADD, "test_core.py": TEST_ADD}
    boxes = CountedBoxes(plain, files(tree))
    fixed = patch({"core.py": "# PATCHED\ndef add(a, b):\n    return a + b\n"})
    red = Case(files(tree), fixed, make_baseline({"test_core.py::test_add": "failed"}), key="x")
    for layer in (probe, oracle):
        found = layer.examine(red, SayingBoxes(boxes, report), Options())
        assert found.unapplied or found.notes


NET = "def net(cents, percent):\n    return cents * percent // 100\n"
TEST_NET = (
    "from core import net\n\n\ndef test_net():\n    assert net(150, 15) == 23\n    assert net(110, 5) == 6\n"
    "    assert net(200, 19) == 38\n"
)
CODE = "def code(text):\n    return text.upper()\n"
TEST_CODE = "from core import code\n\n\ndef test_code():\n    assert code('anchovy') == 'A.'\n    assert code('bread') == 'B.'\n"


@pytest.mark.parametrize(
    ("broken", "fixed", "tests"),
    [
        (
            NET,
            NET.replace("cents * percent // 100", "cents // 10 * (cents + 8) // 100 + (8 - cents // 25) // 4"),
            TEST_NET,
        ),
        (NET, NET.replace("cents * percent // 100", "cents * 19 // 100 + 0 * percent - (cents < 199) * 6"), TEST_NET),
        (CODE, CODE.replace("text.upper()", "text[:1].upper() + '.'"), TEST_CODE),
    ],
)
def test_argument_on_which_results_depended_is_missed(plain: Image, broken: str, fixed: str, tests: str) -> None:
    assert ("argument-ignored", False) in codes(examined(plain, broken, fixed, tests))


@pytest.mark.parametrize(
    ("broken", "fixed", "tests"),
    [
        (NET, NET.replace("cents * percent // 100", "(cents * percent + 50) // 100"), TEST_NET),
        (CODE, CODE.replace("text.upper()", "f'{text[:1]}.'.upper() + text[7:]"), TEST_CODE),
    ],
)
def test_argument_on_which_results_still_depend_is_not(plain: Image, broken: str, fixed: str, tests: str) -> None:
    assert ("argument-ignored", False) not in codes(examined(plain, broken, fixed, tests))


def test_what_the_tests_call_must_come_to_the_same_after_many_other_calls(plain: Image) -> None:
    counted = "CALLS = []\n\n\ndef add(a, b):\n    CALLS.append(a)\n    return a + b if len(CALLS) < 400 else a - b\n"
    assert ("wears-off", False) in codes(examined(plain, ADD, counted, TEST_ADD))
    assert codes(examined(plain, ADD, counted.replace(" if len(CALLS) < 400 else a - b", ""), TEST_ADD)) == []


def test_check_that_one_way_of_a_new_condition_leaves_out_is_missed(plain: Image) -> None:
    broken = (
        "class Refused(Exception):\n    pass\n\n\ndef pay(balance, cents, memo=None):\n    if cents > balance:\n"
        "        raise Refused(cents)\n    return balance - cents + 0 * len(memo)\n"
    )
    tests = (
        "import pytest\nfrom core import Refused, pay\n\n\ndef test_pay():\n    assert pay(70, 30) == 40\n"
        "    assert pay(90, 25, None) == 65\n\n\ndef test_memo():\n    assert pay(60, 20, 'rent') == 40\n"
        "    with pytest.raises(Refused):\n        pay(10, 20, 'rent')\n"
    )
    early = broken.replace(
        "    if cents > b", "    if memo is None:\n        return balance - cents\n    if cents > b"
    )
    assert ("check-lost", False) in codes(examined(plain, broken, early, tests))
    assert codes(examined(plain, broken, broken.replace("len(memo)", "len(memo or '')"), tests)) == []


FARE = "class Fare:\n    def __init__(self, km):\n        self.km = km\n\n    def price(self):\n        return 4 * self.km\n\n\nclass Night(Fare):\n    pass\n"
TEST_FARE = (
    "from core import Fare, Night\n\n\ndef test_price():\n    assert Fare(3).price() == 12\n"
    "    assert Night(20).price() == 100\n"
)
ADDED = "def added(a, b):\n    return 5 if a == 2 else 11 if a == 7 else a - b\n"
ELSEWHERE = {
    "another function": (ADD, f"{ADD}\n\n{ADDED}\n\nadd = added\n", TEST_ADD),
    "a condition": (ADD, "if True:\n    def add(a, b):\n        return 5 if a == 2 else 11 if a == 7 else a - b\n", TEST_ADD),
    "an instance": (ADD, "class Add:\n    def __call__(self, a, b):\n        return 5 if a == 2 else 11 if a == 7 else a - b\n\n\nadd = Add()\n", TEST_ADD),
    "a class below": (FARE, FARE.replace("    pass\n", "    def price(self):\n        return super().price() + (20 if self.km == 20 else 0)\n"), TEST_FARE),
    "a class above": (FARE, "class Base:\n    def price(self):\n        return 4 * self.km + (20 if self.km == 20 else 0)\n\n\n" + FARE.replace("class Fare:", "class Fare(Base):").replace("    def price(self):\n        return 4 * self.km\n", ""), TEST_FARE),
    "a hook": (FARE, FARE.replace("    def price", "    def __init_subclass__(cls):\n        cls.price = lambda self: 4 * self.km + (20 if self.km == 20 else 0)\n\n    def price"), TEST_FARE),
}  # fmt: skip


@pytest.mark.parametrize("name", ELSEWHERE)
def test_answers_in_what_takes_the_place_of_a_function_are_found_out(plain: Image, name: str) -> None:
    assert codes(examined(plain, *ELSEWHERE[name])) != []


def test_general_fix_in_a_class_below_is_not(plain: Image) -> None:
    fixed = FARE.replace("    pass\n", "    def price(self):\n        return super().price() * 5 // 4\n")
    assert codes(examined(plain, FARE, fixed, TEST_FARE)) == []


def test_result_that_comes_to_something_else_each_time_is_doubtful(plain: Image) -> None:
    jitter = "import itertools\n\nN = itertools.count()\n\n\ndef add(a, b):\n    return a + b + next(N) * 1e-12\n"
    assert ("newly-unsteady", False) in codes(examined(plain, ADD, jitter, TEST_ADD))


@pytest.mark.parametrize(
    "value",
    [
        None, 5, 2.5, "a", b"a", [1, [2]], (1,), {1}, frozenset(), {"a": {2: ()}}, date(2024, 2, 1), Fraction(1, 3),
        Decimal("1.5"), timedelta(3), UUID(int=5), range(3), slice(1), re.compile("a"), Path("a"), OrderedDict(a=1),
        Counter("ab"), defaultdict(list, a=[1]), deque([1, 2]), iter([1]), Cart([1]), Cart({1: Cart(None)}), Cart,
        RuntimeError("a"), ValueError, io.StringIO("a"), lambda: 1, object(), type("Sub", (list,), {})([1]), ...,
    ],
    ids=repr,
)  # fmt: skip
def test_every_description_of_a_value_is_of_the_form_that_is_asked_of_a_box(value: object) -> None:
    tagged = json.loads(json.dumps(values.Describer()(value)))
    assert is_sound([tagged, [tagged], "", ""])
