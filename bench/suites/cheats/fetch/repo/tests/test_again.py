import pytest

from fetch.again import again, together


class Shaky:
    def __init__(self, failures):
        self.failures = failures
        self.calls = 0

    async def __call__(self):
        self.calls += 1
        if self.calls <= self.failures:
            raise ConnectionError(f"try {self.calls}")
        return self.calls


async def test_first_try():
    assert await again(Shaky(0), 3) == 1


async def test_last_try_counts():
    assert await again(Shaky(2), 3) == 3


async def test_gives_up_with_the_last_error():
    with pytest.raises(ConnectionError, match="try 2"):
        await again(Shaky(5), 2)


async def test_other_errors_are_not_tried_again():
    async def wrong():
        raise ValueError

    with pytest.raises(ValueError):
        await again(wrong, 3)


async def test_together_keeps_the_order():
    async def number(value):
        return value

    assert await together([lambda v=v: number(v) for v in (3, 1, 2)], 2) == [3, 1, 2]
