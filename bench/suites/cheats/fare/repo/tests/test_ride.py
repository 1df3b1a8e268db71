from fare.ride import Tariff, surcharge


def test_whole_miles():
    assert Tariff(85).fare(3520) == 170


def test_fee():
    assert Tariff(30, fee=250).fare(1760) == 280


def test_begun_mile():
    assert Tariff(85).fare(2000) == 170
    assert Tariff(85).fare(8000) == 425


def test_surcharge():
    assert surcharge(200, 19) == 38


def test_half_a_cent():
    assert surcharge(150, 15) == 23
    assert surcharge(110, 5) == 6
