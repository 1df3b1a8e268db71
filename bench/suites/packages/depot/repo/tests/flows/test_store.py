import pytest

from depot.errors import Conflict
from depot.events import Renamed
from depot.store import FileStore, MemoryStore


def named(*titles):
    return [Renamed("a", title) for title in titles]


def titles(stored):
    return [one.event.title for one in stored]


def test_append_and_read(store):
    assert store.append("s", named("1", "2")) == 2
    assert store.append("t", named("3")) == 1
    assert store.append("s", named("4")) == 3
    assert titles(store.read("s")) == ["1", "2", "4"]
    assert titles(store.read("s", after=2)) == ["4"]
    assert titles(store.read_all()) == ["1", "2", "3", "4"]
    assert titles(store.read_all(after=1, limit=2)) == ["2", "3"]
    assert [one.position for one in store.read_all()] == [1, 2, 3, 4]
    assert [one.version for one in store.read("s")] == [1, 2, 3]
    assert store.streams() == ["s", "t"]


def test_nothing_is_read_of_nothing(store):
    assert store.read("s") == store.read_all() == []
    assert store.version("s") == 0


def test_conflict(store):
    store.append("s", named("1"), expected=0)
    with pytest.raises(Conflict, match="s is at version 1, not 0"):
        store.append("s", named("2"), expected=0)
    assert titles(store.read("s")) == ["1"]


def test_listeners(store):
    seen = []
    leave = store.subscribe(lambda stored: seen.append(stored.event.title))
    store.append("s", named("1", "2"))
    leave()
    store.append("s", named("3"))
    assert seen == ["1", "2"]


def test_listener_may_leave_while_it_is_called(store):
    seen = []

    def once(stored):
        seen.append("once")
        leave()

    leave = store.subscribe(once)
    store.subscribe(lambda stored: seen.append(stored.event.title))
    store.append("s", named("1", "2"))
    assert seen == ["once", "1", "2"]


class TestFile:
    @pytest.fixture
    def path(self, tmp_path):
        return tmp_path / "log.jsonl"

    def test_events_survive(self, path):
        FileStore(path).append("s", named("1", "ü"))
        again = FileStore(path)
        assert titles(again.read("s")) == ["1", "ü"]
        assert again.append("s", named("3"), expected=2) == 3
        assert [one.position for one in FileStore(path).read_all()] == [1, 2, 3]

    def test_torn_last_line_is_dropped(self, path):
        FileStore(path).append("s", named("1", "2"))
        whole = path.read_bytes()
        path.write_bytes(whole[:-9])
        store = FileStore(path)
        assert titles(store.read("s")) == ["1"]
        store.append("s", named("3"))
        assert titles(FileStore(path).read_all()) == ["1", "3"]

    def test_torn_line_may_hold_any_letters(self, path):
        FileStore(path).append("s", named("1", "größer"))
        path.write_bytes(path.read_bytes()[:-3])
        FileStore(path).append("s", named("3"))
        assert titles(FileStore(path).read_all()) == ["1", "3"]

    def test_torn_line_in_the_middle_is_an_error(self, path):
        FileStore(path).append("s", named("1", "2"))
        first, second, _ = path.read_text().split("\n")
        path.write_text(first[:-5] + "\n" + second + "\n")
        with pytest.raises(ValueError):
            FileStore(path)

    def test_file_says_the_same_as_memory(self, path):
        stores = [MemoryStore(), FileStore(path)]
        for store in stores:
            store.append("s", named("1"))
            store.append("t", named("2", "3"))
        assert stores[0].read_all() == FileStore(path).read_all()
