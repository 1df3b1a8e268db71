import pytest

from lantern import Engine, Flag, MemoryStore, Rule


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def flags():
    return [
        Flag("dark", rules=(Rule('plan == "pro"'), Rule(share=25))),
        Flag("export", default="csv", rules=(Rule("beta", value="xlsx"), Rule('country in ["DE", "AT"]', value="ods"))),
        Flag("themes", default=True, needs=("dark",)),
    ]


@pytest.fixture
def engine(flags):
    return Engine(MemoryStore(flags))


@pytest.fixture
def people():
    return [{"id": f"p{number}"} for number in range(2000)]
