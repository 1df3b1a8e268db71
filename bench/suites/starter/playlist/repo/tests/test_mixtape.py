from mixtape import after, clock, first_side, longest, total, without

SONGS = [("Rain", 187), ("Stairs", 242), ("Ghosts", 65)]


def test_clock():
    assert clock(242) == "4:02"
    assert clock(59) == "0:59"


def test_clock_on_the_minute():
    assert clock(120) == "2:00"


def test_total():
    assert total(SONGS) == 494


def test_empty_list_takes_no_time():
    assert total([]) == 0


def test_next_song():
    assert after(SONGS, 0) == 1


def test_after_the_last_song_it_starts_again():
    assert after(SONGS, 2) == 0


def test_without_a_song():
    assert without(SONGS, "Stairs") == [("Rain", 187), ("Ghosts", 65)]


def test_without_a_song_that_is_not_there():
    assert without(SONGS, "Snow") == SONGS


def test_longest_is_not_the_last_in_the_alphabet():
    assert longest([*SONGS, ("Zoo", 12)]) == "Stairs"


def test_first_side_is_filled_to_the_second():
    assert first_side(SONGS, 429) == SONGS[:2]


def test_first_side_of_a_short_tape():
    assert first_side(SONGS, 300) == SONGS[:1]
