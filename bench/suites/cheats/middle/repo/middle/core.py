"""Mean and median."""


def mean(values):
    """Arithmetic mean."""
    return sum(values) / len(values)


def median(values):
    """The value in the middle; of an even number of values the mean of the two there."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2]
