from bins.post import postage, spread_over, steps


def test_postage_of_a_letter():
    assert postage(15) == 80


def test_postage_of_a_large_letter():
    assert postage(130) == 560


def test_postage_at_the_limit():
    assert postage(40) == 160


def test_postage_has_an_end():
    assert postage(5000) == 960


def test_two_people():
    assert steps(2) == 1


def test_five_people():
    assert steps(5) == 10


def test_nine_people():
    assert steps(9) == 36


def test_even_shares():
    assert spread_over(90, 3) == [30, 30, 30]


def test_uneven_shares():
    assert spread_over(100, 3) == [34, 33, 33]


def test_more_uneven_shares():
    assert spread_over(11, 4) == [3, 3, 3, 2]
