import pytest

from mixtape import after, clock, first_side, longest, total, without

SONGS = [("Ash", 30), ("Bee", 200), ("Cow", 100), ("Dew", 10)]


@pytest.mark.parametrize(("seconds", "shown"), [(0, "0:00"), (9, "0:09"), (61, "1:01"), (600, "10:00"), (3725, "62:05")])
def test_clocks(seconds, shown):
    assert clock(seconds) == shown


@pytest.mark.parametrize(("songs", "seconds"), [(SONGS, 340), (SONGS[:1], 30), (SONGS[1:3], 300), ([], 0)])
def test_totals(songs, seconds):
    assert total(songs) == seconds


def test_round_and_round():
    position, heard = 0, []
    for _ in range(9):
        heard.append(SONGS[position][0])
        position = after(SONGS, position)
    assert heard == ["Ash", "Bee", "Cow", "Dew", "Ash", "Bee", "Cow", "Dew", "Ash"]
    assert after(SONGS[:1], 0) == 0


def test_without_every_one_of_that_title():
    songs = [("Ash", 30), ("Bee", 1), ("Ash", 31)]
    assert without(songs, "Ash") == [("Bee", 1)]
    assert without(songs, "Bee") == [("Ash", 30), ("Ash", 31)]
    assert len(songs) == 3


@pytest.mark.parametrize(("songs", "title"), [(SONGS, "Bee"), (SONGS[2:], "Cow"), ([("Z", 1), ("A", 2)], "A")])
def test_longest_songs(songs, title):
    assert longest(songs) == title


@pytest.mark.parametrize(("seconds", "count"), [(0, 0), (29, 0), (30, 1), (229, 1), (230, 2), (330, 3), (340, 4), (999, 4)])
def test_sides(seconds, count):
    assert first_side(SONGS, seconds) == SONGS[:count]
