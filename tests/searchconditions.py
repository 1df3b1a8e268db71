"""Faults whose repair asks for something: conditions that are missing, too narrow or too wide."""

from __future__ import annotations

from searchfaults import Fault

CONDITIONS: list[Fault] = []
AMBIGUOUS: list[Fault] = []
"""Where the tests leave room for more conditions than one."""


def fault(name: str, module: str, code: str, test: str, hidden: str, kept: list[Fault] = CONDITIONS) -> None:
    files = {f"{module}.py": code, f"tests/test_{module}.py": test}
    kept.append(Fault(name, files, hidden))


fault(
    "way-on-for-drafts-among-messages",
    "mailer",
    """
        class Message:
            def __init__(self, to, body, sender=None):
                self.to = to
                self.body = body
                self.sender = sender
                self.draft = False


        class Outbox:
            def __init__(self, limit=3):
                self.limit = limit
                self.sent = []

            def send_all(self, messages):
                '''Send messages and tell how many went out.'''
                count = 0
                for message in messages:
                    self.sent.append(message.body)
                    count += 1
                return count
    """,
    """
        from mailer import Message, Outbox


        def drafted(body):
            message = Message("a", body)
            message.draft = True
            return message


        def test_sends():
            box = Outbox()
            assert box.send_all([Message("a", "x"), Message("b", "y", "c")]) == 2
            assert box.sent == ["x", "y"]


        def test_drafts_stay():
            box = Outbox()
            assert box.send_all([Message("a", "x"), drafted("z"), Message("b", "y"), drafted("w")]) == 2
            assert box.sent == ["x", "y"]
    """,
    """
        from mailer import Message, Outbox
        draft = Message("q", "r", "s")
        draft.draft = True
        box = Outbox()
        assert box.send_all([draft, Message("", "k")]) == 1 and box.sent == ["k"]
    """,
)
fault(
    "member-refused-when-group-is-full",
    "clubs",
    """
        class Full(Exception):
            pass


        class Club:
            def __init__(self, name, places):
                self.name = name
                self.places = places
                self.members = []

            def join(self, person):
                if person in self.members:
                    return False
                self.members.append(person)
                return True

            def leave(self, person):
                if person not in self.members:
                    raise KeyError(person)
                self.members.remove(person)
    """,
    """
        import pytest
        from clubs import Club, Full


        def test_join_once():
            club = Club("chess", 3)
            assert club.join("ann") is True
            assert club.join("ann") is False
            assert club.join("bob") is True
            assert club.members == ["ann", "bob"]


        def test_places_are_taken_up():
            club = Club("go", 2)
            assert club.join("ann") and club.join("bob")
            assert club.members == ["ann", "bob"]


        def test_no_place_left():
            club = Club("go", 2)
            club.join("ann")
            club.join("bob")
            with pytest.raises(Full):
                club.join("cid")


        def test_who_has_a_place_needs_none():
            club = Club("go", 1)
            club.join("ann")
            assert club.join("ann") is False


        def test_none_gets_a_place_in_a_club_without_any():
            with pytest.raises(Full):
                Club("go", 0).join("ann")


        def test_leave():
            club = Club("go", 2)
            club.join("ann")
            club.leave("ann")
            assert club.members == []
    """,
    """
        from clubs import Club, Full
        club = Club("x", 1)
        assert club.join("a")
        try:
            club.join("b")
        except Full:
            pass
        else:
            raise AssertionError
        assert club.members == ["a"]
    """,
    AMBIGUOUS,
)
fault(
    "generator-goes-on-behind-the-last-page",
    "pages",
    """
        class Page:
            def __init__(self, items, following=None):
                self.items = items
                self.following = following


        def walk(page, limit=100):
            '''All items of a page and of those that follow it.'''
            count = 0
            while count < limit:
                for item in page.items:
                    yield item
                count += 1
                page = page.following
    """,
    """
        from pages import Page, walk


        def test_one_page_of_many():
            assert list(walk(Page([1, 2], Page([3], Page([4, 5]))), limit=2)) == [1, 2, 3]


        def test_no_page_wanted():
            assert list(walk(Page([1]), limit=0)) == []


        def test_all_pages():
            assert list(walk(Page([1, 2], Page([3])))) == [1, 2, 3]


        def test_one_page():
            assert list(walk(Page(["a"]))) == ["a"]
    """,
    """
        from pages import Page, walk
        assert list(walk(Page([], Page([7], Page([])))) ) == [7]
    """,
)
fault(
    "lines-of-comment-and-empty-ones-are-no-settings",
    "settings",
    """
        def settings_in(lines, comment="#"):
            '''Names and values of lines like `name = value`.'''
            found = {}
            for line in lines:
                line = line.strip()
                if not line:
                    continue
                name, _, value = line.partition("=")
                found[name.strip()] = value.strip()
            return found
    """,
    """
        from settings import settings_in


        def test_names_and_values():
            assert settings_in(["a = 1", "", "b=2"]) == {"a": "1", "b": "2"}


        def test_value_with_sign():
            assert settings_in(["a = 1 # 2"]) == {"a": "1 # 2"}


        def test_comment():
            assert settings_in(["# about = this", "a = 1", "  # more"]) == {"a": "1"}


        def test_another_sign():
            assert settings_in(["; x", "a = #1"], comment=";") == {"a": "#1"}
    """,
    """
        from settings import settings_in
        assert settings_in(["//x=1", "#y=2"], comment="//") == {"#y": "2"}
    """,
)
fault(
    "async-job-that-is-cancelled-is-not-run",
    "jobs",
    """
        import asyncio


        class Job:
            def __init__(self, name, cost=1):
                self.name = name
                self.cost = cost
                self.cancelled = False
                self.ran = 0

            async def run(self):
                self.ran += 1
                await asyncio.sleep(0)
                return self.name


        async def run_all(jobs):
            results = []
            for job in jobs:
                results.append(await job.run())
            return results
    """,
    """
        import asyncio
        from jobs import Job, run_all


        def test_all_run():
            assert asyncio.run(run_all([Job("a"), Job("b", 3)])) == ["a", "b"]


        def test_cancelled_ones_do_not():
            jobs = [Job("a"), Job("b"), Job("c", 2)]
            jobs[1].cancelled = True
            assert asyncio.run(run_all(jobs)) == ["a", "c"]
            assert jobs[1].ran == 0
    """,
    """
        import asyncio
        from jobs import Job, run_all
        jobs = [Job("a"), Job("b")]
        jobs[0].cancelled = jobs[1].cancelled = True
        assert asyncio.run(run_all(jobs)) == [] and jobs[0].ran == 0
    """,
)
fault(
    "equal-only-to-what-is-of-the-same-unit",
    "lengths",
    """
        class Length:
            def __init__(self, value, unit="m"):
                self.value = value
                self.unit = unit

            def same_as(self, other):
                return self.value == other.value

            def doubled(self):
                return Length(self.value * 2, self.unit)
    """,
    """
        from lengths import Length


        def test_same():
            assert Length(3).same_as(Length(3))
            assert Length(3, "ft").same_as(Length(3, "ft"))


        def test_other_value():
            assert not Length(3).same_as(Length(4))


        def test_other_unit():
            assert not Length(3, "m").same_as(Length(3, "ft"))
            assert not Length(3, "ft").same_as(Length(3, "m"))


        def test_doubled():
            assert Length(3, "ft").doubled().same_as(Length(6, "ft"))
    """,
    """
        from lengths import Length
        assert not Length(9, "km").same_as(Length(9, "mi")) and Length(9, "km").same_as(Length(9, "km"))
    """,
    AMBIGUOUS,
)
fault(
    "stock-may-be-used-up-where-more-may-be-ordered",
    "stock",
    """
        class Item:
            def __init__(self, name, there, backorder=False):
                self.name = name
                self.there = there
                self.backorder = backorder


        def can_deliver(item, wanted):
            '''Whether so many can be promised.'''
            if wanted <= 0:
                return False
            return item.there >= wanted
    """,
    """
        from stock import Item, can_deliver


        def test_enough():
            assert can_deliver(Item("a", 3), 3)
            assert not can_deliver(Item("a", 3), 4)


        def test_none_wanted():
            assert not can_deliver(Item("a", 3), 0)
            assert not can_deliver(Item("a", 3, True), 0)


        def test_more_may_be_ordered():
            assert can_deliver(Item("a", 1, True), 5)
            assert can_deliver(Item("b", 0, True), 1)
    """,
    """
        from stock import Item, can_deliver
        assert can_deliver(Item("z", 0, True), 900) and not can_deliver(Item("z", 0), 1)
        assert not can_deliver(Item("z", 0, True), -1)
    """,
)
fault(
    "node-is-not-its-own-neighbour",
    "grid",
    """
        def neighbours(width, height, x, y):
            '''Fields around a field.'''
            found = []
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    nx, ny = x + dx, y + dy
                    if 0 <= nx < width and 0 <= ny < height:
                        found.append((nx, ny))
            return found


        def crowded(width, height, taken):
            return [field for field in taken if len(neighbours(width, height, *field)) > 8]
    """,
    """
        from grid import crowded, neighbours


        def test_corner():
            assert neighbours(3, 3, 0, 0) == [(1, 0), (0, 1), (1, 1)]


        def test_alone():
            assert neighbours(1, 1, 0, 0) == []


        def test_row():
            assert neighbours(3, 1, 1, 0) == [(0, 0), (2, 0)]


        def test_nobody_is_crowded():
            assert crowded(3, 3, []) == []
    """,
    """
        from grid import neighbours
        assert len(neighbours(5, 5, 2, 2)) == 8 and (2, 2) not in neighbours(5, 5, 2, 2)
        assert neighbours(2, 2, 1, 0) == [(0, 0), (0, 1), (1, 1)]
    """,
    AMBIGUOUS,
)
fault(
    "total-leaves-out-what-was-given-back",
    "receipts",
    """
        from collections import namedtuple

        Line = namedtuple("Line", "name price returned", defaults=(False,))


        def total(lines, discount=0):
            '''What is to be paid.'''
            amount = sum(line.price for line in lines)
            return amount - discount
    """,
    """
        from receipts import Line, total


        def test_total():
            assert total([Line("a", 3), Line("b", 4)]) == 7


        def test_discount():
            assert total([Line("a", 3)], 1) == 2


        def test_given_back():
            assert total([Line("a", 3), Line("b", 4, True), Line("c", 5)]) == 8
            assert total([Line("b", 4, True)]) == 0
    """,
    """
        from receipts import Line, total
        assert total([Line("a", 30, True), Line("b", 1)], 1) == 0
    """,
)
fault(
    "handler-is-not-told-twice",
    "signals",
    """
        class Signal:
            def __init__(self):
                self.handlers = []
                self.log = []

            def connect(self, handler):
                self.handlers.append(handler)

            def send(self, value):
                for handler in self.handlers:
                    self.log.append(handler(value))
                return len(self.handlers)
    """,
    """
        from signals import Signal


        def double(value):
            return value * 2


        def test_send():
            signal = Signal()
            signal.connect(double)
            signal.connect(str)
            assert signal.send(4) == 2
            assert signal.log == [8, "4"]


        def test_nobody():
            assert Signal().send(1) == 0


        def test_connected_twice():
            signal = Signal()
            signal.connect(double)
            signal.connect(double)
            assert signal.send(4) == 1
            assert signal.log == [8]


        def test_connected_again_later():
            signal = Signal()
            signal.connect(str)
            signal.connect(double)
            signal.connect(str)
            assert signal.send(1) == 2
    """,
    """
        from signals import Signal
        signal = Signal()
        signal.connect(len)
        signal.connect(repr)
        signal.connect(len)
        assert signal.handlers == [len, repr]
    """,
)
fault(
    "walk-of-a-tree-stops-at-hidden-folders",
    "folders",
    """
        class Folder:
            def __init__(self, name, files=(), folders=()):
                self.name = name
                self.files = list(files)
                self.folders = list(folders)

            def is_hidden(self):
                return self.name.startswith(".")


        def names(folder, hidden=False):
            '''Names of all files below a folder; of hidden folders only if they are wanted.'''
            found = list(folder.files)
            for inner in folder.folders:
                found += names(inner, hidden)
            return sorted(found)
    """,
    """
        from folders import Folder, names

        TREE = Folder("top", ["a"], [Folder(".git", ["x"], [Folder("in", ["y"])]), Folder("src", ["b"])])


        def test_flat():
            assert names(Folder("top", ["b", "a"])) == ["a", "b"]


        def test_deep():
            assert names(Folder("top", ["b"], [Folder("c", ["a"])])) == ["a", "b"]


        def test_hidden_is_wanted():
            assert names(TREE, hidden=True) == ["a", "b", "x", "y"]


        def test_hidden_is_left_out():
            assert names(TREE) == ["a", "b"]
    """,
    """
        from folders import Folder, names
        assert names(Folder("t", ["q"], [Folder(".venv", ["z"])])) == ["q"]
        assert names(Folder("t", ["q"], [Folder(".venv", ["z"])]), True) == ["q", "z"]
    """,
    AMBIGUOUS,
)
fault(
    "entry-that-is-out-of-date-is-not-given",
    "cache",
    """
        class Cache:
            def __init__(self, clock, lifetime):
                self.clock = clock
                self.lifetime = lifetime
                self.entries = {}

            def put(self, key, value):
                self.entries[key] = (value, self.clock())

            def get(self, key, default=None):
                if key not in self.entries:
                    return default
                value, since = self.entries[key]
                age = self.clock() - since
                return value
    """,
    """
        from cache import Cache


        class Clock:
            now = 100

            def __call__(self):
                return self.now


        def test_fresh():
            clock = Clock()
            cache = Cache(clock, 10)
            cache.put("a", 1)
            clock.now += 4
            assert cache.get("a") == 1
            assert cache.get("b", 2) == 2


        def test_old():
            clock = Clock()
            cache = Cache(clock, 10)
            cache.put("a", 1)
            clock.now += 11
            assert cache.get("a") is None
            assert cache.get("a", 7) == 7


        def test_just_fresh():
            clock = Clock()
            cache = Cache(clock, 10)
            cache.put("a", 1)
            clock.now += 10
            assert cache.get("a") == 1
    """,
    """
        from cache import Cache
        times = [0, 5, 0, 3, 0]
        cache = Cache(lambda: times.pop(), 2)
        cache.put("a", 1)
        assert cache.get("a", "none") == "none"
        cache.put("a", 1)
        assert cache.get("a", "none") == "none"
    """,
    AMBIGUOUS,
)
fault(
    "text-that-is-bytes-is-read-first",
    "words",
    """
        def count_words(text, ignore=()):
            '''How often each word stands in a text.'''
            counts = {}
            for word in text.lower().split():
                if word in ignore:
                    continue
                counts[word] = counts.get(word, 0) + 1
            return counts


        def most(text):
            if isinstance(text, bytes):
                text = text.decode()
            counts = count_words(text)
            return max(counts, key=counts.get)
    """,
    """
        from words import count_words, most


        def test_count():
            assert count_words("a b a") == {"a": 2, "b": 1}


        def test_ignore():
            assert count_words("the a", ignore=("the",)) == {"a": 1}


        def test_most():
            assert most("a b b") == "b"
            assert most(b"a b b") == "b"


        def test_nothing():
            assert count_words(None) == {}
    """,
    """
        from words import count_words
        assert count_words(None, ["x"]) == {} and count_words("x y", ["x"]) == {"y": 1}
    """,
)
fault(
    "only-open-doors-between-rooms-count",
    "rooms",
    """
        class Door:
            def __init__(self, one, two, locked=False):
                self.one = one
                self.two = two
                self.locked = locked


        def reachable(doors, start):
            '''Rooms that can be come to.'''
            seen = {start}
            waiting = [start]
            while waiting:
                room = waiting.pop()
                for door in doors:
                    if room not in (door.one, door.two):
                        continue
                    other = door.two if room == door.one else door.one
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
            return seen
    """,
    """
        from rooms import Door, reachable


        def test_all():
            assert reachable([Door("a", "b"), Door("c", "b")], "a") == {"a", "b", "c"}


        def test_no_door():
            assert reachable([Door("a", "b")], "z") == {"z"}


        def test_locked():
            doors = [Door("a", "b"), Door("b", "c", True), Door("d", "b")]
            assert reachable(doors, "a") == {"a", "b", "d"}
            assert reachable(doors, "c") == {"c"}
    """,
    """
        from rooms import Door, reachable
        assert reachable([Door("x", "y", True), Door("y", "z")], "z") == {"z", "y"}
    """,
    AMBIGUOUS,
)
fault(
    "stream-waits-for-no-item-that-is-there",
    "stream",
    """
        import asyncio


        class Feed:
            def __init__(self, items, closed=False):
                self.items = list(items)
                self.closed = closed
                self.waits = 0

            async def more(self):
                self.waits += 1
                await asyncio.sleep(0)
                return self.items.pop(0) if self.items else None


        async def read(feeds):
            '''Yield one item of each feed in turn, until none has any.'''
            while any(feed.items for feed in feeds):
                for feed in feeds:
                    item = await feed.more()
                    yield item


        async def gathered(feeds):
            return [item async for item in read(feeds)]
    """,
    """
        import asyncio
        from stream import Feed, gathered


        def test_in_turn():
            assert asyncio.run(gathered([Feed([1, 2]), Feed([3, 4])])) == [1, 3, 2, 4]


        def test_nothing():
            assert asyncio.run(gathered([])) == []


        def test_false_items_count():
            assert asyncio.run(gathered([Feed([0, ""]), Feed([False, 0])])) == [0, False, "", 0]


        def test_one_ends_early():
            assert asyncio.run(gathered([Feed([1]), Feed([3, 4])])) == [1, 3, 4]


        def test_closed_feed_is_not_read():
            closed = Feed([7], closed=True)
            feed = Feed([1])
            assert asyncio.run(gathered([feed])) == [1]
            assert closed.waits == 0
    """,
    """
        import asyncio
        from stream import Feed, gathered
        assert asyncio.run(gathered([Feed([0]), Feed([]), Feed([2, 3, 4])])) == [0, 2, 3, 4]
    """,
)
fault(
    "class-that-may-not-be-lent-is-no-book-to-lend",
    "library",
    """
        class Book:
            def __init__(self, title, reference=False):
                self.title = title
                self.reference = reference
                self.reader = None


        class Library:
            def __init__(self):
                self.books = {}

            def add(self, book):
                self.books[book.title] = book

            @staticmethod
            def _is_free(book):
                return book.reader is None

            def lend(self, title, reader):
                '''Whether the reader has it now.'''
                book = self.books.get(title)
                if book is None:
                    return False
                if not self._is_free(book):
                    return False
                book.reader = reader
                return True
    """,
    """
        import pytest
        from library import Book, Library


        @pytest.fixture
        def library():
            library = Library()
            library.add(Book("a"))
            library.add(Book("b", reference=True))
            return library


        def test_lend(library):
            assert library.lend("a", "ann")
            assert library.books["a"].reader == "ann"


        def test_lent_already(library):
            library.lend("a", "ann")
            assert not library.lend("a", "bob")
            assert library.books["a"].reader == "ann"


        def test_unknown(library):
            assert not library.lend("z", "ann")


        def test_reference_stays(library):
            assert not library.lend("b", "ann")
            assert library.books["b"].reader is None
    """,
    """
        from library import Book, Library
        library = Library()
        library.add(Book("q", True))
        library.add(Book("r"))
        assert library.lend("q", "x") is False and library.lend("r", "y") is True
        assert library.books["q"].reader is None
    """,
    AMBIGUOUS,
)
fault(
    "way-up-ends-at-its-own-parent",
    "tree",
    """
        class Node:
            def __init__(self, name, parent=None):
                self.name = name
                self.parent = parent

            def path(self):
                names = []
                node = self
                while node is not None:
                    names.append(node.name)
                    node = node.parent
                return names[::-1]

            def depth(self, limit=50):
                '''How many nodes are above; a root may be its own parent.'''
                count = 0
                node = self
                while node.parent is not None and count < limit:
                    node = node.parent
                    count += 1
                return count
    """,
    """
        from tree import Node


        def rooted():
            root = Node("r")
            root.parent = root
            return root


        def test_path():
            assert Node("b", Node("a")).path() == ["a", "b"]


        def test_depth():
            assert Node("c", Node("b", Node("a"))).depth() == 2
            assert Node("a").depth() == 0


        def test_no_deeper_than_asked():
            assert Node("c", Node("b", Node("a"))).depth(limit=1) == 1


        def test_own_parent():
            assert Node("c", Node("b", rooted())).depth() == 2
            assert rooted().depth() == 0
    """,
    """
        from tree import Node
        root = Node("x")
        root.parent = root
        assert Node("y", root).depth() == 1 and Node("z").depth() == 0
    """,
)
fault(
    "either-of-two-flags-may-be-meant",
    "parcels",
    """
        class Parcel:
            def __init__(self, weight):
                self.weight = weight
                self.fragile = False
                self.insured = False


        def stacked(parcels):
            '''Weight of what lies on one another.'''
            total = 0
            for parcel in parcels:
                total += parcel.weight
            return total
    """,
    """
        from parcels import Parcel, stacked


        def test_all():
            assert stacked([Parcel(2), Parcel(3)]) == 5


        def test_vase_stands_alone():
            vase = Parcel(1)
            vase.fragile = vase.insured = True
            assert stacked([Parcel(2), vase, Parcel(4)]) == 6
    """,
    """
        raise AssertionError("nobody can know")
    """,
    AMBIGUOUS,
)
fault(
    "limit-by-one-test-alone",
    "lifts",
    """
        class Lift:
            def __init__(self, most):
                self.most = most
                self.load = 0
                self.floors = 5
                self.stops = 7

            def enter(self, weight):
                self.load += weight
                return self.load
    """,
    """
        from lifts import Lift


        def test_enter():
            assert Lift(9).enter(3) == 3


        def test_too_much():
            lift = Lift(4)
            assert lift.enter(8) == 0
    """,
    """
        from lifts import Lift
        lift = Lift(4)
        assert lift.enter(5) == 0 and lift.enter(4) == 4 and lift.enter(1) == 4
    """,
    AMBIGUOUS,
)
