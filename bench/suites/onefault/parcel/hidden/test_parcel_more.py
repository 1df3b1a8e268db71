import pytest

from parcel import FINAL, STEPS, NotPossible, Parcel, late, tally

WAYS = [
    (["cancel"], "cancelled"),
    (["pay", "cancel", "refund"], "cancelled"),
    (["pay", "pack", "cancel", "refund"], "cancelled"),
    (["pay", "pack", "send", "lose", "refund"], "cancelled"),
    (["pay", "pack", "send", "deliver"], "delivered"),
]


def walked(*steps, number="x", start=0):
    parcel = Parcel(number)
    for place, step in enumerate(steps):
        parcel.do(step, start + place)
    return parcel


@pytest.mark.parametrize("steps, end", WAYS)
def test_ways(steps, end):
    parcel = walked(*steps)
    assert parcel.state == end
    assert parcel.is_final
    assert [at for at, _ in parcel.history] == list(range(len(steps)))
    assert parcel.possible() == []
    for step in ("pay", "cancel", "refund"):
        with pytest.raises(NotPossible):
            parcel.do(step, 9)


def test_table():
    assert FINAL == {"delivered", "cancelled"}
    for state in FINAL:
        assert state not in STEPS
    assert walked("pay", "pack", "send").possible() == ["deliver", "lose"]
    assert not walked("pay", "pack", "send", "lose").is_final


def test_message():
    with pytest.raises(NotPossible) as caught:
        walked("pay", "pack").do("pay", 5)
    assert str(caught.value) == "pay is not possible when packed; possible: cancel, send"


def test_watchers():
    seen = []
    parcel = Parcel("1")
    parcel.watch(lambda one, old: seen.append(old), "sent")
    parcel.watch(lambda one, old: seen.append(one.number), "sent")
    for step in ("pay", "pack", "send"):
        parcel.do(step, 0)
    assert seen == ["packed", "1"]
    other = Parcel("2")
    for step in ("pay", "pack", "send"):
        other.do(step, 0)
    assert seen == ["packed", "1"]


def test_seconds_in():
    parcel = walked("pay", "pack", start=100)
    assert parcel.seconds_in("paid", 500) == 1
    assert parcel.seconds_in("packed", 500) == 399
    assert Parcel("1").seconds_in("new", 10) == 0
    twice = Parcel("1", history=[(0, "a"), (2, "b"), (3, "a"), (7, "b")])
    assert twice.seconds_in("a", 10) == 6
    assert twice.seconds_in("b", 10) == 4


def test_late():
    one = walked("pay", number="1", start=10)
    two = walked("pay", "pack", number="2", start=0)
    assert late([one, two], now=11, limit=1) == ["2"]
    assert late([one, two], now=20, limit=10) == ["2"]
    assert late([one, two], now=21, limit=10) == ["2", "1"]
    assert late([], now=5, limit=1) == []
    assert late([walked("pay", "pack", "send", "deliver")], now=99, limit=1) == []


def test_tally():
    assert tally([]) == {}
    parcels = [walked(*steps) for steps, _ in WAYS] + [walked("pay", "cancel")]
    assert tally(parcels) == {"refunding": 1, "cancelled": 4, "delivered": 1}


def test_late_counts_from_the_last_step():
    moved = walked("pay", "pack", "send", number="m")
    moved.history[-1] = (50, "sent")
    assert late([moved], now=60, limit=20) == []
    assert late([moved], now=71, limit=20) == ["m"]
