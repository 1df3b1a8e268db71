import pytest


class Clock:
    """A clock that stands still until somebody turns it."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now

    def turn(self, seconds):
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()
