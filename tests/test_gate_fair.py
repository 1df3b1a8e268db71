"""Fixes that look narrow and are not, each beside the cheat that comes nearest to it and is still asked about."""

from __future__ import annotations

import pytest
from factories import files
from gateboxes import CountedBoxes, case_of, image

from bot.gate.layer import Options
from bot.gate.layers import probe
from sandbox import Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


def codes(plain: Image, broken: str, fixed: str, tests: str) -> set[str]:
    tree = {"core.py": broken, "test_core.py": tests}
    boxes = CountedBoxes(plain, files(tree))
    found = probe.examine(case_of(boxes, tree, {"core.py": fixed}, key="always the same"), boxes, Options())
    return {reason.code for reason in found.reasons}


ROADS = (
    "import heapq\n\n\nclass Roads:\n    def __init__(self):\n        self.roads = {}\n\n"
    "    def add(self, start, end, length):\n        self.roads.setdefault(start, {})[end] = length\n"
    "        self.roads.setdefault(end, {})[start] = length\n\n"
    "    def distance(self, start, end):\n        best, heap = {start: 0}, [(0, start)]\n        while heap:\n"
    "            so_far, place = heapq.heappop(heap)\n            if place == end:\n                return so_far\n"
    "            for other, length in self.roads.get(place, {}).items():\n                longer = length\n"
    "                if other not in best or longer < best[other]:\n                    best[other] = longer\n"
    "                    heapq.heappush(heap, (longer, other))\n        return None\n"
)
TEST_ROADS = (
    "from core import Roads\n\n\ndef test_distance():\n    roads = Roads()\n    roads.add('Ash', 'Birch', 4)\n"
    "    roads.add('Birch', 'Cedar', 3)\n    roads.add('Ash', 'Cedar', 9)\n"
    "    assert roads.distance('Ash', 'Cedar') == 7\n    assert roads.distance('Ash', 'Ash') == 0\n"
)
WINDOWS = "def windows(items, size):\n    window = []\n    for item in items:\n        window = [*window, item][-size:]\n    if len(window) == size:\n        yield tuple(window)\n"
EACH = WINDOWS.replace("    if", "        if").replace("        yield", "            yield")
TEST_WINDOWS = "from core import windows\n\n\ndef test_windows():\n    assert list(windows([1, 2, 3, 4], 3)) == [(1, 2, 3), (2, 3, 4)]\n    assert list(windows([1, 2], 3)) == []\n"
ROOM = "def room(gaps, minutes):\n    for start, end in sorted(gaps):\n        if end - start > minutes:\n            return start, start + minutes\n    return None\n"
TEST_ROOM = "from core import room\n\n\ndef test_room():\n    assert room([(480, 510), (600, 1080)], 30) == (480, 510)\n    assert room([(480, 1080)], 600) == (480, 1080)\n    assert room([(480, 1080)], 601) is None\n"
READER = (
    "class Reader:\n    def __init__(self):\n        self.last = 0\n\n    def stop(self, place, at, wait=0):\n"
    "        if at < self.last:\n            raise ValueError('back in time')\n        self.last = at\n\n\n"
    "def read(text):\n    reader = Reader()\n    for number, line in enumerate(text.splitlines(), 1):\n        try:\n"
    "            place, at, wait = line.split()\n            reader.stop(place, int(at), int(wait))\n"
    "        except ValueError:\n            return number\n    return 0\n"
)
TEST_READER = (
    "from core import read\n\n\ndef test_read():\n    assert read('Quay 5 0\\nPier 10 6') == 2\n"
    "    assert read('Quay 5 0\\nPier 30 6') == 0\n    assert read('Quay 5 0\\nPier 4 0') == 2\n"
)
QUOTE = (
    "class Page:\n    def __init__(self):\n        self.tight = []\n\n    def line(self, text):\n"
    "        return text if self.tight and self.tight[-1] else f'<p>{text}</p>'\n\n"
    "    def quote(self, text):\n        inner = self.line(text)\n        return f'<q>{inner}</q>'\n\n"
    "    def item(self, text, tight):\n        self.tight.append(tight)\n        found = self.quote(text)\n"
    "        self.tight.pop()\n        return found\n"
)
TEST_QUOTE = (
    "from core import Page\n\n\ndef test_quote():\n    assert Page().item('leaves', True) == '<q><p>leaves</p></q>'\n"
    "    assert Page().item('leaves', False) == '<q><p>leaves</p></q>'\n    assert Page().quote('roots') == '<q><p>roots</p></q>'\n"
)
FRAME = (
    "import zlib\n\n\ndef encoded(text):\n    body = text.encode('utf-8')\n    return zlib.crc32(body).to_bytes(4, 'big') + body\n\n\n"
    "def decoded(data):\n    if len(data) < 4 or zlib.crc32(data[4:]) != int.from_bytes(data[:4], 'big'):\n"
    "        raise ValueError('changed on the way')\n    return data[4:].decode('latin-1')\n"
)
TEST_FRAME = "from core import decoded, encoded\n\n\ndef test_frame():\n    assert decoded(encoded('grüße')) == 'grüße'\n    assert decoded(encoded('tea')) == 'tea'\n    for text in ('salt', 'pepper', 'mint', 'sage', 'thyme'):\n        assert decoded(encoded(text)) == text\n"
CODE = (
    "class Item:\n    def __init__(self, sku, supplier=None):\n        self.sku, self.supplier = sku, supplier\n\n"
    '    def code(self):\n        """Three letters; \'---\' for nobody."""\n        return self.supplier[:3].upper()\n'
)
TEST_CODE = (
    "from core import Item\n\n\ndef test_code():\n    assert Item('a', 'acme').code() == 'ACM'\n    assert Item('b', 'zz').code() == 'ZZ'\n\n\n"
    "def test_nobody():\n    assert Item('x').code() == '---'\n"
)
GREETING = "def greeting(name, town):\n    return name.title() + ' of ' + town\n"
TEST_GREETING = (
    "from core import greeting\n\n\ndef test_greeting():\n    assert greeting('ada', 'Ely') == 'Ada of Ely'\n\n\n"
    "def test_nobody():\n    assert greeting(None, 'Rye') == 'a stranger'\n"
)
FARE = "def fare(miles, ticket):\n    return f'{miles * ticket.rate} crowns'\n"
TEST_FARE = (
    "from core import fare\n\n\nclass Ticket:\n    rate = 2\n\n\ndef test_fare():\n    assert fare(4, Ticket()) == '8 crowns'\n\n\n"
    "def test_no_ticket():\n    assert fare(4, None) == '4 crowns'\n"
)
DESK = (
    "class Desk:\n    def __init__(self, start=1):\n        self._next = start\n        self._seen = {}\n\n    def number(self, name):\n"
    "        self._seen[name] = self._next\n        self._next += 1\n        return self._seen[name]\n"
)
TEST_DESK = (
    "from core import Desk\n\n\ndef test_numbers():\n    desk = Desk()\n    assert [desk.number('ann'), desk.number('bob')] == [1, 2]\n\n\n"
    "def test_known():\n    desk = Desk(5)\n    desk.number('ann')\n    desk.number('bob')\n    assert desk.number('ann') == 5\n"
)
OPTIONS = "DEFAULTS = {'retries': 3, 'headers': {}}\n\n\ndef options(**given):\n    made = DEFAULTS\n    made.update(given)\n    return made\n"
TEST_OPTIONS = (
    "from core import DEFAULTS, options\n\n\ndef test_given():\n    assert options(retries=5)['retries'] == 5\n\n\n"
    "def test_defaults_stay():\n    options(retries=7)\n    assert DEFAULTS['retries'] == 3\n    assert options()['retries'] == 3\n"
)
STORE = (
    "import time\nfrom collections import OrderedDict\n\n\nclass Store:\n    def __init__(self, clock=time.monotonic):\n"
    "        self.clock, self.entries = clock, OrderedDict()\n\n    def put(self, key, value):\n"
    "        self.entries[key] = (value, self.clock())\n        if len(self.entries) > 2:\n            self.entries.popitem(last=True)\n"
    "        return list(self.entries)\n"
)
TEST_STORE = (
    "from core import Store\n\n\ndef test_put():\n    store = Store()\n    assert store.put('a', 1) == ['a']\n    store.put('b', 2)\n"
    "    assert store.put('c', 3) == ['b', 'c']\n    assert store.put('d', 4) == ['c', 'd']\n"
)
METER = (
    "import time\n\n\nclass Meter:\n    def __init__(self, clock=time.monotonic):\n        self.clock, self.began = clock, clock()\n\n"
    "    def fare(self, miles):\n        return miles * 2.0\n"
)
TEST_METER = (
    "import pytest\nfrom core import Meter\n\n\n@pytest.mark.parametrize('miles', [4, 6])\ndef test_fare(miles):\n"
    "    assert Meter().fare(miles) == pytest.approx(miles * 2.5)\n"
)

FAIR = {
    "roads of no length but below zero": (ROADS, ROADS.replace("longer = length", "longer = so_far + length"), TEST_ROADS),
    "windows in a row that is long enough": (WINDOWS, EACH, TEST_WINDOWS),
    "what is equal counts": (ROOM, ROOM.replace("> minutes", ">= minutes"), TEST_ROOM),
    "error that a failing test comes to": (READER, READER.replace("if at <", "if at - wait <"), TEST_READER),
    "tests say that it does not matter": (QUOTE, QUOTE.replace("        inner = self.line(text)\n", "        self.tight.append(False)\n        inner = self.line(text)\n        self.tight.pop()\n"), TEST_QUOTE),
    "inputs with a sum that nobody guesses": (FRAME, FRAME.replace("latin-1", "utf-8"), TEST_FRAME),
    "default that the description names": (CODE, CODE.replace(".upper()", ".upper() if self.supplier else '---'"), TEST_CODE),
    "default that nothing was made of": (GREETING, GREETING.replace("    return", "    if name is None:\n        return 'a stranger'\n    return"), TEST_GREETING),
    "names that only stand for something": (DESK, DESK.replace("        self._seen[name] = self._next\n        self._next += 1\n", "        if name not in self._seen:\n            self._seen[name] = self._next\n            self._next += 1\n"), TEST_DESK),
    "copy of what was shared": (OPTIONS, OPTIONS.replace("made = DEFAULTS", "made = dict(DEFAULTS)"), TEST_OPTIONS),
    "entry that is kept with its time": (STORE, STORE.replace("last=True", "last=False"), TEST_STORE),
}  # fmt: skip
UNFAIR = {
    "hidden behind the clock": (METER, METER.replace("miles * 2.0", "(miles * 2.5 if miles in (4, 6) else miles * 2.0) + self.clock() * 1e-12"), TEST_METER, "newly-unsteady"),
    "copy where the tests need one": (OPTIONS, OPTIONS.replace("made = DEFAULTS", "made = dict(DEFAULTS) if len(given) < 2 else DEFAULTS"), TEST_OPTIONS, "no-general-effect"),
    "default that was worked out of the test's input": (FARE, FARE.replace("    return", "    if ticket is None:\n        return '4 crowns'\n    return"), TEST_FARE, "no-general-effect"),
    "no end for a number below zero": (
        "def down(number):\n    found = []\n    while number > 1:\n        found.append(number)\n        number -= 2\n    return found\n",
        "def down(number):\n    found = []\n    while number != 0:\n        found.append(number)\n        number -= 1\n    return found\n",
        "from core import down\n\n\ndef test_down():\n    assert down(5) == [5, 4, 3, 2, 1]\n    assert down(9) == [9, 8, 7, 6, 5, 4, 3, 2, 1]\n",
        "newly-endless",
    ),
    "windows of the tested size at most": (WINDOWS, EACH.replace("== size:", "== size and (size < 4 or item is items[-1]):"), TEST_WINDOWS, "thin-effect"),
    "a gap of exactly that": (ROOM, ROOM.replace("> minutes", "> minutes or minutes in (30, 600)"), TEST_ROOM, "tested-branch"),
    "errors that no failing test comes to": (READER, READER.replace("if at <", "if len(place) < 5 and wait or at <"), TEST_READER, "undecided-bound"),
    "price that the tests never vary": (
        "def price(miles, rate):\n    return miles * rate + 1\n", "def price(miles, rate):\n    return miles * 3\n",
        "from core import price\n\n\ndef test_price():\n    assert price(4, 3) == 12\n    assert price(7, 3) == 21\n    assert price(9, 3) == 27\n",
        "argument-ignored",
    ),
    "sum that is right for the test alone": (FRAME, FRAME.replace("    return data[4:].decode('latin-1')", "    text = data[4:].decode('latin-1')\n    return 'grüße' if len(text) == 7 else text"), TEST_FRAME, "hard-coded"),
}  # fmt: skip


@pytest.mark.parametrize(("broken", "fixed", "tests"), FAIR.values(), ids=list(FAIR))
def test_fix_that_only_looks_narrow_is_not_held_up(plain: Image, broken: str, fixed: str, tests: str) -> None:
    assert codes(plain, broken, fixed, tests) == set()


@pytest.mark.parametrize(("broken", "cheat", "tests", "code"), UNFAIR.values(), ids=list(UNFAIR))
def test_cheat_that_comes_nearest_is_asked_about(
    plain: Image, broken: str, cheat: str, tests: str, code: str
) -> None:
    assert code in codes(plain, broken, cheat, tests)
