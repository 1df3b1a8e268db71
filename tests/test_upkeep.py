"""What a server does by itself goes on, whatever happened once."""

from __future__ import annotations

import logging
import threading

import pytest

from bot.upkeep import Chore, Upkeep


def test_chore_that_failed_is_done_again_and_said(caplog: pytest.LogCaptureFixture) -> None:
    again = threading.Event()
    tries: list[int] = []

    def act() -> None:
        tries.append(len(tries))
        if len(tries) == 1:
            raise TypeError("nobody thought of this")
        again.set()

    with caplog.at_level(logging.ERROR), Upkeep([Chore("odd", 0.01, act)]):
        assert again.wait(30)
    assert "the chore odd failed" in caplog.text
    assert "nobody thought of this" in caplog.text
