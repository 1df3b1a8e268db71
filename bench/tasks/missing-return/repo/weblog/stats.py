"""Numbers that are made of requests."""


def tally(values):
    """Return how often each value occurs, as a dictionary."""
    counts = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1


def by_status(entries):
    """Return how many requests ended with each status."""
    return tally(entry.status for entry in entries)


def busiest(entries, limit=3):
    """Return the paths that were asked for most often, with their counts; ties in alphabetical order."""
    counts = tally(entry.path for entry in entries)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]


def traffic(entries):
    """Return the bytes that were sent."""
    return sum(entry.size for entry in entries)
