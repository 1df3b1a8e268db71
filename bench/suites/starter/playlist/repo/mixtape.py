"""Playlists. A song is a pair of a title and a length in seconds."""


def clock(seconds):
    """Return a length as people write it: `3:07`."""
    return f"{seconds // 60}:{seconds % 60:02}"


def total(songs):
    """Return the length of all songs together, in seconds."""
    seconds = 0
    for _, length in songs:
        seconds += length
    return seconds


def after(songs, position):
    """Return the position of the song that comes next; after the last one it starts again."""
    return (position + 1) % len(songs)


def without(songs, title):
    """Return the songs without those of this title."""
    return [song for song in songs if song[0] != title]


def longest(songs):
    """Return the title of the longest song."""
    return max(songs, key=lambda song: song[1])[0]


def first_side(songs, seconds):
    """Return as many songs, from the first on, as fit on one side of a tape."""
    side, left = [], seconds
    for song in songs:
        if song[1] > left:
            break
        side.append(song)
        left -= song[1]
    return side
