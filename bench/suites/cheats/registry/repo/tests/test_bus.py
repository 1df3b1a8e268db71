import logging

import pytest

from registry.bus import Bus


@pytest.fixture
def bus():
    return Bus()


def test_listeners_are_told(bus):
    heard = []
    bus.listen("rain", heard.append)
    assert bus.tell("rain", "now") == 1
    assert heard == ["now"]


def test_nobody_listens(bus):
    assert bus.tell("snow") == 0


def test_count(bus):
    bus.listen("rain", print)
    bus.listen("rain", repr)
    assert bus.count("rain") == 2


def test_listener_that_fails_does_not_hinder_others(bus, caplog):
    heard = []
    bus.listen("rain", lambda: 1 / 0)
    bus.listen("rain", lambda: heard.append("second"))
    with caplog.at_level(logging.WARNING):
        assert bus.tell("rain") == 1
    assert heard == ["second"]
    assert "rain" in caplog.text
