"""Judges repairs of lantern."""

import json

import pytest

from lantern import CachedStore, Engine, Flag, LayeredStore, MemoryStore, Rule
from lantern.condition import parse
from lantern.engine import check
from lantern.errors import BadCondition, Circle, LanternError
from lantern.flag import BUCKETS, bucket
from lantern.wire import dump, load

PERSON = {"a": True, "b": False, "n": 3, "t": "x", "deep": {"er": {"n": 7}}, "list": [1, 2]}


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


class Slow(MemoryStore):
    def __init__(self, flags=()):
        super().__init__(flags)
        self.gets = 0

    def get(self, name):
        self.gets += 1
        return super().get(name)


class TestConditions:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a or b and b", True), ("(a or b) and b", False), ("not b and b", False), ("not (b and b)", True),
            ("not a or a", True), ("b or b or a", True), ("a and a and b", False), ("not n == 4", True),
            ("not n == 3 or b", False), ("deep.er.n > 6", True), ("deep.er == 7", False), ("deep.x.n == 7", False),
            ("n in list", False), ("2 in list", True), ("n not in list", True), ("none not in list", True),
            ("none in list", False), ("none == none", False), ("none != 4", False), ("not none", True),
            ("t > 3", False), ("t in ['y', 't']", False), ("t in ['y', t]", True), ("b == false", True), ("n <= 3", True),
            ("n < 3", False), ("not b == true", True), ("n == 3.0", True),
        ],
    )
    def test_answers(self, text, expected):
        assert bool(parse(text).of(PERSON)) is expected

    @pytest.mark.parametrize(("text", "place"), [("  ", 2), ("a  ?", 3), ("a and", 5), ("not", 3), ("in [1]", 0), ("a in [1,", 8), ("a == == 1", 5), ("a b", 2)])
    def test_places(self, text, place):
        with pytest.raises(BadCondition) as caught:
            parse(text)
        assert caught.value.place == place


class TestFlags:
    def test_shares_of_several_rules(self):
        flag = Flag("f", 0, (Rule("a", 1, 0), Rule("a", 2, 100), Rule(value=3)))
        assert flag.decide({"a": True, "id": "q"}) == (2, 2)
        assert flag.decide({"a": False, "id": "q"}) == (3, 3)

    def test_salt_decides_who(self):
        people = [{"id": number} for number in range(500)]
        one, two, three = (Flag(name, rules=(Rule(share=40),), salt=salt) for name, salt in (("a", "s"), ("b", "s"), ("a", "")))
        answers = [[flag.decide(person)[0] for person in people] for flag in (one, two, three)]
        assert answers[0] == answers[1] != answers[2]

    def test_bucket(self):
        assert all(0 <= bucket("s", number) < BUCKETS for number in range(300))
        assert bucket("a", "b") != bucket("ab", "")
        assert bucket("lantern", "ann") == 5542

    def test_growing_share_never_loses_anybody(self):
        for person in range(200):
            answers = [Flag("g", rules=(Rule(share=share),)).decide({"id": person})[0] for share in range(0, 101, 10)]
            assert answers == sorted(answers)
            assert (answers[0], answers[-1]) == (False, True)


class TestStores:
    def test_cache_of_nothing(self):
        slow, clock = Slow(), Clock()
        cache = CachedStore(slow, 10, clock)
        for _ in range(4):
            assert cache.get("f") is None
        assert slow.gets == 1
        clock.now = 10
        slow._flags["f"] = Flag("f")
        assert cache.get("f") == Flag("f")

    def test_end_of_the_time(self):
        slow, clock = Slow([Flag("f")]), Clock()
        cache = CachedStore(slow, 10, clock)
        for clock.now in (0, 4, 8, 9.99, 10, 14, 19.99, 20):
            cache.get("f")
        assert slow.gets == 3

    def test_writes_through_a_stale_cache(self):
        inner, clock = MemoryStore([Flag("f", 1)]), Clock()
        cache = CachedStore(inner, 10, clock)
        heard = []
        cache.listeners.append(lambda old, new: heard.append((old.default, new.default)))
        cache.get("f")
        inner.put(Flag("f", 2))
        cache.put(Flag("f", 1))
        assert (inner.get("f").default, cache.get("f").default, heard) == (1, 1, [(2, 1)])
        cache.put(Flag("f", 3))
        assert (inner.get("f").default, cache.get("f").default) == (3, 3)

    def test_names_follow_writes_and_time(self):
        inner, clock = MemoryStore(), Clock()
        cache = CachedStore(inner, 10, clock)
        assert cache.names() == []
        inner.put(Flag("a"))
        assert cache.names() == []
        cache.put(Flag("b"))
        assert cache.names() == ["a", "b"]
        inner.put(Flag("c"))
        clock.now = 10
        assert cache.names() == ["a", "b", "c"]

    def test_three_layers(self):
        layers = [MemoryStore(), MemoryStore([Flag("f", 2)]), MemoryStore([Flag("f", 3), Flag("g", 3)])]
        store = LayeredStore(*layers)
        assert (store.get("f").default, store.get("g").default, store.names()) == (2, 3, ["f", "g"])
        store.put(Flag("g", 1))
        assert [layer.get("g") and layer.get("g").default for layer in layers] == [1, None, 3]

    @pytest.mark.parametrize("make", [lambda: MemoryStore([Flag("f")]), lambda: LayeredStore(MemoryStore([Flag("f")])), lambda: CachedStore(MemoryStore([Flag("f")]))])
    def test_listeners_of_every_store(self, make):
        store, heard = make(), []

        def broken(old, new):
            raise RuntimeError("no")

        store.listeners += [broken, lambda old, new: heard.append((old, new))]
        store.put(Flag("f"))
        assert heard == []
        with pytest.raises(LanternError, match="no"):
            store.put(Flag("f", True))
        assert heard == [(Flag("f"), Flag("f", True))]
        assert store.get("f") == Flag("f", True)


class TestEngines:
    def test_needs_of_needs(self):
        engine = Engine(MemoryStore([Flag("a", True, needs=("b",)), Flag("b", True, needs=("c",)), Flag("c", rules=(Rule("x"),))]))
        assert engine.explain("a", {}).why == "needs b"
        assert engine.value("a", {"x": 1}) is True
        assert engine.counts == {"a": {False: 1, True: 1}}

    def test_everything_does_not_count(self):
        engine = Engine(MemoryStore([Flag("a", True), Flag("b", 7)]))
        assert engine.everything({}) == {"a": True, "b": 7}
        assert engine.counts == {}

    def test_own_counts(self):
        one, two = Engine(MemoryStore([Flag("a")])), Engine(MemoryStore([Flag("a")]))
        one.value("a", {})
        assert (one.counts, two.counts) == ({"a": {False: 1}}, {})

    def test_circles(self):
        for flags in ([Flag("a", needs=("a",))], [Flag("a", needs=("b",)), Flag("b", needs=("a",))], [Flag("z", needs=("a",)), Flag("a", needs=("b",)), Flag("b", needs=("a",))]):
            with pytest.raises(Circle) as caught:
                check(MemoryStore(flags))
            assert caught.value.names[0] == caught.value.names[-1]
            assert "z" not in caught.value.names

    def test_diamonds(self):
        flags = [Flag("t", needs=("l", "r")), Flag("l", needs=("x",)), Flag("r", needs=("x", "l")), Flag("x")]
        check(MemoryStore(flags))

    def test_defaults_that_are_false(self):
        engine = Engine(MemoryStore())
        assert engine.value("a", {}, default=False) is False
        assert engine.value("a", {}, default="") == ""


class TestWire:
    def test_all_fields(self):
        flag = Flag("f", {"k": [1]}, (Rule("a", "v", 12.5), Rule(value=None)), ("g",), "salt")
        assert load(dump([flag])) == [flag]

    def test_old_files(self):
        text = json.dumps({"format": 1, "flags": [{"name": "Old", "when": "n > 1", "percent": 50}, {"name": "b", "parent": "Old"}]})
        old, b = load(text)
        assert (old.salt, old.needs, old.rules) == ("OLD", (), (Rule("n > 1", True, 50),))
        assert (b.needs, b.rules) == (("Old",), (Rule(),))

    def test_sorted(self):
        names = [flag["name"] for flag in json.loads(dump([Flag("b"), Flag("a"), Flag("c")]))["flags"]]
        assert names == ["a", "b", "c"]
