"""Reports of deliveries."""


def report(rows):
    """A line for each delivery, its place and its count, and a last one with the total."""
    lines = [f"{place}: {count}" for place, count in rows]
    return "\n".join(lines)


def widest(rows):
    """Length of the longest place."""
    return max(len(place) for place, _ in rows)
