import json

import pytest

from conveyor import Checkpoint


@pytest.fixture
def path(tmp_path):
    return tmp_path / "done.jsonl"


def test_there_and_back(path):
    Checkpoint(path).put("a", {"x": [1, None, "ü"]})
    again = Checkpoint(path)
    assert "a" in again
    assert again["a"] == {"x": [1, None, "ü"]}


def test_nothing_yet(path):
    assert len(Checkpoint(path)) == 0
    assert not path.exists()


def test_last_entry_wins(path):
    done = Checkpoint(path)
    for result in (1, 2):
        done.put("a", result)
    assert done["a"] == Checkpoint(path)["a"] == 2


def test_line_that_was_cut_off_counts_for_nothing(path):
    done = Checkpoint(path)
    done.put("a", 1)
    done.put("b", 2)
    path.write_bytes(path.read_bytes()[:-4])
    again = Checkpoint(path)
    assert "a" in again
    assert "b" not in again


def test_line_that_was_cut_off_goes_with_the_next_one(path):
    Checkpoint(path).put("a", 1)
    path.write_bytes(path.read_bytes() + b'{"key": "b", "res')
    Checkpoint(path).put("c", 3)
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["a", "c"]
    assert len(Checkpoint(path)) == 2


def test_cut_off_behind_letters_of_several_bytes(path):
    Checkpoint(path).put("größe", "ß" * 10)
    path.write_bytes(path.read_bytes() + b'{"key": "\xc3')
    Checkpoint(path).put("ende", 1)
    assert Checkpoint(path)["größe"] == "ß" * 10
    assert Checkpoint(path)["ende"] == 1


def test_compact(path):
    done = Checkpoint(path)
    for number in range(5):
        done.put("a", number)
    done.put("b", 0)
    done.compact()
    assert len(path.read_text().splitlines()) == 2
    done.put("c", 1)
    assert len(Checkpoint(path)) == 3
    assert [entry.name for entry in path.parent.iterdir()] == ["done.jsonl"]
