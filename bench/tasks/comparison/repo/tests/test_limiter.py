import pytest

from turnstile import Limiter, Rate


@pytest.fixture
def limiter(clock):
    return Limiter(Rate(3, 60), clock=clock)


def test_requests_up_to_the_limit_are_allowed(limiter):
    assert [limiter.allow("anna") for _ in range(3)] == [True, True, True]


def test_one_more_than_the_limit_is_refused(limiter):
    for _ in range(3):
        limiter.allow("anna")
    assert not limiter.allow("anna")


def test_clients_are_counted_apart(limiter):
    for _ in range(3):
        limiter.allow("anna")
    assert limiter.allow("ben")
    assert not limiter.allow("anna")


def test_window_slides(limiter, clock):
    limiter.allow("anna")
    clock.turn(40)
    limiter.allow("anna")
    limiter.allow("anna")
    assert not limiter.allow("anna")
    clock.turn(20)
    assert limiter.allow("anna")


def test_wait_until_the_oldest_request_is_forgotten(limiter, clock):
    assert limiter.wait_s("anna") == 0
    limiter.allow("anna")
    clock.turn(45)
    assert limiter.wait_s("anna") == 15
