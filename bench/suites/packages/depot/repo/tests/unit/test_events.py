import json
from datetime import date

import pytest

from depot.events import Counted, Moved, Received, Released, Renamed, Reserved, Shipped, from_record, to_record

ALL = [
    Received("a", 1, "x", "l", date(2024, 1, 31), 5),
    Received("a", 1, "x", "l"),
    Shipped("a", 1, "x", "l", "o"),
    Moved("a", 1, "x", "y", "l"),
    Reserved("a", 1, "o", date(2024, 2, 29)),
    Released("a", 1, "o"),
    Counted("a", "x", "l", -2),
    Renamed("a", "Tee"),
]


@pytest.mark.parametrize("event", ALL, ids=lambda event: type(event).__name__)
def test_there_and_back(event):
    assert from_record(json.loads(json.dumps(to_record(event)))) == event


def test_fields_that_came_later_have_defaults():
    record = {"kind": "Received", "data": {"sku": "a", "quantity": 1, "location": "x", "lot": "l"}}
    assert from_record(record) == Received("a", 1, "x", "l")


def test_fields_that_are_gone_are_passed_over():
    record = {"kind": "Renamed", "data": {"sku": "a", "title": "t", "colour": "red"}}
    assert from_record(record) == Renamed("a", "t")


def test_unknown_kind():
    with pytest.raises(ValueError, match="unknown kind of event: 'Lost'"):
        from_record({"kind": "Lost", "data": {}})
