import asyncio

import pytest


async def turns(count=10):
    """Let everybody else run for a while."""
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.fixture
def settle():
    return turns


class Clock:
    """Time that goes on when somebody sleeps, or when a test says so."""

    def __init__(self):
        self.time = 50.0

    def now(self):
        return self.time

    async def sleep(self, seconds):
        self.time += seconds
        await asyncio.sleep(0)


@pytest.fixture
def clock():
    return Clock()
