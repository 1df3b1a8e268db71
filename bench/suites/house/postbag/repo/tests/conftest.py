import pytest

from postbag.address import Address
from postbag.errors import Refused
from postbag.mailing import Mailing
from postbag.template import Template


class Server:
    """Takes letters, and refuses some: `moods` are errors for the next calls, None for none."""

    def __init__(self):
        self.taken, self.moods, self.calls = [], [], 0

    def __call__(self, address, data):
        self.calls += 1
        mood = self.moods.pop(0) if self.moods else None
        if mood:
            raise Refused(mood, for_good=mood.startswith("5"))
        self.taken.append((address, data))


@pytest.fixture
def server():
    return Server()


@pytest.fixture
def mailing(server):
    sender = Address("club", "example.org", "Rowing Club")
    return Mailing(sender, "News for you", Template("Dear {name|title},\n\nbring {what}!\n"), server)


@pytest.fixture
def ann():
    return Address("ann", "example.org", "ann bell")
