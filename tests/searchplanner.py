"""A second package of other kinds of code, written after the operators: how they fare on what they were not made for."""

from __future__ import annotations

from searchpackage import faulty

FILES = {
    "planner/__init__.py": "",
    "planner/intervals.py": '''
        """Half-open intervals of minutes."""


        class Interval:
            def __init__(self, start, end):
                if end < start:
                    raise ValueError("ends before it starts")
                self.start = start
                self.end = end

            def __eq__(self, other):
                return (self.start, self.end) == (other.start, other.end)

            def __repr__(self):
                return f"Interval({self.start}, {self.end})"

            def length(self):
                return self.end - self.start

            def contains(self, minute):
                return self.start <= minute < self.end

            def overlaps(self, other):
                return self.start < other.end and other.start < self.end

            def joined(self, other):
                return Interval(min(self.start, other.start), max(self.end, other.end))


        def merged(intervals):
            """Overlapping and touching intervals become one."""
            result = []
            for one in sorted(intervals, key=lambda interval: interval.start):
                if result and one.start <= result[-1].end:
                    result[-1] = result[-1].joined(one)
                else:
                    result.append(one)
            return result


        def gaps(intervals):
            found = []
            busy = merged(intervals)
            for left, right in zip(busy, busy[1:]):
                found.append(Interval(left.end, right.start))
            return found
    ''',
    "planner/clock.py": '''
        """Times of day as text and as minutes."""


        def minutes(text):
            hours, rest = text.strip().split(":")
            value = int(hours) * 60 + int(rest)
            if not 0 <= value < 24 * 60:
                raise ValueError(text)
            return value


        def shown(value, twelve=False):
            hours, rest = divmod(value, 60)
            if twelve:
                suffix = "am" if hours < 12 else "pm"
                hours = hours % 12 or 12
                return f"{hours}:{rest:02d} {suffix}"
            return f"{hours:02d}:{rest:02d}"


        def duration(value):
            hours, rest = divmod(value, 60)
            parts = []
            if hours:
                parts.append(f"{hours}h")
            if rest or not hours:
                parts.append(f"{rest}m")
            return " ".join(parts)
    ''',
    "planner/graph.py": '''
        """Tasks that depend on one another."""

        from collections import deque


        class Cycle(Exception):
            pass


        class Graph:
            def __init__(self):
                self.needs = {}

            def add(self, task, *needs):
                self.needs.setdefault(task, set()).update(needs)
                for need in needs:
                    self.needs.setdefault(need, set())

            def order(self):
                """Tasks so that each comes after what it needs; names decide between equals."""
                left = {task: set(needs) for task, needs in self.needs.items()}
                done = []
                while left:
                    ready = sorted(task for task, needs in left.items() if not needs)
                    if not ready:
                        raise Cycle(sorted(left))
                    for task in ready:
                        del left[task]
                        done.append(task)
                    for needs in left.values():
                        needs.difference_update(ready)
                return done

            def reachable(self, task):
                seen = set()
                queue = deque([task])
                while queue:
                    current = queue.popleft()
                    for need in self.needs[current]:
                        if need not in seen:
                            seen.add(need)
                            queue.append(need)
                return seen

            def depth(self, task):
                needs = self.needs[task]
                if not needs:
                    return 0
                return 1 + max(self.depth(need) for need in needs)
    ''',
    "planner/cache.py": '''
        """A cache that forgets what was not used for longest."""


        class Cache:
            def __init__(self, size=3):
                self.size = size
                self.data = {}
                self.hits = 0
                self.misses = 0

            def get(self, key, default=None):
                if key not in self.data:
                    self.misses += 1
                    return default
                self.hits += 1
                value = self.data.pop(key)
                self.data[key] = value
                return value

            def put(self, key, value):
                self.data.pop(key, None)
                self.data[key] = value
                while len(self.data) > self.size:
                    oldest = next(iter(self.data))
                    del self.data[oldest]

            def ratio(self):
                total = self.hits + self.misses
                return self.hits / total if total else 0.0

            def keys(self):
                return list(self.data)
    ''',
    "planner/words.py": '''
        """Bits of text."""

        import re

        VOWELS = "aeiou"


        def slug(text):
            return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


        def plural(count, word):
            if count == 1:
                return f"{count} {word}"
            if word.endswith("y") and word[-2] not in VOWELS:
                return f"{count} {word[:-1]}ies"
            return f"{count} {word}s"


        def shorten(text, width, mark="..."):
            if len(text) <= width:
                return text
            return text[: width - len(mark)].rstrip() + mark


        def listed(words, last="and"):
            if len(words) < 2:
                return "".join(words)
            return ", ".join(words[:-1]) + f" {last} " + words[-1]


        def counts(text):
            found = {}
            for word in re.findall(r"\\w+", text.lower()):
                found[word] = found.get(word, 0) + 1
            return found


        def top(text, number=2):
            ranked = sorted(counts(text).items(), key=lambda pair: (-pair[1], pair[0]))
            return [word for word, _count in ranked[:number]]
    ''',
    "tests/test_intervals.py": """
        import pytest

        from planner.intervals import Interval, gaps, merged


        def test_length():
            assert Interval(10, 25).length() == 15


        def test_wrong_order():
            with pytest.raises(ValueError):
                Interval(5, 4)
            assert Interval(5, 5).length() == 0


        @pytest.mark.parametrize("minute, inside", [(9, False), (10, True), (19, True), (20, False)])
        def test_contains(minute, inside):
            assert Interval(10, 20).contains(minute) is inside


        def test_overlaps():
            assert Interval(0, 10).overlaps(Interval(5, 15))
            assert Interval(5, 15).overlaps(Interval(0, 10))
            assert not Interval(0, 10).overlaps(Interval(10, 20))
            assert not Interval(10, 20).overlaps(Interval(0, 10))


        def test_joined():
            assert Interval(3, 5).joined(Interval(1, 4)) == Interval(1, 5)


        def test_merged():
            assert merged([Interval(5, 8), Interval(0, 3), Interval(2, 4)]) == [Interval(0, 4), Interval(5, 8)]
            assert merged([Interval(0, 3), Interval(3, 4)]) == [Interval(0, 4)]
            assert merged([Interval(0, 9), Interval(2, 4)]) == [Interval(0, 9)]
            assert merged([]) == []


        def test_gaps():
            assert gaps([Interval(6, 9), Interval(0, 2), Interval(1, 3)]) == [Interval(3, 6)]
    """,
    "tests/test_clock.py": """
        import pytest

        from planner.clock import duration, minutes, shown


        def test_minutes():
            assert minutes("10:30") == 630
            assert minutes(" 00:00 ") == 0


        @pytest.mark.parametrize("text", ["24:00", "-1:00"])
        def test_minutes_outside_the_day(text):
            with pytest.raises(ValueError):
                minutes(text)


        def test_shown():
            assert shown(65) == "01:05"


        @pytest.mark.parametrize("value, text", [(0, "12:00 am"), (750, "12:30 pm"), (795, "1:15 pm"), (60, "1:00 am")])
        def test_shown_in_twelve_hours(value, text):
            assert shown(value, twelve=True) == text


        @pytest.mark.parametrize("value, text", [(0, "0m"), (45, "45m"), (60, "1h"), (90, "1h 30m")])
        def test_duration(value, text):
            assert duration(value) == text
    """,
    "tests/test_graph.py": """
        import pytest

        from planner.graph import Cycle, Graph


        @pytest.fixture
        def graph():
            made = Graph()
            made.add("cake", "eggs", "flour")
            made.add("party", "cake", "music")
            return made


        def test_order(graph):
            assert graph.order() == ["eggs", "flour", "music", "cake", "party"]


        def test_cycle(graph):
            graph.add("eggs", "party")
            with pytest.raises(Cycle):
                graph.order()


        def test_order_can_be_asked_twice(graph):
            assert graph.order() == graph.order()


        def test_reachable(graph):
            assert graph.reachable("cake") == {"eggs", "flour"}
            assert graph.reachable("party") == {"cake", "music", "eggs", "flour"}
            assert graph.reachable("music") == set()


        def test_depth(graph):
            assert [graph.depth(task) for task in ("eggs", "cake", "party")] == [0, 1, 2]
    """,
    "tests/test_cache.py": """
        import unittest

        from planner.cache import Cache


        class TestCache(unittest.TestCase):
            def setUp(self):
                self.cache = Cache(2)
                self.cache.put("a", 1)
                self.cache.put("b", 2)

            def test_get(self):
                self.assertEqual(self.cache.get("a"), 1)
                self.assertIsNone(self.cache.get("x"))
                self.assertEqual(self.cache.get("x", 5), 5)

            def test_oldest_goes(self):
                self.cache.put("c", 3)
                self.assertEqual(self.cache.keys(), ["b", "c"])

            def test_used_stays(self):
                self.cache.get("a")
                self.cache.put("c", 3)
                self.assertEqual(self.cache.keys(), ["a", "c"])

            def test_put_again_renews(self):
                self.cache.put("a", 9)
                self.cache.put("c", 3)
                self.assertEqual(self.cache.keys(), ["a", "c"])

            def test_ratio(self):
                self.assertEqual(self.cache.ratio(), 0.0)
                self.cache.get("a")
                self.cache.get("b")
                self.cache.get("x")
                self.cache.get("b")
                self.assertEqual(self.cache.ratio(), 0.75)
    """,
    "tests/test_words.py": """
        import pytest

        from planner.words import counts, listed, plural, shorten, slug, top


        def test_slug():
            assert slug("  Hello, World 2! ") == "hello-world-2"


        @pytest.mark.parametrize(
            "count, word, text", [(1, "day", "1 day"), (2, "day", "2 days"), (3, "city", "3 cities"), (0, "cup", "0 cups")]
        )
        def test_plural(count, word, text):
            assert plural(count, word) == text


        def test_shorten():
            assert shorten("short", 5) == "short"
            assert shorten("a longer text", 9) == "a long..."
            assert shorten("abc defghi", 7) == "abc..."


        def test_listed():
            assert listed(["a", "b", "c"]) == "a, b and c"
            assert listed(["a", "b"], last="or") == "a or b"
            assert listed(["a"]) == "a" and listed([]) == ""


        def test_counts():
            assert counts("The cat and the dog") == {"the": 2, "cat": 1, "and": 1, "dog": 1}


        def test_top():
            assert top("b a b c a b") == ["b", "a"]
            assert top("z y x", number=1) == ["x"]
    """,
}

HIDDEN = """
from planner.cache import Cache
from planner.clock import duration, minutes, shown
from planner.graph import Cycle, Graph
from planner.intervals import Interval, gaps, merged
from planner.words import counts, listed, plural, shorten, slug, top

def fails(kind, call, *args):
    try:
        call(*args)
    except kind:
        return True
    return False

I = Interval
assert fails(ValueError, I, 2, 1) and not fails(ValueError, I, 1, 1) and I(1, 4).length() == 3 and I(7, 9).length() == 2
assert [I(1, 3).contains(n) for n in range(5)] == [False, True, True, False, False]
assert I(1, 5).overlaps(I(2, 3)) and I(2, 3).overlaps(I(1, 5)) and not I(1, 2).overlaps(I(2, 3)) and not I(4, 5).overlaps(I(2, 3))
assert I(1, 9).joined(I(2, 3)) == I(1, 9) and I(2, 3).joined(I(5, 6)) == I(2, 6) and I(5, 6).joined(I(2, 3)) == I(2, 6)
assert merged([I(4, 5), I(1, 4), I(7, 8), I(6, 9)]) == [I(1, 5), I(6, 9)] and merged([I(1, 2)]) == [I(1, 2)]
assert gaps([I(1, 2), I(4, 5), I(8, 9)]) == [I(2, 4), I(5, 8)] and gaps([]) == [] and gaps([I(1, 2)]) == []
assert minutes("23:59") == 1439 and minutes("1:05") == 65 and fails(ValueError, minutes, "25:10")
assert shown(0) == "00:00" and shown(1439) == "23:59" and shown(719, True) == "11:59 am" and shown(720, True) == "12:00 pm"
assert shown(1439, True) == "11:59 pm" and shown(5, True) == "12:05 am"
assert [duration(n) for n in (1, 59, 60, 61, 120, 125)] == ["1m", "59m", "1h", "1h 1m", "2h", "2h 5m"]
g = Graph()
g.add("d", "b", "c"), g.add("b", "a"), g.add("c", "a"), g.add("b", "z")
assert g.order() == ["a", "z", "b", "c", "d"] and g.order() == ["a", "z", "b", "c", "d"]
assert g.reachable("b") == {"a", "z"} and g.reachable("d") == {"a", "b", "c", "z"} and g.reachable("a") == set()
assert g.depth("d") == 2 and g.depth("z") == 0 and g.needs["b"] == {"a", "z"}
g.add("a", "d")
assert fails(Cycle, g.order)
c = Cache(3)
[c.put(k, k * 2) for k in "abcd"]
assert c.keys() == ["b", "c", "d"] and c.get("b") == "bb" and c.keys() == ["c", "d", "b"] and c.get("a", 0) == 0
assert (c.hits, c.misses) == (1, 1) and c.ratio() == 0.5 and Cache().ratio() == 0.0
c.put("c", 0), c.put("e", 1)
assert c.keys() == ["b", "c", "e"] and c.get("c") == 0 and len(c.data) == 3
assert slug("Ä B--C") == "b-c" and slug("x_y") == "x-y" and slug("A1") == "a1"
assert [plural(n, "boy") for n in (0, 1, 2)] == ["0 boys", "1 boy", "2 boys"] and plural(2, "fly") == "2 flies"
assert shorten("abcdef", 6) == "abcdef" and shorten("abcdefg", 6) == "abc..." and shorten("ab cdefg", 6, "~") == "ab cd~"
assert shorten("abcdefgh", 5, "") == "abcde" and listed(["x", "y", "z", "w"], "or") == "x, y, z or w" and listed(["q", "r"]) == "q and r"
assert counts("A a, b!") == {"a": 2, "b": 1} and counts("") == {} and top("c c b b a", 3) == ["b", "c", "a"] and top("q") == ["q"]
"""

EDITS = {
    "check-turned": ("intervals.py", "if end < start:", "if end > start:"),
    "check-too-strict": ("intervals.py", "if end < start:", "if end <= start:"),
    "length-turned": ("intervals.py", "self.end - self.start", "self.start - self.end"),
    "contains-end": ("intervals.py", "<= minute < self.end", "<= minute <= self.end"),
    "overlap-touching": ("intervals.py", "self.start < other.end and", "self.start <= other.end and"),
    "overlap-self": ("intervals.py", "and other.start < self.end", "and self.start < self.end"),
    "joined-min": ("intervals.py", "max(self.end, other.end)", "min(self.end, other.end)"),
    "joined-other": ("intervals.py", "max(self.end, other.end)", "max(self.end, other.start)"),
    "merge-unsorted": ("intervals.py", "sorted(intervals, key=lambda interval: interval.start)", "intervals"),
    "merge-touching": ("intervals.py", "one.start <= result[-1].end", "one.start < result[-1].end"),
    "merge-no-else": ("intervals.py", "result[-1] = result[-1].joined(one)", "result[-1] = one"),
    "gaps-ends": ("intervals.py", "Interval(left.end, right.start)", "Interval(left.end, right.end)"),
    "gaps-raw": ("intervals.py", "zip(busy, busy[1:])", "zip(busy, busy)"),
    "gaps-unmerged": ("intervals.py", "busy = merged(intervals)", "busy = intervals"),
    "minutes-sixty": ("clock.py", "int(hours) * 60 +", "int(hours) * 100 +"),
    "minutes-text": ("clock.py", "+ int(rest)", "+ rest"),
    "minutes-limit": ("clock.py", "0 <= value < 24", "0 <= value <= 24"),
    "noon": ("clock.py", "hours < 12", "hours <= 12"),
    "midnight": ("clock.py", "hours % 12 or 12", "hours % 12 or 0"),
    "pad": ("clock.py", 'return f"{hours:02d}:{rest:02d}"', 'return f"{hours}:{rest:02d}"'),
    "shown-flag": ("clock.py", "twelve=False", "twelve=True"),
    "duration-zero": ("clock.py", "if rest or not hours", "if rest or hours"),
    "duration-joined": ("clock.py", '" ".join(parts)', '"".join(parts)'),
    "needs-lost": ("graph.py", "set()).update(needs)", "set()).add(needs)"),
    "order-shares": ("graph.py", "{task: set(needs) for", "{task: needs for"),
    "order-unsorted": (
        "graph.py",
        "ready = sorted(task for task, needs in left.items() if not needs)",
        "ready = sorted(task for task, needs in left.items() if needs)",
    ),
    "cycle-missing": ("graph.py", "if not ready:", "if ready:"),
    "order-keeps": ("graph.py", "difference_update(ready)", "intersection_update(ready)"),
    "reach-self": ("graph.py", "if need not in seen", "if need in seen"),
    "reach-queue": ("graph.py", "queue.append(need)", "queue.append(current)"),
    "depth-one": ("graph.py", "return 1 + max", "return max"),
    "depth-base": ("graph.py", "return 0", "return 1"),
    "miss-not-counted": ("cache.py", "self.misses += 1", "self.hits += 1"),
    "default-lost": ("cache.py", "return default", "return None"),
    "no-renewal": ("cache.py", "value = self.data.pop(key)", "value = self.data[key]"),
    "put-no-renewal": ("cache.py", "        self.data.pop(key, None)\n", ""),
    "evict-early": ("cache.py", "> self.size", ">= self.size"),
    "ratio-turned": ("cache.py", "self.hits / total if total", "self.misses / total if total"),
    "ratio-total": ("cache.py", "self.hits + self.misses", "self.hits - self.misses"),
    "ratio-guard": ("cache.py", " if total else 0.0", ""),
    "slug-strip": ("words.py", '.strip("-")', '.lstrip("-")'),
    "slug-case": ("words.py", "text.lower()).strip", "text).strip"),
    "slug-plus": ("words.py", "[^a-z0-9]+", "[^a-z0-9]"),
    "plural-one": ("words.py", "if count == 1", "if count <= 1"),
    "plural-vowel": ("words.py", "word[-2] not in", "word[-1] not in"),
    "plural-ies": ("words.py", "{word[:-1]}ies", "{word}ies"),
    "shorten-mark": ("words.py", "width - len(mark)", "width"),
    "shorten-edge": ("words.py", "len(text) <= width", "len(text) < width"),
    "listed-last": ("words.py", 'f" {last} "', 'f" and "'),
    "listed-all": ("words.py", "words[:-1]) +", "words) +"),
    "counts-case": ("words.py", r'"\w+", text.lower())', r'"\w+", text)'),
    "counts-start": ("words.py", "found.get(word, 0) + 1", "found.get(word, 0)"),
    "top-order": ("words.py", "(-pair[1], pair[0])", "(pair[1], pair[0])"),
    "top-ties": ("words.py", "(-pair[1], pair[0])", "-pair[1]"),
    "top-number": ("words.py", "ranked[:number]", "ranked[number:]"),
}

PLANNER_FAULTS = [faulty(name, FILES, edit, HIDDEN) for name, edit in EDITS.items()]
