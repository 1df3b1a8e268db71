import json

import pytest

from lantern import CachedStore, Engine, Flag, MemoryStore
from lantern.engine import check
from lantern.errors import Circle, LanternError, UnknownFlag
from lantern.wire import dump, load

PRO = {"id": "p1", "plan": "pro"}
FREE = {"id": "p8", "plan": "free"}


def test_values(engine):
    assert engine.value("dark", PRO) is True
    assert engine.value("export", {"country": "AT"}) == "ods"
    assert engine.value("export", {"country": "AT", "beta": True}) == "xlsx"


def test_unknown_flag(engine):
    with pytest.raises(UnknownFlag, match="no flag 'nothing'"):
        engine.value("nothing", PRO)
    assert engine.value("nothing", PRO, default=0) == 0


def test_needs(engine):
    assert engine.explain("themes", PRO).why == "default"
    assert engine.explain("themes", FREE).why == "needs dark"
    assert engine.value("themes", FREE) is False


def test_why(engine):
    assert [engine.explain(name, PRO).why for name in ("dark", "export")] == ["rule 1", "default"]


def test_everything(engine):
    assert engine.everything(PRO) == {"dark": True, "export": "csv", "themes": True}


def test_counts(engine):
    for person in (PRO, PRO, FREE):
        engine.value("dark", person)
    assert engine.counts == {"dark": {True: 2, False: 1}}


def test_flags_that_others_need_are_not_counted(engine):
    engine.value("themes", PRO)
    engine.everything(PRO)
    assert engine.counts == {"themes": {True: 1}}


def test_counts_begin_again_when_a_flag_changes(engine):
    engine.value("dark", PRO)
    engine.value("themes", PRO)
    engine.store.put(Flag("dark", True))
    assert engine.counts == {"themes": {True: 1}}


def test_closed_engine_hears_nothing(engine):
    engine.value("dark", PRO)
    engine.close()
    engine.store.put(Flag("dark", True))
    assert engine.counts == {"dark": {True: 1}}
    assert engine.store.listeners == []


def test_circle():
    flags = [Flag("a", needs=("b",)), Flag("b", needs=("c",)), Flag("c", needs=("b",))]
    with pytest.raises(Circle, match="b -> c -> b"):
        Engine(MemoryStore(flags))


def test_two_ways_to_one_flag_are_no_circle():
    check(MemoryStore([Flag("a", needs=("b", "c")), Flag("b", needs=("d",)), Flag("c", needs=("d",)), Flag("d")]))


def test_need_that_there_is_not():
    with pytest.raises(UnknownFlag, match="no flag 'b'"):
        Engine(MemoryStore([Flag("a", needs=("b",))]))


def test_engine_on_a_cache(flags, clock):
    store = CachedStore(MemoryStore(flags), clock=clock)
    engine = Engine(store)
    assert engine.value("dark", FREE) is False
    store.put(Flag("dark", True))
    assert engine.value("dark", FREE) is True


class TestWire:
    def test_there_and_back(self, flags):
        assert load(dump(flags)) == sorted(flags, key=lambda flag: flag.name)

    def test_order_does_not_matter(self, flags):
        assert dump(flags) == dump(reversed(flags))

    def test_first_format(self):
        text = json.dumps({"format": 1, "flags": [{"name": "dark", "percent": 30, "parent": "base"}]})
        (flag,) = load(text)
        assert (flag.needs, flag.rules[0].share, flag.salt) == (("base",), 30, "DARK")

    def test_first_format_without_anything(self):
        (flag,) = load('{"format": 1, "flags": [{"name": "dark", "parent": null}]}')
        assert flag.needs == ()
        assert flag.decide({"id": "x"}) == (True, 1)

    @pytest.mark.parametrize("text", ["", "[]", '{"format": 3, "flags": []}', '{"format": 2, "flags": [{}]}', '{"format": 2, "flags": [{"name": "a", "rules": [{"when": "=="}]}]}'])
    def test_no_flags(self, text):
        with pytest.raises(LanternError, match="these are no flags"):
            load(text)
