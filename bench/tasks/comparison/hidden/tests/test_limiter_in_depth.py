import pytest

from turnstile import Limiter, Rate, parse


@pytest.mark.parametrize("limit", [0, 1, 2, 4, 7, 50])
def test_exactly_as_many_as_the_limit(limit, clock):
    limiter = Limiter(Rate(limit, 10), clock=clock)
    assert [limiter.allow("zoe") for _ in range(limit + 5)] == [True] * limit + [False] * 5


def test_refused_requests_do_not_count(clock):
    limiter = Limiter(parse("1/second"), clock=clock)
    assert limiter.allow("zoe")
    clock.turn(0.75)
    assert not limiter.allow("zoe")
    clock.turn(0.25)
    assert limiter.allow("zoe")


def test_limit_holds_at_every_moment(clock):
    limiter = Limiter(Rate(2, 5), clock=clock)
    allowed = []
    for _ in range(40):
        if limiter.allow("zoe"):
            allowed.append(clock.now)
        clock.turn(1)
        assert sum(moment > clock.now - 5 for moment in allowed) <= 2
    assert len(allowed) == 16
