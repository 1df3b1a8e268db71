import pytest

from parcel import NotPossible, Parcel, late, tally


def walked(*steps, number="1", start=0, every=10):
    parcel = Parcel(number)
    for place, step in enumerate(steps):
        parcel.do(step, start + place * every)
    return parcel


def test_straight_way():
    parcel = walked("pay", "pack", "send", "deliver")
    assert parcel.state == "delivered"
    assert parcel.is_final
    assert parcel.history == [(0, "paid"), (10, "packed"), (20, "sent"), (30, "delivered")]


def test_step_returns_the_new_state():
    assert Parcel("1").do("pay", 0) == "paid"


@pytest.mark.parametrize("steps", [("pay",), ("pay", "pack")])
def test_paid_parcels_are_refunded(steps):
    parcel = walked(*steps, "cancel")
    assert parcel.state == "refunding"
    assert not parcel.is_final
    assert parcel.do("refund", 99) == "cancelled"
    assert parcel.is_final


def test_impossible_step():
    parcel = Parcel("1")
    with pytest.raises(NotPossible, match="send is not possible when new; possible: cancel, pay"):
        parcel.do("send", 0)
    assert (parcel.state, parcel.history) == ("new", [])


def test_nothing_follows_the_end():
    parcel = walked("cancel")
    assert parcel.possible() == []
    with pytest.raises(NotPossible, match="possible: nothing"):
        parcel.do("pay", 1)


def test_watchers():
    seen = []
    parcel = Parcel("1")
    parcel.watch(lambda one, old: seen.append(("paid", old)), "paid")
    parcel.watch(lambda one, old: seen.append((one.state, old)))
    parcel.do("pay", 0)
    parcel.do("pack", 1)
    assert seen == [("paid", "new"), ("paid", "new"), ("packed", "paid")]


def test_parcels_share_nothing():
    walked("pay")
    assert Parcel("2").history == []


def test_time_in_a_state():
    parcel = walked("pay", "pack", "send")
    assert parcel.seconds_in("packed", now=100) == 10
    assert parcel.seconds_in("sent", now=100) == 80
    assert parcel.seconds_in("delivered", now=100) == 0
    there_and_back = Parcel("2", history=[(0, "paid"), (5, "packed"), (7, "paid")])
    assert there_and_back.seconds_in("paid", now=9) == 7


def test_late_parcels_oldest_first():
    parcels = [
        walked("pay", number="b", start=50),
        walked("pay", number="a", start=20),
        walked("cancel", number="c"),
        Parcel("d"),
        walked("pay", "pack", number="e", start=95),
    ]
    assert late(parcels, now=150, limit=50) == ["a", "b"]


def test_tally():
    assert tally([walked("pay"), walked("pay"), Parcel("1")]) == {"new": 1, "paid": 2}
